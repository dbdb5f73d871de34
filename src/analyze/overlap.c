/* overlap.c: how copies and kernels of one GPU overlap in time. */
#include "analyze/overlap.h"

#include <math.h>

static int64_t minus(int64_t a, int64_t b)
{
	int64_t out;

	return __builtin_sub_overflow(a, b, &out) ? INT64_MAX : out;
}

static int64_t plus(int64_t a, int64_t b)
{
	int64_t out;

	return __builtin_add_overflow(a, b, &out) ? INT64_MAX : out;
}

static double quotient(int64_t numerator, int64_t denominator)
{
	return denominator == 0 ? NAN : (double)numerator / (double)denominator;
}

/* Unsigned arithmetic: the difference of two int64_t may need 64 bits without a sign. */
static uint64_t overlap_distance(int64_t from, int64_t to)
{
	return from < to ? (uint64_t)to - (uint64_t)from : 0;
}

static void overlap_count(int64_t *sum, uint64_t length)
{
	*sum = length > overlap_distance(*sum, INT64_MAX) ? INT64_MAX : *sum + (int64_t)length;
}

static uint64_t less(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t more(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Counts the time from where the sweep is to `to`. No work starts in between, so each class is busy from the beginning
 * of that time to its latest end. A union lasts as long as the longest of its classes, an intersection as long as the
 * shortest. */
static void overlap_advance(struct overlap_sweep *sweep, int64_t to)
{
	struct overlap *sums = &sweep->sums;
	uint64_t whole = overlap_distance(sweep->at, to), busy[WORK_CLASSES], copy, all;

	for (int c = 0; c < WORK_CLASSES; c++) {
		busy[c] = less(overlap_distance(sweep->at, sweep->end[c]), whole);
		overlap_count(&sums->busy[c], busy[c]);
	}
	copy = more(busy[WORK_H2D], busy[WORK_D2H]);
	all = more(more(copy, busy[WORK_KERNEL]), busy[WORK_OTHER]);
	overlap_count(&sums->busy_copy, copy);
	overlap_count(&sums->busy_all, all);
	overlap_count(&sums->overlap, less(copy, busy[WORK_KERNEL]));
	overlap_count(&sums->duplex, less(busy[WORK_H2D], busy[WORK_D2H]));
	overlap_count(&sweep->h2d_kernel, less(busy[WORK_H2D], busy[WORK_KERNEL]));
	overlap_count(&sweep->d2h_kernel, less(busy[WORK_D2H], busy[WORK_KERNEL]));
	sweep->at = to;
}

void overlap_add(struct overlap_sweep *sweep, const struct device_work *work)
{
	if (work->end <= work->start)
		return;
	if (!sweep->begun) {
		sweep->begun = true;
		sweep->start = sweep->at = work->start;
		for (int c = 0; c < WORK_CLASSES; c++)
			sweep->end[c] = work->start;
	}
	if (work->start > sweep->at)
		overlap_advance(sweep, work->start);
	if (work->end > sweep->end[work->cls])
		sweep->end[work->cls] = work->end;
}

static void derive(struct overlap *out)
{
	const int64_t *busy = out->busy;
	int64_t largest = busy[WORK_H2D];

	if (busy[WORK_D2H] > largest)
		largest = busy[WORK_D2H];
	if (busy[WORK_KERNEL] > largest)
		largest = busy[WORK_KERNEL];
	out->idle = out->span - out->busy_all;
	out->exposed_copy = out->busy_copy - out->overlap;
	out->serial = plus(plus(busy[WORK_H2D], busy[WORK_KERNEL]), busy[WORK_D2H]);
	out->floor = largest;
	out->hideable = out->serial - largest;
	out->overlap_ratio = quotient(out->overlap, out->busy_copy);
	out->concurrency = quotient(out->serial - out->busy_all, out->hideable);
}

void overlap_end(struct overlap_sweep *sweep, struct overlap *out)
{
	int64_t last = sweep->end[0];

	for (int c = 1; c < WORK_CLASSES; c++)
		last = sweep->end[c] > last ? sweep->end[c] : last;
	if (sweep->begun)
		overlap_advance(sweep, last);
	*out = sweep->sums;
	out->span = sweep->begun ? minus(last, sweep->start) : 0;
	out->exposed_h2d = out->busy[WORK_H2D] - sweep->h2d_kernel;
	out->exposed_d2h = out->busy[WORK_D2H] - sweep->d2h_kernel;
	derive(out);
}

double hidden_share(const struct overlap *single, const struct overlap *dbl)
{
	return quotient(single->span - dbl->span, single->hideable);
}

double copy_stretch(const struct overlap *single, const struct overlap *dbl)
{
	return quotient(
		plus(dbl->busy[WORK_H2D], dbl->busy[WORK_D2H]), plus(single->busy[WORK_H2D], single->busy[WORK_D2H]));
}
