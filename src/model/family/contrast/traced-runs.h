/* traced-runs.h: where the time of each traced launch of a variant went. */
#ifndef DBPROF_MODEL_FAMILY_TRACED_RUNS_H
#define DBPROF_MODEL_FAMILY_TRACED_RUNS_H

#include <stdbool.h>

#include "analyze/analyze.h"

struct activity;
struct measured;
struct trace;
struct work_list;

/* Whether a kernel of the trace is the variant's own. Without a symbol each may be it. */
bool is_own_kernel(const struct measured *m, const struct activity *work);

/* One launch's work, of which there must be some. */
void traced_run_of(
	const struct trace *trace, const struct measured *m, const struct work_list *work, struct traced_run *out);

#endif
