/* around.c: see around.h. */
#include "model/trace/comm/around.h"

#include "model/trace/trace.h"

int range_around_work(const struct trace *trace, size_t i)
{
	int64_t called;
	uint32_t thread;
	int r;

	if (!trace->thread || !trace->thread[i])
		return -1;
	called = trace->called[i];
	thread = trace->thread[i] - 1;
	r = (int)trace_first_range(trace, thread, called) - 1;
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
