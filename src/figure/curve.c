/* curve.c: the speed-up along the parameter of a sweep that has one, with intervals, what was predicted, and the
 * crossovers. A sweep of two parameters has a heat map instead. */
#include "figure/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/panel.h"
#include "tree/tree.h"
#include "util/axis.h"
#include "util/format.h"

enum { OUTSIDE_PX = 18, TICKS = 7, LEFT_PX = 52, RIGHT_PX = 24 };

static const struct canvas_look grid = {0.75, COLOR_GRID, false};

/* ---- the ground ---- */

static void draw_ratios(struct panel *p)
{
	double step = axis_step(p->high - p->low, TICKS), first = ceil(p->low / step);
	double band = tree_real(p->sweep, "band");
	char text[32];

	if (isfinite(band))
		canvas_bar(&p->canvas, 0, CANVAS_WIDTH, panel_y(p, 1 + band),
			panel_y(p, 1 - band) - panel_y(p, 1 + band), COLOR_GRID);
	/* Counted, so that it ends also where a step is too small to change the number. */
	for (int i = 0; i <= TICKS && (first + i) * step <= p->high; i++) {
		double at = (first + i) * step;

		canvas_line(&p->canvas, grid, 0, panel_y(p, at), CANVAS_WIDTH, panel_y(p, at));
		snprintf(text, sizeof(text), "%g", round(at * 1e6) / 1e6);
		canvas_text(&p->canvas, CANVAS_NAME, CANVAS_ALL, 0, panel_y(p, at), COLOR_INK_2, text);
	}
	canvas_line(
		&p->canvas, (struct canvas_look){1.5, COLOR_INK, false}, 0, panel_y(p, 1), CANVAS_WIDTH, panel_y(p, 1));
	canvas_text(&p->canvas, CANVAS_EDGE, CANVAS_WIDE, 6, 10, COLOR_INK_2,
		"time of single / time of double: above 1, double is faster");
	canvas_text(&p->canvas, CANVAS_EDGE, CANVAS_NARROW, 6, 10, COLOR_INK_2, "time of single / time of double");
}

/* Whether each `stride`th name has room on wide or on narrow pages. */
static bool names_fit(const struct panel *p, size_t stride, enum canvas_pages pages)
{
	char text[FORMAT_SIZE];
	double last = -INFINITY;

	for (size_t i = 0; i < grid_count(p->sweep, "x"); i += stride) {
		double value = grid_value(p->sweep, "x", i), x = panel_x(p, value);
		enum canvas_pages fits =
			canvas_fits(&p->canvas, fmin(CANVAS_WIDTH, x - last), grid_label(p->sweep, "x", value, text));

		if (fits != CANVAS_ALL && fits != pages)
			return false;
		last = x;
	}
	return true;
}

static size_t names_stride(const struct panel *p, enum canvas_pages pages)
{
	size_t n = grid_count(p->sweep, "x"), stride = 1;

	while (stride < n && !names_fit(p, stride, pages))
		stride++;
	return stride;
}

static void draw_values(struct panel *p)
{
	size_t wide = names_stride(p, CANVAS_WIDE), narrow = names_stride(p, CANVAS_NARROW);
	char text[FORMAT_SIZE];

	for (size_t i = 0; i < grid_count(p->sweep, "x"); i++) {
		double value = grid_value(p->sweep, "x", i), x = panel_x(p, value);
		enum canvas_pages pages = i % wide == 0     ? i % narrow == 0 ? CANVAS_ALL : CANVAS_WIDE
					  : i % narrow == 0 ? CANVAS_NARROW
							    : CANVAS_NEVER;

		canvas_line(&p->canvas, (struct canvas_look){0.75, COLOR_INK_2, false}, x, p->bottom, x, p->bottom + 5);
		canvas_text(&p->canvas, CANVAS_CENTER, pages, x, p->bottom + 15, COLOR_INK_2,
			grid_label(p->sweep, "x", value, text));
	}
	canvas_line(&p->canvas, (struct canvas_look){0.75, COLOR_INK_2, false}, 0, p->bottom, CANVAS_WIDTH, p->bottom);
	canvas_text(&p->canvas, CANVAS_CENTER, CANVAS_ALL, CANVAS_WIDTH / 2.0, p->bottom + 36, COLOR_INK_2,
		grid_title(p->sweep, "x", text));
}

/* ---- the curve ---- */

/* "n 65,536: 1.21 (1.2 to 1.22), faster" */
static void mark_point(struct panel *p, const json_t *point, double x, double y)
{
	const json_t *speedup = json_object_get(point, "speedup");
	double low = tree_real(speedup, "low"), high = tree_real(speedup, "high");
	char value[FORMAT_SIZE], interval[64] = "";

	if (isfinite(low) && isfinite(high))
		snprintf(interval, sizeof(interval), " (%.4g to %.4g)", low, high);
	canvas_mark(&p->canvas, x - 12, y - 8, x + 12, y + 8, false, "%s %s: %.4g%s, %s", grid_param(p->sweep, "x"),
		grid_words(p->sweep, "x", tree_real(point, "x"), value), tree_real(speedup, "value"), interval,
		tree_text(point, "verdict"));
}

static void draw_point(struct panel *p, const json_t *point, double x)
{
	const json_t *speedup = json_object_get(point, "speedup");
	double low = tree_real(speedup, "low"), high = tree_real(speedup, "high");
	double y = panel_y(p, tree_real(speedup, "value"));
	const char *verdict = tree_text(point, "verdict");

	if (isfinite(low) && isfinite(high))
		canvas_line(&p->canvas, (struct canvas_look){1.5, COLOR_INK, false}, x, panel_y(p, low), x,
			panel_y(p, high));
	if (strcmp(verdict, "unclear") == 0 || strcmp(verdict, "nothing") == 0)
		canvas_ring(&p->canvas, x, y, 9, COLOR_INK);
	else
		canvas_dot(&p->canvas, x, y, 8, COLOR_INK);
	mark_point(p, point, x, y);
}

/* A point without a value breaks the line: nothing is known there. */
static void draw_curve(struct panel *p)
{
	const struct canvas_look look = {2.25, COLOR_INK, false};

	for (size_t i = 0; i < grid_count(p->sweep, "x"); i++) {
		const json_t *point = grid_point(p->sweep, i, 0);
		double ratio = tree_real(json_object_get(point, "speedup"), "value");
		double x = panel_x(p, grid_value(p->sweep, "x", i));

		if (!point)
			continue; /* not in the grid */
		if (!isfinite(ratio)) {
			canvas_gap(&p->canvas, look);
			continue;
		}
		canvas_at(&p->canvas, look, x, panel_y(p, ratio));
		draw_point(p, point, x);
	}
	canvas_gap(&p->canvas, look);
}

static bool predicted_inside(const struct panel *p, double ratio)
{
	return ratio >= p->low && ratio <= p->high;
}

/* Only beside what was measured. What lies outside the axis is left out: returns how many. */
static size_t draw_predicted(struct panel *p)
{
	const struct canvas_look look = {1.25, COLOR_INK, true};
	size_t outside = 0;

	for (size_t i = 0; i < grid_count(p->sweep, "x"); i++) {
		const json_t *point = grid_point(p->sweep, i, 0);
		double ratio = tree_real(json_object_get(point, "predicted"), "ratio");
		bool measured = tree_true(point, "measured");

		if (!point)
			continue;
		outside += measured && isfinite(ratio) && !predicted_inside(p, ratio);
		if (measured && predicted_inside(p, ratio))
			canvas_at(&p->canvas, look, panel_x(p, grid_value(p->sweep, "x", i)), panel_y(p, ratio));
		else
			canvas_gap(&p->canvas, look);
	}
	canvas_gap(&p->canvas, look);
	return outside;
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
	canvas_text(&p->canvas, CANVAS_CENTER, CANVAS_ALL, CANVAS_WIDTH / 2.0, p->bottom + 36 + OUTSIDE_PX, COLOR_INK_2,
		text);
}

/* ---- crossovers ---- */

/* Where the letter of a crossover stands. */
struct letter {
	double x, y;
};

/* Above the crossover, and above the letters that are there already. */
static struct letter letter_place(const struct letter *placed, size_t n, double x, double y)
{
	struct letter letter = {x, y - 14};

	for (size_t i = 0; i < n; i++) {
		if (fabs(placed[i].x - letter.x) < 40 && fabs(placed[i].y - letter.y) < 13) {
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

/* "A", "B" ... as in the list below the picture, and a mark where the place is known. */
static void draw_crossovers(struct panel *p)
{
	const json_t *crossovers = json_object_get(p->sweep, "crossovers");
	struct letter placed[26];

	for (size_t i = 0; i < json_array_size(crossovers) && i < 26; i++) {
		const json_t *crossover = json_array_get(crossovers, i);
		double x = crossover_px(p, crossover), y = panel_y(p, tree_real(crossover, "level"));
		char letter[] = {(char)('A' + i), '\0'};

		if (tree_has(crossover, "x"))
			canvas_ring(&p->canvas, x, y, 8, COLOR_INK);
		placed[i] = letter_place(placed, i, x, y);
		canvas_text(&p->canvas, CANVAS_CENTER, CANVAS_ALL, placed[i].x, placed[i].y, COLOR_INK, letter);
	}
}

/* ---- the figures ---- */

static void curve_draw_panel(struct panel *p)
{
	size_t outside;

	draw_ratios(p);
	draw_values(p);
	outside = draw_predicted(p);
	draw_curve(p);
	draw_crossovers(p);
	draw_outside(p, outside);
}

static void curve_figure(const struct figure_family *in, const json_t *sweep, size_t number)
{
	struct panel panel = {.sweep = sweep};
	char what[64], name[FIGURE_NAME_SIZE];

	snprintf(what, sizeof(what), "sweep-%zu-curve", number);
	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), what);
	canvas_open(&panel.canvas, in->figures, name, (struct svg_frame){LEFT_PX, LEFT_PX, RIGHT_PX, RIGHT_PX});
	struct figure *figure = panel.canvas.figure;
	figure->height = PANEL_HEIGHT_PX;
	snprintf(figure->title, sizeof(figure->title), "Speed-up over %.100s", grid_param(sweep, "x"));
	snprintf(figure->desc, sizeof(figure->desc),
		"Time of single over time of double with its 95 %% interval; dashed: as predicted. The table of points "
		"has the same numbers.");
	panel_lay_out(&panel);
	curve_draw_panel(&panel);
	canvas_close(&panel.canvas);
}

void figure_curve(const struct figure_family *in)
{
	const json_t *sweeps = json_object_get(in->family, "sweeps");

	for (size_t i = 0; i < json_array_size(sweeps); i++) {
		const json_t *sweep = json_array_get(sweeps, i);

		if (tree_real(sweep, "measured") > 0 && grid_count(sweep, "x") > 1 && !tree_has(sweep, "y"))
			curve_figure(in, sweep, i);
	}
}
