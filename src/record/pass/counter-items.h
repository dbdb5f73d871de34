/* counter-items.h: counts the launches of several variants in the same replays. */
#ifndef DBPROF_RECORD_PASS_COUNTER_ITEMS_H
#define DBPROF_RECORD_PASS_COUNTER_ITEMS_H

#include "record/cupti/range-profiler.h"
#include "record/cupti/counter-groups.h"
#include "record/pass/launch.h"

/* A variant to be counted, and what a launch of it enqueues. */
struct counter_item {
	const struct variant *variant;
	struct enqueued done;
	struct error refusal; /* why it was not counted, set by counter_items(); "" */
};

/* How `n` items are counted: each launch as a whole if one of them copies, else each kernel. A process counts in one
 * way: once CUPTI has counted in the other, it does not start (CUPTI_ERROR_UNKNOWN), nor does a profiler opened anew
 * (H200, CUDA 13.0). And numbers of a kernel alone do not stand beside those of a pipeline. */
enum range_scope counter_items_scope(const struct counter_item *items, int n);

/* Counts the metrics of a group for `n` items and writes the rows. `range` is open and counts only this group. Items
 * share their replays; those of a library (opaque_launches) do not. If items fail together, each is tried alone, and
 * the failure is a problem of the variant that it is about. If nothing can be counted and nothing ever was, the pass is
 * skipped with the first reason. After a CUDA error in a launch, the items before it are still counted, unless CUDA is
 * dead. launch->variant is used and left changed. 0: go on; -1 ends the pass. */
int counter_items(struct launch *launch, struct range_profiler *range, enum range_scope scope,
	const struct counter_group *group, struct counter_item *items, int n);

#endif
