/* drift.c: whether a ratio moves slowly from block to block. */
#include "analyze/statistics/blocks.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "util/alloc.h"

/* Logarithms that differ by less differ only by rounding. */
static const double rounding = 1e-12;

/* Subtracts each run's mean from its blocks: how far apart runs lie is no drift inside of them. */
static void center_runs(const struct blocks *blocks, double *x)
{
	for (size_t run = 0; run < blocks->runs; run++) {
		double sum = 0;
		size_t n = 0;

		for (size_t i = 0; i < blocks->n; i++) {
			if (blocks->run[i] == run) {
				sum += x[i];
				n++;
			}
		}
		for (size_t i = 0; i < blocks->n; i++) {
			if (blocks->run[i] == run)
				x[i] -= sum / (double)n;
		}
	}
}

/* Correlation of each value with the next one of its run; NaN if all are equal. */
static double lag_one(const struct blocks *blocks, const double *x)
{
	double with_next = 0, with_itself = 0;

	for (size_t i = 0; i < blocks->n; i++) {
		with_itself += x[i] * x[i];
		if (i + 1 < blocks->n && blocks->run[i] == blocks->run[i + 1])
			with_next += x[i] * x[i + 1];
	}
	return with_itself > (double)blocks->n * rounding * rounding ? with_next / with_itself : NAN;
}

static double lag_of_blocks(const struct blocks *blocks)
{
	double *series = xcalloc(blocks->n, sizeof(*series)), lag;

	blocks_series(blocks, series);
	center_runs(blocks, series);
	lag = lag_one(blocks, series);
	free(series);
	return lag;
}

/* Values of a run that climb steadily correlate by less than drift_limit if there are fewer. */
enum { DRIFT_BLOCKS_LEAST = 6 };

static bool has_long_run(const struct blocks *blocks)
{
	size_t *n = xcalloc(blocks->runs + 1, sizeof(*n));
	bool is_long = false;

	for (size_t i = 0; i < blocks->n; i++)
		is_long |= ++n[blocks->run[i]] >= DRIFT_BLOCKS_LEAST;
	free(n);
	return is_long;
}

double ratio_drift(const struct blocked_samples *single, const struct blocked_samples *dbl)
{
	struct blocks blocks;
	double lag = NAN;

	blocks_fill(single, dbl, &blocks);
	if (has_long_run(&blocks) && samples_are_times(single) && samples_are_times(dbl))
		lag = lag_of_blocks(&blocks);
	blocks_free(&blocks);
	return lag;
}
