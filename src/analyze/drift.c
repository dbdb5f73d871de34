/* drift.c: whether a ratio moves slowly from block to block. */
#include "analyze/blocks.h"

#include <math.h>
#include <stdlib.h>

/* Logarithms that differ by less are equal but for rounding. */
static const double rounding = 1e-12;

/* Correlation of each value with the next; NaN if all are equal. */
static double lag_one(const double *x, size_t n)
{
	double mean = 0, with_next = 0, with_itself = 0;

	for (size_t i = 0; i < n; i++)
		mean += x[i] / (double)n;
	for (size_t i = 0; i < n; i++) {
		with_itself += (x[i] - mean) * (x[i] - mean);
		if (i + 1 < n)
			with_next += (x[i] - mean) * (x[i + 1] - mean);
	}
	return with_itself > (double)n * rounding * rounding ? with_next / with_itself : NAN;
}

static int lag_of_blocks(const struct blocks *blocks, double *lag)
{
	double *series = calloc(blocks->n, sizeof *series);
	int status = series ? blocks_series(blocks, series) : -1;

	if (status == 0)
		*lag = lag_one(series, blocks->n);
	free(series);
	return status;
}

int ratio_drift(const struct blocked_samples *single, const struct blocked_samples *dbl, double *lag)
{
	struct blocks blocks;
	int status = blocks_fill(single, dbl, &blocks);

	*lag = NAN;
	if (status == 0 && blocks.n >= 3 && samples_are_times(single) && samples_are_times(dbl))
		status = lag_of_blocks(&blocks, lag);
	blocks_free(&blocks);
	return status;
}
