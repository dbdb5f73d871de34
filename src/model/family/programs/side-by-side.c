/* side-by-side.c: see side-by-side.h. */
#include "model/family/programs/side-by-side.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "model/family/family-rows.h"
#include "model/family/programs/code-lines.h"
#include "model/family/programs/machine-now.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"

/* A page has ten kernels at most, and shall stay below 2 MB. Of code that is longer, rows far from any difference and
 * without samples go first, then the last ones. */
enum { PAIRS_MOST = 10, SOURCE_ROWS = 160, MACHINE_ROWS = 240, NEAR_DIFFERENCE = 2 };

/* Two sides, aligned. */
struct code_sides {
	struct code_lines side[2];
	struct line_pair *pairs; /* owned */
	size_t n, differ;
};

static const char **keys_of(const struct code_lines *lines)
{
	const char **keys = xcalloc(lines->n + 1, sizeof(*keys));

	for (size_t i = 0; i < lines->n; i++)
		keys[i] = lines->line[i].key;
	return keys;
}

/* "same", "changed", "single" or "double". */
static const char *kind_of_pair(const struct code_sides *sides, size_t at)
{
	const struct line_pair *pair = &sides->pairs[at];

	if (pair->a < 0 || pair->b < 0)
		return pair->a < 0 ? "double" : "single";
	return lines_alike(sides->side[0].line[pair->a].key, sides->side[1].line[pair->b].key) ? "same" : "changed";
}

static bool pair_differs(const struct code_sides *sides, size_t at)
{
	return strcmp(kind_of_pair(sides, at), "same") != 0;
}

static void align_sides(struct code_sides *sides)
{
	const char **a = keys_of(&sides->side[0]), **b = keys_of(&sides->side[1]);
	int n = 0;

	sides->pairs = xcalloc(sides->side[0].n + sides->side[1].n + 1, sizeof(*sides->pairs));
	if (lines_align(a, (int)sides->side[0].n, b, (int)sides->side[1].n, sides->pairs, &n) == 0)
		sides->n = (size_t)n;
	for (size_t i = 0; i < sides->n; i++)
		sides->differ += pair_differs(sides, i);
	free(a);
	free(b);
}

static void free_sides(struct code_sides *sides)
{
	code_lines_free(&sides->side[0]);
	code_lines_free(&sides->side[1]);
	free(sides->pairs);
}

/* ---- rows ---- */

static bool is_hot_pair(const struct code_sides *sides, size_t at)
{
	const struct line_pair *pair = &sides->pairs[at];

	return (pair->a >= 0 && sides->side[0].line[pair->a].is_hot) ||
	       (pair->b >= 0 && sides->side[1].line[pair->b].is_hot);
}

/* Whether a row near this one differs or was met in samples. */
static bool is_telling(const struct code_sides *sides, size_t at)
{
	size_t first = at > NEAR_DIFFERENCE ? at - NEAR_DIFFERENCE : 0;

	for (size_t i = first; i < sides->n && i <= at + NEAR_DIFFERENCE; i++)
		if (pair_differs(sides, i) || is_hot_pair(sides, i))
			return true;
	return false;
}

static void put_side_of_row(
	json_t *row, const char *number_key, const char *text_key, const struct code_lines *lines, int line)
{
	put_json(row, number_key, line < 0 ? json_null() : json_integer(lines->line[line].number));
	put_json(row, text_key, text_json(line < 0 ? NULL : lines->line[line].text));
}

static json_t *row_of_pair(const struct code_sides *sides, size_t at)
{
	const struct line_pair *pair = &sides->pairs[at];
	json_t *row = json_object();

	put_side_of_row(row, "a_line", "a", &sides->side[0], pair->a);
	put_side_of_row(row, "b_line", "b", &sides->side[1], pair->b);
	put_json(row, "kind", json_string(kind_of_pair(sides, at)));
	return row;
}

/* What is shown of them; null where a side has none. */
static json_t *sides_listing_json(const struct code_sides *sides, size_t most)
{
	json_t *object, *rows;

	if (sides->side[0].n == 0 || sides->side[1].n == 0)
		return json_null();
	rows = json_array();
	for (size_t i = 0; i < sides->n && json_array_size(rows) < most; i++)
		if (sides->n <= most || is_telling(sides, i))
			append_json(rows, row_of_pair(sides, i));
	object = json_object();
	put_json(object, "rows", rows);
	put_json(object, "differ", json_integer((json_int_t)sides->differ));
	put_json(object, "left_out", json_integer((json_int_t)(sides->n - json_array_size(rows))));
	put_json(object, "is_cut", json_boolean(sides->side[0].is_cut || sides->side[1].is_cut));
	return object;
}

static json_t *machine_json_of(const struct model *model, const struct rows rows[2])
{
	struct code_sides sides = {0};
	json_t *object;

	for (int i = 0; i < 2; i++)
		machine_lines(model, &rows[i], &sides.side[i]);
	align_sides(&sides);
	object = sides_listing_json(&sides, MACHINE_ROWS);
	free_sides(&sides);
	return object;
}

static json_t *source_json_of(const struct model *model, const struct rows rows[2])
{
	struct code_sides sides = {0};
	json_t *object;

	for (int i = 0; i < 2; i++)
		source_lines(model, &rows[i], &sides.side[i]);
	align_sides(&sides);
	object = sides_listing_json(&sides, SOURCE_ROWS);
	if (json_is_object(object)) {
		put_json(object, "single_file", text_json(sides.side[0].file));
		put_json(object, "double_file", text_json(sides.side[1].file));
	}
	free_sides(&sides);
	return object;
}

json_t *code_pairs_json(const struct family_rows *f)
{
	json_t *list = json_array();

	for (size_t i = 0; i < f->cases.count && json_array_size(list) < PAIRS_MOST; i++) {
		const char *label = row_string(&f->cases, i, CASE_label);
		const struct rows rows[2] = {
			code_rows(f->model, f->name, f->single, label), code_rows(f->model, f->name, f->dbl, label)};
		json_t *machine = machine_json_of(f->model, rows), *pair;

		if (!json_is_object(machine))
			continue;
		pair = json_object();
		put_json(pair, "case", text_json(label));
		put_json(pair, "single_now", machine_now_json(f->model, &rows[0]));
		put_json(pair, "double_now", machine_now_json(f->model, &rows[1]));
		put_json(pair, "source", source_json_of(f->model, rows));
		put_json(pair, "machine", machine);
		append_json(list, pair);
	}
	return list;
}
