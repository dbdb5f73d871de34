/* groups.h: which metrics are collected together, one pass in a launch. */
#ifndef DBPROF_CONTRAST_COUNT_GROUPS_H
#define DBPROF_CONTRAST_COUNT_GROUPS_H

#include "contrast/count/count.h"
#include "record/cupti/counter-groups.h"

/* Each group has these two metrics as well: they show whether the launches of all groups were alike. */
#define COUNT_INSTRUCTIONS "smsp__inst_executed.sum"
#define COUNT_CYCLES "sm__cycles_active.avg"

/* A group has so few passes that a change from launch to launch is seen in the control. */
enum { PASSES_OF_A_GROUP = 4, COUNT_CONTROLS = 2 };

/* A group that can be planned and evaluated: the two controls come first. */
struct metered_group {
	struct count_group group; /* metrics are owned, their names and the image are borrowed */
	struct metric_plan *plan;
};

/* Groups for kernels that have at least `passes` launches in a run. */
struct metered_list {
	size_t passes;
	size_t *groups; /* places */
	size_t n;
	size_t lost; /* metrics that take more passes than that; not of the last list, whose kernels may have many
			launches */
};

/* What can be counted on a chip. metering_open() sets it up. */
struct metering {
	struct cupti cupti;
	struct profiler profiler;
	struct metric_set *sets;
	int nsets;
	struct counter_groups base;
	char chip[64];
	uint8_t *availability; /* owned */
	struct metered_group *groups;
	size_t ngroups, room;
	struct metered_list lists[PASSES_OF_A_GROUP]; /* by passes, from 1 on; made when they are asked for */
};

/* `availability` is taken, also in case of an error. -1 with `err`, which says why nothing can be counted;
 * metering_close() in any case. */
int metering_open(struct metering *metering, const char *chip, uint8_t *availability, struct error *err);
void metering_close(struct metering *metering);

/* The groups for a kernel with so many launches in a run, 1 or more. Lives until metering_close(). */
const struct metered_list *metering_list(struct metering *metering, size_t launches);

#endif
