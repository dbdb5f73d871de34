/* pays-order.c: what puts the work of a lane in order: its streams, the waits of the host, the events. */
#include <stdlib.h>
#include <string.h>

#include "store/rowset.h"
#include "model/trace/pays-parts.h"
#include "model/trace/trace.h"
#include "store/devices.h"
#include "store/event.h"
#include "store/store.h"
#include "util/alloc.h"
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
			return device_of(&making->model->trace.devices, making->work->process,
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
	return work->call[i] != 0 && (work->lane.item[i].blocking || work->lane.item[i].pageable);
}

/* The first record of a process, or the first behind it. Records are sorted by process, which is their first member. */
static size_t first_of_process(const void *records, size_t n, size_t size, int64_t process, bool behind)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int64_t here;

		memcpy(&here, (const char *)records + middle * size, sizeof(here));
		if (here < process || (behind && here == process))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The waits of the process, without those of threads that ask for no work in the lane. */
void make_waits(struct making *making)
{
	struct pays_work *work = making->work;
	const struct pays_calls *calls = making->calls;
	size_t from = first_of_process(calls->wait, calls->nwaits, sizeof(*calls->wait), work->process, false);
	size_t to = first_of_process(calls->wait, calls->nwaits, sizeof(*calls->wait), work->process, true);
	size_t n = 0, room = to - from + 1;
	struct pays_wait *waits;

	for (size_t i = 0; i < work->lane.n; i++)
		room += waits_in_copy(work, i);
	work->lane.wait = waits = xcalloc(room, sizeof(*waits));
	for (size_t i = from; i < to; i++) {
		const struct host_wait *wait = &calls->wait[i];
		int32_t thread = wait->thread ? ids_find(&making->threads, wait->thread) : -1;

		if (thread >= 0 || !wait->thread)
			waits[n++] = (struct pays_wait){within_limit(wait->start), within_limit(wait->end), thread};
	}
	for (size_t i = 0; i < work->lane.n; i++) {
		if (waits_in_copy(work, i))
			waits[n++] = (struct pays_wait){within_limit(call_of_item(work, i)->start),
				within_limit(call_of_item(work, i)->end), (int32_t)work->lane.item[i].thread};
	}
	work->lane.nwaits = n;
	if (n > 1)
		qsort(waits, n, sizeof(*waits), pays_order_by_start);
}

void make_joins(struct making *making)
{
	struct pays_work *work = making->work;
	const struct pays_calls *calls = making->calls;
	size_t from = first_of_process(calls->join, calls->njoins, sizeof(*calls->join), work->process, false);
	size_t to = first_of_process(calls->join, calls->njoins, sizeof(*calls->join), work->process, true);
	struct pays_join *joins = xcalloc(to - from + 1, sizeof(*joins));
	size_t n = 0;

	work->lane.join = joins;
	for (size_t i = from; i < to; i++) {
		const struct event_join *join = &calls->join[i];
		int32_t source = ids_find(&making->streams, join->from), sink = ids_find(&making->streams, join->to);

		if (source >= 0 && sink >= 0)
			joins[n++] = (struct pays_join){join->recorded, join->waited, source, sink};
	}
	work->lane.njoins = n;
}
