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

static enum strip_kind timeline_strip_kind_of(const int running[CLASSES])
{
	for (int cls = 0; cls < CLASSES; cls++) {
		if (running[cls] > 0)
			return STRIP_KERNEL + (enum strip_kind)cls;
	}
	return STRIP_IDLE;
}

/* Appends [start, end), or makes the last part longer. */
static size_t timeline_strip_add_part(
	struct strip_part *parts, size_t n, int64_t start, int64_t end, enum strip_kind kind)
{
	if (start >= end)
		return n;
	if (n > 0 && parts[n - 1].kind == kind) {
		parts[n - 1].end = end;
		return n;
	}
	parts[n] = (struct strip_part){start, end, kind};
	return n + 1;
}

static size_t timeline_strip_sweep(const struct edge *edges, size_t nedges, struct strip_part *parts)
{
	int running[CLASSES] = {0};
	size_t n = 0;

	for (size_t i = 0; i < nedges; i++) {
		if (i > 0)
			n = timeline_strip_add_part(
				parts, n, edges[i - 1].at, edges[i].at, timeline_strip_kind_of(running));
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
	*parts = xcalloc(room, sizeof(**parts));
	for (size_t i = 0; i < json_array_size(lanes); i++) {
		if (timeline_has(panel, json_array_get(lanes, i)))
			nedges += add_edges(edges + nedges, json_array_get(lanes, i));
	}
	qsort(edges, nedges, sizeof(*edges), compare_edges);
	n = timeline_strip_sweep(edges, nedges, *parts);
	free(edges);
	return n;
}
