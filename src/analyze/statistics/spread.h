/* spread.h: the interval of a median, or of a ratio of two, from blocks. Private to src/analyze and its tests. */
#ifndef DBPROF_ANALYZE_STATISTICS_SPREAD_H
#define DBPROF_ANALYZE_STATISTICS_SPREAD_H

#include "analyze/statistics/blocks.h"

/*
 * (RESAMPLES + 1)
 *
 * 2.5 % is a whole number. So both ends of the interval are resampled values, and the two variants swapped give the
 * reciprocal interval.
 */
enum { RESAMPLES = 1999 };

/* A 95 % interval. All are logarithms. */
struct spread {
	double value, low, high;
};

double mean_of(const double *x, size_t n);
/* Sum of the squared distances from the mean. */
double squares_of(const double *x, size_t n);

/* Mean square of the projections on the slowest cosines, each of unit length. It is the variance of the series if its
 * numbers are independent, and more if they move slowly. The series' mean is 0. Needs two numbers. */
double spread_slow_variance(const double *series, size_t n);

/* How much more the blocks' ratio (or median) moves slowly than it would if blocks were independent, as the draws
 * assume: the root of the variance along the slowest cosines over that of the whole series. 1 is independent, and less
 * than 1/5 counts as 1/5. Needs two blocks. */
double spread_slowness(const struct blocks *blocks);

/* Student's t for that slow part of `n` blocks: only a few cosines tell it. */
double spread_student(size_t n);

/* The interval by `resamples` draws (40 k - 1). Slowness, Student's t and the clock's resolution widen it. Needs two
 * blocks. */
void spread_of_blocks(const struct blocks *blocks, uint64_t seed, size_t resamples, struct spread *out);

/* Widens `spread`, so that it also holds the 95 % interval of the mean of `n` runs (Student's t). */
void spread_hold_runs(struct spread *spread, const double *runs, size_t n);

#endif
