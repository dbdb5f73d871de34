/* nesting.c: which NVTX range lies in which, and the rows that they are drawn in. */
#include "model/trace/nesting.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "model/trace/trace.h"
#include "util/alloc.h"

/* An outer range stands before the ranges in it. */
static int by_nesting(const void *left, const void *right)
{
	const struct range *a = left, *b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->start != b->start)
		return a->start < b->start ? -1 : 1;
	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	return strcmp(a->text, b->text);
}

/* The ranges that nest, and the place of each in the trace. */
struct nesting {
	struct host_range *range;
	int *place, *parent;
	size_t n;
};

static void nesting_make(struct nesting *nesting, const struct trace *trace)
{
	size_t room = trace->nranges + 1;

	*nesting = (struct nesting){
		.range = xcalloc(room, sizeof(*nesting->range)),
		.place = xcalloc(room, sizeof(*nesting->place)),
		.parent = xcalloc(room, sizeof(*nesting->parent)),
	};
	for (size_t i = 0; i < trace->nranges; i++) {
		const struct range *range = &trace->ranges[i];

		if (range->apart)
			continue;
		nesting->place[nesting->n] = (int)i;
		nesting->range[nesting->n++] = (struct host_range){range->start, range->end, range->thread};
	}
	ranges_parents(nesting->range, nesting->n, nesting->parent);
}

/* Depth and parent of each push/pop range. Sorted, a parent stands before its children. */
static void nest(struct trace *trace)
{
	struct nesting nesting;

	nesting_make(&nesting, trace);
	for (size_t i = 0; i < nesting.n; i++) {
		struct range *range = &trace->ranges[nesting.place[i]];

		range->parent = nesting.parent[i] < 0 ? -1 : nesting.place[nesting.parent[i]];
		range->depth = range->parent < 0 ? 0 : trace->ranges[range->parent].depth + 1;
	}
	free(nesting.range);
	free(nesting.place);
	free(nesting.parent);
}

/* Start/end ranges of one thread may overlap in any way. Puts each into the first row below the others of the thread in
 * which there is room, or into the last one. */
static void place_apart(struct range *ranges, size_t n)
{
	enum { ROWS = 16 };
	int64_t free_from[ROWS];
	int below = 0;

	for (size_t i = 0; i < n; i++) {
		if (!ranges[i].apart && ranges[i].depth >= below)
			below = ranges[i].depth + 1;
	}
	for (int row = 0; row < ROWS; row++)
		free_from[row] = INT64_MIN;
	for (size_t i = 0; i < n; i++) {
		int row = 0;

		if (!ranges[i].apart)
			continue;
		while (row < ROWS - 1 && free_from[row] > ranges[i].start)
			row++;
		free_from[row] = ranges[i].end;
		ranges[i].depth = below + row;
	}
}

static void place_all_apart(struct trace *trace)
{
	for (size_t first = 0, next; first < trace->nranges; first = next) {
		for (next = first + 1; next < trace->nranges; next++) {
			if (trace->ranges[next].thread != trace->ranges[first].thread)
				break;
		}
		place_apart(trace->ranges + first, next - first);
	}
}

int trace_nest(struct trace *trace, struct error *err)
{
	if (trace->nranges > INT_MAX)
		return error_set(err, "%zu NVTX ranges are more than can be read", trace->nranges);
	if (trace->nranges > 1)
		qsort(trace->ranges, trace->nranges, sizeof(*trace->ranges), by_nesting);
	nest(trace);
	place_all_apart(trace);
	return 0;
}
