/* trace.c: a trace in the JSON trace-event format, for the Perfetto UI and chrome://tracing. */
#include "export/trace/trace.h"

#include <stdio.h>
#include <string.h>

#include "export/launches.h"
#include "export/trace/rates.h"
#include "export/trace/slices.h"
#include "export/state.h"
#include "export/text.h"
#include "export/trace/args.h"
#include "export/trace/event.h"
#include "store/event.h"

static int export_trace_begin(struct export *ex)
{
	ex->state = slices_new(ex);
	strbuf_puts(&ex->text, "{\"traceEvents\":[\n");
	return ex->state ? 0 : -1;
}

static void trace_call(struct export *ex, const struct export_call *call)
{
	const struct track where = {.kind = TRACK_CALLS, .process = process_of(call->thread), .id = call->thread};
	struct strbuf *args =
		slice_begin(ex, ex->state, &where, SLICE_NESTED, call->start, call->end, call->name, "cuda_api");

	arg_text(args, "api", call->driver ? "driver" : "runtime");
	arg_int(args, "correlation", call->correlation);
	if (call->result != 0)
		arg_int(args, "error", call->result);
	if (launches_take(ex->launches, export_launch_process(ex, where.process), call->correlation))
		slice_flow(ex->state, 's', call->correlation);
	slice_end(ex->state);
}

static void trace_overhead(struct export *ex, const struct export_overhead *overhead)
{
	const struct track where = {
		.kind = TRACK_OVERHEAD, .process = process_of(overhead->thread), .id = overhead->thread};

	slice_begin(ex, ex->state, &where, SLICE_NESTED, overhead->start, overhead->end, overhead->name, "profiler");
	slice_end(ex->state);
}

static const char *work_category(enum table_id table)
{
	return table == TABLE_KERNEL ? "kernel" : table == TABLE_MEMCPY ? "memcpy" : "memset";
}

static void export_trace_work(struct export *ex, const struct export_work *work)
{
	const struct track where = {.kind = TRACK_STREAM,
		.process = work->process,
		.device = work->device,
		.context = work->context,
		.id = work->stream};
	struct strbuf *args = slice_begin(
		ex, ex->state, &where, SLICE_NESTED, work->start, work->end, work->name, work_category(work->table));

	work_args(ex, args, work);
	if (launches_taken(ex->launches, export_launch_process(ex, work->process), work->correlation))
		slice_flow(ex->state, 'f', work->correlation);
	if (work->table == TABLE_MEMCPY)
		rates_copy(ex, slice_group(ex->state), work);
	slice_end(ex->state);
}

static void trace_wait(struct export *ex, const struct export_wait *wait)
{
	const struct track where = {
		.kind = TRACK_WAITS, .process = wait->process, .device = wait->device, .context = wait->context};
	struct strbuf *args =
		slice_begin(ex, ex->state, &where, SLICE_NESTED, wait->start, wait->end, wait->name, "cuda_sync");

	if (wait->stream >= 0)
		arg_int(args, "stream", wait->stream);
	if (wait->event >= 0)
		arg_int(args, "event", wait->event);
	arg_int(args, "correlation", wait->correlation);
	slice_end(ex->state);
}

static void trace_range(struct export *ex, const struct export_range *range)
{
	static const enum slice_shape shapes[] = {
		[EXPORT_PUSH_POP] = SLICE_NESTED, [EXPORT_START_END] = SLICE_APART, [EXPORT_MARK] = SLICE_MARK};
	const struct track where = {.kind = TRACK_NVTX, .process = process_of(range->thread), .id = range->thread};
	struct strbuf *args = slice_begin(ex, ex->state, &where, shapes[range->kind], range->start, range->end,
		range->text, range->domain ? range->domain : "nvtx");

	range_args(args, range);
	slice_end(ex->state);
}

static void trace_note(struct export *ex, const struct export_note *note)
{
	const struct group *group =
		tracks_group(ex, slices_tracks(ex->state), GROUP_PROCESS, process_of(note->process), 0);

	strbuf_puts(&ex->text, "{\"ph\":\"i\",\"s\":\"p\",\"name\":");
	text_quoted(&ex->text, note->text);
	strbuf_puts(&ex->text, ",\"cat\":\"diagnostic\"");
	put_place(&ex->text, group->pid, 0, note->time);
	strbuf_puts(&ex->text, ",\"args\":{");
	arg_text(&ex->text, "severity", note->severity);
	strbuf_puts(&ex->text, "}},\n");
}

static void trace_counter(struct export *ex, const struct export_counter *counter)
{
	const struct group *group = tracks_group(ex, slices_tracks(ex->state), GROUP_COUNTERS, 0, counter->device);

	put_counter(&ex->text, group, counter->name, counter->unit, counter->value, counter->start);
}

static void trace_sampled(struct export *ex, const struct export_sampled *work)
{
	const struct track where = {.kind = TRACK_SAMPLED, .device = work->device, .id = work->stream};

	slice_begin(ex, ex->state, &where, SLICE_NESTED, work->start, work->end, work->name ? work->name : work->class,
		"pm_sampled");
	slice_end(ex->state);
}

/* The recording's own facts, as text: what viewers show as the trace's information. */
static void put_facts(struct export *ex)
{
	static const char *const keys[] = {
		"dbprof", "created", "command", "driver", "cuda_driver", "cuda_runtime", "cupti"};
	struct strbuf *text = &ex->text;
	char number[32];

	strbuf_puts(text, "\"otherData\":{");
	arg_text(text, "generator", "dbprof");
	arg_text(text, "generator_version", ex->options->version);
	arg_text(text, "source", store_is_dbprof(ex->store) ? "dbprof recording" : "Nsight Systems export");
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		arg_text(text, keys[i], store_meta(ex->store, keys[i]));
	snprintf(number, sizeof(number), "%zu", ex->result->left_out);
	arg_text(text, "records_without_times_left_out", number);
	strbuf_puts(text, "}");
}

/* The unit stands behind the events: versions of Perfetto that found it before them took it for that of the time
 * stamps. */
static void trace_end(struct export *ex)
{
	struct strbuf *text = &ex->text;

	slices_flush(ex, ex->state);
	rates_end(ex, slices_tracks(ex->state));
	/* The last event is followed by no comma. */
	if (text->length >= 2 && strcmp(text->text + text->length - 2, ",\n") == 0)
		text->length -= 2;
	strbuf_puts(text, "\n],\n\"displayTimeUnit\":\"ns\",\n");
	put_facts(ex);
	strbuf_puts(text, "}\n");
}

static void trace_free_state(struct export *ex)
{
	slices_free(ex->state);
}

const struct export_hooks export_trace_hooks = {
	.begin = export_trace_begin,
	.call = trace_call,
	.overhead = trace_overhead,
	.work = export_trace_work,
	.wait = trace_wait,
	.range = trace_range,
	.note = trace_note,
	.counter = trace_counter,
	.sampled = trace_sampled,
	.end = trace_end,
	.free = trace_free_state,
	.joins = true,
};
