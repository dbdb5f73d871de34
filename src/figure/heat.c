/* heat.c: the speed-ups of a sweep over two parameters as a heat map: orange where single is faster, blue where double
 * is, the paler the nearer to 1. So the strongest colour is the most conspicuous in light and in dark. What is no
 * difference, unclear or without anything to overlap has no such colour, whatever side of 1 its number is on. */
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
	double top;   /* px above the cells of a map in small */
};

/* ---- colours ---- */

/* How much of the ramp's end a cell has; the paper, light or dark, is what it comes from. In steps, between which text
 * can be read in one ink or the other. */
static double cell_share(double ratio, double scale)
{
	static const double shares[] = {0.35, 0.43, 0.5, 0.72, 1};

	return shares[(int)fmin(4, floor(5 * fabs(log(ratio)) / scale))];
}

static unsigned text_color(bool gains, double share)
{
	if (share <= 0.5)
		return COLOR_INK;
	return share == 1 && gains ? COLOR_PAPER : COLOR_ON_COLOR;
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

/* What a cell shows. */
enum outcome { OUTCOME_SLOWER, OUTCOME_FASTER, OUTCOME_SAME, OUTCOME_UNCLEAR, OUTCOME_NOTHING };

/* A verdict of a later version is unclear. */
static enum outcome outcome_of(const json_t *point)
{
	static const char *const verdicts[] = {[OUTCOME_SLOWER] = "slower",
		[OUTCOME_FASTER] = "faster",
		[OUTCOME_SAME] = "same",
		[OUTCOME_UNCLEAR] = "unclear",
		[OUTCOME_NOTHING] = "nothing"};

	for (int i = 0; i <= OUTCOME_NOTHING; i++)
		if (strcmp(verdicts[i], tree_text(point, "verdict")) == 0)
			return (enum outcome)i;
	return OUTCOME_UNCLEAR;
}

static unsigned cell_color(enum outcome outcome, double share)
{
	if (outcome == OUTCOME_SAME)
		return COLOR_GRID;
	if (outcome == OUTCOME_UNCLEAR)
		return COLOR_IDLE;
	return canvas_faint(outcome == OUTCOME_FASTER ? COLOR_GAIN : COLOR_LOSS, share);
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
	enum outcome outcome = outcome_of(point);
	double left = (double)column * heat->width, top = heat_row_top(row), gap = 0.02 * heat->width;
	unsigned ink = COLOR_INK;
	char text[32];

	if (!(ratio > 0))
		return;
	mark_cell(heat, point, left, top, ratio);
	if (outcome == OUTCOME_NOTHING) {
		canvas_text(&heat->canvas, CANVAS_CENTER, CANVAS_ALL, left + heat->width / 2, top + CELL_PX / 2.0,
			COLOR_INK_2, "·");
		return;
	}
	share = cell_share(ratio, heat->scale);
	canvas_bar(
		&heat->canvas, left + gap, left + heat->width - gap, top + 1, CELL_PX - 2, cell_color(outcome, share));
	if (outcome == OUTCOME_UNCLEAR)
		return;
	if (outcome != OUTCOME_SAME)
		ink = text_color(outcome == OUTCOME_FASTER, share);
	snprintf(text, sizeof(text), ratio < 9.995 ? "%.2f" : "%.0f", ratio);
	canvas_text(&heat->canvas, CANVAS_CENTER, canvas_fits(&heat->canvas, heat->width, text), left + heat->width / 2,
		top + CELL_PX / 2.0, ink, text);
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

enum {
	SMALL_PX = 14,       /* from row to row */
	SMALL_CELL_PX = 11,  /* height of a cell */
	STRIPE_PX = 5,       /* of each of its two stripes */
	DOT = 9,             /* width of a dot that is 2 px high: about as much, in the canvas's units */
	SMALL_MOST_PX = 230, /* width of the whole on pages with many side by side */
};

/* Full where double is faster, in two stripes where single is, one stripe without a difference, hatched if unclear, a
 * mark where nothing can overlap: colour is not the only sign. */
static void small_cell(struct heat *heat, const json_t *point, size_t column, size_t row)
{
	double ratio = tree_real(json_object_get(point, "speedup"), "value"), width = heat->width;
	double left = (double)column * width, top = heat->top + SMALL_PX * (double)row;
	enum outcome outcome = outcome_of(point);

	if (!(ratio > 0))
		return;
	if (outcome == OUTCOME_NOTHING)
		canvas_bar(&heat->canvas, left + 0.48 * width - DOT / 2.0, left + 0.48 * width + DOT / 2.0,
			top + (SMALL_CELL_PX - 2) / 2.0, 2, COLOR_INK_2);
	else if (outcome == OUTCOME_SAME)
		canvas_bar(&heat->canvas, left, left + 0.96 * width, top + 4, 3, canvas_faint(COLOR_INK_2, 0.3));
	else if (outcome == OUTCOME_SLOWER)
		for (int half = 0; half < 2; half++)
			canvas_bar(&heat->canvas, left, left + 0.96 * width, top + half * (SMALL_CELL_PX - STRIPE_PX),
				STRIPE_PX, cell_color(outcome, cell_share(ratio, heat->scale)));
	else
		canvas_bar(&heat->canvas, left, left + 0.96 * width, top, SMALL_CELL_PX,
			cell_color(outcome, cell_share(ratio, heat->scale)));
}

/* The parameter with its unit where there is room between the ends, else alone, else nothing. */
static const char *small_name(const struct heat *heat, double taken, int left, char *text)
{
	const char *const names[] = {
		grid_title(heat->sweep, heat->across, text), grid_param(heat->sweep, heat->across)};

	for (int i = 0; i < 2; i++)
		if (taken + figure_text_width(names[i], CANVAS_FONT_PX) + 2 * EDGE_PX <= SMALL_MOST_PX - left)
			return names[i];
	return "";
}

/* Names of both axes, and the values at their ends. */
static void small_axes(struct heat *heat, int left)
{
	double bottom = heat->top + SMALL_PX * (double)heat->rows, y = bottom + TEXT_PX / 2.0;
	char first[FORMAT_SIZE], last[FORMAT_SIZE], title[FORMAT_SIZE];

	grid_label(heat->sweep, heat->across, grid_value(heat->sweep, heat->across, 0), first);
	grid_label(heat->sweep, heat->across, grid_value(heat->sweep, heat->across, heat->columns - 1), last);
	double taken = figure_text_width(first, CANVAS_FONT_PX) + figure_text_width(last, CANVAS_FONT_PX);

	canvas_text(&heat->canvas, CANVAS_LEFT, CANVAS_ALL, 0, y, COLOR_INK_2, first);
	canvas_text(&heat->canvas, CANVAS_CENTER, CANVAS_ALL, CANVAS_WIDTH / 2.0, y, COLOR_INK_2,
		small_name(heat, taken, left, title));
	if (heat->columns > 1)
		canvas_text(&heat->canvas, CANVAS_RIGHT, CANVAS_ALL, CANVAS_WIDTH, y, COLOR_INK_2, last);
	if (heat->top == 0)
		return;
	canvas_text(&heat->canvas, CANVAS_EDGE, CANVAS_ALL, 0, TEXT_PX / 2.0 - 2, COLOR_INK_2,
		grid_title(heat->sweep, heat->down, title));
	canvas_text(&heat->canvas, CANVAS_NAME, CANVAS_ALL, 0, heat->top + SMALL_PX / 2.0, COLOR_INK_2,
		grid_label(heat->sweep, heat->down, grid_value(heat->sweep, heat->down, 0), first));
	if (heat->rows > 1)
		canvas_text(&heat->canvas, CANVAS_NAME, CANVAS_ALL, 0, bottom - SMALL_PX / 2.0, COLOR_INK_2,
			grid_label(heat->sweep, heat->down, grid_value(heat->sweep, heat->down, heat->rows - 1), last));
}

/* Cells without words, on one scale for all sweeps: which of them gain. The map of the sweep says how much. */
static void small_figure(const struct figure_family *in, const json_t *sweep, size_t number)
{
	struct heat heat = {.sweep = sweep, .scale = scale_of(in->strongest)};
	char what[64], name[FIGURE_NAME_SIZE];

	snprintf(what, sizeof(what), "sweep-%zu-small", number);
	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), what);
	lay_out(&heat);
	int left = json_is_object(json_object_get(sweep, heat.down)) ? names_width(&heat) : 0;
	canvas_open(&heat.canvas, in->figures, name, (struct svg_frame){left, left, 0, 0});
	struct figure *figure = heat.canvas.figure;
	heat.top = left > 0 ? TEXT_PX : 0;
	figure->height = (int)heat.top + SMALL_PX * (int)heat.rows + TEXT_PX;
	snprintf(figure->title, sizeof(figure->title), "Speed-ups of the sweep %.100s of %.100s",
		tree_text(sweep, "title"), tree_text(in->family, "title"));
	snprintf(figure->desc, sizeof(figure->desc), "The map of the sweep has the same cells with their numbers.");
	for (size_t row = 0; row < heat.rows; row++) {
		for (size_t column = 0; column < heat.columns; column++)
			small_cell(&heat, heat.turned ? grid_point(sweep, row, column) : grid_point(sweep, column, row),
				column, row);
	}
	small_axes(&heat, left);
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
