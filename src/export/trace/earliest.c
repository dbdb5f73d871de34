/* earliest.c: see earliest.h. Calls made before the profiler's session began have negative times. Viewers of traces
 * drop what lies before 0, and Perfetto's own format has no such times. */
#include "export/trace/earliest.h"

#include <pthread.h>

#include "store/event.h"
#include "store/scan.h"

/* A table and its columns of times: a start and an end, or one for both. */
static const struct timed_table {
	enum table_id table;
	int columns[2];
} timed_tables[] = {
	{TABLE_RUNTIME, {RUNTIME_start, RUNTIME_end}},
	{TABLE_KERNEL, {KERNEL_start, KERNEL_end}},
	{TABLE_MEMCPY, {MEMCPY_start, MEMCPY_end}},
	{TABLE_MEMSET, {MEMSET_start, MEMSET_end}},
	{TABLE_GRAPHTRACE, {GRAPHTRACE_start, GRAPHTRACE_end}},
	{TABLE_SYNCHRONIZATION, {SYNCHRONIZATION_start, SYNCHRONIZATION_end}},
	{TABLE_OVERHEAD, {OVERHEAD_start, OVERHEAD_end}},
	{TABLE_NVTX, {NVTX_start, NVTX_start}},
	{TABLE_CLOCK, {CLOCK_timestamp, CLOCK_timestamp}},
	{TABLE_DIAGNOSTIC, {DIAGNOSTIC_timestamp, DIAGNOSTIC_timestamp}},
};

/* Batches come from several threads. */
struct earliest {
	pthread_mutex_t lock;
	size_t last; /* the column of ends */
	int64_t time;
};

static void earliest_take(void *user, size_t part, const struct scan_rows *rows)
{
	struct earliest *earliest = user;
	int64_t least = 0;

	(void)part;
	for (size_t i = 0; i < rows->n; i++) {
		int64_t start = rows->value[0][i], end = rows->value[earliest->last][i];

		if (start < least && !scan_null(rows, i, 0) && !scan_null(rows, i, earliest->last) &&
			times_usable(start, end))
			least = start;
	}
	pthread_mutex_lock(&earliest->lock);
	if (least < earliest->time)
		earliest->time = least;
	pthread_mutex_unlock(&earliest->lock);
}

int64_t trace_before_session(struct store *store, struct error *err)
{
	struct earliest earliest = {.lock = PTHREAD_MUTEX_INITIALIZER};
	int result = 0;

	for (size_t i = 0; i < sizeof(timed_tables) / sizeof(timed_tables[0]) && result == 0; i++) {
		earliest.last = timed_tables[i].columns[0] != timed_tables[i].columns[1];
		const struct scan scan = {
			.table = timed_tables[i].table,
			.columns = timed_tables[i].columns,
			.ncolumns = earliest.last + 1,
			.take = earliest_take,
			.user = &earliest,
		};

		result = store_scan(store, &scan, err);
	}
	pthread_mutex_destroy(&earliest.lock);
	return result == 0 ? -earliest.time : -1;
}
