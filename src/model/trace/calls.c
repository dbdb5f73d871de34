/* calls.c: joins device work with the API call that asked for it, by process and correlation id. */
#include "model/trace/calls.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "model/trace/host-calls.h"
#include "model/trace/index-sort.h"
#include "model/trace/join.h"
#include "model/trace/trace.h"
#include "store/event.h"
#include "store/scan.h"
#include "util/alloc.h"
#include "util/numbering.h"
#include "util/machine/parallel.h"

/* No call is known yet; calls of several processes are known, and any of them may be the right one. */
#define NO_CALL INT64_MAX
#define TOO_MANY INT64_MIN

/* Calls come in millions, from several threads: one of them joins at a time, and no call is kept. */
struct joining {
	struct trace *trace;
	struct numbering *threads;
	struct join join;
	bool anonymous; /* some work names no process, and has process 0 */
	pthread_mutex_t lock;
	struct host_call_name *name; /* by the number of a name */
	size_t nnames;
};

/* A call and how it may be asked for. */
struct call {
	int64_t process, correlation, start, end;
	int64_t tid;
	uint32_t thread; /* place in the numbering */
	struct host_call_name name;
};

/* ---- the work that a call asked for ---- */

static int64_t joined_tid(const struct joining *joining, size_t i)
{
	uint32_t thread = joining->trace->thread[i];

	return thread ? joining->threads->id[thread - 1] : 0;
}

/* What a copy knows of its call: of the outer one, if a runtime call and the driver call in it share their id. The
 * outer one begins first. */
static void name_copy(struct trace *trace, size_t i, const struct call *call, bool is_first)
{
	struct work_copy *copy = work_copy(trace, i);

	if (!copy || copy->kind == COPY_KIND_NONE || !call->name.copies)
		return;
	if (copy->call && !is_first && (trace->called[i] != call->start || copy->call_end >= call->end))
		return;
	copy->call = call->name.plain;
	copy->call_end = call->end;
	copy->blocking = call->name.blocking;
}

/* Work without a process belongs to the process that has such a call, if there is only one. */
static void take_call(struct joining *joining, size_t i, const struct call *call)
{
	struct trace *trace = joining->trace;
	int64_t process = work_lane(trace, i)->process;
	bool is_first;

	if (process == 0 && trace->called[i] != NO_CALL &&
		process_of(joined_tid(joining, i)) != process_of(call->tid)) {
		trace->called[i] = TOO_MANY;
		return;
	}
	is_first = call->start < trace->called[i];
	if (!trace->processes || process == process_of(call->tid))
		name_copy(trace, i, call, is_first);
	if (is_first || (call->start == trace->called[i] && call->tid < joined_tid(joining, i))) {
		trace->called[i] = call->start;
		trace->thread[i] = call->thread + 1;
	}
}

/* Whether a call changes nothing of the work of its id: what is known of one piece is known of all. There may be any
 * number of pieces and of calls of one id. */
static bool comes_too_late(const struct joining *joining, size_t i, const struct call *call)
{
	const struct trace *trace = joining->trace;
	const struct work_copy *copy = work_copy(trace, i);

	return call->process != 0 && call->start > trace->called[i] && (!call->name.copies || (copy && copy->call));
}

static void join_call(struct joining *joining, const struct call *call)
{
	uint32_t first = join_first(&joining->join, call->process, call->correlation);

	if (!first || comes_too_late(joining, first - 1, call))
		return;
	for (uint32_t i = first; i; i = join_next(&joining->join, i))
		take_call(joining, i - 1, call);
}

/* ---- reading ---- */

static struct host_call_name look_at_name(struct joining *joining, uint32_t number)
{
	if (number >= joining->nnames) {
		size_t n = (size_t)number * 2 + 64;

		joining->name = xreallocarray(joining->name, n, sizeof(*joining->name));
		memset(joining->name + joining->nnames, 0, (n - joining->nnames) * sizeof(*joining->name));
		joining->nnames = n;
	}
	if (!joining->name[number].known)
		joining->name[number] = host_call_look(joining->trace->texts, number);
	return joining->name[number];
}

enum { CALL_START, CALL_END, CALL_THREAD, CALL_CORRELATION, CALL_NAME, CALL_COLUMNS };

static void take_call_row(struct joining *joining, const struct scan_rows *rows, size_t row)
{
	struct call call = {
		.start = rows->value[CALL_START][row],
		.end = rows->value[CALL_END][row],
		.correlation = rows->value[CALL_CORRELATION][row],
		.tid = rows->value[CALL_THREAD][row],
		.name = look_at_name(joining, (uint32_t)rows->value[CALL_NAME][row]),
	};

	/* A call that never returned still tells when its work was submitted. */
	if (scan_null(rows, row, CALL_END))
		call.end = call.start;
	if (scan_null(rows, row, CALL_START) || !times_usable(call.start, call.end)) {
		joining->trace->unusable++;
		return;
	}
	joining->trace->ncalls++;
	call.thread = (uint32_t)numbering_place(joining->threads, call.tid);
	if (call.correlation == 0)
		return;
	if (joining->anonymous)
		join_call(joining, &call);
	call.process = process_of(call.tid);
	if (joining->trace->processes && call.process != 0)
		join_call(joining, &call);
}

static void begin_calls(void *user, size_t nparts)
{
	struct trace *trace = ((struct joining *)user)->trace;

	trace->call_parts = xcalloc(nparts + 1, sizeof(*trace->call_parts));
	for (trace->ncall_parts = 0; trace->ncall_parts < nparts; trace->ncall_parts++)
		trace->call_parts[trace->ncall_parts] = (struct interval){INT64_MAX, INT64_MIN};
}

static void widen_part(struct interval *starts, int64_t start)
{
	starts->start = start < starts->start ? start : starts->start;
	starts->end = start > starts->end ? start : starts->end;
}

static void take_call_rows(void *user, size_t part, const struct scan_rows *rows)
{
	struct joining *joining = user;

	pthread_mutex_lock(&joining->lock);
	for (size_t i = 0; i < rows->n; i++) {
		widen_part(&joining->trace->call_parts[part], rows->value[CALL_START][i]);
		take_call_row(joining, rows, i);
	}
	pthread_mutex_unlock(&joining->lock);
}

static int read_calls(struct joining *joining, struct store *store, struct error *err)
{
	static const int columns[CALL_COLUMNS] = {
		RUNTIME_start, RUNTIME_end, RUNTIME_globalTid, RUNTIME_correlationId, RUNTIME_nameId};
	const struct scan scan = {
		.table = TABLE_RUNTIME,
		.columns = columns,
		.ncolumns = CALL_COLUMNS,
		.texts = joining->trace->texts,
		.begin = begin_calls,
		.take = take_call_rows,
		.user = joining,
	};

	return store_scan(store, &scan, err);
}

/* Clears the time where no call, or no certain one, was found. */
static void settle_calls(struct trace *trace)
{
	for (size_t i = 0; i < trace->nwork; i++) {
		if (trace->called[i] != NO_CALL && trace->called[i] != TOO_MANY)
			continue;
		trace->ambiguous += trace->called[i] == TOO_MANY;
		if (work_copy(trace, i))
			work_copy(trace, i)->call = 0;
		trace->called[i] = 0;
		trace->thread[i] = 0;
	}
}

int trace_calls(struct trace *trace, struct numbering *threads, struct store *store, struct error *err)
{
	struct joining joining = {.trace = trace, .threads = threads, .lock = PTHREAD_MUTEX_INITIALIZER};
	int result;

	trace->no_calls = !store_has(store, TABLE_RUNTIME);
	if (trace->no_calls)
		return 0;
	trace->called = xreallocarray(NULL, trace->nwork + 1, sizeof(*trace->called));
	trace->thread = xcalloc(trace->nwork + 1, sizeof(*trace->thread));
	for (size_t i = 0; i < trace->nwork; i++)
		trace->called[i] = NO_CALL;
	for (size_t i = 0; i < trace->nlanes; i++)
		joining.anonymous |= trace->lanes[i].process == 0;
	join_make(&joining.join, trace);
	result = read_calls(&joining, store, err);
	join_free(&joining.join);
	free(joining.name);
	settle_calls(trace);
	return result;
}

/* ---- the order of calls ---- */

/* The work of each thread, in the order of starts. */
static void group_by_thread(struct trace *trace)
{
	size_t *first = xcalloc(trace->nthreads + 2, sizeof(*first)), *next;

	for (size_t i = 0; i < trace->nwork; i++)
		first[trace->thread[i]]++;
	first[0] = 0;
	for (size_t t = 1; t <= trace->nthreads; t++)
		first[t] += first[t - 1];
	trace->by_call = xreallocarray(NULL, first[trace->nthreads] + 1, sizeof(*trace->by_call));
	next = xmemdup(first, (trace->nthreads + 1) * sizeof(*first));
	for (size_t i = 0; i < trace->nwork; i++) {
		if (trace->thread[i])
			trace->by_call[next[trace->thread[i] - 1]++] = (uint32_t)i;
	}
	free(next);
	trace->first_call = first;
}

static void order_calls_of_thread(void *user, size_t t)
{
	const struct trace *trace = user;
	size_t first = trace->first_call[t];

	index_sort(trace->by_call + first, trace->first_call[t + 1] - first, trace->called);
}

void trace_order_calls(struct trace *trace)
{
	if (!trace->thread)
		return;
	group_by_thread(trace);
	parallel_run(trace_workers(trace, trace->nwork), trace->nthreads, order_calls_of_thread, trace);
}

/* A stretch of by_call. */
struct stretch_of_calls {
	size_t low, high;
};

/* Makes the stretch one in which the first work is that was called at `time` or later, or at whose end it is. That is
 * mostly near `near`, so the steps of the search double. */
static void narrow_calls(const struct trace *trace, struct stretch_of_calls *calls, size_t near, int64_t time)
{
	size_t step = 1, at = near < calls->low || near > calls->high ? calls->low : near;

	if (at < calls->high && trace->called[trace->by_call[at]] < time) {
		for (; calls->high - at > step && trace->called[trace->by_call[at + step]] < time; step *= 2)
			at += step;
		calls->low = at + 1;
		if (calls->high - at > step)
			calls->high = at + step;
	} else {
		for (; at - calls->low >= step && trace->called[trace->by_call[at - step]] >= time; step *= 2)
			at -= step;
		calls->high = at;
		if (at - calls->low >= step)
			calls->low = at - step + 1;
	}
}

/* The first piece of work in `calls` called at `time` or later; their end if there is none. */
static size_t first_called(const struct trace *trace, struct stretch_of_calls calls, size_t near, int64_t time)
{
	narrow_calls(trace, &calls, near, time);
	while (calls.low < calls.high) {
		size_t middle = calls.low + (calls.high - calls.low) / 2;

		if (trace->called[trace->by_call[middle]] < time)
			calls.low = middle + 1;
		else
			calls.high = middle;
	}
	return calls.low;
}

/* Where to look first: where the work before ends, unless the range begins earlier. What was called just before that
 * end was looked at last, so that it is in a cache. */
static size_t near_work(const struct trace *trace, const struct stretch_of_calls *calls, const struct called_work *work,
	const struct range *range)
{
	size_t end = work->first + work->count;

	if (end <= calls->low || end > calls->high || trace->called[trace->by_call[end - 1]] >= range->start)
		return work->first;
	return end;
}

void range_work(const struct trace *trace, const struct range *range, struct called_work *work)
{
	struct stretch_of_calls calls;
	size_t first, end;

	if (!trace->by_call) {
		*work = (struct called_work){0};
		return;
	}
	calls = (struct stretch_of_calls){trace->first_call[range->thread], trace->first_call[range->thread + 1]};
	first = first_called(trace, calls, near_work(trace, &calls, work, range), range->start);
	end = first_called(trace, calls, first + work->count, range->end);
	*work = (struct called_work){first, end > first ? end - first : 0};
}

static int by_piece(const void *left, const void *right)
{
	uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;

	return (a > b) - (a < b);
}

void range_work_list(const struct trace *trace, const struct range *range, struct work_list *out)
{
	struct called_work work = {0, 0};

	range_work(trace, range, &work);
	out->n = work.count;
	out->item = xreallocarray(NULL, out->n + 1, sizeof(*out->item));
	if (out->n > 0)
		memcpy(out->item, trace->by_call + work.first, out->n * sizeof(*out->item));
	if (out->n > 1)
		qsort(out->item, out->n, sizeof(*out->item), by_piece);
}
