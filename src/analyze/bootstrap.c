/* bootstrap.c: how sure a speed-up and a median are, by resampling the blocks in which they were measured. */
#include "analyze/blocks.h"
#include "analyze/spread.h"

#include <math.h>
#include <stdlib.h>

/* Adds what the runs say that the blocks do not, and the largest disagreement of two runs. */
static int hold_runs(const struct blocks *blocks, struct spread *spread, double *apart)
{
	double *runs = calloc(blocks->runs, sizeof(*runs));
	int status = runs ? blocks_statistics(blocks, blocks->run, blocks->runs, runs) : -1;

	*apart = NAN;
	if (status == 0 && blocks->runs > 1) {
		double least = runs[0], most = runs[0];

		for (size_t i = 1; i < blocks->runs; i++) {
			least = fmin(least, runs[i]);
			most = fmax(most, runs[i]);
		}
		*apart = exp(most - least) - 1;
		spread_hold_runs(spread, runs, blocks->runs);
	}
	free(runs);
	return status;
}

static int fill_ratio(const struct blocks *blocks, uint64_t seed, struct ratio *out)
{
	struct spread spread;

	if (spread_of_blocks(blocks, seed, RESAMPLES, &spread) < 0 || hold_runs(blocks, &spread, &out->apart) < 0)
		return -1;
	out->value = exp(spread.value);
	out->low = exp(spread.low);
	out->high = exp(spread.high);
	return 0;
}

int ratio_bootstrap(
	const struct blocked_samples *single, const struct blocked_samples *dbl, uint64_t seed, struct ratio *out)
{
	struct blocks blocks;
	int status = blocks_fill(single, dbl, &blocks);

	*out = (struct ratio){.value = NAN, .low = NAN, .high = NAN, .apart = NAN};
	if (status == 0) {
		out->blocks = blocks.n;
		out->runs = blocks.runs;
		if (blocks.n >= 2 && samples_are_times(single) && samples_are_times(dbl))
			status = fill_ratio(&blocks, seed, out);
	}
	blocks_free(&blocks);
	return status;
}

int median_bootstrap(const struct blocked_samples *samples, uint64_t seed, double *low, double *high)
{
	struct blocks blocks;
	struct spread spread;
	double apart;
	int status = blocks_fill(samples, NULL, &blocks);

	*low = *high = NAN;
	if (status == 0 && blocks.n >= 2 && samples_are_times(samples)) {
		status = spread_of_blocks(&blocks, seed, RESAMPLES, &spread);
		status |= status == 0 ? hold_runs(&blocks, &spread, &apart) : 0;
		if (status == 0) {
			*low = exp(spread.low);
			*high = exp(spread.high);
		}
	}
	blocks_free(&blocks);
	return status;
}
