/* family-contrasts.h: single against double in every case of a family, its floors, and the fastest of each kind. */
#ifndef DBPROF_MODEL_FAMILY_FAMILY_CONTRASTS_H
#define DBPROF_MODEL_FAMILY_FAMILY_CONTRASTS_H

#include <jansson.h>
#include <stddef.h>

struct family_rows;
struct measured;

/* C of any two variants in case `i`, both with a time. `single` and `dbl` have an element per case. Without a forecast.
 */
json_t *contrast_of_pair(const struct family_rows *f, size_t i, struct measured *single, struct measured *dbl);

/* F."contrasts": of every case that was timed with both, also where a time is withheld because a result is wrong. */
json_t *contrasts_json(const struct family_rows *f);
json_t *floors_json(const struct family_rows *f);    /* F."floors" */
json_t *family_fastest(const struct family_rows *f); /* F."fastest" */

#endif
