/* curve.c: the speed-up along the first parameter of a sweep, a curve for each value of the second, with
 * intervals, what was predicted, and the crossovers. At most CURVES of them stand in one picture. */
#include "figure/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/panel.h"
#include "tree/tree.h"
#include "util/axis.h"
#include "util/format.h"

enum { CURVES = GRID_CURVES, OUTSIDE_PX = 18, TICKS = 7 };

/* Of even lightness, so that they hold in light and dark; in the order of the second parameter. None means anything
 * else on the page. */
static const unsigned colors[CURVES] = {0x1A9E96, 0x3F8FB5, 0x5F7CC4, 0x7F68C4, 0x9E57B5, 0xB9469B};

/* ---- the ground ---- */

static void draw_ratios(struct panel *p)
{
	double step = axis_step(p->high - p->low, TICKS), first = ceil(p->low / step);
	double band = tree_real(p->sweep, "band");
	char text[32];

	canvas_rect(&p->canvas, CANVAS_FILL, p->left, panel_y(p, 1 + band), p->right, panel_y(p, 1 - band), COLOR_GRID);
	/* Counted, so that it ends also where a step is too small to change the number. */
	for (int i = 0; i <= TICKS && (first + i) * step <= p->high; i++) {
		double at = (first + i) * step;

		canvas_line(&p->canvas, CANVAS_THIN, p->left, panel_y(p, at), p->right, panel_y(p, at), COLOR_GRID);
		snprintf(text, sizeof(text), "%g", round(at * 1e6) / 1e6);
		canvas_text(&p->canvas, CANVAS_RIGHT, p->left - 6, panel_y(p, at), COLOR_INK_2, text);
	}
	canvas_line(&p->canvas, CANVAS_THICK, p->left, panel_y(p, 1), p->right, panel_y(p, 1), COLOR_INK);
	canvas_text(&p->canvas, CANVAS_LEFT, 6, 10, COLOR_INK_2,
		"time of single / time of double: above 1, double is faster");
}

/* Where the name of value `i` stands, which must not reach over the edge, and half of its width. */
static double name_px(const struct panel *p, size_t i, char *text, double *half)
{
	double value = grid_value(p->sweep, "x", i);

	*half = figure_text_width(grid_label(p->sweep, "x", value, text), p->canvas.font) / 2;
	return fmin(panel_x(p, value), p->canvas.figure->width - *half);
}

static bool names_fit(const struct panel *p, size_t stride)
{
	char text[FORMAT_SIZE];
	double end = -INFINITY, half;

	for (size_t i = 0; i < grid_count(p->sweep, "x"); i += stride) {
		double x = name_px(p, i, text, &half);

		if (x - half < end)
			return false;
		end = x + half;
	}
	return true;
}

static void draw_values(struct panel *p)
{
	size_t n = grid_count(p->sweep, "x"), stride = 1;
	char text[FORMAT_SIZE];
	double half;

	while (stride < n && !names_fit(p, stride))
		stride++;
	for (size_t i = 0; i < n; i++) {
		double x = panel_x(p, grid_value(p->sweep, "x", i));

		canvas_line(&p->canvas, CANVAS_THIN, x, p->bottom, x, p->bottom + 5, COLOR_INK_2);
		if (i % stride == 0)
			canvas_text(&p->canvas, CANVAS_CENTER, name_px(p, i, text, &half), p->bottom + 15, COLOR_INK_2,
				text);
	}
	canvas_line(&p->canvas, CANVAS_THIN, p->left, p->bottom, p->right, p->bottom, COLOR_INK_2);
	canvas_text(&p->canvas, CANVAS_CENTER, (p->left + p->right) / 2, p->bottom + 37, COLOR_INK_2,
		grid_title(p->sweep, "x", text));
}

/* ---- curves ---- */

/* As far apart as the number of curves allows. */
static unsigned curve_color(const struct panel *p, size_t k)
{
	size_t steps = p->n > 1 ? p->n - 1 : 1;

	return tree_has(p->sweep, "y") ? colors[(k - p->first) * (CURVES - 1) / steps] : COLOR_INK;
}

static void draw_point(struct panel *p, const json_t *point, double x, unsigned color)
{
	const json_t *speedup = json_object_get(point, "speedup");
	double low = tree_real(speedup, "low"), high = tree_real(speedup, "high");
	const char *verdict = tree_text(point, "verdict");
	bool clear = strcmp(verdict, "unclear") != 0 && strcmp(verdict, "nothing") != 0;

	if (isfinite(low) && isfinite(high))
		canvas_line(&p->canvas, CANVAS_THICK, x, panel_y(p, low), x, panel_y(p, high), color);
	canvas_at(&p->canvas, clear ? CANVAS_POINT : CANVAS_RING, x, panel_y(p, tree_real(speedup, "value")), color);
}

/* A point without a value breaks the line: nothing is known there. Returns the place of the last one that has one in
 * *x and *y, in px; false if there is none. */
static bool draw_curve(struct panel *p, size_t k, double *last_x, double *last_y)
{
	unsigned color = curve_color(p, k);
	bool any = false;

	for (size_t i = 0; i < grid_count(p->sweep, "x"); i++) {
		const json_t *point = grid_point(p->sweep, i, k);
		double ratio = tree_real(json_object_get(point, "speedup"), "value");
		double x = panel_x(p, grid_value(p->sweep, "x", i));

		if (!point)
			continue; /* not in the grid */
		if (!isfinite(ratio)) {
			canvas_gap(&p->canvas, CANVAS_CURVE);
			continue;
		}
		canvas_at(&p->canvas, CANVAS_CURVE, x, panel_y(p, ratio), color);
		draw_point(p, point, x, color);
		*last_x = x;
		*last_y = panel_y(p, ratio);
		any = true;
	}
	canvas_gap(&p->canvas, CANVAS_CURVE);
	return any;
}

static bool predicted_inside(const struct panel *p, double ratio)
{
	return ratio >= p->low && ratio <= p->high;
}

/* Only beside what was measured. What lies outside the axis is left out, and counted in *outside. */
static void draw_predicted(struct panel *p, size_t k, size_t *outside)
{
	for (size_t i = 0; i < grid_count(p->sweep, "x"); i++) {
		const json_t *point = grid_point(p->sweep, i, k);
		double ratio = tree_real(json_object_get(point, "predicted"), "ratio");
		bool measured = tree_true(point, "measured");

		if (!point)
			continue;
		*outside += measured && isfinite(ratio) && !predicted_inside(p, ratio);
		if (measured && predicted_inside(p, ratio))
			canvas_at(&p->canvas, CANVAS_DASHED, panel_x(p, grid_value(p->sweep, "x", i)),
				panel_y(p, ratio), curve_color(p, k));
		else
			canvas_gap(&p->canvas, CANVAS_DASHED);
	}
	canvas_gap(&p->canvas, CANVAS_DASHED);
}

/* A line of its own below the title of the axis. */
static void draw_outside(struct panel *p, size_t outside)
{
	char text[64];

	if (outside == 0)
		return;
	snprintf(text, sizeof(text),
		outside == 1 ? "%zu prediction lies outside the picture" : "%zu predictions lie outside the picture",
		outside);
	p->canvas.figure->height += OUTSIDE_PX;
	canvas_text(
		&p->canvas, CANVAS_CENTER, (p->left + p->right) / 2, p->bottom + 37 + OUTSIDE_PX, COLOR_INK_2, text);
}

/* ---- names ---- */

/* Where a curve ends, in px, and the height of its name. */
struct end {
	size_t curve;
	double x, y, name_y;
};

static int by_height(const void *left, const void *right)
{
	const struct end *a = left, *b = right;

	return (a->y > b->y) - (a->y < b->y);
}

/* Names start at the ends of their curves. Moves them apart, and all of them into the plot. */
static void curve_spread(const struct panel *p, struct end *ends, size_t n)
{
	double line = p->canvas.font + 3, over;

	qsort(ends, n, sizeof(*ends), by_height);
	for (size_t i = 0; i < n; i++)
		ends[i].name_y = i == 0 ? ends[i].y : fmax(ends[i].y, ends[i - 1].name_y + line);
	over = n ? ends[n - 1].name_y - (p->bottom - line / 2) : 0;
	for (size_t i = n; i-- > 0 && over > 0;) {
		ends[i].name_y = fmin(ends[i].name_y, p->bottom - line / 2 - line * (double)(n - 1 - i));
	}
}

/* In a column at the right, each with a thin line from the end of its curve, which may be far from there. */
static void draw_names(struct panel *p, struct end *ends, size_t n)
{
	char text[FORMAT_SIZE];

	curve_spread(p, ends, n);
	for (size_t i = 0; i < n; i++) {
		unsigned color = curve_color(p, ends[i].curve);

		canvas_line(&p->canvas, CANVAS_THIN, ends[i].x, ends[i].y, p->right + 2, ends[i].name_y, color);
		canvas_text(&p->canvas, CANVAS_LEFT, p->right + 4, ends[i].name_y, color,
			panel_curve_name(p, ends[i].curve, text));
	}
}

/* Where the letter of a crossover stands, in px. */
struct letter {
	double x, y;
};

/* Above the crossover, and above the letters that are there already. */
static struct letter letter_place(const struct letter *placed, size_t n, double x, double y)
{
	struct letter letter = {x, y - 14};

	for (size_t i = 0; i < n; i++) {
		if (fabs(placed[i].x - letter.x) < 12 && fabs(placed[i].y - letter.y) < 13) {
			letter.y = placed[i].y - 14;
			i = (size_t)-1; /* look at all of them again */
		}
	}
	return letter;
}

/* In the middle between its neighbours, if it is not known where. */
static double crossover_px(const struct panel *p, const json_t *crossover)
{
	double x = tree_real(crossover, "x");

	if (isfinite(x))
		return panel_x(p, x);
	return (panel_x(p, tree_real(crossover, "from")) + panel_x(p, tree_real(crossover, "to"))) / 2;
}

static bool in_panel(const struct panel *p, const json_t *crossover)
{
	for (size_t k = p->first; k < p->first + p->n; k++) {
		if (!tree_has(p->sweep, "y") || tree_real(crossover, "y") == grid_value(p->sweep, "y", k))
			return true;
	}
	return false;
}

/* "A", "B" ... as in the list below the picture, and a mark where the place is known. */
static void draw_crossovers(struct panel *p)
{
	const json_t *crossovers = json_object_get(p->sweep, "crossovers");
	struct letter placed[26];
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(crossovers) && i < 26; i++) {
		const json_t *crossover = json_array_get(crossovers, i);
		double x = crossover_px(p, crossover), y = panel_y(p, tree_real(crossover, "level"));
		char letter[] = {(char)('A' + i), '\0'};

		if (!in_panel(p, crossover))
			continue;
		if (tree_has(crossover, "x"))
			canvas_at(&p->canvas, CANVAS_DIAMOND, x, y, COLOR_INK);
		placed[n] = letter_place(placed, n, x, y);
		canvas_text(&p->canvas, CANVAS_CENTER, placed[n].x, placed[n].y, COLOR_INK, letter);
		n++;
	}
}

/* ---- the figures ---- */

static void curve_draw_panel(struct panel *p)
{
	struct end ends[CURVES];
	size_t n = 0, outside = 0;

	draw_ratios(p);
	draw_values(p);
	for (size_t k = p->first; k < p->first + p->n; k++) {
		draw_predicted(p, k, &outside);
		if (draw_curve(p, k, &ends[n].x, &ends[n].y))
			ends[n++].curve = k;
	}
	if (tree_has(p->sweep, "y"))
		draw_names(p, ends, n);
	draw_crossovers(p);
	draw_outside(p, outside);
}

static void panel_figure(
	const struct figure_family *in, const json_t *sweep, size_t number, size_t part, enum figure_form form)
{
	size_t curves = grid_count(sweep, "y"), first = part * CURVES;
	struct panel panel = {.sweep = sweep, .first = first, .n = curves - first < CURVES ? curves - first : CURVES};
	char what[64], name[FIGURE_NAME_SIZE];

	snprintf(what, sizeof(what), "sweep-%zu-curve-%zu", number, part);
	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), what);
	canvas_open(&panel.canvas, in->figures, name, form);
	snprintf(panel.canvas.figure->title, sizeof(panel.canvas.figure->title), "Speed-up over %.100s",
		grid_param(sweep, "x"));
	snprintf(panel.canvas.figure->desc, sizeof(panel.canvas.figure->desc),
		"Time of single over time of double with its 95 %% interval; dashed: as predicted. The table of points "
		"has the same numbers.");
	panel_lay_out(&panel, form);
	curve_draw_panel(&panel);
	canvas_close(&panel.canvas);
}

static void sweep_figures(const struct figure_family *in, const json_t *sweep, size_t number)
{
	size_t parts = (grid_count(sweep, "y") + CURVES - 1) / CURVES;

	for (size_t part = 0; part < parts; part++) {
		for (enum figure_form form = FIGURE_WIDE; form < FIGURE_FORMS; form++)
			panel_figure(in, sweep, number, part, form);
	}
}

void figure_curve(const struct figure_family *in)
{
	const json_t *sweeps = json_object_get(in->family, "sweeps");

	for (size_t i = 0; i < json_array_size(sweeps); i++) {
		const json_t *sweep = json_array_get(sweeps, i);

		if (tree_real(sweep, "measured") > 0 && grid_count(sweep, "x") > 1)
			sweep_figures(in, sweep, i);
	}
}
