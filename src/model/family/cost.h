/* cost.h: what the second buffer costs. */
#ifndef DBPROF_MODEL_FAMILY_COST_H
#define DBPROF_MODEL_FAMILY_COST_H

#include <jansson.h>
#include <stdbool.h>

struct contrast;
struct measured;

/* Whether `m` is a control that differs from single in nothing but its shared memory, of which it has as much as
 * double: kind control, as many buffers as single, and static and dynamic bytes together more than single's and within
 * 1 KiB of double's. */
bool is_footprint_control(const struct measured *m, const struct measured *single, const struct measured *dbl);

/* How much of a loss the footprint explains: (control - single) / (double - single) by median time. NaN without a
 * control, or unless double is slower. */
double footprint_loss(const struct contrast *contrast);

json_t *cost_json(const struct contrast *contrast);

#endif
