/* filter.h: which rows of device work, API calls and NVTX ranges belong to a part; private to src/model/part. */
#ifndef DBPROF_MODEL_PART_FILTER_H
#define DBPROF_MODEL_PART_FILTER_H

#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>

#include "model/part/wish.h"
#include "store/nvtx.h"
#include "store/scan.h"
#include "util/error.h"
#include "util/numbering.h"

/* A range of the name that was asked for. Times as the file has them (ns). */
struct part_instance {
	int64_t thread, start, end;
	int64_t reach; /* the latest end of those before it on its thread, and its own */
};

struct part_instances {
	struct part_instance *item; /* by thread and start */
	size_t n, room;
};

/* Ids of API calls: process and correlation. A process of 0 stands for any. Ids are mostly dense, so a slot holds 64
 * that follow each other. */
struct part_calls {
	struct part_call_ids {
		int64_t process;
		uint64_t block; /* the ids over 64 */
		uint64_t ids;   /* a bit for each; 0: the slot is free */
	} * slot;
	size_t nslots, n;
};

/* What other threads asked for while a range was open. docs/size.md, "A part of a recording". */
struct part_seeing {
	struct part_instances open; /* the ranges by process, which stands for the thread, and start */
	struct part_calls calls;    /* of other threads while one was open */
	struct part_calls left_out; /* those of them that asked for work */
	struct numbering threads;   /* that made these */
	bool host_copy[32];         /* by the file's number of a kind of copies: 1 between host and GPU */
	bool is_over;               /* all was read once: rows that are read again do not count */
};

/* Owned. `lock` guards what scans in several threads add to: instances, calls, low and high, `part` and `seeing`. */
struct part_filter {
	struct scan_filter scan;
	int64_t from, to; /* the window (ns) */
	struct nvtx nvtx;
	bool by_range;
	struct part_instances instances; /* if by_range */
	struct part_calls calls;         /* likewise: of the calls in them */
	struct part *part;               /* likewise: gets the sums of what is left out; borrowed */
	struct part_seeing seeing;       /* likewise */
	pthread_mutex_t lock;
	int64_t low, high; /* correlation ids of the work that is kept; without any, INT64_MAX and INT64_MIN */
};

/* Finds the ranges of the wish and the calls in them: 0, or -1 with `err`. */
int part_find_instances(struct part *part, struct store *store, struct error *err);

/* Whether a time lies in one of the ranges of the thread. */
bool part_in_instance(const struct part_instances *instances, int64_t thread, int64_t time);

/* Whether a call with this id is among them. False for id 0, which is none. */
bool part_has_call(const struct part_calls *calls, int64_t process, int64_t correlation);
void part_add_call(struct part_calls *calls, int64_t process, int64_t correlation);

/* Sorts ranges by thread and start, and finds how far they reach. */
void part_sort_instances(struct part_instances *instances);
void part_reach_instances(struct part_instances *instances);

/* Begins a filter by time, or by the ranges that part_find_instances() finds. For part_filter_free(). */
struct part_filter *part_filter_new(struct part *part, struct store *store);
void part_filter_free(struct part_filter *filter); /* NULL is allowed */

/* ---- others.c: what other threads did ---- */

/* Once the ranges are known. */
void part_others_begin(struct part_filter *filter, struct store *store);

/* A call outside of its own thread's ranges. */
void part_others_call(struct part_filter *filter, int64_t thread, int64_t start, int64_t correlation);

/* A batch of work, or of calls once the work was read, of which the filter keeps those of `keeps`. */
void part_others_rows(
	struct part_filter *filter, const struct scan *scan, const struct scan_rows *rows, const bool *keeps);

/* All was read once: counts no more, and frees what it took. */
void part_others_end(struct part_filter *filter);

#endif
