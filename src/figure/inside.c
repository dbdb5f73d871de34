/* inside.c: the warps of one block over cycles, single above double: load, wait, compute, store. */
#include "figure/inside-data.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/canvas.h"
#include "tree/tree.h"
#include "util/alloc.h"
#include "util/clip.h"

/* More events than this are drawn as shares of so many slices, in all rows together. */
enum { MAX_EVENTS = 8000, MAX_SLICES = 2400 };

/* Share of the plot that an event takes at least to be drawn as it is. */
#define LEAST (0.5 / CANVAS_WIDTH)

/* What the functions below draw into. */
struct drawing {
	struct canvas canvas;
	const struct inside_layout *layout;
	struct inside_event *events[INSIDE_PANELS]; /* of each panel */
	size_t n[INSIDE_PANELS];
	double slice; /* cycles: shorter events are drawn as shares */
};

static double inside_x(const struct inside_layout *layout, double cycles)
{
	cycles = fmin(fmax(cycles, layout->from), layout->to);
	/* Whole units, a px on the widest page, take few characters. */
	return round(CANVAS_WIDTH * (cycles - layout->from) / (layout->to - layout->from));
}

/* y of the top of a warp's row, and the row's height. */
static double inside_row_top(
	const struct inside_layout *layout, const struct inside_panel *panel, int warp, double *height)
{
	int row = layout->row;

	*height = warp == 0 ? INSIDE_LANE_PX : row >= 8 ? row - 1 : row - 0.5;
	return warp == 0 ? panel->lane_y : panel->rows_y + row * (warp - 1.0) + (row - *height) / 2;
}

/* Events of one warp: a slice of the panel's. */
static const struct inside_event *warp_events(const struct drawing *d, int p, int warp, size_t *n)
{
	const struct inside_event *events = d->events[p];
	size_t first = 0;

	*n = 0;
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): inside_events() gives a list, even of none */
	while (first < d->n[p] && events[first].warp < warp)
		first++;
	/* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): as above */
	while (first + *n < d->n[p] && events[first + *n].warp == warp)
		++*n;
	return events + first;
}

static bool is_long(const struct drawing *d, const struct inside_event *event)
{
	return event->end > d->layout->from && event->start < d->layout->to && event->end - event->start >= d->slice;
}

static void event_bar(struct drawing *d, enum inside_phase phase, double start, double end, double y, double height)
{
	canvas_bar(&d->canvas, inside_x(d->layout, start), inside_x(d->layout, end), y, height, inside_color(phase));
}

/* Computation lies below all else: while a warp does one thing after the other, one bar is enough for all of it, for
 * the others are drawn upon it. */
static void ground(struct drawing *d, const struct inside_event *events, size_t n, double y, double height)
{
	double start = NAN, end = NAN, gap = LEAST * (d->layout->to - d->layout->from);

	for (size_t i = 0; i < n; i++) {
		if (!is_long(d, &events[i]))
			continue;
		if (isfinite(start) && events[i].start > end + gap) {
			event_bar(d, INSIDE_COMPUTE, start, end, y, height);
			start = NAN;
		}
		if (isnan(start) && events[i].phase != INSIDE_COMPUTE)
			continue;
		start = isnan(start) ? events[i].start : start;
		end = events[i].end;
	}
	if (isfinite(start))
		event_bar(d, INSIDE_COMPUTE, start, end, y, height);
}

/* The events of a warp that are long enough, each as a bar. */
static void long_events(struct drawing *d, const struct inside_event *events, size_t n, double y, double height)
{
	for (size_t i = 0; i < n; i++) {
		if (is_long(d, &events[i]) && events[i].phase != INSIDE_COMPUTE)
			event_bar(d, events[i].phase, events[i].start, events[i].end, y, height);
	}
}

/* The others as shares of slices: upright lines as thick as a slice, one phase upon the other. */
static void short_events(struct drawing *d, const struct inside_event *events, size_t n, double y, double height)
{
	const struct inside_layout *layout = d->layout;
	size_t slices = (size_t)ceil((layout->to - layout->from) / d->slice);
	double(*shares)[INSIDE_PHASES] = xcalloc(slices, sizeof(*shares));

	inside_shares(events, n, layout->from, layout->from + d->slice * (double)slices, shares, slices);
	for (size_t i = 0; i < slices; i++) {
		double left = inside_x(layout, layout->from + d->slice * (double)i), low = y + height;
		double right = inside_x(layout, layout->from + d->slice * (double)(i + 1));

		double sum = 0;

		for (int phase = 0; phase < INSIDE_PHASES; phase++) {
			/* In few heights, so that neighbours look alike and are drawn together. */
			double below = round(height * sum), part = round(height * (sum + shares[i][phase])) - below;

			if (part >= 1)
				canvas_bar(&d->canvas, left, right, low - below - part, part,
					inside_color((enum inside_phase)phase));
			sum += shares[i][phase];
		}
	}
	free(shares);
}

static void row_names(struct drawing *d, const struct inside_panel *panel)
{
	int rows = panel->warps - 1;
	double middle = panel->rows_y + d->layout->row * rows / 2.0;
	char name[64];

	canvas_text(&d->canvas, CANVAS_NAME, CANVAS_ALL, 0, panel->lane_y + INSIDE_LANE_PX / 2.0, COLOR_INK, "warp 0");
	if (rows < 1)
		return;
	snprintf(name, sizeof(name), rows == 1 ? "warp 1" : "warps 1 to %d", rows);
	canvas_text(&d->canvas, CANVAS_NAME, CANVAS_WIDE, 0, middle, COLOR_INK, name);
	snprintf(name, sizeof(name), rows == 1 ? "1" : "1 to %d", rows);
	canvas_text(&d->canvas, CANVAS_NAME, CANVAS_NARROW, 0, middle, COLOR_INK, name);
}

/* "Load 3", or "L3" where there is less room, or nothing. */
static void phase_text(struct drawing *d, const struct inside_panel *panel, const struct inside_event *event)
{
	double left = inside_x(d->layout, event->start), right = inside_x(d->layout, event->end);
	double y = panel->lane_y + INSIDE_LANE_PX / 2.0, middle = (left + right) / 2;
	char text[64], brief[64];

	snprintf(text, sizeof(text), "%s %d", inside_name(event->phase, false), event->step);
	snprintf(brief, sizeof(brief), "%s%d", inside_name(event->phase, true), event->step);
	enum canvas_pages pages = canvas_fits(&d->canvas, right - left, text);
	enum canvas_pages others = canvas_fits(&d->canvas, right - left, brief);
	canvas_text(&d->canvas, CANVAS_CENTER, pages, middle, y, COLOR_ON_COLOR, text);
	if (pages == CANVAS_NEVER)
		canvas_text(&d->canvas, CANVAS_CENTER, others, middle, y, COLOR_ON_COLOR, brief);
	else if (pages == CANVAS_WIDE && others == CANVAS_ALL)
		canvas_text(&d->canvas, CANVAS_CENTER, CANVAS_NARROW, middle, y, COLOR_ON_COLOR, brief);
}

/* What a panel's rows show, or, in a first turn, what lies below it. */
static void inside_rows(struct drawing *d, int p, bool grounds)
{
	const struct inside_panel *panel = &d->layout->panel[p];

	for (int warp = 0; warp < panel->warps; warp++) {
		size_t n;
		const struct inside_event *events = warp_events(d, p, warp, &n);
		double height, y = inside_row_top(d->layout, panel, warp, &height);

		if (grounds) {
			ground(d, events, n, y, height);
			continue;
		}
		long_events(d, events, n, y, height);
		if (d->slice > LEAST * (d->layout->to - d->layout->from))
			short_events(d, events, n, y, height);
		for (size_t i = 0; i < n && warp == 0; i++)
			phase_text(d, panel, &events[i]);
	}
}

/* The shortest event that is drawn as it is: where there are many, fewer slices stand for them. */
static double slice_cycles(const struct drawing *d)
{
	const struct inside_layout *layout = d->layout;
	double warps = 0, span = layout->to - layout->from;
	size_t events = 0;

	for (int p = 0; p < layout->npanels; p++) {
		warps += layout->panel[p].warps;
		for (size_t i = 0; i < d->n[p]; i++)
			events += d->events[p][i].start < layout->to;
	}
	return events > MAX_EVENTS ? fmax(span * warps / MAX_SLICES, 2 * LEAST * span) : LEAST * span;
}

static void inside_describe(struct figure *figure, const struct inside_layout *layout)
{
	if (layout->steps > 0)
		snprintf(figure->title, sizeof(figure->title), "Inside one block: its warps over cycles, first steps");
	else
		snprintf(figure->title, sizeof(figure->title), "Inside one block: its warps over cycles");
	for (int p = 0; p < layout->npanels; p++)
		clip_append(figure->desc, sizeof(figure->desc), "%s%s", p > 0 ? "; " : "", layout->panel[p].title);
}

static void inside_figure(struct figures *figures, const char *name, const struct inside_layout *layout)
{
	const struct svg_frame frame = {INSIDE_LEFT_PX, INSIDE_NARROW_LEFT_PX, INSIDE_RIGHT_PX, INSIDE_RIGHT_PX};
	struct drawing d = {.layout = layout};

	for (int p = 0; p < layout->npanels; p++)
		d.n[p] = inside_events(layout->panel[p].phases, &d.events[p]);
	d.slice = slice_cycles(&d);
	canvas_open(&d.canvas, figures, name, frame);
	d.canvas.figure->height = layout->height;
	inside_describe(d.canvas.figure, layout);
	canvas_axis(&d.canvas, &(struct canvas_axis){layout->from, layout->to, INSIDE_TITLE_PX, layout->bottom,
				       "SM cycles since the block's first time stamp", "SM cycles", false});
	for (int p = 0; p < layout->npanels; p++)
		inside_rows(&d, p, true);
	for (int p = 0; p < layout->npanels; p++) {
		const struct inside_panel *panel = &layout->panel[p];

		canvas_head(&d.canvas, panel->title_y + INSIDE_TITLE_PX / 2.0, panel->color, panel->title);
		row_names(&d, panel);
		inside_rows(&d, p, false);
	}
	canvas_close(&d.canvas);
	for (int p = 0; p < layout->npanels; p++)
		free(d.events[p]);
}

void figure_inside(const struct figure_family *in)
{
	static const char *const whats[] = {"inside", "inside-zoom"};
	struct inside_layout layout;
	char name[FIGURE_NAME_SIZE];

	for (int zoomed = 0; zoomed < 2; zoomed++) {
		figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), whats[zoomed]);
		if (inside_family(&layout, in->family, zoomed))
			inside_figure(in->figures, name, &layout);
	}
}
