/* spans.h: when the steady steps of a run were, to read clocks meanwhile. */
#ifndef DBPROF_CONTRAST_SPANS_H
#define DBPROF_CONTRAST_SPANS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contrast/gpu/watch.h"
#include "contrast/launches.h"
#include "contrast/steps.h"

/* Those of a run without CUPTI, by their start, into `out`, which has room for n. Their number. Which kernels a step
 * has is not known without CUPTI. So `traced`, a run of the same program, tells which are steady if its processes, in
 * the order of their first steps, have as many: those at the same places. Else, or if it is NULL, all are but the first
 * of each process that has three or more. */
size_t spans_of_steps(const struct side_step *steps, size_t n, const struct launches *traced, struct side_span *out);

/* Those of a traced run, into `out`, which has room for launches->nsteps. Their number. `epoch_ns`: time zero of its
 * recording. */
size_t spans_of_launches(const struct launches *launches, int64_t epoch_ns, struct side_span *out);

/* The host time of the steps of a run by each measure: mean (ns), NaN without any, and of how many. */
struct step_times {
	double ns[STEP_MEASURES];
	size_t n[STEP_MEASURES];
	bool overlap; /* see step_pace.overlap */
};

/* Those of a run without CUPTI. Its steady steps are those of spans_of_steps(). Without CUPTI it is not known how far
 * the GPU lags behind: so of the periods those count that do in `traced`, if that tells which steps are steady. */
void times_of_steps(const struct side_step *steps, size_t n, const struct launches *traced, struct step_times *out);

/* Those of a traced run. */
void times_of_launches(const struct launches *launches, struct step_times *out);

#endif
