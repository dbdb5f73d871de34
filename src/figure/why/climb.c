/* climb.c: the ladder of a family that has one, a figure per case: each rung in percent of the reference, and below
 * them the top without single techniques. Bars from zero; what has several buffers is two stripes. */
#include "figure/why/climb.h"

#include <string.h>

#include "figure/canvas.h"
#include "figure/why/column.h"
#include "tree/tree.h"
#include "util/format.h"

enum {
	LEFT_PX = 216,
	NARROW_LEFT_PX = 144, /* frames go in steps of 24 px */
	RIGHT_PX = 72,
	NARROW_RIGHT_PX = 72, /* "97.8 %" in a wide font takes more than two steps */
	HEAD_PX = 22,         /* what stands above a group of bars */
	PITCH_PX = 17,
	BAR_PX = 12,
	STRIPE_PX = 5,
	SPACE_PX = 8, /* between groups */
	NAME_SIZE = 200,
	MOST_CASES = 8, /* that have a figure: a recording of a stranger may have any number */
};

static const struct canvas_look line_look = {1.5, COLOR_INK, false};

/* One figure while it is drawn. */
struct climbing {
	struct canvas canvas;
	const json_t *family, *climb;
	double most; /* share at the right edge */
	double y;    /* px: where the next thing goes */
};

static double climb_x(const struct climbing *climbing, double share)
{
	return CANVAS_WIDTH * share / climbing->most;
}

/* "7. two-buffers", "− padding", "cublas"; "top-scalar" where nothing says what that lacks. */
static void climb_name(char *name, const json_t *step, bool without)
{
	if (without && tree_has(step, "change"))
		snprintf(name, NAME_SIZE, "− %.100s", tree_text(step, "change"));
	else if (tree_has(step, "step"))
		snprintf(name, NAME_SIZE, "%.0f. %.100s", tree_real(step, "step"), tree_text(step, "variant"));
	else
		snprintf(name, NAME_SIZE, "%.100s", tree_text(step, "variant"));
}

/* The name left of the bar, cut where a narrow or a wide page has no room for it. */
static void draw_name(struct climbing *climbing, const char *name, double middle)
{
	char cut[NAME_SIZE + sizeof("…")];
	const struct {
		enum canvas_pages pages;
		double px;
	} room[] = {{CANVAS_WIDE, LEFT_PX}, {CANVAS_NARROW, NARROW_LEFT_PX}};

	for (size_t i = 0; i < sizeof(room) / sizeof(room[0]); i++) {
		snprintf(cut, NAME_SIZE, "%s", name);
		column_cut(cut, room[i].px);
		canvas_text(&climbing->canvas, CANVAS_NAME, room[i].pages, 0, middle, COLOR_INK, cut);
	}
}

static void climb_bar(struct climbing *climbing, const json_t *step, double right)
{
	const json_t *variants = json_object_get(climbing->family, "variants");
	const json_t *variant = tree_find(variants, "name", tree_text(step, "variant"));
	unsigned color = figure_variant_color(variant);
	double top = climbing->y;

	if (tree_real(variant, "buffers") > 1) {
		canvas_bar(&climbing->canvas, 0, right, top, STRIPE_PX, color);
		top += BAR_PX - STRIPE_PX;
		canvas_bar(&climbing->canvas, 0, right, top, STRIPE_PX, color);
	} else {
		canvas_bar(&climbing->canvas, 0, right, top, BAR_PX, color);
	}
}

static void draw_step(struct climbing *climbing, const json_t *step, bool without)
{
	const json_t *share = json_object_get(step, "share");
	double middle = climbing->y + BAR_PX / 2.0, low = tree_real(share, "low"), high = tree_real(share, "high");
	char name[NAME_SIZE], value[FORMAT_SIZE], says[FORMAT_SIZE];

	climb_name(name, step, without);
	draw_name(climbing, name, middle);
	climb_bar(climbing, step, climb_x(climbing, tree_real(share, "value")));
	canvas_text(&climbing->canvas, CANVAS_BEHIND, CANVAS_ALL, 0, middle, COLOR_INK,
		format_percent(value, sizeof(value), tree_real(share, "value")));
	/* What is 100 % of itself has no interval. */
	if (low < high)
		canvas_line(
			&climbing->canvas, line_look, climb_x(climbing, low), middle, climb_x(climbing, high), middle);
	if (strcmp(tree_text(step, "variant"), tree_text(climbing->climb, "reference")) != 0)
		canvas_mark(&climbing->canvas, 0, climbing->y, CANVAS_WIDTH, climbing->y + BAR_PX, false, "%.120s: %s",
			name, column_share_within(says, share));
	climbing->y += PITCH_PX;
}

/* The bars of a list, in its order. */
static void draw_climb_steps(struct climbing *climbing, const char *key)
{
	const json_t *list = json_object_get(climbing->climb, key);

	for (size_t i = 0; i < json_array_size(list); i++)
		if (tree_share_counts(json_array_get(list, i)))
			draw_step(climbing, json_array_get(list, i), strcmp(key, "without") == 0);
}

/* The reference, and zero, through bars that began at `top`. */
static void draw_lines(struct climbing *climbing, double top)
{
	const double bottom = climbing->y - (PITCH_PX - BAR_PX) + 3, x = climb_x(climbing, 1);

	canvas_line(&climbing->canvas, line_look, x, top - 5, x, bottom);
	canvas_line(&climbing->canvas, (struct canvas_look){0.75, COLOR_INK_2, false}, 0, top - 3, 0, bottom);
}

/* "100 %: cublas, 51.2 TFLOP/s" in so many px: the name is cut where it has no room. */
static void reference_words(char *text, const char *name, const char *speed, double px)
{
	char rest[NAME_SIZE], cut[NAME_SIZE + sizeof("…")];

	snprintf(rest, NAME_SIZE, "100 %%: , %.60s", speed);
	snprintf(cut, NAME_SIZE, "%.100s", name);
	column_cut(cut, px - column_text_px(rest));
	snprintf(text, NAME_SIZE, "100 %%: %.110s, %.60s", cut, speed);
}

/* Above the bars: what 100 % are, from the left edge on, as the head of what is below. */
static void draw_reference(struct climbing *climbing)
{
	const char *name = tree_text(climbing->climb, "reference");
	const char *unit = tree_text(climbing->family, "throughput_unit");
	const json_t *reference = tree_find(json_object_get(climbing->climb, "references"), "variant", name);
	const struct {
		enum canvas_pages pages;
		double px;
	} room[] = {{CANVAS_WIDE, CANVAS_WIDE_PX}, {CANVAS_NARROW, CANVAS_NARROW_PX}};
	char speed[FORMAT_SIZE], text[NAME_SIZE];

	/* "GFLOP/s" as "FLOP/s": the number brings its own prefix. */
	format_rate(speed, sizeof(speed), tree_real(reference, "speed"), unit + (*unit == 'G'));
	for (size_t i = 0; i < sizeof(room) / sizeof(room[0]); i++) {
		reference_words(text, name, speed, room[i].px);
		canvas_text(&climbing->canvas, CANVAS_EDGE, room[i].pages, 0, climbing->y + 8, COLOR_INK_2, text);
	}
	climbing->y += HEAD_PX;
}

static void draw_rungs(struct climbing *climbing)
{
	double top;

	draw_reference(climbing);
	top = climbing->y;
	draw_climb_steps(climbing, "rungs");
	draw_climb_steps(climbing, "references");
	draw_lines(climbing, top);
}

static void draw_without(struct climbing *climbing)
{
	char text[NAME_SIZE];
	double top;

	climbing->y += SPACE_PX;
	snprintf(text, sizeof(text), "%.60s without …", tree_text(climbing->climb, "top"));
	canvas_text(&climbing->canvas, CANVAS_EDGE, CANVAS_ALL, 0, climbing->y + 8, COLOR_INK_2, text);
	climbing->y += HEAD_PX;
	top = climbing->y;
	draw_climb_steps(climbing, "without");
	draw_lines(climbing, top);
}

static void climb_figure_words(const struct climbing *climbing)
{
	struct figure *figure = climbing->canvas.figure;

	snprintf(figure->title, sizeof(figure->title), "Ladder of %.120s, case %.40s: percent of %.60s",
		tree_text(climbing->family, "title"), tree_text(climbing->climb, "case"),
		tree_text(climbing->climb, "reference"));
	snprintf(figure->desc, sizeof(figure->desc),
		"Speed of each rung over that of %.80s, from the lowest rung up, with 95 %% intervals. The table of "
		"the "
		"ladder has the speeds.",
		tree_text(climbing->climb, "reference"));
}

static void climb_figure(const struct figure_family *in, const json_t *climb, const char *what)
{
	struct climbing climbing = {.family = in->family, .climb = climb, .most = 1};
	size_t rungs = column_measure_shares(json_object_get(climb, "rungs"), &climbing.most);
	size_t without = column_measure_shares(json_object_get(climb, "without"), &climbing.most);
	char name[FIGURE_NAME_SIZE];

	if (rungs == 0)
		return;
	column_measure_shares(json_object_get(climb, "references"), &climbing.most);
	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), what);
	canvas_open(&climbing.canvas, in->figures, name,
		(struct svg_frame){LEFT_PX, NARROW_LEFT_PX, RIGHT_PX, NARROW_RIGHT_PX});
	climb_figure_words(&climbing);
	draw_rungs(&climbing);
	if (without > 0)
		draw_without(&climbing);
	climbing.canvas.figure->height = (int)climbing.y;
	canvas_close(&climbing.canvas);
}

bool climb_figures(const struct figure_family *in)
{
	const json_t *climbs = json_object_get(in->family, "climbs");
	char what[32] = "ladder";

	for (size_t i = 0; i < json_array_size(climbs) && i < MOST_CASES; i++) {
		if (i > 0)
			snprintf(what, sizeof(what), "ladder-%zu", i + 1);
		climb_figure(in, json_array_get(climbs, i), what);
	}
	return json_array_size(climbs) > 0;
}
