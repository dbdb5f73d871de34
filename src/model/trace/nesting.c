/* nesting.c: which NVTX range lies in which, and the rows that they are drawn in. */
#include "model/trace/nesting.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "model/trace/index-sort.h"
#include "model/trace/trace.h"
#include "util/alloc.h"
#include "util/machine/parallel.h"

/* ---- the order of ranges ---- */

/* Of ranges of one thread that start together: an outer range stands before the ranges in it. */
static int nesting_order(const void *left, const void *right, void *user)
{
	const struct trace *trace = user;
	const struct range *a = &trace->ranges[*(const uint32_t *)left], *b = &trace->ranges[*(const uint32_t *)right];
	int order = a->text == b->text ? 0 : strcmp(trace_range_text(trace, a), trace_range_text(trace, b));

	if (a->end != b->end)
		return a->end > b->end ? -1 : 1;
	if (!order)
		order = (int)a->apart - (int)b->apart;
	if (!order)
		order = (a->color > b->color) - (a->color < b->color);
	return order ? order : (a > b) - (a < b);
}

static void order_nested_ties(struct trace *trace, uint32_t *index, size_t n)
{
	for (size_t first = 0, next; first < n; first = next) {
		const struct range *range = &trace->ranges[index[first]];

		for (next = first + 1; next < n && trace->ranges[index[next]].start == range->start; next++)
			continue;
		if (next - first > 1)
			qsort_r(index + first, next - first, sizeof(*index), nesting_order, trace);
	}
}

/* The ranges of one thread: first to end - 1. */
struct thread_ranges {
	size_t first, end;
};

/* Moves each range to where its number stands in `index`, which is lost. */
static void move_ranges(struct trace *trace, const struct thread_ranges *thread, uint32_t *index)
{
	for (size_t i = thread->first; i < thread->end; i++) {
		struct range moving = trace->ranges[i];
		size_t hole = i;

		while (index[hole - thread->first] != i) {
			size_t from = index[hole - thread->first];

			trace->ranges[hole] = trace->ranges[from];
			index[hole - thread->first] = (uint32_t)hole;
			hole = from;
		}
		trace->ranges[hole] = moving;
		index[hole - thread->first] = (uint32_t)hole;
	}
}

static bool ranges_are_sorted(struct trace *trace, const struct thread_ranges *thread)
{
	for (size_t i = thread->first + 1; i < thread->end; i++) {
		const uint32_t before = (uint32_t)i - 1, here = (uint32_t)i;
		int64_t start = trace->ranges[before].start;

		if (start > trace->ranges[here].start ||
			(start == trace->ranges[here].start && nesting_order(&before, &here, trace) > 0))
			return false;
	}
	return true;
}

static void sort_ranges(struct trace *trace, const struct thread_ranges *thread)
{
	size_t n = thread->end - thread->first;
	uint32_t *index;
	int64_t *start;

	if (ranges_are_sorted(trace, thread))
		return;
	index = xreallocarray(NULL, n, sizeof(*index));
	start = xreallocarray(NULL, n, sizeof(*start));
	for (size_t i = 0; i < n; i++) {
		index[i] = (uint32_t)i;
		start[i] = trace->ranges[thread->first + i].start;
	}
	index_sort(index, n, start);
	free(start);
	for (size_t i = 0; i < n; i++)
		index[i] += (uint32_t)thread->first;
	order_nested_ties(trace, index, n);
	move_ranges(trace, thread, index);
	free(index);
}

/* ---- depth and parent ---- */

/* Ranges that have begun and have not ended, as far as the sweep has looked. The innermost is on top. */
struct open_ranges {
	int *item;
	size_t depth, room;
};

/* The top range that is still open when `range` starts, or -1. Ranges that have ended by then are thrown away. */
static int parent_of(const struct trace *trace, struct open_ranges *open, const struct range *range)
{
	for (; open->depth > 0; open->depth--) {
		if (trace->ranges[open->item[open->depth - 1]].end > range->start)
			return open->item[open->depth - 1];
	}
	return -1;
}

static unsigned deeper(unsigned depth, unsigned rows)
{
	return (depth < RANGE_DEEPEST - rows ? depth + rows : RANGE_DEEPEST) & RANGE_DEEPEST;
}

/* Depth and parent of each push/pop range. Sorted, a parent stands before its children. The way from a start/end range
 * back to the others is one step: there may be any number of them in a row. */
static void nest(struct trace *trace, const struct thread_ranges *thread)
{
	struct open_ranges open = {0};
	int before = -1;

	for (size_t i = thread->first; i < thread->end; i++) {
		struct range *range = &trace->ranges[i];

		if (range->apart) {
			range->parent = before;
			continue;
		}
		before = (int)i;
		range->parent = parent_of(trace, &open, range);
		range->depth = range->parent < 0 ? 0 : deeper(trace->ranges[range->parent].depth, 1);
		xgrow(&open.item, open.depth, &open.room, sizeof(*open.item));
		open.item[open.depth++] = (int)i;
	}
	free(open.item);
}

/* Start/end ranges of one thread may overlap in any way. Puts each into the first row below the others of the thread in
 * which there is room, or into the last one. */
static void place_apart(struct range *ranges, size_t n)
{
	enum { ROWS = 16 };
	int64_t free_from[ROWS];
	unsigned below = 0;

	for (size_t i = 0; i < n; i++) {
		if (!ranges[i].apart && ranges[i].depth >= below)
			below = deeper(ranges[i].depth, 1);
	}
	for (int row = 0; row < ROWS; row++)
		free_from[row] = INT64_MIN;
	for (size_t i = 0; i < n; i++) {
		unsigned row = 0;

		if (!ranges[i].apart)
			continue;
		while (row < ROWS - 1 && free_from[row] > ranges[i].start)
			row++;
		free_from[row] = ranges[i].end;
		ranges[i].depth = deeper(below, row);
	}
}

/* ---- all threads ---- */

/* Where the ranges of each thread begin; behind the last one: their number. For free(). */
static size_t *firsts_of_threads(const struct trace *trace)
{
	size_t *first = xcalloc(trace->nthreads + 1, sizeof(*first));

	for (size_t i = 0; i < trace->nranges; i++)
		first[trace->ranges[i].thread + 1]++;
	for (size_t t = 0; t < trace->nthreads; t++)
		first[t + 1] += first[t];
	return first;
}

struct nesting {
	struct trace *trace;
	const size_t *first; /* of firsts_of_threads() */
};

static void nest_thread(void *user, size_t t)
{
	const struct nesting *nesting = user;
	const struct thread_ranges thread = {nesting->first[t], nesting->first[t + 1]};

	if (thread.first == thread.end)
		return;
	sort_ranges(nesting->trace, &thread);
	nest(nesting->trace, &thread);
	place_apart(nesting->trace->ranges + thread.first, thread.end - thread.first);
}

int trace_nest(struct trace *trace, struct error *err)
{
	size_t *first;
	struct nesting nesting;

	if (trace->nranges > INT_MAX)
		return error_set(err, "%zu NVTX ranges are more than can be read", trace->nranges);
	/* While a thread's ranges are moved, nobody else may look at them. */
	first = firsts_of_threads(trace);
	nesting = (struct nesting){trace, first};
	parallel_run(trace_workers(trace, trace->nranges), trace->nthreads, nest_thread, &nesting);
	free(first);
	return 0;
}
