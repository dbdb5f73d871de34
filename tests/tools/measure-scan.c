/* measure-scan.c: what a row of a large table costs to read: in a loop of sqlite3_step(), and by store_scan() with one
 * thread and more, with each of its readers. Reads eight columns of the kernels and three of the API calls, of FILE.
 * Prints for each of them: what, rows, ns of wall time a row, ns of CPU time a row. usage: measure-scan FILE [THREADS]
 */
#include <sqlite3.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "store/scan.h"
#include "store/texts.h"

static const int kernel_columns[] = {KERNEL_start, KERNEL_end, KERNEL_deviceId, KERNEL_streamId, KERNEL_correlationId,
	KERNEL_globalPid, KERNEL_demangledName, KERNEL_graphNodeId};
static const int call_columns[] = {RUNTIME_start, RUNTIME_globalTid, RUNTIME_correlationId};

static const struct measured {
	const char *name, *sql;
	enum table_id table;
	const int *columns;
	int ncolumns;
} measured[] = {
	{"kernels",
		"SELECT start, \"end\", deviceId, streamId, correlationId, globalPid, demangledName, graphNodeId FROM "
		"CUPTI_ACTIVITY_KIND_KERNEL",
		TABLE_KERNEL, kernel_columns, 8},
	{"calls", "SELECT start, globalTid, correlationId FROM CUPTI_ACTIVITY_KIND_RUNTIME", TABLE_RUNTIME,
		call_columns, 3},
};

static _Noreturn void fail(const char *what)
{
	fprintf(stderr, "measure-scan: %s\n", what);
	exit(1);
}

static double seconds(clockid_t clock)
{
	struct timespec t;

	clock_gettime(clock, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

struct sums {
	_Atomic uint64_t rows, sum;
};

static void begin(void *user, size_t nparts)
{
	struct sums *sums = user;

	(void)nparts;
	sums->rows = 0;
	sums->sum = 0;
}

static void take(void *user, size_t part, const struct scan_rows *rows)
{
	struct sums *sums = user;
	uint64_t sum = 0;

	(void)part;
	for (size_t i = 0; i < rows->n; i++)
		sum += (uint64_t)rows->value[0][i];
	sums->rows += rows->n;
	sums->sum += sum;
}

static void scan(const char *file, const struct measured *what, int threads, struct sums *sums)
{
	struct error err = {0};
	struct store *store = store_open(file, &err);
	struct scan scan = {what->table, what->columns, (size_t)what->ncolumns, texts_new(), begin, take, sums};

	if (store)
		store_use_threads(store, threads);
	if (!store || store_scan(store, &scan, &err) != 0)
		fail(err.text);
	texts_free(scan.texts);
	store_close(store);
}

static void step(const char *file, const struct measured *what, struct sums *sums)
{
	sqlite3 *db;
	sqlite3_stmt *stmt;
	uint64_t rows = 0, sum = 0;

	if (sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY | SQLITE_OPEN_NOMUTEX, NULL) != SQLITE_OK ||
		sqlite3_prepare_v2(db, what->sql, -1, &stmt, NULL) != SQLITE_OK)
		fail(sqlite3_errmsg(db));
	while (sqlite3_step(stmt) == SQLITE_ROW) {
		for (int c = what->ncolumns - 1; c >= 0; c--)
			sum += (uint64_t)sqlite3_column_int64(stmt, c) * (c == 0);
		rows++;
	}
	sums->rows = rows;
	sums->sum = sum;
	sqlite3_finalize(stmt);
	sqlite3_close(db);
}

static uint64_t measure(const char *file, const struct measured *what, const char *reader, int threads)
{
	double wall = seconds(CLOCK_MONOTONIC), cpu = seconds(CLOCK_PROCESS_CPUTIME_ID);
	struct sums sums;
	double rows;

	if (threads == 0) {
		step(file, what, &sums);
	} else {
		setenv("DBPROF_READER", reader, 1);
		scan(file, what, threads, &sums);
	}
	rows = (double)sums.rows;
	printf("%s %s %d: %.0f rows, %.1f ns of wall time, %.1f ns of CPU time\n", what->name,
		threads ? reader : "sqlite3_step", threads ? threads : 1, rows,
		(seconds(CLOCK_MONOTONIC) - wall) * 1e9 / rows, (seconds(CLOCK_PROCESS_CPUTIME_ID) - cpu) * 1e9 / rows);
	return sums.sum;
}

static void measure_all(const char *file, const struct measured *what, int threads)
{
	uint64_t sum = measure(file, what, "", 0);

	for (int n = 1; n <= threads; n *= 2)
		if (measure(file, what, "sqlite", n) != sum)
			fail("other rows");
	for (int n = 1; n <= threads; n *= 2)
		if (measure(file, what, "pages", n) != sum)
			fail("other rows");
}

int main(int argc, char **argv)
{
	if (argc < 2)
		fail("usage: measure-scan FILE [THREADS]");
	for (size_t i = 0; i < sizeof(measured) / sizeof(*measured); i++)
		measure_all(argv[1], &measured[i], argc > 2 ? atoi(argv[2]) : 2);
	return 0;
}
