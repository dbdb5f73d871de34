/* time.c: where the time went: single and double as stacked bars from zero on one scale, for a row of the overview
 * (single above double) and, with every part named, for the family (side by side). */
#include "figure/figure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "figure/why/column.h"
#include "tree/tree.h"
#include "util/alloc.h"
#include "util/clip.h"
#include "util/format.h"

/* How a part looks. Two colours: two things at once, each in its half of the bar. Colours of waits, of copies out and
 * of idle time get a texture (svg/svg.h), so that parts are told apart without colour. */
struct look {
	const char *id, *name;
	unsigned color, beside; /* beside: of the other half, or the same */
};

static const struct look looks[] = {
	{"h2d", "copy in", COLOR_H2D, COLOR_H2D},
	{"both", "both copies", COLOR_H2D, COLOR_D2H},
	{"d2h", "copy out", COLOR_D2H, COLOR_D2H},
	{"kernel-copy", "kernel + copy", COLOR_KERNEL, COLOR_H2D},
	{"kernel", "kernel", COLOR_KERNEL, COLOR_KERNEL},
	{"idle", "idle", COLOR_IDLE, COLOR_IDLE},
	{"untraced", "untraced", COLOR_GRID, COLOR_GRID},
	{"barrier", "barrier wait", COLOR_WAIT, COLOR_WAIT},
	{"memory", "memory wait", COLOR_H2D, COLOR_H2D},
	{"queue", "queue wait", COLOR_QUEUE, COLOR_QUEUE},
	{"issue", "work", COLOR_KERNEL, COLOR_KERNEL},
};

/* One part of a bar. */
struct part {
	struct look look;
	double ns, from; /* where it begins */
};

enum { STACK_NAME_SIZE = 16 };

struct stack {
	char name[STACK_NAME_SIZE]; /* cut */
	struct part *part;          /* owned */
	size_t n;
	double total;
};

struct times {
	struct stack single, dbl;
	double longest;
};

/* ---- from the tree ---- */

static struct look look_of(const char *id)
{
	for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++) {
		if (strcmp(looks[i].id, id) == 0)
			return looks[i];
	}
	return (struct look){id, id, COLOR_GRID, COLOR_GRID};
}

const char *figure_time_name(const char *id)
{
	for (size_t i = 0; i < sizeof(looks) / sizeof(looks[0]); i++) {
		if (strcmp(looks[i].id, id) == 0)
			return looks[i].name;
	}
	return id;
}

/* A side of a contrast of programs has a name of its own. */
static void stack_fill(struct stack *stack, const json_t *family, const char *role, const json_t *side)
{
	const char *name = tree_side_called(family, role);
	const json_t *parts = json_object_get(side, "parts");
	double from = 0;

	*stack = (struct stack){.total = tree_real(side, "total_ns")};
	clip_print(stack->name, sizeof(stack->name), "%s", name);
	stack->part = xcalloc(json_array_size(parts) + 1, sizeof(*stack->part));
	for (size_t i = 0; i < json_array_size(parts); i++) {
		const json_t *part = json_array_get(parts, i);
		double ns = tree_real(part, "ns");

		if (!(ns > 0))
			continue;
		stack->part[stack->n++] = (struct part){look_of(tree_text(part, "id")), ns, from};
		from += ns;
	}
}

static void free_times(struct times *times)
{
	free(times->single.part);
	free(times->dbl.part);
}

/* False if the time of one of them is not known in parts. */
static bool times_fill(struct times *times, const json_t *family)
{
	const json_t *time = json_object_get(tree_timed_contrast(family), "time");

	stack_fill(&times->single, family, "single", json_object_get(time, "single"));
	stack_fill(&times->dbl, family, "double", json_object_get(time, "double"));
	times->longest = fmax(times->single.total, times->dbl.total);
	return times->single.n > 0 && times->dbl.n > 0 && times->single.total > 0 && times->dbl.total > 0;
}

static double change_of(const struct times *times)
{
	return times->dbl.total - times->single.total;
}

/* ---- parts ---- */

/* "copy in 630 µs, 63.1 %" */
static char *time_part_words(char *text, const struct stack *stack, const struct part *part)
{
	char time[FORMAT_SIZE], share[FORMAT_SIZE];

	format_time_ns(time, sizeof(time), part->ns);
	format_percent(share, sizeof(share), part->ns / stack->total);
	snprintf(text, FORMAT_SIZE, "%.40s %.100s, %.100s", part->look.name, time, share);
	return text;
}

/* Two things at once have half of the bar each, along it. */
static void draw_part(struct canvas *canvas, const struct part *part, struct edges_px at, bool upright)
{
	struct edges_px first = at, second = at;

	if (part->look.color == part->look.beside) {
		column_bar(canvas, at, part->look.color, upright);
		return;
	}
	if (upright)
		first.right = second.left = (at.left + at.right) / 2;
	else
		first.bottom = second.top = (at.top + at.bottom) / 2;
	column_bar(canvas, first, part->look.color, upright);
	column_bar(canvas, second, part->look.beside, upright);
}

/* What double saves: a box without anything in it. */
static const struct canvas_look saved_look = {1.25, COLOR_INK_2, true};

/* All parts in words: the picture's description is the place for those who cannot see it. */
static void describe_time(struct figure *figure, const struct figure_family *in, const struct times *times)
{
	const struct stack *const stacks[] = {&times->single, &times->dbl};
	char words[FORMAT_SIZE], all[FORMAT_SIZE] = "";
	size_t used = 0;

	for (int k = 0; k < 2; k++) {
		for (size_t i = 0; i < stacks[k]->n && used < sizeof(all); i++)
			used += (size_t)snprintf(all + used, sizeof(all) - used, "%s%s%s%s",
				i   ? "; "
				: k ? ". "
				    : "",
				i ? "" : stacks[k]->name, i ? "" : ": ",
				time_part_words(words, stacks[k], &stacks[k]->part[i]));
	}
	snprintf(figure->title, sizeof(figure->title), "Where the time went in %.160s", tree_text(in->family, "title"));
	snprintf(figure->desc, sizeof(figure->desc), "%s", all);
}

/* ---- the row ---- */

enum { ROW_WIDTH = 300, ROW_HEIGHT = 44, ROW_BAR = 18, ROW_TOP = 2, ROW_PITCH = 22, ROW_TEXT = 76 };

static void draw_row_stack(struct canvas *canvas, const struct stack *stack, double px_per_ns, double top)
{
	char words[FORMAT_SIZE];

	for (size_t i = 0; i < stack->n; i++) {
		const struct part *part = &stack->part[i];
		const struct edges_px at = {
			part->from * px_per_ns, top, (part->from + part->ns) * px_per_ns, top + ROW_BAR};

		draw_part(canvas, part, at, false);
		if (at.right - at.left >= 2)
			canvas_mark(canvas, at.left, at.top, at.right, at.bottom, true, "%s: %s", stack->name,
				time_part_words(words, stack, part));
	}
}

static void figure_time_row(const struct figure_family *in, const struct times *times)
{
	double px_per_ns = (ROW_WIDTH - ROW_TEXT - 2) / times->longest, top = ROW_TOP + ROW_PITCH;
	double single = times->single.total * px_per_ns, dbl = times->dbl.total * px_per_ns;
	struct canvas canvas;
	char text[FORMAT_SIZE];

	column_open(&canvas, in, "time-row", ROW_WIDTH);
	canvas.figure->height = ROW_HEIGHT;
	describe_time(canvas.figure, in, times);
	draw_row_stack(&canvas, &times->single, px_per_ns, ROW_TOP);
	draw_row_stack(&canvas, &times->dbl, px_per_ns, top);
	if (single - dbl > 3)
		column_box(&canvas, saved_look, (struct edges_px){dbl + 1, top, single, top + ROW_BAR});
	canvas_text(&canvas, CANVAS_LEFT, CANVAS_ALL, fmax(single, dbl) + 6, top + ROW_BAR / 2.0, COLOR_INK,
		column_change(text, change_of(times)));
	canvas_close(&canvas);
}

/* ---- for the family ---- */

enum {
	COLUMN_WIDTH = 44,
	GAP = 12,
	HEAD = 26,
	TALL = 264,
	LINE = 16,
	LABEL_GAP = 12,
	FOOT = 4,
	MAX_LABELS = 16,
	LABELLED_PERCENT = 1,
	OTHER_PERCENT = 5
};

/* One bar with its labels on one side. */
struct tower {
	struct canvas *canvas;
	const struct stack *stack;
	double left, bottom, px_per_ns;
	bool labels_right;
	double change; /* NaN: it has no label for what was saved */
};

static double tower_y(const struct tower *tower, double ns)
{
	return tower->bottom - ns * tower->px_per_ns;
}

/* Two lines, and a line from the part to them. */
static void draw_label(const struct tower *tower, double part_y, double y, const char *first, const char *second)
{
	double edge = tower->labels_right ? tower->left + COLUMN_WIDTH : tower->left,
	       sign = tower->labels_right ? 1 : -1;
	enum canvas_place place = tower->labels_right ? CANVAS_LEFT : CANVAS_RIGHT;
	double x = edge + sign * LABEL_GAP, half = second ? LINE / 2.0 : 0;

	canvas_line(tower->canvas, (struct canvas_look){0.75, COLOR_INK_2, false}, edge + sign * 1, part_y,
		x - sign * 3, y);
	canvas_text(tower->canvas, place, CANVAS_ALL, x, y - half, COLOR_INK, first);
	if (second)
		canvas_text(tower->canvas, place, CANVAS_ALL, x, y + half, COLOR_INK_2, second);
}

static void draw_part_label(const struct tower *tower, const struct part *part, double y)
{
	char time[FORMAT_SIZE], share[FORMAT_SIZE], value[FORMAT_SIZE], name[32];

	format_time_ns(time, sizeof(time), part->ns);
	format_percent(share, sizeof(share), part->ns / tower->stack->total);
	snprintf(value, sizeof(value), "%.40s, %.40s", time, share);
	snprintf(name, sizeof(name), "%.16s", part->look.name);
	draw_label(tower, tower_y(tower, part->from + part->ns / 2), y, name, value);
}

/* A sliver is named in the description alone, and so is a little of what has no name but "other". */
static double label_height(const struct tower *tower, const struct part *part)
{
	double least = strcmp(part->look.id, "other") == 0 ? OTHER_PERCENT : LABELLED_PERCENT;

	return part->ns < least / 100 * tower->stack->total ? 0 : 2 * LINE + 3;
}

/* From the top of the bar down, as labels are spread. */
static void draw_labels(const struct tower *tower)
{
	struct column_label labels[MAX_LABELS];
	size_t n = 0, parts = tower->stack->n < MAX_LABELS - 1 ? tower->stack->n : MAX_LABELS - 1;
	bool saved = tower->change < 0;
	double top = tower_y(tower, tower->stack->total), saved_y = top + tower->change * tower->px_per_ns / 2;
	char text[FORMAT_SIZE];

	if (saved)
		labels[n++] = (struct column_label){saved_y, LINE, INFINITY};
	for (size_t i = parts; i-- > 0;) {
		const struct part *part = &tower->stack->part[i];

		labels[n++] = (struct column_label){
			tower_y(tower, part->from + part->ns / 2), label_height(tower, part), part->ns};
	}
	column_spread(labels, n, HEAD, tower->bottom + FOOT);
	if (saved)
		draw_label(tower, saved_y, labels[0].y,
			column_change(text, tower->labels_right ? tower->change : -tower->change), NULL);
	for (size_t i = 0; i < parts; i++) {
		const struct column_label *label = &labels[n - 1 - i];

		if (label->height > 0)
			draw_part_label(tower, &tower->stack->part[i], label->y);
	}
}

static void draw_tower(const struct tower *tower)
{
	double right = tower->left + COLUMN_WIDTH, top = tower_y(tower, tower->stack->total);
	char time[FORMAT_SIZE], text[FORMAT_SIZE];

	for (size_t i = 0; i < tower->stack->n; i++) {
		const struct part *part = &tower->stack->part[i];
		const struct edges_px at = {
			tower->left, tower_y(tower, part->from + part->ns), right, tower_y(tower, part->from)};

		draw_part(tower->canvas, part, at, true);
	}
	if (tower->change < 0)
		column_box(tower->canvas, saved_look,
			(struct edges_px){tower->left, top + tower->change * tower->px_per_ns, right, top - 1});
	format_time_ns(time, sizeof(time), tower->stack->total);
	snprintf(text, sizeof(text), "%s %.100s", tower->stack->name, time);
	canvas_text(tower->canvas, tower->labels_right ? CANVAS_LEFT : CANVAS_RIGHT, CANVAS_ALL,
		tower->labels_right ? tower->left : right, HEAD / 2.0 - 3, COLOR_INK, text);
	draw_labels(tower);
}

static void figure_time_towers(const struct figure_family *in, const struct times *times)
{
	double middle = COLUMN_PX / 2.0, px_per_ns = TALL / times->longest, change = change_of(times);
	struct canvas canvas;

	column_open(&canvas, in, "time", COLUMN_PX);
	canvas.figure->height = HEAD + TALL + 2 * FOOT;
	describe_time(canvas.figure, in, times);
	const struct tower towers[] = {
		{&canvas, &times->single, middle - GAP / 2.0 - COLUMN_WIDTH, HEAD + TALL, px_per_ns, false,
			change > 0 ? -change : NAN},
		{&canvas, &times->dbl, middle + GAP / 2.0, HEAD + TALL, px_per_ns, true, change < 0 ? change : NAN},
	};
	for (int i = 0; i < 2; i++)
		draw_tower(&towers[i]);
	canvas_close(&canvas);
}

bool figure_has_time(const json_t *family)
{
	struct times times;
	bool known = times_fill(&times, family);

	free_times(&times);
	return known;
}

void figure_time(const struct figure_family *in)
{
	struct times times;

	if (times_fill(&times, in->family)) {
		figure_time_row(in, &times);
		figure_time_towers(in, &times);
	}
	free_times(&times);
}
