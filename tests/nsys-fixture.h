/* nsys-fixture.h: small make-believe exports of Nsight Systems, and the model built from them. Include after
 * <cmocka.h>. */
#ifndef DBPROF_TESTS_NSYS_FIXTURE_H
#define DBPROF_TESTS_NSYS_FIXTURE_H

#include <sqlite3.h>

#include "model-fixture.h"

/* Process 77 and its thread 78, with an id of the host and of a virtual machine above them, as they stand in exports.
 */
#define PID "281476268556288"
#define TID "281476268556366"

static inline void run_sql(sqlite3 *db, const char *sql)
{
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s", sqlite3_errmsg(db));
}

/* Makes export.sqlite by one script or two; the second may be NULL. */
static inline void make_export(const char *sql, const char *more)
{
	sqlite3 *db;

	remove(in_scratch("export.sqlite"));
	assert_int_equal(sqlite3_open(in_scratch("export.sqlite"), &db), SQLITE_OK);
	run_sql(db, sql);
	if (more != NULL)
		run_sql(db, more);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static inline json_t *model_of(const char *sql, const char *more)
{
	make_export(sql, more);
	return fixture_model("export.sqlite");
}

/* The tables of version 2025.3; the caller frees the text. */
static inline char *current_schema(void)
{
	const char *top = getenv("srcdir");
	char path[1024], *text = calloc(1, 1 << 16);
	FILE *file;

	snprintf(path, sizeof path, "%s/tests/nsys-schema.sql", top != NULL ? top : ".");
	file = fopen(path, "r");
	assert_true(text != NULL && file != NULL);
	assert_true(fread(text, 1, (1 << 16) - 1, file) > 0);
	fclose(file);
	return text;
}

static inline json_t *current_model(const char *rows)
{
	char *schema = current_schema();
	json_t *tree = model_of(schema, rows);

	free(schema);
	return tree;
}

/* A copy in, a kernel and a copy out, called in range "work". */
static const char current_rows[] =
	"INSERT INTO StringIds VALUES (1, 'saxpy'), (2, 'saxpy(float*)'), (3, 'work'), (4, 'cudaLaunchKernel_v7000');"
	"INSERT INTO ENUM_CUDA_MEMCPY_OPER VALUES (1, 'CUDA_MEMCPY_KIND_HTOD', 'Host-to-Device'),"
	" (2, 'CUDA_MEMCPY_KIND_DTOH', 'Device-to-Host');"
	"INSERT INTO ENUM_CUDA_MEM_KIND VALUES (0, 'CUDA_MEMOPR_MEMORY_KIND_PAGEABLE', 'Pageable'),"
	" (1, 'CUDA_MEMOPR_MEMORY_KIND_PINNED', 'Pinned'), (2, 'CUDA_MEMOPR_MEMORY_KIND_DEVICE', 'Device');"
	"INSERT INTO TARGET_INFO_GPU (id, name, cuDevice) VALUES (0, 'Test GPU', 0);"
	"INSERT INTO NVTX_EVENTS (start, \"end\", eventType, globalTid, textId, domainId) VALUES (0, 500, 59, " TID
	", 3, 0);"
	"INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, \"end\", eventClass, globalTid, correlationId, nameId) VALUES"
	" (100, 110, 0, " TID ", 1, 4), (200, 210, 0, " TID ", 2, 4), (300, 310, 0, " TID ", 3, 4), (600, 610, 0, " TID
	", 4, 4);"
	"INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, \"end\", deviceId, streamId, correlationId, globalPid, bytes,"
	" copyKind, srcKind, dstKind) VALUES (2500, 4000, 0, 7, 3, " PID ", 8192, 2, 2, 1), (1000, 2000, 0, 7, 1, " PID
	", 4096, 1, 0, 2);"
	"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, \"end\", deviceId, streamId, correlationId, globalPid,"
	" demangledName, shortName) VALUES (1500, 3000, 0, 7, 2, " PID ", 2, 1);";

#endif
