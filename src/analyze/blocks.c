/* blocks.c: samples sorted out by the blocks in which they were taken. */
#include "analyze/blocks.h"
#include "analyze/order.h"

#include <math.h>
#include <stdlib.h>

static int blocks_compare_samples(const void *left, const void *right)
{
	const struct block_sample *a = left, *b = right;

	return compare_doubles(&a->ns, &b->ns);
}

/* Sorted numbers of the blocks, each once; the caller frees. NULL without memory. */
static int *distinct_blocks(const struct blocked_samples *of, size_t *n)
{
	int *blocks = calloc(of->n + 1, sizeof(*blocks));

	*n = 0;
	if (!blocks)
		return NULL;
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

	if (!second || !numbers)
		return numbers;
	others = distinct_blocks(second, &nothers);
	if (!others) {
		free(numbers);
		return NULL;
	}
	*n = intersect(numbers, *n, others, nothers);
	free(others);
	return numbers;
}

static int fill_pool(struct pool *pool, const struct blocked_samples *from, const int *numbers, size_t n)
{
	pool->samples = calloc(from->n + 1, sizeof(*pool->samples));
	if (!pool->samples)
		return -1;
	for (size_t i = 0; i < from->n; i++) {
		const int *block = bsearch(&from->block[i], numbers, n, sizeof(*numbers), compare_ints);

		if (block)
			pool->samples[pool->n++] = (struct block_sample){from->ns[i], (size_t)(block - numbers)};
	}
	qsort(pool->samples, pool->n, sizeof(*pool->samples), blocks_compare_samples);
	return 0;
}

/* The number of `run` among those seen, to which it is added if it is new. */
static size_t run_index(int run, int *seen, size_t *n)
{
	for (size_t i = 0; i < *n; i++)
		if (seen[i] == run)
			return i;
	seen[*n] = run;
	return (*n)++;
}

/* A block belongs to one run, so any of its samples tells which; the smallest, lest order matter. */
static int fill_runs(const struct blocked_samples *from, const int *numbers, struct blocks *out)
{
	int *of_block = calloc(out->n + 1, sizeof(*of_block)), *seen = calloc(out->n + 1, sizeof(*seen));
	bool *known = calloc(out->n + 1, sizeof(*known));

	for (size_t i = 0; of_block && known && from->run && i < from->n; i++) {
		const int *block = bsearch(&from->block[i], numbers, out->n, sizeof(*numbers), compare_ints);
		size_t at = block ? (size_t)(block - numbers) : out->n;

		if (!known[at] || from->run[i] < of_block[at])
			of_block[at] = from->run[i];
		known[at] = true;
	}
	for (size_t b = 0; of_block && seen && known && b < out->n; b++)
		out->run[b] = run_index(of_block[b], seen, &out->runs);
	free(known);
	free(seen);
	free(of_block);
	return out->n == 0 || out->runs ? 0 : -1;
}

int blocks_fill(const struct blocked_samples *first, const struct blocked_samples *second, struct blocks *out)
{
	int *numbers, status = -1;

	*out = (struct blocks){.sides = second ? 2 : 1};
	numbers = common_blocks(first, second, &out->n);
	if (numbers) {
		out->run = calloc(out->n + 1, sizeof(*out->run));
		status = out->run ? fill_runs(first->run || !second ? first : second, numbers, out) : -1;
		status |= fill_pool(&out->side[0], first, numbers, out->n);
		if (second)
			status |= fill_pool(&out->side[1], second, numbers, out->n);
	}
	free(numbers);
	return status;
}

int blocks_first(const struct blocks *blocks, size_t n, struct blocks *out)
{
	*out = (struct blocks){.sides = blocks->sides, .n = n};
	out->run = calloc(n + 1, sizeof(*out->run));
	for (size_t b = 0; out->run && b < n; b++) {
		out->run[b] = blocks->run[b];
		out->runs = out->run[b] >= out->runs ? out->run[b] + 1 : out->runs;
	}
	for (size_t s = 0; s < blocks->sides; s++) {
		const struct pool *from = &blocks->side[s];
		struct pool *to = &out->side[s];

		to->samples = calloc(from->n + 1, sizeof(*to->samples));
		if (!to->samples)
			return -1;
		for (size_t k = 0; k < from->n; k++)
			if (from->samples[k].block < n)
				to->samples[to->n++] = from->samples[k];
	}
	return out->run ? 0 : -1;
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

/* Median of each group of samples, by the group of their block; NaN for a group that has none. */
static int group_medians(const struct pool *pool, const size_t *group, size_t ngroups, double *out)
{
	size_t *total = calloc(ngroups, sizeof(*total)), *seen = calloc(ngroups, sizeof(*seen));
	int status = total && seen ? 0 : -1;

	for (size_t k = 0; status == 0 && k < pool->n; k++)
		total[group[pool->samples[k].block]]++;
	for (size_t g = 0; status == 0 && g < ngroups; g++)
		out[g] = NAN;
	for (size_t k = 0; status == 0 && k < pool->n; k++) {
		size_t g = group[pool->samples[k].block];

		if (seen[g] == (total[g] - 1) / 2)
			out[g] = pool->samples[k].ns;
		if (seen[g]++ == total[g] / 2)
			out[g] = (out[g] + pool->samples[k].ns) / 2;
	}
	free(seen);
	free(total);
	return status;
}

int blocks_statistics(const struct blocks *blocks, const size_t *group, size_t ngroups, double *out)
{
	double *under = blocks->sides == 2 ? calloc(ngroups, sizeof(*under)) : NULL;
	int status = group_medians(&blocks->side[0], group, ngroups, out);

	if (blocks->sides == 2)
		status |= under ? group_medians(&blocks->side[1], group, ngroups, under) : -1;
	for (size_t g = 0; status == 0 && g < ngroups; g++)
		out[g] = log(under ? out[g] / under[g] : out[g]);
	free(under);
	return status;
}

int blocks_statistic(const struct blocks *blocks, double *out)
{
	size_t *together = calloc(blocks->n, sizeof(*together));
	int status = together ? blocks_statistics(blocks, together, 1, out) : -1;

	free(together);
	return status;
}

int blocks_series(const struct blocks *blocks, double *out)
{
	size_t *each = calloc(blocks->n, sizeof(*each));
	int status = -1;

	if (each) {
		for (size_t b = 0; b < blocks->n; b++)
			each[b] = b;
		status = blocks_statistics(blocks, each, blocks->n, out);
	}
	free(each);
	return status;
}
