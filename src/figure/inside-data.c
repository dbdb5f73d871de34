/* inside-data.c: the phases of a block's warps: reading them, reducing them to what is visible, and placing them. */
#include "figure/inside-data.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/canvas.h"
#include "tree/tree.h"
#include "util/alloc.h"
#include "util/format.h"

enum { ROWS_PX = 190, MIN_ROW_PX = 4, MAX_ROW_PX = 14, ZOOM_STEPS = 4 };

static const struct {
	const char *key, *name, *brief;
	unsigned color;
} phase_kinds[INSIDE_PHASES] = {
	{"load", "Load", "L", COLOR_H2D},
	{"wait", "Wait", "W", COLOR_WAIT},
	{"compute", "Comp", "C", COLOR_KERNEL},
	{"store", "Store", "S", COLOR_D2H},
};

const char *inside_key(enum inside_phase phase)
{
	return phase_kinds[phase].key;
}

const char *inside_name(enum inside_phase phase, bool brief)
{
	return brief ? phase_kinds[phase].brief : phase_kinds[phase].name;
}

unsigned inside_color(enum inside_phase phase)
{
	return phase_kinds[phase].color;
}

/* ---- reading ---- */

static enum inside_phase inside_data_phase_of(const char *key)
{
	enum inside_phase phase = INSIDE_LOAD;

	while (phase < INSIDE_PHASES && strcmp(phase_kinds[phase].key, key) != 0)
		phase++;
	return phase;
}

/* [warp, step, "phase", start, end] */
static bool read_event(const json_t *row, struct inside_event *event)
{
	const char *key = json_string_value(json_array_get(row, 2));

	json_int_t warp = json_integer_value(json_array_get(row, 0)), step = json_integer_value(json_array_get(row, 1));

	if (warp < 0 || warp >= INSIDE_MAX_WARPS || step < 0 || step > INT_MAX)
		return false;
	event->warp = (int)warp;
	event->step = (int)step;
	event->phase = key ? inside_data_phase_of(key) : INSIDE_PHASES;
	event->start = json_number_value(json_array_get(row, 3));
	event->end = json_number_value(json_array_get(row, 4));
	return event->phase < INSIDE_PHASES && event->end > event->start;
}

static int compare_events(const void *a, const void *b)
{
	const struct inside_event *x = a, *y = b;

	if (x->warp != y->warp)
		return x->warp < y->warp ? -1 : 1;
	return (x->start > y->start) - (x->start < y->start);
}

size_t inside_events(const json_t *phases, struct inside_event **list)
{
	const json_t *rows = json_object_get(phases, "events");
	size_t room = json_array_size(rows), n = 0;

	*list = xcalloc(room, sizeof(**list));
	for (size_t i = 0; i < room; i++)
		n += read_event(json_array_get(rows, i), &(*list)[n]);
	qsort(*list, n, sizeof(**list), compare_events);
	return n;
}

const json_t *inside_phases(const json_t *family, const char *role)
{
	const json_t *phases = json_object_get(tree_headline_case(family, tree_role(family, role)), "phases");

	return json_is_object(phases) ? phases : NULL;
}

/* ---- what is visible ---- */

/* Length of what an event and slice `i` have in common. */
static double common(const struct inside_event *event, double from, double slice, size_t i)
{
	double start = from + slice * (double)i;

	return fmax(0, fmin(event->end, start + slice) - fmax(event->start, start));
}

/* Adds an event's length to its phase in the slices that it touches. */
static void inside_data_spread(
	const struct inside_event *event, double from, double slice, double (*out)[INSIDE_PHASES], size_t slices)
{
	double first = floor((event->start - from) / slice);

	for (size_t i = first > 0 ? (size_t)first : 0; i < slices && from + slice * (double)i < event->end; i++)
		out[i][event->phase] += common(event, from, slice, i);
}

/* Lengths become shares of the room that the long events leave in a slice. */
static void divide(const struct inside_event *events, size_t n, double from, double slice, double (*out)[INSIDE_PHASES],
	size_t slices)
{
	size_t e = 0;

	for (size_t i = 0; i < slices; i++) {
		double room = slice;

		while (e < n && events[e].end <= from + slice * (double)i)
			e++;
		for (size_t k = e; k < n && events[k].start < from + slice * (double)(i + 1); k++) {
			if (events[k].end - events[k].start >= slice)
				room -= common(&events[k], from, slice, i);
		}
		for (int phase = 0; phase < INSIDE_PHASES; phase++)
			out[i][phase] = room > 0 ? fmin(1, out[i][phase] / room) : 0;
	}
}

void inside_shares(const struct inside_event *events, size_t n, double from, double to, double (*out)[INSIDE_PHASES],
	size_t slices)
{
	double slice = (to - from) / (double)slices;

	memset(out, 0, slices * sizeof(*out));
	for (size_t e = 0; e < n; e++) {
		if (events[e].end - events[e].start < slice)
			inside_data_spread(&events[e], from, slice, out, slices);
	}
	divide(events, n, from, slice, out, slices);
}

/* ---- places ---- */

static void count_warps(const json_t *phases, int steps, int *warps, double *end)
{
	const json_t *rows = json_object_get(phases, "events");
	struct inside_event event;

	for (size_t i = 0; i < json_array_size(rows); i++) {
		if (!read_event(json_array_get(rows, i), &event))
			continue;
		*warps = event.warp >= *warps ? event.warp + 1 : *warps;
		if (steps == 0 || event.step < steps)
			*end = fmax(*end, event.end);
	}
}

static void inside_data_add_role(struct inside_layout *layout, const json_t *family, const char *role, unsigned color)
{
	struct inside_panel *panel = &layout->panel[layout->npanels];
	const json_t *phases = inside_phases(family, role);
	char number[FORMAT_SIZE], block[FORMAT_SIZE + 8] = "mean block";
	double end = 0;

	memset(panel, 0, sizeof(*panel));
	count_warps(phases, layout->steps, &panel->warps, &end);
	if (panel->warps == 0)
		return;
	panel->phases = phases;
	panel->color = color;
	if (!(tree_real(phases, "segments") > 0))
		snprintf(block, sizeof(block), "block %s",
			format_count(number, sizeof(number), tree_real(phases, "block")));
	snprintf(panel->title, sizeof(panel->title), "%s: %s, %s", role, tree_text(family, role), block);
	layout->to = fmax(layout->to, end);
	layout->npanels++;
}

/* Rows of the panel with most warps fill ROWS_PX, if they get neither too thin nor too thick. */
static int row_height(const struct inside_layout *layout)
{
	int rows = 1, height;

	for (int p = 0; p < layout->npanels; p++)
		rows = layout->panel[p].warps - 1 > rows ? layout->panel[p].warps - 1 : rows;
	height = ROWS_PX / rows;
	return height < MIN_ROW_PX ? MIN_ROW_PX : height > MAX_ROW_PX ? MAX_ROW_PX : height;
}

static void inside_data_place(struct inside_layout *layout)
{
	double y = 0;

	layout->row = row_height(layout);
	for (int p = 0; p < layout->npanels; p++) {
		struct inside_panel *panel = &layout->panel[p];

		panel->title_y = p > 0 ? y + INSIDE_SPACE_PX : y;
		panel->lane_y = panel->title_y + INSIDE_TITLE_PX;
		panel->rows_y = panel->lane_y + INSIDE_LANE_PX + 3;
		y = panel->rows_y + (double)(panel->warps - 1) * layout->row + 2;
	}
	layout->bottom = (int)y + 2;
	layout->height = layout->bottom + CANVAS_AXIS_PX;
}

/* The most steps that one of the pair has. */
static size_t family_steps(const json_t *family)
{
	size_t single = json_array_size(json_object_get(inside_phases(family, "single"), "steps"));
	size_t dbl = json_array_size(json_object_get(inside_phases(family, "double"), "steps"));

	return single > dbl ? single : dbl;
}

bool inside_family(struct inside_layout *layout, const json_t *family, bool zoomed)
{
	*layout = (struct inside_layout){0};
	if (zoomed) {
		layout->steps = ZOOM_STEPS;
		if (family_steps(family) < (size_t)2 * ZOOM_STEPS)
			return false;
	}
	inside_data_add_role(layout, family, "single", COLOR_SINGLE);
	inside_data_add_role(layout, family, "double", COLOR_DOUBLE);
	inside_data_place(layout);
	return layout->npanels > 0 && layout->to > 0;
}

/* ---- waiting, step by step ---- */

static void add_step(struct wait_step *sum, const json_t *step)
{
	sum->last = tree_real(step, "step");
	for (int phase = 0; phase < INSIDE_PHASES; phase++) {
		double cycles = tree_real(step, phase_kinds[phase].key);

		if (isfinite(cycles))
			sum->all += cycles;
		if (phase == INSIDE_WAIT && isfinite(cycles))
			sum->wait += cycles;
	}
}

size_t wait_group(const json_t *family, size_t most)
{
	size_t steps = family_steps(family);

	return steps > most ? (steps + most - 1) / most : 1;
}

size_t wait_steps(const json_t *phases, size_t group, struct wait_step **list)
{
	const json_t *steps = json_object_get(phases, "steps");
	size_t total = json_array_size(steps);

	*list = xcalloc(total, sizeof(**list));
	for (size_t i = 0; i < total; i++) {
		struct wait_step *sum = &(*list)[i / group];

		if (i % group == 0)
			sum->first = tree_real(json_array_get(steps, i), "step");
		add_step(sum, json_array_get(steps, i));
	}
	return (total + group - 1) / group;
}

double wait_share(const struct wait_step *step)
{
	return step->all > 0 ? step->wait / step->all : NAN;
}
