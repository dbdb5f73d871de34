/* stalls.c: what warps wait for: a pair of bars for each reason, single above double. */
#include "figure/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/canvas.h"
#include "tree/counter-keys.h"
#include "tree/tree.h"
#include "util/alloc.h"
#include "util/format.h"

enum { BAR_PX = 14, PITCH_PX = 38, TOP_PX = 6, LEFT_PX = 144, RIGHT_PX = 24 };

/* Of the plot, what the longest bar takes: its value stands behind it, also on narrow pages. */
#define LONGEST 0.62

/* A reason and its shares of warp time in %. */
struct reason {
	const char *name; /* "long_scoreboard" */
	double share[2];  /* single's and double's; NaN where not counted */
	size_t at;
};

struct reasons {
	struct reason *reason;
	size_t n;
	double to; /* % at the right edge */
};

static double stalls_largest(const struct reason *reason)
{
	return fmax(reason->share[0], reason->share[1]);
}

static int by_share(const void *left, const void *right)
{
	const struct reason *a = left, *b = right;
	double x = stalls_largest(a), y = stalls_largest(b);

	if (x != y)
		return x < y ? 1 : -1;
	return (a->at > b->at) - (a->at < b->at);
}

/* The reasons that are worth a row, largest first; `reasons` has room for all metrics. */
static void take_reasons(const json_t *family, struct reasons *reasons)
{
	const json_t *metrics = json_object_get(family, "metrics"), *values[2];
	static const char *const roles[] = {"single", "double"};

	for (int side = 0; side < 2; side++) {
		const json_t *of_case = tree_headline_case(family, tree_role(family, roles[side]));

		values[side] = json_object_get(json_object_get(of_case, "counters"), "values");
	}
	for (size_t i = 0; i < json_array_size(metrics); i++) {
		const char *key = tree_text(json_array_get(metrics, i), "key");
		struct reason reason = {key + strlen(STALL_PREFIX), {NAN, NAN}, i};

		if (!is_stall_share(key))
			continue;
		for (int side = 0; side < 2; side++)
			reason.share[side] = tree_real(values[side], key);
		if (stalls_largest(&reason) >= STALL_WORTH_A_ROW)
			reasons->reason[reasons->n++] = reason;
	}
	qsort(reasons->reason, reasons->n, sizeof(*reasons->reason), by_share);
}

/* "long scoreboard" */
static void reason_words(const struct reason *reason, char *text, size_t size)
{
	snprintf(text, size, "%s", reason->name);
	for (char *c = text; *c; c++)
		if (*c == '_')
			*c = ' ';
}

/* A bar with its value behind it; the first pair says which is which. */
static void stalls_bar(struct canvas *canvas, const struct reasons *reasons, size_t i, int side)
{
	static const unsigned colors[] = {COLOR_SINGLE, COLOR_DOUBLE};
	static const char *const roles[] = {"single", "double"};
	double y = TOP_PX + PITCH_PX * (double)i + BAR_PX * side, share = reasons->reason[i].share[side];
	double x = isfinite(share) ? CANVAS_WIDTH * share / reasons->to : 0;
	char name[64], percent[FORMAT_SIZE], text[FORMAT_SIZE + 16];

	reason_words(&reasons->reason[i], name, sizeof(name));
	format_percent(percent, sizeof(percent), share / 100);
	if (isfinite(share))
		canvas_bar(canvas, 0, x, y, BAR_PX - 1, colors[side]);
	snprintf(text, sizeof(text), "%s %s", percent, roles[side]);
	canvas_text(canvas, CANVAS_LEFT, i == 0 ? CANVAS_NARROW : CANVAS_ALL, x, y + BAR_PX / 2.0, COLOR_INK, percent);
	if (i == 0)
		canvas_text(canvas, CANVAS_LEFT, CANVAS_WIDE, x, y + BAR_PX / 2.0, COLOR_INK, text);
	canvas_mark(
		canvas, 0, y, CANVAS_WIDTH, y + BAR_PX, true, "%s, %s: %s of warp time", name, roles[side], percent);
}

static void stalls_draw(struct canvas *canvas, const struct reasons *reasons)
{
	char name[64];

	canvas_axis(canvas, &(struct canvas_axis){0, reasons->to, 0, TOP_PX + PITCH_PX * (double)reasons->n,
				    "share of warp time (%)", "share of warp time (%)", false});
	for (size_t i = 0; i < reasons->n; i++) {
		reason_words(&reasons->reason[i], name, sizeof(name));
		canvas_text(
			canvas, CANVAS_NAME, CANVAS_ALL, 0, TOP_PX + PITCH_PX * (double)i + BAR_PX, COLOR_INK, name);
		stalls_bar(canvas, reasons, i, 0);
		stalls_bar(canvas, reasons, i, 1);
	}
}

static void stalls_figure(const struct figure_family *in, struct reasons *reasons)
{
	struct canvas canvas;
	char name[FIGURE_NAME_SIZE];

	reasons->to = stalls_largest(&reasons->reason[0]) / LONGEST;
	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), "stalls");
	canvas_open(&canvas, in->figures, name, (struct svg_frame){LEFT_PX, LEFT_PX, RIGHT_PX, RIGHT_PX});
	struct figure *figure = canvas.figure;
	figure->height = TOP_PX + PITCH_PX * (int)reasons->n + CANVAS_AXIS_PX;
	snprintf(figure->title, sizeof(figure->title), "What warps wait for in %s", tree_text(in->family, "title"));
	snprintf(figure->desc, sizeof(figure->desc), "The table of counters has the same shares of warp time.");
	stalls_draw(&canvas, reasons);
	canvas_close(&canvas);
}

/* Whether kernels run so little of the time that what their warps wait for decides nothing. */
static bool kernels_hardly_run(const json_t *family)
{
	static const char *const roles[] = {"single", "double"};

	for (int side = 0; side < 2; side++) {
		const json_t *trace =
			json_object_get(tree_headline_case(family, tree_role(family, roles[side])), "trace");
		const json_t *work = json_object_get(trace, "work");
		double kernel = tree_real(json_object_get(work, "busy_ns"), "kernel");

		if (!(kernel < STALLS_WORTH_A_FIGURE * tree_real(work, "span_ns")))
			return false;
	}
	return true;
}

void figure_stalls(const struct figure_family *in)
{
	size_t room = json_array_size(json_object_get(in->family, "metrics"));
	struct reasons reasons = {.reason = xcalloc(room, sizeof(struct reason))};

	take_reasons(in->family, &reasons);
	if (reasons.n > 0 && !kernels_hardly_run(in->family))
		stalls_figure(in, &reasons);
	free(reasons.reason);
}
