/* schema.c: the tables are those of Nsight Systems. docs-tables.test holds docs/recording.md against the schema. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sqlite3.h>

#include "fixtures/scratch.h"
#include "fixtures/recordings.h"

/* The columns and types of a table, as text. */
static void columns_of(sqlite3 *db, const char *table, char *text, size_t size)
{
	sqlite3_stmt *stmt;
	size_t used = 0;

	text[0] = '\0';
	assert_int_equal(
		sqlite3_prepare_v2(db, "SELECT name, type FROM pragma_table_info(?) ORDER BY cid", -1, &stmt, NULL),
		SQLITE_OK);
	assert_int_equal(sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC), SQLITE_OK);
	while (sqlite3_step(stmt) == SQLITE_ROW && used < size)
		used += (size_t)snprintf(text + used, size - used, "%s %s\n",
			(const char *)sqlite3_column_text(stmt, 0), (const char *)sqlite3_column_text(stmt, 1));
	sqlite3_finalize(stmt);
}

/* The whole of a file of the source tree; the caller frees it. */
static char *source_file(const char *name)
{
	const char *top = getenv("srcdir");
	char path[1024], *text;
	FILE *file;
	long size;

	snprintf(path, sizeof path, "%s/%s", top != NULL ? top : ".", name);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	size = ftell(file);
	rewind(file);
	text = calloc((size_t)size + 1, 1);
	assert_non_null(text);
	assert_int_equal(fread(text, 1, (size_t)size, file), size);
	assert_int_equal(fclose(file), 0);
	return text;
}

static void tables_are_those_of_nsight_systems(void **state)
{
	static const enum table_id events[] = {
		TABLE_MEMCPY, TABLE_RUNTIME, TABLE_SYNCHRONIZATION, TABLE_CUDAEVENT, TABLE_NVTX};
	const struct value nothing[TABLE_MAX_COLUMNS] = {0};
	char *sql = source_file("tests/support/nsys-schema.sql"), ours[4096], theirs[4096];
	struct recording *rec = create("r");
	sqlite3 *recording, *nsys;
	sqlite3_stmt *tables;
	int compared = 0;

	(void)state;
	write_kernel(rec, 0, 0, 1, "k");
	for (size_t i = 0; i < sizeof events / sizeof *events; i++)
		write_row(rec, events[i], nothing);
	finish(rec);
	assert_int_equal(sqlite3_open(in_scratch("r"), &recording), SQLITE_OK);
	assert_int_equal(sqlite3_open(":memory:", &nsys), SQLITE_OK);
	assert_int_equal(sqlite3_exec(nsys, sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(nsys, "SELECT name FROM sqlite_master", -1, &tables, NULL), SQLITE_OK);
	for (; sqlite3_step(tables) == SQLITE_ROW; compared++) {
		const char *name = (const char *)sqlite3_column_text(tables, 0);

		columns_of(recording, name, ours, sizeof ours);
		columns_of(nsys, name, theirs, sizeof theirs);
		assert_string_equal(ours, theirs);
	}
	assert_true(compared > 25);
	sqlite3_finalize(tables);
	sqlite3_close(nsys);
	sqlite3_close(recording);
	free(sql);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(tables_are_those_of_nsight_systems),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
