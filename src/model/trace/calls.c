/* calls.c: joins device work with the API call that asked for it, by process and correlation id. */
#include "model/trace/calls.h"

#include <stdlib.h>

#include "model/trace/trace.h"
#include "store/event.h"
#include "store/store.h"
#include "util/alloc.h"
#include "util/number.h"

/* No call is known yet; calls of several processes are known, and any of them may be the right one. */
#define NO_CALL INT64_MAX
#define TOO_MANY INT64_MIN

/* The work by process and correlation id: a hash table. Its chains hold numbers of pieces of work plus one; 0 ends a
 * chain. Calls come in millions: none is kept once it is joined. */
struct work_table {
	struct activity *work;
	uint32_t *first, *next;
	size_t size;           /* of `first`; a power of two */
	bool named, anonymous; /* some work names its process; some does not, and has process 0 */
};

/* Neighbouring ids get neighbouring places. */
static size_t calls_place(const struct work_table *table, int64_t process, int64_t correlation)
{
	uint64_t p = (uint64_t)process >> 24, c = (uint64_t)correlation;

	return (size_t)(c + (c >> 24) * 0x9E3779B1u + p * 0x85EBCA6Bu) & (table->size - 1);
}

static void table_fill(struct work_table *table, size_t n)
{
	for (size_t i = n; i-- > 0;) {
		struct activity *work = &table->work[i];
		size_t at;

		work->called = NO_CALL;
		if (work->correlation == 0)
			continue;
		at = calls_place(table, work->process, work->correlation);
		table->next[i] = table->first[at];
		table->first[at] = (uint32_t)i + 1;
	}
}

static void table_free(struct work_table *table)
{
	free(table->first);
	free(table->next);
}

static int table_make(struct work_table *table, const struct trace *trace, struct error *err)
{
	*table = (struct work_table){.work = trace->work, .size = 1024};
	if (trace->nwork >= UINT32_MAX)
		return error_set(err, "%zu pieces of device work are more than can be read", trace->nwork);
	while (table->size < trace->nwork)
		table->size *= 2;
	for (size_t i = 0; i < trace->nwork; i++) {
		table->named |= trace->work[i].process != 0;
		table->anonymous |= trace->work[i].process == 0;
	}
	table->first = xcalloc(table->size, sizeof(*table->first));
	table->next = xcalloc(trace->nwork + 1, sizeof(*table->next));
	table_fill(table, trace->nwork);
	return 0;
}

/* A runtime call and the driver call inside it may share a correlation id: the outer one, which starts first, counts.
 * Work without a process belongs to the process that has such a call, if there is only one. */
static void take_call(struct activity *work, int64_t thread, int64_t start)
{
	if (work->process == 0 && work->called != NO_CALL && process_of(work->thread) != process_of(thread))
		work->called = TOO_MANY;
	else if (start < work->called || (start == work->called && thread < work->thread)) {
		work->called = start;
		work->thread = thread;
	}
}

/* A call and how it may be asked for. */
struct call {
	int64_t process, correlation, thread, start;
};

static void join_call(const struct work_table *table, const struct call *call)
{
	for (uint32_t i = table->first[calls_place(table, call->process, call->correlation)]; i;
		i = table->next[i - 1]) {
		struct activity *work = &table->work[i - 1];

		if (work->correlation == call->correlation && work->process == call->process)
			take_call(work, call->thread, call->start);
	}
}

static void join_row(const struct work_table *table, const struct cursor *row)
{
	struct call call = {
		.correlation = cursor_int(row, RUNTIME_correlationId),
		.thread = cursor_int(row, RUNTIME_globalTid),
		.start = cursor_int(row, RUNTIME_start),
	};

	if (call.correlation == 0 || !time_usable(call.start))
		return;
	if (table->anonymous)
		join_call(table, &call);
	call.process = process_of(call.thread);
	if (table->named && call.process != 0)
		join_call(table, &call);
}

static int join_calls(const struct work_table *table, struct store *store, struct error *err)
{
	static const int columns[] = {RUNTIME_start, RUNTIME_globalTid, RUNTIME_correlationId};
	struct cursor *cursor = store_columns(store, TABLE_RUNTIME, columns, 3, err);
	int got = -1;

	while (cursor && (got = cursor_next(cursor, err)) == 1)
		join_row(table, cursor);
	cursor_close(cursor);
	return got;
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

/* Whether a call was found; if not, clears the thread and time. */
static bool settle_call(struct trace *trace, struct activity *work)
{
	if (work->called != NO_CALL && work->called != TOO_MANY)
		return true;
	trace->ambiguous += work->called == TOO_MANY;
	work->thread = work->called = 0;
	return false;
}

/* Lists the work whose call was found. */
static void list_called(struct trace *trace)
{
	trace->by_call = xcalloc(trace->nwork + 1, sizeof(*trace->by_call));
	for (size_t i = 0; i < trace->nwork; i++) {
		if (settle_call(trace, &trace->work[i]))
			trace->by_call[trace->ncalled++] = &trace->work[i];
	}
	if (trace->ncalled > 1)
		qsort(trace->by_call, trace->ncalled, sizeof(*trace->by_call), by_thread_and_start);
}

int trace_calls(struct trace *trace, struct store *store, struct error *err)
{
	struct work_table table;
	int result;

	trace->no_calls = !store_has(store, TABLE_RUNTIME);
	if (trace->no_calls)
		return 0;
	if (table_make(&table, trace, err) < 0)
		return -1;
	result = join_calls(&table, store, err);
	table_free(&table);
	if (result < 0)
		return -1;
	list_called(trace);
	return 0;
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
