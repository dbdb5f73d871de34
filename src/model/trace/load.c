/* load.c: see load.h. */
#include "model/trace/load.h"

#include <stdlib.h>

#include "model/trace/calls.h"
#include "model/trace/nesting.h"
#include "model/trace/ranges.h"
#include "model/trace/trace.h"
#include "model/trace/work.h"
#include "store/scan.h"
#include "util/numbering.h"
#include "util/machine/parallel.h"

/* From here on threads stand by their numbers. */
static void settle_threads(struct trace *trace, struct numbering *threads, struct range_parts *ranges)
{
	uint32_t *place = numbering_sort(threads);

	trace->threads = threads->id;
	trace->nthreads = threads->n;
	threads->id = NULL;
	for (size_t i = 0; trace->thread && i < trace->nwork; i++)
		trace->thread[i] = trace->thread[i] ? place[trace->thread[i] - 1] + 1 : 0;
	if (ranges)
		trace_take_ranges(trace, ranges, place);
	free(place);
}

/* The host's side: calls first, since after them correlations take no more memory. */
static int load_threads(struct trace *trace, struct store *store, struct error *err)
{
	struct numbering threads = {0};
	struct range_parts *ranges = NULL;
	int result = trace_calls(trace, &threads, store, err);

	free(trace->correlation);
	trace->correlation = NULL;
	if (result == 0 && store_has(store, TABLE_NVTX)) {
		ranges = trace_read_ranges(trace, &threads, store, err);
		result = ranges ? 0 : -1;
	}
	if (result == 0)
		settle_threads(trace, &threads, ranges);
	if (ranges)
		range_parts_free(ranges);
	numbering_free(&threads);
	return result;
}

int trace_load(struct trace *trace, struct store *store, struct error *err)
{
	trace_begin(trace);
	store_use_threads(store, threads_wanted());
	trace->processors = (size_t)store_threads(store);
	if (trace_work(trace, store, err) < 0 || load_threads(trace, store, err) < 0 || trace_nest(trace, err) < 0)
		return -1;
	trace_order_calls(trace);
	return 0;
}
