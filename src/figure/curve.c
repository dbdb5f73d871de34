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

enum { CURVES = GRID_CURVES, OUTSIDE_PX = 18, TICKS = 7, LEFT_PX = 52, RIGHT_PX = 24, MOST_PX = 136 };

/* Of even lightness, so that they hold in light and dark; in the order of the second parameter. None means anything
 * else on the page. */
static const unsigned colors[CURVES] = {0x1A9E96, 0x3F8FB5, 0x5F7CC4, 0x7F68C4, 0x9E57B5, 0xB9469B};

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

/* ---- curves ---- */

/* As far apart as the number of curves allows. */
static unsigned curve_color(const struct panel *p, size_t k)
{
	size_t steps = p->n > 1 ? p->n - 1 : 1;

	return tree_has(p->sweep, "y") ? colors[(k - p->first) * (CURVES - 1) / steps] : COLOR_INK;
}

/* "n 65,536, block 256: 1.21 (1.2 to 1.22), faster" */
static void mark_point(struct panel *p, const json_t *point, double x, double y)
{
	const json_t *speedup = json_object_get(point, "speedup");
	double low = tree_real(speedup, "low"), high = tree_real(speedup, "high");
	char value[FORMAT_SIZE], of[FORMAT_SIZE], curve[2 * FORMAT_SIZE] = "", interval[64] = "";

	if (tree_has(p->sweep, "y"))
		snprintf(curve, sizeof(curve), ", %s %s", grid_param(p->sweep, "y"),
			grid_words(p->sweep, "y", tree_real(point, "y"), of));
	if (isfinite(low) && isfinite(high))
		snprintf(interval, sizeof(interval), " (%.4g to %.4g)", low, high);
	canvas_mark(&p->canvas, x - 12, y - 8, x + 12, y + 8, false, "%s %s%s: %.4g%s, %s", grid_param(p->sweep, "x"),
		grid_words(p->sweep, "x", tree_real(point, "x"), value), curve, tree_real(speedup, "value"), interval,
		tree_text(point, "verdict"));
}

static void draw_point(struct panel *p, const json_t *point, double x, unsigned color)
{
	const json_t *speedup = json_object_get(point, "speedup");
	double low = tree_real(speedup, "low"), high = tree_real(speedup, "high");
	double y = panel_y(p, tree_real(speedup, "value"));
	const char *verdict = tree_text(point, "verdict");

	if (isfinite(low) && isfinite(high))
		canvas_line(
			&p->canvas, (struct canvas_look){1.5, color, false}, x, panel_y(p, low), x, panel_y(p, high));
	if (strcmp(verdict, "unclear") == 0 || strcmp(verdict, "nothing") == 0)
		canvas_ring(&p->canvas, x, y, 9, color);
	else
		canvas_dot(&p->canvas, x, y, 8, color);
	mark_point(p, point, x, y);
}

/* A point without a value breaks the line: nothing is known there. Returns the place of the last one that has one in
 * *x and *y; false if there is none. */
static bool draw_curve(struct panel *p, size_t k, double *last_x, double *last_y)
{
	const struct canvas_look look = {2.25, curve_color(p, k), false};
	bool any = false;

	for (size_t i = 0; i < grid_count(p->sweep, "x"); i++) {
		const json_t *point = grid_point(p->sweep, i, k);
		double ratio = tree_real(json_object_get(point, "speedup"), "value");
		double x = panel_x(p, grid_value(p->sweep, "x", i));

		if (!point)
			continue; /* not in the grid */
		if (!isfinite(ratio)) {
			canvas_gap(&p->canvas, look);
			continue;
		}
		canvas_at(&p->canvas, look, x, panel_y(p, ratio));
		draw_point(p, point, x, look.color);
		*last_x = x;
		*last_y = panel_y(p, ratio);
		any = true;
	}
	canvas_gap(&p->canvas, look);
	return any;
}

static bool predicted_inside(const struct panel *p, double ratio)
{
	return ratio >= p->low && ratio <= p->high;
}

/* Only beside what was measured. What lies outside the axis is left out, and counted in *outside. */
static void draw_predicted(struct panel *p, size_t k, size_t *outside)
{
	const struct canvas_look look = {1.25, curve_color(p, k), true};

	for (size_t i = 0; i < grid_count(p->sweep, "x"); i++) {
		const json_t *point = grid_point(p->sweep, i, k);
		double ratio = tree_real(json_object_get(point, "predicted"), "ratio");
		bool measured = tree_true(point, "measured");

		if (!point)
			continue;
		*outside += measured && isfinite(ratio) && !predicted_inside(p, ratio);
		if (measured && predicted_inside(p, ratio))
			canvas_at(&p->canvas, look, panel_x(p, grid_value(p->sweep, "x", i)), panel_y(p, ratio));
		else
			canvas_gap(&p->canvas, look);
	}
	canvas_gap(&p->canvas, look);
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

/* ---- names ---- */

/* Where a curve ends, and the height of its name. */
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
	double line = CANVAS_FONT_PX + 3, over;

	qsort(ends, n, sizeof(*ends), by_height);
	for (size_t i = 0; i < n; i++)
		ends[i].name_y = i == 0 ? ends[i].y : fmax(ends[i].y, ends[i - 1].name_y + line);
	over = n ? ends[n - 1].name_y - (p->bottom - line / 2) : 0;
	for (size_t i = n; i-- > 0 && over > 0;) {
		ends[i].name_y = fmin(ends[i].name_y, p->bottom - line / 2 - line * (double)(n - 1 - i));
	}
}

/* In a column at the right, each with a thin line from the end of its curve, which may be far from there. The curve's
 * colour is a bar before the name: in a thin letter it would be hard to read. */
static void draw_names(struct panel *p, struct end *ends, size_t n)
{
	char text[FORMAT_SIZE];

	curve_spread(p, ends, n);
	for (size_t i = 0; i < n; i++) {
		unsigned color = curve_color(p, ends[i].curve);

		canvas_line(&p->canvas, (struct canvas_look){0.75, color, false}, ends[i].x, ends[i].y, CANVAS_WIDTH,
			ends[i].name_y);
		canvas_line(&p->canvas, (struct canvas_look){2.25, color, false}, CANVAS_WIDTH, ends[i].name_y - 5,
			CANVAS_WIDTH, ends[i].name_y + 5);
		canvas_text(&p->canvas, CANVAS_BEHIND, CANVAS_ALL, 0, ends[i].name_y, COLOR_INK,
			panel_curve_name(p, ends[i].curve, text));
	}
}

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
			canvas_ring(&p->canvas, x, y, 8, COLOR_INK);
		placed[n] = letter_place(placed, n, x, y);
		canvas_text(&p->canvas, CANVAS_CENTER, CANVAS_ALL, placed[n].x, placed[n].y, COLOR_INK, letter);
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

/* Room for the names of the curves. */
static int names_px(const struct panel *p)
{
	char text[FORMAT_SIZE];
	double most = RIGHT_PX;

	for (size_t k = p->first; k < p->first + p->n && tree_has(p->sweep, "y"); k++)
		most = fmax(most, figure_text_width(panel_curve_name(p, k, text), CANVAS_FONT_PX) + 14);
	return (int)fmin(most, MOST_PX);
}

static void panel_figure(const struct figure_family *in, const json_t *sweep, size_t number, size_t part)
{
	size_t curves = grid_count(sweep, "y"), first = part * CURVES;
	struct panel panel = {.sweep = sweep, .first = first, .n = curves - first < CURVES ? curves - first : CURVES};
	char what[64], name[FIGURE_NAME_SIZE];

	snprintf(what, sizeof(what), "sweep-%zu-curve-%zu", number, part);
	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), what);
	int right = names_px(&panel);
	canvas_open(&panel.canvas, in->figures, name, (struct svg_frame){LEFT_PX, LEFT_PX, right, right});
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

static void sweep_figures(const struct figure_family *in, const json_t *sweep, size_t number)
{
	size_t parts = (grid_count(sweep, "y") + CURVES - 1) / CURVES;

	for (size_t part = 0; part < parts; part++)
		panel_figure(in, sweep, number, part);
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
