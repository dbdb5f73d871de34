/* spread.h: the interval of a median, or of a ratio of two, from blocks. Private to this folder and its tests. */
#ifndef DBPROF_ANALYZE_STATISTICS_SPREAD_H
#define DBPROF_ANALYZE_STATISTICS_SPREAD_H

#include "analyze/statistics/blocks.h"

/* (RESAMPLES + 1) * 2.5 % is a whole number, so both ends of the interval are resampled values, and swapping the two
 * variants gives the reciprocal interval. */
enum { RESAMPLES = 1999 };

/* A 95 % interval. All are logarithms. */
struct spread {
	double value, low, high;
};

double mean_of(const double *x, size_t n);
/* Sum of the squared distances from the mean. */
double squares_of(const double *x, size_t n);

/* How much more the slow part of the ratio of the blocks (of their median) moves than it would if blocks were
 * independent, which the draws take them for: the root of the variance along the slowest cosines over that of the
 * whole series. 1 is independent, and less than 1/5 counts as 1/5. Needs two blocks. */
double spread_slowness(const struct blocks *blocks);

/* Student's t for that slow part of `n` blocks, which is known from a few cosines only. */
double spread_student(size_t n);

/* The interval by `resamples` draws (40 k - 1), widened by slowness and Student's t, and by the clock's resolution.
 * Needs two blocks. */
void spread_of_blocks(const struct blocks *blocks, uint64_t seed, size_t resamples, struct spread *out);

/* Widens `spread`, so that it holds the 95 % interval of the mean of `n` runs, by Student's t, too. */
void spread_hold_runs(struct spread *spread, const double *runs, size_t n);

#endif
