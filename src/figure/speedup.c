/* speedup.c: speed-ups with their intervals: one row for the overview, and one row per case of a family. */
#include "figure/figure.h"

#include <math.h>
#include <string.h>

#include "figure/canvas.h"
#include "tree/tree.h"
#include "util/axis.h"
#include "util/format.h"

enum { WHISKER_WIDTH = 260, WHISKER_HEIGHT = 50, PITCH_PX = 36, TOP_PX = 6, NAME_PX = 18, DOT_PX = 9 };
enum { LEFT_PX = 200, NARROW_LEFT_PX = 16, RIGHT_PX = 96, NARROW_RIGHT_PX = 24 };

/* An axis of speed-ups. */
struct ratios {
	double low, high, band;
	double left, width; /* in the canvas */
};

/* The winner's colour; ink where there is none. */
static unsigned contrast_color(const json_t *contrast)
{
	const char *verdict = tree_text(contrast, "verdict");

	return strcmp(verdict, "faster") == 0   ? COLOR_DOUBLE
	       : strcmp(verdict, "slower") == 0 ? COLOR_SINGLE
						: COLOR_INK_2;
}

static double ratio_x(const struct ratios *ratios, double ratio)
{
	ratio = fmin(fmax(ratio, ratios->low), ratios->high);
	return ratios->left + ratios->width * (ratio - ratios->low) / (ratios->high - ratios->low);
}

/* The band in which both are the same, and 1. */
static void draw_band(struct canvas *canvas, const struct ratios *ratios, double top, double bottom)
{
	double one = ratio_x(ratios, 1);

	if (isfinite(ratios->band))
		canvas_bar(canvas, ratio_x(ratios, 1 - ratios->band), ratio_x(ratios, 1 + ratios->band), top,
			bottom - top, canvas_faint(COLOR_GRID, 0.5));
	canvas_line(canvas, (struct canvas_look){1.2, COLOR_INK, false}, one, top, one, bottom);
}

/* The interval as a line, the value as a dot. Without an interval, the value alone. */
static void draw_whisker(struct canvas *canvas, const struct ratios *ratios, const json_t *contrast, double y)
{
	const json_t *speedup = json_object_get(contrast, "speedup");
	double value = tree_real(speedup, "value"), low = tree_real(speedup, "low"), high = tree_real(speedup, "high");
	unsigned color = contrast_color(contrast);

	if (!isfinite(value))
		return;
	canvas_line(canvas, (struct canvas_look){3, color, false}, ratio_x(ratios, fmin(value, low)), y,
		ratio_x(ratios, fmax(value, high)), y);
	canvas_dot(canvas, ratio_x(ratios, value), y, DOT_PX, color);
}

/* A small axis of its own: the canvas keeps its shape. */
static void whisker_axis(struct canvas *canvas, const struct ratios *ratios)
{
	double bottom = WHISKER_HEIGHT - 22, step = axis_step(ratios->high - ratios->low, 4);
	char text[32];

	for (int i = -20; i <= 20; i++) {
		double x = ratio_x(ratios, 1 + i * step);

		if (1 + i * step < ratios->low || 1 + i * step > ratios->high)
			continue;
		canvas_line(canvas, (struct canvas_look){1, COLOR_GRID, false}, x, bottom, x, bottom + 4);
		snprintf(text, sizeof(text), "%g", 1 + i * step);
		canvas_text(canvas, CANVAS_CENTER, CANVAS_ALL, x, bottom + 13, COLOR_INK_2, text);
	}
	canvas_line(canvas, (struct canvas_look){1, COLOR_GRID, false}, ratios->left, bottom,
		ratios->left + ratios->width, bottom);
}

void figure_whisker(const struct figure_family *in)
{
	const json_t *contrast = tree_find_true(json_object_get(in->family, "contrasts"), "headline");
	struct ratios ratios = {in->low, in->high, tree_real(contrast, "band"), 14, WHISKER_WIDTH - 32};
	struct canvas canvas;
	char name[FIGURE_NAME_SIZE];

	if (isnan(tree_real(json_object_get(contrast, "speedup"), "value")))
		return;
	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), "speedup");
	canvas_open_fixed(&canvas, in->figures, name, WHISKER_WIDTH);
	canvas.figure->height = WHISKER_HEIGHT;
	snprintf(canvas.figure->title, sizeof(canvas.figure->title), "Speed-up of %s", tree_text(in->family, "title"));
	snprintf(canvas.figure->desc, sizeof(canvas.figure->desc),
		"Time of single over time of double with its 95 %% interval; the same axis in every row.");
	draw_band(&canvas, &ratios, 0, WHISKER_HEIGHT - 22);
	whisker_axis(&canvas, &ratios);
	draw_whisker(&canvas, &ratios, contrast, (WHISKER_HEIGHT - 22) / 2.0);
	canvas_close(&canvas);
}

/* ---- every case ---- */

/* Its name at the left and its value at the right edge on wide pages, both above the whisker on narrow ones. */
static void draw_case(struct canvas *canvas, const struct ratios *ratios, const json_t *contrast, double y)
{
	const json_t *speedup = json_object_get(contrast, "speedup");
	double low = tree_real(speedup, "low"), high = tree_real(speedup, "high"), middle = y + PITCH_PX / 2.0 + 6;
	const char *name = tree_text(contrast, "case");
	char ratio[FORMAT_SIZE], text[FORMAT_SIZE + 100];

	format_ratio_within(ratio, sizeof(ratio), tree_real(speedup, "value"), low, high);
	snprintf(text, sizeof(text), "%s: %s", name, ratio);
	draw_whisker(canvas, ratios, contrast, middle);
	canvas_text(canvas, CANVAS_NAME, CANVAS_WIDE, 0, middle, COLOR_INK, name);
	canvas_text(canvas, CANVAS_BEHIND, CANVAS_WIDE, 0, middle, COLOR_INK, ratio);
	canvas_text(canvas, CANVAS_PX, CANVAS_NARROW, 0, y + NAME_PX / 2.0, COLOR_INK, text);
	canvas_mark(canvas, 0, middle - 9, CANVAS_WIDTH, middle + 9, true, "%s (%s, 95 %% interval %.4g to %.4g)", text,
		tree_text(contrast, "verdict"), low, high);
}

static struct ratios ratios_of(const json_t *contrasts)
{
	struct ratios ratios = {1, 1, tree_real(json_array_get(contrasts, 0), "band"), 0, CANVAS_WIDTH};

	for (size_t i = 0; i < json_array_size(contrasts); i++) {
		const json_t *speedup = json_object_get(json_array_get(contrasts, i), "speedup");

		ratios.low = fmin(ratios.low, fmin(tree_real(speedup, "value"), tree_real(speedup, "low")));
		ratios.high = fmax(ratios.high, fmax(tree_real(speedup, "value"), tree_real(speedup, "high")));
	}
	double margin = fmax(0.02, 0.05 * (ratios.high - ratios.low));
	ratios.low -= margin;
	ratios.high += margin;
	return ratios;
}

void figure_cases(const struct figure_family *in)
{
	const json_t *contrasts = json_object_get(in->family, "contrasts");
	const struct ratios ratios = ratios_of(contrasts);
	double bottom = TOP_PX + PITCH_PX * (double)json_array_size(contrasts) + 4;
	struct canvas canvas;
	char name[FIGURE_NAME_SIZE];

	if (json_array_size(contrasts) < 2)
		return;
	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), "cases");
	canvas_open(&canvas, in->figures, name, (struct svg_frame){LEFT_PX, NARROW_LEFT_PX, RIGHT_PX, NARROW_RIGHT_PX});
	canvas.figure->height = (int)bottom + CANVAS_AXIS_PX;
	snprintf(canvas.figure->title, sizeof(canvas.figure->title), "Speed-up in every case of %s",
		tree_text(in->family, "title"));
	snprintf(canvas.figure->desc, sizeof(canvas.figure->desc), "The table of cases has the same numbers.");
	canvas_axis(&canvas, &(struct canvas_axis){ratios.low, ratios.high, TOP_PX, bottom,
				     "time of single / time of double: right of 1, double is faster",
				     "time of single / time of double", false});
	draw_band(&canvas, &ratios, TOP_PX, bottom);
	for (size_t i = 0; i < json_array_size(contrasts); i++)
		draw_case(&canvas, &ratios, json_array_get(contrasts, i), TOP_PX + PITCH_PX * (double)i);
	canvas_close(&canvas);
}
