/* code.c: code of single and double side by side, and the PTX of the variants with instructions counted by kind.
 */
#include "page/view/view.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "tree/tree.h"
#include "util/clip.h"

enum {
	MAX_LISTING = 6144, /* characters of PTX of one variant that the page shows */
	LONG_CODE = 40,     /* rows from which on those far from any difference are folded away */
	NEAR_ROWS = 2,      /* rows beside a difference that stay */
	MANY_PTX = 8,       /* more variants than this stand below each other, not side by side */
};

/* Calls that leave time stamps: they are empty in the kernel that the rest of the report is about (kernels/phase.cuh).
 */
static bool is_stamp(const char *text)
{
	return strncmp(text + strspn(text, " \t"), "stamps.", strlen("stamps.")) == 0;
}

/* The number of a line, or the offset of an instruction. */
static json_t *number_view(double number, const struct code_bars *bars)
{
	if (!bars->file)
		return view_text("%04lx", (unsigned long)number);
	return number > 0 ? view_text("%.0f", number) : view_text(" ");
}

/* One line of one side; null if this side has none here. The sign says what colour says: this line is on this side
 * only, or differs. */
static json_t *line_view(
	const json_t *row, const char *number, const char *text, const char *only, const struct code_bars *bars)
{
	const char *kind = tree_text(row, "kind");
	json_t *line;

	if (!tree_has(row, text))
		return json_null();
	line = json_object();
	put_json(line, "sign",
		view_text("%s", strcmp(kind, "changed") == 0 ? "~"
				: strcmp(kind, only) == 0    ? "+"
							     : ""));
	put_json(line, "number", number_view(tree_real(row, number), bars));
	put_json(line, "text", view_text("%s", tree_text(row, text)));
	put_json(line, "stall",
		bars->file ? view_stall_bar(bars->stalls, bars->file, tree_real(row, number), bars->longest)
			   : view_offset_bar(bars->stalls, tree_real(row, number), bars->longest));
	return line;
}

static struct code_bars bars_of(const json_t *family, const char *role)
{
	return (struct code_bars){view_stalls(family, role), view_side_file(family, role), view_longest_bar(family)};
}

/* Whether a row of a long listing stands near one that differs. */
static bool is_near_difference(const json_t *rows, size_t at)
{
	size_t n = json_array_size(rows), first = at > NEAR_ROWS ? at - NEAR_ROWS : 0;

	for (size_t i = first; i < n && i <= at + NEAR_ROWS; i++)
		if (strcmp(tree_text(json_array_get(rows, i), "kind"), "same") != 0)
			return true;
	return false;
}

/* Whether the line has samples enough for words. */
static bool is_hot(const json_t *pair, const char *side)
{
	return tree_true(json_object_get(json_object_get(pair, side), "stall"), "hot");
}

/* One line of both sides. `rest`: not in sight until it is asked for. */
static json_t *pair_view(const json_t *rows, size_t at, const struct code_bars *single, const struct code_bars *dbl)
{
	const json_t *row = json_array_get(rows, at);
	bool stamp = is_stamp(tree_text(row, "a")) || is_stamp(tree_text(row, "b"));
	json_t *pair = json_object();
	bool far;

	put_json(pair, "class", view_text("%s", tree_text(row, "kind")));
	put_json(pair, "a", line_view(row, "a_line", "a", "single", single));
	put_json(pair, "b", line_view(row, "b_line", "b", "double", dbl));
	far = json_array_size(rows) > LONG_CODE && !is_near_difference(rows, at) && !is_hot(pair, "a") &&
	      !is_hot(pair, "b");
	put_json(pair, "rest", json_boolean(stamp || far));
	return pair;
}

static size_t rest_number(const json_t *pairs)
{
	size_t n = 0;

	for (size_t i = 0; i < json_array_size(pairs); i++)
		n += tree_true(json_array_get(pairs, i), "rest");
	return n;
}

/* Whether any line that is shown has a bar. */
static bool has_bars(const json_t *pairs)
{
	for (size_t i = 0; i < json_array_size(pairs); i++) {
		const json_t *pair = json_array_get(pairs, i);

		if (tree_has(json_object_get(pair, "a"), "stall") || tree_has(json_object_get(pair, "b"), "stall"))
			return true;
	}
	return false;
}

void view_put_code_rows(json_t *object, const json_t *rows, const struct code_bars *single, const struct code_bars *dbl)
{
	json_t *pairs = json_array();

	for (size_t i = 0; i < json_array_size(rows); i++)
		append_json(pairs, pair_view(rows, i, single, dbl));
	put_json(object, "code_rest", json_boolean(rest_number(pairs) > 0));
	put_json(object, "code_unseen",
		json_boolean(rest_number(pairs) > 0 && rest_number(pairs) == json_array_size(pairs)));
	put_json(object, "sampled", json_boolean(has_bars(pairs)));
	view_put_list(object, "code", pairs);
}

/* How much of a mangled name is a template's own name, before its arguments; 0 where there are none. */
static size_t template_name_length(const char *symbol)
{
	const char *at = symbol + strspn(symbol, "_Z");

	at += *at == 'N';
	while (isdigit((unsigned char)*at)) {
		char *name;
		const unsigned long length = strtoul(at, &name, 10);

		if (length > strlen(name))
			return 0;
		at = name + length;
	}
	return *at == 'I' ? (size_t)(at - symbol) : 0;
}

static bool are_of_one_template(const char *a, const char *b)
{
	const size_t length = template_name_length(a);

	return length > 0 && length == template_name_length(b) && strncmp(a, b, length) == 0;
}

/* "grid and template arguments": what the launches of kernels with the same code differ in, or null. */
static json_t *kernels_differ_view(const json_t *family)
{
	const json_t *a = json_object_get(tree_headline_case(family, tree_role(family, "single")), "resources");
	const json_t *b = json_object_get(tree_headline_case(family, tree_role(family, "double")), "resources");
	const char *of_a = tree_text(a, "symbol"), *of_b = tree_text(b, "symbol");
	const struct {
		const char *what;
		bool differs;
	} parts[] = {
		{"grid", tree_has(a, "grid") && tree_has(b, "grid") &&
				 !json_equal(json_object_get(a, "grid"), json_object_get(b, "grid"))},
		{"block", tree_has(a, "block") && tree_has(b, "block") &&
				  !json_equal(json_object_get(a, "block"), json_object_get(b, "block"))},
		{"template arguments", strcmp(of_a, of_b) != 0 && are_of_one_template(of_a, of_b)},
	};
	char text[64] = "";

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (parts[i].differs)
			clip_append(text, sizeof(text), "%s%s", *text ? " and " : "", parts[i].what);
	return *text ? view_text("%s", text) : json_null();
}

void view_code(struct view *view, json_t *page, const json_t *family)
{
	const json_t *rows = json_object_get(json_object_get(family, "code_pair"), "rows");
	const struct code_bars single = bars_of(family, "single"), dbl = bars_of(family, "double");
	size_t differ = 0;

	if (json_array_size(rows) == 0)
		return;
	for (size_t i = 0; i < json_array_size(rows); i++)
		differ += strcmp(tree_text(json_array_get(rows, i), "kind"), "same") != 0;
	put_json(
		page, "code_differ", differ > 0 ? view_text("%zu of %zu", differ, json_array_size(rows)) : json_null());
	put_json(page, "kernels_differ", kernels_differ_view(family));
	put_json(page, "code_lines", view_text("%zu", json_array_size(rows)));
	view_put_text(page, "single_file", single.file);
	view_put_text(page, "double_file", strcmp(single.file, dbl.file) != 0 ? dbl.file : "");
	view_put_code_rows(page, rows, &single, &dbl);
	put_json(page, "single_samples", view_stall_sum(family, "single", "a_line"));
	put_json(page, "double_samples", view_stall_sum(family, "double", "b_line"));
	view_put_refusal(view, page, "no_stalls", tree_text(family, "name"), "stalls");
	view_barriers(page, family);
	view_offsets(page, family);
}

/* ---- PTX ---- */

static const char *ptx_text(const json_t *variant)
{
	return tree_text(json_object_get(variant, "ptx"), "text");
}

static const json_t *counts_of(const json_t *variant)
{
	return json_object_get(json_object_get(variant, "ptx"), "counts");
}

/* The variant that has the text of this one's PTX, if any has: rungs that share theirs name it. */
static const json_t *ptx_owner(const json_t *family, const json_t *variant)
{
	const char *same = tree_text(json_object_get(variant, "ptx"), "same_as");

	return *same ? tree_find(json_object_get(family, "variants"), "name", same) : variant;
}

static bool is_same_ptx(const json_t *family, const json_t *a, const json_t *b)
{
	const json_t *of_a = ptx_owner(family, a), *of_b = ptx_owner(family, b);

	return of_a == of_b || (*ptx_text(of_a) && strcmp(ptx_text(of_a), ptx_text(of_b)) == 0);
}

/* One variant of each distinct PTX, in the family's order; `names` gets for each the names of all that have it. */
static json_t *distinct_ptx(const json_t *family, json_t *names)
{
	const json_t *variants = json_object_get(family, "variants");
	json_t *list = json_array();

	for (size_t i = 0; i < json_array_size(variants); i++) {
		json_t *variant = json_array_get(variants, i);
		const char *name = tree_text(variant, "name");
		size_t k = 0;

		if (!tree_has(variant, "ptx"))
			continue;
		while (k < json_array_size(list) && !is_same_ptx(family, json_array_get(list, k), variant))
			k++;
		if (k == json_array_size(list)) {
			append_json(list, json_incref(variant));
			append_json(names, view_text("%s", name));
		} else {
			json_t *all = view_text("%s, %s", json_string_value(json_array_get(names, k)), name);

			json_array_set_new(names, k, all);
		}
	}
	return list;
}

/* One kind of instruction over all columns; NULL if none has any. */
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

static json_t *kinds_view(const json_t *list)
{
	const json_t *first = counts_of(json_array_get(list, 0));
	json_t *kinds = json_array();

	for (size_t k = 0; k < json_array_size(first); k++) {
		json_t *row = kind_view(list, tree_text(json_array_get(first, k), "kind"));

		if (row)
			append_json(kinds, row);
	}
	return kinds;
}

/* Rows become columns. */
static json_t *turned(const json_t *table)
{
	json_t *out = json_array();

	for (size_t c = 0; c < json_array_size(json_array_get(table, 0)); c++) {
		json_t *row = json_array();

		for (size_t r = 0; r < json_array_size(table); r++)
			append_json(row, json_incref(json_array_get(json_array_get(table, r), c)));
		append_json(out, row);
	}
	return out;
}

/* The counts as one text with columns: a variant in each, or in each row where they are many. */
static json_t *kinds_text(const json_t *page)
{
	const json_t *columns = json_object_get(page, "ptx_columns"), *kinds = json_object_get(page, "ptx_kinds");
	json_t *table = json_array(), *head = json_array(), *total = json_array(), *text;

	append_json(head, json_string("instructions"));
	append_json(total, json_string("all"));
	for (size_t i = 0; i < json_array_size(columns); i++) {
		append_json(head, json_incref(json_object_get(json_array_get(columns, i), "name")));
		append_json(total, json_incref(json_object_get(json_array_get(columns, i), "total")));
	}
	append_json(table, head);
	for (size_t k = 0; k < json_array_size(kinds); k++) {
		json_t *line = json_array();

		append_json(line, json_incref(json_object_get(json_array_get(kinds, k), "kind")));
		json_array_extend(line, json_object_get(json_array_get(kinds, k), "cells"));
		append_json(table, line);
	}
	append_json(table, total);
	if (json_array_size(columns) > MANY_PTX) {
		json_t *high = turned(table);

		json_decref(table);
		table = high;
	}
	text = view_columns(table);
	json_decref(table);
	return text;
}

/* Name, sum, and the text of a listing; of a very long one its beginning. */
static json_t *listing_view(const json_t *family, const json_t *variant, const char *names)
{
	const json_t *ptx = json_object_get(variant, "ptx");
	const char *text = ptx_text(ptx_owner(family, variant));
	json_t *listing = json_object();

	put_json(listing, "name", view_text("%s", names));
	put_json(listing, "arch", view_text("%s", tree_text(ptx, "arch")));
	put_json(listing, "total", view_count(tree_real(ptx, "total")));
	put_json(listing, "text", view_text("%.*s", MAX_LISTING, text));
	put_json(listing, "cut", json_boolean(strlen(text) > MAX_LISTING));
	return listing;
}

/* Whether a variant has the same PTX as one of the pair. */
static bool in_pair(const json_t *family, const json_t *variant)
{
	return is_same_ptx(family, variant, tree_role(family, "single")) ||
	       is_same_ptx(family, variant, tree_role(family, "double"));
}

void view_ptx(json_t *page, const json_t *family)
{
	json_t *names = json_array(), *list = distinct_ptx(family, names);
	json_t *listings = json_array(), *columns = json_array();

	for (size_t i = 0; i < json_array_size(list); i++) {
		json_t *listing =
			listing_view(family, json_array_get(list, i), json_string_value(json_array_get(names, i)));

		append_json(columns, json_incref(listing));
		if (in_pair(family, json_array_get(list, i)))
			append_json(listings, json_incref(listing));
		json_decref(listing);
	}
	put_json(page, "ptx_columns", columns);
	put_json(page, "ptx_kinds", kinds_view(list));
	put_json(page, "ptx_text", kinds_text(page));
	put_json(page, "ptx_all", json_boolean(json_array_size(listings) == json_array_size(list)));
	put_json(page, "has_columns", json_boolean(json_array_size(list) > 0));
	view_put_list(page, "ptx", listings);
	json_decref(names);
	json_decref(list);
}
