/* cause.h: what makes the difference between single and double. docs/causes.md. */
#ifndef DBPROF_MODEL_FAMILY_CONTRAST_CAUSE_H
#define DBPROF_MODEL_FAMILY_CONTRAST_CAUSE_H

#include <jansson.h>

struct contrast;

/* Fills contrast->sides and ->causes; the ratio and the verdict must be there. */
void contrast_find_causes(struct contrast *contrast);

/* Adds "size", "time", "causes", "explained", "first_cause", "order", "pace" and "moved" to the contrast's object. */
void contrast_put_causes(json_t *object, const struct contrast *contrast);

#endif
