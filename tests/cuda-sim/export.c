/* export.c: the run of a program as an SQLite export of Nsight Systems 2025.3, with the columns that have a meaning
 * here (docs/recording.md). */
#include <inttypes.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "export.h"

#define NO_STREAM INT64_C(4294967295)
#define HOST_ID (INT64_C(1) << 48)
enum { PROCESS = 785, STREAMS_OF_DEVICE = 50, LEGACY_ID = 7, FIRST_ID = 13, VALUES = 16, START_NS = 300000000 };

/* What CUPTI numbers so. */
enum { SYNC_OF_EVENT = 1, SYNC_STREAM_WAIT, SYNC_OF_STREAM, SYNC_OF_CONTEXT };
enum { FLAG_BLOCKING = 1, FLAG_NON_BLOCKING, FLAG_LEGACY };

static const char tables[] =
	"PRAGMA synchronous = OFF; PRAGMA journal_mode = OFF; BEGIN;"
	"CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
	"CREATE TABLE TARGET_INFO_SESSION_START_TIME (utcEpochNs INTEGER, utcTime TEXT, localTime TEXT);"
	"INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1795217158223778607, '2026-11-20T23:25:58', "
	"'2026-11-20T23:25:58');"
	"CREATE TABLE TARGET_INFO_GPU (vmId INTEGER, id INTEGER, name TEXT, smCount INTEGER, cuDevice INTEGER, "
	"asyncEngines INTEGER, computeMajor INTEGER, computeMinor INTEGER);"
	"CREATE TABLE TARGET_INFO_CUDA_DEVICE (gpuId INTEGER, cudaId INTEGER, pid INTEGER);"
	"CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);"
	"CREATE TABLE ENUM_CUDA_MEMCPY_OPER (id INTEGER, name TEXT, label TEXT);"
	"INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES (1, 'CUDA_MEMCPY_KIND_HTOD', 'Host-to-Device'), "
	"(2, 'CUDA_MEMCPY_KIND_DTOH', 'Device-to-Host'), (8, 'CUDA_MEMCPY_KIND_DTOD', 'Device-to-Device'), "
	"(10, 'CUDA_MEMCPY_KIND_PTOP', 'Peer-to-Peer');"
	"CREATE TABLE ENUM_CUDA_MEM_KIND (id INTEGER, name TEXT, label TEXT);"
	"INSERT INTO ENUM_CUDA_MEM_KIND VALUES (0, 'CUDA_MEMOPR_MEMORY_KIND_PAGEABLE', 'Pageable'), "
	"(1, 'CUDA_MEMOPR_MEMORY_KIND_PINNED', 'Pinned'), (2, 'CUDA_MEMOPR_MEMORY_KIND_DEVICE', 'Device');"
	"CREATE TABLE ENUM_CUPTI_SYNC_TYPE (id INTEGER, name TEXT, label TEXT);"
	"INSERT INTO ENUM_CUPTI_SYNC_TYPE VALUES (0, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_UNKNOWN', 'Unknown'), "
	"(1, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE', 'Event sync'), "
	"(2, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_WAIT_EVENT', 'Stream wait sync'), "
	"(3, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE', 'Stream sync'), "
	"(4, 'CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE', 'Context sync');"
	"CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, "
	"streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER, "
	"graphNodeId INTEGER, gridX INTEGER, gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, "
	"blockZ INTEGER);"
	"CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, "
	"streamId INTEGER, correlationId INTEGER, globalPid INTEGER, bytes INTEGER, copyKind INTEGER, srcKind INTEGER, "
	"dstKind INTEGER, graphNodeId INTEGER);"
	"CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, end INTEGER, deviceId INTEGER, contextId INTEGER, "
	"streamId INTEGER, correlationId INTEGER, globalPid INTEGER, value INTEGER, bytes INTEGER, memKind INTEGER, "
	"graphNodeId INTEGER);";

static const char optional_tables[] =
	"CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, eventClass INTEGER, globalTid INTEGER, "
	"correlationId INTEGER, nameId INTEGER, returnValue INTEGER);"
	"CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INTEGER, end INTEGER, deviceId INTEGER, contextId "
	"INTEGER, streamId INTEGER, correlationId INTEGER, globalPid INTEGER, syncType INTEGER, eventId INTEGER, "
	"eventSyncId INTEGER);"
	"CREATE TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT (deviceId INTEGER, contextId INTEGER, streamId INTEGER, "
	"correlationId INTEGER, globalPid INTEGER, eventId INTEGER, eventSyncId INTEGER);"
	"CREATE TABLE NVTX_EVENTS (start INTEGER, end INTEGER, eventType INTEGER, text TEXT, globalTid INTEGER, "
	"domainId INTEGER);"
	"CREATE TABLE TARGET_INFO_CUDA_CONTEXT_INFO (nullStreamId INTEGER, hwId INTEGER, vmId INTEGER, processId "
	"INTEGER, deviceId INTEGER, contextId INTEGER);"
	"CREATE TABLE TARGET_INFO_CUDA_STREAM (streamId INTEGER, hwId INTEGER, vmId INTEGER, processId INTEGER, "
	"contextId INTEGER, priority INTEGER, flag INTEGER);";

enum table { KERNEL, MEMCPY, MEMSET, RUNTIME, SYNC, EVENT, CONTEXT, STREAM, GPU, DEVICE, TABLES };

static const struct {
	const char *insert;
	int columns;
} rows[TABLES] = {
	[KERNEL] = {"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (?,?,?,?,?,?,?,?,?,?,132,1,1,256,1,1)", 10},
	[MEMCPY] = {"INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (?,?,?,?,?,?,?,?,?,?,?,?)", 12},
	[MEMSET] = {"INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (?,?,?,?,?,?,?,0,?,2,?)", 9},
	[RUNTIME] = {"INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (?,?,0,?,?,?,0)", 5},
	[SYNC] = {"INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (?,?,?,?,?,?,?,?,?,?)", 10},
	[EVENT] = {"INSERT INTO CUPTI_ACTIVITY_KIND_CUDA_EVENT VALUES (?,?,?,?,?,?,?)", 7},
	[CONTEXT] = {"INSERT INTO TARGET_INFO_CUDA_CONTEXT_INFO VALUES (?,0,1,?,?,?)", 4},
	[STREAM] = {"INSERT INTO TARGET_INFO_CUDA_STREAM VALUES (?,0,1,?,?,0,?)", 4},
	[GPU] = {"INSERT INTO TARGET_INFO_GPU VALUES (0,?,'NVIDIA H100 80GB HBM3',132,?,?,9,0)", 3},
	[DEVICE] = {"INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (?,?,?)", 3},
};

enum { MOST_NAMES = 256, DEEPEST = 32 };

struct writing {
	const struct program *p;
	const struct run *run;
	sqlite3 *db;
	sqlite3_stmt *insert[TABLES], *range;
	bool failed;
	const char *names[MOST_NAMES];
	int nnames;
	int64_t correlation, syncs, node; /* the last that were given out; nodes in their graph */
	int64_t *last_sync;               /* of each event: its last record's number */
};

static int64_t pid(int process)
{
	return HOST_ID | (int64_t)(PROCESS + process) << 24;
}

static int64_t pid_of_stream(const struct program *p, int stream)
{
	return pid(stream == NONE ? 0 : p->streams[stream].process);
}

/* Columns that are NULL are INT64_MIN. */
static void add_row(struct writing *w, enum table table, const int64_t *values)
{
	sqlite3_stmt *to = w->insert[table];

	for (int i = 0; i < rows[table].columns; i++) {
		if (values[i] == INT64_MIN)
			sqlite3_bind_null(to, i + 1);
		else
			sqlite3_bind_int64(to, i + 1, values[i]);
	}
	w->failed |= sqlite3_step(to) != SQLITE_DONE;
	sqlite3_reset(to);
}

/* A name's number in StringIds. */
static int64_t name_id(struct writing *w, const char *name)
{
	for (int i = 0; i < w->nnames; i++)
		if (w->names[i] == name || strcmp(w->names[i], name) == 0)
			return i + 1;
	if (w->nnames == MOST_NAMES)
		abort();
	w->names[w->nnames++] = name;
	return w->nnames;
}

/* Blocking and non-blocking streams are numbered as they were made, behind those of the driver. */
static int64_t stream_id(const struct program *p, int stream)
{
	int64_t id = FIRST_ID, base = p->streams[stream].device * STREAMS_OF_DEVICE;

	if (p->streams[stream].kind == STREAM_LEGACY)
		return base + LEGACY_ID;
	for (int i = 0; i < stream; i++)
		id += p->streams[i].device == p->streams[stream].device && p->streams[i].kind != STREAM_LEGACY;
	return base + id;
}

static int64_t device_of_stream(const struct program *p, int stream)
{
	return stream == NONE ? 0 : p->streams[stream].device;
}

/* ---- work ---- */

static void write_work(struct writing *w, const struct call *call, const struct span *ran)
{
	int64_t device = device_of_stream(w->p, call->stream), node = call->node ? ++w->node : INT64_MIN;
	int64_t start = START_NS + ran->start, end = START_NS + ran->end, stream = stream_id(w->p, call->stream);
	int64_t host = call->pageable ? 0 : 1;
	static const int64_t kinds[] = {[WAY_IN] = 1, [WAY_OUT] = 2, [WAY_ON_DEVICE] = 8, [WAY_PEER] = 10};

	if (call->op == OP_KERNEL)
		add_row(w, KERNEL,
			(int64_t[]){start, end, device, device + 1, stream, w->correlation,
				pid_of_stream(w->p, call->stream), name_id(w, call->name), name_id(w, call->name),
				node});
	else if (call->op == OP_MEMSET)
		add_row(w, MEMSET,
			(int64_t[]){start, end, device, device + 1, stream, w->correlation,
				pid_of_stream(w->p, call->stream), call->bytes, node});
	else
		add_row(w, MEMCPY,
			(int64_t[]){start, end, device, device + 1, stream, w->correlation,
				pid_of_stream(w->p, call->stream), call->bytes, kinds[call->way],
				call->way == WAY_IN ? host : 2, call->way == WAY_OUT ? host : 2, node});
}

/* ---- calls ---- */

static const char *name_of_call(const struct program *p, const struct call *call)
{
	bool own = call->stream != NONE && p->streams[call->stream].kind == STREAM_PER_THREAD;
	static const char *const names[] = {[OP_RECORD] = "cudaEventRecord_v3020",
		[OP_STREAM_WAIT] = "cudaStreamWaitEvent_v3020",
		[OP_EVENT_SYNC] = "cudaEventSynchronize_v3020",
		[OP_WAIT_FOR] = "cudaEventSynchronize_v3020",
		[OP_EVENT_QUERY] = "cudaEventQuery_v3020",
		[OP_STREAM_SYNC] = "cudaStreamSynchronize_v3020",
		[OP_DEVICE_SYNC] = "cudaDeviceSynchronize_v3020",
		[OP_MALLOC] = "cudaMalloc_v3020",
		[OP_FREE] = "cudaFree_v3020",
		[OP_GRAPH] = "cudaGraphLaunch_v10000"};

	if (call->op == OP_KERNEL)
		return own ? "cudaLaunchKernel_ptsz_v7000" : "cudaLaunchKernel_v7000";
	if (call->op == OP_MEMSET)
		return call->synchronous ? "cudaMemset_v3020"
		       : own             ? "cudaMemsetAsync_ptsz_v7000"
					 : "cudaMemsetAsync_v3020";
	if (call->op == OP_COPY && call->way == WAY_PEER)
		return "cudaMemcpyPeerAsync_v4000";
	if (call->op == OP_COPY && call->synchronous)
		return own ? "cudaMemcpy_ptds_v7000" : "cudaMemcpy_v3020";
	if (call->op == OP_COPY)
		return own ? "cudaMemcpyAsync_ptsz_v7000" : "cudaMemcpyAsync_v3020";
	return names[call->op];
}

static void write_call(struct writing *w, int thread, const struct call *call, const struct span *took)
{
	if (w->p->shape.no_calls)
		return;
	add_row(w, RUNTIME,
		(int64_t[]){START_NS + took->start, START_NS + took->end,
			pid(w->p->threads[thread].process) | (PROCESS + thread), w->correlation,
			name_id(w, name_of_call(w->p, call))});
}

static void write_sync(struct writing *w, const struct call *call, const struct span *took, int64_t type)
{
	int64_t device = device_of_stream(w->p, call->stream),
		event = call->event == NONE ? NO_STREAM : call->event + 1;
	int64_t stream = type == SYNC_OF_STREAM || type == SYNC_STREAM_WAIT ? stream_id(w->p, call->stream) : NO_STREAM;
	int64_t number = call->event == NONE ? NO_STREAM : w->last_sync[call->event];
	bool left_out = w->p->shape.no_syncs || (w->p->shape.sync_as_nsys && type == SYNC_OF_CONTEXT);

	if (type == SYNC_OF_STREAM && w->p->shape.sync_as_nsys)
		type = SYNC_STREAM_WAIT;
	if (!left_out)
		add_row(w, SYNC,
			(int64_t[]){START_NS + took->start + 200, START_NS + took->end - 300, device, device + 1,
				stream, w->correlation, pid_of_stream(w->p, call->stream), type, event, number});
}

static void write_record(struct writing *w, const struct call *call)
{
	int64_t device = device_of_stream(w->p, call->stream);

	w->last_sync[call->event] = ++w->syncs;
	if (!w->p->shape.no_events)
		add_row(w, EVENT,
			(int64_t[]){device, device + 1, stream_id(w->p, call->stream), w->correlation,
				pid_of_stream(w->p, call->stream), call->event + 1, w->syncs});
}

static void write_rest(struct writing *w, const struct call *call, const struct span *took)
{
	/* A changed program's order is in no row. */
	if ((call->op == OP_RECORD || call->op == OP_STREAM_WAIT) && call->event == NONE)
		return;
	if (call->op == OP_RECORD)
		write_record(w, call);
	else if (call->op == OP_STREAM_WAIT)
		write_sync(w, call, took, SYNC_STREAM_WAIT);
	else if (call->op == OP_EVENT_SYNC)
		write_sync(w, call, took, SYNC_OF_EVENT);
	else if (call->op == OP_STREAM_SYNC)
		write_sync(w, call, took, SYNC_OF_STREAM);
	else if (call->op == OP_DEVICE_SYNC)
		write_sync(w, call, took, SYNC_OF_CONTEXT);
}

static void write_range(struct writing *w, int thread, const char *name, int64_t start, int64_t end)
{
	sqlite3_bind_int64(w->range, 1, START_NS + start);
	sqlite3_bind_int64(w->range, 2, START_NS + end);
	sqlite3_bind_text(w->range, 3, name, -1, SQLITE_STATIC);
	sqlite3_bind_int64(w->range, 4, pid(w->p->threads[thread].process) | (PROCESS + thread));
	w->failed |= sqlite3_step(w->range) != SQLITE_DONE;
	sqlite3_reset(w->range);
}

/* A thread's calls in order: what is of an event's last record is known where the event is waited for. */
static void write_thread(struct writing *w, int thread)
{
	const struct thread *t = &w->p->threads[thread];
	int open[DEEPEST], depth = 0;

	for (int i = 0; i < t->n; i++) {
		const struct call *call = &t->calls[i];
		const struct span *took = &w->run->calls[thread][i];

		if (call->op == OP_PUSH && depth < DEEPEST) {
			open[depth++] = i;
		} else if (call->op == OP_POP && depth > 0) {
			int from = open[--depth];

			if (w->p->shape.ranges)
				write_range(
					w, thread, t->calls[from].name, w->run->calls[thread][from].start, took->end);
		} else if (call->op != OP_HOST && call->op != OP_POST && call->op != OP_TAKE) {
			if (!call->node) {
				w->correlation++;
				w->node = 0;
				write_call(w, thread, call, took);
			}
			if (is_work(call))
				write_work(w, call, &w->run->pieces[w->run->piece_of[thread][i]].ran);
			write_rest(w, call, took);
		}
	}
}

/* ---- places and names ---- */

static int processes(const struct program *p)
{
	return p->threads[p->nthreads - 1].process + 1;
}

static void write_places(struct writing *w)
{
	static const int64_t flags[] = {[STREAM_LEGACY] = FLAG_LEGACY,
		[STREAM_BLOCKING] = FLAG_BLOCKING,
		[STREAM_PER_THREAD] = FLAG_BLOCKING,
		[STREAM_NON_BLOCKING] = FLAG_NON_BLOCKING};

	for (int64_t i = 0; i < w->p->devices; i++)
		add_row(w, GPU, (int64_t[]){i, i, w->p->machine.engines});
	for (int64_t process = PROCESS; process < PROCESS + processes(w->p); process++) {
		for (int64_t i = 0; i < w->p->devices; i++) {
			add_row(w, DEVICE, (int64_t[]){i, i, process});
			add_row(w, CONTEXT, (int64_t[]){i * STREAMS_OF_DEVICE + LEGACY_ID, process, i, i + 1});
		}
	}
	for (int i = 0; i < w->p->nstreams; i++)
		add_row(w, STREAM,
			(int64_t[]){stream_id(w->p, i), PROCESS + w->p->streams[i].process,
				device_of_stream(w->p, i) + 1, flags[w->p->streams[i].kind]});
}

static void run_sql(struct writing *w, const char *sql)
{
	if (sqlite3_exec(w->db, sql, NULL, NULL, NULL) != SQLITE_OK) {
		fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(w->db));
		w->failed = true;
	}
}

static void write_names(struct writing *w)
{
	char sql[512];

	for (int i = 0; i < w->nnames; i++) {
		snprintf(sql, sizeof(sql), "INSERT INTO StringIds VALUES (%d, '%s')", i + 1, w->names[i]);
		run_sql(w, sql);
	}
	for (int i = 0; i < processes(w->p); i++) {
		snprintf(sql, sizeof(sql), "INSERT INTO PROCESSES VALUES (%" PRId64 ", %d, 'simulated')", pid(i),
			PROCESS + i);
		run_sql(w, sql);
	}
}

/* Tables of events exist if they have rows, as in an export. */
static void leave_out(struct writing *w)
{
	static const char *const names[] = {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY",
		"CUPTI_ACTIVITY_KIND_MEMSET", "CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION",
		"CUPTI_ACTIVITY_KIND_CUDA_EVENT", "NVTX_EVENTS"};
	const struct shape *shape = &w->p->shape;
	char sql[128];
	sqlite3_stmt *count;

	if (shape->no_event_sync_id) {
		run_sql(w, "ALTER TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION DROP COLUMN eventSyncId");
		run_sql(w, "ALTER TABLE CUPTI_ACTIVITY_KIND_CUDA_EVENT DROP COLUMN eventSyncId");
	}
	if (shape->no_stream_info)
		run_sql(w, "DROP TABLE TARGET_INFO_CUDA_STREAM; DROP TABLE TARGET_INFO_CUDA_CONTEXT_INFO");
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++) {
		snprintf(sql, sizeof(sql), "SELECT 1 FROM %s LIMIT 1", names[i]);
		if (sqlite3_prepare_v2(w->db, sql, -1, &count, NULL) != SQLITE_OK) {
			w->failed = true;
			continue;
		}
		if (sqlite3_step(count) != SQLITE_ROW) {
			sqlite3_finalize(count);
			snprintf(sql, sizeof(sql), "DROP TABLE %s", names[i]);
			run_sql(w, sql);
		} else {
			sqlite3_finalize(count);
		}
	}
}

static sqlite3_stmt *prepare(struct writing *w, const char *sql)
{
	sqlite3_stmt *stmt = NULL;

	if (sqlite3_prepare_v2(w->db, sql, -1, &stmt, NULL) != SQLITE_OK) {
		fprintf(stderr, "%s: %s\n", sql, sqlite3_errmsg(w->db));
		w->failed = true;
	}
	return stmt;
}

static void write_file(struct writing *w)
{
	run_sql(w, tables);
	run_sql(w, optional_tables);
	for (int i = 0; i < TABLES; i++)
		w->insert[i] = prepare(w, rows[i].insert);
	w->range = prepare(w, "INSERT INTO NVTX_EVENTS VALUES (?, ?, 59, ?, ?, 0)");
	if (!w->failed) {
		for (int t = 0; t < w->p->nthreads; t++)
			write_thread(w, t);
		write_places(w);
		write_names(w);
	}
	for (int i = 0; i < TABLES; i++)
		sqlite3_finalize(w->insert[i]);
	sqlite3_finalize(w->range);
	leave_out(w);
	run_sql(w, "COMMIT");
}

bool export_run(const struct program *p, const struct run *run, const char *file)
{
	struct writing w = {.p = p, .run = run, .correlation = 100};

	remove(file);
	if (sqlite3_open(file, &w.db) != SQLITE_OK) {
		fprintf(stderr, "%s: %s\n", file, sqlite3_errmsg(w.db));
		sqlite3_close(w.db);
		return false;
	}
	w.last_sync = calloc((size_t)p->nevents + 1, sizeof(*w.last_sync));
	if (!w.last_sync)
		abort();
	write_file(&w);
	free(w.last_sync);
	return sqlite3_close(w.db) == SQLITE_OK && !w.failed;
}
