/* resample.c: medians of whole blocks drawn again and again. */
#include "analyze/statistics/blocks.h"
#include "analyze/statistics/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

/* What one block adds to a draw: its samples of each side, and how many of them are in the lower half of all samples.
 */
struct share {
	uint32_t size[2], below[2];
};

static struct share *block_shares(const struct blocks *blocks)
{
	struct share *shares = xcalloc(blocks->n, sizeof(*shares));

	for (size_t s = 0; s < blocks->sides; s++)
		for (size_t k = 0; k < blocks->side[s].n; k++) {
			struct share *share = &shares[blocks->side[s].samples[k].block];

			share->size[s]++;
			share->below[s] += k < blocks->side[s].n / 2;
		}
	return shares;
}

static void resample_add_share(struct share *sum, const struct share *share)
{
	sum->size[0] += share->size[0];
	sum->size[1] += share->size[1];
	sum->below[0] += share->below[0];
	sum->below[1] += share->below[1];
}

/* Draws as many blocks as there are; tells how often each was drawn, and what they add up to. A random number serves
 * two draws: 32 bits times n, shifted down, are 0 to n - 1. */
static struct share draw_blocks(unsigned *drawn, const struct share *shares, size_t n, uint64_t *state)
{
	struct share sum = {{0, 0}, {0, 0}};
	uint64_t bits = 0;

	memset(drawn, 0, n * sizeof(*drawn));
	for (size_t i = 0; i < n; i++) {
		size_t b;

		bits = i % 2 == 0 ? random_next(state) : bits >> 32;
		b = (size_t)(((bits & UINT32_MAX) * n) >> 32);
		drawn[b]++;
		resample_add_share(&sum, &shares[b]);
	}
	return sum;
}

/* Median of `total` drawn samples; `below` of them are in the lower half of the pool. It is never far from the middle
 * of the pool, where the search begins. */
static double median_of_draw(const struct pool *pool, const unsigned *drawn, size_t total, size_t below)
{
	const struct block_sample *at = &pool->samples[pool->n / 2];
	double lower;

	while (below > (total - 1) / 2)
		below -= drawn[(--at)->block];
	while (below + drawn[at->block] <= (total - 1) / 2)
		below += drawn[(at++)->block];
	lower = at->ns;
	while (below + drawn[at->block] <= total / 2)
		below += drawn[(at++)->block];
	return (lower + at->ns) / 2;
}

void blocks_resample(const struct blocks *blocks, uint64_t seed, double *out, size_t count)
{
	unsigned *drawn = xcalloc(blocks->n, sizeof(*drawn));
	struct share *shares = block_shares(blocks), sum;

	for (size_t r = 0; r < count; r++) {
		sum = draw_blocks(drawn, shares, blocks->n, &seed);
		out[r] = median_of_draw(&blocks->side[0], drawn, sum.size[0], sum.below[0]);
		if (blocks->sides == 2)
			out[r] /= median_of_draw(&blocks->side[1], drawn, sum.size[1], sum.below[1]);
		out[r] = log(out[r]);
	}
	free(shares);
	free(drawn);
}
