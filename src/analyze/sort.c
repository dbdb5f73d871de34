/* sort.c: see sort.h. Neighbouring runs are merged until one is left. */
#include "analyze/sort.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

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
