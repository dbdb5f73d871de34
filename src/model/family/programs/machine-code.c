/* machine-code.c: see machine-code.h. */
#include "model/family/programs/machine-code.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/family/family-rows.h"
#include "model/recording.h"
#include "model/rows-json.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"

enum { CHANGING_MOST = 16 };

/* Whether things are the same. Numbers: of several, the largest counts. */
enum sameness { ARE_SAME, ARE_UNKNOWN, ARE_DIFFERENT };

/* A kernel of one of two sides. */
struct side_row {
	const char *label; /* NULL: matches nothing */
	bool is_other;
	size_t row;
};

struct both {
	struct rows rows;
	struct side_row *item; /* by label, those without one last; owned */
	size_t n;
};

static enum sameness sameness_of_both(enum sameness a, enum sameness b)
{
	return a > b ? a : b;
}

static json_t *sameness_json(enum sameness sameness)
{
	return sameness == ARE_UNKNOWN ? json_null() : json_boolean(sameness == ARE_SAME);
}

/* ---- kernels ---- */

static enum sameness codes_sameness(const struct rows *rows, size_t a, size_t b)
{
	const char *code_a = row_text(rows, a, MATCH_code), *code_b = row_text(rows, b, MATCH_code);

	if (!code_a || !code_b)
		return ARE_UNKNOWN;
	return strcmp(code_a, code_b) == 0 ? ARE_SAME : ARE_DIFFERENT;
}

/* A sum of kernels with several grids or blocks names none of them. */
static bool is_of_several(const struct rows *rows, size_t i)
{
	return row_null(rows, i, MATCH_gridX) || row_null(rows, i, MATCH_blockX);
}

/* What launches of the same code may differ in. Registers come with the code, shared memory may not. */
static const struct launch_aspect {
	const char *word;
	int columns[3], n;
	bool may_lack; /* recordings need not tell it, and then it is taken as alike */
} aspects[] = {
	{"grid", {MATCH_gridX, MATCH_gridY, MATCH_gridZ}, 3, false},
	{"block", {MATCH_blockX, MATCH_blockY, MATCH_blockZ}, 3, false},
	{"cluster", {MATCH_clusterX, MATCH_clusterY, MATCH_clusterZ}, 3, true},
	{"shared-memory", {MATCH_staticSmem, MATCH_dynamicSmem}, 2, false},
	{"cooperative", {MATCH_cooperative}, 1, true},
	{"graph", {MATCH_inGraphs}, 1, true},
};
static const char number_of_launches[] = "launches", unmatched[] = "kernels";

enum { ASPECTS = sizeof(aspects) / sizeof(aspects[0]), ASPECT_GRID = 0, ASPECT_LAUNCHES = ASPECTS, ASPECT_KERNELS };

/* How launches of all kernels compare. `differs`: by aspect, a bit each. */
struct launches_held {
	enum sameness sameness;
	unsigned differs;
};

static void aspect_differs(struct launches_held *held, int aspect)
{
	held->sameness = ARE_DIFFERENT;
	held->differs |= 1U << aspect;
}

/* `alike`: what is not known of both is the same. */
static void hold_aspect(struct launches_held *held, const struct rows *rows, size_t a, size_t b, int aspect, bool alike)
{
	const struct launch_aspect *of = &aspects[aspect];

	for (int i = 0; i < of->n; i++) {
		int column = of->columns[i];

		if (!row_null(rows, a, column) && !row_null(rows, b, column)) {
			if (row_int(rows, a, column) != row_int(rows, b, column))
				aspect_differs(held, aspect);
		} else if (!alike && !of->may_lack) {
			held->sameness = sameness_of_both(held->sameness, ARE_UNKNOWN);
		}
	}
}

static void hold_launches(struct launches_held *held, const struct rows *rows, size_t a, size_t b)
{
	const double rounding = 1e-6; /* means of counts */
	double launches = row_real(rows, a, MATCH_launches);
	const char *how = row_string(rows, b, MATCH_how);
	bool alike = strcmp(how, "grid") == 0 && is_of_several(rows, a) && is_of_several(rows, b);

	if (strcmp(how, "sum") == 0) {
		aspect_differs(held, ASPECT_GRID);
		return;
	}
	for (int i = 0; i < ASPECTS; i++)
		hold_aspect(held, rows, a, b, i, alike);
	if (fabs(launches - row_real(rows, b, MATCH_launches)) > rounding * launches)
		aspect_differs(held, ASPECT_LAUNCHES);
}

static json_t *differing_json(const struct launches_held *held)
{
	json_t *list = json_array();

	for (int i = 0; i <= ASPECT_KERNELS; i++)
		if (held->differs & 1U << i)
			append_json(list, json_string(i < ASPECTS            ? aspects[i].word
						      : i == ASPECT_LAUNCHES ? number_of_launches
									     : unmatched));
	return list;
}

json_t *kernels_same_code(const json_t *kernels)
{
	const json_t *first = json_object_get(json_array_get(kernels, 0), "code");
	enum sameness all = ARE_SAME;

	for (size_t i = 1; i < json_array_size(kernels); i++) {
		const json_t *code = json_object_get(json_array_get(kernels, i), "code");

		if (!json_is_string(first) || !json_is_string(code))
			all = sameness_of_both(all, ARE_UNKNOWN);
		else if (!json_equal(first, code))
			all = ARE_DIFFERENT;
	}
	return sameness_json(all);
}

/* ---- two sides ---- */

static int by_label_and_side(const void *left, const void *right)
{
	const struct side_row *a = left, *b = right;
	int order = a->label && b->label ? strcmp(a->label, b->label) : !a->label - !b->label;

	if (order || a->is_other != b->is_other)
		return order ? order : (int)a->is_other - (int)b->is_other;
	return (a->row > b->row) - (a->row < b->row);
}

static struct both read_both(const struct family_rows *f, const char *single, const char *other)
{
	const char *const key[] = {f->name};
	struct both both = {.rows = rows_find(&f->model->table[TABLE_MATCH], 1, key)};

	both.item = xcalloc(both.rows.count, sizeof(*both.item));
	for (size_t i = 0; i < both.rows.count; i++) {
		const char *side = row_string(&both.rows, i, MATCH_variant);
		bool is_other = strcmp(side, other) == 0;

		if (is_other || strcmp(side, single) == 0)
			both.item[both.n++] = (struct side_row){row_text(&both.rows, i, MATCH_caseLabel), is_other, i};
	}
	if (both.n)
		qsort(both.item, both.n, sizeof(*both.item), by_label_and_side);
	return both;
}

/* Whether the item and the one behind it are a pair that matches. */
static bool is_pair(const struct both *both, size_t i)
{
	const struct side_row *a = &both->item[i], *b = a + 1;

	return i + 1 < both->n && a->label && b->label && strcmp(a->label, b->label) == 0 && !a->is_other &&
	       b->is_other;
}

/* Whether most runs of its side lack the kernel. */
static bool is_rare(const struct rows *rows, size_t row)
{
	return row_real(rows, row, MATCH_ns) == 0;
}

/* A kernel without a match is code that the other side does not run. But it may run it besides steps or, where names
 * change from run to run, by another name. */
static enum sameness sameness_of_one(const struct rows *rows, size_t row)
{
	return is_rare(rows, row) || row_int(rows, row, MATCH_elsewhere) == 1 ? ARE_UNKNOWN : ARE_DIFFERENT;
}

static void hold_unmatched(struct launches_held *held, bool rare)
{
	if (rare)
		held->sameness = sameness_of_both(held->sameness, ARE_UNKNOWN);
	else
		aspect_differs(held, ASPECT_KERNELS);
}

static void hold_both(const struct both *both, enum sameness *code, struct launches_held *launches)
{
	for (size_t i = 0; i < both->n; i++) {
		size_t row = both->item[i].row;

		if (is_pair(both, i)) {
			size_t other = both->item[++i].row;

			*code = sameness_of_both(*code, codes_sameness(&both->rows, row, other));
			hold_launches(launches, &both->rows, row, other);
		} else {
			*code = sameness_of_both(*code, sameness_of_one(&both->rows, row));
			hold_unmatched(launches, is_rare(&both->rows, row));
		}
	}
}

void same_code_put(json_t *tree, const struct family_rows *f, size_t single, size_t other)
{
	enum sameness code = ARE_SAME;
	struct launches_held launches = {ARE_SAME, 0};
	struct both both = {.n = 0};

	if (single != other)
		both = read_both(f, row_string(&f->variants, single, VARIANT_name),
			row_string(&f->variants, other, VARIANT_name));
	if (both.n)
		hold_both(&both, &code, &launches);
	else
		code = launches.sameness = ARE_UNKNOWN;
	free(both.item);
	put_json(tree, "same_code", sameness_json(code));
	put_json(tree, "same_launches", sameness_json(launches.sameness));
	put_json(tree, "launches_differ", both.n ? differing_json(&launches) : json_null());
}

bool kernel_names_change(const struct family_rows *f)
{
	struct both both = read_both(f, f->single, f->dbl);
	bool change = both.n > 0;

	for (size_t i = 0; i < both.n; i++)
		change = change && is_rare(&both.rows, both.item[i].row);
	free(both.item);
	return change;
}

/* ---- code that changes ---- */

void changing_code_put(json_t *tree, const struct family_rows *f)
{
	static const struct field fields[] = {{"side", MATCH_variant}, {"name", MATCH_shortName}};
	const char *const key[] = {f->name};
	struct rows rows = rows_find(&f->model->table[TABLE_MATCH], 1, key);
	json_t *list = json_array();

	for (size_t i = 0; i < rows.count && json_array_size(list) < CHANGING_MOST; i++) {
		json_t *kernel;

		if (row_int(&rows, i, MATCH_codes) < 2)
			continue;
		kernel = json_object();
		put_fields(kernel, &rows, i, fields, sizeof(fields) / sizeof(fields[0]));
		append_json(list, kernel);
	}
	put_json(tree, "changing_code", list);
}
