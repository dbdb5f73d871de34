/* trace.c: see trace.h. */
#include "model/trace/trace.h"

#include <stdlib.h>

#include "util/number.h"

const char *trace_text(struct trace *trace, const char *text)
{
	return texts_keep(trace->texts, text);
}

void trace_begin(struct trace *trace)
{
	*trace = (struct trace){.texts = texts_new()};
}

void trace_free(struct trace *trace)
{
	free(trace->start);
	free(trace->end);
	free(trace->lane);
	free(trace->what);
	free(trace->correlation);
	free(trace->called);
	free(trace->thread);
	free(trace->lanes);
	free(trace->copies);
	free(trace->gpus);
	free(trace->threads);
	free(trace->by_call);
	free(trace->first_call);
	free(trace->call_parts);
	free(trace->ranges);
	devices_free(&trace->devices);
	texts_free(trace->texts);
	*trace = (struct trace){0};
}

size_t trace_workers(const struct trace *trace, size_t n)
{
	enum { FEW = 1 << 15 };

	return n < FEW ? 1 : trace->processors;
}

void trace_activity(const struct trace *trace, size_t i, struct activity *out)
{
	const struct work_lane *lane = work_lane(trace, i);
	const struct work_copy *copy = work_copy(trace, i);

	*out = (struct activity){
		.start = trace->start[i],
		.end = trace->end[i],
		.process = lane->process,
		.bytes = copy ? copy->bytes : -1,
		.thread = work_thread(trace, i),
		.called = work_called(trace, i),
		.name = copy ? NULL : texts_text(trace->texts, trace->what[i]),
		.stream = lane->stream,
		.device = lane->device,
		.copy_kind = COPY_KIND_NONE,
		.src_kind = -1,
		.dst_kind = -1,
		.cls = lane->cls,
	};
	if (copy) {
		out->copy_kind = copy->kind;
		out->src_kind = copy->source;
		out->dst_kind = copy->target;
	}
}

size_t trace_first_from(const struct trace *trace, int64_t time)
{
	return int64_first_from(trace->start, trace->nwork, sizeof(*trace->start), 0, time);
}

size_t trace_first_range(const struct trace *trace, uint32_t thread, int64_t time)
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
