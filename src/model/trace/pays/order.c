/* order.c: what puts the work of a lane in order: its streams, the waits of the host, the events. */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "store/rowset.h"
#include "model/trace/pays/parts.h"
#include "model/trace/trace.h"
#include "store/devices.h"
#include "store/event.h"
#include "store/store.h"
#include "util/alloc.h"
#include "analyze/sort.h"
#include "util/number.h"

/* CUPTI and Nsight Systems give the first context's legacy default stream the number 7; lower numbers are streams of
 * the driver. A recording that names no default stream is taken to mean this one. */
enum { USUAL_DEFAULT_STREAM = 7 };

enum stream_flag { FLAG_NON_BLOCKING = 2, FLAG_DEFAULT = 3 };

/* Stream ids count per context; here it is enough that a process has one stream of that id on the GPU. */
static bool of_lane(const struct making *making, int64_t pid, int64_t context)
{
	struct rows contexts = rows_all(&making->model->table[TABLE_CONTEXT]);

	if (making->work->process != 0 && pid != pid_of(making->work->process))
		return false;
	for (size_t i = 0; i < contexts.count; i++) {
		if (row_int(&contexts, i, CONTEXT_processId) == pid &&
			row_int(&contexts, i, CONTEXT_contextId) == context)
			return device_of(&making->trace->devices, making->work->process,
				       row_int(&contexts, i, CONTEXT_deviceId)) == making->work->device;
	}
	return true;
}

static void set_stream(const struct making *making, enum pays_stream *kinds, int64_t id, enum pays_stream kind)
{
	int32_t place = ids_find(&making->streams, id);

	if (place >= 0)
		kinds[place] = kind;
}

/* Default streams: those that contexts name, else the one with the usual number. */
static void find_default_streams(const struct making *making, enum pays_stream *kinds)
{
	struct rows contexts = rows_all(&making->model->table[TABLE_CONTEXT]);
	bool told = false;

	for (size_t i = 0; i < contexts.count; i++) {
		if (row_null(&contexts, i, CONTEXT_nullStreamId) ||
			!of_lane(making, row_int(&contexts, i, CONTEXT_processId),
				row_int(&contexts, i, CONTEXT_contextId)))
			continue;
		set_stream(making, kinds, row_int(&contexts, i, CONTEXT_nullStreamId), PAYS_STREAM_LEGACY);
		told = true;
	}
	if (!told)
		set_stream(making, kinds, USUAL_DEFAULT_STREAM, PAYS_STREAM_LEGACY);
}

void make_streams(struct making *making)
{
	enum pays_stream *kinds = xcalloc(making->streams.n + 1, sizeof(*kinds));
	struct rows streams = rows_all(&making->model->table[TABLE_STREAM]);

	making->work->lane.stream = kinds;
	find_default_streams(making, kinds);
	for (size_t i = 0; i < streams.count; i++) {
		int64_t flag = row_int(&streams, i, STREAM_flag);

		if (!of_lane(making, row_int(&streams, i, STREAM_processId), row_int(&streams, i, STREAM_contextId)))
			continue;
		if (flag == FLAG_NON_BLOCKING || flag == FLAG_DEFAULT)
			set_stream(making, kinds, row_int(&streams, i, STREAM_streamId),
				flag == FLAG_DEFAULT ? PAYS_STREAM_LEGACY : PAYS_STREAM_NON_BLOCKING);
	}
}

static int pays_order_by_start(const void *left, const void *right)
{
	const struct pays_wait *a = left, *b = right;

	if (a->start != b->start)
		return int64_order(a->start, b->start);
	return int64_order(a->end, b->end);
}

/* Whether the host waits in the call of a copy: it is synchronous, or it stages pageable memory. */
static bool waits_in_copy(const struct pays_work *work, size_t i)
{
	const struct work_copy *copy = call_of_item(work, i);

	return copy && (copy->blocking || work->lane.item[i].pageable);
}

/* The first record of a process with a time of `from` or later; INT64_MIN: its first, INT64_MAX: the first behind it.
 * Records begin with their process; the time stands at `at`. */
static size_t first_record(const void *records, size_t n, size_t size, size_t at, int64_t process, int64_t from)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const char *record = (const char *)records + middle * size;
		int64_t here, time;

		memcpy(&here, record, sizeof(here));
		memcpy(&time, record + at, sizeof(time));
		if (here < process || (here == process && (from == INT64_MAX || time < from)))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* Waits while they are collected. */
struct waits {
	struct pays_wait *item;
	size_t n, room;
};

static void waits_add(struct waits *waits, int64_t start, int64_t end, int32_t thread)
{
	xgrow(&waits->item, waits->n, &waits->room, sizeof(*waits->item));
	waits->item[waits->n++] = (struct pays_wait){within_limit(start), within_limit(end), thread};
}

/* The waits of the process in the stretch, without those of threads that ask for no work in the lane. */
static void stretch_waits(const struct making *making, struct waits *waits)
{
	const struct pays_calls *calls = making->calls;
	const size_t size = sizeof(*calls->wait), at = offsetof(struct pays_host_wait, start);
	int64_t process = making->work->process;
	size_t i = first_record(calls->wait, calls->nwaits, size, at, process, making->stretch->from);
	size_t end = first_record(calls->wait, calls->nwaits, size, at, process, making->stretch->to);

	for (; i < end; i++) {
		const struct pays_host_wait *wait = &calls->wait[i];
		int32_t thread = wait->thread ? ids_find(&making->threads, wait->thread) : -1;

		if (thread >= 0 || !wait->thread)
			waits_add(waits, wait->start, wait->end, thread);
	}
}

void make_waits(struct making *making)
{
	struct pays_work *work = making->work;
	struct waits waits = {0};

	stretch_waits(making, &waits);
	for (size_t i = 0; i < work->lane.n; i++) {
		if (waits_in_copy(work, i))
			waits_add(&waits, work_called(making->trace, work->work[i]), call_of_item(work, i)->call_end,
				(int32_t)work->lane.item[i].thread);
	}
	work->lane.wait = waits.item;
	work->lane.nwaits = waits.n;
	if (waits.n > 1)
		sort_runs(waits.item, waits.n, sizeof(*waits.item), pays_order_by_start);
}

void make_joins(struct making *making)
{
	struct pays_work *work = making->work;
	const struct pays_calls *calls = making->calls;
	const size_t size = sizeof(*calls->join), at = offsetof(struct event_join, waited);
	size_t i = first_record(calls->join, calls->njoins, size, at, work->process, making->stretch->from);
	size_t end = first_record(calls->join, calls->njoins, size, at, work->process, making->stretch->to);
	struct pays_join *joins = NULL;
	size_t n = 0, room = 0;

	for (; i < end; i++) {
		const struct event_join *join = &calls->join[i];
		int32_t from = ids_find(&making->streams, join->from), to = ids_find(&making->streams, join->to);

		if (from < 0 || to < 0)
			continue;
		xgrow(&joins, n, &room, sizeof(*joins));
		joins[n++] = (struct pays_join){join->recorded, join->waited, from, to};
	}
	work->lane.join = joins;
	work->lane.njoins = n;
}

enum pays_stream *pays_stream_kinds(const struct model *model, int64_t process, int device, const struct ids *streams)
{
	struct pays_work work = {.trace = &model->trace, .process = process, .device = device};
	struct making making = {.model = model, .trace = &model->trace, .work = &work, .streams = *streams};

	make_streams(&making);
	return (enum pays_stream *)(uintptr_t)work.lane.stream;
}
