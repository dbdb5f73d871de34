/* slices.c: see slices.h. The events of a lane come by start, an outer one before those in it; the file as a whole is
 * in no order of time. */
#include "export/trace/slices.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export/state.h"
#include "export/text.h"
#include "export/trace/event.h"
#include "util/alloc.h"

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
	struct strbuf bodies;
	struct pending pending[PENDING_MOST];
	int npending;
	int64_t start; /* of those pending */
	int64_t next_id;
};

struct slices *slices_new(struct export *ex)
{
	struct slices *slices = xcalloc(1, sizeof(*slices));

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
	strbuf_free(&slices->bodies);
	free(slices);
}

struct tracks *slices_tracks(struct slices *slices)
{
	return slices->tracks;
}

/* ---- writing ---- */

static void put_head(struct strbuf *text, const struct slices *slices, const struct pending *slice)
{
	strbuf_add(text, slices->bodies.text + slice->head, slice->args - slice->head);
}

static void put_args(struct strbuf *text, const struct slices *slices, const struct pending *slice)
{
	strbuf_add(text, slices->bodies.text + slice->args, slice->stop - slice->args);
	strbuf_puts(text, "},\n");
}

/* One end of an arrow, bound to the slice that was written just before it. */
static void put_flow(struct strbuf *text, const struct pending *slice, int tid, int64_t start)
{
	strbuf_puts(text, slice->flow_phase == 's' ? "{\"ph\":\"s\"" : "{\"ph\":\"f\",\"bp\":\"e\"");
	strbuf_puts(text, ",\"name\":\"launch\",\"cat\":\"launch\",\"id\":");
	text_int(text, slice->flow);
	put_place(text, slice->track->group->pid, tid, start);
	strbuf_puts(text, "},\n");
}

static void put_nested(struct strbuf *text, const struct slices *slices, const struct pending *slice, int tid)
{
	strbuf_puts(text, "{\"ph\":\"X\",");
	put_head(text, slices, slice);
	put_place(text, slice->track->group->pid, tid, slices->start);
	strbuf_puts(text, ",\"dur\":");
	text_us(text, slice->end - slices->start);
	put_args(text, slices, slice);
	if (slice->flow >= 0)
		put_flow(text, slice, tid, slices->start);
}

static void put_mark(struct strbuf *text, const struct slices *slices, const struct pending *slice, int tid)
{
	strbuf_puts(text, "{\"ph\":\"i\",\"s\":\"t\",");
	put_head(text, slices, slice);
	put_place(text, slice->track->group->pid, tid, slices->start);
	put_args(text, slices, slice);
}

/* A begin and an end of an asynchronous event, which viewers show in rows of their own. */
static void put_apart(struct strbuf *text, struct slices *slices, const struct pending *slice, int tid)
{
	char id[48];

	snprintf(id, sizeof(id), ",\"id\":\"0x%llx\"", (unsigned long long)slices->next_id++);
	strbuf_puts(text, "{\"ph\":\"b\",");
	put_head(text, slices, slice);
	strbuf_puts(text, id);
	put_place(text, slice->track->group->pid, tid, slices->start);
	put_args(text, slices, slice);
	strbuf_puts(text, "{\"ph\":\"e\",");
	put_head(text, slices, slice);
	strbuf_puts(text, id);
	put_place(text, slice->track->group->pid, tid, slice->end);
	strbuf_puts(text, "},\n");
}

/* Nested events for which there is no lane any more stand apart. */
static void put_slice(struct export *ex, struct slices *slices, const struct pending *slice)
{
	int tid = 0;

	if (slice->shape == SLICE_NESTED)
		tid = tracks_place(ex, slices->tracks, slice->track, slices->start, slice->end);
	if (tid > 0) {
		put_nested(&ex->text, slices, slice, tid);
		return;
	}
	tid = tracks_base(ex, slices->tracks, slice->track);
	if (slice->shape == SLICE_MARK)
		put_mark(&ex->text, slices, slice, tid);
	else
		put_apart(&ex->text, slices, slice, tid);
}

void slices_flush(struct export *ex, struct slices *slices)
{
	while (slices->npending > 0) {
		int longest = 0;

		for (int i = 1; i < slices->npending; i++) {
			if (slices->pending[i].end > slices->pending[longest].end)
				longest = i;
		}
		put_slice(ex, slices, &slices->pending[longest]);
		slices->npending--;
		memmove(&slices->pending[longest], &slices->pending[longest + 1],
			(size_t)(slices->npending - longest) * sizeof(slices->pending[0]));
	}
	strbuf_clear(&slices->bodies);
}

/* ---- events ---- */

struct strbuf *slice_begin(struct export *ex, struct slices *slices, const struct track *where, enum slice_shape shape,
	int64_t start, int64_t end, const char *name, const char *category)
{
	struct track *track = tracks_find(ex, slices->tracks, where);
	struct strbuf *bodies = &slices->bodies;
	struct pending *slice;

	if (start != slices->start || slices->npending == PENDING_MOST)
		slices_flush(ex, slices);
	slices->start = start;
	slice = &slices->pending[slices->npending++];
	*slice = (struct pending){.track = track, .shape = shape, .end = end, .flow = -1, .head = bodies->length};
	strbuf_puts(bodies, "\"name\":");
	text_quoted(bodies, name);
	strbuf_puts(bodies, ",\"cat\":");
	text_quoted(bodies, category);
	slice->args = bodies->length;
	strbuf_puts(bodies, ",\"args\":{");
	return bodies;
}

void slice_end(struct slices *slices)
{
	strbuf_puts(&slices->bodies, "}");
	slices->pending[slices->npending - 1].stop = slices->bodies.length;
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
