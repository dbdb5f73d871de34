/* files.c: files that are refused, with what to do; old and odd exports; damaged and hostile files. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sqlite3.h>
#include <sys/stat.h>

#include "fixtures/scratch.h"
#include "store/store.h"

static void write_file(const char *name, const void *data, size_t size)
{
	FILE *file = fopen(in_scratch(name), "w");

	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void make_database(const char *name, const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(in_scratch(name), &db), SQLITE_OK);
	if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
		fail_msg("%s", sqlite3_errmsg(db));
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* A recording with 200 kernels of different names, named `name`. */
static void make_recording(const char *name)
{
	struct recording *rec = recording_create(in_scratch(name), 0, NULL);
	char text[64];

	assert_non_null(rec);
	for (int i = 0; i < 200; i++) {
		const struct value row[KERNEL_NUMBER] = {
			[KERNEL_start] = VALUE_OF_INT(i), [KERNEL_shortName] = VALUE_OF_TEXT(text)};

		snprintf(text, sizeof text, "a kernel with number %d", i);
		assert_int_equal(recording_row(rec, TABLE_KERNEL, row, NULL), 0);
	}
	assert_int_equal(recording_finish(rec, NULL), 0);
}

/* The file is refused in one line that names it and has `wanted` in it. */
static void refused(const char *name, const char *wanted)
{
	struct error err = {0};

	assert_null(store_open(in_scratch(name), &err));
	if (strstr(err.text, wanted) == NULL || strstr(err.text, in_scratch(name)) == NULL)
		fail_msg("'%s' lacks '%s' or '%s'", err.text, wanted, name);
	assert_null(strchr(err.text, '\n'));
}

static struct store *accepted(const char *name)
{
	struct error err = {0};
	struct store *store = store_open(in_scratch(name), &err);

	assert_string_equal(err.text, "");
	assert_non_null(store);
	return store;
}

static void files_that_are_no_database(void **state)
{
	static const unsigned char gzip[] = {0x1f, 0x8b, 8, 0};
	static const char text[] =
		"This is a text of more than one hundred bytes. It is long enough to hold the header of a "
		"database, which it does not do.";

	(void)state;
	refused("missing", "does not exist");
	assert_int_equal(mkdir(in_scratch("folder"), 0700), 0);
	refused("folder", "is a folder");
	write_file("empty", "", 0);
	refused("empty", "is empty");
	write_file("text", text, sizeof text);
	refused("text", "no SQLite file");
	write_file("short", "abc", 3);
	refused("short", "no SQLite file");
	write_file("r.nsys-rep", text, sizeof text);
	refused("r.nsys-rep", "nsys export");
	write_file("r.gz", gzip, sizeof gzip);
	refused("r.gz", "gunzip");
	assert_int_equal(mkfifo(in_scratch("pipe"), 0600), 0);
	refused("pipe", "no regular file");
}

static void a_truncated_file(void **state)
{
	struct stat st;

	(void)state;
	make_recording("r");
	assert_int_equal(stat(in_scratch("r"), &st), 0);
	assert_int_equal(truncate(in_scratch("r"), st.st_size - 4096), 0);
	refused("r", "truncated");
	assert_int_equal(truncate(in_scratch("r"), st.st_size / 2 + 17), 0);
	refused("r", "truncated");
	assert_int_equal(truncate(in_scratch("r"), 60), 0);
	refused("r", "truncated");
	assert_int_equal(truncate(in_scratch("r"), 10), 0);
	refused("r", "truncated");
}

static void databases_that_are_no_recording(void **state)
{
	(void)state;
	make_database("other", "CREATE TABLE customers (name)");
	refused("other", "neither a recording");
	make_database("view", "CREATE TABLE t (start); CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT * FROM t");
	refused("view", "neither a recording");
	make_database("virtual", "CREATE VIRTUAL TABLE NVTX_EVENTS USING fts5(text)");
	refused("virtual", "neither a recording");
	make_database("unversioned", "CREATE TABLE DBPROF_META (key, value)");
	refused("unversioned", "damaged");
	make_database("odd", "CREATE TABLE DBPROF_META (key, value); INSERT INTO DBPROF_META VALUES ('version', '1x')");
	refused("odd", "damaged");
	make_database(
		"newer", "CREATE TABLE DBPROF_META (key, value); INSERT INTO DBPROF_META VALUES ('version', '3')");
	refused("newer", "newer dbprof (recording version 3; this one reads up to 2): upgrade dbprof");
}

/* Exports of early versions have texts in place of ids, other columns, any order, and no StringIds. */
static void an_old_export_is_read(void **state)
{
	struct store *store;
	struct cursor *cursor;

	(void)state;
	make_database("old",
		"CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (name TEXT, shortName TEXT, \"end\" INTEGER, start INTEGER);"
		"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES ('x', 'second', 9, 5), ('y', 'first', 4, 1), ('z', 7, "
		"11, 10);"
		"CREATE TABLE nvtx_events (start INTEGER, text TEXT, textId INTEGER);"
		"INSERT INTO nvtx_events VALUES (1, 'a range', 3)");
	store = accepted("old");
	assert_false(store_is_dbprof(store));
	assert_null(store_meta(store, "version"));
	cursor = store_rows(store, TABLE_KERNEL, KERNEL_start, NULL);
	assert_int_equal(cursor_next(cursor, NULL), 1);
	assert_string_equal(cursor_text(cursor, KERNEL_shortName), "first");
	assert_int_equal(cursor_int(cursor, KERNEL_end), 4);
	assert_true(cursor_null(cursor, KERNEL_streamId));
	assert_true(cursor_null(cursor, KERNEL_demangledName));
	assert_null(cursor_text(cursor, KERNEL_demangledName));
	assert_int_equal(cursor_next(cursor, NULL), 1);
	assert_string_equal(cursor_text(cursor, KERNEL_shortName), "second");
	cursor_close(cursor);
	cursor = store_rows(store, TABLE_NVTX, NVTX_end, NULL);
	assert_int_equal(cursor_next(cursor, NULL), 1);
	assert_string_equal(cursor_text(cursor, NVTX_text), "a range");
	assert_null(cursor_text(cursor, NVTX_textId));
	assert_int_equal(cursor_next(cursor, NULL), 0);
	cursor_close(cursor);
	store_close(store);
}

static void names_are_found_by_any_id(void **state)
{
	static const char *const wanted[] = {"minus", NULL, "large"};
	struct store *store;
	struct cursor *cursor;

	(void)state;
	make_database("ids", "CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT);"
			     "INSERT INTO StringIds VALUES (9000000000, 'large'), (-3, 'minus'), (4, 'four');"
			     "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, nameId INTEGER);"
			     "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (0, -3), (1, 5), (2, 9000000000)");
	store = accepted("ids");
	cursor = store_rows(store, TABLE_RUNTIME, RUNTIME_start, NULL);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(cursor_next(cursor, NULL), 1);
		if (wanted[i] == NULL)
			assert_null(cursor_text(cursor, RUNTIME_nameId));
		else
			assert_string_equal(cursor_text(cursor, RUNTIME_nameId), wanted[i]);
	}
	cursor_close(cursor);
	store_close(store);
}

static void tables_and_columns_that_were_renamed(void **state)
{
	static const int64_t wanted[] = {3, 1, 4};
	struct store *store;
	struct cursor *cursor;

	(void)state;
	make_database("renamed",
		"CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start, deprecatedSyncType, syncType);"
		"INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (1, 3, 0), (2, NULL, 1), (3, 2, 4);"
		"CREATE TABLE TARGET_INFO_CUDA_NULL_STREAM (streamId, hwId, vmId, processId, contextId);"
		"INSERT INTO TARGET_INFO_CUDA_NULL_STREAM VALUES (13, 0, 0, 77, 2), (7, 0, 0, 77, 1);"
		"CREATE TABLE TARGET_INFO_CUDA_GPU (deviceId, name);"
		"CREATE TABLE TARGET_INFO_GPU (id, name); INSERT INTO TARGET_INFO_GPU VALUES (2, 'new')");
	store = accepted("renamed");
	cursor = store_rows(store, TABLE_SYNCHRONIZATION, SYNCHRONIZATION_start, NULL);
	for (int i = 0; i < 3; i++) {
		assert_int_equal(cursor_next(cursor, NULL), 1);
		assert_int_equal(cursor_int(cursor, SYNCHRONIZATION_syncType), wanted[i]);
	}
	cursor_close(cursor);
	assert_true(store_has(store, TABLE_CONTEXT));
	cursor = store_rows(store, TABLE_CONTEXT, CONTEXT_nullStreamId, NULL);
	assert_int_equal(cursor_next(cursor, NULL), 1);
	assert_int_equal(cursor_int(cursor, CONTEXT_nullStreamId), 7);
	assert_int_equal(cursor_int(cursor, CONTEXT_contextId), 1);
	cursor_close(cursor);
	/* The new table counts where there are both. */
	cursor = store_rows(store, TABLE_GPU, -1, NULL);
	assert_int_equal(cursor_next(cursor, NULL), 1);
	assert_string_equal(cursor_text(cursor, GPU_name), "new");
	cursor_close(cursor);
	store_close(store);
}

static void some_columns_of_a_table(void **state)
{
	static const int columns[] = {KERNEL_end, KERNEL_shortName};
	struct store *store;
	struct cursor *cursor;
	int64_t id = 0;

	(void)state;
	make_database("some",
		"CREATE TABLE StringIds (id INTEGER PRIMARY KEY, value TEXT); INSERT INTO StringIds VALUES (4, 'k');"
		"CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, \"end\", shortName, demangledName);"
		"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1, 2, 4, 4), (3, 4, 'in place', 4)");
	store = accepted("some");
	cursor = store_columns(store, TABLE_KERNEL, columns, 2, NULL);
	assert_int_equal(cursor_next(cursor, NULL), 1);
	assert_true(cursor_null(cursor, KERNEL_start));
	assert_true(cursor_null(cursor, KERNEL_demangledName));
	assert_int_equal(cursor_int(cursor, KERNEL_end), 2);
	assert_string_equal(cursor_text(cursor, KERNEL_shortName), "k");
	assert_true(cursor_name_id(cursor, KERNEL_shortName, &id));
	assert_int_equal(id, 4);
	assert_false(cursor_name_id(cursor, KERNEL_end, &id));
	assert_int_equal(cursor_next(cursor, NULL), 1);
	assert_false(cursor_name_id(cursor, KERNEL_shortName, &id));
	assert_string_equal(cursor_text(cursor, KERNEL_shortName), "in place");
	cursor_close(cursor);
	store_close(store);
}

/* By the file's name, else its label, else as it is. */
static void enumerations_go_by_their_names(void **state)
{
	struct store *store;

	(void)state;
	make_database("enums",
		"CREATE TABLE NVTX_EVENTS (start);"
		"CREATE TABLE ENUM_CUDA_MEM_KIND (id, name, label);"
		"INSERT INTO ENUM_CUDA_MEM_KIND VALUES (1, 'CUPTI_ACTIVITY_MEMORY_KIND_PAGEABLE', 'Pinned'),"
		" (3, 'odd', 'DEVICE_static'), (9, 'odd', 'new kind'), (2, NULL, NULL)");
	store = accepted("enums");
	assert_int_equal(store_enum_number(store, "ENUM_CUDA_MEM_KIND", 1), 0);
	assert_int_equal(store_enum_number(store, "ENUM_CUDA_MEM_KIND", 3), 5);
	assert_int_equal(store_enum_number(store, "ENUM_CUDA_MEM_KIND", 9), 9);
	assert_int_equal(store_enum_number(store, "ENUM_CUDA_MEM_KIND", 2), 2);
	assert_int_equal(store_enum_number(store, "ENUM_CUDA_MEM_KIND", 77), 77);
	assert_int_equal(store_enum_number(store, "ENUM_CUPTI_SYNC_TYPE", 2), 2);
	assert_int_equal(store_enum_number(store, "ENUM_NO_SUCH_TABLE", 5), 5);
	assert_string_equal(schema_enum_label("ENUM_CUDA_MEM_KIND", 5), "Device Static");
	assert_null(schema_enum_label("ENUM_CUDA_MEM_KIND", 9));
	assert_null(schema_enum_label("ENUM_NO_SUCH_TABLE", 0));
	store_close(store);
}

static void nothing_of_the_file_is_run(void **state)
{
	struct error err = {0};
	struct store *store;
	struct cursor *cursor;

	(void)state;
	make_database("bomb", "CREATE TABLE NVTX_EVENTS (start INTEGER, text TEXT AS (hex(zeroblob(400000000))));"
			      "INSERT INTO NVTX_EVENTS VALUES (1)");
	store = accepted("bomb");
	cursor = store_rows(store, TABLE_NVTX, -1, &err);
	assert_non_null(cursor);
	assert_int_equal(cursor_next(cursor, &err), 1);
	assert_int_equal(cursor_int(cursor, NVTX_start), 1);
	assert_true(cursor_null(cursor, NVTX_text)); /* a column that is computed counts as missing */
	cursor_close(cursor);
	store_close(store);
}

/* Computed from letters alone: functions are refused anyway. */
static void computed_numbers_of_names_are_not_read(void **state)
{
	struct store *store;
	struct cursor *cursor;

	(void)state;
	make_database("computed",
		"CREATE TABLE StringIds (a INTEGER PRIMARY KEY, id AS ('1' || '2'), value TEXT);"
		"INSERT INTO StringIds (value) VALUES ('computed');"
		"CREATE TABLE ENUM_CUDA_MEM_KIND (a, id AS (a + 1), label TEXT);"
		"INSERT INTO ENUM_CUDA_MEM_KIND (a, label) VALUES (11, 'computed');"
		"CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (s, start AS (-s), rowid AS (s || s), nameId INTEGER);"
		"INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME (s, nameId) VALUES (1, 12), (2, 13)");
	store = accepted("computed");
	cursor = store_rows(store, TABLE_RUNTIME, RUNTIME_start, NULL);
	assert_non_null(cursor);
	assert_int_equal(cursor_next(cursor, NULL), 1);
	assert_true(cursor_null(cursor, RUNTIME_start));
	assert_null(cursor_text(cursor, RUNTIME_nameId));
	assert_null(store_enum_label(store, "ENUM_CUDA_MEM_KIND", 12));
	cursor_close(cursor);
	store_close(store);
}

/* The rows of several threads by turns, in another order, with gaps, behind columns that have the names of their
 * numbers. */
static void rows_come_in_order(void **state)
{
	enum { ROWS = 5000 };
	struct store *store;
	struct cursor *cursor;

	(void)state;
	make_database("order",
		"CREATE TABLE NVTX_EVENTS (rowid TEXT, _rowid_ TEXT, start INTEGER, text TEXT);"
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 6000) INSERT INTO "
		"NVTX_EVENTS "
		"SELECT 'x', 'y', i * 7919 % 6007, 'row ' || (i * 7919 % 6007) FROM n;"
		"DELETE FROM NVTX_EVENTS WHERE oid % 6 = 0;"
		"INSERT INTO NVTX_EVENTS VALUES (NULL, NULL, 'text', 'first'), (NULL, NULL, x'00', 'second')");
	store = accepted("order");
	cursor = store_rows(store, TABLE_NVTX, NVTX_start, NULL);
	assert_non_null(cursor);
	assert_int_equal(cursor_next(cursor, NULL), 1);
	assert_string_equal(cursor_text(cursor, NVTX_text), "first");
	assert_int_equal(cursor_next(cursor, NULL), 1);
	assert_string_equal(cursor_text(cursor, NVTX_text), "second");
	for (int64_t i = 0, before = 0; i < ROWS; i++) {
		char text[32];

		assert_int_equal(cursor_next(cursor, NULL), 1);
		assert_true(cursor_int(cursor, NVTX_start) > before);
		before = cursor_int(cursor, NVTX_start);
		snprintf(text, sizeof text, "row %d", (int)before);
		assert_string_equal(cursor_text(cursor, NVTX_text), text);
	}
	assert_int_equal(cursor_next(cursor, NULL), 0);
	cursor_close(cursor);
	store_close(store);
}

static void rows_without_numbers_are_not_sorted(void **state)
{
	struct error err = {0};
	struct store *store;

	(void)state;
	make_database("numberless", "CREATE TABLE NVTX_EVENTS (rowid, _rowid_, oid, start INTEGER)");
	store = accepted("numberless");
	assert_null(store_rows(store, TABLE_NVTX, NVTX_start, &err));
	assert_non_null(strstr(err.text, "have no numbers"));
	store_close(store);
}

enum { PAGE = 512, INNER_PAGE = 5, LEAF_PAGE = 13, AT_CELLS = 3, AT_LAST_CHILD = 8, AT_POINTERS = 12 };

static unsigned big_endian(const unsigned char *at, int bytes)
{
	unsigned x = 0;

	for (int i = 0; i < bytes; i++)
		x = x << 8 | at[i];
	return x;
}

/* Makes page number `child` the only child of an inner page of a table, many times over. */
static void point_at(unsigned char *page, unsigned child)
{
	const unsigned char number[4] = {(unsigned char)(child >> 24), (unsigned char)(child >> 16),
		(unsigned char)(child >> 8), (unsigned char)child};

	memcpy(page + AT_LAST_CHILD, number, 4);
	for (unsigned i = 0; i < big_endian(page + AT_CELLS, 2); i++)
		memcpy(page + big_endian(page + AT_POINTERS + 2 * i, 2), number, 4);
}

/* Hangs the inner pages below each other, the last above a leaf: about 50 to the power of their number of rows. */
static void tie_knot(unsigned char *pages, size_t npages)
{
	unsigned below = 0;

	for (size_t i = 1; i < npages && below == 0; i++)
		if (pages[i * PAGE] == LEAF_PAGE)
			below = (unsigned)i + 1;
	assert_int_not_equal(below, 0);
	/* The root is page 2: it comes last and so is on top. */
	for (size_t i = npages - 1; i > 0; i--)
		if (pages[i * PAGE] == INNER_PAGE) {
			point_at(pages + i * PAGE, below);
			below = (unsigned)i + 1;
		}
	assert_int_equal(below, 2);
}

static void rows_without_end_are_refused(void **state)
{
	static unsigned char pages[1000 * PAGE];
	struct error err = {0};
	struct store *store;
	struct cursor *cursor;
	size_t npages;
	FILE *file;
	int rc;

	(void)state;
	make_database("knot", "PRAGMA page_size=512; CREATE TABLE NVTX_EVENTS (start INTEGER);"
			      "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM n WHERE x < 20000)"
			      "INSERT INTO NVTX_EVENTS SELECT x FROM n");
	file = fopen(in_scratch("knot"), "r");
	assert_non_null(file);
	npages = fread(pages, PAGE, 1000, file);
	fclose(file);
	tie_knot(pages, npages);
	write_file("knot", pages, npages * PAGE);
	store = accepted("knot");
	assert_null(store_rows(store, TABLE_NVTX, NVTX_start, &err));
	assert_non_null(strstr(err.text, "more rows than fit"));
	cursor = store_rows(store, TABLE_NVTX, -1, &err);
	assert_non_null(cursor);
	while ((rc = cursor_next(cursor, &err)) == 1)
		;
	cursor_close(cursor);
	store_close(store);
	assert_int_equal(rc, -1);
	assert_non_null(strstr(err.text, "more rows than fit"));
}

static void no_file_is_made_beside_it(void **state)
{
	struct error err = {0};
	struct store *store;
	struct cursor *cursor;

	(void)state;
	make_database("wal", "PRAGMA journal_mode=WAL; CREATE TABLE NVTX_EVENTS (start INTEGER);"
			     "INSERT INTO NVTX_EVENTS VALUES (8)");
	assert_int_equal(scratch_files(0), 1);
	store = accepted("wal");
	cursor = store_rows(store, TABLE_NVTX, NVTX_start, NULL);
	assert_int_equal(cursor_next(cursor, NULL), 1);
	assert_int_equal(cursor_int(cursor, NVTX_start), 8);
	assert_int_equal(scratch_files(0), 1);
	cursor_close(cursor);
	store_close(store);
	write_file("wal-wal", "changes", 7);
	refused("wal", "still being written");
	/* Nor behind a link with another name. */
	assert_int_equal(symlink("wal", in_scratch("link")), 0);
	assert_null(store_open(in_scratch("link"), &err));
	assert_non_null(strstr(err.text, "still being written"));
}

static void any_file_name_works(void **state)
{
	static const char *const names[] = {"file:r?mode=memory#x", "100%20", ":memory:", "ein Name", "\xff\xfe"};

	(void)state;
	assert_int_equal(chdir(scratch), 0);
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct error err = {0};
		struct store *store;

		make_recording(names[i]);
		store_close(accepted(names[i]));
		store = store_open(names[i], &err);
		assert_string_equal(err.text, "");
		store_close(store);
	}
	assert_int_equal(chdir("/"), 0);
}

/* Reads everything; the result is open: an error or rows, but neither a crash nor an endless loop. */
static void read_all(const char *name)
{
	struct error err = {0};
	struct store *store = store_open(in_scratch(name), &err);
	int rc = 0;

	if (store == NULL) {
		assert_string_not_equal(err.text, "");
		return;
	}
	for (enum table_id t = 0; t < TABLES_NUMBER; t++) {
		struct cursor *cursor = store_rows(store, t, 0, &err);

		while (cursor != NULL && (rc = cursor_next(cursor, &err)) > 0)
			for (int c = 0; c < schema_table(t)->ncolumns; c++)
				cursor_text(cursor, c);
		if (cursor == NULL || rc < 0)
			assert_string_not_equal(err.text, "");
		cursor_close(cursor);
	}
	store_enum_label(store, "ENUM_CUDA_MEM_KIND", 1);
	store_close(store);
}

static void a_damaged_file_is_survived(void **state)
{
	uint64_t random = 1;
	struct stat st;
	char *whole, *damaged;
	FILE *file;

	(void)state;
	make_recording("r");
	assert_int_equal(stat(in_scratch("r"), &st), 0);
	whole = malloc((size_t)st.st_size);
	damaged = malloc((size_t)st.st_size);
	file = fopen(in_scratch("r"), "r");
	assert_true(whole != NULL && damaged != NULL && file != NULL);
	assert_int_equal(fread(whole, 1, (size_t)st.st_size, file), st.st_size);
	fclose(file);
	for (int round = 0; round < 200; round++) {
		memcpy(damaged, whole, (size_t)st.st_size);
		for (int i = 0; i < 40; i++) {
			random = random * 6364136223846793005u + 1442695040888963407u;
			damaged[(random >> 33) % (uint64_t)st.st_size] = (char)(random >> 25);
		}
		write_file("damaged", damaged, (size_t)st.st_size);
		read_all("damaged");
	}
	free(whole);
	free(damaged);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(files_that_are_no_database),
		scratch_test(a_truncated_file),
		scratch_test(databases_that_are_no_recording),
		scratch_test(an_old_export_is_read),
		scratch_test(names_are_found_by_any_id),
		scratch_test(tables_and_columns_that_were_renamed),
		scratch_test(some_columns_of_a_table),
		scratch_test(enumerations_go_by_their_names),
		scratch_test(nothing_of_the_file_is_run),
		scratch_test(computed_numbers_of_names_are_not_read),
		scratch_test(rows_come_in_order),
		scratch_test(rows_without_numbers_are_not_sorted),
		scratch_test(rows_without_end_are_refused),
		scratch_test(no_file_is_made_beside_it),
		scratch_test(any_file_name_works),
		scratch_test(a_damaged_file_is_survived),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
