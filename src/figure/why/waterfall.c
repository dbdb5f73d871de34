/* waterfall.c: from single's time to double's: what each cause takes away or adds. The axis is the change of the time,
 * which begins at zero: bars of whole times would hide a change of a percent. */
#include "figure/figure.h"

#include <math.h>
#include <string.h>

#include "figure/why/column.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

enum { HEAD = 24, PITCH = 38, BAR_TOP = 20, BAR = 14, FOOT = 4, LEFT = 2, RIGHT = 338 };
/* Bytes of names, so that a text fits the width of the figure. */
enum { FALL_WHAT_SIZE = 32, FALL_KERNEL_SIZE = 24, FALL_NAME_SIZE = 64 };

static const struct canvas_look thick = {1.5, COLOR_INK, false}, thin = {0.75, COLOR_INK_2, false};

struct fall {
	struct canvas canvas;
	const json_t *family, *contrast, *causes;
	bool kernels;          /* the causes are in several kernels */
	const char *from, *to; /* what the sides are called */
	double low, high;      /* ns against single: the ends of the axis */
	double bottom;         /* px, of the rows */
};

/* What a cause changes: positive in the tree where double gains, so it makes the time shorter. */
static double change_by(const json_t *cause, const char *key)
{
	return -tree_real(cause, key);
}

static bool is_in_fall(const json_t *cause)
{
	return isfinite(tree_real(cause, "ns"));
}

static bool is_rest(const json_t *cause)
{
	return strcmp(tree_text(cause, "id"), "unexplained") == 0;
}

static double fall_x(const struct fall *fall, double ns)
{
	return LEFT + (ns - fall->low) / (fall->high - fall->low) * (RIGHT - LEFT);
}

/* "copies both ways": an id of a cause in words. States of warps are called as where the time went calls them. */
static void fall_id_name(char *name, size_t size, const char *id)
{
	if (strcmp(id, "memory-latency-hidden") == 0)
		id = figure_time_name("memory");
	else if (strcmp(id, "shared-memory-queue") == 0)
		id = figure_time_name("queue");
	clip_print(name, size, "%.30s", id);
	for (char *c = name; *c; c++) {
		if (*c == '-')
			*c = ' ';
	}
}

static const char *fall_kernel(const json_t *cause)
{
	return tree_text(json_object_get(cause, "where"), "text");
}

/* Names of kernels may differ in their ends alone: of a long one both ends stand. */
static void fall_kernel_name(char kernel[FALL_KERNEL_SIZE], const char *name)
{
	enum { END = 9 };
	char head[END + 1];
	const char *tail;

	if (strlen(name) <= 2 * END + 1) {
		clip_print(kernel, FALL_KERNEL_SIZE, "%s", name);
		return;
	}
	tail = name + strlen(name) - END;
	/* Not from within a character of UTF-8. */
	while (((unsigned char)*tail & 0xc0) == 0x80)
		tail++;
	clip_print(head, sizeof(head), "%s", name);
	clip_print(kernel, FALL_KERNEL_SIZE, "%s…%s", head, tail);
}

/* A cause of a step of several kernels names its kernel: "barrier wait, gemm", "copy, not counted". */
static void fall_cause_name(char *name, size_t size, const struct fall *fall, const json_t *cause)
{
	const char *id = tree_text(cause, "id"), *side = tree_real(cause, "ns") > 0 ? "single" : "double";
	char what[FALL_WHAT_SIZE], kernel[FALL_KERNEL_SIZE];

	fall_kernel_name(kernel, fall_kernel(cause));
	if (strcmp(id, "other-kernels") == 0) {
		clip_print(name, size, "%s, only in %.10s", kernel, tree_text(fall->family, side));
	} else if (fall->kernels && strcmp(id, "kernel-time") == 0) {
		clip_print(name, size, "%s, not counted", kernel);
	} else {
		fall_id_name(what, sizeof(what), id);
		clip_print(
			name, size, "%s%s%s", what, fall->kernels && *kernel ? ", " : "", fall->kernels ? kernel : "");
	}
}

/* Whether the causes are those of a step in which several kernels have some. */
static bool fall_of_kernels(const json_t *family, const json_t *causes)
{
	const char *first = "";

	for (size_t i = 0; *tree_text(family, "origin") && i < json_array_size(causes); i++) {
		const char *kernel = fall_kernel(json_array_get(causes, i));

		if (*first && *kernel && strcmp(first, kernel) != 0)
			return true;
		first = *kernel ? kernel : first;
	}
	return false;
}

static void fall_widen(struct fall *fall, double ns)
{
	if (!isfinite(ns))
		return;
	fall->low = fmin(fall->low, ns);
	fall->high = fmax(fall->high, ns);
}

/* Sets the axis: all that is drawn lies in it. */
static void fall_scale(struct fall *fall)
{
	double at = 0;

	fall_widen(fall, tree_real(fall->contrast, "double_ns") - tree_real(fall->contrast, "single_ns"));
	for (size_t i = 0; i < json_array_size(fall->causes); i++) {
		const json_t *cause = json_array_get(fall->causes, i);

		if (!is_in_fall(cause))
			continue;
		fall_widen(fall, at + change_by(cause, "ns"));
		fall_widen(fall, at + change_by(cause, "low"));
		fall_widen(fall, at + change_by(cause, "high"));
		at += change_by(cause, "ns");
	}
	double margin = 0.02 * (fall->high - fall->low);
	fall->low -= margin;
	fall->high += margin;
}

/* What is neither to be said nor to be seen has no row; the bars behind it begin where it ends. */
static bool has_row(const struct fall *fall, const json_t *cause)
{
	double px = fabs(tree_real(cause, "ns")) / (fall->high - fall->low) * (RIGHT - LEFT);

	return is_in_fall(cause) && (is_rest(cause) || tree_true(cause, "named") || px >= 1);
}

/* How many rows; 0 where none but what is unexplained would have one. */
static size_t fall_count_rows(const struct fall *fall)
{
	size_t n = 0, causes = 0;

	for (size_t i = 0; i < json_array_size(fall->causes); i++) {
		const json_t *cause = json_array_get(fall->causes, i);

		n += has_row(fall, cause);
		causes += has_row(fall, cause) && !is_rest(cause);
	}
	return causes > 0 ? n : 0;
}

/* ---- drawing ---- */

/* The line of single's time, beside the bars alone: it leaves the texts between them readable. */
static void fall_zero(struct fall *fall, double top)
{
	double x = fall_x(fall, 0);

	canvas_line(&fall->canvas, thick, x, top + BAR_TOP - 3, x, top + BAR_TOP + BAR + 3);
}

/* Above the bar, the value first: so values stand below each other. */
static void fall_text(struct fall *fall, double top, double change, const char *name)
{
	char value[FORMAT_SIZE], text[2 * FORMAT_SIZE];

	snprintf(text, sizeof(text), "%s %s", column_change(value, change), name);
	canvas_text(&fall->canvas, CANVAS_LEFT, CANVAS_ALL, 0, top + 10, COLOR_INK, text);
}

static unsigned bar_color(const json_t *cause)
{
	return is_rest(cause) ? COLOR_IDLE : change_by(cause, "ns") < 0 ? COLOR_DOUBLE : COLOR_SINGLE;
}

/* What is not sure enough to be said is a frame. */
static void fall_bar(struct fall *fall, const json_t *cause, double top, double from, double to)
{
	double left = fall_x(fall, fmin(from, to)), right = fall_x(fall, fmax(from, to));

	/* A sliver is seen, too. */
	if (right - left < 1.5)
		right = left + 1.5;
	const struct edges_px at = {left, top, right, top + BAR};
	if (!is_rest(cause) && !tree_true(cause, "named"))
		column_box(&fall->canvas, (struct canvas_look){1.25, bar_color(cause), false}, at);
	else
		column_bar(&fall->canvas, at, bar_color(cause), false);
	char says[FORMAT_SIZE], name[FALL_NAME_SIZE];
	fall_cause_name(name, sizeof(name), fall, cause);
	column_change_within(says, change_by(cause, "ns"), change_by(cause, "high"), change_by(cause, "low"));
	/* A pointer finds nothing smaller. */
	if (right - left >= 2)
		canvas_mark(&fall->canvas, at.left, at.top, at.right, at.bottom, true, "%s: %s", name, says);
}

/* From where the bar begins, the ends that the cause may have. */
static void fall_interval(struct fall *fall, const json_t *cause, double top, double from)
{
	double low = from + change_by(cause, "high"), high = from + change_by(cause, "low"), y = top + BAR / 2.0;

	if (!isfinite(low) || !isfinite(high) || low == high)
		return;
	canvas_line(&fall->canvas, thick, fall_x(fall, low), y, fall_x(fall, high), y);
	for (int i = 0; i < 2; i++) {
		double x = fall_x(fall, i ? high : low);

		canvas_line(&fall->canvas, thick, x, y - 4, x, y + 4);
	}
}

/* Where one bar ends the next begins. */
static void fall_joint(struct fall *fall, double ns, double top)
{
	double x = fall_x(fall, ns);

	canvas_line(&fall->canvas, thin, x, top + BAR_TOP + BAR, x, top + BAR_TOP + BAR + 4);
	canvas_line(&fall->canvas, thin, x, top + PITCH + BAR_TOP - 4, x, top + PITCH + BAR_TOP);
}

/* Whether a part is nothing but what adding up loses. */
static bool is_rounding(const struct fall *fall, double change)
{
	return fabs(change) < 1e-9 * (fall->high - fall->low);
}

static void fall_row(struct fall *fall, const json_t *cause, double top, double from)
{
	double change = change_by(cause, "ns"), to = from + change;
	char name[FALL_NAME_SIZE];

	fall_cause_name(name, sizeof(name), fall, cause);
	fall_zero(fall, top);
	fall_text(fall, top, is_rounding(fall, change) ? 0 : change, name);
	fall_bar(fall, cause, top + BAR_TOP, from, to);
	fall_interval(fall, cause, top + BAR_TOP, from);
	fall_joint(fall, to, top);
}

static void fall_total(struct fall *fall, double top, double change)
{
	char single[FORMAT_SIZE], dbl[FORMAT_SIZE], name[FORMAT_SIZE];
	double left = fall_x(fall, fmin(change, 0)), right = fall_x(fall, fmax(change, 0));

	format_time_ns(single, sizeof(single), tree_real(fall->contrast, "single_ns"));
	format_time_ns(dbl, sizeof(dbl), tree_real(fall->contrast, "double_ns"));
	snprintf(name, sizeof(name), "in all: %.100s to %.100s", single, dbl);
	fall_zero(fall, top);
	fall_text(fall, top, change, name);
	column_bar(
		&fall->canvas, (struct edges_px){left, top + BAR_TOP, right, top + BAR_TOP + BAR}, COLOR_INK_2, false);
}

static void fall_draw(struct fall *fall, double change)
{
	double top = HEAD, at = 0, x = fall_x(fall, 0), width;
	char time[FORMAT_SIZE], text[FORMAT_SIZE];

	format_time_ns(time, sizeof(time), tree_real(fall->contrast, "single_ns"));
	snprintf(text, sizeof(text), change < 0 ? "← less time  %.20s %.100s" : "%.20s %.100s  more time →", fall->from,
		time);
	width = figure_text_width(text, CANVAS_FONT_PX);
	/* Where there is no room on either side, it ends further right. */
	if ((change < 0 && x > width) || x + width > COLUMN_PX)
		canvas_text(&fall->canvas, CANVAS_RIGHT, CANVAS_ALL, fmax(x, width), 9, COLOR_INK_2, text);
	else
		canvas_text(&fall->canvas, CANVAS_LEFT, CANVAS_ALL, x, 9, COLOR_INK_2, text);
	for (size_t i = 0; i < json_array_size(fall->causes); i++) {
		const json_t *cause = json_array_get(fall->causes, i);

		if (has_row(fall, cause)) {
			fall_row(fall, cause, top, at);
			top += PITCH;
		}
		at += is_in_fall(cause) ? change_by(cause, "ns") : 0;
	}
	fall_total(fall, top, change);
}

/* Bars of a difference between programs that is not clear would show noise. */
static bool fall_is_sure(const json_t *family, const json_t *contrast)
{
	const char *verdict = tree_text(contrast, "verdict");

	return !*tree_text(family, "origin") || strcmp(verdict, "faster") == 0 || strcmp(verdict, "slower") == 0;
}

static void draw_waterfall(const struct figure_family *in, const json_t *contrast, const char *name)
{
	struct fall fall = {.family = in->family, .contrast = contrast, .causes = json_object_get(contrast, "causes")};
	double change = tree_real(contrast, "double_ns") - tree_real(contrast, "single_ns");
	size_t n;

	if (!fall_is_sure(in->family, contrast))
		return;
	fall.kernels = fall_of_kernels(in->family, fall.causes);
	fall.from = tree_side_called(in->family, "single");
	fall.to = tree_side_called(in->family, "double");
	fall_scale(&fall);
	n = fall.high > fall.low && isfinite(change) ? fall_count_rows(&fall) : 0;
	if (n == 0)
		return;
	column_open(&fall.canvas, in, name, COLUMN_PX);
	fall.bottom = HEAD + (double)(n + 1) * PITCH;
	fall.canvas.figure->height = (int)fall.bottom + FOOT;
	snprintf(fall.canvas.figure->title, sizeof(fall.canvas.figure->title), "From %.40s to %.40s in %.160s",
		fall.from, fall.to, tree_text(in->family, "title"));
	snprintf(fall.canvas.figure->desc, sizeof(fall.canvas.figure->desc),
		"A bar for each cause: what it takes from the time of %.40s, or adds, with its 95 %% interval. Bars "
		"to the left make %.40s faster.",
		fall.from, fall.to);
	fall_draw(&fall, change);
	canvas_close(&fall.canvas);
}

void figure_waterfall(const struct figure_family *in)
{
	draw_waterfall(in, column_contrast(in->family), "waterfall");
	draw_waterfall(in, tree_program_contrast(in->family), "step-waterfall");
}
