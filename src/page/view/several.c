/* several.c: recordings of one report beside each other: verdicts by date, gains by GPU. */
#include "page/view/view.h"

#include <math.h>
#include <string.h>

#include "tree/tree.h"

enum { ROWS_SHOWN = 10 }; /* the others are folded */

static json_t *gain_cell(const json_t *gain)
{
	json_t *cell = json_object();

	if (!json_is_object(gain)) {
		put_json(cell, "value", json_null());
		put_json(cell, "verdict", json_null());
		return cell;
	}
	view_put_verdict(cell, gain);
	put_json(cell, "value",
		view_ratio_within(tree_real(gain, "value"), tree_real(gain, "low"), tree_real(gain, "high"), 0));
	put_json(cell, "interval",
		isfinite(tree_real(gain, "low")) ? view_interval(tree_real(gain, "low"), tree_real(gain, "high"), 0)
						 : json_null());
	return cell;
}

static json_t *family_gain(const json_t *family, size_t at)
{
	return gain_cell(json_array_get(json_object_get(family, "gains"), at));
}

/* The families' names as heads of columns. */
static json_t *family_heads(const json_t *families)
{
	json_t *heads = json_array();
	const json_t *family;
	size_t i;

	json_array_foreach(families, i, family) append_json(heads, view_text("%s", tree_text(family, "name")));
	return heads;
}

/* Where a recording stands on the page; null if it is left out. */
static json_t *recording_link(const json_t *model, double number)
{
	const json_t *recordings = json_object_get(model, "recordings");
	size_t at = number > 0 ? (size_t)number : 0;

	if (!tree_is_detailed(json_array_get(recordings, at)))
		return json_null();
	return at > 0 ? view_text("r%zu-answer", at + 1) : view_text("answer");
}

static json_t *date_row(const json_t *model, const json_t *history, size_t at)
{
	const json_t *recording = json_array_get(json_object_get(history, "recordings"), at);
	const json_t *families = json_object_get(history, "families"), *family;
	json_t *row = json_object(), *cells = json_array();
	size_t i;

	json_array_foreach(families, i, family) append_json(cells, family_gain(family, at));
	put_json(row, "name",
		view_text("%.10s", tree_has(recording, "created") ? tree_text(recording, "created") : "no date"));
	view_put_text(row, "file", tree_text(recording, "file"));
	put_json(row, "link", recording_link(model, tree_real(recording, "recording")));
	put_json(row, "cells", cells);
	return row;
}

/* A table of dates, the latest first. */
static json_t *history_table(const json_t *model, const json_t *history, size_t number)
{
	size_t n = json_array_size(json_object_get(history, "recordings"));
	json_t *table = json_object(), *rows = json_array(), *earlier = json_array();

	for (size_t i = n; i-- > 0;)
		append_json(n - i <= ROWS_SHOWN ? rows : earlier, date_row(model, history, i));
	put_json(table, "id", number > 0 ? view_text("by-date-%zu", number + 1) : view_text("by-date"));
	put_json(table, "short", view_text("By date: %s", tree_text(history, "gpu")));
	put_json(table, "title", view_text("Verdicts by date on %s", tree_text(history, "gpu")));
	put_json(table, "corner", view_text("date"));
	view_put_text(table, "text", tree_text(history, "text"));
	put_json(table, "heads", family_heads(json_object_get(history, "families")));
	put_json(table, "nearlier", view_count((double)json_array_size(earlier)));
	view_put_list(table, "rows", rows);
	view_put_list(table, "earlier", earlier);
	return table;
}

static json_t *gpu_row(const json_t *across, const json_t *family)
{
	const json_t *gpus = json_object_get(across, "gpus");
	json_t *row = json_object(), *cells = json_array();

	for (size_t i = 0; i < json_array_size(gpus); i++)
		append_json(cells, family_gain(family, i));
	put_json(row, "name", view_text("%s", tree_text(family, "name")));
	view_put_text(row, "file", "");
	put_json(row, "link", json_null());
	put_json(row, "cells", cells);
	return row;
}

/* A table of GPUs: a column for each. */
static json_t *across_table(const json_t *across)
{
	json_t *table = json_object(), *rows = json_array(), *heads = json_array();
	const json_t *entry;
	size_t i;

	json_array_foreach(json_object_get(across, "gpus"), i, entry)
		append_json(heads, view_text("%s", tree_text(entry, "name")));
	json_array_foreach(json_object_get(across, "families"), i, entry) append_json(rows, gpu_row(across, entry));
	put_json(table, "id", view_text("by-gpu"));
	put_json(table, "short", view_text("By GPU"));
	put_json(table, "title", view_text("What double buffering gains on each GPU"));
	put_json(table, "corner", view_text("family"));
	view_put_text(table, "text", tree_text(across, "text"));
	put_json(table, "heads", heads);
	view_put_list(table, "rows", rows);
	view_put_list(table, "earlier", json_array());
	return table;
}

static size_t count_left_out(const json_t *recordings)
{
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(recordings); i++)
		n += !tree_is_detailed(json_array_get(recordings, i));
	return n;
}

void view_several(json_t *page, const json_t *model)
{
	const json_t *recordings = json_object_get(model, "recordings"), *history = json_object_get(model, "history");
	const json_t *across = json_object_get(model, "across");
	size_t n = json_array_size(recordings), left_out = count_left_out(recordings);
	json_t *several = json_object(), *tables = json_array();

	if (json_is_object(across))
		append_json(tables, across_table(across));
	for (size_t i = 0; i < json_array_size(history); i++)
		append_json(tables, history_table(model, json_array_get(history, i), i));
	put_json(several, "title", view_text("%zu recordings side by side", n));
	put_json(several, "left_out", left_out ? view_text("%zu", left_out) : json_null());
	put_json(several, "tables", tables);
	put_json(page, "several", n > 1 && (json_array_size(tables) || left_out) ? json_incref(several) : json_null());
	json_decref(several);
}
