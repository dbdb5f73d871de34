/* bootstrap.c: how sure a speed-up and a median are. The blocks in which they were measured are resampled for this. */
#include "analyze/statistics/blocks.h"
#include "analyze/statistics/spread.h"

#include <math.h>
#include <stdlib.h>

#include "util/alloc.h"

/* Adds what only the runs tell: the spread from run to run, and the largest disagreement of two runs. */
static void hold_runs(const struct blocks *blocks, struct spread *spread, double *apart)
{
	double *runs = xcalloc(blocks->runs, sizeof(*runs));

	blocks_statistics(blocks, blocks->run, blocks->runs, runs);
	*apart = NAN;
	if (blocks->runs > 1) {
		double least = runs[0], most = runs[0];

		for (size_t i = 1; i < blocks->runs; i++) {
			least = fmin(least, runs[i]);
			most = fmax(most, runs[i]);
		}
		*apart = exp(most - least) - 1;
		spread_hold_runs(spread, runs, blocks->runs);
	}
	free(runs);
}

static void fill_ratio(const struct blocks *blocks, uint64_t seed, struct ratio *out)
{
	struct spread spread;

	spread_of_blocks(blocks, seed, RESAMPLES, &spread);
	hold_runs(blocks, &spread, &out->apart);
	out->value = exp(spread.value);
	out->low = exp(spread.low);
	out->high = exp(spread.high);
}

void ratio_bootstrap(
	const struct blocked_samples *single, const struct blocked_samples *dbl, uint64_t seed, struct ratio *out)
{
	struct blocks blocks;

	blocks_fill(single, dbl, &blocks);
	*out = (struct ratio){NAN, NAN, NAN, blocks.n, blocks.runs, NAN, NAN, 0};
	if (blocks.n >= 2 && samples_are_times(single) && samples_are_times(dbl))
		fill_ratio(&blocks, seed, out);
	blocks_free(&blocks);
}

void median_bootstrap(const struct blocked_samples *samples, uint64_t seed, double *low, double *high)
{
	struct blocks blocks;
	struct spread spread;
	double apart;

	blocks_fill(samples, NULL, &blocks);
	*low = *high = NAN;
	if (blocks.n >= 2 && samples_are_times(samples)) {
		spread_of_blocks(&blocks, seed, RESAMPLES, &spread);
		hold_runs(&blocks, &spread, &apart);
		*low = exp(spread.low);
		*high = exp(spread.high);
	}
	blocks_free(&blocks);
}
