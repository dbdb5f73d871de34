/* sweeps.c: when: each sweep of a family: its finding, pictures, crossovers and every point. */
#include "page/view/view.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "figure/grid.h"
#include "tree/tree.h"
#include "util/clip.h"
#include "util/format.h"

/* ---- a point ---- */

static void put_value(json_t *row, const char *axis, const json_t *sweep, const json_t *point)
{
	char text[FORMAT_SIZE];

	put_json(row, axis,
		json_is_object(json_object_get(sweep, axis))
			? view_text("%s", grid_words(sweep, axis, tree_real(point, axis), text))
			: json_null());
}

/* "8.00 KiB → 16.0 KiB", of single and of double. */
static json_t *bytes_of_pair(const json_t *predicted, const char *single, const char *dbl)
{
	char from[FORMAT_SIZE], to[FORMAT_SIZE];

	if (!tree_has(predicted, single) || !tree_has(predicted, dbl))
		return json_null();
	format_bytes(from, sizeof(from), tree_real(predicted, single));
	format_bytes(to, sizeof(to), tree_real(predicted, dbl));
	return strcmp(from, to) == 0 ? view_text("%s", from) : view_text("%s → %s", from, to);
}

static json_t *point_row(const json_t *sweep, const json_t *point)
{
	const json_t *predicted = json_object_get(point, "predicted");
	json_t *row = json_object();

	put_value(row, "x", sweep, point);
	put_value(row, "y", sweep, point);
	put_json(row, "single", view_time(tree_real(point, "single_ns")));
	put_json(row, "double", view_time(tree_real(point, "double_ns")));
	view_put_speedup(row, point);
	view_put_verdict(row, point);
	view_put_sentence(row, "reason", tree_text(point, "reason"));
	put_json(row, "predicted", json_is_object(predicted) ? view_ratio(tree_real(predicted, "ratio")) : json_null());
	put_json(row, "under_way", bytes_of_pair(predicted, "single_under_way_bytes", "double_under_way_bytes"));
	put_json(row, "needed", bytes_of_pair(predicted, "single_needed_bytes", "double_needed_bytes"));
	put_json(row, "hidden",
		tree_has(point, "hidden_share") ? view_percent(tree_real(point, "hidden_share")) : json_null());
	return row;
}

static bool any_has(const json_t *points, const char *key)
{
	for (size_t i = 0; i < json_array_size(points); i++) {
		if (tree_has(json_array_get(points, i), key))
			return true;
	}
	return false;
}

static bool is_of_bytes(const char *path)
{
	return strcmp(path, "under_way") == 0 || strcmp(path, "needed") == 0;
}

/* All points as one text with columns. A pair that is not one buffer against several goes by its names. */
static json_t *points_text(const json_t *page, const json_t *sweep, const json_t *rows)
{
	const bool buffering = tree_true(sweep, "buffering");
	const char *single = buffering ? "single" : tree_text(sweep, "single");
	const char *dbl = buffering ? "double" : tree_text(sweep, "double");
	char ratio[FORMAT_SIZE];
	const struct view_column all[] = {{tree_text(page, "x_title"), "x"}, {tree_text(page, "y_title"), "y"},
		{single, "single"}, {dbl, "double"}, {ratio, "speedup.value"}, {"95 % interval", "speedup.interval"},
		{"predicted", "predicted"}, {"hidden", "hidden"}, {"under way on an SM", "under_way"},
		{"needed", "needed"}, {"sign", "verdict.sign"}, {"verdict", "verdict.word"}};
	struct view_column columns[sizeof(all) / sizeof(all[0])];
	size_t n = 0;

	clip_print(ratio, sizeof(ratio), "%s / %s", single, dbl);
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		const char *path = all[i].path;

		if ((strcmp(path, "y") == 0 && !tree_has(page, "y_title")) ||
			(strcmp(path, "predicted") == 0 && !tree_true(page, "has_predicted")) ||
			(strcmp(path, "hidden") == 0 && !tree_true(page, "has_hidden")) ||
			(is_of_bytes(path) && !tree_true(page, "has_bytes")))
			continue;
		columns[n++] = all[i];
	}
	return view_columns_of(rows, columns, n);
}

static void points(json_t *page, const json_t *sweep)
{
	const json_t *list = json_object_get(sweep, "points");
	json_t *rows = json_array();
	char text[FORMAT_SIZE];

	for (size_t i = 0; i < json_array_size(list); i++)
		append_json(rows, point_row(sweep, json_array_get(list, i)));
	put_json(page, "x_title", view_text("%s", grid_title(sweep, "x", text)));
	put_json(page, "y_title", tree_has(sweep, "y") ? view_text("%s", grid_title(sweep, "y", text)) : json_null());
	put_json(page, "has_hidden", json_boolean(any_has(list, "hidden_share")));
	put_json(page, "has_predicted", json_boolean(any_has(list, "predicted")));
	put_json(page, "has_bytes", json_boolean(any_has(rows, "under_way")));
	put_json(page, "points_text", points_text(page, sweep, rows));
	view_items_of_sweep(page, sweep);
	view_put_list(page, "rows", rows);
}

/* ---- parts of the work, and each variant against its floor ---- */

/* The names of all variants that were timed at some point, in the family's order. */
static json_t *timed_variants(const json_t *family, const json_t *sweep)
{
	const json_t *variants = json_object_get(family, "variants"), *list = json_object_get(sweep, "points");
	json_t *names = json_array();

	for (size_t v = 0; v < json_array_size(variants); v++) {
		const char *name = tree_text(json_array_get(variants, v), "name");
		bool timed = false;

		for (size_t i = 0; i < json_array_size(list) && !timed; i++)
			timed = tree_find(json_object_get(json_array_get(list, i), "candidates"), "variant", name);
		if (timed)
			append_json(names, view_text("%s", name));
	}
	return names;
}

static json_t *variant_cell(const json_t *point, const char *name)
{
	const json_t *candidate = tree_find(json_object_get(point, "candidates"), "variant", name);
	json_t *cell = json_object();

	put_json(cell, "time", view_time(tree_real(candidate, "ns")));
	put_json(cell, "floor",
		tree_has(candidate, "floor_share") ? view_percent(tree_real(candidate, "floor_share")) : json_null());
	put_json(cell, "hidden",
		tree_has(candidate, "hidden_share") ? view_percent(tree_real(candidate, "hidden_share")) : json_null());
	return cell;
}

static json_t *parts_row(const json_t *sweep, const json_t *point, const json_t *names)
{
	static const char *const keys[] = {"floor_ns", "loads_ns", "stores_ns", "compute_ns"};
	const json_t *parts = json_object_get(point, "parts");
	json_t *row = json_object(), *cells = json_array();

	put_value(row, "x", sweep, point);
	put_value(row, "y", sweep, point);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		put_json(row, keys[i], view_time(tree_real(parts, keys[i])));
	for (size_t i = 0; i < json_array_size(names); i++)
		append_json(cells, variant_cell(point, json_string_value(json_array_get(names, i))));
	put_json(row, "cells", cells);
	return row;
}

/* "42.0 µs (75.0 %, 60.0 % hidden)" */
static json_t *part_cell_text(const json_t *cell)
{
	const char *hidden = tree_text(cell, "hidden");

	if (!tree_has(cell, "floor"))
		return view_text("%s", tree_text(cell, "time"));
	return view_text("%s (%s%s%s%s)", tree_text(cell, "time"), tree_text(cell, "floor"), *hidden ? ", " : "",
		hidden, *hidden ? " hidden" : "");
}

/* The same rows as one text with columns, a variant each behind the parts. */
static json_t *parts_text(const json_t *page, const json_t *rows, const json_t *names)
{
	const char *const keys[] = {"x", "y", "floor_ns", "loads_ns", "stores_ns", "compute_ns"};
	const char *const heads[] = {
		tree_text(page, "x_title"), tree_text(page, "y_title"), "floor", "loads", "stores", "compute"};
	json_t *table = json_array(), *text;

	for (size_t r = 0; json_array_size(rows) > 0 && r <= json_array_size(rows); r++) {
		const json_t *row = r > 0 ? json_array_get(rows, r - 1) : NULL;
		const json_t *cells = json_object_get(row, "cells");
		json_t *line = json_array();

		for (size_t k = 0; k < sizeof(keys) / sizeof(keys[0]); k++)
			if (k != 1 || tree_has(page, "y_title"))
				append_json(line, view_text("%s", row ? tree_text(row, keys[k]) : heads[k]));
		for (size_t v = 0; v < json_array_size(names); v++)
			append_json(line,
				row ? part_cell_text(json_array_get(cells, v)) : json_incref(json_array_get(names, v)));
		append_json(table, line);
	}
	text = view_columns(table);
	json_decref(table);
	return text;
}

/* Whether some share of what could be hidden is above all of it. */
static bool hides_more_than_all(const json_t *points)
{
	for (size_t i = 0; i < json_array_size(points); i++) {
		const json_t *point = json_array_get(points, i), *candidates = json_object_get(point, "candidates");

		if (tree_real(point, "hidden_share") > 1)
			return true;
		for (size_t k = 0; k < json_array_size(candidates); k++) {
			if (tree_real(json_array_get(candidates, k), "hidden_share") > 1)
				return true;
		}
	}
	return false;
}

static void sweeps_parts(json_t *page, const json_t *family, const json_t *sweep)
{
	const json_t *list = json_object_get(sweep, "points");
	json_t *rows = json_array(), *names = timed_variants(family, sweep);

	for (size_t i = 0; i < json_array_size(list); i++) {
		if (tree_has(json_array_get(list, i), "parts"))
			append_json(rows, parts_row(sweep, json_array_get(list, i), names));
	}
	put_json(page, "parts_text", parts_text(page, rows, names));
	json_decref(names);
	put_json(page, "over_all", json_boolean(hides_more_than_all(list)));
	view_put_list(page, "parts", rows);
}

/* ---- the pictures and their words ---- */

static void pictures(struct view *view, json_t *page, const json_t *family, const json_t *sweep, size_t number)
{
	const char *name = tree_text(family, "name");
	char what[64], explains[256];

	snprintf(what, sizeof(what), "sweep-%zu-heat", number);
	view_put_figure(view, page, "heat", name, what);
	clip_print(explains, sizeof(explains), "explains-%s", tree_text(sweep, "name"));
	view_put_figure(view, page, "explains", name, explains);
	snprintf(what, sizeof(what), "sweep-%zu-curve", number);
	view_put_figure(view, page, "curve", name, what);
}

static void crossovers(json_t *page, const json_t *sweep)
{
	const json_t *list = json_object_get(sweep, "crossovers");
	json_t *items = json_array();

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *crossover = json_array_get(list, i);
		json_t *item = json_object();
		char text[FORMAT_SIZE];

		/* As many as the alphabet has are marked at a curve. */
		put_json(item, "letter",
			i < 26 && tree_has(page, "curve") ? view_text("%c", (char)('A' + i)) : json_null());
		put_json(item, "where",
			tree_has(sweep, "y") ? view_text("%s = %s: ", grid_param(sweep, "y"),
						       grid_words(sweep, "y", tree_real(crossover, "y"), text))
					     : json_null());
		view_put_text(item, "text", tree_text(crossover, "text"));
		append_json(items, item);
	}
	view_put_list(page, "crossovers", items);
}

/* What there is not: points without times, and points whose results were not compared. */
static void gaps(json_t *page, const json_t *sweep)
{
	const json_t *list = json_object_get(sweep, "points");
	double measured = tree_real(sweep, "measured"), planned = fmax(tree_real(sweep, "planned"), measured);
	char have[FORMAT_SIZE], all[FORMAT_SIZE];
	size_t unverified = 0;
	bool right = true;

	for (size_t i = 0; i < json_array_size(list); i++) {
		unverified += tree_true(json_array_get(list, i), "measured") &&
			      !tree_true(json_array_get(list, i), "verified");
		right &= tree_true(json_array_get(list, i), "right");
	}
	format_count(have, sizeof(have), measured);
	format_count(all, sizeof(all), planned);
	put_json(page, "partial",
		measured < planned ? view_text("%s of %s points were measured.", have, all) : json_null());
	put_json(page, "unverified",
		unverified > 0 ? view_text("At %zu of them the results were not compared%s.", unverified,
					 right ? "; both variants are right wherever they were" : "")
			       : json_null());
}

static json_t *sweep_view(struct view *view, const json_t *family, const json_t *sweep, size_t number)
{
	static const char *const texts[] = {"title", "question", "single", "double"};
	json_t *page = json_object();

	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
		view_put_text(page, texts[i], tree_text(sweep, texts[i]));
	put_json(page, "number", view_text("%zu", number + 1));
	view_put_sentence(page, "rule", tree_text(json_object_get(sweep, "rule"), "text"));
	view_put_sentence(page, "finding", tree_text(sweep, "finding"));
	view_put_sentence(page, "sustained", tree_text(json_object_get(sweep, "sustained"), "text"));
	view_put_text(page, "under_way", tree_text(json_object_get(sweep, "under_way"), "text"));
	put_json(page, "ruled", json_boolean(tree_has(json_object_get(sweep, "rule"), "variable")));
	put_json(page, "same", json_boolean(tree_real(json_object_get(sweep, "tally"), "same") > 0));
	put_json(page, "unclear", json_boolean(tree_real(json_object_get(sweep, "tally"), "unclear") > 0));
	put_json(page, "nothing", json_boolean(tree_real(json_object_get(sweep, "tally"), "nothing") > 0));
	gaps(page, sweep);
	pictures(view, page, family, sweep, number);
	crossovers(page, sweep);
	points(page, sweep);
	sweeps_parts(page, family, sweep);
	return page;
}

bool view_only_sweeps(const json_t *family)
{
	return !view_headline(family) && tree_was_swept(family);
}

/* One row of pictures stands open: a grid takes two places of it, a curve one. The others are folded away. */
static void put_first_sweeps(json_t *page, const json_t *list)
{
	enum { PLACES = 3 };
	json_t *first = json_array(), *more = json_array();
	int taken = 0;

	for (size_t i = 0; i < json_array_size(list); i++) {
		json_t *sweep = json_array_get(list, i);
		int places = tree_has(sweep, "heat") ? 2 : 1;
		bool fits = taken + places <= PLACES;

		append_json(fits ? first : more, json_incref(sweep));
		taken += fits ? places : 0;
	}
	put_json(page, "first_sweeps", first);
	put_json(page, "nmore_sweeps", view_text("%zu", json_array_size(more)));
	view_put_list(page, "more_sweeps", more);
}

static json_t *sweeps_command(struct view *view, const json_t *family)
{
	const char *seed = tree_text(view->recording, "seed");

	char settings[VIEW_SETTINGS_SIZE];

	return view_text("dbprof run %s --sweep%s%s%s", tree_text(family, "name"), *seed ? " --seed=" : "", seed,
		view_settings(view, settings));
}

void view_sweeps(struct view *view, json_t *page, const json_t *family)
{
	const json_t *sweeps = json_object_get(family, "sweeps");
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(sweeps) && tree_was_swept(family); i++)
		append_json(list, sweep_view(view, family, json_array_get(sweeps, i), i));
	put_json(page, "sweep_command", tree_was_swept(family) ? sweeps_command(view, family) : json_null());
	put_json(page, "only_sweeps", json_boolean(view_only_sweeps(family)));
	put_first_sweeps(page, list);
	view_put_list(page, "sweeps", list);
}
