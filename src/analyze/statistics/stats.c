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

static void swap_doubles(double *a, double *b)
{
	double t = *a;

	*a = *b;
	*b = t;
}

/* The k-th smallest of x[n] stands at its place then, and no larger one before it (Hoare's selection). The middle of
 * three is the pivot, so that sorted values are no bad case. */
static void select_double(double *x, size_t n, size_t k)
{
	size_t low = 0, high = n - 1;

	while (low < high) {
		double *middle = &x[low + (high - low) / 2], pivot;
		size_t i = low, j = high;

		if (*middle < x[low])
			swap_doubles(middle, &x[low]);
		if (x[high] < x[low])
			swap_doubles(&x[high], &x[low]);
		if (x[high] < *middle)
			swap_doubles(&x[high], middle);
		pivot = *middle;
		while (i <= j) {
			while (x[i] < pivot)
				i++;
			while (x[j] > pivot)
				j--;
			if (i > j)
				break;
			swap_doubles(&x[i++], &x[j]);
			if (j-- == 0)
				break;
		}
		if (k <= j && j < high)
			high = j;
		else if (k >= i)
			low = i;
		else
			return;
	}
}

double median_of(double *x, size_t n)
{
	double below, above;

	if (n == 0)
		return NAN;
	select_double(x, n, (n - 1) / 2);
	below = x[(n - 1) / 2];
	if (n % 2)
		return below;
	above = x[n / 2];
	for (size_t i = n / 2; i < n; i++)
		above = x[i] < above ? x[i] : above;
	return below + 0.5 * (above - below);
}
