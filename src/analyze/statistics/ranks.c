/* ranks.c: which of two variants is faster by the order of their samples inside of each block. */
#include "analyze/statistics/blocks.h"

#include <math.h>
#include <stdlib.h>

#include "util/alloc.h"

/* Pairs of a block in which double takes less than single, or with `ties` as long at most. The samples of both are
 * sorted. */
static double pairs_of_faster(const struct blocks *blocks, bool ties)
{
	const struct pool *single = &blocks->side[0], *dbl = &blocks->side[1];
	size_t *passed = xcalloc(blocks->n, sizeof(*passed)), k = 0;
	double pairs = 0;

	for (size_t i = 0; i < single->n; i++) {
		double ns = single->samples[i].ns;

		while (k < dbl->n && (ties ? dbl->samples[k].ns <= ns : dbl->samples[k].ns < ns))
			passed[dbl->samples[k++].block]++;
		pairs += (double)passed[single->samples[i].block];
	}
	free(passed);
	return pairs;
}

static size_t *samples_by_block(const struct blocks *blocks, int side)
{
	size_t *n = xcalloc(blocks->n, sizeof(*n));

	for (size_t i = 0; i < blocks->side[side].n; i++)
		n[blocks->side[side].samples[i].block]++;
	return n;
}

/* Of a block with m and n samples the variance of the number of pairs is m n (m + n + 1) / 12. */
static void count_pairs(const struct blocks *blocks, double quantile, struct block_ranks *out)
{
	size_t *single = samples_by_block(blocks, 0), *dbl = samples_by_block(blocks, 1);
	double variance = 0;

	for (size_t b = 0; b < blocks->n; b++) {
		size_t pairs = single[b] * dbl[b];

		out->pairs += pairs;
		variance += (double)pairs * (double)(single[b] + dbl[b] + 1) / 12;
	}
	out->needed = (size_t)ceil((double)out->pairs / 2 + 0.5 + quantile * sqrt(variance));
	free(single);
	free(dbl);
}

struct block_ranks ratio_ranks(const struct blocked_samples *single, const struct blocked_samples *dbl, double quantile)
{
	struct block_ranks ranks = {0};
	struct blocks blocks;

	blocks_fill(single, dbl, &blocks);
	if (samples_are_times(single) && samples_are_times(dbl)) {
		ranks.faster = (pairs_of_faster(&blocks, false) + pairs_of_faster(&blocks, true)) / 2;
		count_pairs(&blocks, quantile, &ranks);
	}
	blocks_free(&blocks);
	return ranks;
}
