/* trace.c: a trace in the JSON trace-event format, for the Perfetto UI and chrome://tracing. */
#include <stdio.h>
#include <string.h>

#include "export/trace.h"
#include "model/trace/trace.h"
#include "store/event.h"
#include "store/store.h"

static int export_trace_begin(struct export *ex)
{
	ex->state = slices_new(ex);
	text_string(&ex->text, "{\"traceEvents\":[\n");
	return ex->state ? 0 : -1;
}

static int trace_call(struct export *ex, const struct export_call *call)
{
	const struct track where = {.kind = TRACK_CALLS, .process = process_of(call->thread), .id = call->thread};
	struct text *args =
		slice_begin(ex, ex->state, &where, SLICE_NESTED, call->start, call->end, call->name, "cuda_api");

	if (!args)
		return -1;
	arg_text(args, "api", call->driver ? "driver" : "runtime");
	arg_int(args, "correlation", call->correlation);
	if (call->result != 0)
		arg_int(args, "error", call->result);
	if (launches_take(ex->launches, export_launch_process(ex, where.process), call->correlation))
		slice_flow(ex->state, 's', call->correlation);
	return slice_end(ex, ex->state);
}

static int overhead(struct export *ex, const struct export_overhead *overhead)
{
	const struct track where = {
		.kind = TRACK_OVERHEAD, .process = process_of(overhead->thread), .id = overhead->thread};

	if (!slice_begin(
		    ex, ex->state, &where, SLICE_NESTED, overhead->start, overhead->end, overhead->name, "profiler"))
		return -1;
	return slice_end(ex, ex->state);
}

static const char *work_category(enum table_id table)
{
	return table == TABLE_KERNEL ? "kernel" : table == TABLE_MEMCPY ? "memcpy" : "memset";
}

static int export_trace_work(struct export *ex, const struct export_work *work)
{
	const struct activity *did = &work->did;
	const struct track where = {.kind = TRACK_STREAM,
		.process = did->process,
		.device = did->device,
		.context = work->context,
		.id = did->stream};
	struct text *args = slice_begin(
		ex, ex->state, &where, SLICE_NESTED, did->start, did->end, work->name, work_category(work->table));

	if (!args)
		return -1;
	work_args(ex, args, work);
	if (launches_taken(ex->launches, export_launch_process(ex, did->process), did->correlation))
		slice_flow(ex->state, 'f', did->correlation);
	if (work->table == TABLE_MEMCPY && rates_copy(ex, slice_group(ex->state), did) < 0)
		return -1;
	return slice_end(ex, ex->state);
}

static int trace_wait(struct export *ex, const struct export_wait *wait)
{
	const struct track where = {
		.kind = TRACK_WAITS, .process = wait->process, .device = wait->device, .context = wait->context};
	struct text *args =
		slice_begin(ex, ex->state, &where, SLICE_NESTED, wait->start, wait->end, wait->name, "cuda_sync");

	if (!args)
		return -1;
	if (wait->stream >= 0)
		arg_int(args, "stream", wait->stream);
	if (wait->event >= 0)
		arg_int(args, "event", wait->event);
	arg_int(args, "correlation", wait->correlation);
	return slice_end(ex, ex->state);
}

static int range(struct export *ex, const struct export_range *range)
{
	static const enum slice_shape shapes[] = {
		[EXPORT_PUSH_POP] = SLICE_NESTED, [EXPORT_START_END] = SLICE_APART, [EXPORT_MARK] = SLICE_MARK};
	const struct track where = {.kind = TRACK_NVTX, .process = process_of(range->thread), .id = range->thread};
	struct text *args = slice_begin(ex, ex->state, &where, shapes[range->kind], range->start, range->end,
		range->text, range->domain ? range->domain : "nvtx");

	if (!args)
		return -1;
	range_args(args, range);
	return slice_end(ex, ex->state);
}

static int trace_note(struct export *ex, const struct export_note *note)
{
	const struct group *group =
		tracks_group(ex, slices_tracks(ex->state), GROUP_PROCESS, process_of(note->process), 0);

	if (!group)
		return -1;
	text_string(&ex->text, "{\"ph\":\"i\",\"s\":\"p\",\"name\":");
	text_quoted(&ex->text, note->text);
	text_string(&ex->text, ",\"cat\":\"diagnostic\"");
	put_place(&ex->text, group->pid, 0, note->time);
	text_string(&ex->text, ",\"args\":{");
	arg_text(&ex->text, "severity", note->severity);
	text_string(&ex->text, "}},\n");
	return 0;
}

void put_counter(
	struct text *text, const struct group *group, const char *name, const char *unit, double value, int64_t ts)
{
	text_string(text, "{\"ph\":\"C\",\"name\":");
	text_quoted(text, name);
	put_place(text, group->pid, 0, ts);
	text_string(text, ",\"args\":{");
	text_quoted(text, unit);
	text_string(text, ":");
	text_real(text, value);
	text_string(text, "}},\n");
}

static int counter(struct export *ex, const struct export_counter *counter)
{
	const struct group *group = tracks_group(ex, slices_tracks(ex->state), GROUP_COUNTERS, 0, counter->device);

	if (!group)
		return -1;
	put_counter(&ex->text, group, counter->name, counter->unit, counter->value, counter->start);
	return 0;
}

static int sampled(struct export *ex, const struct export_sampled *work)
{
	const struct track where = {.kind = TRACK_SAMPLED, .device = work->device, .id = work->stream};

	if (!slice_begin(ex, ex->state, &where, SLICE_NESTED, work->start, work->end,
		    work->name ? work->name : work->class, "pm_sampled"))
		return -1;
	return slice_end(ex, ex->state);
}

/* The recording's own facts, as text: what viewers show as the trace's information. */
static void put_facts(struct export *ex)
{
	static const char *const keys[] = {
		"dbprof", "created", "command", "driver", "cuda_driver", "cuda_runtime", "cupti"};
	struct text *text = &ex->text;
	char number[32];

	text_string(text, "\"otherData\":{");
	arg_text(text, "generator", "dbprof");
	arg_text(text, "generator_version", ex->options->version);
	arg_text(text, "source", store_is_dbprof(ex->store) ? "dbprof recording" : "Nsight Systems export");
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		arg_text(text, keys[i], store_meta(ex->store, keys[i]));
	snprintf(number, sizeof(number), "%zu", ex->result->left_out);
	arg_text(text, "records_without_times_left_out", number);
	text_string(text, "}");
}

/* The unit stands behind the events: versions of Perfetto that found it before them took it for that of the time
 * stamps. */
static int trace_end(struct export *ex)
{
	if (slices_flush(ex, ex->state) < 0)
		return -1;
	rates_end(ex, slices_tracks(ex->state));
	/* The last event is followed by no comma. */
	if (ex->text.used >= 2 && memcmp(ex->text.data + ex->text.used - 2, ",\n", 2) == 0)
		ex->text.used -= 2;
	text_string(&ex->text, "\n],\n\"displayTimeUnit\":\"ns\",\n");
	put_facts(ex);
	text_string(&ex->text, "}\n");
	return 0;
}

static void trace_free_state(struct export *ex)
{
	slices_free(ex->state);
}

const struct export_hooks export_trace_hooks = {
	.begin = export_trace_begin,
	.call = trace_call,
	.overhead = overhead,
	.work = export_trace_work,
	.wait = trace_wait,
	.range = range,
	.note = trace_note,
	.counter = counter,
	.sampled = sampled,
	.end = trace_end,
	.free = trace_free_state,
	.joins = true,
};
