/* timeline-program.c: the timeline of a whole program, or of a step of one, with a panel for each process on each GPU;
 * and of one place in it. */
#include "figure/timeline-data.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree/tree.h"
#include "util/alloc.h"
#include "util/clip.h"
#include "util/format.h"

/* GPUs that differ from the others are drawn first, and some of the others beside them. */
enum { PROGRAM_LANES = 32, NAME_CHARACTERS = 18, USUAL_PANELS = 2 };

/* The lanes of one stream: count of them from `first` on. */
struct stream {
	size_t first, count;
	size_t owner; /* number of its process and GPU, from 0 */
	size_t rank;  /* among the streams of its owner: how many are busier */
	double busy;  /* ns */
};

/* A process on a GPU; its streams stand together. */
struct owner {
	size_t first, count; /* streams */
	size_t rank;         /* among owners */
	double busy;         /* ns */
	double unusual;      /* how much its GPU differs from the others; 0: it does not */
};

struct choice {
	const json_t *lanes;
	struct stream *streams;
	struct owner *owners;
	size_t nstreams, nowners;
	size_t panels, room; /* owners and lanes at most */
};

/* What panels of a timeline are headed by. */
struct heading {
	const json_t *program; /* whose processes have names; NULL: none has */
	const json_t *timeline;
	const char *side; /* before the owner; "" if there is one side */
	unsigned color;
};

static double lane_busy(const json_t *lane, double span)
{
	const json_t *events = json_object_get(lane, "events"), *share = json_object_get(lane, "share");
	double busy = 0, sum = 0;

	for (size_t i = 0; i < json_array_size(events); i++)
		busy += tree_real(json_array_get(events, i), "end_ns") -
			tree_real(json_array_get(events, i), "start_ns");
	for (size_t i = 0; i < json_array_size(share); i++)
		sum += json_number_value(json_array_get(share, i));
	return sum > 0 ? sum / (double)json_array_size(share) * span : busy;
}

static bool timeline_program_same(const json_t *a, const json_t *b, const char *key)
{
	return a && json_equal(json_object_get(a, key), json_object_get(b, key));
}

/* Puts lane `i` to its stream and its owner: the last ones, or new ones. */
static void timeline_program_add_lane(struct choice *choice, size_t i, double span)
{
	const json_t *lane = json_array_get(choice->lanes, i),
		     *last = i > 0 ? json_array_get(choice->lanes, i - 1) : NULL;
	bool owned = timeline_program_same(last, lane, "device") && timeline_program_same(last, lane, "process");

	if (!owned)
		choice->owners[choice->nowners++] = (struct owner){.first = choice->nstreams};
	struct owner *owner = &choice->owners[choice->nowners - 1];
	if (!owned || !timeline_program_same(last, lane, "stream")) {
		choice->streams[choice->nstreams++] = (struct stream){.first = i, .owner = choice->nowners - 1};
		owner->count++;
	}
	struct stream *stream = &choice->streams[choice->nstreams - 1];
	double busy = lane_busy(lane, span);
	stream->count++;
	stream->busy += busy;
	owner->busy += busy;
	owner->unusual = tree_has(lane, "unusual") ? tree_real(lane, "unusual") : 0;
}

static int by_busy(const void *left, const void *right)
{
	const struct stream *a = *(const struct stream *const *)left, *b = *(const struct stream *const *)right;

	if (a->owner != b->owner)
		return a->owner < b->owner ? -1 : 1;
	if (a->busy != b->busy)
		return a->busy > b->busy ? -1 : 1;
	return (a > b) - (a < b);
}

/* Numbers the streams of each owner, the busiest first; `order` has room for all. */
static void rank_streams(struct choice *choice, struct stream **order)
{
	for (size_t i = 0; i < choice->nstreams; i++)
		order[i] = &choice->streams[i];
	qsort(order, choice->nstreams, sizeof(*order), by_busy);
	for (size_t i = 0; i < choice->nstreams; i++)
		order[i]->rank = i - choice->owners[order[i]->owner].first;
}

/* The owner without a rank that is the most unusual, or the busiest one of the usual. NULL if there is none. */
static struct owner *best_owner(struct choice *choice, bool unusual)
{
	struct owner *best = NULL;

	for (size_t i = 0; i < choice->nowners; i++) {
		struct owner *owner = &choice->owners[i];

		if (owner->rank < choice->panels || (owner->unusual > 0) != unusual)
			continue;
		if (!best || owner->unusual > best->unusual ||
			(owner->unusual == best->unusual && owner->busy > best->busy))
			best = owner;
	}
	return best;
}

static size_t rank_some(struct choice *choice, bool unusual, size_t rank, size_t end)
{
	struct owner *best;

	while (rank < end && (best = best_owner(choice, unusual)))
		best->rank = rank++;
	return rank;
}

/* Only the first choice.panels ranks matter: the others count as the number of panels. */
static void rank_owners(struct choice *choice)
{
	size_t rank = 0;

	for (size_t i = 0; i < choice->nowners; i++)
		choice->owners[i].rank = choice->panels;
	rank = rank_some(choice, true, rank, choice->panels - USUAL_PANELS);
	rank = rank_some(choice, false, rank, choice->panels);
	rank_some(choice, true, rank, choice->panels);
}

static bool choice_make(struct choice *choice, const json_t *timeline, size_t panels, size_t room)
{
	const json_t *lanes = json_object_get(timeline, "lanes");
	size_t n = json_array_size(lanes);
	struct stream **order = xcalloc(n, sizeof(struct stream *));

	*choice = (struct choice){
		.lanes = lanes,
		.streams = xcalloc(n, sizeof(*choice->streams)),
		.owners = xcalloc(n, sizeof(*choice->owners)),
		.panels = panels,
		.room = room,
	};
	for (size_t i = 0; i < n; i++)
		timeline_program_add_lane(choice, i, tree_real(timeline, "span_ns"));
	rank_streams(choice, order);
	rank_owners(choice);
	free(order);
	return choice->nowners > 0;
}

static void choice_free(struct choice *choice)
{
	free(choice->streams);
	free(choice->owners);
}

/* How many ranks of streams have room: as many of each owner, so that none is crowded out by another. One always has.
 */
static size_t ranks_with_room(const struct choice *choice)
{
	size_t lanes[PROGRAM_LANES + 1] = {0}, used = 0, rank = 0;

	for (size_t i = 0; i < choice->nstreams; i++) {
		const struct stream *stream = &choice->streams[i];

		if (stream->rank <= PROGRAM_LANES && choice->owners[stream->owner].rank < choice->panels)
			lanes[stream->rank] += stream->count;
	}
	while (rank <= PROGRAM_LANES && (used += lanes[rank]) <= choice->room)
		rank++;
	return rank > 0 ? rank : 1;
}

/* Cuts a text after so many characters. */
static void shorten(char *text, size_t size, size_t characters)
{
	char *c = text;

	for (; *c; c++) {
		if ((*c & 0xC0) != 0x80 && characters-- == 0)
			break;
	}
	if (*c && (size_t)(c - text) + sizeof("...") <= size)
		memcpy(c, "...", sizeof("..."));
}

static const json_t *timeline_program_process_of(const json_t *program, double pid)
{
	const json_t *processes = json_object_get(program, "processes");

	for (size_t i = 0; i < json_array_size(processes); i++) {
		if (tree_real(json_array_get(processes, i), "pid") == pid)
			return json_array_get(processes, i);
	}
	return NULL;
}

/* "GPU 0, python3 (5001), unusual", as far as known: short enough for a narrow page. */
static void owner_title(const json_t *program, const json_t *lane, char *title, size_t size)
{
	double pid = tree_real(lane, "process");
	char name[200];

	clip_print(name, sizeof(name), "%s", tree_text(timeline_program_process_of(program, pid), "name"));
	shorten(name, sizeof(name), NAME_CHARACTERS);
	clip_print(title, size, "GPU %.0f", tree_real(lane, "device"));
	if (*name)
		clip_append(title, size, ", %s (%.0f)", name, pid);
	else if (pid > 0)
		clip_append(title, size, ", process %.0f", pid);
	if (tree_has(lane, "unusual"))
		clip_append(title, size, ", unusual");
}

/* Whether another owner has work on the same device. */
static bool timeline_program_is_shared(const struct choice *choice, size_t i)
{
	const json_t *lane = json_array_get(choice->lanes, choice->streams[choice->owners[i].first].first);

	for (size_t k = 0; k < choice->nowners; k++) {
		const struct stream *other = &choice->streams[choice->owners[k].first];

		if (k != i && timeline_program_same(lane, json_array_get(choice->lanes, other->first), "device"))
			return true;
	}
	return false;
}

/* The lanes of an owner's streams that rank before `ranks`. */
static void take_lanes(struct timeline_layout *layout, struct timeline_panel *panel, const struct choice *choice,
	const struct owner *owner, size_t ranks)
{
	panel->nlanes = 0;
	for (size_t i = owner->first; i < owner->first + owner->count; i++) {
		const struct stream *stream = &choice->streams[i];

		for (size_t k = 0; k < stream->count; k++) {
			if (stream->rank < ranks && panel->nlanes < TIMELINE_MAX_LANES)
				panel->lane[panel->nlanes++] = json_array_get(choice->lanes, stream->first + k);
			else
				layout->lanes_left_out++;
		}
	}
}

static void add_owner(struct timeline_layout *layout, const struct heading *heading, const struct choice *choice,
	size_t i, size_t ranks)
{
	const struct owner *owner = &choice->owners[i];
	const json_t *lane = json_array_get(choice->lanes, choice->streams[owner->first].first);
	char title[256], whole[400];

	owner_title(heading->program, lane, title, sizeof(title));
	clip_print(whole, sizeof(whole), "%s%s%s", heading->side, *heading->side ? ": " : "", title);
	if (!timeline_add(layout, heading->timeline, heading->color, whole))
		return;
	struct timeline_panel *panel = &layout->panel[layout->npanels - 1];
	panel->parted = true;
	panel->device = tree_real(lane, "device");
	panel->process = tree_real(lane, "process");
	panel->shared = timeline_program_is_shared(choice, i);
	take_lanes(layout, panel, choice, owner, ranks);
}

/* Those of unusual GPUs, or the others, in the order of the lanes. */
static void add_owners(struct timeline_layout *layout, const struct heading *heading, const struct choice *choice,
	size_t ranks, bool unusual)
{
	for (size_t i = 0; i < choice->nowners; i++) {
		if ((choice->owners[i].unusual > 0) != unusual)
			continue;
		if (choice->owners[i].rank < choice->panels)
			add_owner(layout, heading, choice, i, ranks);
		else
			layout->panels_left_out++;
	}
}

static void add_all_owners(struct timeline_layout *layout, const struct heading *heading, const struct choice *choice)
{
	size_t ranks = ranks_with_room(choice);

	add_owners(layout, heading, choice, ranks, true);
	add_owners(layout, heading, choice, ranks, false);
}

bool timeline_program(struct timeline_layout *layout, const json_t *program)
{
	const struct heading heading = {program, json_object_get(program, "timeline"), "", COLOR_INK_2};
	struct choice choice;

	*layout = (struct timeline_layout){0};
	if (choice_make(&choice, heading.timeline, TIMELINE_PANELS, PROGRAM_LANES))
		add_all_owners(layout, &heading, &choice);
	choice_free(&choice);
	timeline_place(layout);
	return layout->npanels > 0;
}

void timeline_step(struct timeline_layout *layout, const json_t *timeline, unsigned color, const char *side)
{
	enum { SIDES_SHOWN = 2 };
	const struct heading heading = {NULL, timeline, side, color};
	int first = layout->npanels;
	struct choice choice;

	choice_make(&choice, timeline, TIMELINE_PANELS / SIDES_SHOWN, PROGRAM_LANES / SIDES_SHOWN);
	if (choice.nowners > 1)
		add_all_owners(layout, &heading, &choice);
	else
		timeline_add(layout, timeline, color, side);
	for (int p = first; p < layout->npanels; p++)
		layout->panel[p].whole = true;
	choice_free(&choice);
}

bool timeline_close(struct timeline_layout *layout, const json_t *pay)
{
	const json_t *close = json_object_get(pay, "close_up");
	char from[FORMAT_SIZE], title[FORMAT_SIZE + 80];

	*layout = (struct timeline_layout){0};
	format_time_ns(from, sizeof(from), tree_real(close, "start_ns"));
	snprintf(title, sizeof(title), "a typical stretch, from %s on", from);
	timeline_add(layout, json_object_get(close, "timeline"), COLOR_INK_2, title);
	timeline_place(layout);
	return layout->npanels > 0;
}
