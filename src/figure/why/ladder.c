/* ladder.c: every variant in percent of the floor or of the library: bars from zero in teaching order. A family with
 * rungs has them instead: climb.h. */
#include "figure/figure.h"

#include <math.h>
#include <string.h>

#include "figure/why/climb.h"
#include "figure/why/column.h"
#include "tree/tree.h"
#include "util/format.h"

enum { HEAD = 26, PITCH = 34, BAR_TOP = 18, BAR = 9, FOOT = 2, WIDEST = 338 };

static const struct canvas_look thick = {1.5, COLOR_INK, false};

struct steps {
	struct canvas canvas;
	const json_t *family, *ladder, *rungs;
	double px_per_share, bottom;
};

/* "tile-padded (single)": who plays a part is told in words, too. */
static void rung_name(char *name, size_t size, const json_t *rung, const char *role)
{
	const char *variant = tree_text(rung, "variant"), *kind = tree_text(rung, "kind");
	const char *note = *role ? role : strcmp(kind, "candidate") != 0 ? kind : "";

	if (*note)
		snprintf(name, size, "%.40s (%.10s)", variant, note);
	else
		snprintf(name, size, "%.40s", variant);
}

static void draw_interval(struct steps *steps, const json_t *share, double y)
{
	double low = tree_real(share, "low"), high = tree_real(share, "high");

	if (isfinite(low) && isfinite(high))
		canvas_line(&steps->canvas, thick, low * steps->px_per_share, y, high * steps->px_per_share, y);
}

static void draw_rung(struct steps *steps, const json_t *rung, double top)
{
	const json_t *share = json_object_get(rung, "share");
	const char *role = tree_text(
		tree_find(json_object_get(steps->family, "variants"), "name", tree_text(rung, "variant")), "role");
	double right = tree_real(share, "value") * steps->px_per_share;
	char name[64 + 8], value[FORMAT_SIZE], says[FORMAT_SIZE], text[128];

	format_percent(value, sizeof(value), tree_real(share, "value"));
	rung_name(name, sizeof(name) - 8, rung, role);
	column_cut(name, COLUMN_PX - column_text_px(value) - 10);
	/* The value first: so values stand below each other. */
	snprintf(text, sizeof(text), "%.40s %s", value, name);
	canvas_text(&steps->canvas, CANVAS_LEFT, CANVAS_ALL, 0, top + 9, COLOR_INK, text);
	const struct edges_px at = {0, top + BAR_TOP, right, top + BAR_TOP + BAR};
	column_bar(&steps->canvas, at, column_role_color(role), false);
	/* What is 100 % of itself has no interval. */
	if (strcmp(tree_text(rung, "variant"), tree_text(steps->ladder, "variant")) != 0)
		canvas_mark(&steps->canvas, at.left, at.top, at.right, at.bottom, true, "%.60s: %s",
			tree_text(rung, "variant"), column_share_within(says, share));
	draw_interval(steps, share, top + BAR_TOP + BAR / 2.0);
}

/* What 100 % are, above the line. */
static void draw_top(struct steps *steps)
{
	char time[FORMAT_SIZE], text[FORMAT_SIZE];
	double x = fmin(steps->px_per_share, COLUMN_PX - 1);

	format_time_ns(time, sizeof(time), tree_real(steps->ladder, "median_ns"));
	snprintf(text, sizeof(text), "100 %%: %.24s, %.100s", tree_text(steps->ladder, "variant"), time);
	double width = column_text_px(text);
	if (x >= width)
		canvas_text(&steps->canvas, CANVAS_RIGHT, CANVAS_ALL, x, 9, COLOR_INK_2, text);
	else
		canvas_text(&steps->canvas, CANVAS_LEFT, CANVAS_ALL, fmax(0, fmin(x, COLUMN_PX - width)), 9,
			COLOR_INK_2, text);
	/* Texts stand between the bars: the line leaves them readable. */
	for (int i = 0; HEAD + PITCH * i < steps->bottom; i++) {
		double top = HEAD + PITCH * i + BAR_TOP;

		canvas_line(&steps->canvas, thick, x, top - 2, x, top + BAR + 2);
	}
}

static void ladder_words(const struct steps *steps)
{
	struct figure *figure = steps->canvas.figure;
	bool floor = strcmp(tree_text(steps->ladder, "of"), "floor") == 0;

	snprintf(figure->title, sizeof(figure->title), "Variants of %.120s in percent of %s",
		tree_text(steps->family, "title"), floor ? "the floor" : "the reference");
	snprintf(figure->desc, sizeof(figure->desc),
		"Time of %.80s over time of each variant, in teaching order, with 95 %% intervals. The table of all "
		"variants has the times.",
		tree_text(steps->ladder, "variant"));
}

void figure_ladder(const struct figure_family *in)
{
	const json_t *ladder = json_object_get(in->family, "ladder"), *rungs = json_object_get(ladder, "rungs");
	struct steps steps = {.family = in->family, .ladder = ladder, .rungs = rungs};
	double most = 1, top = HEAD;
	size_t n;

	if (climb_figures(in))
		return;
	n = column_measure_shares(rungs, &most);
	if (n < 2)
		return;
	column_open(&steps.canvas, in, "ladder", COLUMN_PX);
	steps.px_per_share = WIDEST / most;
	steps.bottom = HEAD + (double)n * PITCH;
	steps.canvas.figure->height = (int)steps.bottom + FOOT;
	ladder_words(&steps);
	for (size_t i = 0; i < json_array_size(rungs); i++) {
		if (!tree_share_counts(json_array_get(rungs, i)))
			continue;
		draw_rung(&steps, json_array_get(rungs, i), top);
		top += PITCH;
	}
	draw_top(&steps);
	canvas_close(&steps.canvas);
}
