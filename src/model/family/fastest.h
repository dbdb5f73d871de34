/* fastest.h: the fastest with one buffer against the fastest with several. */
#ifndef DBPROF_MODEL_FAMILY_FASTEST_H
#define DBPROF_MODEL_FAMILY_FASTEST_H

#include <jansson.h>

struct model;
struct rivals;

/* F."fastest" of a case: the fastest variant with one buffer against the fastest with several; JSON null unless there
 * are both. */
json_t *fastest_json(const struct model *model, const struct rivals *rivals);

#endif
