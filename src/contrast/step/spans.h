/* spans.h: when the steady steps of a run were, to read clocks meanwhile. */
#ifndef DBPROF_CONTRAST_SPANS_H
#define DBPROF_CONTRAST_SPANS_H

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

/* Their mean length (ns); NaN without any. */
double spans_mean_ns(const struct side_span *spans, size_t n);

#endif
