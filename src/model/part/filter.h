/* filter.h: which rows of device work, API calls and NVTX ranges belong to a part; private to src/model/part. */
#ifndef DBPROF_MODEL_PART_FILTER_H
#define DBPROF_MODEL_PART_FILTER_H

#include <pthread.h>

#include "model/part/wish.h"
#include "store/nvtx.h"
#include "store/scan.h"
#include "util/error.h"

/* A range of the name that was asked for. Times as the file has them (ns). */
struct part_instance {
	int64_t thread, start, end;
	int64_t reach; /* the latest end of those before it on its thread, and its own */
};

struct part_instances {
	struct part_instance *item; /* by thread and start */
	size_t n, room;
};

/* Ids of API calls: process and correlation. A process of 0 stands for any. */
struct part_calls {
	int64_t (*slot)[2]; /* both 0: free */
	size_t nslots, n;
};

/* Owned. `lock` guards what scans in several threads add to: instances, calls, low and high. */
struct part_filter {
	struct scan_filter scan;
	int64_t from, to; /* the window (ns) */
	struct nvtx nvtx;
	bool by_range;
	struct part_instances instances; /* if by_range */
	struct part_calls calls;         /* likewise: of the calls in them */
	pthread_mutex_t lock;
	int64_t low, high; /* correlation ids of the work that is kept; without any, INT64_MAX and INT64_MIN */
};

/* Finds the ranges of the wish and the calls in them: 0, or -1 with `err`. */
int part_find_instances(struct part *part, struct store *store, struct error *err);

/* Whether a time lies in one of the ranges of the thread. */
bool part_in_instance(const struct part_instances *instances, int64_t thread, int64_t time);

/* Whether a call with this id lies in one of the ranges. False for id 0, which is none. */
bool part_has_call(const struct part_calls *calls, int64_t process, int64_t correlation);

/* Begins a filter by time, or by the ranges that part_find_instances() finds. For part_filter_free(). */
struct part_filter *part_filter_new(const struct part_wish *wish, struct store *store);
void part_filter_free(struct part_filter *filter); /* NULL is allowed */

/* Starts of the work of a recording: of every STARTS_STEP-th row of a batch, sorted. For free(). NULL with `err`. */
enum { STARTS_STEP = 16 };
int64_t *part_starts(struct store *store, size_t *n, struct error *err);

#endif
