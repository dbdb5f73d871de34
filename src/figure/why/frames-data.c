/* frames-data.c: see frames-data.h. */
#include "figure/why/frames-data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tree/tree.h"
#include "util/alloc.h"

/* A state that is shown lasts at least this share of the pipeline, and double is done earlier than single by so much.
 */
static const double seen_share = 0.02;

struct event {
	size_t stream;
	enum pipeline_stage stage;
	double start, end;
};

struct events {
	struct event *list; /* owned */
	size_t n;
	double id[PIPELINE_STREAMS]; /* of the streams */
	size_t streams;
};

/* ---- events ---- */

/* The stage of a lane; STAGES if it has none. */
static enum pipeline_stage stage_of(const json_t *lane)
{
	const char *cls = tree_text(lane, "class");

	return strcmp(cls, "h2d") == 0      ? STAGE_IN
	       : strcmp(cls, "kernel") == 0 ? STAGE_KERNEL
	       : strcmp(cls, "d2h") == 0    ? STAGE_OUT
					    : STAGES;
}

/* The number of the lane's stream; PIPELINE_STREAMS if there are too many. */
static size_t pipeline_stream_of(struct events *events, const json_t *lane)
{
	double id = tree_real(lane, "stream");

	for (size_t i = 0; i < events->streams; i++) {
		if (events->id[i] == id)
			return i;
	}
	if (events->streams == PIPELINE_STREAMS)
		return PIPELINE_STREAMS;
	events->id[events->streams] = id;
	return events->streams++;
}

static size_t count_events(const json_t *lanes)
{
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(lanes); i++)
		n += json_array_size(json_object_get(json_array_get(lanes, i), "events"));
	return n;
}

static bool same_place(const json_t *a, const json_t *b)
{
	return json_equal(json_object_get(a, "device"), json_object_get(b, "device")) &&
	       json_equal(json_object_get(a, "process"), json_object_get(b, "process"));
}

static bool take_lane(struct events *events, const json_t *lane, const json_t *first)
{
	const json_t *list = json_object_get(lane, "events");
	enum pipeline_stage stage = stage_of(lane);

	if (stage == STAGES)
		return true;
	if (!same_place(lane, first) || !json_is_array(list))
		return false;
	size_t stream = pipeline_stream_of(events, lane);
	if (stream == PIPELINE_STREAMS)
		return false;
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *event = json_array_get(list, i);

		events->list[events->n++] =
			(struct event){stream, stage, tree_real(event, "start_ns"), tree_real(event, "end_ns")};
	}
	return true;
}

static int event_by_start(const void *a, const void *b)
{
	const struct event *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

static bool take_events(struct events *events, const json_t *timeline)
{
	const json_t *lanes = json_object_get(timeline, "lanes");

	events->list = xcalloc(count_events(lanes) + 1, sizeof(*events->list));
	for (size_t i = 0; i < json_array_size(lanes); i++) {
		if (!take_lane(events, json_array_get(lanes, i), json_array_get(lanes, 0)))
			return false;
	}
	qsort(events->list, events->n, sizeof(*events->list), event_by_start);
	return true;
}

/* ---- chunks ---- */

static struct pipeline_chunk *new_chunk(struct pipeline *out, size_t stream)
{
	struct pipeline_chunk *chunk = &out->chunk[out->n++];

	chunk->stream = stream;
	for (int i = 0; i < STAGES; i++)
		chunk->start[i] = chunk->end[i] = NAN;
	return chunk;
}

/* Whether the chunk has been further than `stage`: what comes then is the next one's. */
static bool is_past(const struct pipeline_chunk *chunk, enum pipeline_stage stage)
{
	for (int i = (int)stage + 1; i < STAGES; i++) {
		if (!isnan(chunk->start[i]))
			return true;
	}
	return false;
}

static void split_chunks(const struct events *events, struct pipeline *out)
{
	size_t current[PIPELINE_STREAMS];
	bool any[PIPELINE_STREAMS] = {false};

	out->chunk = xcalloc(events->n + 1, sizeof(*out->chunk));
	for (size_t i = 0; i < events->n; i++) {
		const struct event *event = &events->list[i];

		if (!any[event->stream] || is_past(&out->chunk[current[event->stream]], event->stage)) {
			current[event->stream] = out->n;
			any[event->stream] = true;
			new_chunk(out, event->stream);
		}
		struct pipeline_chunk *chunk = &out->chunk[current[event->stream]];
		chunk->start[event->stage] = fmin(chunk->start[event->stage], event->start);
		chunk->end[event->stage] = fmax(chunk->end[event->stage], event->end);
	}
}

/* A chunk is worked on, and copied before or after. */
static bool is_whole(const struct pipeline_chunk *chunk)
{
	return !isnan(chunk->start[STAGE_KERNEL]) &&
	       (!isnan(chunk->start[STAGE_IN]) || !isnan(chunk->start[STAGE_OUT]));
}

bool pipeline_read(const json_t *timeline, struct pipeline *out)
{
	struct events events = {0};
	bool whole;

	*out = (struct pipeline){.span = tree_real(timeline, "span_ns")};
	whole = take_events(&events, timeline);
	if (whole)
		split_chunks(&events, out);
	out->streams = events.streams;
	free(events.list);
	for (size_t i = 0; i < out->n; i++)
		whole = whole && is_whole(&out->chunk[i]);
	return whole && out->n >= 2 && out->span > 0;
}

void pipeline_free(struct pipeline *pipeline)
{
	free(pipeline->chunk);
	*pipeline = (struct pipeline){0};
}

bool pipeline_busy(const struct pipeline_chunk *chunk, enum pipeline_stage stage, double ns)
{
	return chunk->start[stage] <= ns && ns < chunk->end[stage];
}

/* ---- moments ---- */

/* A stretch of time in which nothing begins or ends. */
struct stretch {
	double from, to;
	size_t busy; /* stages at work */
};

struct stretches {
	struct stretch *list; /* owned; those that are long enough */
	size_t n, most;       /* most: stages at work at once */
};

static int compare_times(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static size_t busy_at(const struct pipeline *p, double ns)
{
	size_t n = 0;

	for (size_t i = 0; i < p->n; i++) {
		for (int stage = 0; stage < STAGES; stage++)
			n += pipeline_busy(&p->chunk[i], (enum pipeline_stage)stage, ns);
	}
	return n;
}

static void add_stretch(struct stretches *out, const struct pipeline *p, double from, double to)
{
	size_t busy = busy_at(p, (from + to) / 2);

	if (busy == 0 || to - from < seen_share * p->span)
		return;
	out->list[out->n++] = (struct stretch){from, to, busy};
	out->most = busy > out->most ? busy : out->most;
}

static struct stretches find_stretches(const struct pipeline *p)
{
	size_t n = 0, room = (size_t)2 * STAGES * p->n + 1;
	double *edges = xcalloc(room, sizeof(*edges));
	struct stretches out = {.list = xcalloc(room, sizeof(*out.list))};

	for (size_t i = 0; i < p->n; i++) {
		for (int stage = 0; stage < STAGES; stage++) {
			if (isnan(p->chunk[i].start[stage]))
				continue;
			edges[n++] = p->chunk[i].start[stage];
			edges[n++] = p->chunk[i].end[stage];
		}
	}
	qsort(edges, n, sizeof(*edges), compare_times);
	for (size_t i = 1; i < n; i++)
		add_stretch(&out, p, edges[i - 1], edges[i]);
	free(edges);
	return out;
}

/* The longest one that lies between two moments, or NULL. */
static const struct stretch *longest_in(const struct stretches *all, double from, double to)
{
	const struct stretch *best = NULL;

	for (size_t i = 0; i < all->n; i++) {
		const struct stretch *s = &all->list[i];

		if (s->from >= from && s->to <= to && (!best || s->to - s->from > best->to - best->from))
			best = s;
	}
	return best;
}

static void add_moment(struct pipeline_moment *out, size_t *n, const char *name, const struct stretch *s)
{
	if (s)
		out[(*n)++] = (struct pipeline_moment){name, (s->from + s->to) / 2};
}

/* The first, the middle and the last of those in which most stages work at once. */
static void add_steady(
	const struct stretches *all, const struct stretch **full, size_t nfull, struct pipeline_moment *out, size_t *n)
{
	const char *name = all->most > 1 ? "steady" : "";

	add_moment(out, n, name, full[0]);
	if (nfull > 2)
		add_moment(out, n, name, full[nfull / 2]);
	if (nfull > 1)
		add_moment(out, n, name, full[nfull - 1]);
}

static size_t moments_of_double(const struct stretches *all, struct pipeline_moment *out)
{
	const struct stretch **full = xcalloc(all->n + 1, sizeof(*full));
	size_t nfull = 0, n = 0;

	for (size_t i = 0; i < all->n; i++) {
		if (all->list[i].busy == all->most)
			full[nfull++] = &all->list[i];
	}
	if (nfull > 0) {
		add_moment(out, &n, "fill", longest_in(all, -INFINITY, full[0]->from));
		add_steady(all, full, nfull, out, &n);
		add_moment(out, &n, "drain", longest_in(all, full[nfull - 1]->to, INFINITY));
	}
	free(full);
	return n;
}

size_t pipeline_moments(const struct pipeline *single, const struct pipeline *dbl, struct pipeline_moment *out)
{
	struct stretches all = find_stretches(dbl), slow = find_stretches(single);
	size_t n = moments_of_double(&all, out);

	if (single->span > (1 + seen_share) * dbl->span)
		add_moment(out, &n, "double is done", longest_in(&slow, dbl->span, INFINITY));
	free(all.list);
	free(slow.list);
	return n;
}
