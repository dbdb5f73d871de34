/* counter-groups.h: which metrics of the counters pass are collected together. */
#ifndef DBPROF_RECORD_CUPTI_COUNTER_GROUPS_H
#define DBPROF_RECORD_CUPTI_COUNTER_GROUPS_H

#include "record/cupti/metric-set.h"
#include "record/cupti/profiler.h"

/* Metrics that are collected together. */
struct counter_group {
	const char **metrics; /* n names; they belong to the sets */
	int n;
	struct metric_plan *plan;
	double *values; /* room for those of one range */
};

/* The groups: what one pass of the hardware collects, and the rest. */
struct counter_groups {
	struct counter_group all[2];
	int n;
};

/* What plans are made for. */
struct chip {
	const char *name;            /* "GH100" */
	const uint8_t *availability; /* as of metric_plan_new() */
};

/* Removes metrics that the chip does not know from the sets, and makes groups of the others. What fits into one pass is
 * one group, so that all of it comes from the same run. The rest is one group, which takes the fewest replays. -1 with
 * `err`; then *groups is for counter_groups_free() as well. */
int counter_groups_make(struct counter_groups *groups, const struct profiler *profiler, struct metric_set *sets,
	int nsets, const struct chip *chip, struct error *err);
void counter_groups_free(struct counter_groups *groups);

#endif
