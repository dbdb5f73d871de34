/* step-lag.h: how far the GPU is behind the host where the steps of a traced run begin, and their periods. */
#ifndef DBPROF_CONTRAST_STEP_LAG_H
#define DBPROF_CONTRAST_STEP_LAG_H

#include "contrast/launches-private.h"

/* Fills gather->out->pace and the periods of its steps, once it is known which steps are steady. Without a range there
 * are none. */
void step_lag_sum_up(struct gather *gather);

#endif
