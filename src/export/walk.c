/* walk.c: see walk.h. Memory does not grow with the number of rows. */
#include "export/walk.h"

#include "export/calls.h"
#include "export/counters.h"
#include "export/nvtx.h"
#include "export/state.h"
#include "export/work.h"
#include "store/event.h"

static void give_call(struct export *ex, const struct cursor *row)
{
	struct export_call call = export_call_of(row);

	if (export_usable(ex, call.start, call.end))
		ex->hooks->call(ex, &call);
}

static void give_overhead(struct export *ex, const struct cursor *row)
{
	const char *name = cursor_text(row, OVERHEAD_nameId);
	struct export_overhead overhead = {
		.start = cursor_time(row, OVERHEAD_start),
		.end = cursor_time(row, OVERHEAD_end),
		.thread = cursor_int(row, OVERHEAD_globalTid),
		.name = name ? name : "profiler",
	};

	if (export_usable(ex, overhead.start, overhead.end))
		ex->hooks->overhead(ex, &overhead);
}

/* A number of which all bits set, in 32 bits, means that there is none. */
static int64_t id_or_none(const struct cursor *row, int column)
{
	int64_t id = cursor_int(row, column);

	return cursor_null(row, column) || id == UINT32_MAX ? -1 : id;
}

static void give_wait(struct export *ex, const struct cursor *row)
{
	int64_t type = cursor_int(row, SYNCHRONIZATION_syncType);
	const char *name = store_enum_label(ex->store, "ENUM_CUPTI_SYNC_TYPE", type);
	struct export_wait wait = {
		.start = cursor_time(row, SYNCHRONIZATION_start),
		.end = cursor_time(row, SYNCHRONIZATION_end),
		.process = ex->only_process >= 0 ? ex->only_process : cursor_int(row, SYNCHRONIZATION_globalPid),
		.device = cursor_int(row, SYNCHRONIZATION_deviceId),
		.context = cursor_int(row, SYNCHRONIZATION_contextId),
		.stream = id_or_none(row, SYNCHRONIZATION_streamId),
		.correlation = cursor_int(row, SYNCHRONIZATION_correlationId),
		.event = id_or_none(row, SYNCHRONIZATION_eventId),
		.name = name ? name : "Synchronization",
	};

	wait.device = export_device(ex, wait.process, wait.device);
	if (export_usable(ex, wait.start, wait.end))
		ex->hooks->wait(ex, &wait);
}

static const char *severity_words(int64_t severity)
{
	return severity == 3 ? "error" : severity == 2 ? "warning" : "info";
}

static void give_note(struct export *ex, const struct cursor *row)
{
	const char *text = cursor_text(row, DIAGNOSTIC_text);
	struct export_note note = {
		.time = cursor_time(row, DIAGNOSTIC_timestamp),
		.process = cursor_int(row, DIAGNOSTIC_globalPid),
		.severity = severity_words(cursor_int(row, DIAGNOSTIC_severity)),
		.text = text ? text : "",
	};

	if (!times_usable(note.time, note.time))
		note.time = 0;
	ex->hooks->note(ex, &note);
}

static int walk_ranges(struct export *ex)
{
	struct nvtx_rows *rows = nvtx_rows_open(ex);
	struct export_range range;
	int got = -1;

	while (rows && (got = nvtx_rows_next(rows, &range)) == 1) {
		if (export_usable(ex, range.start, range.end))
			ex->hooks->range(ex, &range);
		if (export_step(ex) < 0) {
			got = -1;
			break;
		}
	}
	nvtx_rows_close(rows);
	return got;
}

static int walk_table(
	struct export *ex, enum table_id table, int order, void (*give)(struct export *, const struct cursor *))
{
	struct cursor *cursor = store_rows(ex->store, table, order, ex->err);
	int got = -1;

	while (cursor && (got = cursor_next(cursor, ex->err)) == 1) {
		give(ex, cursor);
		if (export_step(ex) < 0) {
			got = -1;
			break;
		}
	}
	cursor_close(cursor);
	return got;
}

int export_walk(struct export *ex)
{
	const struct export_hooks *hooks = ex->hooks;
	int rc = export_prepare(ex);

	if (rc == 0 && hooks->begin)
		rc = hooks->begin(ex);
	if (rc == 0 && hooks->call)
		rc = walk_table(ex, TABLE_RUNTIME, RUNTIME_start, give_call);
	if (rc == 0 && hooks->overhead)
		rc = walk_table(ex, TABLE_OVERHEAD, OVERHEAD_start, give_overhead);
	if (rc == 0 && hooks->work)
		rc = export_work(ex);
	if (rc == 0 && hooks->wait)
		rc = walk_table(ex, TABLE_SYNCHRONIZATION, SYNCHRONIZATION_start, give_wait);
	if (rc == 0 && hooks->range)
		rc = walk_ranges(ex);
	if (rc == 0 && hooks->note)
		rc = walk_table(ex, TABLE_DIAGNOSTIC, DIAGNOSTIC_timestamp, give_note);
	if (rc == 0 && (hooks->counter || hooks->sampled))
		rc = export_counters(ex);
	if (rc == 0 && hooks->end)
		hooks->end(ex);
	return rc;
}
