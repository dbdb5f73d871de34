/* code.c: code of single and double side by side, and the PTX of the variants with instructions counted by kind.
 */
#include "page/view/view.h"

#include <math.h>
#include <string.h>

#include "analyze/analyze.h"
#include "tree/tree.h"

/* Above this many characters of PTX in a family, the page lists only the contrast pair's. */
enum { MAX_PTX = 65536 };

/* Listings of at most so many instructions stand open. */
enum { SHORT_PTX = 70 };

/* Where the bars of one side come from. */
struct bars {
	const json_t *stalls;
	const char *file;
	double longest;
};

/* Calls that leave time stamps: they are empty in the kernel that the rest of the report is about (kernels/phase.cuh).
 */
static bool is_stamp(const char *text)
{
	return strncmp(text + strspn(text, " \t"), "stamps.", strlen("stamps.")) == 0;
}

/* One line of one side. The sign says what colour says: this line is on this side only, or differs. */
static json_t *line_view(struct view *view, const json_t *row, const char *number, const char *text, const char *only,
	const struct bars *bars)
{
	const char *kind = tree_text(row, "kind");
	bool here = tree_has(row, text);
	json_t *line = view_object(view);

	view_put(view, line, "class", view_text(view, "%s", here ? kind : "gap"));
	view_put(view, line, "sign",
		view_text(view, "%s",
			!here                          ? " "
			: strcmp(kind, "changed") == 0 ? "~"
			: strcmp(kind, only) == 0      ? "+"
						       : " "));
	view_put(view, line, "number",
		tree_real(row, number) > 0 ? view_text(view, "%.0f", tree_real(row, number)) : view_text(view, " "));
	view_put(view, line, "text", view_text(view, "%s", tree_text(row, text)));
	view_put(view, line, "stamp", json_boolean(is_stamp(tree_text(row, text))));
	view_put(view, line, "stall",
		view_stall_bar(view, bars->stalls, bars->file, tree_real(row, number), bars->longest));
	return line;
}

static json_t *code_side_view(
	struct view *view, const json_t *family, const char *role, const char *number, const char *text)
{
	const json_t *rows = json_object_get(json_object_get(family, "code_pair"), "rows");
	const struct bars bars = {view_stalls(family, role), tree_text(family, "file"), view_longest_bar(family)};
	json_t *side = view_object(view), *lines = view_array(view);

	for (size_t i = 0; i < json_array_size(rows); i++)
		view_append(view, lines, line_view(view, json_array_get(rows, i), number, text, role, &bars));
	view_put(view, side, "role", view_text(view, "%s", role));
	view_put(view, side, "name", view_text(view, "%s", tree_text(family, role)));
	view_put(view, side, "lines", lines);
	view_put(view, side, "samples", view_stall_sum(view, family, role, number));
	return side;
}

static bool code_has_stamps(const json_t *rows)
{
	for (size_t i = 0; i < json_array_size(rows); i++)
		if (is_stamp(tree_text(json_array_get(rows, i), "a")) ||
			is_stamp(tree_text(json_array_get(rows, i), "b")))
			return true;
	return false;
}

/* Whether any line that is shown has a bar. */
static bool has_bars(const json_t *sides)
{
	for (size_t i = 0; i < json_array_size(sides); i++) {
		const json_t *lines = json_object_get(json_array_get(sides, i), "lines");

		for (size_t j = 0; j < json_array_size(lines); j++)
			if (tree_has(json_array_get(lines, j), "stall"))
				return true;
	}
	return false;
}

void view_code(struct view *view, json_t *page, const json_t *family)
{
	const json_t *rows = json_object_get(json_object_get(family, "code_pair"), "rows");
	json_t *sides;
	size_t differ = 0;

	if (json_array_size(rows) == 0)
		return;
	for (size_t i = 0; i < json_array_size(rows); i++)
		differ += strcmp(tree_text(json_array_get(rows, i), "kind"), "same") != 0;
	sides = view_array(view);
	view_append(view, sides, code_side_view(view, family, "single", "a_line", "a"));
	view_append(view, sides, code_side_view(view, family, "double", "b_line", "b"));
	view_put_list(view, page, "code", sides);
	view_put(view, page, "code_differ", view_text(view, "%zu of %zu", differ, json_array_size(rows)));
	view_put(view, page, "stamps", json_boolean(code_has_stamps(rows)));
	view_put(view, page, "stalls", json_boolean(has_bars(sides)));
	view_put_refusal(view, page, "no_stalls", tree_text(family, "name"), "stalls");
	view_barriers(view, page, family);
	view_offsets(view, page, family);
}

/* The variants that have PTX. */
static json_t *with_ptx(struct view *view, const json_t *family)
{
	const json_t *variants = json_object_get(family, "variants");
	json_t *list = view_array(view);

	for (size_t i = 0; i < json_array_size(variants); i++) {
		json_t *variant = json_array_get(variants, i);

		if (tree_has(variant, "ptx"))
			view_append(view, list, json_incref(variant));
	}
	return list;
}

/* Characters of all listings together. */
static size_t listings_size(const json_t *list)
{
	size_t size = 0;

	for (size_t i = 0; i < json_array_size(list); i++)
		size += strlen(tree_text(json_object_get(json_array_get(list, i), "ptx"), "text"));
	return size;
}

/* Instructions of the longest. */
static double longest_listing(const json_t *list)
{
	double longest = 0;

	for (size_t i = 0; i < json_array_size(list); i++)
		longest = fmax(longest, tree_real(json_object_get(json_array_get(list, i), "ptx"), "total"));
	return longest;
}

/* Head and foot of a variant's column in the table of counts. */
static json_t *column_view(struct view *view, const json_t *variant)
{
	json_t *column = view_object(view);

	view_put(view, column, "name", view_text(view, "%s", tree_text(variant, "name")));
	view_put(view, column, "total", view_count(view, tree_real(json_object_get(variant, "ptx"), "total")));
	return column;
}

static const json_t *counts_of(const json_t *variant)
{
	return json_object_get(json_object_get(variant, "ptx"), "counts");
}

/* One kind of instruction over all variants; NULL if none has any. */
static json_t *kind_view(struct view *view, const json_t *list, const char *kind)
{
	json_t *row = view_object(view), *cells = view_array(view);
	double sum = 0;

	for (size_t i = 0; i < json_array_size(list); i++) {
		double count = tree_real(tree_find(counts_of(json_array_get(list, i)), "kind", kind), "count");

		if (count > 0)
			sum += count;
		view_append(view, cells, view_count(view, count));
	}
	view_put(view, row, "kind", view_text(view, "%s", kind));
	view_put(view, row, "cells", cells);
	if (sum > 0)
		return row;
	json_decref(row);
	return NULL;
}

/* How threads share values, and wait for each other: what these families are about. */
static bool is_sharing(int kind)
{
	return kind == PTX_LOAD_SHARED || kind == PTX_STORE_SHARED || kind == PTX_SHUFFLE || kind == PTX_BARRIER;
}

/* The lines of a listing, those that share marked with their kind. */
static json_t *lines_view(struct view *view, const char *text)
{
	json_t *lines = view_array(view);

	while (*text != '\0') {
		int length = (int)strcspn(text, "\n");
		json_t *line = view_object(view);
		int kind;

		view_put(view, line, "text", view_text(view, "%.*s", length, text));
		kind = ptx_classify(tree_text(line, "text"));
		view_put(view, line, "mark",
			is_sharing(kind) ? view_text(view, "%s", ptx_kind_name(kind)) : json_null());
		view_append(view, lines, line);
		text += length;
		text += *text == '\n';
	}
	return lines;
}

static json_t *listing_view(struct view *view, const json_t *variant)
{
	const json_t *ptx = json_object_get(variant, "ptx");
	json_t *listing = view_object(view);

	view_put(view, listing, "name", view_text(view, "%s", tree_text(variant, "name")));
	view_put(view, listing, "arch", view_text(view, "%s", tree_text(ptx, "arch")));
	view_put(view, listing, "total", view_count(view, tree_real(ptx, "total")));
	view_put(view, listing, "lines", lines_view(view, tree_text(ptx, "text")));
	return listing;
}

void view_ptx(struct view *view, json_t *page, const json_t *family)
{
	json_t *list = with_ptx(view, family), *listings = view_array(view), *kinds = view_array(view);
	json_t *columns = view_array(view);
	const json_t *first = counts_of(json_array_get(list, 0));
	bool all = listings_size(list) <= MAX_PTX;

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *variant = json_array_get(list, i);

		view_append(view, columns, column_view(view, variant));
		if (all || tree_has(variant, "role"))
			view_append(view, listings, listing_view(view, variant));
	}
	for (size_t k = 0; k < json_array_size(first); k++) {
		json_t *row = kind_view(view, list, tree_text(json_array_get(first, k), "kind"));

		if (row)
			view_append(view, kinds, row);
	}
	view_put_list(view, page, "ptx", listings);
	view_put(view, page, "ptx_all", json_boolean(all));
	view_put(view, page, "ptx_open", json_boolean(all && longest_listing(list) <= SHORT_PTX));
	view_put(view, page, "ptx_columns", columns);
	view_put(view, page, "ptx_kinds", kinds);
	json_decref(list);
}
