/* values.c: what each value of a contrast's `--vary` takes: kernels above, the program below, each with an axis of its
 * own. */
#include "figure/figure.h"

#include <math.h>
#include <string.h>

#include "figure/canvas.h"
#include "tree/tree.h"
#include "util/axis.h"
#include "util/clip.h"
#include "util/format.h"

enum {
	HEAD_PX = 26,   /* above a plot: what it shows */
	PLOT_PX = 150,  /* its height */
	MARGIN_PX = 20, /* kept free in it above and below, for names of points */
	SPACE_PX = 14,  /* between plots */
	TICKS = 4,
	DECADES = 5, /* with more, not each has a line */
	LEFT_PX = 64,
	RIGHT_PX = 24,
	LABEL_SIZE = 20,
};

/* Share of the plot that is kept free at each side. */
#define EDGE 0.04

/* From this ratio of the largest value to the smallest on, the axis has their logarithms. */
#define LOG_FROM 16

struct values {
	struct canvas canvas;
	const json_t *curve, *points;
	const char *single, *best;
	size_t n;
	bool is_log, is_numeric;
	double from, to; /* places at the first and at the last value */
};

/* One of the two plots. */
struct value_plot {
	const char *ns, *quartiles, *title; /* keys of a point; what it shows */
	double top, bottom;                 /* px */
	bool is_log;
	double low, high, scale; /* ns at the bottom and at the top; of a unit */
	const char *unit;
};

/* The times that verdict, best and ring are of. */
static const char *deciding_time(const struct values *values)
{
	return strcmp(tree_text(values->curve, "basis"), "range") == 0 ? "program_ns" : "kernels_ns";
}

static bool plot_decides(const struct values *values, const struct value_plot *plot)
{
	return strcmp(plot->ns, deciding_time(values)) == 0;
}

/* ---- places ---- */

static const json_t *value_point(const struct values *values, size_t i)
{
	return json_array_get(values->points, i);
}

static double value_place(const struct values *values, size_t i)
{
	double number = tree_real(value_point(values, i), "number");

	if (!values->is_numeric)
		return (double)i;
	return values->is_log ? log2(number) : number;
}

static double value_x(const struct values *values, size_t i)
{
	double span = values->to - values->from;
	double share = span > 0 ? (value_place(values, i) - values->from) / span : 0.5;

	return CANVAS_WIDTH * (EDGE + (1 - 2 * EDGE) * share);
}

static double time_y(const struct value_plot *plot, double ns)
{
	double share = plot->is_log ? log(ns / plot->low) / log(plot->high / plot->low)
				    : (ns - plot->low) / (plot->high - plot->low);

	return plot->bottom - (plot->bottom - plot->top) * share;
}

/* Points stand in the order of their numbers. */
static void place_values(struct values *values)
{
	double first = tree_real(value_point(values, 0), "number");
	double last = tree_real(value_point(values, values->n - 1), "number");

	values->is_log = values->is_numeric && first > 0 && last / first >= LOG_FROM;
	values->from = value_place(values, 0);
	values->to = value_place(values, values->n - 1);
}

static double quartile(const struct value_plot *plot, const json_t *point, size_t which)
{
	const json_t *list = json_object_get(point, plot->quartiles);

	return json_is_number(json_array_get(list, which)) ? json_number_value(json_array_get(list, which)) : NAN;
}

/* Whether the slowest value would squeeze the others. */
static bool any_is_far(const struct values *values, const struct value_plot *plot)
{
	double low = INFINITY, high = 0;

	for (size_t i = 0; i < values->n; i++) {
		double ns = tree_real(value_point(values, i), plot->ns);

		low = fmin(low, ns);
		high = fmax(high, ns);
	}
	return high > FIGURE_FAR * low;
}

/* A twentieth at least, so that noise is not seen. */
static void spread_times(struct value_plot *plot)
{
	double least = plot->high / 20, middle = (plot->low + plot->high) / 2, spare;

	if (plot->high - plot->low < least) {
		plot->low = middle - least / 2;
		plot->high = middle + least / 2;
	}
	spare = (plot->high - plot->low) * MARGIN_PX / (PLOT_PX - 2 * MARGIN_PX);
	plot->low = fmax(0, plot->low - spare);
	plot->high += spare;
}

static void spread_logarithms(struct value_plot *plot)
{
	double spare = pow(plot->high / plot->low, (double)MARGIN_PX / (PLOT_PX - 2 * MARGIN_PX));

	plot->low /= spare;
	plot->high *= spare;
}

/* From the shortest to the longest, so that small differences are seen. */
static void scale_times(const struct values *values, struct value_plot *plot)
{
	plot->low = INFINITY;
	plot->high = 0;
	for (size_t i = 0; i < values->n; i++) {
		const json_t *point = value_point(values, i);

		plot->low = fmin(plot->low, fmin(tree_real(point, plot->ns), quartile(plot, point, 0)));
		plot->high = fmax(plot->high, fmax(tree_real(point, plot->ns), quartile(plot, point, 1)));
	}
	plot->is_log = plot->low > 0 && any_is_far(values, plot);
	if (plot->is_log)
		spread_logarithms(plot);
	else
		spread_times(plot);
	plot->unit = figure_time_unit(plot->high, &plot->scale);
}

/* ---- the ground ---- */

static void draw_time(struct values *values, const struct value_plot *plot, double in_unit)
{
	double y = time_y(plot, in_unit * plot->scale);
	char text[64];

	canvas_line(&values->canvas, (struct canvas_look){0.75, COLOR_GRID, false}, 0, y, CANVAS_WIDTH, y);
	snprintf(text, sizeof(text), "%.6g", in_unit);
	canvas_text(&values->canvas, CANVAS_NAME, CANVAS_ALL, 0, y, COLOR_INK_2, text);
}

static void draw_even_times(struct values *values, const struct value_plot *plot)
{
	double low = plot->low / plot->scale, high = plot->high / plot->scale;
	double step = axis_step(high - low, TICKS), first = ceil(low / step);

	/* Counted, so that it ends also where a step is too small to change the number. */
	for (int i = 0; i <= TICKS && (first + i) * step <= high; i++)
		draw_time(values, plot, round((first + i) * step * 1e6) / 1e6);
}

/* Powers of ten; of few decades their double and their half, too. */
static void draw_logarithms(struct values *values, const struct value_plot *plot)
{
	static const double parts[] = {1, 2, 5};
	double low = plot->low / plot->scale, high = plot->high / plot->scale, decades = log10(high / low);
	int first = (int)floor(log10(low)), last = (int)floor(log10(high)), stride = (int)ceil(decades / DECADES);

	for (int i = first; i <= last; i += stride)
		for (int k = 0; k < (decades < 2 ? 3 : 1); k++)
			if (parts[k] * pow(10, i) >= low && parts[k] * pow(10, i) <= high)
				draw_time(values, plot, parts[k] * pow(10, i));
}

static void draw_times(struct values *values, const struct value_plot *plot)
{
	char text[64];

	if (plot->is_log)
		draw_logarithms(values, plot);
	else
		draw_even_times(values, plot);
	snprintf(text, sizeof(text), "%s (%s%s)", plot->title, plot->unit, plot->is_log ? ", logarithmic" : "");
	canvas_text(&values->canvas, CANVAS_EDGE, CANVAS_ALL, 6, plot->top - HEAD_PX / 2.0, COLOR_INK_2, text);
	canvas_line(&values->canvas, (struct canvas_look){0.75, COLOR_INK_2, false}, 0, plot->bottom, CANVAS_WIDTH,
		plot->bottom);
}

/* A hidden value is called as its side. */
static const char *value_label(const json_t *point, char text[LABEL_SIZE])
{
	clip_print(text, LABEL_SIZE, "%s", tree_text(point, tree_has(point, "value") ? "value" : "variant"));
	return text;
}

/* Whether the names of all points, each `stride`th, have room on wide or on narrow pages. */
static bool labels_fit(const struct values *values, size_t stride, enum canvas_pages pages)
{
	char text[LABEL_SIZE];

	for (size_t i = stride; i < values->n; i += stride) {
		double room = value_x(values, i) - value_x(values, i - stride);
		enum canvas_pages fits = canvas_fits(&values->canvas, room, value_label(value_point(values, i), text));

		if (fits != CANVAS_ALL && fits != pages)
			return false;
	}
	return true;
}

static size_t labels_stride(const struct values *values, enum canvas_pages pages)
{
	size_t stride = 1;

	while (stride < values->n && !labels_fit(values, stride, pages))
		stride++;
	return stride;
}

static void draw_value_labels(struct values *values, double bottom)
{
	size_t wide = labels_stride(values, CANVAS_WIDE), narrow = labels_stride(values, CANVAS_NARROW);
	char text[LABEL_SIZE], name[64];

	for (size_t i = 0; i < values->n; i++) {
		double x = value_x(values, i);
		enum canvas_pages pages = i % wide == 0     ? i % narrow == 0 ? CANVAS_ALL : CANVAS_WIDE
					  : i % narrow == 0 ? CANVAS_NARROW
							    : CANVAS_NEVER;

		canvas_line(&values->canvas, (struct canvas_look){0.75, COLOR_INK_2, false}, x, bottom, x, bottom + 5);
		canvas_text(&values->canvas, CANVAS_CENTER, pages, x, bottom + 15, COLOR_INK_2,
			value_label(value_point(values, i), text));
	}
	clip_print(name, sizeof(name), "%s", tree_text(values->curve, "name"));
	canvas_text(&values->canvas, CANVAS_CENTER, CANVAS_ALL, CANVAS_WIDTH / 2.0, bottom + 36, COLOR_INK_2, name);
}

/* ---- points ---- */

/* "stages=3: 720 µs, quartiles 719 µs to 721 µs, faster" */
static void mark_value(struct values *values, const struct value_plot *plot, const json_t *point, double x, double y)
{
	char time[FORMAT_SIZE], low[FORMAT_SIZE], high[FORMAT_SIZE];
	const char *verdict = plot_decides(values, plot) ? tree_text(point, "verdict") : "";

	format_time_ns(time, sizeof(time), tree_real(point, plot->ns));
	format_time_ns(low, sizeof(low), quartile(plot, point, 0));
	format_time_ns(high, sizeof(high), quartile(plot, point, 1));
	canvas_mark(&values->canvas, x - 12, y - 8, x + 12, y + 8, false, "%.100s: %s, quartiles %s to %s%s%s",
		tree_text(point, "variant"), time, low, high, *verdict ? ", " : "", verdict);
}

static void draw_value(struct values *values, const struct value_plot *plot, const json_t *point, double x)
{
	const char *variant = tree_text(point, "variant");
	bool is_single = strcmp(variant, values->single) == 0;
	unsigned color = is_single ? COLOR_SINGLE : COLOR_DOUBLE;
	double y = time_y(plot, tree_real(point, plot->ns)), low = quartile(plot, point, 0);

	if (isfinite(low))
		canvas_line(&values->canvas, (struct canvas_look){1.5, COLOR_INK, false}, x, time_y(plot, low), x,
			time_y(plot, quartile(plot, point, 1)));
	if (plot_decides(values, plot) && strcmp(tree_text(point, "verdict"), "unclear") == 0)
		canvas_ring(&values->canvas, x, y, 9, color);
	else
		canvas_dot(&values->canvas, x, y, 8, color);
	if (is_single)
		canvas_text(&values->canvas, CANVAS_CENTER, CANVAS_ALL, x, y - 13, COLOR_INK, "single");
	if (plot_decides(values, plot) && strcmp(variant, values->best) == 0)
		canvas_text(&values->canvas, CANVAS_CENTER, CANVAS_ALL, x, y + 13, COLOR_INK, "best");
	mark_value(values, plot, point, x, y);
}

/* What is within so much of the best one's time counts as good: a dashed line. */
static void draw_good_enough(struct values *values, const struct value_plot *plot)
{
	const json_t *best = tree_find(values->points, "variant", values->best);
	double ns = tree_real(best, plot->ns) * (1 + tree_real(values->curve, "within"));

	if (ns <= plot->high)
		canvas_line(&values->canvas, (struct canvas_look){1, COLOR_INK_2, true}, 0, time_y(plot, ns),
			CANVAS_WIDTH, time_y(plot, ns));
}

/* A value without a time breaks the line. */
static void draw_value_line(struct values *values, const struct value_plot *plot)
{
	const struct canvas_look look = {2, COLOR_INK_2, false};

	for (size_t i = 0; i < values->n; i++) {
		double ns = tree_real(value_point(values, i), plot->ns);

		if (isfinite(ns))
			canvas_at(&values->canvas, look, value_x(values, i), time_y(plot, ns));
		else
			canvas_gap(&values->canvas, look);
	}
	canvas_gap(&values->canvas, look);
	for (size_t i = 0; i < values->n; i++)
		if (isfinite(tree_real(value_point(values, i), plot->ns)))
			draw_value(values, plot, value_point(values, i), value_x(values, i));
}

/* ---- the figure ---- */

static bool any_time(const struct values *values, const char *key)
{
	for (size_t i = 0; i < values->n; i++)
		if (tree_real(value_point(values, i), key) > 0)
			return true;
	return false;
}

/* Returns where it ends. */
static double draw_value_plot(struct values *values, struct value_plot *plot, double top)
{
	plot->top = top + HEAD_PX;
	plot->bottom = plot->top + PLOT_PX;
	draw_times(values, plot);
	if (plot_decides(values, plot))
		draw_good_enough(values, plot);
	draw_value_line(values, plot);
	return plot->bottom;
}

static size_t add_value_plot(const struct values *values, struct value_plot plot, struct value_plot *plots, size_t n)
{
	if (!any_time(values, plot.ns))
		return n;
	scale_times(values, &plot);
	plots[n] = plot;
	return n + 1;
}

/* Those that have times, first the one that decides; returns how many. */
static size_t plan_value_plots(const struct values *values, struct value_plot plots[2])
{
	const struct value_plot both[] = {
		{.ns = "kernels_ns", .quartiles = "kernels_quartiles_ns", .title = "kernels, a step"},
		{.ns = "program_ns", .quartiles = "program_quartiles_ns", .title = "program, a step"},
	};
	size_t first = plot_decides(values, &both[1]) ? 1 : 0;

	return add_value_plot(values, both[1 - first], plots, add_value_plot(values, both[first], plots, 0));
}

static void values_draw(struct values *values)
{
	struct value_plot plots[2];
	size_t n = plan_value_plots(values, plots);
	double end = 0;

	for (size_t i = 0; i < n; i++)
		end = draw_value_plot(values, &plots[i], i > 0 ? end + SPACE_PX : 0);
	draw_value_labels(values, end);
	values->canvas.figure->height = (int)end + CANVAS_AXIS_PX;
}

static struct values values_of(const json_t *family)
{
	const json_t *curve = json_object_get(family, "curve"), *points = json_object_get(curve, "points");

	return (struct values){.curve = curve,
		.points = points,
		.single = tree_text(family, "single"),
		.best = tree_text(curve, "best"),
		.n = json_array_size(points),
		.is_numeric = tree_true(curve, "numeric")};
}

/* ---- its axes in words ---- */

enum value_axis { FROM_ZERO, NOT_FROM_ZERO, LOGARITHMIC };

static enum value_axis axis_kind(const struct value_plot *plot)
{
	if (plot->is_log)
		return LOGARITHMIC;
	return plot->low > 0 ? NOT_FROM_ZERO : FROM_ZERO;
}

static void add_axis_words(const struct value_plot *plot, bool alone, char *text, size_t size)
{
	static const char *const words[] = {NULL, "does not begin at zero", "is logarithmic"};
	const char *says = words[axis_kind(plot)];
	const char *of = strcmp(plot->ns, "program_ns") == 0 ? " of the program" : " of kernels";

	if (says)
		clip_append(text, size, "%sThe axis of times%s %s.", *text ? " " : "", alone ? "" : of, says);
}

void figure_values_axes(const json_t *family, char *text, size_t size)
{
	static const char *const of_both[] = {
		"", "The axes of times do not begin at zero.", "The axes of times are logarithmic."};
	struct values values = values_of(family);
	struct value_plot plots[2];
	size_t n = plan_value_plots(&values, plots);

	*text = '\0';
	if (n == 2 && axis_kind(&plots[0]) == axis_kind(&plots[1])) {
		clip_print(text, size, "%s", of_both[axis_kind(&plots[0])]);
		return;
	}
	for (size_t i = 0; i < n; i++)
		add_axis_words(&plots[i], n == 1, text, size);
}

void figure_values(const struct figure_family *in)
{
	struct values values = values_of(in->family);
	char name[FIGURE_NAME_SIZE];

	if (values.n < 2 || !any_time(&values, deciding_time(&values)))
		return;
	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), "values");
	canvas_open(&values.canvas, in->figures, name, (struct svg_frame){LEFT_PX, LEFT_PX, RIGHT_PX, RIGHT_PX});
	clip_print(values.canvas.figure->title, sizeof(values.canvas.figure->title), "Times over %s",
		tree_text(values.curve, "name"));
	clip_print(values.canvas.figure->desc, sizeof(values.canvas.figure->desc),
		"Time of a step for each value. The table of values has the same numbers.");
	place_values(&values);
	values_draw(&values);
	canvas_close(&values.canvas);
}
