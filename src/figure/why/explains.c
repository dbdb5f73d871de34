/* explains.c: the speed-up of a sweep's points against the derived variable of the sweep's rule, or the one that
 * explains it best, the second parameter by the shape of the points, and the threshold of the rule as a line. */
#include "figure/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/grid.h"
#include "figure/why/column.h"
#include "tree/tree.h"
#include "util/axis.h"
#include "util/format.h"

enum { LEFT = 52, RIGHT = 336, KEY_ROW = 18, TOP = 26, PLOT = 200, FOOT = 48, TICKS = 4, INSET = 10 };

/* A span of this many times its beginning is shown by logarithms. */
static const double log_from = 10;

static const struct canvas_look grid = {0.75, COLOR_GRID, false}, thin = {0.75, COLOR_INK_2, false},
				thick = {1.5, COLOR_INK, false}, dashed = {1.25, COLOR_INK, true};

struct scatter {
	struct canvas canvas;
	const json_t *sweep;
	const char *variable; /* id of the derived one */
	bool logarithmic;
	double from, to;  /* of the variable, or of its logarithm */
	double low, high; /* of the ratio */
	double top, bottom;
};

/* ---- points ---- */

static double derived_of(const struct scatter *s, const json_t *point)
{
	return tree_real(tree_find(json_object_get(point, "derived"), "id", s->variable), "value");
}

static double scatter_speedup(const json_t *point, const char *key)
{
	return tree_real(json_object_get(point, "speedup"), key);
}

/* Points where nothing could overlap say nothing about when it pays. */
static bool is_shown(const struct scatter *s, const json_t *point)
{
	const json_t *overlappable = json_object_get(point, "overlappable");

	return isfinite(derived_of(s, point)) && isfinite(scatter_speedup(point, "value")) &&
	       !json_is_false(overlappable);
}

static size_t y_index(const struct scatter *s, const json_t *point)
{
	size_t n = grid_count(s->sweep, "y");

	for (size_t k = 0; k < n; k++) {
		if (grid_value(s->sweep, "y", k) == tree_real(point, "y"))
			return k;
	}
	return 0;
}

/* Whether a curve of the sweep has a point in the picture. */
static bool has_points(const struct scatter *s, size_t k)
{
	const json_t *points = json_object_get(s->sweep, "points");

	for (size_t i = 0; i < json_array_size(points); i++) {
		const json_t *point = json_array_get(points, i);

		if (is_shown(s, point) && y_index(s, point) == k)
			return true;
	}
	return false;
}

/* The shape of a curve's points: by its rank among those that have any. */
static size_t shape_of_curve(const struct scatter *s, size_t k)
{
	size_t rank = 0;

	for (size_t i = 0; i < k; i++)
		rank += has_points(s, i);
	return rank;
}

/* ---- the axes ---- */

/* Whether the sweep's rule is one of this variable. Its threshold is above 0, as logarithms need it. */
static bool has_threshold(const struct scatter *s)
{
	const json_t *rule = json_object_get(s->sweep, "rule");

	return strcmp(tree_text(rule, "variable"), s->variable) == 0 && tree_real(rule, "threshold") > 0;
}

/* Whether the points are at three places of the variable or more: two are no more than a comparison. */
static bool spreads(const struct scatter *s)
{
	const json_t *points = json_object_get(s->sweep, "points");
	double seen[2];
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(points); i++) {
		const json_t *point = json_array_get(points, i);
		double at = derived_of(s, point);

		if (!is_shown(s, point) || (n > 0 && at == seen[0]) || (n > 1 && at == seen[1]))
			continue;
		if (n == 2)
			return true;
		seen[n++] = at;
	}
	return false;
}

/* Sets the axes. */
static void scatter_scale(struct scatter *s)
{
	const json_t *points = json_object_get(s->sweep, "points");
	double from = INFINITY, to = -INFINITY, threshold = tree_real(json_object_get(s->sweep, "rule"), "threshold");

	s->low = s->high = 1;
	for (size_t i = 0; i < json_array_size(points); i++) {
		const json_t *point = json_array_get(points, i);

		if (!is_shown(s, point))
			continue;
		from = fmin(from, derived_of(s, point));
		to = fmax(to, derived_of(s, point));
		s->low = fmin(s->low, fmin(scatter_speedup(point, "value"), scatter_speedup(point, "low")));
		s->high = fmax(s->high, fmax(scatter_speedup(point, "value"), scatter_speedup(point, "high")));
	}
	s->logarithmic = from > 0 && to / from >= log_from;
	if (has_threshold(s)) {
		from = fmin(from, threshold);
		to = fmax(to, threshold);
	}
	s->from = s->logarithmic ? log10(from) : from;
	s->to = s->logarithmic ? log10(to) : to;
	double margin = fmax(0.02, 0.05 * (s->high - s->low));
	s->low -= margin;
	s->high += margin;
}

static double scatter_x(const struct scatter *s, double value)
{
	double place = s->logarithmic ? log10(value) : value;

	return LEFT + INSET + (place - s->from) / (s->to - s->from) * (RIGHT - LEFT - 2 * INSET);
}

static double scatter_y(const struct scatter *s, double ratio)
{
	return s->bottom - (ratio - s->low) / (s->high - s->low) * (s->bottom - s->top);
}

static void scatter_tick(struct scatter *s, double value, double *end)
{
	char text[FORMAT_SIZE];
	double x = scatter_x(s, value), half;

	column_number(text, value);
	half = column_text_px(text) / 2;
	canvas_line(&s->canvas, thin, x, s->bottom, x, s->bottom + 4);
	if (x - half < *end || x + half > COLUMN_PX)
		return;
	canvas_text(&s->canvas, CANVAS_CENTER, CANVAS_ALL, x, s->bottom + 15, COLOR_INK_2, text);
	*end = x + half + 4;
}

/* At powers of ten and, of an axis of few of them, between. */
static void ticks_of_logarithms(struct scatter *s)
{
	static const double fine[] = {1, 2, 5};
	size_t n = s->to - s->from < 2.5 ? 3 : 1;
	double end = 0;

	for (int decade = (int)floor(s->from); decade <= s->to; decade++) {
		for (size_t i = 0; i < n; i++) {
			double value = fine[i] * pow(10, decade);

			if (log10(value) >= s->from - 1e-9 && log10(value) <= s->to + 1e-9)
				scatter_tick(s, value, &end);
		}
	}
}

static void ticks_along(struct scatter *s)
{
	double step = axis_step(s->to - s->from, TICKS), end = 0;

	for (int i = 0; i <= TICKS && (ceil(s->from / step) + i) * step <= s->to; i++)
		scatter_tick(s, (ceil(s->from / step) + i) * step, &end);
}

static void draw_sides(struct scatter *s)
{
	double step = axis_step(s->high - s->low, TICKS), first = ceil(s->low / step);
	double band = tree_real(s->sweep, "band");
	char text[32];

	if (band > 0)
		column_bar(&s->canvas, (struct edges_px){LEFT, scatter_y(s, 1 + band), RIGHT, scatter_y(s, 1 - band)},
			COLOR_GRID, false);
	for (int i = 0; i <= TICKS && (first + i) * step <= s->high; i++) {
		double y = scatter_y(s, (first + i) * step);

		canvas_line(&s->canvas, grid, LEFT, y, RIGHT, y);
		snprintf(text, sizeof(text), "%.4g×", (first + i) * step);
		canvas_text(&s->canvas, CANVAS_RIGHT, CANVAS_ALL, LEFT - 5, y, COLOR_INK_2, text);
	}
	canvas_line(&s->canvas, thick, LEFT, scatter_y(s, 1), RIGHT, scatter_y(s, 1));
	canvas_text(&s->canvas, CANVAS_LEFT, CANVAS_ALL, 0, s->top - (has_threshold(s) ? 12 + KEY_ROW : 12),
		COLOR_INK_2, "speed-up, single / double");
}

static void draw_variable(struct scatter *s)
{
	const json_t *derived = tree_find(json_object_get(s->sweep, "derived"), "id", s->variable);
	const char *title = tree_text(derived, "title"), *unit = tree_text(derived, "unit");
	char text[FORMAT_SIZE];

	if (s->logarithmic)
		ticks_of_logarithms(s);
	else
		ticks_along(s);
	canvas_line(&s->canvas, thin, LEFT, s->bottom, RIGHT, s->bottom);
	snprintf(text, sizeof(text), *unit && !strstr(title, unit) ? "%.40s (%.20s)" : "%.40s",
		*title ? title : s->variable, unit);
	canvas_text(&s->canvas, CANVAS_CENTER, CANVAS_ALL, (LEFT + RIGHT) / 2.0, s->bottom + 36, COLOR_INK_2, text);
}

/* The threshold of the rule, if it is one of this variable. */
static void draw_threshold(struct scatter *s)
{
	const json_t *rule = json_object_get(s->sweep, "rule");
	double threshold = tree_real(rule, "threshold"), x, width;
	char text[64];

	if (!has_threshold(s))
		return;
	x = scatter_x(s, threshold);
	snprintf(text, sizeof(text), "%s %.3g: %.10s", strcmp(tree_text(rule, "relation"), "<=") == 0 ? "≤" : "≥",
		threshold, tree_text(rule, "verdict"));
	width = column_text_px(text);
	canvas_at(&s->canvas, dashed, x, s->top);
	canvas_at(&s->canvas, dashed, x, s->bottom);
	canvas_gap(&s->canvas, dashed);
	canvas_text(&s->canvas, CANVAS_LEFT, CANVAS_ALL, fmin(x - 2, COLUMN_PX - width), s->top - 9, COLOR_INK, text);
}

/* ---- what is in it ---- */

/* By the verdict, as everywhere: double's colour where it is faster, single's where it is slower. */
static unsigned scatter_color(const json_t *point)
{
	const char *verdict = tree_text(point, "verdict");

	return strcmp(verdict, "faster") == 0   ? COLOR_DOUBLE
	       : strcmp(verdict, "slower") == 0 ? COLOR_SINGLE
						: COLOR_INK_2;
}

static void point_name(const struct scatter *s, const json_t *point, char *name, size_t size)
{
	char x[FORMAT_SIZE], y[FORMAT_SIZE];

	grid_label(s->sweep, "x", tree_real(point, "x"), x);
	grid_label(s->sweep, "y", tree_real(point, "y"), y);
	snprintf(name, size, "%.30s %.30s, %.30s %.30s", grid_param(s->sweep, "x"), x, grid_param(s->sweep, "y"), y);
}

static void draw_dot(struct scatter *s, const json_t *point)
{
	double low = scatter_speedup(point, "low"), high = scatter_speedup(point, "high"),
	       value = scatter_speedup(point, "value");
	double x = scatter_x(s, derived_of(s, point)), y = scatter_y(s, value);
	char name[160], ratio[FORMAT_SIZE], interval[FORMAT_SIZE];
	bool known = isfinite(low) && isfinite(high);

	if (known)
		canvas_line(&s->canvas, (struct canvas_look){1.5, scatter_color(point), false}, x, scatter_y(s, low), x,
			scatter_y(s, high));
	column_point(&s->canvas, x, y, shape_of_curve(s, y_index(s, point)), scatter_color(point));
	point_name(s, point, name, sizeof(name));
	format_ratio_within(ratio, sizeof(ratio), value, low, high);
	canvas_mark(&s->canvas, x - 6, y - 6, x + 6, y + 6, false, "%s: %s%s%s%s", name, ratio, known ? " (" : "",
		known ? format_ratios(interval, sizeof(interval), low, high) : "", known ? ")" : "");
}

/* By colour, so that intervals of one colour become one path. */
static void draw_dots(struct scatter *s)
{
	static const unsigned colors[] = {COLOR_INK_2, COLOR_SINGLE, COLOR_DOUBLE};
	const json_t *points = json_object_get(s->sweep, "points");

	for (size_t c = 0; c < sizeof(colors) / sizeof(colors[0]); c++) {
		for (size_t i = 0; i < json_array_size(points); i++) {
			const json_t *point = json_array_get(points, i);

			if (is_shown(s, point) && scatter_color(point) == colors[c])
				draw_dot(s, point);
		}
	}
}

/* The key of the shapes: what the second parameter is in each. Returns its rows; shows it if `shown`. */
static size_t scatter_key(struct scatter *s, bool shown)
{
	const char *param = grid_param(s->sweep, "y");
	char value[FORMAT_SIZE];
	double x = column_text_px(param) + 8;
	size_t row = 0;

	if (!tree_has(s->sweep, "y"))
		return 0;
	if (shown)
		canvas_text(&s->canvas, CANVAS_LEFT, CANVAS_ALL, 0, KEY_ROW / 2.0, COLOR_INK_2, param);
	for (size_t k = 0; k < grid_count(s->sweep, "y"); k++) {
		double width = column_text_px(grid_label(s->sweep, "y", grid_value(s->sweep, "y", k), value)) + 26;

		if (!has_points(s, k))
			continue;
		row += x + width > COLUMN_PX;
		x = x + width > COLUMN_PX ? 0 : x;
		if (shown) {
			column_point(
				&s->canvas, x + 6, KEY_ROW * ((double)row + 0.5), shape_of_curve(s, k), COLOR_INK_2);
			canvas_text(&s->canvas, CANVAS_LEFT, CANVAS_ALL, x + 15, KEY_ROW * ((double)row + 0.5),
				COLOR_INK, value);
		}
		x += width;
	}
	return row + 1;
}

static void scatter_words(const struct scatter *s, const struct figure_family *in)
{
	struct figure *figure = s->canvas.figure;
	const json_t *derived = tree_find(json_object_get(s->sweep, "derived"), "id", s->variable);

	snprintf(figure->title, sizeof(figure->title), "Speed-up against %.60s: %.80s, %.80s",
		tree_text(derived, "title"), tree_text(s->sweep, "title"), tree_text(in->family, "title"));
	snprintf(figure->desc, sizeof(figure->desc),
		"A point for each measured point of the sweep where something can overlap, with its 95 %% interval. "
		"The band "
		"around 1 counts as the same. The table of the sweep has the numbers.");
}

/* What the rule is about; without one, what the gain follows most. */
static const char *scatter_variable(const json_t *sweep)
{
	const json_t *rule = json_object_get(sweep, "rule");

	return tree_has(rule, "variable") ? tree_text(rule, "variable") : tree_text(sweep, "explains");
}

static void explains_figure(const struct figure_family *in, const json_t *sweep)
{
	struct scatter s = {.sweep = sweep, .variable = scatter_variable(sweep)};
	char what[FIGURE_NAME_SIZE];

	/* A sweep of one parameter has its curve, and what is derived from that goes with it. */
	if (!*s.variable || !tree_has(sweep, "y") || !spreads(&s))
		return;
	scatter_scale(&s);
	snprintf(what, sizeof(what), "explains-%.60s", tree_text(sweep, "name"));
	column_open(&s.canvas, in, what, COLUMN_PX);
	s.top = TOP + KEY_ROW * ((double)scatter_key(&s, false) + has_threshold(&s));
	s.bottom = s.top + PLOT;
	s.canvas.figure->height = (int)s.bottom + FOOT;
	scatter_words(&s, in);
	draw_sides(&s);
	draw_variable(&s);
	draw_threshold(&s);
	draw_dots(&s);
	scatter_key(&s, true);
	canvas_close(&s.canvas);
}

void figure_explains(const struct figure_family *in)
{
	const json_t *sweeps = json_object_get(in->family, "sweeps");

	for (size_t i = 0; i < json_array_size(sweeps); i++)
		explains_figure(in, json_array_get(sweeps, i));
}
