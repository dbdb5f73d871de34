/* work.c: see work.h. The rows of four tables become one series. */
#include "export/work.h"

#include <stdio.h>

#include "export/launches.h"
#include "export/state.h"
#include "store/copies.h"
#include "store/event.h"

static const enum table_id work_tables[] = {TABLE_KERNEL, TABLE_MEMCPY, TABLE_MEMSET, TABLE_GRAPHTRACE};
static const int work_start[] = {KERNEL_start, MEMCPY_start, MEMSET_start, GRAPHTRACE_start};

enum { WORK_TABLES = sizeof(work_tables) / sizeof(work_tables[0]) };

/* A number of an enumeration. */
static int kind_or_none(const struct cursor *row, int column)
{
	int64_t kind = cursor_int(row, column);

	if (cursor_null(row, column) || kind < 0 || kind > INT8_MAX)
		return -1;
	return (int)kind;
}

static void work_read_kernel(struct export_work *work, const struct cursor *row)
{
	const char *name = cursor_text(row, KERNEL_shortName);

	if (!name)
		name = cursor_text(row, KERNEL_demangledName);
	*work = (struct export_work){
		.start = cursor_time(row, KERNEL_start),
		.end = cursor_time(row, KERNEL_end),
		.process = cursor_int(row, KERNEL_globalPid),
		.device = cursor_int(row, KERNEL_deviceId),
		.context = cursor_int(row, KERNEL_contextId),
		.stream = (uint32_t)cursor_int(row, KERNEL_streamId),
		.correlation = cursor_int(row, KERNEL_correlationId),
		.bytes = -1,
		.src_kind = -1,
		.dst_kind = -1,
		.name = name ? name : "kernel",
	};
}

static void work_read_copy(struct export_work *work, const struct cursor *row)
{
	int kind = kind_or_none(row, MEMCPY_copyKind);

	*work = (struct export_work){
		.start = cursor_time(row, MEMCPY_start),
		.end = cursor_time(row, MEMCPY_end),
		.process = cursor_int(row, MEMCPY_globalPid),
		.device = cursor_int(row, MEMCPY_deviceId),
		.context = cursor_int(row, MEMCPY_contextId),
		.stream = (uint32_t)cursor_int(row, MEMCPY_streamId),
		.correlation = cursor_int(row, MEMCPY_correlationId),
		.bytes = cursor_int(row, MEMCPY_bytes),
		.copy_kind = kind < 0 ? 0 : kind,
		.src_kind = kind_or_none(row, MEMCPY_srcKind),
		.dst_kind = kind_or_none(row, MEMCPY_dstKind),
	};
}

static void work_read_memset(struct export_work *work, const struct cursor *row)
{
	*work = (struct export_work){
		.start = cursor_time(row, MEMSET_start),
		.end = cursor_time(row, MEMSET_end),
		.process = cursor_int(row, MEMSET_globalPid),
		.device = cursor_int(row, MEMSET_deviceId),
		.context = cursor_int(row, MEMSET_contextId),
		.stream = (uint32_t)cursor_int(row, MEMSET_streamId),
		.correlation = cursor_int(row, MEMSET_correlationId),
		.bytes = cursor_int(row, MEMSET_bytes),
		.src_kind = -1,
		.dst_kind = kind_or_none(row, MEMSET_memKind),
		.name = "memset",
	};
}

/* A launch of a CUDA graph that was recorded as a whole. */
static void work_read_graph(struct export_work *work, const struct cursor *row)
{
	*work = (struct export_work){
		.start = cursor_time(row, GRAPHTRACE_start),
		.end = cursor_time(row, GRAPHTRACE_end),
		.process = cursor_int(row, GRAPHTRACE_globalPid),
		.device = cursor_int(row, GRAPHTRACE_deviceId),
		.context = cursor_int(row, GRAPHTRACE_contextId),
		.stream = (uint32_t)cursor_int(row, GRAPHTRACE_streamId),
		.correlation = cursor_int(row, GRAPHTRACE_correlationId),
		.bytes = -1,
		.src_kind = -1,
		.dst_kind = -1,
	};
}

static void (*const work_read[])(struct export_work *, const struct cursor *) = {
	work_read_kernel, work_read_copy, work_read_memset, work_read_graph};

/* "host to device, pinned": the direction and the memory on the host's side. */
static void work_copy_words(const struct export_work *copy, char *text, size_t size)
{
	char direction[64], memory[64] = "";

	direction_words(copy->copy_kind, direction, sizeof(direction));
	if (copy_way(copy->copy_kind) != COPY_ELSEWHERE)
		memory_words(copy_memory_kind(copy->copy_kind, copy->src_kind, copy->dst_kind), memory, sizeof(memory));
	snprintf(text, size, "%s%s%s", direction, *memory ? ", " : "", memory);
}

static void work_read_row(struct export_work *work, int table, const struct cursor *row)
{
	work_read[table](work, row);
	work->table = work_tables[table];
	work->row = row;
}

static int give_work(struct export *ex, int table, const struct cursor *row)
{
	struct export_work work;
	char words[160];

	work_read_row(&work, table, row);
	if (!export_usable(ex, work.start, work.end))
		return 0;
	if (ex->only_process >= 0)
		work.process = ex->only_process;
	work.device = export_device(ex, work.process, work.device);
	if (work.table == TABLE_MEMCPY) {
		work_copy_words(&work, words, sizeof(words));
		work.name = words;
	} else if (work.table == TABLE_GRAPHTRACE) {
		snprintf(words, sizeof(words), "CUDA graph %lld", (long long)cursor_int(row, GRAPHTRACE_graphId));
		work.name = words;
	}
	ex->hooks->work(ex, &work);
	return export_step(ex);
}

/* The table whose next row starts first, or -1. */
static int first_table(struct cursor *const *cursors, const bool *there)
{
	int first = -1;

	for (int i = 0; i < WORK_TABLES; i++) {
		if (there[i] && (first < 0 || cursor_int(cursors[i], work_start[i]) <
						      cursor_int(cursors[first], work_start[first])))
			first = i;
	}
	return first;
}

static int merge_work(struct export *ex, struct cursor **cursors)
{
	bool there[WORK_TABLES];

	for (int i = 0; i < WORK_TABLES; i++) {
		int got = cursor_next(cursors[i], ex->err);

		if (got < 0)
			return -1;
		there[i] = got == 1;
	}
	for (int i; (i = first_table(cursors, there)) >= 0;) {
		int got = give_work(ex, i, cursors[i]) < 0 ? -1 : cursor_next(cursors[i], ex->err);

		if (got < 0)
			return -1;
		there[i] = got == 1;
	}
	return 0;
}

int export_work(struct export *ex)
{
	struct cursor *cursors[WORK_TABLES] = {NULL};
	int rc = 0;

	for (int i = 0; i < WORK_TABLES && rc == 0; i++) {
		cursors[i] = store_rows(
			ex->store, work_tables[i], ex->unsorted[work_tables[i]] ? work_start[i] : -1, ex->err);
		rc = cursors[i] ? 0 : -1;
	}
	if (rc == 0)
		rc = merge_work(ex, cursors);
	for (int i = 0; i < WORK_TABLES; i++)
		cursor_close(cursors[i]);
	return rc;
}

/* ---- before the first row ---- */

/* *found tells that a row names its process. Most files are in order as they are, and need no sorting. */
static int scan_work(struct export *ex, int table, bool *found)
{
	struct cursor *cursor = store_rows(ex->store, work_tables[table], -1, ex->err);
	int64_t before = INT64_MIN;
	struct export_work work;
	int got = -1;

	while (cursor && (got = cursor_next(cursor, ex->err)) == 1) {
		if (export_step(ex) < 0) {
			got = -1;
			break;
		}
		work_read_row(&work, table, cursor);
		*found = *found || work.process != 0;
		ex->unsorted[work.table] |= work.start < before;
		before = work.start;
		if (!export_times_good(work.start, work.end))
			continue;
		if (work.end > ex->last)
			ex->last = work.end;
		if (ex->launches)
			launches_add(ex->launches, work.process, work.correlation);
	}
	cursor_close(cursor);
	return got;
}

/* Work without processes is that of the only process there is. */
static int first_process(struct export *ex)
{
	struct cursor *cursor = store_rows(ex->store, TABLE_RUNTIME, -1, ex->err);
	int got = cursor ? cursor_next(cursor, ex->err) : -1;

	ex->only_process = got == 1 ? process_of(cursor_int(cursor, RUNTIME_globalTid)) : 0;
	cursor_close(cursor);
	return got < 0 ? -1 : 0;
}

int export_prepare(struct export *ex)
{
	bool found = false;

	ex->only_process = -1;
	if (devices_load(&ex->devices, ex->store, ex->err) < 0)
		return -1;
	if (ex->hooks->joins)
		ex->launches = launches_new();
	for (int i = 0; i < WORK_TABLES; i++) {
		if (scan_work(ex, i, &found) < 0)
			return -1;
	}
	return found ? 0 : first_process(ex);
}
