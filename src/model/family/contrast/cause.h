/* cause.h: the cause of a difference, as far as the rules know it. */
#ifndef DBPROF_MODEL_FAMILY_CONTRAST_CAUSE_H
#define DBPROF_MODEL_FAMILY_CONTRAST_CAUSE_H

#include <jansson.h>

struct contrast;

/* "why" of a contrast: the rule that speaks, and those facts of its sentence that stand nowhere else in the tree. */
json_t *why_json(const struct contrast *contrast);

#endif
