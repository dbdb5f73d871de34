/* around.c: see around.h. */
#include "model/trace/comm/around.h"

#include "model/trace/trace.h"

/* How many ranges of threads up to `thread` start at `time` or before, on `thread` itself. */
static size_t ranges_before(const struct trace *trace, uint32_t thread, int64_t time)
{
	size_t low = 0, high = trace->nranges;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct range *range = &trace->ranges[middle];

		if (range->thread < thread || (range->thread == thread && range->start <= time))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

int range_around_work(const struct trace *trace, size_t i)
{
	int64_t called;
	uint32_t thread;
	int r;

	if (!trace->thread || !trace->thread[i])
		return -1;
	called = trace->called[i];
	thread = trace->thread[i] - 1;
	r = (int)ranges_before(trace, thread, called) - 1;
	/* Start/end ranges stand between the others and hold none of them. */
	while (r >= 0 && trace->ranges[r].thread == thread && trace->ranges[r].apart)
		r--;
	if (r < 0 || trace->ranges[r].thread != thread)
		return -1;
	while (r >= 0 && trace->ranges[r].end < called)
		r = trace->ranges[r].parent;
	return r;
}

bool range_is_outermost_of_name(const struct trace *trace, int r)
{
	for (int outer = trace->ranges[r].parent; outer >= 0; outer = trace->ranges[outer].parent) {
		if (trace->ranges[outer].text == trace->ranges[r].text &&
			trace->ranges[outer].domain == trace->ranges[r].domain)
			return false;
	}
	return true;
}
