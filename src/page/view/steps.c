/* steps.c: the scans step by step: the figure of each variant, and a table with the same values. */
#include "page/view/view.h"

#include <stdio.h>

#include "tree/anchor.h"
#include "tree/tree.h"

static json_t *steps_row_view(struct view *view, const json_t *row, size_t number, size_t *racy)
{
	const json_t *cells = json_object_get(row, "cells");
	json_t *out = view_object(view), *values = view_array(view);

	for (size_t i = 0; i < json_array_size(cells); i++) {
		const json_t *cell = json_array_get(cells, i);
		json_t *value = view_object(view);

		view_put(view, value, "value", view_text(view, "%.4g", tree_real(cell, "value")));
		view_put(view, value, "racy", json_boolean(tree_true(cell, "racy")));
		*racy += tree_true(cell, "racy");
		view_append(view, values, value);
	}
	view_put(view, out, "name",
		number == 0 ? view_text(view, "input")
			    : view_text(view, "step %zu: distance %.0f", number, tree_real(row, "stride")));
	view_put(view, out, "cells", values);
	return out;
}

static json_t *variant_view(struct view *view, const json_t *family, const json_t *variant)
{
	const json_t *steps = json_object_get(variant, "steps");
	json_t *out = view_object(view), *rows = view_array(view);
	char what[ANCHOR_SIZE + 8], anchor[ANCHOR_SIZE];
	size_t racy = 0;

	for (size_t i = 0; i < json_array_size(steps); i++)
		view_append(view, rows, steps_row_view(view, json_array_get(steps, i), i, &racy));
	snprintf(what, sizeof(what), "steps-%s", anchor_of(tree_text(variant, "name"), anchor));
	view_put(view, out, "name", view_text(view, "%s", tree_text(variant, "name")));
	view_put(view, out, "rows", rows);
	view_put(view, out, "racy_values", racy > 0 ? view_text(view, "%zu", racy) : json_null());
	view_put_figure(view, out, "figure", tree_text(family, "name"), what);
	return out;
}

void view_steps(struct view *view, json_t *page, const json_t *family)
{
	const json_t *variants = json_object_get(family, "variants");
	json_t *list = view_array(view);

	for (size_t i = 0; i < json_array_size(variants); i++) {
		const json_t *variant = json_array_get(variants, i);

		if (json_array_size(json_object_get(variant, "steps")) > 0)
			view_append(view, list, variant_view(view, family, variant));
	}
	view_put_list(view, page, "steps", list);
}
