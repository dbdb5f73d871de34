/* load.c: see load.h. */
#include "model/trace/load.h"

#include "model/trace/calls.h"
#include "model/trace/ranges.h"
#include "model/trace/trace.h"
#include "model/trace/work.h"

int trace_load(struct trace *trace, struct store *store, struct error *err)
{
	trace_begin(trace);
	if (trace_work(trace, store, err) < 0)
		return -1;
	if (trace_ranges(trace, store, err) < 0)
		return -1;
	return trace_calls(trace, store, err);
}
