/* length.c: see length.h. */
#include "model/family/programs/length.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "model/family/family-rows.h"
#include "model/recording.h"
#include "store/store.h"
#include "util/alloc.h"

/* Numbers of launches that differ by less are the same. */
static const double length_tolerance = 1e-9;

/* A kernel of one of the two. */
struct launched {
	const char *label; /* of those that match; NULL: it matches nothing */
	int side;
	double ns, launches;
};

static int by_label(const void *left, const void *right)
{
	const struct launched *a = left, *b = right;
	int order = a->label && b->label ? strcmp(a->label, b->label) : !a->label - !b->label;

	return order ? order : a->side - b->side;
}

/* By label. For free(). */
static struct launched *launched_kernels(const struct family_rows *f, const char *single, const char *other, size_t *n)
{
	const char *const key[] = {f->name};
	struct rows rows = rows_find(&f->model->table[TABLE_MATCH], 1, key);
	struct launched *all = xcalloc(rows.count, sizeof(*all));

	*n = 0;
	for (size_t i = 0; i < rows.count; i++) {
		const char *side = row_string(&rows, i, MATCH_variant);
		bool is_other = strcmp(side, other) == 0;
		double ns = row_real(&rows, i, MATCH_ns);

		if ((is_other || strcmp(side, single) == 0) && isfinite(ns))
			all[(*n)++] = (struct launched){
				row_text(&rows, i, MATCH_caseLabel), is_other, ns, row_real(&rows, i, MATCH_launches)};
	}
	if (*n > 1)
		qsort(all, *n, sizeof(*all), by_label);
	return all;
}

static bool is_launched_pair(const struct launched *a, const struct launched *b)
{
	return a->label && b->label && strcmp(a->label, b->label) == 0 && a->side != b->side;
}

double run_lengths(const struct family_rows *f, const char *single, const char *other, struct run_length out[2])
{
	size_t n;
	struct launched *all = launched_kernels(f, single, other, &n);
	double factor = NAN, largest = 0;

	out[0] = out[1] = (struct run_length){0};
	for (size_t i = 0; i < n; i++) {
		const struct launched *a = &all[i], *b = a + 1;
		double often;

		if (i + 1 == n || !is_launched_pair(a, b)) {
			out[a->side].unmatched += a->ns;
			continue;
		}
		often = b->launches / a->launches;
		for (int side = 0; side < 2; side++)
			*(fabs(often - 1) < length_tolerance ? &out[side].alike : &out[side].apart) += all[i + side].ns;
		if (a->ns > largest)
			largest = a->ns, factor = often;
		i++;
	}
	free(all);
	return factor;
}
