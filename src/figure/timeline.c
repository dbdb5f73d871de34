/*
 * timeline.c: single above double on one time axis: NVTX ranges, lanes, and what the whole GPU does.
 *
 * For a script that zooms: the plot is the picture with the class "e"; x is the share of its width, y is in px
 * (page/view/timeline.c gives places, events and strip). Its shapes lie in the nested picture, whose viewBox is
 * 0 0 1000 HEIGHT: with another x and width there, they are zoomed, with their textures (the patterns NAME-d2h and
 * NAME-idle). Texts at x="12.3%" belong to a moment; all others, such as names of lanes and the title of the axis,
 * stay.
 */
#include "figure/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/canvas.h"
#include "figure/timeline-data.h"
#include "tree/tree.h"
#include "util/clip.h"

enum { EDGE_PX = 4 };

/* What the functions below draw into. */
struct drawing {
	struct canvas canvas;
	const struct timeline_layout *layout;
	double slice; /* ns */
};

static unsigned whole_class_color(const json_t *lane)
{
	const char *key = tree_text(lane, "class");

	return strcmp(key, "h2d") == 0      ? COLOR_H2D
	       : strcmp(key, "d2h") == 0    ? COLOR_D2H
	       : strcmp(key, "kernel") == 0 ? COLOR_KERNEL
					    : COLOR_INK_2;
}

/* Work of other steps is paler. */
static unsigned class_color(const json_t *lane, bool others)
{
	unsigned color = whole_class_color(lane);

	return others ? canvas_faint(color, TIMELINE_PALE) : color;
}

/* Of a moment, kept inside the plot. */
static double timeline_x(const struct timeline_layout *layout, double ns)
{
	ns = fmin(fmax(ns, layout->from), layout->to);
	return CANVAS_WIDTH * (ns - layout->from) / (layout->to - layout->from);
}

/* [start, end) ns, from y down to y + h px. */
static void timeline_box(struct drawing *d, double start, double end, double y, double h, unsigned color)
{
	if (end > d->layout->from && start < d->layout->to && end > start)
		canvas_bar(&d->canvas, timeline_x(d->layout, start), timeline_x(d->layout, end), y, h, color);
}

/* In full if it fits between start and end, else in brief if that does. */
static void text_inside(
	struct drawing *d, double start, double end, double y, unsigned color, const char *text, const char *brief)
{
	double left = timeline_x(d->layout, start), width = timeline_x(d->layout, end) - left;
	enum canvas_pages pages = canvas_fits(&d->canvas, width, text), others = canvas_fits(&d->canvas, width, brief);

	canvas_text(&d->canvas, CANVAS_LEFT, pages, left, y, color, text);
	if (pages == CANVAS_NEVER)
		canvas_text(&d->canvas, CANVAS_LEFT, others, left, y, color, brief);
	else if (pages == CANVAS_WIDE && others == CANVAS_ALL)
		canvas_text(&d->canvas, CANVAS_LEFT, CANVAS_NARROW, left, y, color, brief);
}

/* ---- lanes ---- */

/* The name of a kernel or copy inside its bar, without parameters and template arguments. */
static void slice_text(struct drawing *d, const struct timeline_slice *slice, double y)
{
	const char *text = tree_text(slice->first, "text");
	char name[128];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, "(<"), text);
	if (slice->events == 1)
		text_inside(d, slice->start, slice->end, y + TIMELINE_LANE_PX / 2.0,
			slice->others ? COLOR_INK : COLOR_ON_COLOR, name, "");
}

/* A line that keeps two neighbours apart; on those that are narrow it would cover them. */
static void slice_edge(struct drawing *d, const struct timeline_slice *slice, double y)
{
	const struct timeline_slice *last = slice - 1;
	double px = (d->layout->to - d->layout->from) / CANVAS_WIDEST_PX, x = timeline_x(d->layout, slice->start);

	if (slice->start - last->end < 2 * px && slice->end - slice->start > EDGE_PX * px &&
		last->end - last->start > EDGE_PX * px)
		canvas_line(&d->canvas, (struct canvas_look){1.5, COLOR_PAPER, false}, x, y, x, y + TIMELINE_LANE_PX);
}

static void lane_events(struct drawing *d, const json_t *lane, double y, bool edges)
{
	struct timeline_slice *list;
	size_t n = timeline_slices(lane, d->slice, &list);

	for (size_t i = 0; i < n; i++) {
		if (!edges)
			timeline_box(
				d, list[i].start, list[i].end, y, TIMELINE_LANE_PX, class_color(lane, list[i].others));
		else if (i > 0)
			slice_edge(d, &list[i], y);
		if (!edges)
			slice_text(d, &list[i], y);
	}
	free(list);
}

/* Busy shares of a lane with many events as an area: each step as wide as a slice at least. */
static void lane_share(struct drawing *d, const json_t *lane, double y, double span)
{
	const json_t *share = json_object_get(lane, "share");
	const struct canvas_look look = {0, class_color(lane, timeline_all_others(lane)), false};
	size_t n = json_array_size(share), group = (size_t)fmax(1, ceil(d->slice / (span / (double)n)));
	double base = y + TIMELINE_LANE_PX, last_top = base;

	canvas_at(&d->canvas, look, timeline_x(d->layout, 0), base);
	for (size_t i = 0; i < n; i += group) {
		size_t last = i + group < n ? i + group : n;
		double sum = 0;

		for (size_t k = i; k < last; k++)
			sum += json_number_value(json_array_get(share, k));
		double top = base - round(TIMELINE_LANE_PX * sum / (double)(last - i) * 2) / 2;
		if (top != last_top) {
			canvas_at(&d->canvas, look, timeline_x(d->layout, (double)i / (double)n * span), last_top);
			canvas_at(&d->canvas, look, timeline_x(d->layout, (double)i / (double)n * span), top);
		}
		last_top = top;
	}
	canvas_at(&d->canvas, look, timeline_x(d->layout, span), last_top);
	canvas_at(&d->canvas, look, timeline_x(d->layout, span), base);
	canvas_gap(&d->canvas, look);
}

static void timeline_lanes(struct drawing *d, const struct timeline_panel *panel, bool edges)
{
	char name[96];

	for (size_t i = 0; i < panel->nlanes; i++) {
		const json_t *lane = panel->lane[i];
		double y = timeline_lane_y(panel, i), middle = y + TIMELINE_LANE_PX / 2.0;

		if (tree_has(lane, "share") && !edges)
			lane_share(d, lane, y, tree_real(panel->timeline, "span_ns"));
		lane_events(d, lane, y, edges);
		if (edges)
			continue;
		canvas_line(&d->canvas, (struct canvas_look){1, COLOR_GRID, false}, 0, y + TIMELINE_LANE_PX + 0.5,
			CANVAS_WIDTH, y + TIMELINE_LANE_PX + 0.5);
		timeline_lane_name(lane, false, name, sizeof(name));
		canvas_text(&d->canvas, CANVAS_NAME, CANVAS_WIDE, 0, middle, COLOR_INK, name);
		timeline_lane_name(lane, true, name, sizeof(name));
		canvas_text(&d->canvas, CANVAS_NAME, CANVAS_NARROW, 0, middle, COLOR_INK, name);
	}
}

/* ---- NVTX ranges ---- */

/* With the range's text, or if that does not fit its last component. */
static void draw_range(struct drawing *d, const json_t *range, double y)
{
	double start = tree_real(range, "start_ns"), end = tree_real(range, "end_ns");
	const char *text = tree_text(range, "text"), *slash = strrchr(text, '/');

	timeline_box(d, start, end, y, TIMELINE_RANGE_PX, canvas_faint(timeline_range_color(range), TIMELINE_PALE));
	text_inside(d, start, end, y + TIMELINE_RANGE_PX / 2.0, COLOR_INK, text, slash ? slash + 1 : text);
}

/* Of ranges narrower than a slice, one in each is enough. */
static void timeline_ranges(struct drawing *d, const struct timeline_panel *panel)
{
	const json_t *list = json_object_get(panel->timeline, "ranges");
	double covered[TIMELINE_MAX_DEPTH];

	for (int i = 0; i < TIMELINE_MAX_DEPTH; i++)
		covered[i] = -INFINITY;
	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *range = json_array_get(list, i);
		int row = timeline_range_row(panel, range);
		double end = tree_real(range, "end_ns");

		if (row < 0 || end < covered[row] + d->slice)
			continue;
		covered[row] = end;
		draw_range(d, range, panel->ranges_y + row * (TIMELINE_RANGE_PX + 2));
	}
	if (panel->depths > 0)
		canvas_text(&d->canvas, CANVAS_NAME, CANVAS_ALL, 0, panel->ranges_y + TIMELINE_RANGE_PX / 2.0,
			COLOR_INK, "NVTX");
}

/* ---- the strip ---- */

/* Work that runs at once shares the height: in from above, out from below, kernels at the bottom. */
static void strip_part(struct drawing *d, const struct strip_part *part, double y)
{
	static const struct {
		unsigned work, color;
	} rows[] = {{STRIP_H2D, COLOR_H2D}, {STRIP_D2H, COLOR_D2H}, {STRIP_OTHER, COLOR_INK_2},
		{STRIP_KERNEL, COLOR_KERNEL}};
	double start = (double)part->start, end = (double)part->end, height = TIMELINE_LANE_PX;
	int n = __builtin_popcount(part->work), drawn = 0;

	if (n == 0)
		timeline_box(d, start, end, y, height, COLOR_IDLE);
	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++) {
		if (part->work & rows[i].work)
			timeline_box(d, start, end, y + height / n * drawn++, height / n, rows[i].color);
	}
	if (n == 1)
		text_inside(d, start, end, y + height / 2, COLOR_ON_COLOR, strip_words(part->work), "");
}

static void timeline_strip(struct drawing *d, const struct timeline_panel *panel)
{
	const char *whole = panel->alone    ? "the step as a whole"
			    : panel->shared ? "this process"
					    : "the GPU as a whole";
	struct strip_part *parts;
	size_t n;

	if (panel->strip_y < 0)
		return;
	n = strip_build(panel, &parts);
	n = strip_thin(parts, n, d->slice);
	for (size_t i = 0; i < n; i++)
		strip_part(d, &parts[i], panel->strip_y);
	free(parts);
	canvas_text(&d->canvas, CANVAS_NAME, CANVAS_WIDE, 0, panel->strip_y + TIMELINE_LANE_PX / 2.0, COLOR_INK, whole);
	canvas_text(&d->canvas, CANVAS_NAME, CANVAS_NARROW, 0, panel->strip_y + TIMELINE_LANE_PX / 2.0, COLOR_INK,
		panel->alone    ? "whole step"
		: panel->shared ? "process"
				: "whole GPU");
}

/* ---- all of it ---- */

/* What time 0 is. */
static const char *begin_words(const struct timeline_layout *layout)
{
	if (!layout->of_steps)
		return "the first device work in the picture began";
	if (layout->from_work == 0 && layout->from_kernel == 0)
		return "the step began";
	if (layout->from_work == 0)
		return layout->from_step == 0 ? "the step's first kernel began"
					      : "the step, or its first kernel, began";
	return layout->from_step == 0 ? "the step's first work began" : "the step, or its first work, began";
}

static void timeline_draw_axis(struct drawing *d)
{
	const struct timeline_layout *layout = d->layout;
	char title[96], brief[32];
	double scale;
	const char *unit = figure_time_unit(layout->to, &scale);
	struct canvas_axis axis = {
		layout->from / scale, layout->to / scale, TIMELINE_TITLE_PX, layout->bottom, title, brief, false};

	snprintf(title, sizeof(title), "time since %s (%s)", begin_words(layout), unit);
	snprintf(brief, sizeof(brief), "time (%s)", unit);
	canvas_axis(&d->canvas, &axis);
}

/* Says in words what the figure shows. */
static void timeline_describe(struct figure *figure, const struct timeline_layout *layout)
{
	snprintf(figure->title, sizeof(figure->title), "Timeline");
	for (int p = 0; p < layout->npanels; p++)
		clip_append(figure->desc, sizeof(figure->desc), "%s%s, in %zu lane%s", p > 0 ? "; " : "",
			layout->panel[p].title, layout->panel[p].nlanes, layout->panel[p].nlanes == 1 ? "" : "s");
}

static void timeline_figure(struct figures *figures, const char *name, timeline_maker *make, const json_t *subject)
{
	struct timeline_layout layout;
	struct drawing d = {.layout = &layout};

	if (!make(&layout, subject))
		return;
	d.slice = timeline_slice(&layout);
	canvas_open(&d.canvas, figures, name, layout.frame);
	d.canvas.figure->height = layout.height;
	timeline_describe(d.canvas.figure, &layout);
	timeline_draw_axis(&d);
	for (int p = 0; p < layout.npanels; p++) {
		const struct timeline_panel *panel = &layout.panel[p];

		canvas_head(&d.canvas, panel->title_y + TIMELINE_TITLE_PX / 2.0, panel->color, panel->title);
		timeline_ranges(&d, panel);
		timeline_lanes(&d, panel, false);
		timeline_strip(&d, panel);
	}
	for (int p = 0; p < layout.npanels; p++)
		timeline_lanes(&d, &layout.panel[p], true);
	canvas_close(&d.canvas);
}

/* Whether a run has more than one piece of device work: a single bar says no more than its length. */
static bool has_events(const struct timeline_layout *layout)
{
	for (int p = 0; p < layout->npanels; p++) {
		const struct timeline_panel *panel = &layout->panel[p];
		size_t events = 0;

		for (size_t i = 0; i < panel->nlanes; i++)
			events += tree_has(panel->lane[i], "share")
					  ? 2
					  : json_array_size(json_object_get(panel->lane[i], "events"));
		if (events > 1)
			return true;
	}
	return false;
}

/* Bars that say where the time went tell more than a single event a run. */
void figure_timeline(const struct figure_family *in)
{
	struct timeline_layout layout;
	char name[FIGURE_NAME_SIZE];

	if (timeline_family(&layout, in->family) && !has_events(&layout) && figure_has_time(in->family))
		return;
	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), "timeline");
	timeline_figure(in->figures, name, timeline_family, in->family);
}

void figure_program(struct figures *figures, size_t recording, const json_t *program)
{
	const json_t *pays = json_object_get(program, "pays");
	char name[FIGURE_NAME_SIZE], what[32];

	figure_name(name, sizeof(name), recording, NULL, "timeline");
	timeline_figure(figures, name, timeline_program, program);
	for (size_t i = 0; i < json_array_size(pays); i++) {
		snprintf(what, sizeof(what), "close-%zu", i + 1);
		figure_name(name, sizeof(name), recording, NULL, what);
		timeline_figure(figures, name, timeline_close, json_array_get(pays, i));
	}
}
