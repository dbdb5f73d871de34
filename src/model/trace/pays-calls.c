/* pays-calls.c: the calls of a program that copy, wait for the GPU, or make one stream wait for another. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "model/recording.h"
#include "model/trace/pays-parts.h"
#include "model/trace/trace.h"
#include "store/event.h"
#include "store/store.h"
#include "tree/json.h"
#include "util/alloc.h"
#include "util/number.h"

enum call_kind { CALL_OTHER, CALL_COPY, CALL_WAIT, CALL_RECORD };

enum sync_type { SYNC_EVENT = 1, SYNC_STREAM_WAIT = 2, SYNC_STREAM = 3, SYNC_CONTEXT = 4 };

/* cudaEventRecord. */
struct record_call {
	int64_t process, correlation, start;
};

/* What it recorded. */
struct event {
	int64_t process, id, stream, recorded;
};

struct list {
	void *item;
	size_t n, room;
};

struct calls_reading {
	struct pays_calls *calls;
	struct list copies, waits, joins, records, events;
	bool told; /* calls said how the host waited */
};

/* Room for one more, zeroed. */
static void *pays_calls_list_add(struct list *list, size_t size)
{
	void *item;

	xgrow(&list->item, list->n, &list->room, size);
	item = (char *)list->item + list->n++ * size;
	memset(item, 0, size);
	return item;
}

static bool begins(const char *name, const char *with)
{
	return strncmp(name, with, strlen(with)) == 0;
}

/* Calls that return when the GPU has done all earlier work. Allocating and freeing memory waits too. */
static bool is_wait(const char *name)
{
	static const char *const starts[] = {"StreamSynchronize", "DeviceSynchronize", "ThreadSynchronize",
		"EventSynchronize", "CtxSynchronize", "Malloc", "Free", "HostAlloc", "MemAlloc", "MemFree",
		"MemHostAlloc"};

	for (size_t i = 0; i < sizeof(starts) / sizeof(starts[0]); i++) {
		if (begins(name, starts[i]))
			return !strstr(name, "Async");
	}
	return false;
}

static enum call_kind pays_calls_kind_of(const char *name)
{
	if (begins(name, "cuda"))
		name += 4;
	else if (begins(name, "cu"))
		name += 2;
	else
		return CALL_OTHER;
	if (begins(name, "Memcpy"))
		return CALL_COPY;
	if (begins(name, "EventRecord"))
		return CALL_RECORD;
	return is_wait(name) ? CALL_WAIT : CALL_OTHER;
}

/* The name without the version that CUPTI adds: cudaMemcpyAsync_v3020. Stored once. */
static const char *plain_name(struct pays_calls *calls, const char *name)
{
	const char *version = strstr(name, "_v");
	char plain[128];
	json_t *known;

	snprintf(plain, sizeof(plain), "%s", name);
	if (begins(name, "cuda") && version && (size_t)(version - name) < sizeof(plain))
		plain[version - name] = '\0';
	known = json_object_get(calls->names, plain);
	if (!known) {
		known = text_json(plain);
		json_object_set_new_nocheck(calls->names, plain, known);
	}
	return json_string_value(known);
}

static int64_t call_process(const struct calls_reading *reading, const struct cursor *row)
{
	return reading->calls->processes ? process_of(cursor_int(row, RUNTIME_globalTid)) : 0;
}

static void add_copy(struct calls_reading *reading, const struct cursor *row, const char *name)
{
	struct copy_call *call = pays_calls_list_add(&reading->copies, sizeof(*call));

	call->process = call_process(reading, row);
	call->correlation = cursor_int(row, RUNTIME_correlationId);
	call->start = cursor_int(row, RUNTIME_start);
	call->end = cursor_int(row, RUNTIME_end);
	call->name = plain_name(reading->calls, name);
	call->blocking = !strstr(name, "Async");
}

static void add_wait(struct calls_reading *reading, const struct cursor *row)
{
	struct host_wait *wait = pays_calls_list_add(&reading->waits, sizeof(*wait));

	wait->process = call_process(reading, row);
	wait->thread = cursor_int(row, RUNTIME_globalTid);
	wait->start = cursor_int(row, RUNTIME_start);
	wait->end = cursor_int(row, RUNTIME_end);
}

static void pays_calls_add_record(struct calls_reading *reading, const struct cursor *row)
{
	struct record_call *call = pays_calls_list_add(&reading->records, sizeof(*call));

	call->process = call_process(reading, row);
	call->correlation = cursor_int(row, RUNTIME_correlationId);
	call->start = cursor_int(row, RUNTIME_start);
}

static void add_call(struct calls_reading *reading, const struct cursor *row)
{
	const char *name = cursor_text(row, RUNTIME_nameId);

	switch (name ? pays_calls_kind_of(name) : CALL_OTHER) {
	case CALL_COPY:
		add_copy(reading, row, name);
		break;
	case CALL_WAIT:
		add_wait(reading, row);
		break;
	case CALL_RECORD:
		pays_calls_add_record(reading, row);
		break;
	default:
		break;
	}
}

static int by_call(const void *left, const void *right)
{
	const struct copy_call *a = left, *b = right;

	if (a->process != b->process)
		return int64_order(a->process, b->process);
	if (a->correlation != b->correlation)
		return int64_order(a->correlation, b->correlation);
	return int64_order(a->start, b->start);
}

static int by_record(const void *left, const void *right)
{
	const struct record_call *a = left, *b = right;

	if (a->process != b->process)
		return int64_order(a->process, b->process);
	return int64_order(a->correlation, b->correlation);
}

static int by_event(const void *left, const void *right)
{
	const struct event *a = left, *b = right;

	if (a->process != b->process)
		return int64_order(a->process, b->process);
	return int64_order(a->id, b->id);
}

static int by_wait(const void *left, const void *right)
{
	const struct host_wait *a = left, *b = right;

	if (a->process != b->process)
		return int64_order(a->process, b->process);
	if (a->start != b->start)
		return int64_order(a->start, b->start);
	return int64_order(a->end, b->end);
}

static int by_join(const void *left, const void *right)
{
	const struct event_join *a = left, *b = right;

	if (a->process != b->process)
		return int64_order(a->process, b->process);
	return int64_order(a->waited, b->waited);
}

/* Most often they are in order. */
static void pays_calls_sort(struct list *list, size_t size, int (*compare)(const void *, const void *))
{
	const char *item = list->item;

	for (size_t i = 1; i < list->n; i++) {
		if (compare(item + (i - 1) * size, item + i * size) > 0) {
			qsort(list->item, list->n, size, compare);
			return;
		}
	}
}

/* Leaves out an event whose call is not known: it has no place in the order of work. */
static void add_event(struct calls_reading *reading, const struct cursor *row)
{
	struct record_call key = {
		.process = reading->calls->processes ? cursor_int(row, CUDAEVENT_globalPid) : 0,
		.correlation = cursor_int(row, CUDAEVENT_correlationId),
	};
	const struct record_call *call = NULL;
	struct event *event;

	if (reading->records.n)
		call = bsearch(&key, reading->records.item, reading->records.n, sizeof(key), by_record);
	if (!call)
		return;
	event = pays_calls_list_add(&reading->events, sizeof(*event));
	*event = (struct event){
		key.process, cursor_int(row, CUDAEVENT_eventSyncId), cursor_int(row, CUDAEVENT_streamId), call->start};
}

static void add_join(struct calls_reading *reading, const struct cursor *row, int64_t process)
{
	struct event key = {.process = process, .id = cursor_int(row, SYNCHRONIZATION_eventSyncId)};
	const struct event *event = NULL;
	struct event_join *join;

	if (reading->events.n)
		event = bsearch(&key, reading->events.item, reading->events.n, sizeof(key), by_event);
	if (!event)
		return;
	join = pays_calls_list_add(&reading->joins, sizeof(*join));
	*join = (struct event_join){process, event->recorded, cursor_int(row, SYNCHRONIZATION_start), event->stream,
		cursor_int(row, SYNCHRONIZATION_streamId)};
}

/* Takes waits of the host only where there are no calls: calls know their thread. */
static void add_sync(struct calls_reading *reading, const struct cursor *row)
{
	int64_t process = reading->calls->processes ? cursor_int(row, SYNCHRONIZATION_globalPid) : 0;
	int64_t type = cursor_int(row, SYNCHRONIZATION_syncType);
	struct host_wait *wait;

	if (type == SYNC_STREAM_WAIT)
		add_join(reading, row, process);
	if (type == SYNC_STREAM_WAIT || reading->told || type < SYNC_EVENT || type > SYNC_CONTEXT)
		return;
	wait = pays_calls_list_add(&reading->waits, sizeof(*wait));
	*wait = (struct host_wait){
		process, 0, cursor_int(row, SYNCHRONIZATION_start), cursor_int(row, SYNCHRONIZATION_end)};
}

/* Hands each row of a table to `add`. */
static int read_table(struct calls_reading *reading, const struct model *model, enum table_id table,
	void (*add)(struct calls_reading *reading, const struct cursor *row))
{
	struct cursor *cursor;
	int got;

	if (!store_has(model->store, table))
		return 0;
	cursor = store_rows(model->store, table, -1, model->err);
	if (!cursor)
		return -1;
	while ((got = cursor_next(cursor, model->err)) == 1)
		add(reading, cursor);
	cursor_close(cursor);
	return got;
}

static int pays_calls_read_all(struct calls_reading *reading, const struct model *model)
{
	if (read_table(reading, model, TABLE_RUNTIME, add_call) < 0)
		return -1;
	reading->told = reading->waits.n || reading->copies.n;
	pays_calls_sort(&reading->copies, sizeof(struct copy_call), by_call);
	pays_calls_sort(&reading->records, sizeof(struct record_call), by_record);
	if (read_table(reading, model, TABLE_CUDAEVENT, add_event) < 0)
		return -1;
	pays_calls_sort(&reading->events, sizeof(struct event), by_event);
	if (read_table(reading, model, TABLE_SYNCHRONIZATION, add_sync) < 0)
		return -1;
	pays_calls_sort(&reading->waits, sizeof(struct host_wait), by_wait);
	pays_calls_sort(&reading->joins, sizeof(struct event_join), by_join);
	return 0;
}

/* Where no work names a process, all of it has process 0. */
static bool work_has_process(const struct trace *trace)
{
	for (size_t i = 0; i < trace->nwork; i++) {
		if (trace->work[i].process != 0)
			return true;
	}
	return false;
}

int pays_calls_load(struct pays_calls *calls, const struct model *model)
{
	struct calls_reading reading = {.calls = calls};
	int result;

	*calls = (struct pays_calls){.names = json_object(), .processes = work_has_process(&model->trace)};
	result = pays_calls_read_all(&reading, model);
	free(reading.records.item);
	free(reading.events.item);
	calls->copy = reading.copies.item;
	calls->ncopies = reading.copies.n;
	calls->wait = reading.waits.item;
	calls->nwaits = reading.waits.n;
	calls->join = reading.joins.item;
	calls->njoins = reading.joins.n;
	return result;
}

void pays_calls_free(struct pays_calls *calls)
{
	free(calls->copy);
	free(calls->wait);
	free(calls->join);
	json_decref(calls->names);
}

const struct copy_call *copy_call_of(const struct pays_calls *calls, const struct activity *work)
{
	struct copy_call key = {.process = work->process, .correlation = work->correlation, .start = INT64_MIN};
	size_t low = 0, high = calls->ncopies;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (by_call(&calls->copy[middle], &key) < 0)
			low = middle + 1;
		else
			high = middle;
	}
	if (low == calls->ncopies || calls->copy[low].process != work->process ||
		calls->copy[low].correlation != work->correlation)
		return NULL;
	return &calls->copy[low];
}
