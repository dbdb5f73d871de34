/* pm.h: the pm pass. pm.c and pm-rows.c share it. */
#ifndef DBPROF_RECORD_PASS_PM_H
#define DBPROF_RECORD_PASS_PM_H

#include "record/cupti/activity.h"
#include "record/cupti/pm/pm-plans.h"
#include "record/cupti/pm/pm-sampling.h"
#include "record/pass/launch.h"

enum { PM_NAME = 128 };

/* A piece of device work, from an activity record. */
struct pm_work {
	int64_t start, end; /* ns, CLOCK_REALTIME */
	const char *cls;    /* "h2d", "d2h", "kernel", "other" */
	int64_t stream;
	char name[PM_NAME]; /* of a kernel; "" */
};

struct pm {
	struct activity *activity;
	struct profiler profiler;
	struct pm_plans plans;
	struct pm_sampling sampling;
	struct pm_work *work;
	size_t nwork;
	size_t unnoted; /* pieces of work that were dropped for want of room */
	int64_t from;   /* work that began earlier does not count (ns, CLOCK_REALTIME) */
};

/* From the beginning of the launch's first work to the end of its last (ns); *start is the beginning. 0 without work.
 */
int64_t pm_span(const struct pm *pm, int64_t *start);

/* Writes the rows of the launch that was sampled last, with the metrics of `set`. */
void pm_write_run(const struct launch *launch, const struct metric_set *set, int64_t interval);

#endif
