/* stats.c: median, quartiles, and the interval in which the median lies. */
#include "analyze/analyze.h"
#include "analyze/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double confidence = 0.95;

/* Quantile of sorted values by linear interpolation between the two nearest (type 7 of Hyndman and Fan). */
static double quantile(const double *x, size_t n, double p)
{
	double position = (double)(n - 1) * p;
	size_t below = (size_t)position;

	if (below + 1 >= n)
		return x[n - 1];
	return x[below] + (position - (double)below) * (x[below + 1] - x[below]);
}

/* The largest k for which [x(k), x(n+1-k)], counted from 1, holds the median with at least `confidence`: the number of
 * samples below the median is binomial with p = 1/2. 0 if there is none. In logarithms, as 2^-n is too small. */
static size_t median_rank(size_t n)
{
	double log_probability = -(double)n * log(2);
	double below = 0;
	size_t k = 0;

	while (k < n) {
		below += exp(log_probability);
		if (2 * below > 1 - confidence)
			break;
		log_probability += log((double)(n - k) / (double)(k + 1));
		k++;
	}
	return k;
}

static void fill_summary(const double *sorted, size_t n, struct summary *out)
{
	size_t k = median_rank(n);

	out->median = quantile(sorted, n, 0.5);
	out->q1 = quantile(sorted, n, 0.25);
	out->q3 = quantile(sorted, n, 0.75);
	out->min = sorted[0];
	out->max = sorted[n - 1];
	if (k > 0) {
		out->low = sorted[k - 1];
		out->high = sorted[n - k];
	}
}

int summarize(const double *x, size_t n, struct summary *out)
{
	double *sorted;

	*out = (struct summary){n, NAN, NAN, NAN, NAN, NAN, NAN, NAN};
	if (n == 0)
		return 0;
	sorted = calloc(n, sizeof *sorted);
	if (sorted == NULL)
		return -1;
	memcpy(sorted, x, n * sizeof *sorted);
	qsort(sorted, n, sizeof *sorted, compare_doubles);
	fill_summary(sorted, n, out);
	free(sorted);
	return 0;
}
