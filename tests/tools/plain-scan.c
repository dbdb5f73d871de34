/* plain-scan.c: reads the columns that a report needs of an export's large tables, or of one of them, with
 * sqlite3_step() in one thread, and does nothing with them: the measure that reports of large exports are held against.
 * Prints how many rows there were, and a sum of all that was read. usage: plain-scan FILE [kernels|copies|calls|ranges]
 */
#include <inttypes.h>
#include <sqlite3.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

static const struct table {
	const char *name, *sql;
} tables[] = {
	{"kernels", "SELECT start, \"end\", deviceId, streamId, globalPid, correlationId, shortName, demangledName "
		    "FROM CUPTI_ACTIVITY_KIND_KERNEL"},
	{"copies", "SELECT start, \"end\", deviceId, streamId, globalPid, correlationId, bytes, copyKind, srcKind, "
		   "dstKind "
		   "FROM CUPTI_ACTIVITY_KIND_MEMCPY"},
	{"calls", "SELECT start, \"end\", globalTid, correlationId, nameId FROM CUPTI_ACTIVITY_KIND_RUNTIME"},
	{"ranges", "SELECT start, \"end\", eventType, color, text, globalTid, textId, domainId FROM NVTX_EVENTS"},
};

static uint64_t rows, sum;

static void take(sqlite3_stmt *stmt)
{
	int n = sqlite3_column_count(stmt);

	for (int i = 0; i < n; i++)
		if (sqlite3_column_type(stmt, i) == SQLITE_TEXT)
			sum += *sqlite3_column_text(stmt, i);
		else
			sum += (uint64_t)sqlite3_column_int64(stmt, i);
	rows++;
}

static int scan(sqlite3 *db, const char *sql)
{
	sqlite3_stmt *stmt;
	int got;

	if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) != SQLITE_OK)
		return -1;
	while ((got = sqlite3_step(stmt)) == SQLITE_ROW)
		take(stmt);
	sqlite3_finalize(stmt);
	return got == SQLITE_DONE ? 0 : -1;
}

int main(int argc, char **argv)
{
	sqlite3 *db;
	int failed;

	if (argc < 2 || argc > 3) {
		fputs("usage: plain-scan FILE [kernels|copies|calls|ranges]\n", stderr);
		return 2;
	}
	failed = sqlite3_open_v2(argv[1], &db, SQLITE_OPEN_READONLY, NULL);
	for (size_t i = 0; failed == 0 && i < sizeof(tables) / sizeof(*tables); i++)
		if (argc == 2 || strcmp(argv[2], tables[i].name) == 0)
			failed = scan(db, tables[i].sql);
	if (failed != 0)
		fprintf(stderr, "plain-scan: %s: %s\n", argv[1], sqlite3_errmsg(db));
	else
		printf("%" PRIu64 " rows %" PRIu64 "\n", rows, sum);
	sqlite3_close(db);
	return failed != 0;
}
