/* work-parts.h: rows of device work between reading and sorting; private to work.c, work-lanes.c and work-order.c. */
#ifndef DBPROF_MODEL_TRACE_WORK_PARTS_H
#define DBPROF_MODEL_TRACE_WORK_PARTS_H

#include "model/trace/trace.h"

/* Rows stand in blocks, so that none is copied while they are read. A row's number is that of its block, and its place
 * in it. */
enum { BLOCK_BITS = 14, BLOCK_ROWS = 1 << BLOCK_BITS };

/* Columns as in struct trace, but lane and copy are counted within the part. Each is freed when it is in order. */
struct work_block {
	size_t n;
	int64_t *start, *end, *correlation;
	uint32_t *lane, *what;
	uint32_t part;
};

/* The lanes of a part, in the order in which they are met. */
struct part_lanes {
	struct work_lane *lane; /* gpu is not known yet */
	int64_t *cuda;          /* the device as the file numbers it */
	size_t n, room, cuda_room;
	uint32_t *slots; /* hash table: a place plus one; 0: free */
	size_t nslots;
	size_t last;     /* the place that was asked for last */
	uint32_t *place; /* in trace.lanes; LANE_BEYOND for those that are left out */
};
#define LANE_BEYOND UINT32_MAX

/* One part of a table. */
struct table_part {
	struct work_block *block;
	size_t nblocks, block_room;
	struct part_lanes lanes;
	struct work_copy *copy;
	size_t ncopies, copy_room;
	size_t unusable, nowhere, graphs;
};

/* The parts of all tables, in order. */
struct table_parts {
	struct table_part *part;
	size_t n;
};

/* The lane's place in the part. */
uint32_t part_lane(struct part_lanes *lanes, const struct devices *devices, const struct work_lane *lane, int64_t cuda);
void part_lanes_free(struct part_lanes *lanes);

/* Fills the lanes and GPUs of the trace, and the places of the parts' lanes in it. */
void work_lanes_merge(struct trace *trace, struct table_parts *parts);

/* Fills the columns of the trace; frees what the parts hold. 0, or -1 with `err`: there are too many rows. */
int work_order(struct trace *trace, struct table_parts *parts, struct error *err);

#endif
