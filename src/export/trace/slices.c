/* slices.c: see slices.h. */
#include "export/trace/slices.h"

#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

enum { PENDING_MOST = 64 };

/* An event that waits for others with the same start: the longest is written first, since it may hold the rest. */
struct pending {
	struct track *track;
	enum slice_shape shape;
	int64_t end, flow;
	char flow_phase;
	size_t head, args, stop; /* in slices->bodies: name and category, arguments, behind them */
};

struct slices {
	struct tracks *tracks;
	struct strbuf bodies;
	struct pending pending[PENDING_MOST];
	int npending;
	int64_t start; /* of those pending */
};

struct slices *slices_new(struct export *ex)
{
	struct slices *slices = xcalloc(1, sizeof(*slices));

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

static struct slice slice_of(const struct slices *slices, const struct pending *pending)
{
	const char *bodies = slices->bodies.text;

	return (struct slice){
		.shape = pending->shape,
		.track = pending->track,
		.start = slices->start,
		.end = pending->end,
		.flow = pending->flow,
		.flow_phase = pending->flow_phase,
		.head = bodies + pending->head,
		.args = bodies + pending->args,
		.head_size = pending->args - pending->head,
		.args_size = pending->stop - pending->args,
	};
}

/* Nested events for which there is no lane any more stand apart. */
static void put_slice(struct export *ex, struct slices *slices, const struct pending *pending)
{
	struct slice slice = slice_of(slices, pending);
	const struct lane *lane = NULL;

	if (slice.shape == SLICE_NESTED)
		lane = tracks_place(ex, slices->tracks, pending->track, slice.start, slice.end);
	if (!lane) {
		lane = tracks_base(ex, slices->tracks, pending->track);
		slice.shape = slice.shape == SLICE_NESTED ? SLICE_APART : slice.shape;
	}
	trace_of(ex)->form->slice(ex, &slice, lane);
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

	start += trace_of(ex)->shift;
	end += trace_of(ex)->shift;
	if (start != slices->start || slices->npending == PENDING_MOST)
		slices_flush(ex, slices);
	slices->start = start;
	slice = &slices->pending[slices->npending++];
	*slice = (struct pending){.track = track, .shape = shape, .end = end, .flow = -1, .head = bodies->length};
	trace_of(ex)->form->head(ex, bodies, start, name, category);
	slice->args = bodies->length;
	return bodies;
}

void slice_end(struct slices *slices)
{
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
