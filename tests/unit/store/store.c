/* store.c: recordings written and read back: every column, names, order, facts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sqlite3.h>

#include "fixtures/near.h"
#include "fixtures/scratch.h"
#include "fixtures/recordings.h"
#include "fixtures/spools.h"

/* The text or number that a query of a file's own gives, as text, "" for no row. */
static const char *query(const char *name, const char *sql)
{
	static char answer[256];
	sqlite3 *db;
	sqlite3_stmt *stmt;

	assert_int_equal(sqlite3_open_v2(in_scratch(name), &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &stmt, NULL), SQLITE_OK);
	answer[0] = '\0';
	if (sqlite3_step(stmt) == SQLITE_ROW && sqlite3_column_type(stmt, 0) != SQLITE_NULL)
		snprintf(answer, sizeof answer, "%s", (const char *)sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
	return answer;
}

static bool is_time(const char *column)
{
	return strcmp(column, "start") == 0 || strcmp(column, "end") == 0 || strcmp(column, "timestamp") == 0;
}

/* A value for column `c` of table `t` that no other column has; its text is put into `text`. */
static struct value distinct(enum table_id t, int c, char *text, size_t size)
{
	const struct column *column = &schema_table(t)->columns[c];

	snprintf(text, size, "%s of %d", column->name, (int)t);
	if (column->type == COLUMN_INT)
		return VALUE_OF_INT(1000 * (int)t + c + (is_time(column->name) ? EPOCH : 0));
	if (column->type == COLUMN_REAL)
		return VALUE_OF_REAL(1000 * (int)t + c + 0.5);
	return VALUE_OF_TEXT(text);
}

static void check_distinct(const struct cursor *cursor, enum table_id t, int c)
{
	const struct column *column = &schema_table(t)->columns[c];
	char text[128];

	distinct(t, c, text, sizeof text);
	assert_false(cursor_null(cursor, c));
	if (column->type == COLUMN_INT)
		assert_int_equal(cursor_int(cursor, c), 1000 * (int)t + c);
	else if (column->type == COLUMN_REAL)
		assert_near(cursor_real(cursor, c), 1000 * (int)t + c + 0.5, 0);
	else
		assert_string_equal(cursor_text(cursor, c), text);
}

/* One row of distinct values and one of NULLs, in every table but META, whose key is unique, and SESSION, which is
 * filled. */
static void every_column_of_every_table_comes_back(void **state)
{
	struct recording *rec = create("r");
	struct error err = {0};
	struct store *store;

	(void)state;
	for (enum table_id t = 0; t < TABLES_NUMBER; t++) {
		struct value row[TABLE_MAX_COLUMNS] = {0};
		char text[TABLE_MAX_COLUMNS][128];

		write_row(rec, t, row);
		for (int c = 0; c < schema_table(t)->ncolumns; c++)
			row[c] = distinct(t, c, text[c], sizeof text[c]);
		write_row(rec, t, row);
	}
	finish(rec);
	store = open_store("r");
	assert_true(store_is_dbprof(store));
	for (enum table_id t = 0; t < TABLES_NUMBER; t++) {
		struct cursor *cursor = store_rows(store, t, -1, &err);

		assert_true(store_has(store, t));
		assert_non_null(cursor);
		if (t == TABLE_META || t == TABLE_SESSION)
			assert_int_equal(cursor_next(cursor, &err), 1);
		assert_int_equal(cursor_next(cursor, &err), 1);
		for (int c = 0; c < schema_table(t)->ncolumns; c++) {
			assert_true(cursor_null(cursor, c));
			assert_int_equal(cursor_int(cursor, c), 0);
			assert_null(cursor_text(cursor, c));
		}
		assert_int_equal(cursor_next(cursor, &err), 1);
		for (int c = 0; c < schema_table(t)->ncolumns; c++)
			check_distinct(cursor, t, c);
		/* The devices of the rows above are added to theirs. */
		if (t != TABLE_CUDADEVICE)
			assert_int_equal(cursor_next(cursor, &err), 0);
		cursor_close(cursor);
	}
	store_close(store);
}

static void rows_come_in_the_order_asked_for(void **state)
{
	static const int64_t starts[] = {30, -5, 20, 10}, sorted[] = {-5, 10, 20, 30};
	struct recording *rec = create("r");
	struct cursor *by_file, *by_start;
	struct store *store;

	(void)state;
	for (int i = 0; i < 4; i++)
		write_kernel(rec, starts[i], 0, 1, "k");
	finish(rec);
	store = open_store("r");
	by_file = store_rows(store, TABLE_KERNEL, -1, NULL);
	by_start = store_rows(store, TABLE_KERNEL, KERNEL_start, NULL);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(cursor_next(by_file, NULL), 1);
		assert_int_equal(cursor_next(by_start, NULL), 1);
		assert_int_equal(cursor_int(by_file, KERNEL_start), starts[i]);
		assert_int_equal(cursor_int(by_start, KERNEL_start), sorted[i]);
	}
	cursor_close(by_file);
	cursor_close(by_start);
	store_close(store);
}

static void a_name_is_stored_once(void **state)
{
	struct recording *rec = create("r");
	struct store *store;
	struct cursor *cursor;
	char name[32];

	(void)state;
	for (int i = 0; i < 2000; i++) {
		snprintf(name, sizeof name, "kernel %d", i % 700);
		write_kernel(rec, i, 0, 1, name);
	}
	finish(rec);
	assert_string_equal(query("r", "SELECT count(*) FROM StringIds"), "700");
	assert_string_equal(query("r", "SELECT count(DISTINCT value) FROM StringIds"), "700");
	store = open_store("r");
	cursor = store_rows(store, TABLE_KERNEL, KERNEL_start, NULL);
	for (int i = 0; i < 2000; i++) {
		snprintf(name, sizeof name, "kernel %d", i % 700);
		assert_int_equal(cursor_next(cursor, NULL), 1);
		assert_string_equal(cursor_text(cursor, KERNEL_shortName), name);
	}
	cursor_close(cursor);
	store_close(store);
}

/* 40,000 names of 1000 bytes are more than a recording remembers. */
static void names_without_end_are_all_stored(void **state)
{
	enum { NAMES = 40000, LENGTH = 1000 };
	struct recording *rec = create("r");
	char name[LENGTH + 1];
	struct cursor *cursor;
	struct store *store;

	(void)state;
	for (int i = 0; i <= NAMES; i++) {
		snprintf(name, sizeof name, "%0*d", LENGTH, i % NAMES);
		write_kernel(rec, i, 0, 1, name);
	}
	finish(rec);
	assert_string_equal(query("r", "SELECT max(id) > 0xffffffff FROM StringIds"), "1");
	store = open_store("r");
	cursor = store_rows(store, TABLE_KERNEL, -1, NULL);
	for (int i = 0; i <= NAMES; i++) {
		assert_int_equal(cursor_next(cursor, NULL), 1);
		assert_int_equal(atoi(cursor_text(cursor, KERNEL_shortName)), i % NAMES);
		assert_int_equal(strlen(cursor_text(cursor, KERNEL_demangledName)), LENGTH);
	}
	cursor_close(cursor);
	store_close(store);
}

static void facts_about_the_recording(void **state)
{
	struct recording *rec = create("r");
	struct store *store;

	(void)state;
	assert_int_equal(recording_meta(rec, "seed", "1", NULL), 0);
	assert_int_equal(recording_meta(rec, "seed", "42", NULL), 0);
	finish(rec);
	store = open_store("r");
	assert_string_equal(store_meta(store, "seed"), "42");
	assert_string_equal(store_meta(store, "version"), "2");
	assert_null(store_meta(store, "nothing"));
	assert_string_equal(store_enum_label(store, "ENUM_CUDA_MEM_KIND", 0), "Pageable");
	assert_string_equal(store_enum_label(store, "ENUM_CUDA_MEM_KIND", 1), "Pinned");
	assert_string_equal(store_enum_label(store, "ENUM_CUDA_MEMCPY_OPER", 2), "Device-to-Host");
	assert_string_equal(store_enum_label(store, "ENUM_NSYS_EVENT_TYPE", 59), "NvtxPushPopRange");
	assert_null(store_enum_label(store, "ENUM_CUDA_MEM_KIND", 99));
	assert_null(store_enum_label(store, "ENUM_NO_SUCH_TABLE", 0));
	store_close(store);
	assert_string_equal(query("r", "SELECT utcEpochNs FROM TARGET_INFO_SESSION_START_TIME"), "1700000000000000000");
	assert_string_equal(query("r", "SELECT utcTime FROM TARGET_INFO_SESSION_START_TIME"), "2023-11-14T22:13:20");
	assert_string_equal(
		query("r", "SELECT value FROM META_DATA_EXPORT WHERE name = 'EXPORT_SCHEMA_VERSION'"), "3.20.3");
	assert_string_equal(
		query("r", "SELECT value FROM META_DATA_EXPORT WHERE name = 'EXPORT_PRODUCT_NAME'"), "dbprof");
}

static void event_tables_exist_only_with_rows(void **state)
{
	struct recording *rec = create("r");
	struct error err = {0};
	struct store *store;
	struct cursor *cursor;

	(void)state;
	write_kernel(rec, 0, 0, 1, "k");
	finish(rec);
	store = open_store("r");
	assert_true(store_has(store, TABLE_KERNEL));
	assert_false(store_has(store, TABLE_MEMCPY));
	assert_false(store_has(store, TABLE_MEMSET));
	assert_false(store_has(store, TABLE_NVTX));
	assert_true(store_has(store, TABLE_GPU));
	for (enum table_id t = TABLE_META; t < TABLES_NUMBER; t++)
		assert_true(store_has(store, t));
	cursor = store_rows(store, TABLE_MEMCPY, MEMCPY_start, &err);
	assert_non_null(cursor);
	assert_int_equal(cursor_next(cursor, &err), 0);
	cursor_close(cursor);
	store_close(store);
}

static void spool_work(
	struct spool *spool, enum table_id table, int device, int pid, int64_t device_id, int64_t process)
{
	struct value row[TABLE_MAX_COLUMNS] = {{.kind = VALUE_NULL}};

	row[device] = VALUE_OF_INT(device_id);
	row[pid] = VALUE_OF_INT(process << 24);
	assert_int_equal(spool_row(spool, table, row, NULL), 0);
}

/* Whether the device work comes row by row or out of a spool, and whatever kind of work it is. */
static void devices_of_each_process_are_listed(void **state)
{
	struct recording *rec = create("r");
	struct spool *spool = create_spool("spool");
	const struct value gpu[GPU_NUMBER] = {[GPU_id] = VALUE_OF_INT(5), [GPU_cuDevice] = VALUE_OF_INT(1)};
	const struct value nobody[KERNEL_NUMBER] = {[KERNEL_deviceId] = VALUE_OF_INT(9)};
	bool torn;

	(void)state;
	write_row(rec, TABLE_GPU, gpu);
	write_kernel(rec, 0, 1, 785, "k");
	write_kernel(rec, 1, 1, 785, "k");
	write_kernel(rec, 2, 0, 786, "k");
	write_row(rec, TABLE_KERNEL, nobody);
	spool_work(spool, TABLE_KERNEL, KERNEL_deviceId, KERNEL_globalPid, 0, 787);
	spool_work(spool, TABLE_KERNEL, KERNEL_deviceId, KERNEL_globalPid, 1, 787);
	spool_work(spool, TABLE_KERNEL, KERNEL_deviceId, KERNEL_globalPid, 1, 788);
	spool_work(spool, TABLE_KERNEL, KERNEL_deviceId, KERNEL_globalPid, 1, 785);
	spool_work(spool, TABLE_MEMCPY, MEMCPY_deviceId, MEMCPY_globalPid, 2, 789);
	spool_work(spool, TABLE_MEMSET, MEMSET_deviceId, MEMSET_globalPid, 3, 790);
	assert_int_equal(spool_close(spool, NULL), 0);
	assert_int_equal(recording_add_spool(rec, in_scratch("spool"), &torn, NULL), 0);
	finish(rec);
	assert_string_equal(query("r", "SELECT group_concat(ifnull(gpuId, '-') || ':' || cudaId || ':' || pid, ' ') "
				       "FROM (SELECT * FROM TARGET_INFO_CUDA_DEVICE ORDER BY pid, cudaId)"),
		"5:1:785 -:0:786 -:0:787 5:1:787 5:1:788 -:2:789 -:3:790");
}

/* U+FFFD, which stands for a byte that is part of no character. */
#define BAD "\xEF\xBF\xBD"

static void text_that_is_no_utf8_is_repaired(void **state)
{
	struct recording *rec = create("r");
	struct store *store;
	struct cursor *cursor;

	(void)state;
	write_kernel(rec, 0, 0, 1,
		"a\xff"
		"b\xc3\xa9\xed\xa0\x80\xe2\x82");
	finish(rec);
	store = open_store("r");
	cursor = store_rows(store, TABLE_KERNEL, -1, NULL);
	assert_int_equal(cursor_next(cursor, NULL), 1);
	assert_string_equal(cursor_text(cursor, KERNEL_shortName), "a" BAD "b\xc3\xa9" BAD BAD BAD BAD BAD);
	cursor_close(cursor);
	store_close(store);
}

static void spools_become_rows(void **state)
{
	const struct value row[CLOCK_NUMBER] = {
		[CLOCK_timestamp] = VALUE_OF_INT(EPOCH + 7), [CLOCK_smMhz] = VALUE_OF_INT(1980)};
	struct spool *spool = create_spool("spool");
	struct recording *rec = create("r");
	struct error err = {0};
	bool torn = true;

	(void)state;
	assert_int_equal(spool_row(spool, TABLE_CLOCK, row, NULL), 0);
	assert_int_equal(spool_row(spool, TABLE_CLOCK, row, NULL), 0);
	assert_int_equal(spool_close(spool, NULL), 0);
	assert_int_equal(recording_add_spool(rec, in_scratch("spool"), &torn, &err), 0);
	assert_false(torn);
	assert_int_equal(truncate(in_scratch("spool"), file_size("spool") - 1), 0);
	assert_int_equal(recording_add_spool(rec, in_scratch("spool"), &torn, &err), 0);
	assert_true(torn);
	assert_int_equal(recording_add_spool(rec, in_scratch("missing"), &torn, &err), -1);
	finish(rec);
	assert_string_equal(
		query("r", "SELECT count(*) || ' ' || max(timestamp) || ' ' || max(smMhz) FROM DBPROF_CLOCK"),
		"3 7 1980");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(every_column_of_every_table_comes_back),
		scratch_test(rows_come_in_the_order_asked_for),
		scratch_test(a_name_is_stored_once),
		scratch_test(names_without_end_are_all_stored),
		scratch_test(facts_about_the_recording),
		scratch_test(event_tables_exist_only_with_rows),
		scratch_test(devices_of_each_process_are_listed),
		scratch_test(text_that_is_no_utf8_is_repaired),
		scratch_test(spools_become_rows),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
