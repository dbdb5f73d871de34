/* steps.c: a scan of eight elements step by step, with the values that the GPU had. */
#include "figure/figure.h"

#include <math.h>
#include <string.h>

#include "tree/tree.h"

enum { WIDTH_PX = 420, LEFT_PX = 46, COLUMNS = 8, COLUMN_PX = 46, CELL_W_PX = 42, CELL_H_PX = 26, PITCH_PX = 62 };

static double column_x(size_t column)
{
	return LEFT_PX + COLUMN_PX * ((double)column + 0.5);
}

static double row_y(size_t row)
{
	return 4 + PITCH_PX * (double)row;
}

/* At most five characters or so: that is what a cell has room for. */
static void steps_value_text(char *text, size_t size, double value)
{
	if (value == floor(value) && fabs(value) < 1e5)
		snprintf(text, size, "%.0f", value);
	else
		snprintf(text, size, "%.*f", fabs(value) < 10 ? 2 : fabs(value) < 100 ? 1 : 0, value);
}

static const json_t *cell_at(const json_t *steps, size_t row, size_t column)
{
	return json_array_get(json_object_get(json_array_get(steps, row), "cells"), column);
}

/* Arrows from the row above: racy reads or the others. */
static void write_arrows(struct strbuf *data, const json_t *steps, bool racy)
{
	figure_block(data, 4);
	for (size_t row = 1; row < json_array_size(steps); row++) {
		double stride = tree_real(json_array_get(steps, row), "stride");
		double from = row_y(row - 1) + CELL_H_PX, to = row_y(row) - 2;

		for (size_t i = 0; i < COLUMNS; i++) {
			if (stride > 0 && (double)i >= stride && tree_true(cell_at(steps, row, i), "racy") == racy)
				strbuf_printf(data, "%g %g %g %g\n", column_x(i - (size_t)stride), from,
					column_x(i) - column_x(i - (size_t)stride), to - from);
			if (!racy)
				strbuf_printf(data, "%g %g 0 %g\n", column_x(i), from, to - from);
		}
	}
}

static void write_cells(struct strbuf *data, const json_t *steps, bool racy)
{
	figure_block(data, 6);
	for (size_t row = 0; row < json_array_size(steps); row++) {
		for (size_t i = 0; i < COLUMNS; i++) {
			if (tree_true(cell_at(steps, row, i), "racy") == racy)
				strbuf_printf(data, "0 0 %g %g %g %g\n", column_x(i) - CELL_W_PX / 2.0,
					column_x(i) + CELL_W_PX / 2.0, row_y(row), row_y(row) + CELL_H_PX);
		}
	}
}

static void write_values(struct strbuf *data, const json_t *steps)
{
	char text[32];

	figure_block(data, 3);
	for (size_t row = 0; row < json_array_size(steps); row++) {
		for (size_t i = 0; i < COLUMNS; i++) {
			steps_value_text(text, sizeof(text), tree_real(cell_at(steps, row, i), "value"));
			strbuf_printf(data, "%g %g \"%s\"\n", column_x(i), row_y(row) + CELL_H_PX / 2.0, text);
		}
	}
}

static void steps_write_names(struct strbuf *data, const json_t *steps)
{
	figure_block(data, 3);
	for (size_t row = 0; row < json_array_size(steps); row++) {
		double stride = tree_real(json_array_get(steps, row), "stride");

		if (row == 0)
			strbuf_printf(data, "0 %g \"input\"\n", row_y(row) + CELL_H_PX / 2.0);
		else
			strbuf_printf(data, "0 %g \"+ %.0f\"\n", row_y(row) + CELL_H_PX / 2.0, stride);
	}
}

static void steps_figure(const struct figure_family *in, const json_t *variant)
{
	const json_t *steps = json_object_get(variant, "steps");
	char name[FIGURE_NAME_SIZE], what[ANCHOR_SIZE + 8], anchor[ANCHOR_SIZE];

	snprintf(what, sizeof(what), "steps-%s", anchor_of(tree_text(variant, "name"), anchor));
	figure_name(name, sizeof(name), in->recording, tree_text(in->family, "name"), what);
	struct figure *figure = figure_add(in->figures, name, FIGURE_FORMS);
	struct strbuf *data = &figure->data;
	write_arrows(data, steps, false);
	write_arrows(data, steps, true);
	write_cells(data, steps, false);
	write_cells(data, steps, true);
	write_values(data, steps);
	steps_write_names(data, steps);
	figure->script = "steps.gp";
	figure->width = WIDTH_PX;
	figure->height = (int)row_y(json_array_size(steps) - 1) + CELL_H_PX + 4;
	snprintf(figure->title, sizeof(figure->title), "Eight elements, step by step: %s", tree_text(variant, "name"));
	snprintf(figure->desc, sizeof(figure->desc), "The table below the figure has the same values.");
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
