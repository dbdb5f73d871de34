/* timeline.c: single above double on one time axis: NVTX ranges, lanes, and what the whole GPU does. */
#include "figure/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/timeline-data.h"
#include "tree/tree.h"
#include "util/clip.h"

enum { EDGE_PX = 4, INSIDE_NARROW_PX = 12, INSIDE_WIDE_PX = 14 };

/* What the functions below draw into. */
struct canvas {
	const struct timeline_layout *layout;
	struct strbuf *data;
	double scale; /* ns per unit of the axis */
};

static unsigned class_color(const json_t *lane)
{
	const char *key = tree_text(lane, "class");

	return strcmp(key, "h2d") == 0      ? COLOR_H2D
	       : strcmp(key, "d2h") == 0    ? COLOR_D2H
	       : strcmp(key, "kernel") == 0 ? COLOR_KERNEL
					    : COLOR_INK_2;
}

static double font_px(const struct canvas *canvas)
{
	return canvas->layout->form == FIGURE_NARROW ? INSIDE_NARROW_PX : INSIDE_WIDE_PX;
}

/* A row for boxxyerror: [start, end) ns, from y down to y + h px. */
static void timeline_box(const struct canvas *canvas, double start, double end, double y, double h, unsigned color)
{
	start = fmax(start, canvas->layout->from);
	end = fmin(end, canvas->layout->to);
	if (end > start)
		strbuf_printf(canvas->data, "0 0 %.7g %.7g %.6g %.6g %u\n", start / canvas->scale, end / canvas->scale,
			y, y + h, color);
}

/* A row for labels, if the text fits between start and end. */
static void text_inside(const struct canvas *canvas, double start, double end, double y, const char *text)
{
	double pixel = timeline_pixel(canvas->layout);

	start = fmax(start, canvas->layout->from);
	end = fmin(end, canvas->layout->to);
	if (*text == '\0' || (end - start) / pixel < figure_text_width(text, font_px(canvas)) + 8)
		return;
	figure_label(canvas->data, (start + 5 * pixel) / canvas->scale, y, text);
}

/* Calls `each` for every lane with events. */
static void for_lanes(const struct canvas *canvas,
	void (*each)(const struct canvas *canvas, const json_t *lane, double y, bool edged), bool edged)
{
	for (int p = 0; p < canvas->layout->npanels; p++) {
		const struct timeline_panel *panel = &canvas->layout->panel[p];

		for (size_t i = 0; i < panel->nlanes; i++)
			each(canvas, panel->lane[i], timeline_lane_y(panel, i), edged);
	}
}

/* Events that are wide enough get an edge that keeps neighbours apart; on the others it would cover them. */
static void lane_events(const struct canvas *canvas, const json_t *lane, double y, bool edged)
{
	const json_t *events = json_object_get(lane, "events");
	double pixel = timeline_pixel(canvas->layout);

	for (size_t i = 0; i < json_array_size(events); i++) {
		double start = tree_real(json_array_get(events, i), "start_ns");
		double end = tree_real(json_array_get(events, i), "end_ns");

		if (((end - start) / pixel >= EDGE_PX) == edged)
			timeline_box(canvas, start, end, y, TIMELINE_LANE_PX, class_color(lane));
	}
}

/* The line on which a lane stands. */
static void lane_base(const struct canvas *canvas, const json_t *lane, double y, bool edged)
{
	(void)lane;
	(void)edged;
	timeline_box(canvas, canvas->layout->from, canvas->layout->to, y + TIMELINE_LANE_PX, 1, COLOR_GRID);
}

/* The name of a kernel or copy inside its bar, without parameters and template arguments. */
static void lane_texts(const struct canvas *canvas, const json_t *lane, double y, bool edged)
{
	const json_t *events = json_object_get(lane, "events");

	(void)edged;
	for (size_t i = 0; i < json_array_size(events); i++) {
		const json_t *event = json_array_get(events, i);
		const char *text = tree_text(event, "text");
		char name[128];

		snprintf(name, sizeof(name), "%.*s", (int)strcspn(text, "(<"), text);
		text_inside(canvas, tree_real(event, "start_ns"), tree_real(event, "end_ns"),
			y + TIMELINE_LANE_PX / 2.0, name);
	}
}

/* Busy shares of a lane with many events as an area; in the narrow form several slices share a pixel and are averaged.
 */
static void lane_share(const struct canvas *canvas, const json_t *lane, double y, double span)
{
	const json_t *share = json_object_get(lane, "share");
	size_t n = json_array_size(share), group = canvas->layout->form == FIGURE_NARROW ? 4 : 1;

	for (size_t i = 0; i < n; i += group) {
		size_t last = i + group < n ? i + group : n;
		double sum = 0, base = y + TIMELINE_LANE_PX;

		for (size_t k = i; k < last; k++)
			sum += json_number_value(json_array_get(share, k));
		double top = base - TIMELINE_LANE_PX * sum / (double)(last - i);
		strbuf_printf(canvas->data, "%.6g %.5g %.5g\n%.6g %.5g %.5g\n",
			(double)i / (double)n * span / canvas->scale, base, top,
			(double)last / (double)n * span / canvas->scale, base, top);
	}
	strbuf_putc(canvas->data, '\n');
}

static void shares(const struct canvas *canvas, const char *cls)
{
	for (int p = 0; p < canvas->layout->npanels; p++) {
		const struct timeline_panel *panel = &canvas->layout->panel[p];

		for (size_t i = 0; i < panel->nlanes; i++) {
			const json_t *lane = panel->lane[i];

			if (tree_has(lane, "share") && strcmp(tree_text(lane, "class"), cls) == 0)
				lane_share(
					canvas, lane, timeline_lane_y(panel, i), tree_real(panel->timeline, "span_ns"));
		}
	}
}

static unsigned range_color(const json_t *range)
{
	const char *text = tree_text(range, "color");

	return *text == '#' ? (unsigned)strtoul(text + 1, NULL, 16) & 0xFFFFFF : COLOR_INK_2;
}

/* The range's text, or if it does not fit its last component. */
static void timeline_range_text(const struct canvas *canvas, const json_t *range, double y)
{
	double start = tree_real(range, "start_ns"), end = tree_real(range, "end_ns");
	const char *text = tree_text(range, "text"), *slash = strrchr(text, '/');
	double room =
		(fmin(end, canvas->layout->to) - fmax(start, canvas->layout->from)) / timeline_pixel(canvas->layout);

	if (slash && figure_text_width(text, font_px(canvas)) + 8 > room)
		text = slash + 1;
	text_inside(canvas, start, end, y + TIMELINE_RANGE_PX / 2.0, text);
}

/* Boxes (or texts) of the NVTX ranges. Of those narrower than a pixel, one in each pixel is enough. */
static void ranges(const struct canvas *canvas, bool texts)
{
	double pixel = timeline_pixel(canvas->layout);

	for (int p = 0; p < canvas->layout->npanels; p++) {
		const struct timeline_panel *panel = &canvas->layout->panel[p];
		const json_t *list = json_object_get(panel->timeline, "ranges");
		double covered[TIMELINE_MAX_DEPTH] = {-INFINITY, -INFINITY, -INFINITY, -INFINITY};

		for (size_t i = 0; i < json_array_size(list); i++) {
			const json_t *range = json_array_get(list, i);
			int row = timeline_range_row(panel, range);
			double end = tree_real(range, "end_ns");

			if (row < 0 || end < covered[row] + pixel)
				continue;
			covered[row] = end;
			double y = panel->ranges_y + row * (TIMELINE_RANGE_PX + 2);
			if (texts)
				timeline_range_text(canvas, range, y);
			else
				timeline_box(canvas, tree_real(range, "start_ns"), end, y, TIMELINE_RANGE_PX,
					range_color(range));
		}
	}
}

/* What each part of a strip is drawn as. */
enum strip_pass { STRIP_BUSY_BOXES, STRIP_IDLE_BOXES, STRIP_BUSY_TEXTS, STRIP_IDLE_TEXTS };

static void strip_part(const struct canvas *canvas, const struct strip_part *part, double y, enum strip_pass pass)
{
	static const unsigned colors[] = {COLOR_INK_2, COLOR_KERNEL, COLOR_H2D, COLOR_D2H, COLOR_INK_2};
	static const char *const words[] = {"idle", "kernel", "exposed copy", "exposed copy", ""};
	bool idle = pass == STRIP_IDLE_BOXES || pass == STRIP_IDLE_TEXTS;
	double start = (double)part->start, end = (double)part->end;

	if (idle != (part->kind == STRIP_IDLE))
		return;
	if (pass == STRIP_BUSY_BOXES || pass == STRIP_IDLE_BOXES)
		timeline_box(canvas, start, end, y, TIMELINE_LANE_PX, colors[part->kind]);
	else
		text_inside(canvas, start, end, y + TIMELINE_LANE_PX / 2.0, words[part->kind]);
}

static void strips(const struct canvas *canvas, enum strip_pass pass)
{
	for (int p = 0; p < canvas->layout->npanels; p++) {
		const struct timeline_panel *panel = &canvas->layout->panel[p];
		struct strip_part *parts;
		size_t n;

		if (panel->strip_y < 0)
			continue;
		n = strip_build(panel, &parts);
		for (size_t i = 0; i < n; i++)
			strip_part(canvas, &parts[i], panel->strip_y, pass);
		free(parts);
	}
}

static void lane_names(const struct canvas *canvas)
{
	char name[96];

	for (int p = 0; p < canvas->layout->npanels; p++) {
		const struct timeline_panel *panel = &canvas->layout->panel[p];
		const char *whole = panel->shared ? "this process" : "the GPU as a whole";

		if (panel->depths > 0)
			figure_label(canvas->data, 0, panel->ranges_y + TIMELINE_RANGE_PX / 2.0, "NVTX");
		for (size_t i = 0; i < panel->nlanes; i++) {
			timeline_lane_name(canvas->layout, panel->lane[i], name, sizeof(name));
			figure_label(canvas->data, 0, timeline_lane_y(panel, i) + TIMELINE_LANE_PX / 2.0, name);
		}
		if (panel->strip_y >= 0)
			figure_label(canvas->data, 0, panel->strip_y + TIMELINE_LANE_PX / 2.0,
				canvas->layout->form == FIGURE_NARROW && !panel->shared ? "whole GPU" : whole);
	}
}

/* A swatch in the run's colour, then its name. */
static void timeline_titles(const struct canvas *canvas, bool swatches)
{
	double pixel = timeline_pixel(canvas->layout), from = canvas->layout->from;

	for (int p = 0; p < canvas->layout->npanels; p++) {
		const struct timeline_panel *panel = &canvas->layout->panel[p];
		double middle = panel->title_y + TIMELINE_TITLE_PX / 2.0;

		if (swatches) {
			timeline_box(canvas, from, from + 12 * pixel, middle - 6, 12, panel->color);
			continue;
		}
		figure_label(canvas->data, (from + 18 * pixel) / canvas->scale, middle, panel->title);
	}
}

/* The blocks in the order of plots/timeline.gp. */
static void timeline_write_data(const struct canvas *canvas)
{
	static const char *const classes[] = {"h2d", "kernel", "d2h", "other"};

	figure_block(canvas->data, 7); /* 0: without an edge */
	for_lanes(canvas, lane_base, false);
	for_lanes(canvas, lane_events, false);
	timeline_titles(canvas, true);
	strips(canvas, STRIP_BUSY_BOXES);
	figure_block(canvas->data, 7); /* 1: with an edge */
	for_lanes(canvas, lane_events, true);
	figure_block(canvas->data, 7); /* 2: ranges */
	ranges(canvas, false);
	figure_block(canvas->data, 7); /* 3: idle */
	strips(canvas, STRIP_IDLE_BOXES);
	for (size_t i = 0; i < sizeof(classes) / sizeof(classes[0]); i++) {
		figure_block(canvas->data, 3); /* 4 to 7: shares; a blank line keeps them apart from the far row */
		strbuf_putc(canvas->data, '\n');
		shares(canvas, classes[i]);
	}
	figure_block(canvas->data, 3); /* 8: names of the lanes */
	lane_names(canvas);
	figure_block(canvas->data, 3); /* 9: texts on colour */
	for_lanes(canvas, lane_texts, false);
	strips(canvas, STRIP_BUSY_TEXTS);
	figure_block(canvas->data, 3); /* 10: texts on paper */
	timeline_titles(canvas, false);
	ranges(canvas, true);
	strips(canvas, STRIP_IDLE_TEXTS);
}

/* Says in words what the figure shows. */
static void timeline_describe(struct figure *figure, const struct timeline_layout *layout)
{
	for (int p = 0; p < layout->npanels; p++)
		clip_append(figure->desc, sizeof(figure->desc), "%s%s, in %zu lane%s", p > 0 ? "; " : "",
			layout->panel[p].title, layout->panel[p].nlanes, layout->panel[p].nlanes == 1 ? "" : "s");
}

static void timeline_figure(struct figures *figures, const char *name, const struct timeline_layout *layout)
{
	struct figure *figure = figure_add(figures, name, layout->form);
	struct canvas canvas = {.layout = layout, .data = &figure->data};

	figure->script = "timeline.gp";
	figure->height = layout->height;
	figure_arg(figure, "%d", layout->left);
	canvas.scale = figure_time_axis(figure, layout->from, layout->to, layout->form);
	snprintf(figure->title, sizeof(figure->title), "Timeline");
	timeline_describe(figure, layout);
	timeline_write_data(&canvas);
}

/* Both forms of a layout that `make` gives, if it gives one. */
static void both_forms(struct figures *figures, const char *name, timeline_maker *make, const json_t *subject)
{
	struct timeline_layout layout;

	for (enum figure_form form = FIGURE_WIDE; form < FIGURE_FORMS; form++) {
		if (make(&layout, subject, form))
			timeline_figure(figures, name, &layout);
	}
}

void figure_timeline(const struct figure_family *in)
{
	char name[FIGURE_NAME_SIZE];

	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), "timeline");
	both_forms(in->figures, name, timeline_family, in->family);
}

void figure_program(struct figures *figures, size_t recording, const json_t *program)
{
	const json_t *pays = json_object_get(program, "pays");
	char name[FIGURE_NAME_SIZE], what[32];

	figure_name(name, sizeof(name), recording, NULL, "timeline");
	both_forms(figures, name, timeline_program, program);
	for (size_t i = 0; i < json_array_size(pays); i++) {
		snprintf(what, sizeof(what), "close-%zu", i + 1);
		figure_name(name, sizeof(name), recording, NULL, what);
		both_forms(figures, name, timeline_close, json_array_get(pays, i));
	}
}
