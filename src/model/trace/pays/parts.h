/*
 * parts.h: what the files of this folder share; private to them. First the calls that asked for work, then all work of
 * one process on one GPU (a lane), then the ranges in a lane (a tree).
 */
#ifndef DBPROF_MODEL_TRACE_PAYS_PARTS_H
#define DBPROF_MODEL_TRACE_PAYS_PARTS_H

#include <jansson.h>

#include "analyze/analyze.h"
#include "analyze/pays.h"
#include "model/recording.h"
#include "model/trace/trace.h"

/* ---- what the host did (calls.c) ---- */

/* The host waited. */
struct pays_host_wait {
	int64_t process, start, end;
	int64_t thread; /* 0: not known */
};

/* A stream was told to wait for an event of another one. */
struct event_join {
	int64_t process, recorded, waited, from, to;
};

/* Owned. */
struct pays_calls {
	struct pays_host_wait *wait; /* by process, start */
	struct event_join *join;     /* by process, waited */
	size_t nwaits, njoins;
};

/* 0, or -1 with model->err; for pays_calls_free() in both cases. */
int pays_calls_load(struct pays_calls *calls, const struct model *model);
void pays_calls_free(struct pays_calls *calls);

/* ---- which work is looked at (sample.c) ---- */

/* Work of one process on one GPU: lanes[first_lane .. end_lane) of the trace. */
struct pays_pair {
	uint32_t first_lane, end_lane;
	size_t count;        /* pieces of work */
	size_t first, taken; /* those that are looked at: item[first .. first + taken) of the sample */
};

/* All pairs that have copies and kernels. Of a recording with much work only windows are looked at: stretches of the
 * pair's work, equally long and evenly spaced. Owned. */
struct pays_sample {
	struct pays_pair *pair; /* by GPU and process */
	size_t n;
	uint32_t *item;            /* pieces of work by pair; ascending */
	struct work_list *kernels; /* by GPU (place in trace.gpus): those that start in a window of its pairs */
	size_t ngpus;
};

/* A window: taken out of the recording, and put behind the window before. Times are shifted by `shift`. */
struct pays_window {
	int64_t from, to; /* as recorded */
	int64_t shift;
	size_t first, count; /* its items */
};

void pays_sample_make(struct pays_sample *sample, const struct trace *trace);
void pays_sample_free(struct pays_sample *sample);

/* The windows of a pair, for free(); one that shifts nothing where all work is looked at. */
struct pays_window *pays_windows(
	const struct pays_sample *sample, const struct pays_pair *pair, const struct trace *trace, size_t *count);

/* Fills sample->kernels once all else is there (kernels.c). */
void pays_kernels_find(struct pays_sample *sample, const struct trace *trace);

/* The place of the first kernel of the list that starts at `time` or later. */
size_t pays_first_kernel(const struct work_list *kernels, const struct trace *trace, int64_t time);

/* ---- all work of one process on one GPU (lane.c) ---- */

/* Owned. Arrays by item have lane.n entries, in the order of lane.item. */
struct pays_work {
	const struct trace *trace;
	int64_t process;
	int device;
	struct pays_lane lane;
	uint32_t *work;     /* by item: its piece of work */
	double scale;       /* how many pieces of work each item stands for */
	uint16_t *reasons;  /* by item: bits of enum pays_reason; 0 for a copy that is wholly hidden, and for other work
			     */
	bool *free_as_is;   /* by item: a copy that kernels mostly cover, or that nothing holds up */
	double duplex_rate; /* NaN: no copies to tell it from */
};

/* When the host asked for the piece of work, or its start. */
int64_t pays_issue(const struct trace *trace, size_t i);

/* What is known of a copy's call; NULL if nothing is, and for other work. */
static inline const struct work_copy *call_of_item(const struct pays_work *work, size_t i)
{
	const struct work_copy *copy = work_copy(work->trace, work->work[i]);

	return copy && copy->call ? copy : NULL;
}

/* A sum over items as one over the work that they stand for. */
static inline json_int_t pays_scaled(const struct pays_work *work, int64_t sum)
{
	return work->scale > 1 ? (json_int_t)((double)sum * work->scale) : sum;
}

/* Makes the lane of a pair, for pays_work_free(). */
void pays_work_make(struct pays_work *work, const struct model *model, const struct pays_calls *calls,
	const struct pays_sample *sample, const struct pays_pair *pair);
void pays_work_free(struct pays_work *work);

/* ---- a lane while it is made: streams, waits and events (order.c) ---- */

/* Times beyond are cut to it, so that sums of two do not overflow. */
#define PAYS_TIME_LIMIT (INT64_C(1) << 60)

static inline int64_t within_limit(int64_t time)
{
	if (time > PAYS_TIME_LIMIT)
		return PAYS_TIME_LIMIT;
	return time < -PAYS_TIME_LIMIT ? -PAYS_TIME_LIMIT : time;
}

/* Whether the call that asked for the work is known and has a usable time. */
static inline bool call_known(const struct trace *trace, size_t i)
{
	int64_t called = work_called(trace, i);

	return work_thread(trace, i) != 0 && called > -PAYS_TIME_LIMIT && called < PAYS_TIME_LIMIT;
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
	const struct trace *trace;
	const struct pays_window *window;
	size_t nwindows;
	const struct pays_calls *calls;
	struct pays_work *work;
	struct ids streams, threads;
	int pageable; /* the number of that memory kind, or -1 */
};

/* A time of a window in the lane. */
static inline int64_t shifted(int64_t time, const struct pays_window *window)
{
	int64_t sum;

	return __builtin_add_overflow(time, window->shift, &sum) ? time : sum;
}

/* The window of an item: items of a window stand together, since windows follow each other. */
static inline const struct pays_window *window_of_item(const struct making *making, size_t i)
{
	return &making->window[i / making->window[0].count];
}

/* Fill these members of making->work->lane, after its items. */
void make_streams(struct making *making);
void make_waits(struct making *making);
void make_joins(struct making *making);

/* ---- the ranges in a lane (tree.c) ---- */

/* All ranges of one text whose outer ranges have equal texts too, level by level. Node 0 is the whole lane. */
struct pays_node {
	uint32_t text, domain; /* numbers in trace.texts; 0 for node 0 */
	int parent, depth;     /* parent -1 for node 0; parents stand before their children */
	int last;              /* the last node below it, or itself: nodes [i, last] are its subtree */
	size_t entered;        /* how often */
	size_t first, count;   /* its work and that below: order[first .. first + count) */
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

/* ---- one range (pays.c), and its entry (entry.c) ---- */

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
