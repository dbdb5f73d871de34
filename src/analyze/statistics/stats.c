/* stats.c: median and quartiles. */
#include "analyze/statistics/stats.h"
#include "analyze/statistics/order.h"

#include <math.h>
#include <stdlib.h>

#include "util/alloc.h"

/* Quantile of sorted values by linear interpolation between the two nearest (type 7 of Hyndman and Fan). */
static double quantile(const double *x, size_t n, double p)
{
	double position = (double)(n - 1) * p;
	size_t below = (size_t)position;

	if (below + 1 >= n)
		return x[n - 1];
	return x[below] + (position - (double)below) * (x[below + 1] - x[below]);
}

static void fill_summary(const double *sorted, size_t n, struct summary *out)
{
	out->median = quantile(sorted, n, 0.5);
	out->q1 = quantile(sorted, n, 0.25);
	out->q3 = quantile(sorted, n, 0.75);
	out->min = sorted[0];
	out->max = sorted[n - 1];
}

void summarize(const double *x, size_t n, struct summary *out)
{
	double *sorted;

	*out = (struct summary){n, NAN, NAN, NAN, NAN, NAN};
	if (n == 0)
		return;
	sorted = xmemdup(x, n * sizeof(*sorted));
	qsort(sorted, n, sizeof(*sorted), compare_doubles);
	fill_summary(sorted, n, out);
	free(sorted);
}
