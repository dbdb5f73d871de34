/* host.c: the calls of host threads that ask for work, wait for it or order it, and what the recording tells of them.
 */
#include <stdlib.h>
#include <string.h>

#include "model/recording.h"
#include "model/trace/calls.h"
#include "model/trace/pays/parts.h"
#include "store/event.h"
#include "store/scan.h"
#include "util/alloc.h"
#include "util/number.h"
#include "analyze/sort.h"

enum sync_row_type { SYNC_ROW_EVENT = 1, SYNC_ROW_JOIN = 2, SYNC_ROW_STREAM = 3, SYNC_ROW_CONTEXT = 4 };

enum { KNOWN_NAMES = 64 };

/* What one part of the table of calls has, in the file's order. */
struct host_part {
	struct pays_host_call *call;
	size_t n, room;
	struct called_work work; /* that the last call asked for: see range_work() */
	struct {
		uint32_t name;
		uint8_t kind; /* one more than enum pays_host_kind; 0: nothing is known here */
	} known[KNOWN_NAMES];
};

struct host_reading {
	const struct model *model;
	const struct trace *trace;
	struct interval *stretch; /* the times of all stretches, in order */
	size_t nstretches;
	struct pays_host *host;
	size_t syncs_room, events_room;
	struct host_part *part; /* of the table of calls */
	size_t nparts;
};

/* ---- what a call does, by its name ---- */

static bool host_begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

static bool host_begins_with_one(const char *name, const char *const *starts)
{
	for (; *starts; starts++) {
		if (host_begins(name, *starts))
			return true;
	}
	return false;
}

static enum pays_host_kind host_kind_of(const char *name)
{
	static const char *const makes[] = {"Malloc", "HostAlloc", "MemAlloc", "MemHostAlloc", "HostRegister",
		"MemHostRegister", "ArrayCreate", "Array3DCreate", "MipmappedArrayCreate", NULL};
	static const char *const frees[] = {"Free", "MemFree", "HostUnregister", "MemHostUnregister", "ArrayDestroy",
		"MipmappedArrayDestroy", NULL};
	static const char *const device[] = {"DeviceSynchronize", "ThreadSynchronize", "CtxSynchronize", NULL};

	if (!name || !host_begins(name, "cu"))
		return PAYS_CALL_OTHER;
	name += host_begins(name, "cuda") ? 4 : 2;
	if (host_begins(name, "EventRecord"))
		return PAYS_CALL_RECORD;
	if (host_begins(name, "StreamWaitEvent"))
		return PAYS_CALL_JOIN;
	if (host_begins(name, "StreamSynchronize"))
		return PAYS_CALL_STREAM;
	if (host_begins(name, "EventSynchronize"))
		return PAYS_CALL_EVENT;
	if (host_begins(name, "EventQuery") || host_begins(name, "StreamQuery"))
		return PAYS_CALL_QUERY;
	if (host_begins_with_one(name, device))
		return PAYS_CALL_DEVICE;
	if (strstr(name, "Async"))
		return PAYS_CALL_OTHER;
	if (host_begins_with_one(name, frees))
		return PAYS_CALL_FREE;
	return host_begins_with_one(name, makes) ? PAYS_CALL_MEMORY : PAYS_CALL_OTHER;
}

static enum pays_host_kind host_kind_of_number(const struct trace *trace, struct host_part *part, uint32_t number)
{
	size_t at = number % KNOWN_NAMES;

	if (!part->known[at].kind || part->known[at].name != number) {
		part->known[at].name = number;
		part->known[at].kind = (uint8_t)(host_kind_of(texts_text(trace->texts, number)) + 1);
	}
	return (enum pays_host_kind)(part->known[at].kind - 1);
}

/* ---- calls ---- */

/* Place of a thread in trace->threads, or -1. */
static int64_t host_thread_place(const struct trace *trace, int64_t tid)
{
	size_t place = int64_first_from(trace->threads, trace->nthreads, sizeof(*trace->threads), 0, tid);

	return place < trace->nthreads && trace->threads[place] == tid ? (int64_t)place : -1;
}

/* The times of the stretches, united: most calls are outside of all. */
static void find_stretch_times(struct host_reading *reading, const struct pays_sample *sample)
{
	reading->stretch = xcalloc(sample->n + 1, sizeof(*reading->stretch));
	for (size_t s = 0; s < sample->n; s++) {
		int64_t to = sample->stretch[s].to;

		reading->stretch[s] = (struct interval){sample->stretch[s].from, to < INT64_MAX ? to + 1 : to};
	}
	reading->nstretches = intervals_union(reading->stretch, sample->n);
}

/* Whether a stretch has a time from `first` to `last`. */
static bool reaches_some_stretch(const struct host_reading *reading, int64_t first, int64_t last)
{
	size_t low = 0, high = reading->nstretches;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (reading->stretch[middle].end <= first && reading->stretch[middle].end < INT64_MAX)
			low = middle + 1;
		else
			high = middle;
	}
	return low < reading->nstretches && reading->stretch[low].start <= last;
}

static bool in_some_stretch(const struct host_reading *reading, int64_t time)
{
	return reaches_some_stretch(reading, time, time);
}

enum { HOST_START, HOST_END, HOST_THREAD, HOST_CORRELATION, HOST_NAME, HOST_COLUMNS };

static bool host_row_wanted(void *user, int64_t start)
{
	return in_some_stretch(user, start);
}

/* Whether a call of the part may lie in a stretch, as far as is known from when calls were joined with their work. */
static bool host_part_wanted(void *user, size_t part)
{
	const struct host_reading *reading = user;
	const struct trace *trace = reading->trace;

	return reading->nparts != trace->ncall_parts ||
	       reaches_some_stretch(reading, trace->call_parts[part].start, trace->call_parts[part].end);
}

/* Whether the call asked for work. */
static bool asked_for_work(const struct trace *trace, struct host_part *part, int64_t start, int64_t thread)
{
	const struct range range = {.start = start, .end = start + 1, .thread = (uint32_t)thread};

	range_work(trace, &range, &part->work);
	return part->work.count > 0;
}

static void take_host_row(
	const struct host_reading *reading, struct host_part *part, const struct scan_rows *rows, size_t row)
{
	int64_t start = rows->value[HOST_START][row], end = rows->value[HOST_END][row], thread;
	enum pays_host_kind kind;

	if (start <= -PAYS_TIME_LIMIT || end >= PAYS_TIME_LIMIT || end < start || !in_some_stretch(reading, start))
		return;
	thread = host_thread_place(reading->trace, rows->value[HOST_THREAD][row]);
	kind = host_kind_of_number(reading->trace, part, (uint32_t)rows->value[HOST_NAME][row]);
	if (thread < 0 || (kind == PAYS_CALL_OTHER && !asked_for_work(reading->trace, part, start, thread)))
		return;
	xgrow(&part->call, part->n, &part->room, sizeof(*part->call));
	part->call[part->n++] = (struct pays_host_call){.start = start,
		.end = end,
		.correlation = rows->value[HOST_CORRELATION][row],
		.thread = (uint32_t)thread,
		.name = (uint32_t)rows->value[HOST_NAME][row],
		.kind = (uint8_t)kind};
}

static void begin_host_calls(void *user, size_t nparts)
{
	struct host_reading *reading = user;

	reading->part = xcalloc(nparts + 1, sizeof(*reading->part));
	reading->nparts = nparts;
}

static void take_host_rows(void *user, size_t part, const struct scan_rows *rows)
{
	const struct host_reading *reading = user;

	for (size_t i = 0; i < rows->n; i++)
		take_host_row(reading, &reading->part[part], rows, i);
}

/* The calls of all parts, in the file's order. */
static void join_host_parts(struct host_reading *reading)
{
	struct pays_host *host = reading->host;
	size_t n = 0;

	for (size_t p = 0; p < reading->nparts; p++)
		n += reading->part[p].n;
	host->call = xreallocarray(NULL, n + 1, sizeof(*host->call));
	for (size_t p = 0; p < reading->nparts; p++) {
		const struct host_part *part = &reading->part[p];

		if (part->n)
			memcpy(host->call + host->ncalls, part->call, part->n * sizeof(*part->call));
		host->ncalls += part->n;
		free(part->call);
	}
	free(reading->part);
}

/* ---- synchronisations and events ---- */

enum {
	ROW_START,
	ROW_END,
	ROW_PROCESS,
	ROW_TYPE,
	ROW_STREAM_ID,
	ROW_EVENT_ID,
	ROW_SYNC_ID,
	ROW_CORRELATION,
	ROW_COLUMNS
};

static void take_sync_row(struct host_reading *reading, const struct scan_rows *rows, size_t row)
{
	struct pays_host *host = reading->host;
	int64_t start = rows->value[ROW_START][row];

	if (!in_some_stretch(reading, start))
		return;
	xgrow(&host->sync, host->nsyncs, &reading->syncs_room, sizeof(*host->sync));
	host->sync[host->nsyncs++] = (struct pays_sync_row){
		.process = reading->trace->processes ? rows->value[ROW_PROCESS][row] : 0,
		.correlation = rows->value[ROW_CORRELATION][row],
		.start = start,
		.end = rows->value[ROW_END][row],
		.stream = scan_null(rows, row, ROW_STREAM_ID) ? -1 : rows->value[ROW_STREAM_ID][row],
		.event = scan_null(rows, row, ROW_EVENT_ID) ? -1 : rows->value[ROW_EVENT_ID][row],
		.sync = scan_null(rows, row, ROW_SYNC_ID) ? -1 : rows->value[ROW_SYNC_ID][row],
		.type = (int)rows->value[ROW_TYPE][row],
	};
}

static void take_sync_rows(void *user, size_t part, const struct scan_rows *rows)
{
	(void)part;
	for (size_t i = 0; i < rows->n; i++)
		take_sync_row(user, rows, i);
}

enum { RECORDED_PROCESS, RECORDED_CORRELATION, RECORDED_EVENT, RECORDED_SYNC, RECORDED_STREAM, RECORDED_COLUMNS };

static void take_event_rows(void *user, size_t part, const struct scan_rows *rows)
{
	struct host_reading *reading = user;
	struct pays_host *host = reading->host;

	(void)part;
	for (size_t i = 0; i < rows->n; i++) {
		xgrow(&host->event, host->nevents, &reading->events_room, sizeof(*host->event));
		host->event[host->nevents++] = (struct pays_event_row){
			.process = reading->trace->processes ? rows->value[RECORDED_PROCESS][i] : 0,
			.correlation = rows->value[RECORDED_CORRELATION][i],
			.event = scan_null(rows, i, RECORDED_EVENT) ? -1 : rows->value[RECORDED_EVENT][i],
			.sync = scan_null(rows, i, RECORDED_SYNC) ? -1 : rows->value[RECORDED_SYNC][i],
			.stream = rows->value[RECORDED_STREAM][i],
		};
	}
}

/* ---- reading and sorting ---- */

static int host_by_start(const void *left, const void *right)
{
	const struct pays_host_call *a = left, *b = right;

	if (a->thread != b->thread)
		return a->thread < b->thread ? -1 : 1;
	if (a->start != b->start)
		return int64_order(a->start, b->start);
	return int64_order(b->end, a->end);
}

static int host_by_correlation(const void *left, const void *right)
{
	const struct pays_sync_row *a = left, *b = right;

	if (a->process != b->process)
		return int64_order(a->process, b->process);
	if (a->correlation != b->correlation)
		return int64_order(a->correlation, b->correlation);
	return int64_order(a->start, b->start);
}

static int host_event_by_correlation(const void *left, const void *right)
{
	const struct pays_event_row *a = left, *b = right;

	if (a->process != b->process)
		return int64_order(a->process, b->process);
	return int64_order(a->correlation, b->correlation);
}

/* Calls in calls are left out: the outer one tells all. A row of queries is one wait. */
static void settle_host_calls(struct pays_host *host)
{
	size_t kept = 0;

	if (host->ncalls > 1)
		sort_runs(host->call, host->ncalls, sizeof(*host->call), host_by_start);
	for (size_t i = 0; i < host->ncalls; i++) {
		struct pays_host_call *last = kept ? &host->call[kept - 1] : NULL, *call = &host->call[i];

		if (last && last->thread == call->thread && call->start < last->end)
			continue;
		if (last && last->thread == call->thread && call->kind == PAYS_CALL_QUERY &&
			last->kind == PAYS_CALL_QUERY) {
			last->end = call->end;
			continue;
		}
		host->call[kept++] = *call;
	}
	host->ncalls = kept;
}

/* Their order in the file decides where nothing else does, so one thread reads them. */
static int host_read_serially(struct host_reading *reading, struct scan *scan)
{
	struct store *store = reading->model->store;
	int threads = store_threads(store), result;

	scan->user = reading;
	store_use_threads(store, 1);
	result = store_scan(store, scan, reading->model->err);
	store_use_threads(store, threads);
	return result;
}

static int host_read(struct host_reading *reading)
{
	static const int calls[HOST_COLUMNS] = {
		RUNTIME_start, RUNTIME_end, RUNTIME_globalTid, RUNTIME_correlationId, RUNTIME_nameId};
	static const int syncs[ROW_COLUMNS] = {SYNCHRONIZATION_start, SYNCHRONIZATION_end, SYNCHRONIZATION_globalPid,
		SYNCHRONIZATION_syncType, SYNCHRONIZATION_streamId, SYNCHRONIZATION_eventId,
		SYNCHRONIZATION_eventSyncId, SYNCHRONIZATION_correlationId};
	static const int events[RECORDED_COLUMNS] = {CUDAEVENT_globalPid, CUDAEVENT_correlationId, CUDAEVENT_eventId,
		CUDAEVENT_eventSyncId, CUDAEVENT_streamId};
	const struct scan call_scan = {.table = TABLE_RUNTIME,
		.columns = calls,
		.ncolumns = HOST_COLUMNS,
		.texts = reading->trace->texts,
		.begin = begin_host_calls,
		.take = take_host_rows,
		.wanted = host_row_wanted,
		.part_wanted = host_part_wanted,
		.user = reading};
	struct scan sync_scan = {
		.table = TABLE_SYNCHRONIZATION, .columns = syncs, .ncolumns = ROW_COLUMNS, .take = take_sync_rows};
	struct scan event_scan = {
		.table = TABLE_CUDAEVENT, .columns = events, .ncolumns = RECORDED_COLUMNS, .take = take_event_rows};
	int result = store_scan(reading->model->store, &call_scan, reading->model->err);

	join_host_parts(reading);
	if (result == 0)
		result = host_read_serially(reading, &sync_scan);
	return result == 0 ? host_read_serially(reading, &event_scan) : result;
}

int pays_host_load(struct pays_host *host, const struct model *model, const struct pays_sample *sample)
{
	struct host_reading reading = {.model = model, .trace = &model->trace, .host = host};
	int result;

	*host = (struct pays_host){0};
	find_stretch_times(&reading, sample);
	result = host_read(&reading);
	settle_host_calls(host);
	if (host->nsyncs > 1)
		sort_runs(host->sync, host->nsyncs, sizeof(*host->sync), host_by_correlation);
	if (host->nevents > 1)
		sort_runs(host->event, host->nevents, sizeof(*host->event), host_event_by_correlation);
	free(reading.stretch);
	return result;
}

void pays_host_free(struct pays_host *host)
{
	free(host->call);
	free(host->sync);
	free(host->event);
}
