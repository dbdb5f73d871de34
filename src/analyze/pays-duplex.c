/* pays-duplex.c: how much copies in both directions at once slow each other down, from those of a recording. */
#include "analyze/pays.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/replay/replay.h"
#include "analyze/thresholds.h"
#include "util/alloc.h"

struct copy {
	int64_t start, end, size;
	double beside; /* time of the other direction in it */
	int cls;
};

static int pays_duplex_by_start(const void *left, const void *right)
{
	const struct copy *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

static int pays_duplex_by_kind(const void *left, const void *right)
{
	const struct copy *a = left, *b = right;

	if (a->cls != b->cls)
		return a->cls < b->cls ? -1 : 1;
	return (a->size > b->size) - (a->size < b->size);
}

/* Most often they are in order. */
static void pays_duplex_sort_by_start(struct copy *copies, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (copies[i - 1].start > copies[i].start) {
			qsort(copies, n, sizeof(*copies), pays_duplex_by_start);
			return;
		}
	}
}

/* Adds the time that copies of both directions share. One direction hardly has two copies at once, so of copies that
 * began earlier only the one that ends last counts. */
static void find_beside(struct copy *copies, size_t n)
{
	size_t last[2] = {n, n};

	for (size_t i = 0; i < n; i++) {
		struct copy *copy = &copies[i];
		size_t other = last[copy->cls == WORK_H2D];

		if (other < n && copies[other].end > copy->start) {
			int64_t end = copies[other].end < copy->end ? copies[other].end : copy->end;

			copy->beside += (double)(end - copy->start);
			copies[other].beside += (double)(end - copy->start);
		}
		other = last[copy->cls != WORK_H2D];
		if (other == n || copies[other].end < copy->end)
			last[copy->cls != WORK_H2D] = i;
	}
}

/* What copies of one direction and size tell: the rate that is left beside the other direction; its weight and its
 * variance. */
struct told {
	double rate, weight, variance;
};

/* The share of a copy's time beside the other direction, and its speed as a multiple of the first copy's. */
static double share_beside(const struct copy *copy)
{
	return fmin(copy->beside / (double)(copy->end - copy->start), 1);
}

static double speed_of_copy(const struct copy *copy, const struct copy *first)
{
	return (double)(first->end - first->start) / (double)(copy->end - copy->start);
}

/* A line through the speeds of copies[0 .. n) by their shares: at share 0 is the speed alone, at share 1 that beside
 * the other direction. False if the shares are too much alike. */
static bool fit_speeds(const struct copy *copies, size_t n, struct told *told)
{
	double share = 0, speed = 0, xx = 0, xy = 0, yy = 0, slope, alone;

	for (size_t i = 0; i < n; i++) {
		share += share_beside(&copies[i]) / (double)n;
		speed += speed_of_copy(&copies[i], copies);
	}
	speed /= (double)n;
	for (size_t i = 0; i < n; i++) {
		double x = share_beside(&copies[i]) - share, y = speed_of_copy(&copies[i], copies) - speed;

		xx += x * x;
		xy += x * y;
		yy += y * y;
	}
	if (n < DUPLEX_COPIES || xx < duplex_spread * duplex_spread * (double)n)
		return false;
	slope = xy / xx;
	alone = speed - slope * share;
	if (!(alone > 0))
		return false;
	told->rate = 1 + slope / alone;
	told->weight = xx * (double)(copies->end - copies->start) / alone;
	told->variance = fmax(yy - slope * xy, 0) / (double)(n - 2) / xx / (alone * alone);
	return true;
}

/* The rate of copies[0 .. n), all of one direction and sorted by size: the mean of what the sizes tell. */
static double rate_of_direction(const struct copy *copies, size_t n)
{
	double rate = 0, weight = 0, variance = 0;
	size_t first = 0;

	for (size_t i = 0; i < n; i++) {
		struct told told;

		if (i + 1 < n && copies[i].size == copies[i + 1].size)
			continue;
		if (fit_speeds(copies + first, i + 1 - first, &told)) {
			rate += told.rate * told.weight;
			weight += told.weight;
			variance += told.variance * told.weight * told.weight;
		}
		first = i + 1;
	}
	if (!(rate > 0) || !(sqrt(variance) <= duplex_error * weight))
		return NAN;
	return fmin(rate / weight, 1);
}

/* Whether looking at sizes is worth it. */
static bool some_beside(const struct copy *copies, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (copies[i].beside > 0)
			return true;
	}
	return false;
}

/* Whether a piece tells something: copies from pageable memory are staged. */
static bool tells_of_rate(const struct replay_program *program, const struct replay_piece *piece, int device)
{
	return (piece->cls == WORK_H2D || piece->cls == WORK_D2H) && !piece->pageable && piece->end > piece->start &&
	       program->stream[piece->stream].device == device;
}

struct pays_duplex pays_duplex_rates(const struct replay_program *program, const int64_t *size, int device)
{
	struct copy *copies = xcalloc(program->npieces + 1, sizeof(*copies));
	struct pays_duplex rates = {NAN, NAN};
	size_t count = 0, in = 0;

	for (size_t p = 0; p < program->npieces; p++) {
		const struct replay_piece *piece = &program->piece[p];

		if (tells_of_rate(program, piece, device))
			copies[count++] = (struct copy){piece->start, piece->end, size[p], 0, piece->cls};
	}
	pays_duplex_sort_by_start(copies, count);
	find_beside(copies, count);
	if (some_beside(copies, count)) {
		qsort(copies, count, sizeof(*copies), pays_duplex_by_kind);
		while (in < count && copies[in].cls == WORK_H2D)
			in++;
		rates.in = rate_of_direction(copies, in);
		rates.out = rate_of_direction(copies + in, count - in);
	}
	free(copies);
	return rates;
}
