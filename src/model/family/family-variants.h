/* family-variants.h: the cases of a family, and its variants in each of them. */
#ifndef DBPROF_MODEL_FAMILY_FAMILY_VARIANTS_H
#define DBPROF_MODEL_FAMILY_FAMILY_VARIANTS_H

#include <jansson.h>
#include <stddef.h>

struct family_rows;
struct measured;

/* Work of case `i` over a median time, in the family's unit: FLOP/s, bytes/s or elements/s; NaN if it has none. Where
 * items arrive at a rate: as their results came, since a launch has one period less than items. */
double family_throughput(const struct family_rows *f, size_t i, const struct measured *m);

json_t *cases_json(const struct family_rows *f);    /* F."cases" */
json_t *variants_json(const struct family_rows *f); /* F."variants" */

#endif
