/* heat.c: the speed-ups of a sweep over two parameters as a heat map: orange where single wins, blue where double does,
 * the paper near 1. So the strongest colour is the most conspicuous in light and in dark. */
#include "figure/figure.h"

#include <math.h>
#include <string.h>

#include "figure/canvas.h"
#include "figure/grid.h"
#include "tree/tree.h"
#include "util/format.h"

enum {
	CELL_PX = 30, /* height */
	TEXT_PX = 20, /* a line of text */
	EDGE_PX = 8,
	NARROW_COLUMNS = 9, /* more have no room for a number on a narrow page */
	RIGHT_PX = 16,
};

/* One heat map. The axis with the columns is "x", unless the map is turned. */
struct heat {
	struct canvas canvas;
	const json_t *sweep;
	const char *across, *down;
	bool turned;
	size_t columns, rows;
	double width; /* of a cell */
	double scale; /* |log(ratio)| of the strongest colour */
};

/* ---- colours ---- */

/* How much of the ramp's end a cell has; the paper, light or dark, is what it comes from. In steps, between which text
 * can be read in one ink or the other. */
static double cell_share(double ratio, double scale)
{
	static const double shares[] = {0.12, 0.3, 0.5, 0.72, 1};

	return shares[(int)fmin(4, floor(5 * fabs(log(ratio)) / scale))];
}

static unsigned text_color(double ratio, double share)
{
	if (share <= 0.5)
		return COLOR_INK;
	return share == 1 && ratio > 1 ? COLOR_PAPER : COLOR_ON_COLOR;
}

/* What a map's colours end at: of its own points, or of more than that; not so near to 1 that nothing would be pale. */
static double scale_of(double largest)
{
	return fmax(log(1.1), largest);
}

double heat_strongest(const json_t *sweep)
{
	const json_t *points = json_object_get(sweep, "points");
	double most = 0;

	for (size_t i = 0; i < json_array_size(points); i++) {
		const json_t *speedup = json_object_get(json_array_get(points, i), "speedup");

		most = fmax(most, fabs(log(tree_real(speedup, "value"))));
	}
	return most;
}

/* ---- layout ---- */

/* Room for the longest name of a row. */
static int names_width(const struct heat *heat)
{
	char text[FORMAT_SIZE];
	double most = 0;

	for (size_t i = 0; i < heat->rows; i++) {
		double value = grid_value(heat->sweep, heat->down, i);

		most = fmax(most, figure_text_width(grid_label(heat->sweep, heat->down, value, text), CANVAS_FONT_PX));
	}
	return (int)most + 2 * EDGE_PX;
}

/* The shorter axis goes across where the longer one has no room on a narrow page. */
static void lay_out(struct heat *heat)
{
	size_t nx = grid_count(heat->sweep, "x"), ny = grid_count(heat->sweep, "y");

	heat->turned = nx > ny && nx > NARROW_COLUMNS;
	heat->across = heat->turned ? "y" : "x";
	heat->down = heat->turned ? "x" : "y";
	heat->columns = heat->turned ? ny : nx;
	heat->rows = heat->turned ? nx : ny;
	heat->width = CANVAS_WIDTH / (double)heat->columns;
}

static double heat_row_top(size_t row)
{
	return TEXT_PX + EDGE_PX + CELL_PX * (double)row;
}

/* ---- drawing ---- */

/* "block 256, n 65,536: 1.21 (faster)" */
static void mark_cell(struct heat *heat, const json_t *point, double left, double top, double ratio)
{
	char x[FORMAT_SIZE], y[FORMAT_SIZE];

	canvas_mark(&heat->canvas, left, top, left + heat->width, top + CELL_PX, true, "%s %s, %s %s: %.3g (%s)",
		grid_param(heat->sweep, "x"), grid_words(heat->sweep, "x", tree_real(point, "x"), x),
		grid_param(heat->sweep, "y"), grid_words(heat->sweep, "y", tree_real(point, "y"), y), ratio,
		tree_text(point, "verdict"));
}

static void draw_cell(struct heat *heat, size_t column, size_t row)
{
	const json_t *point =
		heat->turned ? grid_point(heat->sweep, row, column) : grid_point(heat->sweep, column, row);
	double ratio = tree_real(json_object_get(point, "speedup"), "value"), share;
	const char *verdict = tree_text(point, "verdict");
	bool nothing = strcmp(verdict, "nothing") == 0, clear = strcmp(verdict, "unclear") != 0;
	double left = (double)column * heat->width, top = heat_row_top(row), gap = 0.02 * heat->width;
	char text[32];

	if (!(ratio > 0))
		return;
	mark_cell(heat, point, left, top, ratio);
	if (nothing) {
		canvas_text(&heat->canvas, CANVAS_CENTER, CANVAS_ALL, left + heat->width / 2, top + CELL_PX / 2.0,
			COLOR_INK_2, "·");
		return;
	}
	share = cell_share(ratio, heat->scale);
	canvas_bar(&heat->canvas, left + gap, left + heat->width - gap, top + 1, CELL_PX - 2,
		clear ? canvas_faint(ratio > 1 ? COLOR_GAIN : COLOR_LOSS, share) : COLOR_IDLE);
	snprintf(text, sizeof(text), ratio < 9.995 ? "%.2f%s" : "%.0f%s", ratio, clear ? "" : "?");
	if (clear)
		canvas_text(&heat->canvas, CANVAS_CENTER, canvas_fits(&heat->canvas, heat->width, text),
			left + heat->width / 2, top + CELL_PX / 2.0, text_color(ratio, share), text);
}

/* Each how many columns have room for a name on wide or on narrow pages. */
static size_t name_stride(const struct heat *heat, enum canvas_pages pages)
{
	size_t stride = 1;
	char text[FORMAT_SIZE];

	for (size_t i = 0; i < heat->columns && stride < heat->columns; i++) {
		double value = grid_value(heat->sweep, heat->across, i);
		enum canvas_pages fits = canvas_fits(&heat->canvas, heat->width * (double)stride,
			grid_label(heat->sweep, heat->across, value, text));

		if (fits != CANVAS_ALL && fits != pages) {
			stride++;
			i = (size_t)-1; /* look at all of them again */
		}
	}
	return stride;
}

static void draw_columns(struct heat *heat)
{
	double y = heat_row_top(heat->rows) + TEXT_PX / 2.0;
	size_t wide = name_stride(heat, CANVAS_WIDE), narrow = name_stride(heat, CANVAS_NARROW);
	char text[FORMAT_SIZE];

	for (size_t i = 0; i < heat->columns; i++) {
		enum canvas_pages pages = i % wide == 0     ? i % narrow == 0 ? CANVAS_ALL : CANVAS_WIDE
					  : i % narrow == 0 ? CANVAS_NARROW
							    : CANVAS_NEVER;

		canvas_text(&heat->canvas, CANVAS_CENTER, pages, ((double)i + 0.5) * heat->width, y, COLOR_INK_2,
			grid_label(heat->sweep, heat->across, grid_value(heat->sweep, heat->across, i), text));
	}
	canvas_text(&heat->canvas, CANVAS_CENTER, CANVAS_ALL, CANVAS_WIDTH / 2.0, y + TEXT_PX, COLOR_INK_2,
		grid_title(heat->sweep, heat->across, text));
}

static void draw_rows(struct heat *heat)
{
	char text[FORMAT_SIZE];

	for (size_t i = 0; i < heat->rows; i++)
		canvas_text(&heat->canvas, CANVAS_NAME, CANVAS_ALL, 0, heat_row_top(i) + CELL_PX / 2.0, COLOR_INK_2,
			grid_label(heat->sweep, heat->down, grid_value(heat->sweep, heat->down, i), text));
	canvas_text(&heat->canvas, CANVAS_EDGE, CANVAS_ALL, EDGE_PX, TEXT_PX / 2.0, COLOR_INK_2,
		grid_title(heat->sweep, heat->down, text));
}

static void heat_figure(const struct figure_family *in, const json_t *sweep, size_t number)
{
	struct heat heat = {.sweep = sweep, .scale = scale_of(heat_strongest(sweep))};
	char what[64], name[FIGURE_NAME_SIZE];

	snprintf(what, sizeof(what), "sweep-%zu-heat", number);
	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), what);
	lay_out(&heat);
	int left = names_width(&heat);
	canvas_open(&heat.canvas, in->figures, name, (struct svg_frame){left, left, RIGHT_PX, RIGHT_PX});
	struct figure *figure = heat.canvas.figure;
	figure->height = (int)heat_row_top(heat.rows) + 2 * TEXT_PX + EDGE_PX;
	snprintf(figure->title, sizeof(figure->title), "Speed-up over %.60s and %.60s", grid_param(sweep, "x"),
		grid_param(sweep, "y"));
	snprintf(figure->desc, sizeof(figure->desc),
		"A heat map of time of single over time of double. The table of points has the same numbers.");
	for (size_t row = 0; row < heat.rows; row++) {
		for (size_t column = 0; column < heat.columns; column++)
			draw_cell(&heat, column, row);
	}
	draw_columns(&heat);
	draw_rows(&heat);
	canvas_close(&heat.canvas);
}

/* ---- a sweep in small ---- */

enum { SMALL_PX = 12 };

static void small_cell(struct heat *heat, const json_t *point, size_t column, size_t row)
{
	double ratio = tree_real(json_object_get(point, "speedup"), "value"), left = (double)column * heat->width;
	const char *verdict = tree_text(point, "verdict");
	unsigned color = canvas_faint(COLOR_GRID, 0.5); /* nothing to overlap */

	if (!(ratio > 0))
		return;
	if (strcmp(verdict, "unclear") == 0)
		color = COLOR_IDLE;
	else if (strcmp(verdict, "nothing") != 0)
		color = canvas_faint(ratio > 1 ? COLOR_GAIN : COLOR_LOSS, cell_share(ratio, heat->scale));
	canvas_bar(&heat->canvas, left, left + 0.96 * heat->width, SMALL_PX * (double)row, SMALL_PX - 1, color);
}

/* Cells without words, on one scale for all sweeps: which of them gain. The map of the sweep says how much. */
static void small_figure(const struct figure_family *in, const json_t *sweep, size_t number)
{
	struct heat heat = {.sweep = sweep, .scale = scale_of(in->strongest)};
	char what[64], name[FIGURE_NAME_SIZE];

	snprintf(what, sizeof(what), "sweep-%zu-small", number);
	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), what);
	lay_out(&heat);
	canvas_open(&heat.canvas, in->figures, name, (struct svg_frame){0});
	struct figure *figure = heat.canvas.figure;
	figure->height = SMALL_PX * (int)heat.rows;
	snprintf(figure->title, sizeof(figure->title), "Speed-ups of the sweep %.100s of %.100s",
		tree_text(sweep, "title"), tree_text(in->family, "title"));
	snprintf(figure->desc, sizeof(figure->desc), "The map of the sweep has the same cells with their numbers.");
	for (size_t row = 0; row < heat.rows; row++) {
		for (size_t column = 0; column < heat.columns; column++)
			small_cell(&heat, heat.turned ? grid_point(sweep, row, column) : grid_point(sweep, column, row),
				column, row);
	}
	canvas_close(&heat.canvas);
}

void figure_heat(const struct figure_family *in)
{
	const json_t *sweeps = json_object_get(in->family, "sweeps");

	for (size_t i = 0; i < json_array_size(sweeps); i++) {
		const json_t *sweep = json_array_get(sweeps, i);

		if (!(tree_real(sweep, "measured") > 0))
			continue;
		small_figure(in, sweep, i);
		if (!tree_has(sweep, "y"))
			continue;
		heat_figure(in, sweep, i);
	}
}
