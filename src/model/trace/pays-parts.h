/*
 * pays-parts.h: what the files pays*.c share; private to them. First the calls that asked for work, then all work of
 * one process on one GPU (a lane), then the ranges in a lane (a tree).
 */
#ifndef DBPROF_MODEL_TRACE_PAYS_PARTS_H
#define DBPROF_MODEL_TRACE_PAYS_PARTS_H

#include "analyze/analyze.h"
#include "analyze/pays.h"
#include "model/recording.h"
#include "model/trace/trace.h"

/* ---- what the host did (pays-calls.c) ---- */

/* A call that copies. */
struct copy_call {
	int64_t process, correlation, start, end;
	const char *name; /* without its version; owned by the calls */
	bool blocking;    /* returns when the copy is done */
};

/* The host waited. */
struct host_wait {
	int64_t process, thread, start, end; /* thread 0: not known */
};

/* A stream was told to wait for an event of another one. */
struct event_join {
	int64_t process, recorded, waited, from, to;
};

/* Owned. */
struct pays_calls {
	struct copy_call *copy;  /* by process, correlation, start */
	struct host_wait *wait;  /* by process, start */
	struct event_join *join; /* by process, waited */
	size_t ncopies, nwaits, njoins;
	json_t *names;
	bool processes; /* work and calls tell their process */
};

/* 0, or -1 with model->err; for pays_calls_free() in both cases. */
int pays_calls_load(struct pays_calls *calls, const struct model *model);
void pays_calls_free(struct pays_calls *calls);

/* The call of a copy, the outer one if two share a correlation id; NULL if it is not known. */
const struct copy_call *copy_call_of(const struct pays_calls *calls, const struct activity *work);

/* ---- all work of one process on one GPU (pays-lane.c) ---- */

/* Owned but for `work`. Arrays by item have lane.n entries, in the order of lane.item. */
struct pays_work {
	int64_t process;
	int device;
	struct pays_lane lane;
	const struct activity **work; /* by item; borrowed from the lanes */
	const struct pays_calls *calls;
	uint32_t *call; /* by item: the place in calls->copy plus one; 0: not a copy, or not known */
	uint16_t *
		reasons; /* by item: bits of enum pays_reason; 0 for a copy that is wholly hidden, and for other work */
	bool *free_as_is;   /* by item: a copy that kernels mostly cover, or that nothing holds up */
	double duplex_rate; /* NaN: no copies to tell it from */
};

/* NULL if it is not known. */
static inline const struct copy_call *call_of_item(const struct pays_work *work, size_t i)
{
	return work->call[i] ? &work->calls->copy[work->call[i] - 1] : NULL;
}

/* All lanes of a recording that have copies and kernels. Only one is made at a time, since each takes memory. Owned. */
struct pays_lanes {
	struct work_list all;     /* by GPU, process and start */
	size_t next;              /* where in it the next lane begins */
	size_t gpu_end;           /* and the next GPU */
	struct interval *kernels; /* of this GPU: a result of intervals_union() */
	size_t nkernels;
};

void pays_lanes_make(struct pays_lanes *lanes, const struct model *model);
void pays_lanes_free(struct pays_lanes *lanes);

/* Puts the next lane into *work, for pays_work_free(); false if there is none. The work borrows from the lanes until
 * the next call. */
bool pays_lanes_next(
	struct pays_lanes *lanes, const struct model *model, const struct pays_calls *calls, struct pays_work *work);
void pays_work_free(struct pays_work *work);

/* ---- a lane while it is made: streams, waits and events (pays-order.c) ---- */

/* Times beyond are cut to it, so that sums of two do not overflow. */
#define PAYS_TIME_LIMIT (INT64_C(1) << 60)

static inline int64_t within_limit(int64_t time)
{
	if (time > PAYS_TIME_LIMIT)
		return PAYS_TIME_LIMIT;
	return time < -PAYS_TIME_LIMIT ? -PAYS_TIME_LIMIT : time;
}

/* Whether the call that asked for the work is known and has a usable time. */
static inline bool call_known(const struct activity *work)
{
	return work->thread != 0 && work->called > -PAYS_TIME_LIMIT && work->called < PAYS_TIME_LIMIT;
}

/* A table of distinct numbers, sorted. */
struct ids {
	int64_t *id;
	size_t n;
};

/* Its place, or -1. */
int32_t ids_find(const struct ids *ids, int64_t id);

struct making {
	const struct model *model;
	const struct pays_calls *calls;
	struct pays_work *work;
	struct ids streams, threads;
	int pageable; /* the number of that memory kind, or -1 */
};

/* Fill these members of making->work->lane, after its items. */
void make_streams(struct making *making);
void make_waits(struct making *making);
void make_joins(struct making *making);

/* ---- the ranges in a lane (pays-tree.c) ---- */

/* All ranges of one text whose outer ranges have equal texts too, level by level. Node 0 is the whole lane. */
struct pays_node {
	const char *text, *domain; /* borrowed; NULL for node 0 */
	int parent, depth;         /* parent -1 for node 0; parents stand before their children */
	int last;                  /* the last node below it, or itself: nodes [i, last] are its subtree */
	size_t entered;            /* how often */
	size_t first, count;       /* its work and that below: order[first .. first + count) */
};

struct pays_tree {
	struct pays_node *node; /* depth first */
	size_t n;
	uint32_t *order; /* items by node */
};

/* Reasons that nothing can be done about. */
#define PAYS_HOPELESS (1U << PAYS_ALONE | 1U << PAYS_NONE)

/* Deeper ranges count as part of the range at this depth. */
enum { PAYS_DEPTH = 8 };

void pays_tree_make(struct pays_tree *tree, const struct model *model, const struct pays_work *work);
void pays_tree_free(struct pays_tree *tree);

/* ---- one range (pays.c), and its entry (pays-entry.c) ---- */

/* What double buffering would do for a range. Times in ns. */
struct estimate {
	int64_t span, floor, lost;
	double gain, gain_high;
	size_t rounds;
	bool chosen;    /* this one gets an entry, of nested ranges */
	double inside;  /* gain of the chosen ranges inside */
	size_t ninside; /* how many they are */
};

/* A lane while its ranges are looked at. */
struct looking {
	const struct model *model;
	const struct pays_work *work;
	struct pays_tree tree;
	struct estimate *estimate; /* by node */
	double rate;
	bool *some;     /* by item: free as it is, or freed with one group */
	uint32_t *pick; /* the items of a range */
	size_t n;
	struct interval *intervals; /* room for all copies */
};

static inline bool is_copy_item(const struct pays_item *item)
{
	return item->cls == WORK_H2D || item->cls == WORK_D2H;
}

/* At least 0, at most `most`. */
double clipped_gain(double gain, double most);
/* The items of a range into looking->pick, in order. */
void pick_items(struct looking *looking, size_t i);
/* Time of these copies, united, in which no kernel ran on the GPU; looking->intervals is overwritten. */
int64_t lost_time(const struct looking *looking, const uint32_t *pick, size_t n);
/* Y of a range; looking->pick is overwritten. */
json_t *range_entry(struct looking *looking, size_t i);

#endif
