/* load.c: see load.h. */
#include "model/trace/load.h"

#include <sched.h>
#include <stdlib.h>

#include "model/trace/calls.h"
#include "model/trace/nesting.h"
#include "model/trace/ranges.h"
#include "model/trace/trace.h"
#include "model/trace/work.h"
#include "store/scan.h"
#include "util/numbering.h"

/* From here on threads stand by their numbers. */
static void settle_threads(struct trace *trace, struct numbering *threads)
{
	uint32_t *place = numbering_sort(threads);

	for (size_t i = 0; trace->thread && i < trace->nwork; i++)
		trace->thread[i] = trace->thread[i] ? place[trace->thread[i] - 1] + 1 : 0;
	for (size_t i = 0; i < trace->nranges; i++)
		trace->ranges[i].thread = place[trace->ranges[i].thread];
	for (size_t i = 0; i < trace->calls.nwaits; i++)
		trace->calls.wait[i].thread = place[trace->calls.wait[i].thread];
	free(place);
	trace->threads = threads->id;
	trace->nthreads = threads->n;
	threads->id = NULL;
}

/* The processors that this process may use: `taskset` narrows them. */
static int processors(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
}

int trace_load(struct trace *trace, struct store *store, struct error *err)
{
	struct numbering threads = {0};
	int result;

	trace_begin(trace);
	store_use_threads(store, processors());
	trace->processors = (size_t)store_threads(store);
	if (trace_work(trace, store, err) < 0)
		return -1;
	/* Calls first: after them correlations take no more memory. */
	result = trace_calls(trace, &threads, store, err);
	free(trace->correlation);
	trace->correlation = NULL;
	if (result == 0)
		result = trace_ranges(trace, &threads, store, err);
	settle_threads(trace, &threads);
	numbering_free(&threads);
	if (result < 0 || trace_nest(trace, err) < 0)
		return -1;
	trace_order_calls(trace);
	return 0;
}
