/* match-rows.c: see match-rows.h. */
#include "model/family/programs/match-rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "model/family/family-rows.h"
#include "model/recording.h"
#include "store/store.h"
#include "util/alloc.h"

/* ---- the rows by label ---- */

static int by_match_label(const void *left, const void *right)
{
	const struct match_label *a = left, *b = right;
	int order = a->label && b->label ? strcmp(a->label, b->label) : !a->label - !b->label;

	if (order)
		return order;
	if (a->side != b->side)
		return a->side < b->side ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

void match_labels_read(const struct family_rows *f, struct match_labels *out)
{
	const char *const key[] = {f->name};

	out->rows = rows_find(&f->model->table[TABLE_MATCH], 1, key);
	out->n = out->rows.count;
	out->item = xcalloc(out->n, sizeof(*out->item));
	for (size_t i = 0; i < out->n; i++)
		out->item[i] = (struct match_label){row_text(&out->rows, i, MATCH_caseLabel),
			rows_with(&f->variants, VARIANT_name, row_string(&out->rows, i, MATCH_variant)), i};
	if (out->n)
		qsort(out->item, out->n, sizeof(*out->item), by_match_label);
}

static const char *side_of_match(const struct match_labels *labels, size_t item)
{
	return row_string(&labels->rows, labels->item[item].row, MATCH_variant);
}

size_t match_group_end(const struct match_labels *labels, size_t from)
{
	size_t end = from + 1;

	while (labels->item[from].label && end < labels->n && labels->item[end].label &&
		strcmp(labels->item[from].label, labels->item[end].label) == 0)
		end++;
	return end;
}

bool match_group_matches(const struct match_labels *labels, size_t from, size_t end)
{
	for (size_t i = from + 1; i < end; i++)
		if (strcmp(side_of_match(labels, i), side_of_match(labels, from)) != 0)
			return true;
	return false;
}

double match_ns(const struct match_labels *labels, size_t from, size_t end, const char *side)
{
	for (size_t i = from; i < end; i++) {
		double ns = row_real(&labels->rows, labels->item[i].row, MATCH_ns);

		if (strcmp(side_of_match(labels, i), side) == 0)
			return isfinite(ns) ? ns : 0;
	}
	return 0;
}

/* ---- kernels that match, but are too small for a case ---- */

/* A row without a label. */
struct caseless {
	const char *name;
	const char *side;
	double ns;
	bool matched;
	size_t row;
};

static int by_kernel_name(const void *left, const void *right)
{
	const struct caseless *a = left, *b = right;
	int order = strcmp(a->name, b->name);

	if (order || a->ns != b->ns)
		return order ? order : a->ns < b->ns ? -1 : 1;
	return (a->row > b->row) - (a->row < b->row);
}

/* How many kernels the side that has most of them has matched, of those of one name. */
static size_t most_matched(const struct caseless *item, size_t n)
{
	size_t most = 0;

	for (size_t i = 0; i < n; i++) {
		size_t count = 0;

		for (size_t k = 0; item[i].matched && k < n; k++)
			count += item[k].matched && strcmp(item[k].side, item[i].side) == 0;
		if (count > most)
			most = count;
	}
	return most;
}

/* Rows of the first side do not tell that another side's kernel was matched with them: as many as the others have
 * matched were, the smallest first, since larger ones have cases. */
static void match_first_side(struct caseless *item, size_t n, const char *first)
{
	enum { ALIKE_MOST = 256 }; /* of one name; of more, none is called unmatched */
	size_t left = n > ALIKE_MOST ? n : most_matched(item, n);

	for (size_t i = 0; i < n && left > 0; i++) {
		if (strcmp(item[i].side, first) == 0 && !item[i].matched) {
			item[i].matched = true;
			left--;
		}
	}
}

static void read_caseless(const struct match_labels *labels, struct caseless *item, size_t *n)
{
	*n = 0;
	for (size_t i = 0; i < labels->n; i++) {
		size_t row = labels->item[i].row;
		double ns = row_real(&labels->rows, row, MATCH_ns);

		if (!labels->item[i].label)
			item[(*n)++] = (struct caseless){row_string(&labels->rows, row, MATCH_shortName),
				row_string(&labels->rows, row, MATCH_variant), isfinite(ns) ? ns : 0,
				!row_null(&labels->rows, row, MATCH_how), row};
	}
	if (*n)
		qsort(item, *n, sizeof(*item), by_kernel_name);
}

bool *small_matches(const struct family_rows *f, const struct match_labels *labels)
{
	struct caseless *item = xcalloc(labels->n, sizeof(*item));
	bool *small = xcalloc(labels->n, sizeof(*small));
	size_t n;

	read_caseless(labels, item, &n);
	for (size_t i = 0, end; i < n; i = end) {
		for (end = i + 1; end < n && strcmp(item[end].name, item[i].name) == 0; end++)
			;
		match_first_side(item + i, end - i, f->single);
	}
	for (size_t i = 0; i < n; i++)
		small[item[i].row] = item[i].matched;
	free(item);
	return small;
}

/* ---- kernels that one of two sides has for itself ---- */

static bool has_side(const struct match_labels *labels, size_t from, size_t end, const char *side)
{
	for (size_t i = from; i < end; i++)
		if (strcmp(side_of_match(labels, i), side) == 0)
			return true;
	return false;
}

/* `large`: the share of the kernel that has a name there, of each side. */
static void add_lone_kernels(const struct match_labels *labels, size_t from, size_t end, const char *side, int number,
	struct lone_kernels *out, double large[2])
{
	for (size_t i = from; i < end; i++) {
		double share = row_real(&labels->rows, labels->item[i].row, MATCH_share);

		if (strcmp(side_of_match(labels, i), side) != 0 || !(share > 0))
			continue;
		out->share[number] += share;
		if (share > large[number])
			out->name[number] = row_string(&labels->rows, labels->item[i].row, MATCH_shortName);
		large[number] = fmax(large[number], share);
	}
}

struct lone_kernels lone_kernels_of(const struct family_rows *f, const char *single, const char *other)
{
	const char *const side[] = {single, other};
	struct lone_kernels out = {.share = {0, 0}};
	double large[2] = {0, 0};
	struct match_labels labels;
	bool *small;

	match_labels_read(f, &labels);
	small = small_matches(f, &labels);
	for (size_t i = 0, end; i < labels.n; i = end) {
		end = match_group_end(&labels, i);
		for (int k = 0; k < 2 && !small[labels.item[i].row]; k++)
			if (!has_side(&labels, i, end, side[1 - k]))
				add_lone_kernels(&labels, i, end, side[k], k, &out, large);
	}
	free(small);
	free(labels.item);
	return out;
}
