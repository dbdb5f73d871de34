/* gains.c: what more tiles in flight would gain in a kernel: an interval for each number of stages. */
#include "figure/figure.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure/canvas.h"
#include "tree/tree.h"
#include "util/axis.h"
#include "util/clip.h"
#include "util/format.h"

enum { GAINS_HEAD_PX = 24, GAINS_PLOT_PX = 150, GAINS_TICKS = 5, GAINS_LEFT_PX = 52, GAINS_RIGHT_PX = 24 };

/* Share of the plot that is kept free at each side, and of the axis above and below what is drawn. */
#define GAINS_EDGE 0.08
#define GAINS_SPARE 0.12

/* The axis has so much at least, so that small gains look small. */
static const double least_span = 0.1;

struct gains {
	struct canvas canvas;
	const json_t *list;
	double now, advised; /* stages; NaN: unknown, none */
	double low, high;
	double top, bottom;
	size_t n;
};

/* Time as it runs / time then; NaN if it is not known. */
static double ratio_of_gain(const json_t *gain, const char *end)
{
	return 1 + tree_real(gain, end);
}

static double gain_x(const struct gains *gains, size_t i)
{
	double share = gains->n > 1 ? (double)i / (double)(gains->n - 1) : 0.5;

	return CANVAS_WIDTH * (GAINS_EDGE + (1 - 2 * GAINS_EDGE) * share);
}

static double gain_y(const struct gains *gains, double ratio)
{
	return gains->bottom - (gains->bottom - gains->top) * (ratio - gains->low) / (gains->high - gains->low);
}

/* Around all intervals, and around 1. */
static void scale_gains(struct gains *gains)
{
	double low = 1, high = 1, spare;

	for (size_t i = 0; i < gains->n; i++) {
		const json_t *gain = json_array_get(gains->list, i);

		low = fmin(low, fmin(ratio_of_gain(gain, "mid"), ratio_of_gain(gain, "low")));
		high = fmax(high, fmax(ratio_of_gain(gain, "mid"), ratio_of_gain(gain, "high")));
	}
	spare = fmax(GAINS_SPARE * (high - low), (least_span - (high - low)) / 2);
	gains->low = low - spare;
	gains->high = high + spare;
}

static void draw_gain_axis(struct gains *gains)
{
	double step = axis_step(gains->high - gains->low, GAINS_TICKS), first = ceil(gains->low / step);
	char text[32];

	for (int i = 0; i <= GAINS_TICKS && (first + i) * step <= gains->high; i++) {
		double y = gain_y(gains, (first + i) * step);

		canvas_line(&gains->canvas, (struct canvas_look){0.75, COLOR_GRID, false}, 0, y, CANVAS_WIDTH, y);
		snprintf(text, sizeof(text), "%g×", round((first + i) * step * 1e6) / 1e6);
		canvas_text(&gains->canvas, CANVAS_NAME, CANVAS_ALL, 0, y, COLOR_INK_2, text);
	}
	canvas_line(&gains->canvas, (struct canvas_look){1.5, COLOR_INK, false}, 0, gain_y(gains, 1), CANVAS_WIDTH,
		gain_y(gains, 1));
	canvas_text(&gains->canvas, CANVAS_EDGE, CANVAS_WIDE, 6, GAINS_HEAD_PX / 2.0, COLOR_INK_2,
		"time as it runs / time then: above 1, it is faster");
	canvas_text(&gains->canvas, CANVAS_EDGE, CANVAS_NARROW, 6, GAINS_HEAD_PX / 2.0, COLOR_INK_2,
		"time as it runs / time then");
}

static void mark_gain(struct gains *gains, const json_t *gain, double x, double y)
{
	char value[FORMAT_SIZE], interval[FORMAT_SIZE];

	format_ratio(value, sizeof(value), ratio_of_gain(gain, "mid"));
	format_ratios(interval, sizeof(interval), ratio_of_gain(gain, "low"), ratio_of_gain(gain, "high"));
	canvas_mark(&gains->canvas, x - 12, y - 8, x + 12, y + 8, false, "%.0f stages: %s (%s)",
		tree_real(gain, "stages"), value, interval);
}

/* A number that does not fit on the GPU has a cross of words. */
static void draw_gain(struct gains *gains, const json_t *gain, double x)
{
	double low = ratio_of_gain(gain, "low"), mid = ratio_of_gain(gain, "mid"), high = ratio_of_gain(gain, "high");
	bool advised = tree_real(gain, "stages") == gains->advised;
	char text[32];

	snprintf(text, sizeof(text), "%.0f", tree_real(gain, "stages"));
	canvas_text(&gains->canvas, CANVAS_CENTER, CANVAS_ALL, x, gains->bottom + 15, COLOR_INK_2, text);
	if (!isfinite(mid)) {
		canvas_text(
			&gains->canvas, CANVAS_CENTER, CANVAS_ALL, x, gain_y(gains, 1) - 10, COLOR_INK_2, "no room");
		return;
	}
	if (isfinite(low) && isfinite(high))
		canvas_line(&gains->canvas, (struct canvas_look){3, advised ? COLOR_DOUBLE : COLOR_INK_2, false}, x,
			gain_y(gains, low), x, gain_y(gains, high));
	canvas_dot(&gains->canvas, x, gain_y(gains, mid), 9, advised ? COLOR_DOUBLE : COLOR_INK);
	if (advised || tree_real(gain, "stages") == gains->now)
		canvas_text(&gains->canvas, CANVAS_LEFT, CANVAS_ALL, x + 14, gain_y(gains, mid), COLOR_INK,
			advised ? "take" : "now");
	mark_gain(gains, gain, x, gain_y(gains, mid));
}

static void draw_gains(struct gains *gains, const json_t *kernel)
{
	struct figure *figure = gains->canvas.figure;

	clip_print(figure->title, sizeof(figure->title), "Gain of %.200s by stages", tree_text(kernel, "label"));
	clip_print(figure->desc, sizeof(figure->desc),
		"An interval of the gain for each number of stages in flight. The table below has the same numbers.");
	gains->top = GAINS_HEAD_PX;
	gains->bottom = gains->top + GAINS_PLOT_PX;
	scale_gains(gains);
	draw_gain_axis(gains);
	canvas_line(&gains->canvas, (struct canvas_look){0.75, COLOR_INK_2, false}, 0, gains->bottom, CANVAS_WIDTH,
		gains->bottom);
	for (size_t i = 0; i < gains->n; i++)
		draw_gain(gains, json_array_get(gains->list, i), gain_x(gains, i));
	canvas_text(&gains->canvas, CANVAS_CENTER, CANVAS_ALL, CANVAS_WIDTH / 2.0, gains->bottom + 36, COLOR_INK_2,
		"stages in flight");
	figure->height = (int)gains->bottom + CANVAS_AXIS_PX;
}

static bool any_gain(const json_t *list)
{
	for (size_t i = 0; i < json_array_size(list); i++)
		if (isfinite(tree_real(json_array_get(list, i), "mid")))
			return true;
	return false;
}

void figure_gains(struct figures *figures, size_t recording, const json_t *kernel, size_t number)
{
	const json_t *list = json_object_get(kernel, "gain");
	const char *action = tree_text(json_object_get(kernel, "action"), "id");
	/* Loads ahead into registers are no number of stages. */
	bool pays = strcmp(tree_text(kernel, "verdict"), "pays") == 0 && strcmp(action, "load-ahead") != 0;
	struct gains gains = {.list = list,
		.n = json_array_size(list),
		.now = tree_real(json_object_get(json_object_get(kernel, "now"), "stages"), "value"),
		.advised = pays ? tree_real(kernel, "stages") : NAN};
	char name[FIGURE_NAME_SIZE], what[32];

	if (!any_gain(list))
		return;
	snprintf(what, sizeof(what), "gains-%zu", number);
	figure_name(name, sizeof(name), recording, NULL, what);
	canvas_open(&gains.canvas, figures, name,
		(struct svg_frame){GAINS_LEFT_PX, GAINS_LEFT_PX, GAINS_RIGHT_PX, GAINS_RIGHT_PX});
	draw_gains(&gains, kernel);
	canvas_close(&gains.canvas);
}
