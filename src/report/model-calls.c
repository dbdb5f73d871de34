/* model-calls.c: joins device work with the API call that asked for it, by process and correlation id. */
#include <stdlib.h>

#include "report/model.h"

struct call {
	int64_t process, correlation, start, thread;
};

struct calls {
	struct call *item;
	size_t n, room;
};

static int call_add(struct calls *calls, const struct call *call)
{
	if (calls->n == calls->room) {
		size_t more = calls->room ? calls->room * 2 : 1024;
		struct call *item = realloc(calls->item, more * sizeof(*item));

		if (!item)
			return -1;
		calls->item = item;
		calls->room = more;
	}
	calls->item[calls->n++] = *call;
	return 0;
}

/* An export whose work names no process has one process: 0. */
static bool work_has_process(const struct trace *trace)
{
	for (size_t i = 0; i < trace->nwork; i++) {
		if (trace->work[i].process != 0)
			return true;
	}
	return false;
}

static int calls_read(struct calls *calls, const struct trace *trace, struct cursor *cursor, struct error *err)
{
	bool processes = work_has_process(trace);
	int got;

	while ((got = cursor_next(cursor, err)) == 1) {
		int64_t thread = cursor_int(cursor, RUNTIME_globalTid);
		struct call call = {
			.process = processes ? process_of(thread) : 0,
			.correlation = cursor_int(cursor, RUNTIME_correlationId),
			.start = cursor_int(cursor, RUNTIME_start),
			.thread = thread,
		};

		if (call_add(calls, &call) < 0)
			return -1;
	}
	return got;
}

/* A runtime call and the driver call inside it may share a correlation id: the outer one starts first. */
static int by_correlation(const void *left, const void *right)
{
	const struct call *a = left, *b = right;

	if (a->process != b->process)
		return int64_order(a->process, b->process);
	if (a->correlation != b->correlation)
		return int64_order(a->correlation, b->correlation);
	return int64_order(a->start, b->start);
}

static const struct call *call_of(const struct calls *calls, const struct activity *work)
{
	const struct call key = {work->process, work->correlation, INT64_MIN, 0};
	size_t low = 0, high = calls->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (by_correlation(&calls->item[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == calls->n || calls->item[low].process != work->process ||
		calls->item[low].correlation != work->correlation)
		return NULL;
	return &calls->item[low];
}

static int by_thread_and_start(const void *left, const void *right)
{
	const struct activity *a = *(const struct activity *const *)left, *b = *(const struct activity *const *)right;

	if (a->thread != b->thread)
		return int64_order(a->thread, b->thread);
	if (a->called != b->called)
		return int64_order(a->called, b->called);
	return (a > b) - (a < b);
}

static int join(struct trace *trace, const struct calls *calls)
{
	trace->by_call = calloc(trace->nwork + 1, sizeof(const struct activity *));
	if (!trace->by_call)
		return -1;
	for (size_t i = 0; i < trace->nwork; i++) {
		struct activity *work = &trace->work[i];
		const struct call *call = call_of(calls, work);

		if (!call)
			continue;
		work->thread = call->thread;
		work->called = call->start;
		trace->by_call[trace->ncalled++] = work;
	}
	if (trace->ncalled > 1)
		qsort(trace->by_call, trace->ncalled, sizeof(const struct activity *), by_thread_and_start);
	return 0;
}

int trace_calls(struct trace *trace, struct store *store, struct error *err)
{
	struct calls calls = {0};
	struct cursor *cursor;
	int result;

	if (!store_has(store, TABLE_RUNTIME))
		return 0;
	cursor = store_rows(store, TABLE_RUNTIME, -1, err);
	if (!cursor)
		return -1;
	result = calls_read(&calls, trace, cursor, err);
	cursor_close(cursor);
	if (result == 0) {
		if (calls.n > 1)
			qsort(calls.item, calls.n, sizeof(*calls.item), by_correlation);
		if (join(trace, &calls) < 0)
			result = -1;
	}
	free(calls.item);
	return result;
}

/* The first piece of work of `thread` called at `time` or later. */
static size_t first_called(const struct trace *trace, int64_t thread, int64_t time)
{
	size_t low = 0, high = trace->ncalled;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct activity *work = trace->by_call[middle];

		if (work->thread < thread || (work->thread == thread && work->called < time))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

void range_work(const struct trace *trace, const struct range *range, size_t *first, size_t *count)
{
	*first = first_called(trace, range->thread, range->start);
	*count = first_called(trace, range->thread, range->end) - *first;
}
