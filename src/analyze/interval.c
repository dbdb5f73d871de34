/* interval.c: sets of half-open time intervals: union, length, intersection, busy share per slice. */
#include "analyze/interval.h"

#include <stdbool.h>

#include "util/alloc.h"

enum { RADIX_BITS = 8, RADIX_BUCKETS = 1 << RADIX_BITS, SMALL_SORT = 48 };

/* Unsigned arithmetic: the difference of two int64_t may need 64 bits without a sign. */
static uint64_t interval_distance(int64_t from, int64_t to)
{
	return (uint64_t)to - (uint64_t)from;
}

/* `sum` is not negative. */
static int64_t add_saturating(int64_t sum, uint64_t length)
{
	return length > interval_distance(sum, INT64_MAX) ? INT64_MAX : sum + (int64_t)length;
}

static void interval_swap(struct interval *a, struct interval *b)
{
	struct interval t = *a;

	*a = *b;
	*b = t;
}

static void sort_small(struct interval *a, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct interval moving = a[i];
		size_t hole = i;

		for (; hole > 0 && a[hole - 1].start > moving.start; hole--)
			a[hole] = a[hole - 1];
		a[hole] = moving;
	}
}

static unsigned digit(const struct interval *x, int64_t base, int shift)
{
	return (unsigned)(interval_distance(base, x->start) >> shift) & (RADIX_BUCKETS - 1);
}

/* In-place radix sort by start from the highest digit. On millions of intervals it is three times as fast as qsort(),
 * and it needs no second copy. `base` is the smallest start; the digits above `shift` are equal in all of `a`. */
static void interval_sort_by_start(struct interval *a, size_t n, int64_t base, int shift)
{
	size_t next[RADIX_BUCKETS], stop[RADIX_BUCKETS] = {0};
	size_t begin = 0;

	if (n <= SMALL_SORT) {
		sort_small(a, n);
		return;
	}
	for (size_t i = 0; i < n; i++)
		stop[digit(&a[i], base, shift)]++;
	for (int b = 0; b < RADIX_BUCKETS; b++) {
		next[b] = begin;
		begin += stop[b];
		stop[b] = begin;
	}
	for (unsigned b = 0; b < RADIX_BUCKETS; b++) {
		while (next[b] < stop[b]) {
			unsigned home = digit(&a[next[b]], base, shift);

			interval_swap(&a[next[b]], &a[next[home]]);
			next[home]++;
		}
	}
	if (shift == 0)
		return;
	begin = 0;
	for (int b = 0; b < RADIX_BUCKETS; b++) {
		interval_sort_by_start(a + begin, stop[b] - begin, base, shift > RADIX_BITS ? shift - RADIX_BITS : 0);
		begin = stop[b];
	}
}

void intervals_sort(struct interval *a, size_t n)
{
	int64_t low = n ? a[0].start : 0, high = low;
	bool sorted = true;
	int bits = 0;

	for (size_t i = 1; i < n; i++) {
		sorted = sorted && a[i - 1].start <= a[i].start;
		if (a[i].start < low)
			low = a[i].start;
		if (a[i].start > high)
			high = a[i].start;
	}
	if (sorted)
		return;
	for (uint64_t range = interval_distance(low, high); range > 0; range >>= 1)
		bits++;
	interval_sort_by_start(a, n, low, bits > RADIX_BITS ? bits - RADIX_BITS : 0);
}

static size_t interval_drop_empty(struct interval *a, size_t n)
{
	size_t kept = 0;

	for (size_t i = 0; i < n; i++)
		if (a[i].start < a[i].end)
			a[kept++] = a[i];
	return kept;
}

size_t intervals_union(struct interval *a, size_t n)
{
	size_t last = 0;

	n = interval_drop_empty(a, n);
	if (n == 0)
		return 0;
	intervals_sort(a, n);
	for (size_t i = 1; i < n; i++) {
		if (a[i].start > a[last].end)
			a[++last] = a[i];
		else if (a[i].end > a[last].end)
			a[last].end = a[i].end;
	}
	return last + 1;
}

int64_t intervals_length(const struct interval *a, size_t n)
{
	int64_t sum = 0;

	for (size_t i = 0; i < n; i++)
		sum = add_saturating(sum, interval_distance(a[i].start, a[i].end));
	return sum;
}

static void intervals_add(struct intervals *out, int64_t start, int64_t end)
{
	xgrow(&out->at, out->n, &out->room, sizeof(*out->at));
	out->at[out->n++] = (struct interval){start, end};
}

/* The first interval of a union from `i` on that ends after `time`. It is near, so the steps of the search double. */
static size_t next_after(const struct interval *a, size_t i, size_t n, int64_t time)
{
	size_t low = i, step = 1;

	while (low + step < n && a[low + step].end <= time) {
		low += step;
		step *= 2;
	}
	n = low + step < n ? low + step : n;
	while (low < n) {
		size_t middle = low + (n - low) / 2;

		if (a[middle].end <= time)
			low = middle + 1;
		else
			n = middle;
	}
	return low;
}

void intervals_add_minus(
	struct intervals *out, const struct interval *a, size_t na, const struct interval *b, size_t nb)
{
	for (size_t i = 0, k = 0; i < na; i++) {
		int64_t from = a[i].start;

		k = k < nb ? next_after(b, k, nb, from) : nb;
		for (size_t j = k; j < nb && b[j].start < a[i].end; j++) {
			if (b[j].start > from)
				intervals_add(out, from, b[j].start);
			from = b[j].end;
		}
		if (from < a[i].end)
			intervals_add(out, from, a[i].end);
	}
}

/* Where one set has many intervals between two of the other (a few copies among all kernels), it leaps over them. */
int64_t intervals_overlap(const struct interval *a, size_t na, const struct interval *b, size_t nb)
{
	int64_t sum = 0;
	size_t i = 0, j = 0;

	while (i < na && j < nb) {
		int64_t start = a[i].start > b[j].start ? a[i].start : b[j].start;
		int64_t end = a[i].end < b[j].end ? a[i].end : b[j].end;

		if (start < end)
			sum = add_saturating(sum, interval_distance(start, end));
		if (a[i].end < b[j].end)
			i = next_after(a, i + 1, na, b[j].start);
		else
			j = next_after(b, j + 1, nb, a[i].start);
	}
	return sum;
}

/* Adds [start, end) to the slices that it touches. Both times count from the first slice's left edge. */
static void interval_add_share(double start, double end, double width, double *out, size_t bins)
{
	for (size_t i = (size_t)(start / width); i < bins; i++) {
		double left = (double)i * width, right = (double)(i + 1) * width;

		if (left >= end)
			break;
		if (start > left)
			left = start;
		if (end < right)
			right = end;
		if (right > left)
			out[i] += (right - left) / width;
	}
}

void intervals_add_share(const struct interval *a, int64_t from, int64_t to, double *out, size_t bins)
{
	int64_t start = a->start > from ? a->start : from, end = a->end < to ? a->end : to;

	if (bins > 0 && to > from && start < end)
		interval_add_share((double)interval_distance(from, start), (double)interval_distance(from, end),
			(double)interval_distance(from, to) / (double)bins, out, bins);
}
