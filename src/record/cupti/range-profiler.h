/* range-profiler.h: counters of the kernels of a launch, or of the launch as a whole, from CUPTI's range profiler. */
#ifndef DBPROF_RECORD_CUPTI_RANGE_PROFILER_H
#define DBPROF_RECORD_CUPTI_RANGE_PROFILER_H

#include <cuda_runtime_api.h>
#include <stdbool.h>

#include "record/cupti/profiler.h"

/* What the counters are about. */
enum range_scope {
	RANGE_KERNEL, /* each kernel, which runs alone */
	RANGE_LAUNCH  /* all work of a launch together, with its concurrency */
};

/* A range profiler at work in the current CUDA context. range_profiler_open() sets it up. */
struct range_profiler {
	const struct profiler *profiler; /* borrowed */
	CUpti_RangeProfiler_Object *object;
	const struct metric_plan *plan; /* borrowed */
	const char *const *metrics;     /* borrowed: those of the plan */
	int nmetrics;
	uint8_t *image; /* counter data */
	size_t image_size;
	enum range_scope scope;
	bool broken; /* a count was broken off, or could not be prepared */
};

/* The image of what the current context's device can count, for metric_plan_new(). The caller frees it. NULL with
 * `err`. */
uint8_t *range_profiler_availability(const struct profiler *profiler, struct error *err);

int range_profiler_open(struct range_profiler *range, const struct profiler *profiler, struct error *err);
void range_profiler_close(struct range_profiler *range);

/* Prepares to count up to `ranges` ranges in a run over all items (see below): two for each kernel, or one for each
 * launch. Opens the profiler anew if the last count failed. `plan` and `metrics` are borrowed until the next call. */
int range_profiler_configure(struct range_profiler *range, const struct metric_plan *plan, const char *const *metrics,
	int nmetrics, enum range_scope scope, int ranges, struct error *err);

/* Runs all items, 0 to n - 1, again and again until CUPTI has all counters: run(user, item) enqueues the work of an
 * item and waits for it. All items go into one count, because CUPTI takes 16 ms to start one (H100, CUDA 13.0). Each
 * item runs twice in a row, so that it finds its own data in the caches and not those of the item before it. Returns
 * how many ranges there are, in the order in which they ran. With RANGE_LAUNCH the second launch of each item is one;
 * with RANGE_KERNEL each kernel is one, of the first launch too. -1 with `err` if CUPTI fails, -2 if `run` did not
 * return 0. */
int range_profiler_count(
	struct range_profiler *range, int (*run)(void *user, int item), void *user, int n, struct error *err);

/* Values of all metrics in range `index`, in the order of the plan. */
int range_profiler_values(const struct range_profiler *range, size_t index, double *values, struct error *err);

#endif
