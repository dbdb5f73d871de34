/*
 * slices.c: events with a name, a place and arguments, written in an order in which viewers see them nested. The
 * events of a lane come by start, an outer one before those in it; the file as a whole is in no order of time.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/trace.h"

enum { PENDING_MOST = 64 };

/* An event that waits for others with the same start: the longest is written first, since it may hold the rest. */
struct pending {
	struct track *track;
	enum slice_shape shape;
	int64_t end, flow;       /* flow: id of the arrow, -1 for none */
	char flow_phase;         /* s: begins here, f: ends here */
	size_t head, args, stop; /* in slices->bodies: name and category, arguments, behind them */
};

struct slices {
	struct tracks *tracks;
	struct text bodies;
	struct pending pending[PENDING_MOST];
	int npending;
	int64_t start; /* of those pending */
	int64_t next_id;
};

struct slices *slices_new(struct export *ex)
{
	struct slices *slices = calloc(1, sizeof(*slices));

	if (!slices) {
		export_no_memory(ex);
		return NULL;
	}
	slices->next_id = 1;
	slices->tracks = tracks_new(ex);
	if (slices->tracks)
		return slices;
	slices_free(slices);
	return NULL;
}

void slices_free(struct slices *slices)
{
	if (!slices)
		return;
	tracks_free(slices->tracks);
	text_free(&slices->bodies);
	free(slices);
}

struct tracks *slices_tracks(struct slices *slices)
{
	return slices->tracks;
}

/* ---- writing ---- */

void put_place(struct text *text, int pid, int tid, int64_t ts)
{
	text_string(text, ",\"pid\":");
	text_int(text, pid);
	if (tid > 0) {
		text_string(text, ",\"tid\":");
		text_int(text, tid);
	}
	text_string(text, ",\"ts\":");
	text_us(text, ts);
}

static void put_head(struct text *text, const struct slices *slices, const struct pending *slice)
{
	text_add(text, slices->bodies.data + slice->head, slice->args - slice->head);
}

static void put_args(struct text *text, const struct slices *slices, const struct pending *slice)
{
	text_add(text, slices->bodies.data + slice->args, slice->stop - slice->args);
	text_string(text, "},\n");
}

/* One end of an arrow, bound to the slice that was written just before it. */
static void put_flow(struct text *text, const struct pending *slice, int tid, int64_t start)
{
	text_string(text, slice->flow_phase == 's' ? "{\"ph\":\"s\"" : "{\"ph\":\"f\",\"bp\":\"e\"");
	text_string(text, ",\"name\":\"launch\",\"cat\":\"launch\",\"id\":");
	text_int(text, slice->flow);
	put_place(text, slice->track->group->pid, tid, start);
	text_string(text, "},\n");
}

static void put_nested(struct text *text, const struct slices *slices, const struct pending *slice, int tid)
{
	text_string(text, "{\"ph\":\"X\",");
	put_head(text, slices, slice);
	put_place(text, slice->track->group->pid, tid, slices->start);
	text_string(text, ",\"dur\":");
	text_us(text, slice->end - slices->start);
	put_args(text, slices, slice);
	if (slice->flow >= 0)
		put_flow(text, slice, tid, slices->start);
}

static void put_mark(struct text *text, const struct slices *slices, const struct pending *slice, int tid)
{
	text_string(text, "{\"ph\":\"i\",\"s\":\"t\",");
	put_head(text, slices, slice);
	put_place(text, slice->track->group->pid, tid, slices->start);
	put_args(text, slices, slice);
}

/* A begin and an end of an asynchronous event, which viewers show in rows of their own. */
static void put_apart(struct text *text, struct slices *slices, const struct pending *slice, int tid)
{
	char id[48];

	snprintf(id, sizeof(id), ",\"id\":\"0x%llx\"", (unsigned long long)slices->next_id++);
	text_string(text, "{\"ph\":\"b\",");
	put_head(text, slices, slice);
	text_string(text, id);
	put_place(text, slice->track->group->pid, tid, slices->start);
	put_args(text, slices, slice);
	text_string(text, "{\"ph\":\"e\",");
	put_head(text, slices, slice);
	text_string(text, id);
	put_place(text, slice->track->group->pid, tid, slice->end);
	text_string(text, "},\n");
}

/* Nested events for which there is no lane any more stand apart. */
static int put(struct export *ex, struct slices *slices, const struct pending *slice)
{
	int tid = 0;

	if (slice->shape == SLICE_NESTED)
		tid = tracks_place(ex, slices->tracks, slice->track, slices->start, slice->end);
	if (tid > 0) {
		put_nested(&ex->text, slices, slice, tid);
		return 0;
	}
	if (tid == 0)
		tid = tracks_base(ex, slices->tracks, slice->track);
	if (tid < 0)
		return -1;
	if (slice->shape == SLICE_MARK)
		put_mark(&ex->text, slices, slice, tid);
	else
		put_apart(&ex->text, slices, slice, tid);
	return 0;
}

int slices_flush(struct export *ex, struct slices *slices)
{
	int rc = 0;

	while (slices->npending > 0 && rc == 0) {
		int longest = 0;

		for (int i = 1; i < slices->npending; i++) {
			if (slices->pending[i].end > slices->pending[longest].end)
				longest = i;
		}
		rc = put(ex, slices, &slices->pending[longest]);
		slices->npending--;
		memmove(&slices->pending[longest], &slices->pending[longest + 1],
			(size_t)(slices->npending - longest) * sizeof(slices->pending[0]));
	}
	slices->bodies.used = 0;
	return rc;
}

/* ---- events ---- */

struct text *slice_begin(struct export *ex, struct slices *slices, const struct track *where, enum slice_shape shape,
	int64_t start, int64_t end, const char *name, const char *category)
{
	struct track *track = tracks_find(ex, slices->tracks, where);
	struct text *bodies = &slices->bodies;
	struct pending *slice;

	if (!track)
		return NULL;
	if ((start != slices->start || slices->npending == PENDING_MOST) && slices_flush(ex, slices) < 0)
		return NULL;
	slices->start = start;
	slice = &slices->pending[slices->npending++];
	*slice = (struct pending){.track = track, .shape = shape, .end = end, .flow = -1, .head = bodies->used};
	text_string(bodies, "\"name\":");
	text_quoted(bodies, name);
	text_string(bodies, ",\"cat\":");
	text_quoted(bodies, category);
	slice->args = bodies->used;
	text_string(bodies, ",\"args\":{");
	return bodies;
}

int slice_end(struct export *ex, struct slices *slices)
{
	text_string(&slices->bodies, "}");
	slices->pending[slices->npending - 1].stop = slices->bodies.used;
	return slices->bodies.failed ? export_no_memory(ex) : 0;
}

struct group *slice_group(struct slices *slices)
{
	return slices->pending[slices->npending - 1].track->group;
}

/* Correlation ids have 32 bits; others are damaged. */
void slice_flow(struct slices *slices, char phase, int64_t correlation)
{
	struct pending *slice = &slices->pending[slices->npending - 1];

	if (correlation < 0 || correlation > UINT32_MAX)
		return;
	slice->flow = (int64_t)slice->track->group->order << 32 | correlation;
	slice->flow_phase = phase;
}
