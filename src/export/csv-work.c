/*
 * csv-work.c: the table of device work, joined with the calls that asked for it and the NVTX ranges around
 * these. The calls that have work, and all ranges, are held in memory for that: about 50 and 80 bytes each.
 */
#include <stdlib.h>
#include <string.h>

#include "model/names.h"
#include "model/trace/ranges.h"
#include "model/trace/trace.h"
#include "export/csv.h"
#include "store/copies.h"
#include "store/event.h"
#include "util/number.h"

struct caller {
	int64_t process, correlation, start, end, thread;
	const char *name; /* owned by the trace */
};

struct work_state {
	struct caller *callers; /* by process and correlation id, after sort_callers() */
	size_t n, room;
	bool sorted;
	struct trace trace; /* ranges and texts; no work but the one piece that open ranges end with */
};

static int csv_work_begin(struct export *ex)
{
	struct work_state *state = calloc(1, sizeof(*state));

	if (!state)
		return export_no_memory(ex);
	ex->state = state;
	trace_begin(&state->trace);
	state->trace.work = calloc(1, sizeof(*state->trace.work));
	if (!state->trace.work)
		return export_no_memory(ex);
	state->trace.work->end = ex->last;
	state->trace.nwork = 1;
	if (trace_ranges(&state->trace, ex->store, ex->err) < 0)
		return ex->err->text[0] ? -1 : export_no_memory(ex);
	csv_header(ex, "start_ns,end_ns,duration_ns,device,context,process,stream,class,name,bytes,src,dst,correlation,"
		       "thread,call,call_start_ns,call_end_ns,range,domain");
	return 0;
}

static int csv_work_call(struct export *ex, const struct export_call *call)
{
	struct work_state *state = ex->state;
	int64_t process = export_launch_process(ex, process_of(call->thread));

	/* The first call of an id: that of the runtime, in which the driver's lies. */
	if (!launches_take(ex->launches, process, call->correlation))
		return 0;
	if (state->n == state->room) {
		size_t more = state->room ? 2 * state->room : 1024;
		struct caller *callers = realloc(state->callers, more * sizeof(*callers));

		if (!callers)
			return export_no_memory(ex);
		state->callers = callers;
		state->room = more;
	}
	state->callers[state->n++] = (struct caller){process, call->correlation, call->start, call->end, call->thread,
		trace_text(&state->trace, call->name)};
	return 0;
}

static int csv_work_by_id(const void *left, const void *right)
{
	const struct caller *a = left, *b = right;

	return a->process != b->process ? int64_order(a->process, b->process)
					: int64_order(a->correlation, b->correlation);
}

static const struct caller *caller_of(struct export *ex, const struct activity *did)
{
	struct work_state *state = ex->state;
	const struct caller key = {.process = export_launch_process(ex, did->process), .correlation = did->correlation};

	if (state->n == 0)
		return NULL;
	if (!state->sorted)
		qsort(state->callers, state->n, sizeof(*state->callers), csv_work_by_id);
	state->sorted = true;
	return bsearch(&key, state->callers, state->n, sizeof(key), csv_work_by_id);
}

/* The innermost range around a call, or NULL. */
static const struct range *range_around(const struct trace *trace, const struct caller *caller)
{
	size_t low = 0, high = trace->nranges;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct range *range = &trace->ranges[middle];

		if (range->thread < caller->thread ||
			(range->thread == caller->thread && range->start <= caller->start))
			low = middle + 1;
		else
			high = middle;
	}
	if (low == 0 || trace->ranges[low - 1].thread != caller->thread)
		return NULL;
	for (const struct range *range = &trace->ranges[low - 1];; range = &trace->ranges[range->parent]) {
		if (range->end > caller->start)
			return range;
		if (range->parent < 0)
			return NULL;
	}
}

static void memory_cell(struct export *ex, int kind)
{
	char words[64] = "";

	if (kind >= 0)
		memory_words(kind, words, sizeof(words));
	csv_text(ex, words);
}

static void caller_cells(struct export *ex, const struct caller *caller)
{
	const struct work_state *state = ex->state;
	const struct range *range = caller ? range_around(&state->trace, caller) : NULL;

	if (caller) {
		csv_int(ex, export_tid(caller->thread));
		csv_text(ex, caller->name);
		csv_int(ex, caller->start);
		csv_int(ex, caller->end);
	} else {
		for (int i = 0; i < 4; i++)
			csv_text(ex, NULL);
	}
	csv_text(ex, range ? range->text : NULL);
	csv_text(ex, range ? range->domain : NULL);
}

static int row(struct export *ex, const struct export_work *work)
{
	const struct activity *did = &work->did;

	csv_times(ex, did->start, did->end);
	csv_int(ex, did->device);
	csv_int(ex, work->context);
	csv_int(ex, export_pid(did->process));
	csv_int(ex, did->stream);
	csv_text(ex, class_key(did->cls));
	csv_text(ex, work->name);
	if (did->bytes < 0)
		csv_text(ex, NULL);
	else
		csv_int(ex, did->bytes);
	memory_cell(ex, did->src_kind);
	memory_cell(ex, did->dst_kind);
	csv_int(ex, did->correlation);
	caller_cells(ex, caller_of(ex, did));
	return csv_end(ex);
}

static void csv_work_free_state(struct export *ex)
{
	struct work_state *state = ex->state;

	if (state) {
		trace_free(&state->trace);
		free(state->callers);
	}
	free(state);
}

const struct export_hooks csv_work_hooks = {
	.begin = csv_work_begin, .call = csv_work_call, .work = row, .free = csv_work_free_state, .joins = true};
