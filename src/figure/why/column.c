/* column.c: see column.h. */
#include "figure/why/column.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree/tree.h"
#include "util/alloc.h"
#include "util/format.h"

struct column_layer {
	struct column_look look;
	size_t still; /* stills have layers of their own, so that no path is in two */
	struct strbuf data;
};

void column_open_sized(struct column *column, const struct figure_family *in, const char *what, int width, int font)
{
	char name[FIGURE_NAME_SIZE];

	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), what);
	*column = (struct column){.figure = figure_add(in->figures, name), .font = font};
	column->figure->script = "column.gp";
	column->figure->width = width;
}

void column_open(struct column *column, const struct figure_family *in, const char *what)
{
	column_open_sized(column, in, what, COLUMN_PX, COLUMN_FONT_PX);
}

/* ---- writing ---- */

/* For the script: width, colour and dash type of each look. */
static void column_describe(struct column *column)
{
	struct strbuf arg = {0};

	for (size_t i = 0; i < column->nlayers; i++) {
		const struct column_look *look = &column->layer[i].look;

		strbuf_printf(&arg, "%g #%06X %d ", look->width, look->color, look->dashed ? 2 : 1);
	}
	figure_arg(column->figure, "%s", arg.length > 0 ? arg.text : "");
	strbuf_free(&arg);
}

/* An empty block is none for gnuplot: each begins with a row far away. */
static void column_block(struct column *column, const char *far, const struct strbuf *rows)
{
	struct strbuf *data = &column->figure->data;

	strbuf_printf(data, "%s%s\n\n", data->length > 0 ? "\n\n" : "", far);
	if (rows->length > 0)
		strbuf_add(data, rows->text, rows->length);
}

void column_close(struct column *column)
{
	column_describe(column);
	figure_arg(column->figure, "%d", column->font);
	for (size_t i = 0; i < column->nlayers; i++) {
		column_block(column, "-1e9 -1e9", &column->layer[i].data);
		strbuf_free(&column->layer[i].data);
	}
	for (int i = 0; i < 3; i++) {
		column_block(column, "-1e9 -1e9 \"\" 0", &column->text[i]);
		strbuf_free(&column->text[i]);
	}
	free(column->layer);
}

/* ---- shapes ---- */

static struct strbuf *column_layer_of(struct column *column, struct column_look look)
{
	for (size_t i = 0; i < column->nlayers; i++) {
		const struct column_layer *layer = &column->layer[i];

		if (layer->look.width == look.width && layer->look.color == look.color &&
			layer->look.dashed == look.dashed && layer->still == column->figure->nstills)
			return &column->layer[i].data;
	}
	xgrow(&column->layer, column->nlayers, &column->room, sizeof(*column->layer));
	column->layer[column->nlayers++] = (struct column_layer){.look = look, .still = column->figure->nstills};
	return &column->layer[column->nlayers - 1].data;
}

void column_line(struct column *column, struct column_look look, double x, double y, double to_x, double to_y)
{
	strbuf_printf(column_layer_of(column, look), "%.6g %.6g\n%.6g %.6g\n\n", x, y, to_x, to_y);
}

void column_bar(struct column *column, struct edges_px at, unsigned color, bool upright)
{
	double x = (at.left + at.right) / 2, y = (at.top + at.bottom) / 2;

	if (upright)
		column_line(column, (struct column_look){at.right - at.left, color, false}, x, at.top, x, at.bottom);
	else
		column_line(column, (struct column_look){at.bottom - at.top, color, false}, at.left, y, at.right, y);
}

void column_at(struct column *column, struct column_look look, double x, double y)
{
	strbuf_printf(column_layer_of(column, look), "%.6g %.6g\n", x, y);
}

void column_gap(struct column *column, struct column_look look)
{
	struct strbuf *data = column_layer_of(column, look);

	/* Two empty lines would end the layer. */
	if (data->length > 1 && strcmp(data->text + data->length - 2, "\n\n") != 0)
		strbuf_putc(data, '\n');
}

void column_box(struct column *column, struct column_look look, struct edges_px at)
{
	double inset = look.width / 2;
	const double x[] = {at.left + inset, at.right - inset, at.right - inset, at.left + inset, at.left + inset};
	const double y[] = {at.top + inset, at.top + inset, at.bottom - inset, at.bottom - inset, at.top + inset};

	for (int i = 0; i < 5; i++)
		column_at(column, look, x[i], y[i]);
	column_gap(column, look);
}

/* A closed path around (x, y): it begins amid an edge, so that its ends meet without a notch. */
static void draw_outline(struct column *column, struct column_look look, double x, double y, double scale,
	const double (*corner)[2], int n)
{
	double first_x = (corner[0][0] + corner[n - 1][0]) / 2, first_y = (corner[0][1] + corner[n - 1][1]) / 2;

	column_at(column, look, x + scale * first_x, y + scale * first_y);
	for (int i = 0; i < n; i++)
		column_at(column, look, x + scale * corner[i][0], y + scale * corner[i][1]);
	column_at(column, look, x + scale * first_x, y + scale * first_y);
	column_gap(column, look);
}

void column_point(struct column *column, double x, double y, size_t shape, unsigned color)
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
	/* A stroke as wide as the edges' distance, half way out, fills the shape: all points of a look are one path. */
	const struct column_look look = {empty ? 1.4 : shapes[which].inner, color, false};

	draw_outline(column, look, x, y, empty ? 1 : 0.5, shapes[which].corner, shapes[which].n);
}

void column_text(struct column *column, enum column_place place, double x, double y, unsigned color, const char *text)
{
	struct strbuf *out = &column->text[place];

	strbuf_printf(out, "%.6g %.6g ", x, y);
	figure_quote(out, text);
	strbuf_printf(out, " %u\n", color);
}

double column_text_px(const struct column *column, const char *text)
{
	return figure_text_width(text, column->font);
}

/* ---- what shapes say ---- */

void column_mark(struct column *column, struct edges_px at, bool in_words, const char *format, ...)
{
	struct figure *figure = column->figure;
	va_list args;

	xgrow(&figure->mark, figure->nmarks, &figure->marks_room, sizeof(*figure->mark));
	va_start(args, format);
	figure->mark[figure->nmarks++] =
		(struct svg_mark){at.left, at.top, at.right, at.bottom, xvasprintf(format, args), in_words};
	va_end(args);
}

void column_still(struct column *column, struct edges_px at)
{
	struct figure *figure = column->figure;

	xgrow(&figure->still, figure->nstills, &figure->stills_room, sizeof(*figure->still));
	figure->still[figure->nstills++] = (struct svg_still){at.left, at.top, at.right, at.bottom};
}

/* ---- reading the tree ---- */

const json_t *column_contrast(const json_t *family)
{
	return tree_find_true(json_object_get(family, "contrasts"), "headline");
}

const char *column_role(const json_t *family, const char *variant)
{
	return tree_text(tree_find(json_object_get(family, "variants"), "name", variant), "role");
}

unsigned column_role_color(const char *role)
{
	return strcmp(role, "single") == 0 ? COLOR_SINGLE : strcmp(role, "double") == 0 ? COLOR_DOUBLE : COLOR_QUEUE;
}

/* ---- texts ---- */

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
