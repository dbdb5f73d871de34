/* code.c: code of single and double side by side, and the PTX of the variants with instructions counted by kind.
 */
#include "page/view/view.h"

#include <math.h>
#include <string.h>

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
static json_t *line_view(
	const json_t *row, const char *number, const char *text, const char *only, const struct bars *bars)
{
	const char *kind = tree_text(row, "kind");
	bool here = tree_has(row, text);
	json_t *line = json_object();

	put_json(line, "class", view_text("%s", here ? kind : "gap"));
	put_json(line, "sign",
		view_text("%s", !here                          ? " "
				: strcmp(kind, "changed") == 0 ? "~"
				: strcmp(kind, only) == 0      ? "+"
							       : " "));
	put_json(line, "number",
		tree_real(row, number) > 0 ? view_text("%.0f", tree_real(row, number)) : view_text(" "));
	put_json(line, "text", view_text("%s", tree_text(row, text)));
	put_json(line, "stamp", json_boolean(is_stamp(tree_text(row, text))));
	put_json(line, "stall", view_stall_bar(bars->stalls, bars->file, tree_real(row, number), bars->longest));
	return line;
}

static json_t *code_side_view(const json_t *family, const char *role, const char *number, const char *text)
{
	const json_t *rows = json_object_get(json_object_get(family, "code_pair"), "rows");
	const struct bars bars = {view_stalls(family, role), tree_text(family, "file"), view_longest_bar(family)};
	json_t *side = json_object(), *lines = json_array();

	for (size_t i = 0; i < json_array_size(rows); i++)
		append_json(lines, line_view(json_array_get(rows, i), number, text, role, &bars));
	put_json(side, "role", view_text("%s", role));
	put_json(side, "name", view_text("%s", tree_text(family, role)));
	put_json(side, "lines", lines);
	put_json(side, "samples", view_stall_sum(family, role, number));
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
	sides = json_array();
	append_json(sides, code_side_view(family, "single", "a_line", "a"));
	append_json(sides, code_side_view(family, "double", "b_line", "b"));
	view_put_list(page, "code", sides);
	put_json(page, "code_differ", view_text("%zu of %zu", differ, json_array_size(rows)));
	put_json(page, "stamps", json_boolean(code_has_stamps(rows)));
	put_json(page, "stalls", json_boolean(has_bars(sides)));
	view_put_refusal(view, page, "no_stalls", tree_text(family, "name"), "stalls");
	view_barriers(page, family);
	view_offsets(page, family);
}

/* The variants that have PTX. */
static json_t *with_ptx(const json_t *family)
{
	const json_t *variants = json_object_get(family, "variants");
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(variants); i++) {
		json_t *variant = json_array_get(variants, i);

		if (tree_has(variant, "ptx"))
			append_json(list, json_incref(variant));
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
static json_t *column_view(const json_t *variant)
{
	json_t *column = json_object();

	put_json(column, "name", view_text("%s", tree_text(variant, "name")));
	put_json(column, "total", view_count(tree_real(json_object_get(variant, "ptx"), "total")));
	return column;
}

static const json_t *counts_of(const json_t *variant)
{
	return json_object_get(json_object_get(variant, "ptx"), "counts");
}

/* One kind of instruction over all variants; NULL if none has any. */
static json_t *kind_view(const json_t *list, const char *kind)
{
	json_t *row = json_object(), *cells = json_array();
	double sum = 0;

	for (size_t i = 0; i < json_array_size(list); i++) {
		double count = tree_real(tree_find(counts_of(json_array_get(list, i)), "kind", kind), "count");

		if (count > 0)
			sum += count;
		append_json(cells, view_count(count));
	}
	put_json(row, "kind", view_text("%s", kind));
	put_json(row, "cells", cells);
	if (sum > 0)
		return row;
	json_decref(row);
	return NULL;
}

/* The lines of a listing, those that share marked with their kind. */
static json_t *lines_view(const char *text, const json_t *marks)
{
	json_t *lines = json_array();
	size_t next = 0;

	for (json_int_t number = 0; *text != '\0'; number++) {
		int length = (int)strcspn(text, "\n");
		json_t *line = json_object();
		const json_t *mark = json_array_get(marks, next);
		bool marked = mark && json_integer_value(json_array_get(mark, 0)) == number;

		put_json(line, "text", view_text("%.*s", length, text));
		put_json(line, "mark",
			marked ? view_text("%s", json_string_value(json_array_get(mark, 1))) : json_null());
		next += marked;
		append_json(lines, line);
		text += length;
		text += *text == '\n';
	}
	return lines;
}

static json_t *listing_view(const json_t *variant)
{
	const json_t *ptx = json_object_get(variant, "ptx");
	json_t *listing = json_object();

	put_json(listing, "name", view_text("%s", tree_text(variant, "name")));
	put_json(listing, "arch", view_text("%s", tree_text(ptx, "arch")));
	put_json(listing, "total", view_count(tree_real(ptx, "total")));
	put_json(listing, "lines", lines_view(tree_text(ptx, "text"), json_object_get(ptx, "marks")));
	return listing;
}

void view_ptx(json_t *page, const json_t *family)
{
	json_t *list = with_ptx(family), *listings = json_array(), *kinds = json_array();
	json_t *columns = json_array();
	const json_t *first = counts_of(json_array_get(list, 0));
	bool all = listings_size(list) <= MAX_PTX;

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *variant = json_array_get(list, i);

		append_json(columns, column_view(variant));
		if (all || tree_has(variant, "role"))
			append_json(listings, listing_view(variant));
	}
	for (size_t k = 0; k < json_array_size(first); k++) {
		json_t *row = kind_view(list, tree_text(json_array_get(first, k), "kind"));

		if (row)
			append_json(kinds, row);
	}
	view_put_list(page, "ptx", listings);
	put_json(page, "ptx_all", json_boolean(all));
	put_json(page, "ptx_open", json_boolean(all && longest_listing(list) <= SHORT_PTX));
	put_json(page, "ptx_columns", columns);
	put_json(page, "ptx_kinds", kinds);
	json_decref(list);
}
