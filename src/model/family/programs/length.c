/* length.c: see length.h. */
#include "model/family/programs/length.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/thresholds.h"
#include "model/family/family-rows.h"
#include "model/recording.h"
#include "store/store.h"
#include "util/alloc.h"

/* A kernel of one of the two. */
struct launched {
	const char *label; /* of those that match; NULL: it matches nothing */
	const char *name;  /* base name */
	int side;
	double ns, launches;
	double threads; /* of all its launches */
};

static int by_label(const void *left, const void *right)
{
	const struct launched *a = left, *b = right;
	int order = a->label && b->label ? strcmp(a->label, b->label) : !a->label - !b->label;

	return order ? order : a->side - b->side;
}

static double threads_of_launch(const struct rows *rows, size_t i)
{
	double threads = 1;

	for (int axis = 0; axis < 3; axis++)
		threads *= row_real(rows, i, MATCH_gridX + axis) * row_real(rows, i, MATCH_blockX + axis);
	return threads;
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
		double ns = row_real(&rows, i, MATCH_ns), launches = row_real(&rows, i, MATCH_launches);

		if ((is_other || strcmp(side, single) == 0) && isfinite(ns))
			all[(*n)++] = (struct launched){row_text(&rows, i, MATCH_caseLabel),
				row_string(&rows, i, MATCH_shortName), is_other, ns, launches,
				launches * threads_of_launch(&rows, i)};
	}
	if (*n > 1)
		qsort(all, *n, sizeof(*all), by_label);
	return all;
}

static bool is_launched_pair(const struct launched *a, const struct launched *b)
{
	return a->label && b->label && strcmp(a->label, b->label) == 0 && a->side != b->side;
}

/* Of all kernels of a name on a side. The last of several chunks has another grid than the others, and one grid of
 * theirs need not match another. */
static double threads_of_name(const struct launched *all, size_t n, const char *name, int side)
{
	double threads = 0;

	for (size_t i = 0; i < n; i++)
		if (all[i].side == side && strcmp(all[i].name, name) == 0)
			threads += all[i].threads;
	return threads;
}

/* The second one over the first. */
static struct run_factor factor_of(
	const struct launched *all, size_t n, const struct launched *first, const struct launched *second)
{
	return (struct run_factor){second->launches / first->launches,
		threads_of_name(all, n, second->name, 1) / threads_of_name(all, n, first->name, 0)};
}

static bool is_about_one(double factor, double within)
{
	return fabs(factor - 1) < within;
}

static bool often_alike(const struct run_factor *factor, double within)
{
	return is_about_one(factor->launches, within) || is_about_one(factor->threads, within);
}

/* `longest`: of each side, of those that do not match; NULL: none. */
static void take_unmatched(const struct launched *kernel, struct run_lengths *out, const struct launched *longest[2])
{
	const struct launched **most = &longest[kernel->side];

	out->side[kernel->side].unmatched += kernel->ns;
	*most = !*most || kernel->ns > (*most)->ns ? kernel : *most;
}

struct run_lengths run_lengths_of(const struct family_rows *f, const char *single, const char *other, double within)
{
	size_t n;
	struct launched *all = launched_kernels(f, single, other, &n);
	struct run_lengths out = {.matched = {NAN, NAN}, .unmatched = {NAN, NAN}, .unmatched_launches = {NAN, NAN}};
	const struct launched *longest[2] = {NULL, NULL};
	double largest = 0;

	for (size_t i = 0; i < n; i++) {
		const struct launched *a = &all[i], *b = a + 1;
		struct run_factor often;
		bool alike;

		if (i + 1 == n || !is_launched_pair(a, b)) {
			take_unmatched(a, &out, longest);
			continue;
		}
		often = factor_of(all, n, a, b);
		alike = often_alike(&often, within);
		for (int side = 0; side < 2; side++)
			*(alike ? &out.side[side].alike : &out.side[side].apart) += all[i + side].ns;
		if (a->ns > largest)
			largest = a->ns, out.matched = often;
		i++;
	}
	if (longest[0] && longest[1]) {
		out.unmatched = factor_of(all, n, longest[0], longest[1]);
		out.unmatched_apart = !often_alike(&out.unmatched, within);
		for (int side = 0; side < 2; side++)
			out.unmatched_launches[side] = longest[side]->launches;
	}
	free(all);
	return out;
}

double length_of_run(const struct run_length *run)
{
	return run->alike + run->apart + run->unmatched;
}

/* Whether kernels that match and are launched as often have some part of both runs. */
static bool alike_tell_length(const struct run_lengths *lengths)
{
	return lengths->side[0].alike > program_left_part * length_of_run(&lengths->side[0]) &&
	       lengths->side[1].alike > program_left_part * length_of_run(&lengths->side[1]);
}

/* Whether those that match and are not launched as often have some part of one. */
static bool apart_tell_length(const struct run_lengths *lengths)
{
	return lengths->side[0].apart > program_left_part * length_of_run(&lengths->side[0]) ||
	       lengths->side[1].apart > program_left_part * length_of_run(&lengths->side[1]);
}

bool unmatched_count_as_alike(const struct run_lengths *lengths)
{
	return !lengths->unmatched_apart || alike_tell_length(lengths) || !apart_tell_length(lengths);
}

bool length_is_in_doubt(const struct run_lengths *lengths)
{
	return lengths->unmatched_apart && !alike_tell_length(lengths) && !apart_tell_length(lengths);
}
