/* items.c: what becomes of the items of a launch, such as frames: a table for each case. */
#include "page/view/view.h"

#include <math.h>

#include "figure/grid.h"
#include "tree/tree.h"
#include "util/format.h"

static json_t *items_held_text(const json_t *items)
{
	char held[FORMAT_SIZE], n[FORMAT_SIZE];

	return view_text("%s of %s", format_count(held, sizeof(held), tree_real(items, "held_back")),
		format_count(n, sizeof(n), tree_real(items, "n")));
}

static json_t *items_row_view(const json_t *family, const json_t *items)
{
	const json_t *latency = json_object_get(items, "latency_ns"), *wait = json_object_get(items, "wait_ns");
	const char *name = tree_text(items, "variant");
	char most[FORMAT_SIZE];
	json_t *row = json_object();

	put_json(row, "name", view_text("%s", name));
	view_put_text(row, "class", tree_text(tree_find(json_object_get(family, "variants"), "name", name), "role"));
	put_json(row, "under_way", view_text("%s", format_count(most, sizeof(most), tree_real(items, "under_way"))));
	put_json(row, "throughput",
		isfinite(tree_real(items, "throughput"))
			? view_throughput(tree_real(items, "throughput"), tree_text(family, "throughput_unit"))
			: json_null());
	put_json(row, "mean", view_time(tree_real(latency, "mean")));
	put_json(row, "median", view_time(tree_real(latency, "median")));
	put_json(row, "p99", view_time(tree_real(latency, "p99")));
	put_json(row, "jitter", view_time(tree_real(items, "jitter_ns")));
	put_json(row, "wait", view_time(tree_real(wait, "median")));
	put_json(row, "work", view_time(tree_real(items, "work_ns")));
	put_json(row, "held", items_held_text(items));
	return row;
}

/* `number` of the case, from 1, as its figure has it. */
static json_t *items_view(struct view *view, const json_t *family, const json_t *one, size_t number)
{
	const json_t *variants = json_object_get(one, "variants");
	json_t *out = json_object(), *rows = json_array();
	char figure[32];

	for (size_t i = 0; i < json_array_size(variants); i++)
		append_json(rows, items_row_view(family, json_array_get(variants, i)));
	put_json(out, "case", view_text("%s", tree_text(one, "case")));
	view_put_sentence(out, "text", tree_text(one, "text"));
	view_put_list(out, "rows", rows);
	snprintf(figure, sizeof(figure), "latency-%zu", number);
	view_put_figure(view, out, "latency", tree_text(family, "name"), figure);
	view_put_text(out, "figure_id", figure);
	return out;
}

void view_items(struct view *view, json_t *page, const json_t *family)
{
	const json_t *items = json_object_get(family, "items");
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(items); i++)
		append_json(list, items_view(view, family, json_array_get(items, i), i + 1));
	view_put_text(page, "items_noun", tree_text(json_array_get(items, 0), "noun"));
	view_put_list(page, "items", list);
}

/* ---- the points of a sweep ---- */

static void items_put_side(json_t *row, const char *side, const json_t *items)
{
	const json_t *latency = json_object_get(items, "latency_ns");
	json_t *out = json_object();

	put_json(out, "median", view_time(tree_real(latency, "median")));
	put_json(out, "p99", view_time(tree_real(latency, "p99")));
	put_json(out, "held", json_is_object(items) ? items_held_text(items) : json_null());
	put_json(row, side, out);
}

static json_t *items_point_row(const json_t *sweep, const json_t *point)
{
	const json_t *items = json_object_get(point, "items");
	char text[FORMAT_SIZE];
	json_t *row = json_object();

	put_json(row, "x", view_text("%s", grid_words(sweep, "x", tree_real(point, "x"), text)));
	put_json(row, "y",
		tree_has(sweep, "y") ? view_text("%s", grid_words(sweep, "y", tree_real(point, "y"), text))
				     : json_null());
	items_put_side(row, "single", json_object_get(items, "single"));
	items_put_side(row, "double", json_object_get(items, "double"));
	return row;
}

void view_items_of_sweep(json_t *page, const json_t *sweep)
{
	const json_t *points = json_object_get(sweep, "points");
	const struct view_column all[] = {{tree_text(page, "x_title"), "x"}, {tree_text(page, "y_title"), "y"},
		{tree_text(sweep, "single"), "single.median"}, {"99 %", "single.p99"}, {"waited", "single.held"},
		{tree_text(sweep, "double"), "double.median"}, {"99 %", "double.p99"}, {"waited", "double.held"}};
	struct view_column columns[sizeof(all) / sizeof(all[0])];
	json_t *rows = json_array();
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(points); i++)
		if (tree_has(json_array_get(points, i), "items"))
			append_json(rows, items_point_row(sweep, json_array_get(points, i)));
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (*all[i].path != 'y' || tree_has(sweep, "y"))
			columns[n++] = all[i];
	put_json(page, "items_text", json_array_size(rows) > 0 ? view_columns_of(rows, columns, n) : json_null());
	json_decref(rows);
}
