/* group-batch.h: the work of some groups of NVTX ranges, swept together; private to groups.c and group-batch.c. */
#ifndef DBPROF_MODEL_TRACE_GROUP_BATCH_H
#define DBPROF_MODEL_TRACE_GROUP_BATCH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "model/trace/overlap.h"
#include "model/trace/trace.h"

/* All ranges of one name: range[first .. first + count). */
struct group {
	size_t first, count;
	int64_t start; /* of the earliest */
	int64_t total; /* time of all together */
	uint32_t text, domain;
};

struct groups {
	const struct trace *trace;
	struct group *group; /* by start */
	size_t n, room;
	uint32_t *slots; /* hash table: a place plus one; 0: free */
	size_t nslots;
	uint32_t *range;                /* numbers of ranges by group; within a group by thread and start */
	size_t names_left, ranges_left; /* that are not told */
};

enum { GROUPS_AT_ONCE = 16 };

/* The work of a few groups that follow each other. One pass over all work serves them all. */
struct group_batch {
	const struct groups *groups;
	const struct gpu_sweeps *all; /* over all work of each GPU */
	const struct group *group;
	size_t n;
	uint16_t *member; /* by piece of work: bit g: it belongs to group[g]. All 0 between batches */
	size_t low, high; /* the pieces that belong to any of them */
	size_t workers;
	struct gpu_sweeps sweeps[GROUPS_AT_ONCE];

	/* By GPU and group: the groups that have the same work there; how many pieces that are; SIZE_MAX: not counted.
	 */
	uint16_t alike[GPUS_MOST][GROUPS_AT_ONCE];
	size_t pieces[GPUS_MOST][GROUPS_AT_ONCE];
	uint8_t worker[GPUS_MOST][GROUPS_AT_ONCE]; /* who sweeps them */
};

/* `groups` and `all` are borrowed. For group_batch_free(). */
struct group_batch *group_batch_new(const struct groups *groups, const struct gpu_sweeps *all);

/* Sweeps the work of up to GROUPS_AT_ONCE groups, from number `first` on: fills sweeps by group. */
void group_batch_take(struct group_batch *batch, size_t first);

/* How many pieces of work the batch's g-th group has. */
size_t group_batch_pieces(const struct group_batch *batch, size_t g);

void group_batch_free(struct group_batch *batch);

#endif
