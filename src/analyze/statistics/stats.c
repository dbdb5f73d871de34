/* stats.c: median and quartiles. */
#include "analyze/statistics/stats.h"
#include "analyze/statistics/order.h"

#include <math.h>
#include <stdlib.h>

#include "util/alloc.h"

double quantile(const double *sorted, size_t n, double p)
{
	double position = (double)(n - 1) * p;
	size_t below = (size_t)position;

	if (below + 1 >= n)
		return sorted[n - 1];
	return sorted[below] + (position - (double)below) * (sorted[below + 1] - sorted[below]);
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

static void sort_few_shorts(uint32_t *x, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		uint32_t moving = x[i];
		size_t hole = i;

		for (; hole > 0 && x[hole - 1] > moving; hole--)
			x[hole] = x[hole - 1];
		x[hole] = moving;
	}
}

/* The k-th smallest: its digits one after the other, from the highest on. */
static uint32_t kth_short(const uint32_t *x, size_t n, size_t k)
{
	enum { DIGIT = 8, DIGITS = 1 << DIGIT };
	uint32_t found = 0, known = 0; /* the bits that are found */

	for (int shift = 32 - DIGIT; shift >= 0; shift -= DIGIT) {
		size_t count[DIGITS] = {0};
		uint32_t digit = 0;

		for (size_t i = 0; i < n; i++) {
			if ((x[i] & known) == found)
				count[x[i] >> shift & (DIGITS - 1)]++;
		}
		for (; k >= count[digit]; digit++)
			k -= count[digit];
		found |= digit << shift;
		known |= (uint32_t)(DIGITS - 1) << shift;
	}
	return found;
}

double median_of_shorts(uint32_t *x, size_t n)
{
	enum { FEW = 64 };
	size_t below = n ? (n - 1) / 2 : 0, above = n / 2;
	uint32_t low, high;

	if (n == 0)
		return NAN;
	if (n <= FEW)
		sort_few_shorts(x, n);
	low = n <= FEW ? x[below] : kth_short(x, n, below);
	high = n <= FEW || above == below ? x[above] : kth_short(x, n, above);
	return above == below ? low : low + 0.5 * (high - low);
}
