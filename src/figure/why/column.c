/* column.c: see column.h. */
#include "figure/why/column.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tree/tree.h"
#include "util/format.h"

void column_open(struct canvas *canvas, const struct figure_family *in, const char *what, int width)
{
	char name[FIGURE_NAME_SIZE];

	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), what);
	canvas_open_fixed(canvas, in->figures, name, width);
}

/* ---- shapes ---- */

void column_bar(struct canvas *canvas, struct edges_px at, unsigned color, bool upright)
{
	if (upright)
		canvas_column(canvas, at.left, at.right, at.top, at.bottom, color);
	else
		canvas_bar(canvas, at.left, at.right, at.top, at.bottom - at.top, color);
}

void column_box(struct canvas *canvas, struct canvas_look look, struct edges_px at)
{
	double inset = look.width / 2;
	const double x[] = {at.left + inset, at.right - inset, at.right - inset, at.left + inset, at.left + inset};
	const double y[] = {at.top + inset, at.top + inset, at.bottom - inset, at.bottom - inset, at.top + inset};

	for (int i = 0; i < 5; i++)
		canvas_at(canvas, look, x[i], y[i]);
	canvas_gap(canvas, look);
}

/* A closed path around (x, y): it begins amid an edge, so that its ends meet without a notch. */
static void draw_outline(struct canvas *canvas, struct canvas_look look, double x, double y, double scale,
	const double (*corner)[2], int n)
{
	double first_x = (corner[0][0] + corner[n - 1][0]) / 2, first_y = (corner[0][1] + corner[n - 1][1]) / 2;

	canvas_at(canvas, look, x + scale * first_x, y + scale * first_y);
	for (int i = 0; i < n; i++)
		canvas_at(canvas, look, x + scale * corner[i][0], y + scale * corner[i][1]);
	canvas_at(canvas, look, x + scale * first_x, y + scale * first_y);
	canvas_gap(canvas, look);
}

void column_point(struct canvas *canvas, double x, double y, size_t shape, unsigned color)
{
	/* A disc (an octagon so small is one), a diamond, a triangle and a square: their edges' distance from the
	 * middle, and their corners. */
	static const struct {
		double inner;
		int n;
		double corner[8][2];
	} shapes[COLUMN_SHAPES / 2] = {
		{4, 8,
			{{4, -1.66}, {4, 1.66}, {1.66, 4}, {-1.66, 4}, {-4, 1.66}, {-4, -1.66}, {-1.66, -4},
				{1.66, -4}}},
		{3.68, 4, {{0, -5.2}, {5.2, 0}, {0, 5.2}, {-5.2, 0}}},
		{2.8, 3, {{0, -5.6}, {4.85, 2.8}, {-4.85, 2.8}}},
		{3.7, 4, {{-3.7, -3.7}, {3.7, -3.7}, {3.7, 3.7}, {-3.7, 3.7}}},
	};
	size_t which = shape % (COLUMN_SHAPES / 2);
	bool empty = shape % COLUMN_SHAPES != which;

	if (shape % COLUMN_SHAPES == 0) {
		canvas_dot(canvas, x, y, 8, color);
		return;
	}
	/* A stroke as wide as the edges' distance, half way out, fills the shape: all points of a look are one path. */
	const struct canvas_look look = {empty ? 1.4 : shapes[which].inner, color, false};

	draw_outline(canvas, look, x, y, empty ? 1 : 0.5, shapes[which].corner, shapes[which].n);
}

/* ---- reading the tree ---- */

const json_t *column_contrast(const json_t *family)
{
	return tree_find_true(json_object_get(family, "contrasts"), "headline");
}

size_t column_measure_shares(const json_t *steps, double *most)
{
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(steps); i++) {
		const json_t *step = json_array_get(steps, i), *share = json_object_get(step, "share");

		if (!tree_share_counts(step))
			continue;
		*most = fmax(*most, fmax(tree_real(share, "value"), tree_real(share, "high")));
		n++;
	}
	return n;
}

const char *column_role(const json_t *family, const char *variant)
{
	return tree_text(tree_find(json_object_get(family, "variants"), "name", variant), "role");
}

unsigned column_role_color(const char *role)
{
	return strcmp(role, "single") == 0 ? COLOR_SINGLE : strcmp(role, "double") == 0 ? COLOR_DOUBLE : COLOR_INK_2;
}

/* ---- texts ---- */

double column_text_px(const char *text)
{
	return figure_text_width(text, CANVAS_FONT_PX);
}

void column_cut(char *text, double px)
{
	size_t length = strlen(text);

	while (length > 1 && column_text_px(text) > px) {
		do
			length--;
		while (length > 1 && ((unsigned char)text[length] & 0xC0) == 0x80);
		memcpy(text + length, "…", sizeof("…"));
	}
}

char *column_change(char *text, double ns)
{
	char time[FORMAT_SIZE];

	format_time_ns(time, sizeof(time), fabs(ns));
	snprintf(text, FORMAT_SIZE, "%s%.100s", ns < 0 ? "−" : ns > 0 ? "+" : "", time);
	return text;
}

char *column_change_within(char *text, double ns, double low, double high)
{
	char value[FORMAT_SIZE], from[FORMAT_SIZE], to[FORMAT_SIZE];

	column_change(value, ns);
	if (!isfinite(low) || !isfinite(high))
		snprintf(text, FORMAT_SIZE, "%.100s", value);
	else
		snprintf(text, FORMAT_SIZE, "%.100s (95 %% interval %.100s to %.100s)", value, column_change(from, low),
			column_change(to, high));
	return text;
}

char *column_share_within(char *text, const json_t *share)
{
	char value[FORMAT_SIZE], from[FORMAT_SIZE], to[FORMAT_SIZE];
	double low = tree_real(share, "low"), high = tree_real(share, "high");

	format_percent(value, sizeof(value), tree_real(share, "value"));
	if (!isfinite(low) || !isfinite(high)) {
		snprintf(text, FORMAT_SIZE, "%.100s", value);
		return text;
	}
	snprintf(text, FORMAT_SIZE, "%.100s (95 %% interval %.100s to %.100s)", value,
		format_percent(from, sizeof(from), low), format_percent(to, sizeof(to), high));
	return text;
}

char *column_number(char *text, double value)
{
	static const struct {
		double unit;
		const char *prefix;
	} prefixes[] = {{1e12, " T"}, {1e9, " G"}, {1e6, " M"}, {1e3, " k"}};

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
		if (fabs(value) >= prefixes[i].unit) {
			snprintf(text, FORMAT_SIZE, "%.4g%s", value / prefixes[i].unit, prefixes[i].prefix);
			return text;
		}
	}
	snprintf(text, FORMAT_SIZE, "%.4g", value);
	return text;
}

/* ---- labels ---- */

static void drop_lightest(struct column_label *labels, size_t n)
{
	struct column_label *lightest = NULL;

	for (size_t i = 0; i < n; i++) {
		if (labels[i].height > 0 && (!lightest || labels[i].weight < lightest->weight))
			lightest = &labels[i];
	}
	if (lightest)
		lightest->height = 0;
}

static double column_height(const struct column_label *labels, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += labels[i].height;
	return sum;
}

void column_spread(struct column_label *labels, size_t n, double top, double bottom)
{
	double edge = top;

	while (column_height(labels, n) > bottom - top)
		drop_lightest(labels, n);
	for (size_t i = 0; i < n; i++) {
		if (labels[i].height == 0)
			continue;
		labels[i].y = fmax(labels[i].y, edge + labels[i].height / 2);
		edge = labels[i].y + labels[i].height / 2;
	}
	edge = bottom;
	for (size_t i = n; i-- > 0;) {
		if (labels[i].height == 0)
			continue;
		labels[i].y = fmin(labels[i].y, edge - labels[i].height / 2);
		edge = labels[i].y - labels[i].height / 2;
	}
}
