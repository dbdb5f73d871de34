/* attribute.c: which range of the host a call lies in. One sweep over time for each thread finds it. */
#include "analyze/attribute.h"

#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>

#include "util/alloc.h"

/* A range with its place in the caller's array. */
struct entry {
	int64_t thread, start, end;
	size_t index;
};

/* Ranges that have begun and have not ended, as far as the sweep has looked. The innermost is on top. */
struct stack {
	const struct entry **item;
	size_t depth;
};

static int attribute_compare(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* By thread and start. Of two that start together the longer comes first, so that the shorter lies inside it. */
static int compare_entries(const void *left, const void *right)
{
	const struct entry *a = left, *b = right;
	int order = attribute_compare(a->thread, b->thread);

	if (order == 0)
		order = attribute_compare(a->start, b->start);
	if (order == 0)
		order = attribute_compare(b->end, a->end);
	if (order == 0)
		order = (a->index > b->index) - (a->index < b->index);
	return order;
}

static void sort_entries(struct entry *entries, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		if (compare_entries(&entries[i - 1], &entries[i]) > 0) {
			qsort(entries, n, sizeof(*entries), compare_entries);
			return;
		}
	}
}

static struct entry *sorted_ranges(const struct host_range *ranges, size_t n)
{
	struct entry *out = xcalloc(n, sizeof(*out));

	/* Places are told as int. More ranges would not fit into memory anyway. */
	if (n > INT_MAX)
		out_of_memory();
	for (size_t i = 0; i < n; i++)
		out[i] = (struct entry){ranges[i].thread, ranges[i].start, ranges[i].end, i};
	sort_entries(out, n);
	return out;
}

static int compare_calls(const void *left, const void *right)
{
	const struct host_call *a = *(const struct host_call *const *)left;
	const struct host_call *b = *(const struct host_call *const *)right;
	int order = attribute_compare(a->thread, b->thread);

	if (order == 0)
		order = attribute_compare(a->start, b->start);
	return order == 0 ? (a > b) - (a < b) : order;
}

/* There are far more calls than ranges, so only pointers to them are sorted. */
static const struct host_call **sorted_calls(const struct host_call *calls, size_t n)
{
	const struct host_call **out = xreallocarray(NULL, n, sizeof(*out));
	bool sorted = true;

	for (size_t i = 0; i < n; i++) {
		out[i] = &calls[i];
		sorted = sorted && (i == 0 || compare_calls(&out[i - 1], &out[i]) < 0);
	}
	if (!sorted)
		qsort(out, n, sizeof(*out), compare_calls);
	return out;
}

/* The top range that is still open at `time` on `thread`, or -1. Ranges that have ended by then are thrown away. */
static int innermost(struct stack *stack, int64_t thread, int64_t time)
{
	for (; stack->depth > 0; stack->depth--) {
		const struct entry *top = stack->item[stack->depth - 1];

		if (top->thread == thread && top->end > time)
			return (int)top->index;
	}
	return -1;
}

/* `sorted` holds the calls in order; out[] has the order of `calls`. */
static void attribute_sweep(const struct entry *ranges, size_t nranges, const struct host_call *calls,
	const struct host_call *const *sorted, size_t ncalls, struct stack *stack, int *out)
{
	size_t next = 0;

	for (size_t i = 0; i < ncalls; i++) {
		const struct host_call *call = sorted[i];

		for (; next < nranges; next++) {
			int order = attribute_compare(ranges[next].thread, call->thread);

			if (order > 0 || (order == 0 && ranges[next].start > call->start))
				break;
			stack->item[stack->depth++] = &ranges[next];
		}
		out[call - calls] = innermost(stack, call->thread, call->start);
	}
}

void ranges_attribute(
	const struct host_range *ranges, size_t nranges, const struct host_call *calls, size_t ncalls, int *out)
{
	struct entry *sorted = sorted_ranges(ranges, nranges);
	const struct host_call **looked_up = sorted_calls(calls, ncalls);
	struct stack stack = {xcalloc(nranges, sizeof(struct entry *)), 0};

	attribute_sweep(sorted, nranges, calls, looked_up, ncalls, &stack, out);
	free(stack.item);
	free(looked_up);
	free(sorted);
}

void ranges_parents(const struct host_range *ranges, size_t n, int *out)
{
	struct entry *sorted = sorted_ranges(ranges, n);
	struct stack stack = {xcalloc(n, sizeof(struct entry *)), 0};

	for (size_t i = 0; i < n; i++) {
		out[sorted[i].index] = innermost(&stack, sorted[i].thread, sorted[i].start);
		stack.item[stack.depth++] = &sorted[i];
	}
	free(stack.item);
	free(sorted);
}
