/* durations.c: time of every variant: a bar from zero to the median, the box of the quartiles, samples as
 * points, those that were throttled in a colour of their own; and the floor of a pipeline as a line. */
#include "figure/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/canvas.h"
#include "tree/tree.h"
#include "util/alloc.h"
#include "util/format.h"

enum {
	MAX_POINTS = 24,
	NAME_PX = 17, /* above a bar: its name, on narrow pages */
	BAR_PX = 16,
	PITCH_PX = NAME_PX + BAR_PX + 5,
	FLOOR_PX = 20, /* what the line of the floor says takes a row above the bars */
	SPACE_PX = 12, /* between panels */
	LEFT_PX = 200,
	NARROW_LEFT_PX = 8,
	RIGHT_PX = 24,
};

/* Of the plot, what the longest bar takes on wide pages, where its value stands behind it. */
#define LONGEST 0.87

/* One variant that was timed. */
struct bar {
	const json_t *variant, *time, *apart;
	double y; /* px, top of the bar */
};

/* Bars on one axis. */
struct bars {
	struct canvas *canvas;
	struct bar *bar;
	size_t n;
	const char *what;   /* they show */
	double to;          /* ns at the right edge */
	double floor;       /* ns; NaN if there is none */
	double top, bottom; /* px */
};

static int compare_numbers(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double durations_x(const struct bars *bars, double ns)
{
	return CANVAS_WIDTH * ns / bars->to;
}

/* Samples as dots, spread a little in height so that equal ones can be told apart; of many, evenly spaced ranks. */
static void draw_points(const struct bars *bars, const struct bar *bar, const json_t *samples, unsigned color)
{
	size_t n = json_array_size(samples), shown = n < MAX_POINTS ? n : MAX_POINTS;
	double *sorted = xcalloc(n, sizeof(*sorted));

	for (size_t i = 0; i < n; i++)
		sorted[i] = json_number_value(json_array_get(samples, i));
	qsort(sorted, n, sizeof(*sorted), compare_numbers);
	for (size_t i = 0; i < shown; i++) {
		double x = durations_x(bars, sorted[shown > 1 ? i * (n - 1) / (shown - 1) : 0]);

		canvas_dot(bars->canvas, x, bar->y + BAR_PX / 2.0 + (double)((int)(i * 7 % 11) - 5), 3, color);
	}
	free(sorted);
}

static double longest_apart(const struct bar *bar)
{
	const json_t *samples = json_object_get(bar->apart, "samples_ns");
	double longest = 0;

	for (size_t i = 0; i < json_array_size(samples); i++)
		longest = fmax(longest, json_number_value(json_array_get(samples, i)));
	return longest;
}

/* The right end of what is drawn of a variant. */
static double end_of(const struct bar *bar)
{
	return fmax(longest_apart(bar), fmax(tree_real(bar->time, "median_ns"), tree_real(bar->time, "max_ns")));
}

/* Bar, quartiles, samples. */
static void draw_bar(const struct bars *bars, const struct bar *bar)
{
	const struct canvas_look edge = {1, COLOR_INK, false};
	unsigned color = figure_variant_color(bar->variant);
	double q[2] = {
		durations_x(bars, tree_real(bar->time, "q1_ns")), durations_x(bars, tree_real(bar->time, "q3_ns"))};
	double bottom = bar->y + BAR_PX;

	canvas_bar(bars->canvas, 0, durations_x(bars, tree_real(bar->time, "median_ns")), bar->y, BAR_PX,
		canvas_faint(color, 0.35));
	draw_points(bars, bar, json_object_get(bar->time, "samples_ns"), color);
	draw_points(bars, bar, json_object_get(bar->apart, "samples_ns"), COLOR_WAIT);
	for (int i = 0; i < 2; i++) {
		if (!isfinite(q[0]) || !isfinite(q[1]))
			break;
		canvas_line(bars->canvas, edge, q[i], bar->y, q[i], bottom);
		canvas_line(bars->canvas, edge, q[0], i ? bar->y : bottom, q[1], i ? bar->y : bottom);
	}
}

static void bar_texts(const struct bars *bars, const struct bar *bar)
{
	const char *name = tree_text(bar->variant, "name");
	double middle = bar->y + BAR_PX / 2.0;
	char time[FORMAT_SIZE], text[FORMAT_SIZE + 100], low[FORMAT_SIZE], high[FORMAT_SIZE];

	format_time_ns(time, sizeof(time), tree_real(bar->time, "median_ns"));
	format_time_ns(low, sizeof(low), tree_real(bar->time, "q1_ns"));
	format_time_ns(high, sizeof(high), tree_real(bar->time, "q3_ns"));
	snprintf(text, sizeof(text), "%s: %s", name, time);
	canvas_text(bars->canvas, CANVAS_NAME, CANVAS_WIDE, 0, middle, COLOR_INK, name);
	canvas_text(bars->canvas, CANVAS_LEFT, CANVAS_WIDE, durations_x(bars, end_of(bar)), middle, COLOR_INK, time);
	canvas_text(
		bars->canvas, CANVAS_EDGE, CANVAS_NARROW, NARROW_LEFT_PX, bar->y - NAME_PX / 2.0 + 1, COLOR_INK, text);
	canvas_mark(bars->canvas, 0, bar->y, CANVAS_WIDTH, bar->y + BAR_PX, true, "%s: median %s, quartiles %s to %s",
		name, time, low, high);
}

/* The line, and beside it, on the side that has more room, what it is. */
static void draw_floor(const struct bars *bars)
{
	double x = durations_x(bars, bars->floor);
	char time[FORMAT_SIZE], text[FORMAT_SIZE + 16];

	if (!(x <= CANVAS_WIDTH))
		return;
	format_time_ns(time, sizeof(time), bars->floor);
	snprintf(text, sizeof(text), "floor: %s", time);
	/* Names of narrow pages stand above the bars: the line leaves them readable. */
	canvas_line(bars->canvas, (struct canvas_look){1.5, COLOR_INK, false}, x, bars->top, x, bars->top + FLOOR_PX);
	for (size_t i = 0; i < bars->n; i++)
		canvas_line(bars->canvas, (struct canvas_look){1.5, COLOR_INK, false}, x, bars->bar[i].y - 2, x,
			bars->bar[i].y + BAR_PX + 2);
	canvas_text(bars->canvas, x < CANVAS_WIDTH / 2.0 ? CANVAS_LEFT : CANVAS_RIGHT, CANVAS_ALL, x,
		bars->top + FLOOR_PX / 2.0, COLOR_INK, text);
}

/* Places and draws bars on an axis of their own, from `top` on; returns where they end. */
static double draw_bars(struct bars *bars, double top)
{
	double longest = isnan(bars->floor) ? 0 : bars->floor, scale;
	const char *unit;
	char title[64];

	bars->top = top;
	top += isnan(bars->floor) ? 0 : FLOOR_PX;
	for (size_t i = 0; i < bars->n; i++) {
		longest = fmax(longest, end_of(&bars->bar[i]));
		bars->bar[i].y = top + NAME_PX + PITCH_PX * (double)i;
	}
	bars->bottom = top + PITCH_PX * (double)bars->n + 4;
	bars->to = longest / LONGEST;
	unit = figure_time_unit(bars->to, &scale);
	snprintf(title, sizeof(title), "%s (%s)", bars->what, unit);
	canvas_axis(
		bars->canvas, &(struct canvas_axis){0, bars->to / scale, bars->top, bars->bottom, title, title, false});
	for (size_t i = 0; i < bars->n; i++) {
		draw_bar(bars, &bars->bar[i]);
		bar_texts(bars, &bars->bar[i]);
	}
	draw_floor(bars);
	return bars->bottom + CANVAS_AXIS_PX;
}

/* ---- outliers ---- */

/* Above this time (ns) a variant has a panel of its own with the others that do, since on one axis they would squeeze
 * the rest; infinity without a pair. */
static double far_from(const json_t *family, const char *label)
{
	double longest = 0;

	for (int side = 0; side < 2; side++) {
		const json_t *measured = tree_case(tree_role(family, side ? "double" : "single"), label);
		double median = tree_real(json_object_get(measured, "time"), "median_ns");

		longest = isfinite(median) ? fmax(longest, median) : longest;
	}
	return longest > 0 ? FIGURE_FAR * longest : INFINITY;
}

/* Puts the bars that are far behind the others, each in their order; returns how many are near. */
static size_t part_bars(struct bar *bars, size_t n, double far)
{
	struct bar *behind = xcalloc(n, sizeof(*behind));
	size_t near = 0, away = 0;

	for (size_t i = 0; i < n; i++) {
		if (tree_real(bars[i].time, "median_ns") > far)
			behind[away++] = bars[i];
		else
			bars[near++] = bars[i];
	}
	memcpy(bars + near, behind, away * sizeof(*bars));
	free(behind);
	return near;
}

/* ---- the figures ---- */

/* The bars of one figure: a case of the variants. */
struct durations {
	const struct figure_family *in;
	const char *name, *label, *what;
	double floor;
};

static const char *bars_show(const json_t *family, const char *label)
{
	const json_t *program = json_object_get(json_object_get(family, "verdicts"), "program");

	if (!tree_has(family, "sides"))
		return "time of one launch";
	if (strcmp(label, "program") != 0)
		return "kernel time of a step";
	return strcmp(tree_text(program, "basis"), "wall") == 0 ? "time of a process" : "time of a step";
}

static void open_durations(const struct durations *figure, struct canvas *canvas)
{
	const struct figure_family *in = figure->in;
	char name[FIGURE_NAME_SIZE];

	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), figure->name);
	canvas_open(canvas, in->figures, name, (struct svg_frame){LEFT_PX, NARROW_LEFT_PX, RIGHT_PX, RIGHT_PX});
	snprintf(canvas->figure->title, sizeof(canvas->figure->title), "Durations of the variants of %s%s%s",
		tree_text(in->family, "title"), tree_has(in->family, "sides") ? ": " : "",
		tree_has(in->family, "sides") ? figure->what : "");
	snprintf(canvas->figure->desc, sizeof(canvas->figure->desc),
		"The table of all variants has the same medians, with their spread.");
}

static void durations_figure(const struct durations *figure, struct bar *bar, size_t n)
{
	size_t near = part_bars(bar, n, far_from(figure->in->family, figure->label));
	struct canvas canvas;
	struct bars bars = {.canvas = &canvas, .bar = bar, .n = near, .what = figure->what, .floor = figure->floor};
	struct bars behind = {.canvas = &canvas, .bar = bar + near, .n = n - near, .what = figure->what, .floor = NAN};
	double end = 0;

	open_durations(figure, &canvas);
	if (bars.n > 0)
		end = draw_bars(&bars, 0);
	if (behind.n > 0 && near > 0)
		canvas_text(&canvas, CANVAS_EDGE, CANVAS_ALL, NARROW_LEFT_PX, end + 10, COLOR_INK_2,
			"far slower, on an axis of their own:");
	if (behind.n > 0)
		end = draw_bars(&behind, near > 0 ? end + SPACE_PX + NAME_PX : 0);
	canvas.figure->height = (int)end;
	canvas_close(&canvas);
}

static void durations_of_case(const struct durations *figure)
{
	const json_t *variants = json_object_get(figure->in->family, "variants");
	struct bar *bar = xcalloc(json_array_size(variants), sizeof(*bar));
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(variants); i++) {
		const json_t *variant = json_array_get(variants, i);
		const json_t *measured = tree_case(variant, figure->label);
		const json_t *time = json_object_get(measured, "time");

		if (tree_real(time, "median_ns") > 0 && !tree_true(variant, "part"))
			bar[n++] = (struct bar){variant, time, json_object_get(measured, "apart"), 0};
	}
	if (n > 0)
		durations_figure(figure, bar, n);
	free(bar);
}

/* Of programs whose step decides, its times as well as those of the kernels. */
void figure_durations(const struct figure_family *in)
{
	const char *headline = tree_text(tree_headline(in->family), "label");
	const json_t *floor =
		json_object_get(tree_find_true(json_object_get(in->family, "floors"), "headline"), "floor");

	if (tree_climb_has_all(in->family))
		return;
	if (tree_step_leads(in->family, json_object_get(in->family, "verdicts")))
		durations_of_case(
			&(struct durations){in, "step-durations", "program", bars_show(in->family, "program"), NAN});
	durations_of_case(&(struct durations){
		in, "durations", headline, bars_show(in->family, headline), tree_real(floor, "median_ns")});
}
