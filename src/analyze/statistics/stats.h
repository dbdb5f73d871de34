/* stats.h: median and quartiles. */
#ifndef DBPROF_ANALYZE_STATISTICS_STATS_H
#define DBPROF_ANALYZE_STATISTICS_STATS_H

#include <stddef.h>
#include <stdint.h>

struct summary {
	size_t n;
	double median, q1, q3, min, max;
};

/* The quantile p (0 to 1) of n sorted values, n > 0: linear between the two nearest (type 7 of Hyndman and Fan, "Sample
 * Quantiles in Statistical Packages"). */
double quantile(const double *sorted, size_t n, double p);

/* Sorts a copy. `x` holds no NaN. Quartiles are interpolated linearly. All NaN for n == 0. */
void summarize(const double *x, size_t n, struct summary *out);

/* The same median, in linear time. Puts `x` into another order. */
double median_of(double *x, size_t n);

/* The same of whole numbers. */
double median_of_shorts(uint32_t *x, size_t n);

#endif
