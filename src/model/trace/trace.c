/* trace.c: the device work of a recording as one sorted array, with its NVTX ranges and the texts of both. */
#include "model/trace/trace.h"

#include <stdlib.h>

#include "model/trace/load.h"
#include "store/store.h"
#include "store/texts.h"
#include "util/number.h"

const char *trace_text(struct trace *trace, const char *text)
{
	return texts_keep(trace->texts, text);
}

const char *trace_name(struct trace *trace, const struct cursor *row, int column, const char *otherwise)
{
	return texts_column(trace->texts, row, column, otherwise);
}

/* Total order, so that the same rows give the same report whatever their order in the file. */
static int trace_by_start(const void *left, const void *right)
{
	const struct activity *a = left, *b = right;
	int order = int64_order(a->start, b->start);

	if (!order)
		order = int64_order(a->end, b->end);
	if (!order)
		order = int64_order(a->device, b->device);
	if (!order)
		order = int64_order(a->process, b->process);
	if (!order)
		order = int64_order(a->stream, b->stream);
	if (!order)
		order = int64_order(a->cls, b->cls);
	if (!order)
		order = int64_order(a->correlation, b->correlation);
	return order ? order : int64_order(a->bytes, b->bytes);
}

static void trace_sort_work(struct trace *trace)
{
	for (size_t i = 1; i < trace->nwork; i++) {
		if (trace_by_start(&trace->work[i - 1], &trace->work[i]) > 0) {
			qsort(trace->work, trace->nwork, sizeof(*trace->work), trace_by_start);
			return;
		}
	}
}

void trace_begin(struct trace *trace)
{
	*trace = (struct trace){.texts = texts_new()};
}

int trace_load(struct trace *trace, struct store *store, struct error *err)
{
	trace_begin(trace);
	if (trace_work(trace, store, err) < 0)
		return -1;
	trace_sort_work(trace);
	if (trace_ranges(trace, store, err) < 0)
		return -1;
	return trace_calls(trace, store, err);
}

void trace_free(struct trace *trace)
{
	free(trace->work);
	free(trace->by_call);
	free(trace->ranges);
	devices_free(&trace->devices);
	texts_free(trace->texts);
	*trace = (struct trace){0};
}
