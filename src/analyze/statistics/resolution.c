/* resolution.c: how coarse the clock is that took the samples. */
#include "analyze/statistics/blocks.h"

#include <math.h>

/* Times that differ by a smaller share are equal: a CUDA event's time is a float. */
static const double alike = 1e-6;

/* Step of the clock as a share of the median. If samples of two blocks ever agree, it is the smallest difference of two
 * samples; else the clock is finer than the noise, and it is 0. The outer tenths are left out: they may be outliers,
 * which say nothing about ticks. */
static double tick_of(const struct pool *pool)
{
	double least = INFINITY;
	bool agree = false;

	for (size_t k = pool->n / 10 + 1; k < pool->n - pool->n / 10; k++) {
		const struct block_sample *a = &pool->samples[k - 1], *b = &pool->samples[k];

		if (b->ns - a->ns > alike * b->ns)
			least = fmin(least, b->ns - a->ns);
		else
			agree |= a->block != b->block;
	}
	return agree && isfinite(least) ? least / pool->samples[pool->n / 2].ns : 0;
}

double blocks_resolution(const struct blocks *blocks)
{
	double squares = 0;

	for (size_t s = 0; s < blocks->sides; s++)
		squares += pow(tick_of(&blocks->side[s]), 2) / 12;
	return sqrt(squares);
}
