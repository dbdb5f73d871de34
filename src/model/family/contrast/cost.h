/* cost.h: what the second buffer costs. */
#ifndef DBPROF_MODEL_FAMILY_CONTRAST_COST_H
#define DBPROF_MODEL_FAMILY_CONTRAST_COST_H

#include <jansson.h>
#include <stdbool.h>

struct contrast;
struct measured;

/* Whether `m` is a control with single's code and double's shared memory: kind control, as many buffers as single, and
 * its shared bytes, static and dynamic together, are more than single's and within FOOTPRINT_BYTES of double's. */
bool is_footprint_control(const struct measured *m, const struct measured *single, const struct measured *dbl);

/* How much of a loss the footprint explains: (control - single) / (double - single) by median time. NaN without a
 * control, or unless double is slower. */
double footprint_loss(const struct contrast *contrast);

/* C, without the sentence; JSON null where the resources of neither side are known. */
json_t *cost_json(const struct contrast *contrast);

#endif
