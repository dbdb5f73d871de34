/* gather-calls.c: finds the calls that asked for the work of a run, and those that wait. */
#include "contrast/launches-private.h"

#include <stdlib.h>
#include <string.h>

#include "store/event.h"
#include "util/alloc.h"
#include "util/number.h"

struct gathered_call {
	int64_t thread, correlation, start, end;
};

/* ---- the work that a call asked for ---- */

static int by_process_and_correlation(const void *left, const void *right)
{
	const struct gathered_work *a = left, *b = right;

	return a->process != b->process ? int64_order(a->process, b->process)
					: int64_order(a->correlation, b->correlation);
}

static size_t first_of_correlation(const struct gather *gather, const struct gathered_work *key)
{
	size_t low = 0, high = gather->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (by_process_and_correlation(&gather->work[middle], key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The outermost call begins first: a runtime call and the driver's in it share their id. */
static void join_work(struct gathered_work *work, const struct gathered_call *call)
{
	bool is_known = work->call_start != CALL_UNKNOWN && work->call_start != CALL_AMBIGUOUS;

	if (work->process == 0 && is_known && process_of(work->call_thread) != process_of(call->thread)) {
		work->call_start = CALL_AMBIGUOUS;
	} else if (call->start < work->call_start) {
		work->call_start = call->start;
		work->call_thread = call->thread;
	}
}

/* The first piece of work of a call stands for the others, since a graph has many: see share_calls(). */
static void join_work_of(struct gather *gather, int64_t process, const struct gathered_call *call)
{
	const struct gathered_work key = {.process = process, .correlation = call->correlation};
	size_t first = first_of_correlation(gather, &key);

	if (first < gather->n && by_process_and_correlation(&gather->work[first], &key) == 0)
		join_work(&gather->work[first], call);
}

static void share_calls(struct gather *gather)
{
	for (size_t i = 1; i < gather->n; i++) {
		struct gathered_work *work = &gather->work[i];

		if (by_process_and_correlation(&work[-1], work) != 0)
			continue;
		work->call_start = work[-1].call_start;
		work->call_thread = work[-1].call_thread;
	}
}

/* ---- the step of a call ---- */

int64_t step_of_call(const struct gather *gather, int64_t thread, int64_t start)
{
	int64_t step = instances_step(&gather->instances, thread, start);

	if (step == NO_INSTANCE && gather->options->any_thread)
		step = instances_step_of_process(&gather->instances, process_of(thread), start);
	return step;
}

/* ---- calls that wait ---- */

static bool is_call_that_waits(const char *name)
{
	if (!name)
		return false;
	if (strstr(name, "Synchronize"))
		return true;
	return (strncmp(name, "cudaMemcpy", 10) == 0 || strncmp(name, "cuMemcpy", 8) == 0) && !strstr(name, "Async");
}

/* Another thread's wait may go on behind the step: then the step did not end with its work. */
static void note_wait(struct gather *gather, const struct gathered_call *call, const struct cursor *row)
{
	int64_t step = step_of_call(gather, call->thread, call->start);

	if (step == NO_INSTANCE || gather->steps[step].last_wait >= call->start ||
		call->end > gather->out->steps[step].end)
		return;
	if (is_call_that_waits(cursor_text(row, RUNTIME_nameId)))
		gather->steps[step].last_wait = call->start;
}

/* ---- calls that launch graphs ---- */

/* Names have a version behind them, and a letter for the default stream of a thread. */
static bool is_graph_launch(const char *name)
{
	static const char *const names[] = {"cudaGraphLaunch", "cuGraphLaunch"};

	for (size_t i = 0; name && i < sizeof(names) / sizeof(*names); i++)
		if (strncmp(name, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static void note_graph_launch(struct gather *gather, const struct gathered_call *call, const struct cursor *row)
{
	if (!gather->options->places || !is_graph_launch(cursor_text(row, RUNTIME_nameId)))
		return;
	xgrow(&gather->graph_calls, gather->ngraph_calls, &gather->graph_call_room, sizeof(*gather->graph_calls));
	gather->graph_calls[gather->ngraph_calls++] =
		(struct graph_call){process_of(call->thread), call->correlation, call->start, call->thread};
}

static int by_graph_call(const void *left, const void *right)
{
	const struct graph_call *a = left, *b = right;

	if (a->process != b->process)
		return int64_order(a->process, b->process);
	return a->correlation != b->correlation ? int64_order(a->correlation, b->correlation)
						: int64_order(a->start, b->start);
}

static bool is_same_launch(const struct graph_call *a, const struct graph_call *b)
{
	return a->process == b->process && a->correlation == b->correlation;
}

/* Of a runtime call and the driver's in it the first one stays. */
static void join_graph_calls(struct gather *gather)
{
	struct graph_call *calls = gather->graph_calls;
	size_t n = 0;

	if (gather->ngraph_calls > 1)
		qsort(calls, gather->ngraph_calls, sizeof(*calls), by_graph_call);
	for (size_t i = 0; i < gather->ngraph_calls; i++)
		if (n == 0 || !is_same_launch(&calls[n - 1], &calls[i]))
			calls[n++] = calls[i];
	gather->ngraph_calls = n;
}

/* ---- reading ---- */

static void take_call_of_run(struct gather *gather, const struct cursor *row)
{
	struct gathered_call call = {
		.thread = cursor_int(row, RUNTIME_globalTid),
		.correlation = cursor_int(row, RUNTIME_correlationId),
		.start = cursor_time(row, RUNTIME_start),
		.end = cursor_time(row, RUNTIME_end),
	};

	/* A call that never returned still tells when its work was asked for. */
	if (cursor_null(row, RUNTIME_end))
		call.end = call.start;
	if (!times_usable(call.start, call.end))
		return;
	gather->first = call.start < gather->first ? call.start : gather->first;
	gather->last = call.end > gather->last ? call.end : gather->last;
	note_wait(gather, &call, row);
	if (call.correlation == 0)
		return;
	note_graph_launch(gather, &call, row);
	join_work_of(gather, process_of(call.thread), &call);
	if (process_of(call.thread) != 0)
		join_work_of(gather, 0, &call);
}

int gather_calls(struct gather *gather, struct error *err)
{
	static const int columns[] = {
		RUNTIME_start, RUNTIME_end, RUNTIME_globalTid, RUNTIME_correlationId, RUNTIME_nameId};
	struct cursor *row;
	int more;

	if (gather->n > 1)
		qsort(gather->work, gather->n, sizeof(*gather->work), by_process_and_correlation);
	row = store_columns(gather->store, TABLE_RUNTIME, columns, sizeof(columns) / sizeof(*columns), err);
	if (!row)
		return -1;
	while ((more = cursor_next(row, err)) > 0)
		take_call_of_run(gather, row);
	cursor_close(row);
	share_calls(gather);
	join_graph_calls(gather);
	return more;
}
