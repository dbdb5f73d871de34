/* around.c: see around.h. */
#include "model/trace/comm/around.h"

#include <stdlib.h>
#include <string.h>

#include "model/trace/trace.h"
#include "util/alloc.h"
#include "util/numbering.h"

/* The innermost push/pop range in which the call lies that asked for piece `i`, or -1. */
static int range_around_work(const struct trace *trace, size_t i)
{
	int64_t called;
	uint32_t thread;
	int r;

	if (!trace->thread || !trace->thread[i])
		return -1;
	called = trace->called[i];
	thread = trace->thread[i] - 1;
	r = (int)trace_first_range(trace, thread, called) - 1;
	if (r < 0 || trace->ranges[r].thread != thread)
		return -1;
	/* Start/end ranges stand between the others and hold none of them. */
	if (trace->ranges[r].apart)
		r = trace->ranges[r].parent;
	while (r >= 0 && trace->ranges[r].end < called)
		r = trace->ranges[r].parent;
	return r;
}

/* Takes out those that lie in another one of their name, from the outermost on. */
static void keep_outermost(struct ranges_around *around, const struct trace *trace)
{
	struct numbering names = {0};
	size_t first = around->n;

	for (size_t k = around->n; k-- > 0;) {
		const struct range *range = &trace->ranges[around->range[k]];
		size_t known = names.n;

		numbering_place(&names, (int64_t)((uint64_t)range->domain << 32 | range->text));
		if (names.n > known)
			around->range[--first] = around->range[k];
	}
	around->n -= first;
	memmove(around->range, around->range + first, around->n * sizeof(*around->range));
	numbering_free(&names);
}

void ranges_around_work(struct ranges_around *around, const struct trace *trace, size_t i)
{
	int innermost = range_around_work(trace, i);

	if (innermost >= 0 && around->innermost == innermost + 1)
		return;
	around->innermost = innermost + 1;
	around->n = 0;
	for (int r = innermost; r >= 0; r = trace->ranges[r].parent) {
		xgrow(&around->range, around->n, &around->room, sizeof(*around->range));
		around->range[around->n++] = r;
	}
	if (around->n > 1)
		keep_outermost(around, trace);
}

void ranges_around_free(struct ranges_around *around)
{
	free(around->range);
}
