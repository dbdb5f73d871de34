/* steps.c: the scans step by step: the figure of each variant, and a table with the same values. */
#include "page/view/view.h"

#include <stdio.h>

#include "tree/anchor.h"
#include "tree/tree.h"

static json_t *steps_row_view(const json_t *row, size_t number, size_t *racy)
{
	const json_t *cells = json_object_get(row, "cells");
	json_t *out = json_object(), *values = json_array();

	for (size_t i = 0; i < json_array_size(cells); i++) {
		const json_t *cell = json_array_get(cells, i);
		json_t *value = json_object();

		put_json(value, "value", view_text("%.4g", tree_real(cell, "value")));
		put_json(value, "racy", json_boolean(tree_true(cell, "racy")));
		*racy += tree_true(cell, "racy");
		append_json(values, value);
	}
	put_json(out, "name",
		number == 0 ? view_text("input")
			    : view_text("step %zu: distance %.0f", number, tree_real(row, "stride")));
	put_json(out, "cells", values);
	return out;
}

/* The rows as one text with columns; a racy value has a star. */
static json_t *steps_text(const json_t *rows)
{
	json_t *table = json_array(), *text;

	for (size_t r = 0; r < json_array_size(rows); r++) {
		const json_t *row = json_array_get(rows, r), *cells = json_object_get(row, "cells");
		json_t *line = json_array();

		append_json(line, view_text("%s", tree_text(row, "name")));
		for (size_t c = 0; c < json_array_size(cells); c++) {
			const json_t *cell = json_array_get(cells, c);

			append_json(
				line, view_text("%s%s", tree_text(cell, "value"), tree_true(cell, "racy") ? "*" : ""));
		}
		append_json(table, line);
	}
	text = view_columns(table);
	json_decref(table);
	return text;
}

static json_t *variant_view(struct view *view, const json_t *family, const json_t *variant, size_t number)
{
	const json_t *steps = json_object_get(variant, "steps");
	json_t *out = json_object(), *rows = json_array();
	char what[ANCHOR_SIZE + 8], anchor[ANCHOR_SIZE];
	size_t racy = 0;

	for (size_t i = 0; i < json_array_size(steps); i++)
		append_json(rows, steps_row_view(json_array_get(steps, i), i, &racy));
	snprintf(what, sizeof(what), "steps-%s", anchor_of(tree_text(variant, "name"), anchor));
	put_json(out, "number", view_text("%zu", number));
	put_json(out, "name", view_text("%s", tree_text(variant, "name")));
	put_json(out, "text", steps_text(rows));
	put_json(out, "rows", rows);
	put_json(out, "racy_values", racy > 0 ? view_text("%zu", racy) : json_null());
	view_put_figure(view, out, "figure", tree_text(family, "name"), what);
	return out;
}

void view_steps(struct view *view, json_t *page, const json_t *family)
{
	const json_t *variants = json_object_get(family, "variants");
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(variants); i++) {
		const json_t *variant = json_array_get(variants, i);

		if (json_array_size(json_object_get(variant, "steps")) > 0)
			append_json(list, variant_view(view, family, variant, json_array_size(list) + 1));
	}
	view_put_list(page, "steps", list);
}
