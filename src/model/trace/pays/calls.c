/* calls.c: the waits of the host for the GPU, and the waits of streams for each other. */
#include <stdlib.h>

#include "model/recording.h"
#include "model/trace/pays/parts.h"
#include "store/event.h"
#include "store/scan.h"
#include "util/alloc.h"
#include "util/number.h"

enum sync_type { SYNC_EVENT = 1, SYNC_STREAM_WAIT = 2, SYNC_STREAM = 3, SYNC_CONTEXT = 4 };

/* What an event recorded. */
struct event {
	int64_t process, id, stream, recorded;
};

struct list {
	void *item;
	size_t n, room;
};

struct calls_reading {
	const struct trace *trace;
	struct list waits, joins, records, events;
	bool told; /* calls said how the host waited */
};

/* Room for one more. */
static void *pays_calls_list_add(struct list *list, size_t size)
{
	xgrow(&list->item, list->n, &list->room, size);
	return (char *)list->item + list->n++ * size;
}

static int by_record(const void *left, const void *right)
{
	const struct record_call *a = left, *b = right;

	if (a->process != b->process)
		return int64_order(a->process, b->process);
	return int64_order(a->correlation, b->correlation);
}

/* The same, and a total order: calls come as threads read them. */
static int by_record_and_start(const void *left, const void *right)
{
	int order = by_record(left, right);

	return order ? order
		     : int64_order(
			       ((const struct record_call *)left)->start, ((const struct record_call *)right)->start);
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
	const struct pays_host_wait *a = left, *b = right;

	if (a->process != b->process)
		return int64_order(a->process, b->process);
	if (a->start != b->start)
		return int64_order(a->start, b->start);
	if (a->end != b->end)
		return int64_order(a->end, b->end);
	return int64_order(a->thread, b->thread);
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

/* ---- events and synchronisations ---- */

enum { EVENT_PROCESS, EVENT_CORRELATION, EVENT_ID, EVENT_STREAM, EVENT_COLUMNS };

/* Leaves out an event whose call is not known: it has no place in the order of work. */
static void add_event(struct calls_reading *reading, const struct scan_rows *rows, size_t row)
{
	struct record_call key = {
		.process = reading->trace->processes ? rows->value[EVENT_PROCESS][row] : 0,
		.correlation = rows->value[EVENT_CORRELATION][row],
	};
	const struct record_call *call = NULL;

	if (reading->records.n)
		call = bsearch(&key, reading->records.item, reading->records.n, sizeof(key), by_record);
	if (call)
		*(struct event *)pays_calls_list_add(&reading->events, sizeof(struct event)) = (struct event){
			key.process, rows->value[EVENT_ID][row], rows->value[EVENT_STREAM][row], call->start};
}

enum { SYNC_START, SYNC_END, SYNC_PROCESS, SYNC_TYPE, SYNC_STREAM_ID, SYNC_EVENT_ID, SYNC_COLUMNS };

static void add_join(struct calls_reading *reading, const struct scan_rows *rows, size_t row, int64_t process)
{
	struct event key = {.process = process, .id = rows->value[SYNC_EVENT_ID][row]};
	const struct event *event = NULL;

	if (reading->events.n)
		event = bsearch(&key, reading->events.item, reading->events.n, sizeof(key), by_event);
	if (event)
		*(struct event_join *)pays_calls_list_add(&reading->joins, sizeof(struct event_join)) =
			(struct event_join){process, event->recorded, rows->value[SYNC_START][row], event->stream,
				rows->value[SYNC_STREAM_ID][row]};
}

/* Takes waits of the host only where there are no calls: calls know their thread. */
static void add_sync(struct calls_reading *reading, const struct scan_rows *rows, size_t row)
{
	int64_t process = reading->trace->processes ? rows->value[SYNC_PROCESS][row] : 0;
	int64_t type = rows->value[SYNC_TYPE][row];

	if (type == SYNC_STREAM_WAIT)
		add_join(reading, rows, row, process);
	if (type == SYNC_STREAM_WAIT || reading->told || type < SYNC_EVENT || type > SYNC_CONTEXT)
		return;
	*(struct pays_host_wait *)pays_calls_list_add(&reading->waits, sizeof(struct pays_host_wait)) =
		(struct pays_host_wait){process, rows->value[SYNC_START][row], rows->value[SYNC_END][row], .thread = 0};
}

/* Hands each row of a table to `add`. */
struct table_reading {
	struct calls_reading *reading;
	void (*add)(struct calls_reading *reading, const struct scan_rows *rows, size_t row);
};

static void take_pays_rows(void *user, size_t part, const struct scan_rows *rows)
{
	const struct table_reading *table = user;

	(void)part;
	for (size_t i = 0; i < rows->n; i++)
		table->add(table->reading, rows, i);
}

/* These tables are short beside those of work and calls, and what they are sorted by is not unique: one thread reads
 * them, so that equal ones keep the file's order. */
static int read_serially(struct model const *model, struct scan *scan)
{
	int threads = store_threads(model->store), result;

	store_use_threads(model->store, 1);
	result = store_scan(model->store, scan, model->err);
	store_use_threads(model->store, threads);
	return result;
}

static int read_events(struct calls_reading *reading, const struct model *model)
{
	static const int columns[EVENT_COLUMNS] = {
		CUDAEVENT_globalPid, CUDAEVENT_correlationId, CUDAEVENT_eventSyncId, CUDAEVENT_streamId};
	struct table_reading table = {reading, add_event};
	struct scan scan = {.table = TABLE_CUDAEVENT,
		.columns = columns,
		.ncolumns = EVENT_COLUMNS,
		.take = take_pays_rows,
		.user = &table};

	return read_serially(model, &scan);
}

static int read_syncs(struct calls_reading *reading, const struct model *model)
{
	static const int columns[SYNC_COLUMNS] = {SYNCHRONIZATION_start, SYNCHRONIZATION_end, SYNCHRONIZATION_globalPid,
		SYNCHRONIZATION_syncType, SYNCHRONIZATION_streamId, SYNCHRONIZATION_eventSyncId};
	struct table_reading table = {reading, add_sync};
	struct scan scan = {.table = TABLE_SYNCHRONIZATION,
		.columns = columns,
		.ncolumns = SYNC_COLUMNS,
		.take = take_pays_rows,
		.user = &table};

	return read_serially(model, &scan);
}

/* ---- calls ---- */

static void take_waits_of_calls(struct calls_reading *reading)
{
	const struct trace *trace = reading->trace;

	for (size_t i = 0; i < trace->calls.nwaits; i++) {
		const struct host_wait *wait = &trace->calls.wait[i];
		int64_t thread = trace->threads[wait->thread];

		*(struct pays_host_wait *)pays_calls_list_add(&reading->waits, sizeof(struct pays_host_wait)) =
			(struct pays_host_wait){
				trace->processes ? process_of(thread) : 0, wait->start, wait->end, thread};
	}
}

static void take_records_of_calls(struct calls_reading *reading)
{
	const struct trace_calls *calls = &reading->trace->calls;

	for (size_t i = 0; i < calls->nrecords; i++)
		*(struct record_call *)pays_calls_list_add(&reading->records, sizeof(struct record_call)) =
			calls->record[i];
	pays_calls_sort(&reading->records, sizeof(struct record_call), by_record_and_start);
}

static int pays_calls_read_all(struct calls_reading *reading, const struct model *model)
{
	take_waits_of_calls(reading);
	take_records_of_calls(reading);
	reading->told = reading->waits.n || reading->trace->calls.ncopies;
	if (read_events(reading, model) < 0)
		return -1;
	pays_calls_sort(&reading->events, sizeof(struct event), by_event);
	if (read_syncs(reading, model) < 0)
		return -1;
	pays_calls_sort(&reading->waits, sizeof(struct pays_host_wait), by_wait);
	pays_calls_sort(&reading->joins, sizeof(struct event_join), by_join);
	return 0;
}

int pays_calls_load(struct pays_calls *calls, const struct model *model)
{
	struct calls_reading reading = {.trace = &model->trace};
	int result = pays_calls_read_all(&reading, model);

	free(reading.records.item);
	free(reading.events.item);
	*calls = (struct pays_calls){reading.waits.item, reading.joins.item, reading.waits.n, reading.joins.n};
	return result;
}

void pays_calls_free(struct pays_calls *calls)
{
	free(calls->wait);
	free(calls->join);
}
