/* counter-items.h: counts the launches of several variants in the same replays. */
#ifndef DBPROF_RECORD_PASS_COUNTER_ITEMS_H
#define DBPROF_RECORD_PASS_COUNTER_ITEMS_H

#include "record/cupti/range-profiler.h"
#include "record/cupti/counter-groups.h"
#include "record/pass/launch.h"

/* A variant to be counted, and what a launch of it enqueues. With copies, the launch is counted as a whole; without,
 * each kernel. */
struct counter_item {
	const struct variant *variant;
	struct enqueued done;
	struct error refusal; /* why it was not counted, set by counter_items(); "" */
};

/* Counts the metrics of a group for `n` items and writes the rows. `range` is open and counts only this group.
 * Neighbouring items that are counted alike share their replays; those of a library (opaque_launches) do not. If items
 * fail together, each is tried alone, and the failure is a problem of the variant that it is about. If nothing can be
 * counted and nothing ever was, the pass is skipped with the first reason. After a CUDA error in a launch, the items
 * before it are still counted, unless CUDA is dead. launch->variant is used and left changed. 0: go on; -1 ends the
 * pass. */
int counter_items(struct launch *launch, struct range_profiler *range, const struct counter_group *group,
	struct counter_item *items, int n);

#endif
