/* filter.c: see filter.h. The store's scans have only the rows of the part: what lies outside is never kept. */
#include "model/part/filter.h"

#include <stdlib.h>

#include "store/event.h"
#include "util/alloc.h"

/* Where a table has what the filter looks at. */
static const struct filtered {
	enum table_id table;
	int start, end, owner, correlation; /* columns; owner: process, of calls and ranges the thread */
} filtered[] = {
	{TABLE_KERNEL, KERNEL_start, KERNEL_end, KERNEL_globalPid, KERNEL_correlationId},
	{TABLE_MEMCPY, MEMCPY_start, MEMCPY_end, MEMCPY_globalPid, MEMCPY_correlationId},
	{TABLE_MEMSET, MEMSET_start, MEMSET_end, MEMSET_globalPid, MEMSET_correlationId},
	{TABLE_GRAPHTRACE, GRAPHTRACE_start, GRAPHTRACE_end, GRAPHTRACE_globalPid, GRAPHTRACE_correlationId},
	{TABLE_RUNTIME, RUNTIME_start, RUNTIME_end, RUNTIME_globalTid, RUNTIME_correlationId},
	{TABLE_NVTX, NVTX_start, NVTX_end, NVTX_globalTid, NVTX_eventType},
};

/* The places of these columns in a scan. */
struct filter_places {
	size_t start, end, owner, correlation;
};

static size_t place_in_scan(const struct scan *scan, int column)
{
	size_t c = 0;

	while (c < scan->ncolumns && scan->columns[c] != column)
		c++;
	return c < scan->ncolumns ? c : 0;
}

static bool filter_places_of(const struct scan *scan, struct filter_places *places)
{
	for (size_t i = 0; i < sizeof(filtered) / sizeof(filtered[0]); i++) {
		if (filtered[i].table != scan->table)
			continue;
		*places = (struct filter_places){place_in_scan(scan, filtered[i].start),
			place_in_scan(scan, filtered[i].end), place_in_scan(scan, filtered[i].owner),
			place_in_scan(scan, filtered[i].correlation)};
		return true;
	}
	return false;
}

static bool keeps_work(
	const struct part_filter *filter, const struct scan_rows *rows, size_t row, const struct filter_places *at)
{
	int64_t start = rows->value[at->start][row];

	if (filter->by_range)
		return part_has_call(&filter->calls, rows->value[at->owner][row], rows->value[at->correlation][row]);
	return !scan_null(rows, row, at->start) && start >= filter->from && start < filter->to;
}

/* The work was read before. A call lies in the window, or its id is among those of the work that does. */
static bool keeps_call(
	const struct part_filter *filter, const struct scan_rows *rows, size_t row, const struct filter_places *at)
{
	int64_t start = rows->value[at->start][row], id = rows->value[at->correlation][row];

	if (filter->by_range)
		return part_in_instance(&filter->instances, rows->value[at->owner][row], start);
	if (start >= filter->to)
		return false;
	return rows->value[at->end][row] > filter->from || (id >= filter->low && id <= filter->high);
}

/* A range that reaches into the window is there whole. What is no range, such as a domain's name, stays. */
static bool keeps_range(
	const struct part_filter *filter, const struct scan_rows *rows, size_t row, const struct filter_places *at)
{
	int64_t start = rows->value[at->start][row], end = rows->value[at->end][row];
	bool ends = !scan_null(rows, row, at->end);
	const int64_t *type = scan_null(rows, row, at->correlation) ? NULL : &rows->value[at->correlation][row];
	enum nvtx_kind kind = nvtx_kind_of(&filter->nvtx, type, ends);

	if (kind != NVTX_PUSH_POP && kind != NVTX_START_END)
		return true;
	if (filter->by_range)
		return ends && part_in_instance(&filter->instances, rows->value[at->owner][row], start) &&
		       part_in_instance(&filter->instances, rows->value[at->owner][row], end - 1);
	return start < filter->to && (!ends || end > filter->from);
}

static bool keeps_row(const struct part_filter *filter, const struct scan *scan, const struct scan_rows *rows,
	size_t row, const struct filter_places *at)
{
	if (scan->table == TABLE_RUNTIME)
		return keeps_call(filter, rows, row, at);
	if (scan->table == TABLE_NVTX)
		return keeps_range(filter, rows, row, at);
	return keeps_work(filter, rows, row, at);
}

/* Widens the ids of the work that is kept. */
static void see_ids(struct part_filter *filter, const struct scan_rows *rows, size_t column)
{
	int64_t low = INT64_MAX, high = INT64_MIN;

	for (size_t i = 0; i < rows->n; i++) {
		int64_t id = rows->value[column][i];

		low = id != 0 && id < low ? id : low;
		high = id != 0 && id > high ? id : high;
	}
	pthread_mutex_lock(&filter->lock);
	filter->low = low < filter->low ? low : filter->low;
	filter->high = high > filter->high ? high : filter->high;
	pthread_mutex_unlock(&filter->lock);
}

static void filter_rows(void *user, const struct scan *scan, struct scan_rows *rows)
{
	struct part_filter *filter = user;
	struct filter_places at;
	bool keeps[SCAN_ROWS];
	size_t kept = 0;

	if (!filter_places_of(scan, &at))
		return;
	for (size_t row = 0; row < rows->n; row++)
		keeps[row] = keeps_row(filter, scan, rows, row, &at);
	if (filter->by_range)
		part_others_rows(filter, scan, rows, keeps);
	for (size_t row = 0; row < rows->n; row++) {
		if (!keeps[row])
			continue;
		if (kept != row)
			scan_move(scan, rows, row, kept);
		kept++;
	}
	rows->n = kept;
	if (kept > 0 && scan->table != TABLE_RUNTIME && scan->table != TABLE_NVTX)
		see_ids(filter, rows, at.correlation);
}

struct part_filter *part_filter_new(struct part *part, struct store *store)
{
	const struct part_wish *wish = &part->wish;
	struct part_filter *filter = xcalloc(1, sizeof(*filter));

	filter->scan = (struct scan_filter){filter_rows, filter};
	filter->from = wish->window ? wish->from : INT64_MIN;
	filter->to = wish->window ? wish->to : INT64_MAX;
	filter->by_range = wish->range;
	filter->part = part;
	filter->low = INT64_MAX;
	filter->high = INT64_MIN;
	pthread_mutex_init(&filter->lock, NULL);
	nvtx_begin(&filter->nvtx, store);
	return filter;
}

void part_filter_free(struct part_filter *filter)
{
	if (!filter)
		return;
	part_others_end(filter);
	nvtx_end(&filter->nvtx);
	pthread_mutex_destroy(&filter->lock);
	free(filter->instances.item);
	free(filter->calls.slot);
	free(filter);
}
