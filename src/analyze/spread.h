/* spread.h: the interval of a median, or of a ratio of two, from blocks. Private to this room and its tests. */
#ifndef DBPROF_ANALYZE_SPREAD_H
#define DBPROF_ANALYZE_SPREAD_H

#include "analyze/blocks.h"

/* (resamples + 1) * 2.5 % is a whole number for both, so the ends of the interval are resampled values. */
enum { RESAMPLES = 1999, RESAMPLES_QUICK = 199 };

/* All are logarithms. */
struct spread {
	double value;
	double low, high; /* 95 % interval */
	double error;     /* standard error of value */
};

/* How much wider than the plain percentile interval of resampled blocks an honest one is: Student's t for few blocks,
 * and what the slow part of the series says that the draws, which take the blocks for independent, do not. Of a series
 * of one number per block in their order; n >= 2. */
double spread_widening(const double *series, size_t n);

/* The interval by `resamples` draws, widened. Needs two blocks. -1 without memory. */
int spread_of_blocks(const struct blocks *blocks, uint64_t seed, size_t resamples, struct spread *out);

/* Widens `spread`, so that it holds the 95 % interval of the mean of `n` runs, by Student's t, too. */
void spread_hold_runs(struct spread *spread, const double *runs, size_t n);

#endif
