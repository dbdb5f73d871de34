/*
 * make-export.c: writes a large make-believe export of Nsight Systems, to measure how the reader scales.
 * usage: make-export SCHEMA.sql FILE KERNELS
 *
 * Two processes with two threads each; every process has a GPU of its own. Per ten kernels there are two copies, twelve
 * API calls and one NVTX range, and per hundred ranges one around them. Rows stand as a profiler writes them: sorted in
 * runs of one thread, not as a whole. The same arguments give the same file.
 */
#include <errno.h>
#include <sqlite3.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum {
	THREADS = 4,
	RUN = 1000,   /* calls in a run of one thread */
	KERNELS = 10, /* in a range, with COPIES copies */
	COPIES = 2,
	PERIOD = 40000,     /* ns of a range */
	RANGES_AROUND = 100 /* ranges in one outer range */
};

enum { KERNEL_NAMES = 200, RANGE_NAMES = 1000, NAME_RANGES = 1000, FIRST_RANGE = 100000 };

static sqlite3 *db;

static void fail(const char *what)
{
	fprintf(stderr, "make-export: %s: %s\n", what, db ? sqlite3_errmsg(db) : strerror(errno));
	exit(1);
}

static void run_sql(const char *sql)
{
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail(sql);
}

static void run_file(const char *path)
{
	static char sql[1 << 16];
	FILE *file = fopen(path, "r");
	size_t n;

	if (!file)
		fail(path);
	n = fread(sql, 1, sizeof(sql) - 1, file);
	fclose(file);
	sql[n] = '\0';
	run_sql(sql);
}

static sqlite3_stmt *prepare(const char *sql)
{
	sqlite3_stmt *stmt;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		fail(sql);
	return stmt;
}

/* One row of `n` integers, which are int64_t. */
static void insert(sqlite3_stmt *stmt, int n, ...)
{
	va_list values;

	va_start(values, n);
	for (int i = 0; i < n; i++)
		sqlite3_bind_int64(stmt, i + 1, va_arg(values, int64_t));
	va_end(values);
	if (sqlite3_step(stmt) != SQLITE_DONE)
		fail("insert");
	sqlite3_reset(stmt);
}

static void names(const char *format, int first, int count)
{
	sqlite3_stmt *stmt = prepare("INSERT INTO StringIds VALUES (?, ?)");
	char text[64];

	for (int i = 0; i < count; i++) {
		snprintf(text, sizeof(text), format, i);
		sqlite3_bind_text(stmt, 2, text, -1, SQLITE_STATIC);
		insert(stmt, 1, (int64_t)first + i);
	}
	sqlite3_finalize(stmt);
}

struct statements {
	sqlite3_stmt *call, *kernel, *copy, *range;
};

struct thread {
	int64_t tid, pid, correlation, clock, nranges;
	int64_t device, stream;
};

/* An API call of `thread` and the work that it asks for: a kernel, or every other time a copy in or out. */
static void write_call(const struct statements *to, struct thread *thread, int64_t i, bool kernel)
{
	int64_t call = thread->clock + i * 3000, id = ++thread->correlation;
	int64_t start = call + 5000 + (thread->device ? 700 : 0);

	insert(to->call, 6, call, call + 2000, thread->tid, id, (int64_t)(kernel ? 1 : 2), INT64_C(0));
	if (kernel)
		insert(to->kernel, 9, start, start + 2500, thread->device, INT64_C(1), thread->stream, id, thread->pid,
			(int64_t)NAME_RANGES + id % KERNEL_NAMES, (int64_t)NAME_RANGES + id % KERNEL_NAMES);
	else
		insert(to->copy, 11, start, start + 4000, thread->device, INT64_C(1), thread->stream + 1, id,
			thread->pid, INT64_C(1048576), 1 + id % 2, id % 2 ? INT64_C(1) : INT64_C(2),
			id % 2 ? INT64_C(2) : INT64_C(1));
}

static void write_range(const struct statements *to, struct thread *thread)
{
	if (thread->nranges % RANGES_AROUND == 0)
		insert(to->range, 4, thread->clock - 10, thread->clock + (int64_t)RANGES_AROUND * PERIOD - 20,
			thread->tid, (int64_t)FIRST_RANGE + RANGE_NAMES);
	insert(to->range, 4, thread->clock, thread->clock + PERIOD - 100, thread->tid,
		(int64_t)FIRST_RANGE + thread->nranges % RANGE_NAMES);
	for (int i = 0; i < KERNELS + COPIES; i++)
		write_call(to, thread, i, i % 6 != 5);
	thread->nranges++;
	thread->clock += PERIOD;
}

static void write_threads(const struct statements *to, int64_t kernels)
{
	struct thread threads[THREADS];
	int64_t ranges = kernels / KERNELS;

	for (int i = 0; i < THREADS; i++) {
		int64_t pid = (INT64_C(1) << 48) | (INT64_C(4000) + i / 2) << 24;

		threads[i] = (struct thread){.tid = pid | (4000 + i),
			.pid = pid,
			.correlation = i % 2 * INT64_C(1000000000),
			.clock = 1000000,
			.device = i / 2,
			.stream = 7 + 2 * (i % 2)};
	}
	for (int64_t done = 0; done < ranges;)
		for (int i = 0; i < THREADS; i++)
			for (int k = 0; k < RUN / (KERNELS + COPIES) && done < ranges; k++, done++)
				write_range(to, &threads[i]);
}

static void write_rows(int64_t kernels)
{
	struct statements to = {
		prepare("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (start, end, eventClass, globalTid, correlationId, "
			"nameId, "
			"returnValue) VALUES (?, ?, 0, ?, ?, ?, ?)"),
		prepare("INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, end, deviceId, contextId, streamId, "
			"correlationId, "
			"globalPid, demangledName, shortName, launchType, cacheConfig, registersPerThread, gridX, "
			"gridY, gridZ, "
			"blockX, blockY, blockZ, staticSharedMemory, dynamicSharedMemory, localMemoryPerThread, "
			"localMemoryTotal, gridId, sharedMemoryExecuted, sharedMemoryLimitConfig) "
			"VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, 1, 0, 32, 256, 1, 1, 256, 1, 1, 0, 0, 0, 0, 1, 0, 0)"),
		prepare("INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, end, deviceId, contextId, streamId, "
			"correlationId, "
			"globalPid, bytes, copyKind, srcKind, dstKind, copyCount) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, "
			"?, ?, 1)"),
		prepare("INSERT INTO NVTX_EVENTS (start, end, eventType, globalTid, textId, domainId) "
			"VALUES (?, ?, 59, ?, ?, 0)"),
	};

	write_threads(&to, kernels);
	sqlite3_finalize(to.call);
	sqlite3_finalize(to.kernel);
	sqlite3_finalize(to.copy);
	sqlite3_finalize(to.range);
}

int main(int argc, char **argv)
{
	if (argc != 4) {
		fprintf(stderr, "usage: make-export SCHEMA.sql FILE KERNELS\n");
		return 2;
	}
	unlink(argv[2]);
	if (sqlite3_open(argv[2], &db) != SQLITE_OK)
		fail(argv[2]);
	run_sql("PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN");
	run_file(argv[1]);
	run_sql("INSERT INTO StringIds VALUES (1, 'cudaLaunchKernel_v7000'), (2, 'cudaMemcpyAsync_v3020'), "
		"(101000, 'epoch'); INSERT INTO ENUM_CUDA_MEM_KIND VALUES (0, '', 'Pageable'), (1, '', 'Pinned'), "
		"(2, '', 'Device')");
	names("kernel_%d", NAME_RANGES, KERNEL_NAMES);
	names("step %d", FIRST_RANGE, RANGE_NAMES);
	write_rows(strtoll(argv[3], NULL, 10));
	run_sql("COMMIT");
	return sqlite3_close(db) == SQLITE_OK ? 0 : 1;
}
