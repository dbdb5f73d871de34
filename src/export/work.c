/* work.c: device work for an export: the rows of three tables as one series, by start. */
#include <stdio.h>

#include "analyze/analyze.h"
#include "model/names.h"
#include "model/trace/trace.h"
#include "store/copies.h"
#include "store/event.h"
#include "store/store.h"
#include "export/walk.h"

static const enum table_id work_tables[] = {TABLE_KERNEL, TABLE_MEMCPY, TABLE_MEMSET};
static const int work_start[] = {KERNEL_start, MEMCPY_start, MEMSET_start};

enum { WORK_TABLES = sizeof(work_tables) / sizeof(work_tables[0]) };

/* A number that no enumeration has must not become, cut short, one that it has. */
static int8_t kind_or_none(const struct cursor *row, int column)
{
	int64_t kind = cursor_int(row, column);

	if (cursor_null(row, column) || kind < 0 || kind > INT8_MAX)
		return -1;
	return (int8_t)kind;
}

static void work_read_kernel(struct export_work *work, const struct cursor *row)
{
	const char *name = cursor_text(row, KERNEL_shortName);

	if (!name)
		name = cursor_text(row, KERNEL_demangledName);
	work->name = name ? name : "kernel";
	work->context = cursor_int(row, KERNEL_contextId);
	work->did = (struct activity){
		.start = cursor_int(row, KERNEL_start),
		.end = cursor_int(row, KERNEL_end),
		.process = cursor_int(row, KERNEL_globalPid),
		.stream = cursor_int(row, KERNEL_streamId),
		.correlation = cursor_int(row, KERNEL_correlationId),
		.device = (int)cursor_int(row, KERNEL_deviceId),
		.bytes = -1,
		.copy_kind = COPY_KIND_NONE,
		.src_kind = -1,
		.dst_kind = -1,
		.cls = WORK_KERNEL,
	};
}

static void work_read_copy(struct export_work *work, const struct cursor *row)
{
	static const enum work_class classes[] = {
		[COPY_IN] = WORK_H2D, [COPY_OUT] = WORK_D2H, [COPY_ELSEWHERE] = WORK_OTHER};
	int8_t kind = kind_or_none(row, MEMCPY_copyKind);

	work->context = cursor_int(row, MEMCPY_contextId);
	work->did = (struct activity){
		.start = cursor_int(row, MEMCPY_start),
		.end = cursor_int(row, MEMCPY_end),
		.process = cursor_int(row, MEMCPY_globalPid),
		.stream = cursor_int(row, MEMCPY_streamId),
		.correlation = cursor_int(row, MEMCPY_correlationId),
		.device = (int)cursor_int(row, MEMCPY_deviceId),
		.bytes = cursor_int(row, MEMCPY_bytes),
		.copy_kind = (int8_t)(kind < 0 ? 0 : kind),
		.src_kind = kind_or_none(row, MEMCPY_srcKind),
		.dst_kind = kind_or_none(row, MEMCPY_dstKind),
		.cls = classes[copy_way(kind)],
	};
}

static void work_read_memset(struct export_work *work, const struct cursor *row)
{
	work->name = "memset";
	work->context = cursor_int(row, MEMSET_contextId);
	work->did = (struct activity){
		.start = cursor_int(row, MEMSET_start),
		.end = cursor_int(row, MEMSET_end),
		.process = cursor_int(row, MEMSET_globalPid),
		.stream = cursor_int(row, MEMSET_streamId),
		.correlation = cursor_int(row, MEMSET_correlationId),
		.device = (int)cursor_int(row, MEMSET_deviceId),
		.bytes = cursor_int(row, MEMSET_bytes),
		.copy_kind = COPY_KIND_NONE,
		.src_kind = -1,
		.dst_kind = kind_or_none(row, MEMSET_memKind),
		.cls = WORK_OTHER,
	};
}

static void (*const work_read[])(struct export_work *, const struct cursor *) = {
	work_read_kernel, work_read_copy, work_read_memset};

/* "host to device, pinned": the direction and the memory on the host's side. */
static void work_copy_words(const struct activity *copy, char *text, size_t size)
{
	char direction[64], memory[64] = "";

	direction_words(copy->copy_kind, direction, sizeof(direction));
	if (copy->cls != WORK_OTHER)
		memory_words(copy_memory(copy), memory, sizeof(memory));
	snprintf(text, size, "%s%s%s", direction, *memory ? ", " : "", memory);
}

static int give_work(struct export *ex, int table, const struct cursor *row)
{
	struct export_work work = {.table = work_tables[table], .row = row};
	char words[160];

	work_read[table](&work, row);
	if (!export_usable(ex, work.did.start, work.did.end))
		return 0;
	if (ex->only_process >= 0)
		work.did.process = ex->only_process;
	if (work.table == TABLE_MEMCPY) {
		work_copy_words(&work.did, words, sizeof(words));
		work.name = words;
	}
	return ex->hooks->work(ex, &work) < 0 ? -1 : export_step(ex);
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

/* Work without processes is that of the only process there is; *found tells that a row names one. Most files are in
 * order as they are, and need no sorting. */
static int scan_work(struct export *ex, int table, bool *found)
{
	struct cursor *cursor = store_rows(ex->store, work_tables[table], -1, ex->err);
	int64_t before = INT64_MIN;
	int got = -1;

	if (!cursor)
		return -1;
	while ((got = cursor_next(cursor, ex->err)) == 1) {
		struct export_work work = {0};

		work_read[table](&work, cursor);
		*found = *found || work.did.process != 0;
		ex->unsorted[work_tables[table]] |= work.did.start < before;
		before = work.did.start;
		if (!export_times_good(work.did.start, work.did.end))
			continue;
		if (work.did.end > ex->last)
			ex->last = work.did.end;
		if (ex->launches && launches_add(ex->launches, work.did.process, work.did.correlation) < 0) {
			got = export_no_memory(ex);
			break;
		}
	}
	cursor_close(cursor);
	return got;
}

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
	if (ex->hooks->joins && !(ex->launches = launches_new()))
		return export_no_memory(ex);
	for (int i = 0; i < WORK_TABLES; i++) {
		if (scan_work(ex, i, &found) < 0)
			return -1;
	}
	return found ? 0 : first_process(ex);
}
