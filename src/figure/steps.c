/* steps.c: a scan of eight elements step by step, with the values that the GPU had. */
#include "figure/figure.h"

#include <math.h>
#include <string.h>

#include "figure/canvas.h"
#include "tree/tree.h"

enum {
	WIDTH_PX = CANVAS_FIXED_PX,
	LEFT_PX = 40,
	COLUMNS = 8,
	COLUMN_PX = 37,
	CELL_W_PX = 34,
	CELL_H_PX = 24,
	PITCH_PX = 58
};
enum { HEAD_PX = 6 };

static double column_x(size_t column)
{
	return LEFT_PX + COLUMN_PX * ((double)column + 0.5);
}

static double row_y(size_t row)
{
	return 4 + PITCH_PX * (double)row;
}

/* At most four characters or so: that is what a cell has room for. */
static void steps_value_text(char *text, size_t size, double value)
{
	if (value == floor(value) && fabs(value) < 1e4)
		snprintf(text, size, "%.0f", value);
	else
		snprintf(text, size, "%.*f", fabs(value) < 10 ? 2 : fabs(value) < 100 ? 1 : 0, value);
}

static const json_t *cell_at(const json_t *steps, size_t row, size_t column)
{
	return json_array_get(json_object_get(json_array_get(steps, row), "cells"), column);
}

/* An arrow, its head as two short lines. */
static void draw_arrow(struct canvas *canvas, struct canvas_look look, double x, double y, double to_x, double to_y)
{
	double length = hypot(to_x - x, to_y - y), dx = HEAD_PX * (to_x - x) / length,
	       dy = HEAD_PX * (to_y - y) / length;
	struct canvas_look head = {look.width, look.color, false};

	canvas_line(canvas, look, x, y, to_x, to_y);
	canvas_line(canvas, head, to_x - dx - dy / 2, to_y - dy + dx / 2, to_x, to_y);
	canvas_line(canvas, head, to_x - dx + dy / 2, to_y - dy - dx / 2, to_x, to_y);
}

/* Arrows from the row above: from the value that was added, and from the own one. */
static void draw_arrows(struct canvas *canvas, const json_t *steps, size_t row)
{
	double stride = tree_real(json_array_get(steps, row), "stride");
	double from = row_y(row - 1) + CELL_H_PX, to = row_y(row) - 2;

	for (size_t i = 0; i < COLUMNS; i++) {
		bool racy = tree_true(cell_at(steps, row, i), "racy");
		const struct canvas_look look = {racy ? 1.6 : 0.8, racy ? COLOR_WAIT : COLOR_INK_2, racy};

		draw_arrow(canvas, (struct canvas_look){0.8, COLOR_INK_2, false}, column_x(i), from, column_x(i), to);
		if (stride > 0 && (double)i >= stride)
			draw_arrow(canvas, look, column_x(i - (size_t)stride), from, column_x(i), to);
	}
}

static void draw_cell_frame(struct canvas *canvas, size_t row, size_t column, bool racy)
{
	const struct canvas_look look = {racy ? 2.5 : 0.8, racy ? COLOR_WAIT : COLOR_INK_2, false};
	double left = column_x(column) - CELL_W_PX / 2.0, top = row_y(row);

	canvas_at(canvas, look, left, top);
	canvas_at(canvas, look, left + CELL_W_PX, top);
	canvas_at(canvas, look, left + CELL_W_PX, top + CELL_H_PX);
	canvas_at(canvas, look, left, top + CELL_H_PX);
	canvas_at(canvas, look, left, top);
	canvas_gap(canvas, look);
}

static void draw_row(struct canvas *canvas, const json_t *steps, size_t row)
{
	double middle = row_y(row) + CELL_H_PX / 2.0;
	char text[32];

	snprintf(text, sizeof(text), "+ %.0f", tree_real(json_array_get(steps, row), "stride"));
	canvas_text(canvas, CANVAS_LEFT, CANVAS_ALL, 0, middle, COLOR_INK_2, row == 0 ? "input" : text);
	for (size_t i = 0; i < COLUMNS; i++) {
		draw_cell_frame(canvas, row, i, tree_true(cell_at(steps, row, i), "racy"));
		steps_value_text(text, sizeof(text), tree_real(cell_at(steps, row, i), "value"));
		canvas_text(canvas, CANVAS_CENTER, CANVAS_ALL, column_x(i), middle, COLOR_INK, text);
	}
}

static void steps_figure(const struct figure_family *in, const json_t *variant)
{
	const json_t *steps = json_object_get(variant, "steps");
	char name[FIGURE_NAME_SIZE], what[ANCHOR_SIZE + 8], anchor[ANCHOR_SIZE];
	struct canvas canvas;

	snprintf(what, sizeof(what), "steps-%s", anchor_of(tree_text(variant, "name"), anchor));
	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), what);
	canvas_open_fixed(&canvas, in->figures, name, WIDTH_PX);
	for (size_t row = 0; row < json_array_size(steps); row++) {
		if (row > 0)
			draw_arrows(&canvas, steps, row);
		draw_row(&canvas, steps, row);
	}
	struct figure *figure = canvas.figure;
	figure->height = (int)row_y(json_array_size(steps) - 1) + CELL_H_PX + 4;
	snprintf(figure->title, sizeof(figure->title), "Eight elements, step by step: %s", tree_text(variant, "name"));
	snprintf(figure->desc, sizeof(figure->desc), "The table below the figure has the same values.");
	canvas_close(&canvas);
}

void figure_steps(const struct figure_family *in)
{
	const json_t *variants = json_object_get(in->family, "variants");

	for (size_t i = 0; i < json_array_size(variants); i++) {
		const json_t *variant = json_array_get(variants, i);

		if (json_array_size(json_object_get(variant, "steps")) > 0)
			steps_figure(in, variant);
	}
}
