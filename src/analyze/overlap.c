/* overlap.c: how copies and kernels of one GPU lie over each other in time. */
#include "analyze/analyze.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The work as disjoint intervals: one[c] .. one[c] + count[c] for each class, and room for any union of classes. */
struct classes {
	struct interval *one[WORK_CLASSES];
	size_t count[WORK_CLASSES];
	struct interval *many;
};

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

/* Sorts the work into `room` (2 * n intervals) by class, each class a union. */
static void split(const struct device_work *work, size_t n, struct interval *room, struct classes *out)
{
	size_t offset = 0;

	memset(out->count, 0, sizeof out->count);
	for (size_t i = 0; i < n; i++)
		out->count[work[i].cls]++;
	for (int c = 0; c < WORK_CLASSES; c++) {
		out->one[c] = room + offset;
		offset += out->count[c];
		out->count[c] = 0;
	}
	out->many = room + offset;
	for (size_t i = 0; i < n; i++)
		out->one[work[i].cls][out->count[work[i].cls]++] = (struct interval){work[i].start, work[i].end};
	for (int c = 0; c < WORK_CLASSES; c++)
		out->count[c] = intervals_union(out->one[c], out->count[c]);
}

/* Leaves the union of the first `classes` classes in sets->many. */
static size_t unite(struct classes *sets, int classes)
{
	size_t n = 0;

	for (int c = 0; c < classes; c++) {
		memcpy(sets->many + n, sets->one[c], sets->count[c] * sizeof *sets->many);
		n += sets->count[c];
	}
	return intervals_union(sets->many, n);
}

/* Time of one class in which no kernel runs. */
static int64_t exposed(const struct classes *sets, enum work_class cls)
{
	return intervals_length(sets->one[cls], sets->count[cls]) -
	       intervals_overlap(sets->one[cls], sets->count[cls], sets->one[WORK_KERNEL], sets->count[WORK_KERNEL]);
}

static void measure(struct classes *sets, struct overlap *out)
{
	_Static_assert(WORK_H2D == 0 && WORK_D2H == 1, "the copies come first");
	size_t n;

	for (int c = 0; c < WORK_CLASSES; c++)
		out->busy[c] = intervals_length(sets->one[c], sets->count[c]);
	out->duplex = intervals_overlap(
		sets->one[WORK_H2D], sets->count[WORK_H2D], sets->one[WORK_D2H], sets->count[WORK_D2H]);
	out->exposed_h2d = exposed(sets, WORK_H2D);
	out->exposed_d2h = exposed(sets, WORK_D2H);
	n = unite(sets, WORK_D2H + 1);
	out->busy_copy = intervals_length(sets->many, n);
	out->overlap = intervals_overlap(sets->many, n, sets->one[WORK_KERNEL], sets->count[WORK_KERNEL]);
	n = unite(sets, WORK_CLASSES);
	out->busy_all = intervals_length(sets->many, n);
	out->span = n == 0 ? 0 : minus(sets->many[n - 1].end, sets->many[0].start);
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
	out->hideable = out->serial - largest;
	out->overlap_ratio = quotient(out->overlap, out->busy_copy);
	out->concurrency = quotient(out->serial - out->busy_all, out->hideable);
}

int overlap_compute(const struct device_work *work, size_t n, struct overlap *out)
{
	struct interval *room = calloc(n > 0 ? n : 1, 2 * sizeof *room);
	struct classes sets;

	if (room == NULL)
		return -1;
	split(work, n, room, &sets);
	measure(&sets, out);
	derive(out);
	free(room);
	return 0;
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
