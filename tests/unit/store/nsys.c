/* nsys.c: exports of Nsight Systems in the shapes of all its versions give the same numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixtures/nsys-fixture.h"

/*
 * One program in every shape. Range "work" holds the calls of a copy in from pageable memory (1000 to 2000), a kernel
 * (1500 to 3000) and a copy out (2500 to 4000); a memset (5000 to 5100) is called after it.
 */
static void assert_numbers(const json_t *tree)
{
	assert_false_at(tree, "dbprof");
	assert_size(tree, "gpus", 1);
	assert_integer(tree, "gpus.0.span_ns", 4100);
	assert_integer(tree, "gpus.0.idle_ns", 1000);
	assert_integer(tree, "gpus.0.busy_ns.h2d", 1000);
	assert_integer(tree, "gpus.0.busy_ns.d2h", 1500);
	assert_integer(tree, "gpus.0.busy_ns.kernel", 1500);
	assert_integer(tree, "gpus.0.busy_ns.other", 100);
	assert_integer(tree, "gpus.0.busy_ns.copy", 2500);
	assert_integer(tree, "gpus.0.overlap_ns", 1000);
	assert_integer(tree, "gpus.0.exposed_copy_ns", 1500);
	assert_integer(tree, "gpus.0.exposed_h2d_ns", 500);
	assert_integer(tree, "gpus.0.exposed_d2h_ns", 1000);
	assert_integer(tree, "gpus.0.duplex_ns", 0);
	assert_text(tree, "gpus.0.name", "Test GPU");
	assert_size(tree, "ranges", 1);
	assert_text(tree, "ranges.0.name", "work");
	assert_integer(tree, "ranges.0.gpus.0.span_ns", 3000);
	assert_integer(tree, "ranges.0.gpus.0.overlap_ns", 1000);
	assert_text(tree, "program.kernels.0.name", "saxpy");
	assert_text(tree, "program.copies.0.kind", "device to host");
	assert_text(tree, "program.copies.0.memory", "pinned");
	assert_text(tree, "program.copies.1.memory", "pageable");
	assert_integer(tree, "program.copies.1.bytes", 4096);
	assert_size(tree, "diagnostics", 0);
}

static const char memset_table[] =
	"CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, \"end\" INTEGER, deviceId INTEGER, streamId INTEGER,"
	" correlationId INTEGER, globalPid INTEGER, bytes INTEGER);"
	"INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (5000, 5100, 0, 7, 4, " PID ", 64);";

static void the_current_version(void **state)
{
	char *schema = realloc(current_schema(), 1 << 17);
	json_t *tree;

	(void)state;
	assert_non_null(schema);
	strcat(schema, memset_table);
	tree = model_of(schema, current_rows);
	assert_numbers(tree);
	json_decref(tree);
	free(schema);
}

/* The first versions of 2021: no ENUM tables, no classes and domains, another table for GPUs; all columns INT. */
#define TABLES_2021                                                                                                    \
	"CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INT NOT NULL, \"end\" INT NOT NULL, globalTid INT,"           \
	" correlationId INT, nameId INT NOT NULL, returnValue INT NOT NULL);"                                          \
	"CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, \"end\" INT, deviceId INT, contextId INT, streamId INT,"  \
	" correlationId INT, globalPid INT, demangledName INT, shortName INT);"                                        \
	"CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INT, \"end\" INT, deviceId INT, contextId INT, streamId INT,"  \
	" correlationId INT, globalPid INT, bytes INT, copyKind INT, srcKind INT, dstKind INT);"                       \
	"CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INT, \"end\" INT, deviceId INT, contextId INT, streamId INT,"  \
	" correlationId INT, globalPid INT, value INT, bytes INT);"                                                    \
	"CREATE TABLE NVTX_EVENTS (start INT, \"end\" INT, eventType INT, rangeId INT, category INT, color INT,"       \
	" text TEXT, globalTid INT, endGlobalTid INT, textId INT);"                                                    \
	"CREATE TABLE TARGET_INFO_CUDA_GPU (deviceId INT, name TEXT, numMultiprocessors INT, numThreadsPerWarp INT,"   \
	" maxWarpsPerMultiprocessor INT, computeCapabilityMajor INT, computeCapabilityMinor INT);"                     \
	"INSERT INTO TARGET_INFO_CUDA_GPU VALUES (0, 'Test GPU', 132, 32, 64, 9, 0);"

static const char rows_2021[] =
	"INSERT INTO StringIds VALUES (1, 'saxpy'), (2, 'saxpy(float*)'), (3, 'work'), (4, 'cudaLaunchKernel_v7000');"
	"INSERT INTO NVTX_EVENTS VALUES (0, 500, 59, NULL, NULL, NULL, NULL, " TID ", NULL, 3);"
	"INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (600, 610, " TID ", 4, 4, 0), (100, 110, " TID ", 1, 4, 0),"
	" (200, 210, " TID ", 2, 4, 0), (300, 310, " TID ", 3, 4, 0);"
	"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1500, 3000, 0, 1, 7, 2, " PID ", 2, 1);"
	"INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1000, 2000, 0, 1, 7, 1, " PID ", 4096, 1, 0, 2),"
	" (2500, 4000, 0, 1, 7, 3, " PID ", 8192, 2, 2, 1);"
	"INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (5000, 5100, 0, 1, 7, 4, " PID ", 0, 64);";

static void the_first_version_of_2021(void **state)
{
	json_t *tree = model_of(
		TABLES_2021 "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);", rows_2021);

	(void)state;
	assert_numbers(tree);
	assert_integer(tree, "device.sms", 132);
	assert_text(tree, "device.compute", "9.0");
	json_decref(tree);
}

/* Texts in place of ids, and no table of texts. */
static void strings_in_place(void **state)
{
	json_t *tree = model_of(TABLES_2021,
		"INSERT INTO NVTX_EVENTS VALUES (0, 500, 59, NULL, NULL, NULL, 'work', " TID ", NULL, NULL);"
		"INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (100, 110, " TID
		", 1, 'cudaMemcpy', 0), (200, 210, " TID ", 2, 'cudaLaunchKernel', 0), (300, 310, " TID
		", 3, 'cudaMemcpy', 0), (600, 610, " TID ", 4, 'cudaMemset', 0);"
		"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1500, 3000, 0, 1, 7, 2, " PID
		", 'saxpy(float*)', 'saxpy');"
		"INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1000, 2000, 0, 1, 7, 1, " PID ", 4096, 1, 0, 2),"
		" (2500, 4000, 0, 1, 7, 3, " PID ", 8192, 2, 2, 1);"
		"INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (5000, 5100, 0, 1, 7, 4, " PID ", 0, 64);");

	(void)state;
	assert_numbers(tree);
	json_decref(tree);
}

/* The file's own tables say what its numbers mean: by CUPTI's symbols, or by labels alone. */
static void enumerations_numbered_otherwise(void **state)
{
	static const char tables[] = TABLES_2021
		"CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);"
		"CREATE TABLE ENUM_CUDA_MEMCPY_OPER (id INTEGER, name TEXT);"
		"INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES (40, 'CUPTI_ACTIVITY_MEMCPY_KIND_HTOD'),"
		" (1, 'CUPTI_ACTIVITY_MEMCPY_KIND_DTOH'), (2, 'CUPTI_ACTIVITY_MEMCPY_KIND_HTOD');"
		"CREATE TABLE ENUM_CUDA_MEM_KIND (id INTEGER, label TEXT);"
		"INSERT INTO ENUM_CUDA_MEM_KIND VALUES (1, 'pageable'), (2, 'pinned'), (3, 'device'), (1000, 'Device');"
		"CREATE TABLE ENUM_NSYS_EVENT_TYPE (id INTEGER, name TEXT, label TEXT);"
		"INSERT INTO ENUM_NSYS_EVENT_TYPE VALUES (7, 'NvtxPushPopRange', NULL), (59, 'NvtxMark', NULL);";
	json_t *tree;

	(void)state;
	make_export(tables, rows_2021);
	tree = model_of(tables,
		"INSERT INTO StringIds VALUES (1, 'saxpy'), (2, 'saxpy(float*)'), (3, 'work'), (4, 'call');"
		"INSERT INTO NVTX_EVENTS VALUES (0, 500, 7, NULL, NULL, NULL, NULL, " TID
		", NULL, 3), (0, 1, 59, NULL, NULL, NULL, 'a mark', " TID ", NULL, NULL);"
		"INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (600, 610, " TID ", 4, 4, 0), (100, 110, " TID
		", 1, 4, 0),"
		" (200, 210, " TID ", 2, 4, 0), (300, 310, " TID ", 3, 4, 0);"
		"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1500, 3000, 0, 1, 7, 2, " PID ", 2, 1);"
		"INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1000, 2000, 0, 1, 7, 1, " PID ", 4096, 40, 1, 1000),"
		" (2500, 4000, 0, 1, 7, 3, " PID ", 8192, 1, 3, 2);"
		"INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (5000, 5100, 0, 1, 7, 4, " PID ", 0, 64);");
	assert_numbers(tree);
	json_decref(tree);
}

/* Numbers kept as text, as some exporters and converters write them. */
static void numbers_as_text(void **state)
{
	static const char *const tables[] = {"CUPTI_ACTIVITY_KIND_RUNTIME", "CUPTI_ACTIVITY_KIND_KERNEL",
		"CUPTI_ACTIVITY_KIND_MEMCPY", "CUPTI_ACTIVITY_KIND_MEMSET"};
	static const char strings[] = "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);";
	sqlite3 *db;
	json_t *tree;
	char sql[512];

	(void)state;
	make_export(TABLES_2021, strings);
	assert_int_equal(sqlite3_open(in_scratch("export.sqlite"), &db), SQLITE_OK);
	run_sql(db, rows_2021);
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		snprintf(sql, sizeof sql,
			"CREATE TABLE new AS SELECT *, CAST(start AS TEXT) AS s, CAST(correlationId AS TEXT) AS c FROM "
			"%s;"
			"UPDATE new SET start = NULL, correlationId = NULL;"
			"ALTER TABLE new DROP COLUMN start; ALTER TABLE new DROP COLUMN correlationId;"
			"ALTER TABLE new RENAME COLUMN s TO start; ALTER TABLE new RENAME COLUMN c TO correlationId;"
			"DROP TABLE %s; ALTER TABLE new RENAME TO %s",
			tables[i], tables[i], tables[i]);
		run_sql(db, sql);
	}
	sqlite3_close(db);
	tree = fixture_model("export.sqlite");
	assert_numbers(tree);
	json_decref(tree);
}

/* Work that names no process is joined by its correlation id alone, if there is one process only. */
static void work_without_a_process(void **state)
{
	static const char strings[] =
		TABLES_2021 "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT NOT NULL);";
	char sql[8192];
	json_t *tree;

	(void)state;
	snprintf(sql, sizeof sql,
		"%s UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET globalPid = NULL; ALTER TABLE CUPTI_ACTIVITY_KIND_MEMCPY "
		"DROP "
		"COLUMN globalPid; UPDATE CUPTI_ACTIVITY_KIND_MEMSET SET globalPid = NULL;",
		rows_2021);
	tree = model_of(strings, sql);
	assert_numbers(tree);
	json_decref(tree);
	/* Some of it does. */
	strcat(sql, "UPDATE CUPTI_ACTIVITY_KIND_MEMSET SET globalPid = " PID ";");
	tree = model_of(strings, sql);
	assert_numbers(tree);
	json_decref(tree);
	/* Another process with the same ids: nobody can tell. */
	strcat(sql, "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (250, 260, 281476285333583, 2, 4, 0)");
	tree = model_of(strings, sql);
	assert_integer(tree, "ranges.0.gpus.0.busy_ns.kernel", 0);
	assert_integer(tree, "ranges.0.gpus.0.busy_ns.copy", 2500);
	assert_integer(tree, "gpus.0.busy_ns.kernel", 1500);
	assert_text(tree, "diagnostics.0.text",
		"1 piece of device work belongs to no NVTX range: several processes were recorded, and the file does "
		"not "
		"say whose work it is");
	json_decref(tree);
}

/* Without API calls the whole is the same, and the ranges are empty, which is said. */
static void no_calls(void **state)
{
	char *schema = current_schema(), sql[8192];
	json_t *tree;

	(void)state;
	snprintf(sql, sizeof sql, "%s DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME", current_rows);
	tree = model_of(schema, sql);
	free(schema);
	assert_integer(tree, "gpus.0.overlap_ns", 1000);
	assert_size(tree, "ranges.0.gpus", 0);
	assert_text(tree, "diagnostics.0.text",
		"the calls of the CUDA API were not recorded: no device work can be assigned to NVTX ranges");
	json_decref(tree);
}

/* A correlation id counts per process, and so does a CUDA device number where CUDA_VISIBLE_DEVICES differs. */
static void two_processes_with_a_gpu_each(void **state)
{
	json_t *tree = current_model(
		"INSERT INTO TARGET_INFO_GPU (id, name, cuDevice) VALUES (4, 'GPU A', NULL), (5, 'GPU B', 1);"
		"INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (4, 0, 10), (5, 0, 11);"
		"INSERT INTO NVTX_EVENTS (start, \"end\", eventType, globalTid, text) VALUES"
		" (0, 100, 59, 167772170, 'r'), (0, 100, 59, 184549387, 'r');"
		"INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, \"end\", globalTid, correlationId, nameId) VALUES"
		" (10, 11, 167772170, 1, 1), (200, 201, 184549387, 1, 1);"
		"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, \"end\", deviceId, streamId, correlationId, globalPid) "
		"VALUES"
		" (1000, 1100, 0, 7, 1, 167772160), (1050, 1250, 0, 7, 1, 184549376);");

	(void)state;
	assert_size(tree, "gpus", 2);
	assert_text(tree, "gpus.0.name", "GPU A");
	assert_integer(tree, "gpus.0.device", 4);
	assert_integer(tree, "gpus.0.busy_ns.kernel", 100);
	assert_text(tree, "gpus.1.name", "GPU B");
	assert_integer(tree, "gpus.1.device", 5);
	assert_integer(tree, "gpus.1.busy_ns.kernel", 200);
	assert_size(tree, "ranges.0.gpus", 1);
	assert_integer(tree, "ranges.0.gpus.0.device", 4);
	json_decref(tree);
}

/* A context's device number is the process's own as well: both processes' default streams are found, by what their
 * contexts say, on their GPUs 4 and 5. */
static void default_streams_of_a_gpu_each(void **state)
{
	json_t *tree = current_model(
		"INSERT INTO TARGET_INFO_GPU (id, name, cuDevice) VALUES (4, 'GPU A', NULL), (5, 'GPU B', 1);"
		"INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (4, 0, 10), (5, 0, 11);"
		"INSERT INTO TARGET_INFO_CUDA_CONTEXT_INFO (nullStreamId, processId, deviceId, contextId) VALUES"
		" (13, 10, 0, 1), (14, 11, 0, 1);"
		"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 9)"
		"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, \"end\", deviceId, streamId, globalPid)"
		" SELECT 1500 + 1000 * i, 1900 + 1000 * i, 0, 13 + p, 167772160 + 16777216 * p"
		" FROM n, (SELECT 0 AS p UNION SELECT 1);"
		"INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, \"end\", deviceId, streamId, globalPid, bytes, "
		"copyKind)"
		" SELECT start - 500, start, 0, streamId, globalPid, 4096, 1 FROM CUPTI_ACTIVITY_KIND_KERNEL;");

	(void)state;
	assert_size(tree, "program.timeline.lanes", 4);
	assert_true(json_is_true(at(tree, "program.timeline.lanes.0.default_stream")));
	assert_true(json_is_true(at(tree, "program.timeline.lanes.3.default_stream")));
	assert_size(tree, "program.pays", 2);
	assert_integer(tree, "program.pays.0.device", 4);
	assert_text(tree, "program.pays.0.copies.0.reason", "default-stream");
	assert_integer(tree, "program.pays.1.device", 5);
	assert_text(tree, "program.pays.1.copies.0.reason", "default-stream");
	json_decref(tree);
}

/* One call launches a graph of many kernels. */
static void graphs_by_node(void **state)
{
	json_t *tree = current_model(
		"INSERT INTO NVTX_EVENTS (start, \"end\", eventType, globalTid, text) VALUES (0, 100, 59, " TID
		", 'r');"
		"INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, \"end\", globalTid, correlationId, nameId) VALUES"
		" (10, 11, " TID ", 5, 1), (12, 13, " TID ", 5, 1), (300, 301, " TID ", 6, 1);"
		"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999)"
		"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, \"end\", deviceId, streamId, correlationId, globalPid,"
		" graphNodeId) SELECT 1000 + 10 * i, 1007 + 10 * i, 0, 7, 5 + i % 2, " PID ", i FROM n;");

	(void)state;
	assert_integer(tree, "gpus.0.busy_ns.kernel", 7000);
	assert_integer(tree, "ranges.0.gpus.0.busy_ns.kernel", 3500);
	json_decref(tree);
}

static void graphs_as_a_whole(void **state)
{
	json_t *tree = current_model(
		"CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, \"end\" INTEGER, deviceId INTEGER,"
		" contextId INTEGER, greenContextId INTEGER, streamId INTEGER, correlationId INTEGER, globalPid "
		"INTEGER,"
		" graphId INTEGER, graphExecId INTEGER);"
		"INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (1000, 2000, 0, 1, NULL, 7, 5, " PID ", 3, 4),"
		" (3000, 4000, 0, 1, NULL, 7, 6, " PID ", 3, 4), (5000, 0, 0, 1, NULL, 7, 6, " PID ", 3, 4);");

	(void)state;
	assert_integer(tree, "gpus.0.busy_ns.kernel", 0);
	assert_integer(tree, "gpus.0.busy_ns.other", 2000);
	assert_integer(tree, "gpus.0.span_ns", 3000);
	assert_text(tree, "program.timeline.lanes.0.events.0.text", "CUDA graph 3");
	assert_size(tree, "program.kernels", 0);
	assert_text(tree, "diagnostics.0.text", "1 record has no times and is left out");
	assert_text(tree, "diagnostics.1.text",
		"2 launches of CUDA graphs were recorded as a whole: the kernels and copies inside are missing from "
		"every "
		"number but busy and idle time; record again with `nsys profile --cuda-graph-trace=node`");
	json_decref(tree);
}

/* Start/end ranges hold work like others, but neither nest nor are nested in. */
static void start_end_ranges(void **state)
{
	json_t *tree = current_model(
		"INSERT INTO NVTX_EVENTS (start, \"end\", eventType, globalTid, text) VALUES"
		" (0, 100, 59, " TID ", 'outer'), (10, 90, 59, " TID ", 'inner'), (5, 60, 60, " TID ", 'a'),"
		" (50, 200, 60, " TID ", 'b'), (70, NULL, 60, " TID ", 'open'), (0, 100, 34, " TID ", 'a mark');"
		"INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, \"end\", globalTid, correlationId, nameId) VALUES"
		" (55, 56, " TID ", 5, 1);"
		"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, \"end\", deviceId, streamId, correlationId, globalPid) "
		"VALUES"
		" (300, 400, 0, 7, 5, " PID ");");
	static const struct {
		const char *name;
		int depth, busy;
	} wanted[] = {{"outer", 0, 100}, {"a", 2, 100}, {"inner", 1, 100}, {"b", 3, 100}, {"open", 2, -1}};
	char path[64];

	(void)state;
	assert_size(tree, "ranges", 5);
	for (int i = 0; i < 5; i++) {
		snprintf(path, sizeof path, "program.timeline.ranges.%d.text", i);
		assert_text(tree, path, wanted[i].name);
		snprintf(path, sizeof path, "program.timeline.ranges.%d.depth", i);
		assert_integer(tree, path, wanted[i].depth);
		snprintf(path, sizeof path, "ranges.%d.gpus", i);
		assert_size(tree, path, wanted[i].busy < 0 ? 0 : 1);
	}
	json_decref(tree);
}

/* What is an iteration of a family in a recording of families is a range like any other elsewhere. */
static void ranges_that_look_like_iterations(void **state)
{
	json_t *tree = current_model("INSERT INTO NVTX_EVENTS (start, \"end\", eventType, globalTid, text) VALUES"
				     " (0, 100, 59, " TID ", 'model/layer'), (10, 90, 59, " TID ", 'trace step 1');");

	(void)state;
	assert_size(tree, "ranges", 2);
	assert_text(tree, "ranges.1.name", "trace step 1");
	json_decref(tree);
}

/* NULL everywhere but in times: the work counts as that of device 0 and an unknown name. */
static void nothing_but_times(void **state)
{
	json_t *tree = model_of("CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, \"end\");"
				"CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start, \"end\", copyKind);"
				"CREATE TABLE NVTX_EVENTS (start, \"end\", text);"
				"CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start, correlationId);",
		"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 30), (NULL, NULL), (50, 40), ('x', 'y');"
		"INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (20, 40, 1), (50, 60, NULL), (60, 70, 99);"
		"INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (5, NULL);"
		"INSERT INTO NVTX_EVENTS VALUES (0, 100, 'all'), (1, NULL, 'a mark');");

	(void)state;
	assert_integer(tree, "gpus.0.busy_ns.kernel", 20);
	assert_integer(tree, "gpus.0.busy_ns.h2d", 20);
	assert_integer(tree, "gpus.0.busy_ns.other", 20);
	assert_integer(tree, "gpus.0.overlap_ns", 10);
	assert_text(tree, "program.kernels.0.name", "kernel");
	assert_size(tree, "ranges", 1);
	assert_size(tree, "ranges.0.gpus", 0);
	assert_text(tree, "diagnostics.0.text", "3 records have no times and are left out");
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(the_current_version),
		scratch_test(the_first_version_of_2021),
		scratch_test(strings_in_place),
		scratch_test(enumerations_numbered_otherwise),
		scratch_test(numbers_as_text),
		scratch_test(work_without_a_process),
		scratch_test(no_calls),
		scratch_test(two_processes_with_a_gpu_each),
		scratch_test(default_streams_of_a_gpu_each),
		scratch_test(graphs_by_node),
		scratch_test(graphs_as_a_whole),
		scratch_test(start_end_ranges),
		scratch_test(ranges_that_look_like_iterations),
		scratch_test(nothing_but_times),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
