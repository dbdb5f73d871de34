/* pays-duplex.c: how much copies in both directions at once slow each other down, from those of a recording. */
#include "analyze/pays.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/replay/replay.h"
#include "util/alloc.h"

/* How many copies of either kind tell something, and what counts as beside the other direction: 9 tenths of the time;
 * as alone: 1 tenth at most. */
enum { ENOUGH = 8, TENTHS_BESIDE = 9, TENTHS_ALONE = 1 };

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

static bool is_beside_other(const struct copy *copy)
{
	return copy->beside * 10 >= (double)(copy->end - copy->start) * TENTHS_BESIDE;
}

/* Whether looking at sizes is worth it. */
static bool enough_beside(const struct copy *copies, size_t n)
{
	size_t beside = 0;

	for (size_t i = 0; i < n; i++)
		beside += is_beside_other(&copies[i]);
	return beside >= ENOUGH;
}

struct mean {
	double sum;
	size_t n;
};

/* Adds copies[0 .. n), all of one direction and size: their time beside the other direction, as it is and as it would
 * be alone. */
static void add_kind(const struct copy *copies, size_t n, double *alone, double *beside)
{
	struct mean is_alone = {0}, is_beside = {0};

	for (size_t i = 0; i < n; i++) {
		double time = (double)(copies[i].end - copies[i].start), shared = copies[i].beside;
		struct mean *mean = NULL;

		if (is_beside_other(&copies[i]))
			mean = &is_beside;
		else if (shared * 10 <= time * TENTHS_ALONE)
			mean = &is_alone;
		if (mean) {
			mean->sum += time;
			mean->n++;
		}
	}
	if (is_alone.n < ENOUGH || is_beside.n < ENOUGH)
		return;
	*beside += is_beside.sum;
	*alone += is_alone.sum / (double)is_alone.n * (double)is_beside.n;
}

static double pays_duplex_rate_of(struct copy *copies, size_t n)
{
	double alone = 0, beside = 0;
	size_t first = 0;

	for (size_t i = 1; i <= n; i++) {
		if (i < n && pays_duplex_by_kind(&copies[first], &copies[i]) == 0)
			continue;
		add_kind(copies + first, i - first, &alone, &beside);
		first = i;
	}
	if (beside <= 0)
		return NAN;
	return alone < beside ? alone / beside : 1;
}

/* Whether a piece tells something: copies from pageable memory are staged. */
static bool tells_of_rate(const struct replay_program *program, const struct replay_piece *piece, int device)
{
	return (piece->cls == WORK_H2D || piece->cls == WORK_D2H) && !piece->pageable && piece->end > piece->start &&
	       program->stream[piece->stream].device == device;
}

double pays_duplex_rate(const struct replay_program *program, const int64_t *size, int device)
{
	struct copy *copies = xcalloc(program->npieces + 1, sizeof(*copies));
	double rate = NAN;
	size_t count = 0;

	for (size_t p = 0; p < program->npieces; p++) {
		const struct replay_piece *piece = &program->piece[p];

		if (tells_of_rate(program, piece, device))
			copies[count++] = (struct copy){piece->start, piece->end, size[p], 0, piece->cls};
	}
	pays_duplex_sort_by_start(copies, count);
	find_beside(copies, count);
	if (enough_beside(copies, count)) {
		qsort(copies, count, sizeof(*copies), pays_duplex_by_kind);
		rate = pays_duplex_rate_of(copies, count);
	}
	free(copies);
	return rate;
}
