/* trace.c: see trace.h. */
#include "export/trace/trace.h"

#include <stdlib.h>

#include "export/launches.h"
#include "export/trace/earliest.h"
#include "export/trace/rates.h"
#include "export/trace/slices.h"
#include "export/state.h"
#include "export/trace/args.h"
#include "export/trace/event.h"
#include "export/trace/json.h"
#include "export/trace/packets.h"
#include "store/event.h"
#include "util/alloc.h"

struct trace *trace_of(const struct export *ex)
{
	return ex->state;
}

static int export_trace_begin(struct export *ex, const struct trace_form *form)
{
	struct trace *trace = xcalloc(1, sizeof(*trace));

	ex->state = trace;
	trace->form = form;
	trace->shift = trace_before_session(ex->store, ex->err);
	if (trace->shift < 0)
		return -1;
	trace->slices = slices_new(ex);
	if (!trace->slices)
		return -1;
	form->begin(ex);
	return 0;
}

static int trace_begin_json(struct export *ex)
{
	return export_trace_begin(ex, &trace_json);
}

static int trace_begin_packets(struct export *ex)
{
	return export_trace_begin(ex, &trace_packets);
}

/* Both ends of an arrow have its id, so a brief form does not say it again. */
static void put_correlation(struct export *ex, struct strbuf *args, int64_t correlation, bool arrow)
{
	if (!arrow || !trace_of(ex)->form->brief)
		arg_int(ex, args, "correlation", correlation);
}

static void trace_call(struct export *ex, const struct export_call *call)
{
	const struct track where = {.kind = TRACK_CALLS, .process = process_of(call->thread), .id = call->thread};
	bool arrow = launches_take(ex->launches, export_launch_process(ex, where.process), call->correlation);
	struct strbuf *args = slice_begin(
		ex, trace_of(ex)->slices, &where, SLICE_NESTED, call->start, call->end, call->name, "cuda_api");

	if (!trace_of(ex)->form->brief)
		arg_text(ex, args, "api", call->driver ? "driver" : "runtime");
	put_correlation(ex, args, call->correlation, arrow);
	if (call->result != 0)
		arg_int(ex, args, "error", call->result);
	if (arrow)
		slice_flow(trace_of(ex)->slices, 's', call->correlation);
	slice_end(trace_of(ex)->slices);
}

static void trace_overhead(struct export *ex, const struct export_overhead *overhead)
{
	const struct track where = {
		.kind = TRACK_OVERHEAD, .process = process_of(overhead->thread), .id = overhead->thread};

	slice_begin(ex, trace_of(ex)->slices, &where, SLICE_NESTED, overhead->start, overhead->end, overhead->name,
		"profiler");
	slice_end(trace_of(ex)->slices);
}

static const char *work_category(enum table_id table)
{
	switch (table) {
	case TABLE_KERNEL:
		return "kernel";
	case TABLE_MEMCPY:
		return "memcpy";
	case TABLE_GRAPHTRACE:
		return "graph";
	default:
		return "memset";
	}
}

static void export_trace_work(struct export *ex, const struct export_work *work)
{
	const struct track where = {.kind = TRACK_STREAM,
		.process = work->process,
		.device = work->device,
		.context = work->context,
		.id = work->stream};
	bool arrow = launches_taken(ex->launches, export_launch_process(ex, work->process), work->correlation);
	struct strbuf *args = slice_begin(ex, trace_of(ex)->slices, &where, SLICE_NESTED, work->start, work->end,
		work->name, work_category(work->table));

	work_args(ex, args, work);
	put_correlation(ex, args, work->correlation, arrow);
	if (arrow)
		slice_flow(trace_of(ex)->slices, 'f', work->correlation);
	if (work->table == TABLE_MEMCPY)
		rates_copy(ex, slice_group(trace_of(ex)->slices), work);
	slice_end(trace_of(ex)->slices);
}

static void trace_wait(struct export *ex, const struct export_wait *wait)
{
	const struct track where = {
		.kind = TRACK_WAITS, .process = wait->process, .device = wait->device, .context = wait->context};
	struct strbuf *args = slice_begin(
		ex, trace_of(ex)->slices, &where, SLICE_NESTED, wait->start, wait->end, wait->name, "cuda_sync");

	if (wait->stream >= 0)
		arg_int(ex, args, "stream", wait->stream);
	if (wait->event >= 0)
		arg_int(ex, args, "event", wait->event);
	arg_int(ex, args, "correlation", wait->correlation);
	slice_end(trace_of(ex)->slices);
}

static void trace_range(struct export *ex, const struct export_range *range)
{
	static const enum slice_shape shapes[] = {
		[EXPORT_PUSH_POP] = SLICE_NESTED, [EXPORT_START_END] = SLICE_APART, [EXPORT_MARK] = SLICE_MARK};
	const struct track where = {.kind = TRACK_NVTX, .process = process_of(range->thread), .id = range->thread};
	struct strbuf *args = slice_begin(ex, trace_of(ex)->slices, &where, shapes[range->kind], range->start,
		range->end, range->text, range->domain ? range->domain : "nvtx");

	range_args(ex, args, range);
	slice_end(trace_of(ex)->slices);
}

static void trace_note(struct export *ex, const struct export_note *note)
{
	struct tracks *tracks = slices_tracks(trace_of(ex)->slices);
	struct export_note shifted = *note;

	shifted.time += trace_of(ex)->shift;
	trace_of(ex)->form->note(ex, tracks_group(ex, tracks, GROUP_PROCESS, process_of(note->process), 0), &shifted);
}

static void trace_counter(struct export *ex, const struct export_counter *counter)
{
	const struct group *group =
		tracks_group(ex, slices_tracks(trace_of(ex)->slices), GROUP_COUNTERS, 0, counter->device);

	trace_of(ex)->form->counter(
		ex, group, counter->name, counter->unit, counter->value, counter->start + trace_of(ex)->shift);
}

static void trace_sampled(struct export *ex, const struct export_sampled *work)
{
	const struct track where = {.kind = TRACK_SAMPLED, .device = work->device, .id = work->stream};

	slice_begin(ex, trace_of(ex)->slices, &where, SLICE_NESTED, work->start, work->end,
		work->name ? work->name : work->class, "pm_sampled");
	slice_end(trace_of(ex)->slices);
}

static void trace_end(struct export *ex)
{
	slices_flush(ex, trace_of(ex)->slices);
	rates_end(ex, slices_tracks(trace_of(ex)->slices));
	trace_of(ex)->form->end(ex);
}

static void trace_free_state(struct export *ex)
{
	struct trace *trace = trace_of(ex);

	if (!trace)
		return;
	trace->form->free(ex);
	slices_free(trace->slices);
	free(trace);
}

#define TRACE_HOOKS                                                                                                    \
	.call = trace_call, .overhead = trace_overhead, .work = export_trace_work, .wait = trace_wait,                 \
	.range = trace_range, .note = trace_note, .counter = trace_counter, .sampled = trace_sampled,                  \
	.end = trace_end, .free = trace_free_state, .joins = true

const struct export_hooks export_trace_hooks = {.begin = trace_begin_json, TRACE_HOOKS};
const struct export_hooks export_packet_hooks = {.begin = trace_begin_packets, TRACE_HOOKS};
