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

static uint64_t less(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t more(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* How long a class is busy between two times, if it is from the first one on. */
static uint64_t busy_between(int64_t from, int64_t to, int64_t end)
{
	return overlap_distance(from, end < to ? end : to);
}

/* Counts the time from where the sweep is to `to`. No work starts in between, so each class is busy from the beginning
 * of that time to its latest end. A union lasts as long as the longest of its classes, an intersection as long as the
 * shortest. */
void overlap_advance(struct overlap_sweep *sweep, int64_t to)
{
	int64_t at = sweep->at;
	uint64_t h2d = busy_between(at, to, sweep->end[WORK_H2D]), d2h = busy_between(at, to, sweep->end[WORK_D2H]);
	uint64_t kernel = busy_between(at, to, sweep->end[WORK_KERNEL]);
	uint64_t other = busy_between(at, to, sweep->end[WORK_OTHER]), copy = more(h2d, d2h);

	sweep->busy[WORK_H2D] += h2d;
	sweep->busy[WORK_D2H] += d2h;
	sweep->busy[WORK_KERNEL] += kernel;
	sweep->busy[WORK_OTHER] += other;
	sweep->busy_copy += copy;
	sweep->busy_all += more(more(copy, kernel), other);
	sweep->overlap += less(copy, kernel);
	sweep->duplex += less(h2d, d2h);
	sweep->h2d_kernel += less(h2d, kernel);
	sweep->d2h_kernel += less(d2h, kernel);
	sweep->at = to;
}

void overlap_begin(struct overlap_sweep *sweep, int64_t start)
{
	sweep->begun = true;
	sweep->start = sweep->at = start;
	for (int c = 0; c < WORK_CLASSES; c++)
		sweep->end[c] = start;
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

static int64_t within_int64(uint64_t time)
{
	return time > INT64_MAX ? INT64_MAX : (int64_t)time;
}

void overlap_end(struct overlap_sweep *sweep, struct overlap *out)
{
	int64_t last = sweep->end[0];

	for (int c = 1; c < WORK_CLASSES; c++)
		last = sweep->end[c] > last ? sweep->end[c] : last;
	if (sweep->begun)
		overlap_advance(sweep, last);
	*out = (struct overlap){
		.span = sweep->begun ? minus(last, sweep->start) : 0,
		.busy_copy = within_int64(sweep->busy_copy),
		.busy_all = within_int64(sweep->busy_all),
		.overlap = within_int64(sweep->overlap),
		.duplex = within_int64(sweep->duplex),
	};
	for (int c = 0; c < WORK_CLASSES; c++)
		out->busy[c] = within_int64(sweep->busy[c]);
	out->exposed_h2d = out->busy[WORK_H2D] - within_int64(sweep->h2d_kernel);
	out->exposed_d2h = out->busy[WORK_D2H] - within_int64(sweep->d2h_kernel);
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
