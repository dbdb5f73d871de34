/* latency.c: how long each item of a launch takes, such as a frame, over its number in the launch: a panel for each
 * variant, all with one scale. A queue that grows is a slope, a pipeline that fills is where the line begins. */
#include "figure/figure.h"

#include <math.h>

#include "figure/canvas.h"
#include "tree/tree.h"
#include "util/axis.h"
#include "util/clip.h"
#include "util/format.h"

enum {
	HEAD_PX = 32, /* above a panel: its name, clear of the zero above it */
	PLOT_PX = 56,
	TICKS = 2,
	LEFT_PX = 64,
	RIGHT_PX = 24,
	MOST_CASES = 8, /* that have a figure: a recording of a stranger may have any number */
	MOST_VARIANTS = 8,
	MOST_DOTS = 128, /* of a variant: more would be a band */
};

static const struct canvas_look ground = {0.75, COLOR_GRID, false}, edge = {0.75, COLOR_INK_2, false};

/* One figure while it is drawn. */
struct latency_plot {
	struct canvas canvas;
	const json_t *family, *variants;
	const char *noun;
	size_t most; /* items of the launch that has most */
	double high; /* ns at the top of a panel */
	double scale;
	const char *unit;
};

static size_t latency_panels(const json_t *variants)
{
	return json_array_size(variants) < MOST_VARIANTS ? json_array_size(variants) : MOST_VARIANTS;
}

static double latency_x(const struct latency_plot *plot, size_t i)
{
	return CANVAS_WIDTH * ((double)i + 0.5) / (double)plot->most;
}

static double latency_y(const struct latency_plot *plot, double bottom, double ns)
{
	return bottom - PLOT_PX * ns / plot->high;
}

static double latency_at(const json_t *items, size_t i)
{
	return json_number_value(json_array_get(json_object_get(items, "latencies_ns"), i));
}

/* One scale from zero for all panels. */
static void scale_latencies(struct latency_plot *plot)
{
	for (size_t v = 0; v < latency_panels(plot->variants); v++) {
		const json_t *items = json_array_get(plot->variants, v);
		const size_t n = json_array_size(json_object_get(items, "latencies_ns"));

		plot->most = n > plot->most ? n : plot->most;
		for (size_t i = 0; i < n; i++)
			plot->high = fmax(plot->high, latency_at(items, i));
	}
	plot->high = fmax(1, 1.08 * plot->high);
	plot->unit = figure_time_unit(plot->high, &plot->scale);
}

static void draw_latency_ground(struct latency_plot *plot, double bottom)
{
	const double high = plot->high / plot->scale, step = axis_step(high, TICKS);
	char text[FORMAT_SIZE];

	for (int i = 0; i <= 2 * TICKS && i * step <= high; i++) {
		const double y = latency_y(plot, bottom, i * step * plot->scale);

		canvas_line(&plot->canvas, i > 0 ? ground : edge, 0, y, CANVAS_WIDTH, y);
		snprintf(text, sizeof(text), "%g", round(i * step * 1e6) / 1e6);
		canvas_text(&plot->canvas, CANVAS_NAME, CANVAS_ALL, 0, y, COLOR_INK_2, text);
	}
}

/* A ring is an item that does not count, because it found the pipeline empty. */
static void draw_latency_dots(struct latency_plot *plot, const json_t *items, double bottom, unsigned color)
{
	const double filling = tree_real(items, "filling");
	const size_t n = json_array_size(json_object_get(items, "latencies_ns"));
	char time[FORMAT_SIZE];

	for (size_t i = 0; i < n && n <= MOST_DOTS; i++) {
		const double x = latency_x(plot, i), y = latency_y(plot, bottom, latency_at(items, i));
		const double half = CANVAS_WIDTH / (double)plot->most / 2;

		if ((double)i < filling)
			canvas_ring(&plot->canvas, x, y, 5, color);
		else
			canvas_dot(&plot->canvas, x, y, 4, color);
		canvas_mark(&plot->canvas, x - half, bottom - PLOT_PX, x + half, bottom, false, "%.80s, %zu of %zu: %s",
			tree_text(items, "variant"), i + 1, n,
			format_time_ns(time, sizeof(time), latency_at(items, i)));
	}
}

static void draw_latencies(struct latency_plot *plot, const json_t *items, double bottom)
{
	const json_t *variant =
		tree_find(json_object_get(plot->family, "variants"), "name", tree_text(items, "variant"));
	const struct canvas_look line = {1.5, figure_variant_color(variant), false};
	const double median = tree_real(json_object_get(items, "latency_ns"), "median");
	const size_t n = json_array_size(json_object_get(items, "latencies_ns"));
	char head[160], time[FORMAT_SIZE];

	draw_latency_ground(plot, bottom);
	for (size_t i = 0; i < n; i++)
		canvas_at(&plot->canvas, line, latency_x(plot, i), latency_y(plot, bottom, latency_at(items, i)));
	canvas_gap(&plot->canvas, line);
	draw_latency_dots(plot, items, bottom, line.color);
	clip_print(head, sizeof(head), "%.80s: latency (%s), median %s", tree_text(items, "variant"), plot->unit,
		format_time_ns(time, sizeof(time), median));
	canvas_head(&plot->canvas, bottom - PLOT_PX - HEAD_PX / 2.0, line.color, head);
}

static void draw_latency_panels(struct latency_plot *plot)
{
	char title[160];
	double bottom = 0;

	scale_latencies(plot);
	for (size_t v = 0; v < latency_panels(plot->variants); v++) {
		bottom += HEAD_PX + PLOT_PX;
		draw_latencies(plot, json_array_get(plot->variants, v), bottom);
	}
	clip_print(title, sizeof(title), "%.60s of a launch, in their order", plot->noun);
	canvas_axis(&plot->canvas, &(struct canvas_axis){.from = 0.5,
					   .to = (double)plot->most + 0.5,
					   .top = bottom,
					   .bottom = bottom,
					   .title = title,
					   .brief = title,
					   .whole = true});
	plot->canvas.figure->height = (int)bottom + CANVAS_AXIS_PX;
}

static void latency_figure(const struct figure_family *in, const json_t *one, size_t number)
{
	struct latency_plot plot = {
		.family = in->family, .variants = json_object_get(one, "variants"), .noun = tree_text(one, "noun")};
	char name[FIGURE_NAME_SIZE], what[32];

	snprintf(what, sizeof(what), "latency-%zu", number);
	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), what);
	canvas_open(&plot.canvas, in->figures, name, (struct svg_frame){LEFT_PX, LEFT_PX, RIGHT_PX, RIGHT_PX});
	clip_print(plot.canvas.figure->title, sizeof(plot.canvas.figure->title), "Latency of %.60s, case %.80s",
		plot.noun, tree_text(one, "case"));
	clip_print(plot.canvas.figure->desc, sizeof(plot.canvas.figure->desc),
		"Median over launches, for each place in a launch. The table has medians and percentiles of all.");
	draw_latency_panels(&plot);
	canvas_close(&plot.canvas);
}

/* Whether any variant has two items to draw a line between, and how long they took. */
static bool can_be_drawn(const json_t *one)
{
	const json_t *variants = json_object_get(one, "variants");

	for (size_t v = 0; v < latency_panels(variants); v++) {
		const json_t *items = json_array_get(variants, v);

		if (json_array_size(json_object_get(items, "latencies_ns")) > 1 &&
			tree_real(json_object_get(items, "latency_ns"), "max") > 0)
			return true;
	}
	return false;
}

void figure_latency(const struct figure_family *in)
{
	const json_t *items = json_object_get(in->family, "items");

	for (size_t i = 0; i < json_array_size(items) && i < MOST_CASES; i++)
		if (can_be_drawn(json_array_get(items, i)))
			latency_figure(in, json_array_get(items, i), i + 1);
}
