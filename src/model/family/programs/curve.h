/* curve.h: the values that a contrast varies, what each takes, and the best of them. Private to this folder. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_CURVE_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_CURVE_H

#include <jansson.h>

struct family_rows;

/* F."curve"; null unless the sides are values of one name. */
json_t *values_curve_json(const struct family_rows *f);

#endif
