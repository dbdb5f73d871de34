/* heat.c: the speed-ups of a sweep over two parameters as a heat map: orange where single wins, blue where
 * double does, pale near 1. */
#include "figure/figure.h"

#include <math.h>
#include <string.h>

#include "figure/canvas.h"
#include "figure/grid.h"
#include "tree/tree.h"
#include "util/format.h"

enum {
	CELL_WIDE_PX = 34, /* height */
	CELL_NARROW_PX = 28,
	TEXT_PX = 20, /* a line of text */
	EDGE_PX = 8,
	WIDEST_PX = 110, /* a cell is not wider */
	COLOR_NEUTRAL = 0xF1F0EC,
	COLOR_DARK = 0x1C2026, /* text on pale cells, in every mode */
	COLOR_PALE = 0xFEFEFE,
};

/* One heat map. The axis with the columns is "x", unless the map is turned. */
struct heat {
	struct canvas canvas;
	const json_t *sweep;
	const char *across, *down;
	bool turned;
	size_t columns, rows;
	double left, top, width, height; /* of the cells: place of the first, size of each */
	double scale;                    /* |log(ratio)| of the strongest colour */
};

/* ---- colours ---- */

static unsigned blend(unsigned from, unsigned to, double share)
{
	unsigned color = 0;

	for (int shift = 16; shift >= 0; shift -= 8) {
		double a = from >> shift & 0xFF, b = to >> shift & 0xFF;

		color |= (unsigned)lround(a + share * (b - a)) << shift;
	}
	return color;
}

static unsigned cell_color(double ratio, double scale)
{
	double share = fmin(1, fabs(log(ratio)) / scale);

	return blend(COLOR_NEUTRAL, ratio > 1 ? COLOR_DOUBLE : COLOR_SINGLE, share);
}

/* Relative luminance as WCAG defines it. */
static double luminance(unsigned color)
{
	static const double weight[] = {0.0722, 0.7152, 0.2126};
	double sum = 0;

	for (int i = 0; i < 3; i++) {
		double c = (color >> 8 * i & 0xFF) / 255.0;

		sum += weight[i] * (c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4));
	}
	return sum;
}

/* Of the two text colours the one with more contrast. */
static unsigned text_color(unsigned cell)
{
	double l = luminance(cell) + 0.05;

	return (luminance(COLOR_PALE) + 0.05) / l > l / (luminance(COLOR_DARK) + 0.05) ? COLOR_PALE : COLOR_DARK;
}

static double strongest(const json_t *sweep)
{
	const json_t *points = json_object_get(sweep, "points");
	double most = log(1.1);

	for (size_t i = 0; i < json_array_size(points); i++) {
		const json_t *speedup = json_object_get(json_array_get(points, i), "speedup");

		most = fmax(most, fabs(log(tree_real(speedup, "value"))));
	}
	return most;
}

/* ---- layout ---- */

/* Room for the longest name of a row. */
static double names_width(const struct heat *heat)
{
	char text[FORMAT_SIZE];
	double most = 0;

	for (size_t i = 0; i < heat->rows; i++) {
		double value = grid_value(heat->sweep, heat->down, i);

		most = fmax(
			most, figure_text_width(grid_label(heat->sweep, heat->down, value, text), heat->canvas.font));
	}
	return most + 2 * EDGE_PX;
}

static void lay_out(struct heat *heat, enum figure_form form)
{
	size_t nx = grid_count(heat->sweep, "x"), ny = grid_count(heat->sweep, "y");
	int width = heat->canvas.figure->width;

	/* On a narrow page, and where x has more values than a wide page has room for, the shorter axis goes across. */
	heat->turned = nx > ny && (form == FIGURE_NARROW || nx > 18);
	heat->across = heat->turned ? "y" : "x";
	heat->down = heat->turned ? "x" : "y";
	heat->columns = heat->turned ? ny : nx;
	heat->rows = heat->turned ? nx : ny;
	heat->left = names_width(heat);
	heat->top = TEXT_PX + EDGE_PX;
	heat->width = fmin(WIDEST_PX, (width - heat->left - EDGE_PX) / (double)heat->columns);
	heat->height = form == FIGURE_NARROW ? CELL_NARROW_PX : CELL_WIDE_PX;
	heat->canvas.figure->height = (int)(heat->top + heat->height * (double)heat->rows) + 2 * TEXT_PX + EDGE_PX;
}

/* ---- drawing ---- */

static void draw_cell(struct heat *heat, size_t column, size_t row)
{
	const json_t *point =
		heat->turned ? grid_point(heat->sweep, row, column) : grid_point(heat->sweep, column, row);
	double ratio = tree_real(json_object_get(point, "speedup"), "value");
	const char *verdict = tree_text(point, "verdict");
	bool nothing = strcmp(verdict, "nothing") == 0, clear = strcmp(verdict, "unclear") != 0;
	double left = heat->left + (double)column * heat->width, top = heat->top + (double)row * heat->height;
	double right = left + heat->width - 2, bottom = top + heat->height - 2;
	unsigned color = COLOR_INK;
	char text[32];

	if (!(ratio > 0))
		return;
	if (nothing) {
		canvas_text(&heat->canvas, CANVAS_CENTER, (left + right) / 2, (top + bottom) / 2, COLOR_INK_2, "·");
		return;
	}
	if (clear) {
		canvas_rect(&heat->canvas, CANVAS_FILL, left, top, right, bottom, cell_color(ratio, heat->scale));
		color = text_color(cell_color(ratio, heat->scale));
	} else {
		canvas_rect(&heat->canvas, CANVAS_HATCH, left, top, right, bottom, 0);
	}
	snprintf(text, sizeof(text), ratio < 9.995 ? "%.2f%s" : "%.0f%s", ratio, clear ? "" : "?");
	if (figure_text_width(text, heat->canvas.font) <= heat->width + 4)
		canvas_text(&heat->canvas, CANVAS_CENTER, (left + right) / 2, (top + bottom) / 2, color, text);
}

/* Each how many columns have room for a name. */
static size_t name_stride(const struct heat *heat)
{
	char text[FORMAT_SIZE];
	double most = 1;

	for (size_t i = 0; i < heat->columns; i++) {
		double value = grid_value(heat->sweep, heat->across, i);

		most = fmax(
			most, figure_text_width(grid_label(heat->sweep, heat->across, value, text), heat->canvas.font));
	}
	return (size_t)ceil(most / heat->width);
}

static void draw_columns(struct heat *heat)
{
	double y = heat->top + heat->height * (double)heat->rows + TEXT_PX / 2.0;
	size_t stride = name_stride(heat);
	char text[FORMAT_SIZE];

	for (size_t i = 0; i < heat->columns; i += stride)
		canvas_text(&heat->canvas, CANVAS_CENTER, heat->left + ((double)i + 0.5) * heat->width, y, COLOR_INK_2,
			grid_label(heat->sweep, heat->across, grid_value(heat->sweep, heat->across, i), text));
	canvas_text(&heat->canvas, CANVAS_CENTER, heat->left + heat->width * (double)heat->columns / 2, y + TEXT_PX,
		COLOR_INK_2, grid_title(heat->sweep, heat->across, text));
}

static void draw_rows(struct heat *heat)
{
	char text[FORMAT_SIZE];

	for (size_t i = 0; i < heat->rows; i++)
		canvas_text(&heat->canvas, CANVAS_RIGHT, heat->left - EDGE_PX,
			heat->top + ((double)i + 0.5) * heat->height, COLOR_INK_2,
			grid_label(heat->sweep, heat->down, grid_value(heat->sweep, heat->down, i), text));
	canvas_text(&heat->canvas, CANVAS_LEFT, EDGE_PX, TEXT_PX / 2.0, COLOR_INK_2,
		grid_title(heat->sweep, heat->down, text));
}

static void heat_figure(const struct figure_family *in, const json_t *sweep, size_t number, enum figure_form form)
{
	struct heat heat = {.sweep = sweep, .scale = strongest(sweep)};
	char what[64], name[FIGURE_NAME_SIZE];

	snprintf(what, sizeof(what), "sweep-%zu-heat", number);
	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), what);
	canvas_open(&heat.canvas, in->figures, name, form);
	lay_out(&heat, form);
	snprintf(heat.canvas.figure->title, sizeof(heat.canvas.figure->title), "Speed-up over %.60s and %.60s",
		grid_param(sweep, "x"), grid_param(sweep, "y"));
	snprintf(heat.canvas.figure->desc, sizeof(heat.canvas.figure->desc),
		"A heat map of time of single over time of double. The table of points has the same numbers.");
	for (size_t row = 0; row < heat.rows; row++) {
		for (size_t column = 0; column < heat.columns; column++)
			draw_cell(&heat, column, row);
	}
	draw_columns(&heat);
	draw_rows(&heat);
	canvas_close(&heat.canvas);
}

void figure_heat(const struct figure_family *in)
{
	const json_t *sweeps = json_object_get(in->family, "sweeps");

	for (size_t i = 0; i < json_array_size(sweeps); i++) {
		const json_t *sweep = json_array_get(sweeps, i);

		if (!tree_has(sweep, "y") || !(tree_real(sweep, "measured") > 0))
			continue;
		for (enum figure_form form = FIGURE_WIDE; form < FIGURE_FORMS; form++)
			heat_figure(in, sweep, i, form);
	}
}
