/* sort.c: see sort.h. */
#include "analyze/sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

/* ---- runs: neighbours are merged until one is left ---- */

struct sorting {
	char *from, *to;
	size_t size;
	int (*order)(const void *, const void *);
	size_t *run; /* where runs begin, and the end */
	size_t nruns, room;
};

static void find_runs(struct sorting *sorting, size_t n)
{
	const size_t size = sorting->size;

	for (size_t i = 0; i <= n; i++) {
		if (i > 0 && i < n && sorting->order(sorting->from + (i - 1) * size, sorting->from + i * size) <= 0)
			continue;
		xgrow(&sorting->run, sorting->nruns, &sorting->room, sizeof(*sorting->run));
		sorting->run[sorting->nruns++] = i;
	}
	sorting->nruns--;
}

static void merge_two(const struct sorting *sorting, size_t low, size_t middle, size_t high)
{
	const size_t size = sorting->size;
	const char *left = sorting->from + low * size, *right = sorting->from + middle * size;
	const char *left_end = right, *right_end = sorting->from + high * size;
	char *to = sorting->to + low * size;

	for (; left < left_end && right < right_end; to += size) {
		bool first = sorting->order(left, right) <= 0;

		memcpy(to, first ? left : right, size);
		left += first ? size : 0;
		right += first ? 0 : size;
	}
	memcpy(to, left, (size_t)(left_end - left));
	memcpy(to + (left_end - left), right, (size_t)(right_end - right));
}

/* Merges each two runs from `from` into `to`; an odd one stays as it is. */
static void merge_all(struct sorting *sorting)
{
	size_t kept = 0;

	for (size_t r = 0; r < sorting->nruns; r += 2) {
		size_t low = sorting->run[r], middle = sorting->run[r + 1];
		size_t high = r + 2 <= sorting->nruns ? sorting->run[r + 2] : middle;

		merge_two(sorting, low, middle, high);
		sorting->run[kept++] = low;
		sorting->run[kept] = high;
	}
	sorting->nruns = kept;
}

void sort_runs(void *items, size_t n, size_t size, int (*order)(const void *, const void *))
{
	struct sorting sorting = {.from = items, .size = size, .order = order};
	char *other;

	if (n < 2)
		return;
	find_runs(&sorting, n);
	if (sorting.nruns > 1) {
		sorting.to = other = xreallocarray(NULL, n, size);
		while (sorting.nruns > 1) {
			char *swap = sorting.from;

			merge_all(&sorting);
			sorting.from = sorting.to;
			sorting.to = swap;
		}
		if (sorting.from == other)
			memcpy(items, other, n * size);
		free(other);
	}
	free(sorting.run);
}

/* ---- the first ones ---- */

struct selecting {
	char *item;
	size_t size;
	int (*order)(const void *, const void *, void *);
	void *user;
};

static void swap_selected(const struct selecting *selecting, size_t a, size_t b)
{
	char kept[128], *left = selecting->item + a * selecting->size, *right = selecting->item + b * selecting->size;

	if (a == b)
		return;
	memcpy(kept, left, selecting->size);
	memcpy(left, right, selecting->size);
	memcpy(right, kept, selecting->size);
}

static bool comes_before(const struct selecting *selecting, size_t a, size_t b)
{
	return selecting->order(selecting->item + a * selecting->size, selecting->item + b * selecting->size,
		       selecting->user) < 0;
}

/* Puts the median of the first, the middle and the last of some items last. */
static void choose_pivot(const struct selecting *selecting, size_t low, size_t high)
{
	size_t middle = low + (high - low) / 2, last = high - 1;

	if (comes_before(selecting, middle, low))
		swap_selected(selecting, middle, low);
	if (comes_before(selecting, last, low))
		swap_selected(selecting, last, low);
	if (comes_before(selecting, middle, last))
		swap_selected(selecting, middle, last);
}

/* Puts what comes before the last item in front of it: the place where that item then is. */
static size_t divide_at_last(const struct selecting *selecting, size_t low, size_t high)
{
	size_t place = low;

	for (size_t i = low; i + 1 < high; i++) {
		if (comes_before(selecting, i, high - 1))
			swap_selected(selecting, i, place++);
	}
	swap_selected(selecting, place, high - 1);
	return place;
}

void sort_first(
	void *items, size_t n, size_t most, size_t size, int (*order)(const void *, const void *, void *), void *user)
{
	const struct selecting selecting = {items, size, order, user};
	size_t low = 0, high = n, looked_at = 0;

	/* Orders that no pivot divides well are sorted as a whole. */
	while (high > most && high - low > 2 && looked_at < 16 * n) {
		size_t place;

		looked_at += high - low;
		choose_pivot(&selecting, low, high);
		place = divide_at_last(&selecting, low, high);
		if (place >= most)
			high = place;
		else
			low = place + 1;
		if (low >= most)
			break;
	}
	if (high > 1)
		qsort_r(items, low >= most ? most : high, size, order, user);
}
