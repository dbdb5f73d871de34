/* blocks.c: samples, sorted by the blocks in which they were taken. */
#include "analyze/statistics/blocks.h"
#include "analyze/statistics/order.h"

#include <math.h>
#include <stdlib.h>

#include "util/alloc.h"

static int blocks_compare_samples(const void *left, const void *right)
{
	const struct block_sample *a = left, *b = right;

	return compare_doubles(&a->ns, &b->ns);
}

/* Sorted numbers of the blocks, each once; the caller frees. */
static int *distinct_blocks(const struct blocked_samples *of, size_t *n)
{
	int *blocks = xcalloc(of->n, sizeof(*blocks));

	for (size_t i = 0; i < of->n; i++)
		blocks[i] = of->block[i];
	*n = sort_distinct(blocks, of->n);
	return blocks;
}

/* Leaves in `a` what is also in `b`; returns how many. */
static size_t intersect(int *a, size_t na, const int *b, size_t nb)
{
	size_t kept = 0;

	for (size_t i = 0; i < na; i++)
		if (bsearch(&a[i], b, nb, sizeof(*b), compare_ints))
			a[kept++] = a[i];
	return kept;
}

/* Numbers of the blocks that all have, sorted. */
static int *common_blocks(const struct blocked_samples *first, const struct blocked_samples *second, size_t *n)
{
	int *numbers = distinct_blocks(first, n), *others;
	size_t nothers;

	if (!second)
		return numbers;
	others = distinct_blocks(second, &nothers);
	*n = intersect(numbers, *n, others, nothers);
	free(others);
	return numbers;
}

static void fill_pool(struct pool *pool, const struct blocked_samples *from, const int *numbers, size_t n)
{
	pool->samples = xcalloc(from->n, sizeof(*pool->samples));
	for (size_t i = 0; i < from->n; i++) {
		const int *block = bsearch(&from->block[i], numbers, n, sizeof(*numbers), compare_ints);

		if (block)
			pool->samples[pool->n++] = (struct block_sample){from->ns[i], (size_t)(block - numbers)};
	}
	qsort(pool->samples, pool->n, sizeof(*pool->samples), blocks_compare_samples);
}

/* The number of `run` among those seen. A new one is added to them. */
static size_t run_index(int run, int *seen, size_t *n)
{
	for (size_t i = 0; i < *n; i++)
		if (seen[i] == run)
			return i;
	seen[*n] = run;
	return (*n)++;
}

/* A block belongs to one run, so any of its samples tells which. The smallest is taken, so that order does not matter.
 */
static void fill_runs(const struct blocked_samples *from, const int *numbers, struct blocks *out)
{
	int *of_block = xcalloc(out->n + 1, sizeof(*of_block)), *seen = xcalloc(out->n, sizeof(*seen));
	bool *known = xcalloc(out->n + 1, sizeof(*known));

	for (size_t i = 0; from->run && i < from->n; i++) {
		const int *block = bsearch(&from->block[i], numbers, out->n, sizeof(*numbers), compare_ints);
		size_t at = block ? (size_t)(block - numbers) : out->n;

		if (!known[at] || from->run[i] < of_block[at])
			of_block[at] = from->run[i];
		known[at] = true;
	}
	for (size_t b = 0; b < out->n; b++)
		out->run[b] = run_index(of_block[b], seen, &out->runs);
	free(known);
	free(seen);
	free(of_block);
}

void blocks_fill(const struct blocked_samples *first, const struct blocked_samples *second, struct blocks *out)
{
	int *numbers;

	*out = (struct blocks){.sides = second ? 2 : 1};
	numbers = common_blocks(first, second, &out->n);
	out->run = xcalloc(out->n, sizeof(*out->run));
	fill_runs(first->run || !second ? first : second, numbers, out);
	fill_pool(&out->side[0], first, numbers, out->n);
	if (second)
		fill_pool(&out->side[1], second, numbers, out->n);
	free(numbers);
}

void blocks_first(const struct blocks *blocks, size_t n, struct blocks *out)
{
	*out = (struct blocks){.sides = blocks->sides, .n = n};
	out->run = xcalloc(n, sizeof(*out->run));
	for (size_t b = 0; b < n; b++) {
		out->run[b] = blocks->run[b];
		out->runs = out->run[b] >= out->runs ? out->run[b] + 1 : out->runs;
	}
	for (size_t s = 0; s < blocks->sides; s++) {
		const struct pool *from = &blocks->side[s];
		struct pool *to = &out->side[s];

		to->samples = xcalloc(from->n, sizeof(*to->samples));
		for (size_t k = 0; k < from->n; k++)
			if (from->samples[k].block < n)
				to->samples[to->n++] = from->samples[k];
	}
}

void blocks_free(struct blocks *blocks)
{
	free(blocks->side[0].samples);
	free(blocks->side[1].samples);
	free(blocks->run);
	*blocks = (struct blocks){.sides = 0};
}

bool samples_are_times(const struct blocked_samples *of)
{
	for (size_t i = 0; i < of->n; i++)
		if (!(of->ns[i] > 0) || !isfinite(of->ns[i]))
			return false;
	return true;
}

/* Median of each group of samples; the block of a sample tells its group. NaN for a group without samples. */
static void group_medians(const struct pool *pool, const size_t *group, size_t ngroups, double *out)
{
	size_t *total = xcalloc(ngroups, sizeof(*total)), *seen = xcalloc(ngroups, sizeof(*seen));

	for (size_t k = 0; k < pool->n; k++)
		total[group[pool->samples[k].block]]++;
	for (size_t g = 0; g < ngroups; g++)
		out[g] = NAN;
	for (size_t k = 0; k < pool->n; k++) {
		size_t g = group[pool->samples[k].block];

		if (seen[g] == (total[g] - 1) / 2)
			out[g] = pool->samples[k].ns;
		if (seen[g]++ == total[g] / 2)
			out[g] = (out[g] + pool->samples[k].ns) / 2;
	}
	free(seen);
	free(total);
}

void blocks_statistics(const struct blocks *blocks, const size_t *group, size_t ngroups, double *out)
{
	double *under = blocks->sides == 2 ? xcalloc(ngroups, sizeof(*under)) : NULL;

	group_medians(&blocks->side[0], group, ngroups, out);
	if (under)
		group_medians(&blocks->side[1], group, ngroups, under);
	for (size_t g = 0; g < ngroups; g++)
		out[g] = log(under ? out[g] / under[g] : out[g]);
	free(under);
}

double blocks_statistic(const struct blocks *blocks)
{
	size_t *together = xcalloc(blocks->n, sizeof(*together));
	double statistic;

	blocks_statistics(blocks, together, 1, &statistic);
	free(together);
	return statistic;
}

void blocks_series(const struct blocks *blocks, double *out)
{
	size_t *each = xcalloc(blocks->n, sizeof(*each));

	for (size_t b = 0; b < blocks->n; b++)
		each[b] = b;
	blocks_statistics(blocks, each, blocks->n, out);
	free(each);
}
