/* kernel-steps.h: which steps of a traced run the times of kernels are means over: as many first steady ones in all
 * runs. Where steps grow, as with a cache, a run of more steps has longer ones. */
#ifndef DBPROF_CONTRAST_STEP_KERNEL_STEPS_H
#define DBPROF_CONTRAST_STEP_KERNEL_STEPS_H

#include "contrast/launches.h"
#include "contrast/step/first-ones.h"

/* No more than the run has. Nothing without a range, and if one step was cut into parts. */
void kernel_steps_within(struct first_ones *ones, const struct launches *run);

/* The run as if no other one of its steps were steady. It shares all else with the run; only `steps` is for free(). It
 * has no graphs if the other steps take another time: a graph's is of all. */
struct launches kernel_steps_view(const struct first_ones *ones, const struct launches *run);

/* Of the steady steps of such a view, the share that is the first of its process; NaN without a range, or without any.
 */
double kernel_steps_begins(const struct launches *view);

#endif
