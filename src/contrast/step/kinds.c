/* kinds.c: see kinds.h. */
#include "contrast/step/kinds.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"
#include "util/hash.h"
#include "util/numbering.h"

enum { HASH_SIZE = 17 };

/* The kernel on which a step spends the most time. */
static const char *name_of_step(const struct launches *launches, const struct launch_step *step)
{
	const struct launch_cell *most = &launches->cells[step->first_cell];

	for (size_t c = 1; c < step->ncells; c++) {
		const struct launch_cell *cell = &launches->cells[step->first_cell + c];

		most = cell->ns > most->ns ? cell : most;
	}
	return launches->kernels[most->kernel].base;
}

static int by_names_hash(const void *left, const void *right)
{
	uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;

	return (a > b) - (a < b);
}

/* Hash of the base names of a step's kernels, each once. */
static uint64_t names_of_step(const struct launches *launches, const struct launch_step *step)
{
	uint64_t *names = xcalloc(step->ncells + 1, sizeof(*names)), sum = 0;

	for (size_t c = 0; c < step->ncells; c++) {
		const char *base = launches->kernels[launches->cells[step->first_cell + c].kernel].base;

		names[c] = hash_bytes(0, base, strlen(base));
	}
	qsort(names, step->ncells, sizeof(*names), by_names_hash);
	for (size_t c = 0; c < step->ncells; c++)
		sum += c == 0 || names[c] != names[c - 1] ? names[c] : 0;
	free(names);
	return sum;
}

/* Hash of a step's kernels, in any order. */
static uint64_t shape_of_step(const struct launches *launches, const struct launch_step *step)
{
	uint64_t shape = 0;

	for (size_t c = 0; c < step->ncells; c++) {
		const struct launch_cell *cell = &launches->cells[step->first_cell + c];
		const struct launch_kernel *kernel = &launches->kernels[cell->kernel];
		uint64_t hash = hash_bytes(cell->launches, kernel->base, strlen(kernel->base));

		hash = hash_bytes(hash, kernel->grid, sizeof(kernel->grid));
		shape += hash_bytes(hash, kernel->block, sizeof(kernel->block));
	}
	return shape;
}

/* By list, or by shape. For free(). */
static struct step_kind *all_kinds(
	const struct launches *launches, const uint64_t *lists, bool by_shape, size_t *n, size_t *steps)
{
	struct step_kind *kinds = xcalloc(launches->nsteps + 1, sizeof(*kinds));
	struct numbering places = {0};

	*steps = 0;
	for (size_t i = 0; i < launches->nsteps; i++) {
		const struct launch_step *step = &launches->steps[i];
		uint64_t shape = by_shape ? shape_of_step(launches, step) : 0;
		struct step_kind *kind;

		if (step->launches == 0)
			continue;
		kind = &kinds[numbering_place(&places, (int64_t)(by_shape ? shape : lists[i]))];
		if (kind->steps++ == 0) {
			kind->list = lists[i];
			kind->shape = shape;
			kind->launches = step->launches;
			kind->names = names_of_step(launches, step);
			kind->name = name_of_step(launches, step);
		}
		kind->steady += step->left_out == LEFT_NOTHING;
		kind->later += !step->is_warm_up;
		kind->ns += step->is_warm_up ? 0 : step->ns;
		kind->host_ns += step->is_warm_up ? 0 : (double)(step->end - step->start);
		(*steps)++;
	}
	*n = places.n;
	numbering_free(&places);
	return kinds;
}

static int by_steps(const void *left, const void *right)
{
	const struct step_kind *a = left, *b = right;

	if (a->steps != b->steps)
		return a->steps > b->steps ? -1 : 1;
	if (a->list != b->list)
		return a->list > b->list ? 1 : -1;
	return (a->shape > b->shape) - (a->shape < b->shape);
}

static void sum_up_kinds(const struct launches *launches, const uint64_t *lists, bool by_shape, struct step_kinds *out)
{
	size_t n;
	struct step_kind *kinds = all_kinds(launches, lists, by_shape, &n, &out->steps);

	if (n > 1)
		qsort(kinds, n, sizeof(*kinds), by_steps);
	for (out->n = 0; out->n < n && out->n < STEP_KINDS; out->n++)
		out->kind[out->n] = kinds[out->n];
	free(kinds);
}

static void sum_up_empty(const struct launches *launches, struct empty_steps *out)
{
	for (size_t i = 0; i < launches->nsteps; i++) {
		const struct launch_step *step = &launches->steps[i];

		if (step->launches > 0 || step->is_warm_up)
			continue;
		out->steps++;
		out->host_ns += (double)(step->end - step->start);
	}
}

void step_kinds_sum_up(struct launches *launches, const uint64_t *lists)
{
	if (!launches->has_range)
		return;
	sum_up_kinds(launches, lists, false, &launches->kinds);
	sum_up_kinds(launches, lists, true, &launches->shapes);
	sum_up_empty(launches, &launches->empty);
}

static int row_of_kind(struct recording *rec, const struct step_kind *kind, size_t steps,
	const struct value run[STEPKIND_NUMBER], struct error *err)
{
	char list[HASH_SIZE], shape[HASH_SIZE], names[HASH_SIZE];
	const struct value row[STEPKIND_NUMBER] = {
		[STEPKIND_family] = run[STEPKIND_family],
		[STEPKIND_variant] = run[STEPKIND_variant],
		[STEPKIND_block] = run[STEPKIND_block],
		[STEPKIND_position] = run[STEPKIND_position],
		[STEPKIND_list] = VALUE_OF_TEXT(list),
		[STEPKIND_shape] = VALUE_OF_TEXT(kind->shape ? shape : NULL),
		[STEPKIND_name] = VALUE_OF_TEXT(kind->name),
		[STEPKIND_names] = VALUE_OF_TEXT(names),
		[STEPKIND_launches] = VALUE_OF_INT((int64_t)kind->launches),
		[STEPKIND_steps] = VALUE_OF_INT((int64_t)kind->steps),
		[STEPKIND_steady] = VALUE_OF_INT((int64_t)kind->steady),
		[STEPKIND_later] = VALUE_OF_INT((int64_t)kind->later),
		[STEPKIND_ns] = VALUE_OF_REAL(kind->ns),
		[STEPKIND_hostNs] = VALUE_OF_REAL(kind->host_ns),
		[STEPKIND_allSteps] = VALUE_OF_INT((int64_t)steps),
	};

	snprintf(list, sizeof(list), "%016" PRIx64, kind->list);
	snprintf(shape, sizeof(shape), "%016" PRIx64, kind->shape);
	snprintf(names, sizeof(names), "%016" PRIx64, kind->names);
	return recording_row(rec, TABLE_STEPKIND, row, err);
}

int rows_of_step_kinds(struct recording *rec, const struct launches *launches, const struct value run[STEPKIND_NUMBER],
	struct error *err)
{
	const struct step_kinds *all[] = {&launches->kinds, &launches->shapes};

	for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++)
		for (size_t i = 0; i < all[k]->n; i++)
			if (row_of_kind(rec, &all[k]->kind[i], all[k]->steps, run, err) < 0)
				return -1;
	return 0;
}
