/* timeline-strip.c: what the whole GPU does at each moment of a timeline. */
#include "figure/timeline-data.h"

#include <stdlib.h>
#include <string.h>

#include "tree/tree.h"
#include "util/alloc.h"

enum { CLASSES = 4 };

/* An event begins (+1) or ends (-1). */
struct edge {
	int64_t at;
	int cls, step;
};

static int compare_edges(const void *a, const void *b)
{
	const struct edge *x = a, *y = b;

	return (x->at > y->at) - (x->at < y->at);
}

static int class_of(const json_t *lane)
{
	static const char *const keys[CLASSES] = {"kernel", "h2d", "d2h", "other"};
	int cls = 0;

	while (cls < CLASSES - 1 && strcmp(keys[cls], tree_text(lane, "class")) != 0)
		cls++;
	return cls;
}

static size_t add_edges(struct edge *edges, const json_t *lane)
{
	const json_t *events = json_object_get(lane, "events");
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(events); i++) {
		const json_t *event = json_array_get(events, i);

		edges[n++] = (struct edge){(int64_t)tree_real(event, "start_ns"), class_of(lane), 1};
		edges[n++] = (struct edge){(int64_t)tree_real(event, "end_ns"), class_of(lane), -1};
	}
	return n;
}

static unsigned timeline_strip_work_of(const int running[CLASSES])
{
	unsigned work = 0;

	for (int cls = 0; cls < CLASSES; cls++)
		work |= running[cls] > 0 ? 1U << cls : 0;
	return work;
}

/* Appends [start, end), or makes the last part longer. */
static size_t timeline_strip_add_part(struct strip_part *parts, size_t n, int64_t start, int64_t end, unsigned work)
{
	if (start >= end)
		return n;
	if (n > 0 && parts[n - 1].work == work && parts[n - 1].end == start) {
		parts[n - 1].end = end;
		return n;
	}
	parts[n] = (struct strip_part){start, end, work};
	return n + 1;
}

/* Behind `n` parts that are there already. */
static size_t timeline_strip_sweep(const struct edge *edges, size_t nedges, struct strip_part *parts, size_t n)
{
	int running[CLASSES] = {0};

	for (size_t i = 0; i < nedges; i++) {
		if (i > 0)
			n = timeline_strip_add_part(
				parts, n, edges[i - 1].at, edges[i].at, timeline_strip_work_of(running));
		running[edges[i].cls] += edges[i].step;
	}
	return n;
}

/* Room for the edges of a panel's lanes; 0 if one has shares, or none has events. */
static size_t room_for(const struct timeline_panel *panel, const json_t *lanes)
{
	size_t room = 0;

	for (size_t i = 0; i < json_array_size(lanes); i++) {
		const json_t *lane = json_array_get(lanes, i);

		if (timeline_has(panel, lane) && tree_has(lane, "share"))
			return 0;
		if (timeline_has(panel, lane))
			room += 2 * json_array_size(json_object_get(lane, "events"));
	}
	return room;
}

size_t strip_build(const struct timeline_panel *panel, struct strip_part **parts)
{
	const json_t *lanes = json_object_get(panel->timeline, "lanes");
	size_t room = room_for(panel, lanes), nedges = 0, n;

	*parts = NULL;
	if (room == 0)
		return 0;
	struct edge *edges = xcalloc(room, sizeof(*edges));
	*parts = xcalloc(room + 2, sizeof(**parts));
	for (size_t i = 0; i < json_array_size(lanes); i++) {
		if (timeline_has(panel, json_array_get(lanes, i)))
			nedges += add_edges(edges + nedges, json_array_get(lanes, i));
	}
	qsort(edges, nedges, sizeof(*edges), compare_edges);
	n = panel->whole ? timeline_strip_add_part(*parts, 0, 0, edges[0].at, 0) : 0;
	n = timeline_strip_sweep(edges, nedges, *parts, n);
	if (panel->whole)
		n = timeline_strip_add_part(
			*parts, n, edges[nedges - 1].at, (int64_t)tree_real(panel->timeline, "span_ns"), 0);
	free(edges);
	return n;
}

/* The work that takes most of [start, end); `first` is the part that is there at the start. */
static unsigned most_work(const struct strip_part *parts, size_t n, size_t first, double start, double end)
{
	double time[1 << CLASSES] = {0};
	unsigned most = 0;

	for (size_t i = first; i < n && (double)parts[i].start < end; i++) {
		double from = (double)parts[i].start, to = (double)parts[i].end;

		time[parts[i].work] += (to < end ? to : end) - (from > start ? from : start);
	}
	for (unsigned work = 1; work < 1 << CLASSES; work++)
		most = time[work] > time[most] ? work : most;
	return most;
}

size_t strip_thin(struct strip_part *parts, size_t n, double slice)
{
	double from = n > 0 ? (double)parts[0].start : 0, to = n > 0 ? (double)parts[n - 1].end : 0;
	size_t slices = slice > 0 ? (size_t)((to - from) / slice) + 1 : n, left = 0, at = 0;
	struct strip_part *thin;

	if (n <= slices)
		return n;
	thin = xcalloc(slices, sizeof(*thin));
	for (size_t i = 0; i < slices; i++) {
		double start = from + slice * (double)i, end = start + slice < to ? start + slice : to;

		while (at < n && (double)parts[at].end <= start)
			at++;
		left = timeline_strip_add_part(
			thin, left, (int64_t)start, (int64_t)end, most_work(parts, n, at, start, end));
	}
	memcpy(parts, thin, left * sizeof(*parts));
	free(thin);
	return left;
}

const char *strip_words(unsigned work)
{
	static const char *const words[] = {"idle", "kernel", "copy in", "kernel and copy in", "copy out",
		"kernel and copy out", "copies both ways", "kernel and copies both ways"};

	return work < sizeof(words) / sizeof(*words) ? words[work] : work == STRIP_OTHER ? "other work" : "several";
}
