/* speedup.c: a speed-up with its interval: one row for the overview. */
#include "figure/figure.h"

#include <math.h>
#include <string.h>

#include "figure/canvas.h"
#include "tree/tree.h"
#include "util/axis.h"
#include "util/format.h"

enum { WHISKER_WIDTH = 260, WHISKER_HEIGHT = 50, DOT_PX = 9 };

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
