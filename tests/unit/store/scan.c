/* scan.c: a large table read part by part, in threads, gives the rows that SQLite gives one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixtures/nsys-fixture.h"
#include "fixtures/recording-scenarios.h"
#include "fixtures/recordings.h"
#include "fixtures/scanned.h"
#include "fixtures/tier.h"
#include "store/scan/parts.h"

/* Each leaf page is a part. */
static const struct scan_how by_pages = {0, 1, 1, false}, by_sqlite = {0, 1, 1, true};

static const char *file_of_tests(const char *name)
{
	static char path[4096];
	const char *top = getenv("srcdir");

	snprintf(path, sizeof path, "%s/%s", top != NULL ? top : ".", name);
	return path;
}

static struct store *store_of_file(const char *path)
{
	struct error err = {0};
	struct store *store = store_open(path, &err);

	assert_string_equal(err.text, "");
	return store;
}

/* Reads the columns one by one and by parts. Returns what became of the latter: its rows are then the same. */
static enum scan_result compare(
	struct store *store, enum table_id table, const int *columns, size_t n, int threads, const struct scan_how *how)
{
	struct scanned *one = scanned_new(table, columns, n), *parts = scanned_new(table, columns, n);
	struct error err = {0};
	enum scan_result result;

	store_use_threads(store, threads);
	assert_int_equal(scan_one_by_one(store, &one->scan, &err), 0);
	result = !store_has(store, table) ? SCAN_REFUSED : scan_parts(store, &parts->scan, how, &err);
	if (result == SCAN_DONE && !scanned_same(one, parts))
		fail_msg("%s: other rows", schema_table(table)->name);
	assert_int_equal(parts->begun, result == SCAN_REFUSED ? 0 : 1);
	scanned_free(one);
	scanned_free(parts);
	return result;
}

/* The same of export.sqlite, by each of the readers. */
static void both(
	enum table_id table, const int *columns, size_t n, enum scan_result with_pages, enum scan_result with_sqlite)
{
	struct store *store = store_of_file(in_scratch("export.sqlite"));

	assert_int_equal(compare(store, table, columns, n, 2, &by_pages), with_pages);
	assert_int_equal(compare(store, table, columns, n, 2, &by_sqlite), with_sqlite);
	store_close(store);
}

/* All columns, as many at a time as a scan can have. Returns how often there were parts. */
static int compare_table(struct store *store, enum table_id table, int threads)
{
	int columns[TABLE_MAX_COLUMNS], n = schema_table(table)->ncolumns, done = 0;

	for (int c = 0; c < n; c++)
		columns[c] = c;
	for (int c = 0; c < n; c += SCAN_COLUMNS) {
		size_t some = n - c < SCAN_COLUMNS ? (size_t)(n - c) : SCAN_COLUMNS;
		enum scan_result pages = compare(store, table, columns + c, some, threads, &by_pages);
		enum scan_result sqlite = compare(store, table, columns + c, some, 3 - threads, &by_sqlite);

		assert_int_not_equal(pages, SCAN_VOID);
		assert_int_equal(pages, sqlite);
		done += pages == SCAN_DONE;
	}
	return done;
}

static void compare_file(const char *path)
{
	struct store *store = store_of_file(path);
	int done = 0;

	for (enum table_id table = 0; table < TABLES_NUMBER; table++)
		done += compare_table(store, table, 1 + (int)table % 2);
	store_close(store);
	assert_true(done > 0);
}

static int put_unpacked(void *file, const void *data, size_t size, struct error *err)
{
	(void)err;
	assert_int_equal(fwrite(data, 1, size, file), size);
	return 0;
}

/* Unpacked first: each time that it is opened it would be unpacked again. */
static void compare_packed(const char *name)
{
	struct error err = {0};
	struct store *packed = store_open(file_of_tests(name), &err);
	FILE *file = fopen(in_scratch("export.sqlite"), "w");

	assert_non_null(packed);
	assert_non_null(file);
	assert_int_equal(store_copy(packed, put_unpacked, file, &err), 0);
	assert_int_equal(fclose(file), 0);
	store_close(packed);
	compare_file(in_scratch("export.sqlite"));
}

static void recordings_that_ship(void **state)
{
	(void)state;
	compare_packed("reports/recordings/h100.sqlite.zst");
	compare_packed("reports/recordings/loader-after.sqlite.zst");
}

static void exports_of_nsys(void **state)
{
	static const char *const names[] = {"nsys-h100-chunked-vadd", "nsys-h100-nvtx-ranges"};
	char command[8192];

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		snprintf(command, sizeof command, "xz -dc '%s/tests/data/%s.sqlite.xz' > '%s'", file_of_tests("."),
			names[i], in_scratch("export.sqlite"));
		assert_int_equal(system(command), 0);
		compare_file(in_scratch("export.sqlite"));
	}
}

static void made_up_recordings(void **state)
{
	(void)state;
	for (const struct scenario *scenario = scenarios; scenario->name != NULL; scenario++) {
		struct recording *rec;
		struct error err = {0};

		if (strcmp(scenario->name, "newer-version") == 0)
			continue;
		rec = create("r");
		assert_int_equal(scenario->fill(rec, &err), 0);
		finish(rec);
		compare_file(in_scratch("r"));
	}
}

/* Kernels in many ways: the numbers of rows and columns at the borders of what a record can hold, texts for numbers,
 * and the other way round. */
static const char odd_rows[] =
	"INSERT INTO StringIds VALUES (1, 'saxpy'), (2, 'bad ' || CAST(x'ff' AS TEXT)), (3, printf('%.5000c', 'x'));"
	"CREATE TEMP TABLE v AS SELECT column1 AS x FROM (VALUES (0), (1), (-1), (127), (128), (-128), (-129), (32767),"
	" (32768), (-32768), (-32769), (8388607), (8388608), (-8388608), (-8388609), (2147483647), (2147483648),"
	" (-2147483648), (-2147483649), (140737488355327), (140737488355328), (-140737488355328), (-140737488355329),"
	" (9223372036854775807), (-9223372036854775807 - 1), (NULL), (1.5), (-1e300), (1e300), (3.0), ('7'), ('text'),"
	" (x'0102'), (''), ('12abc'), (x''));"
	"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, \"end\", deviceId, shortName, demangledName) SELECT a.x, b.x,"
	" a.x, b.rowid % 5, CASE b.rowid % 7 WHEN 0 THEN 'in place' WHEN 1 THEN 'nul' || char(0) || 'byte' WHEN 2 THEN"
	" CAST(x'ff41fe' AS TEXT) WHEN 3 THEN printf('%.4097c', 'y') WHEN 4 THEN 3 WHEN 5 THEN NULL ELSE 2.5 END"
	" FROM v AS a, v AS b;"
	"INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (rowid, start, \"end\", bytes) SELECT a.rowid * 77 * a.rowid - 5000,"
	" a.x, a.rowid, 1 << 40 FROM v AS a;"
	"INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (rowid, start) VALUES (4611686018427387904, 5),"
	" (9223372036854775807, 6), (-9223372036854775808, 7), (-9223372036854775807, 8);"
	"DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL WHERE rowid % 11 < 3;"
	"INSERT INTO NVTX_EVENTS (start, text, textId, doubleValue) SELECT x, x, x, x FROM v;"
	"INSERT INTO NVTX_EVENTS (start, text) SELECT a.x, 'name ' || (a.rowid * b.rowid % 100) FROM v AS a, v AS b;";

static void make_odd(const char *before, const char *after)
{
	char *schema = current_schema(), *sql = malloc(1 << 17);

	assert_non_null(sql);
	snprintf(sql, 1 << 17, "%s%s%s", before, schema, odd_rows);
	make_export(sql, after);
	free(sql);
	free(schema);
}

static void every_kind_of_value_in_pages_of_every_size(void **state)
{
	static const char *const sizes[] = {"512", "1024", "4096", "8192", "65536"};
	char before[64];

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		snprintf(before, sizeof before, "PRAGMA page_size=%s;", sizes[i]);
		make_odd(before, NULL);
		compare_file(in_scratch("export.sqlite"));
		make_odd(before, "VACUUM");
		compare_file(in_scratch("export.sqlite"));
	}
}

static void columns_that_were_added_later(void **state)
{
	static const int columns[] = {KERNEL_start, KERNEL_graphNodeId, KERNEL_gridId};

	(void)state;
	make_odd("", "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL DROP COLUMN graphNodeId;"
		     "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL ADD COLUMN graphNodeId INTEGER DEFAULT 42;"
		     "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, graphNodeId) SELECT x, x FROM v;");
	both(TABLE_KERNEL, columns, 3, SCAN_DONE, SCAN_DONE);
}

/* A number of the rows under another name, and none at all. */
static void names_of_numbers_that_are_taken(void **state)
{
	static const int columns[] = {MEMSET_start, MEMSET_bytes};
	static const char rows[] = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 999)"
				   " INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET (start, bytes) SELECT i, 1 << 40 FROM n;";

	(void)state;
	make_export("CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INT, rowid INT, OID INT, bytes INT);", rows);
	both(TABLE_MEMSET, columns, 2, SCAN_DONE, SCAN_DONE);
	make_export("CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INT, rowid INT, OID INT, _rowid_ INT, bytes INT);",
		rows);
	both(TABLE_MEMSET, columns, 2, SCAN_DONE, SCAN_REFUSED);
}

static void tables_that_are_not_divided(void **state)
{
	static const int columns[] = {MEMSET_start, MEMSET_bytes};
	static const char *const tables[] = {
		"CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER PRIMARY KEY, bytes INT) WITHOUT ROWID;",
		"PRAGMA encoding='UTF-16'; CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INT, bytes INT);"};

	(void)state;
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		make_export(tables[i],
			"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2999)"
			" INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET (start, bytes) SELECT i, 1 << 40 FROM n;");
		both(TABLE_MEMSET, columns, 2, SCAN_REFUSED, SCAN_REFUSED);
	}
}

/* The start is the number of the row; the sizes are computed. */
static void columns_that_are_not_kept(void **state)
{
	static const int columns[] = {MEMSET_bytes, MEMSET_start, MEMSET_value, MEMSET_end};

	(void)state;
	make_export("CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (value INT, start INTEGER PRIMARY KEY, \"end\" REAL,"
		    " bytes INT AS (start * 2));",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2999)"
		" INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET (value, start, \"end\") SELECT i * i, i * 5, i * 3 FROM n;");
	both(TABLE_MEMSET, columns, 4, SCAN_DONE, SCAN_DONE);
}

static void old_and_new_kinds_of_synchronisation(void **state)
{
	static const int columns[] = {SYNCHRONIZATION_start, SYNCHRONIZATION_syncType};

	(void)state;
	make_export(
		"CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (start INT, deprecatedSyncType INT, syncType INT);",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2999)"
		" INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION SELECT i, i % 5, i % 3 FROM n;");
	both(TABLE_SYNCHRONIZATION, columns, 2, SCAN_DONE, SCAN_DONE);
}

/* ---- damage ---- */

enum { PAGE = 512, KERNEL_ROWS = 3000 };

static unsigned char *make_kernels(size_t *size)
{
	FILE *file;
	unsigned char *data;

	make_export("PRAGMA page_size=512; CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, \"end\" INT, shortName "
		    "TEXT);",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)"
		" INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT i, i * i, 'name ' || i % 10 FROM n;");
	file = fopen(in_scratch("export.sqlite"), "r");
	assert_non_null(file);
	assert_int_equal(fseek(file, 0, SEEK_END), 0);
	*size = (size_t)ftell(file);
	rewind(file);
	data = malloc(*size);
	assert_non_null(data);
	assert_int_equal(fread(data, 1, *size, file), *size);
	fclose(file);
	return data;
}

static void write_export(const unsigned char *data, size_t size)
{
	FILE *file = fopen(in_scratch("export.sqlite"), "w");

	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

/* Whatever was done to the file: what parts give, if they give anything, is what the rows one by one give. Returns what
 * became of the parts. */
static enum scan_result check_damaged(const struct scan_how *how)
{
	static const int columns[] = {KERNEL_start, KERNEL_end, KERNEL_shortName};
	struct scanned *one = scanned_new(TABLE_KERNEL, columns, 3), *parts = scanned_new(TABLE_KERNEL, columns, 3);
	struct error err = {0};
	struct store *store = store_open(in_scratch("export.sqlite"), &err);
	enum scan_result result = SCAN_REFUSED;

	if (store != NULL && store_has(store, TABLE_KERNEL)) {
		store_use_threads(store, 2);
		result = scan_parts(store, &parts->scan, how, &err);
		if (result == SCAN_DONE) {
			assert_int_equal(scan_one_by_one(store, &one->scan, &err), 0);
			assert_true(scanned_same(one, parts));
		}
	}
	store_close(store);
	scanned_free(one);
	scanned_free(parts);
	return result;
}

/* Each page in the place of each other one of the first pages: loops, rows that come twice, rows in the wrong place. */
static void pages_in_wrong_places(void **state)
{
	size_t size, refused = 0, n = 0;
	unsigned char *data = make_kernels(&size), page[PAGE];

	(void)state;
	assert_int_equal(check_damaged(&by_pages), SCAN_DONE);
	assert_int_equal(check_damaged(&by_sqlite), SCAN_DONE);
	for (size_t to = 1; to < 12; to++) {
		memcpy(page, data + to * PAGE, PAGE);
		for (size_t from = 1; from < size / PAGE; from += 5) {
			memcpy(data + to * PAGE, data + from * PAGE, PAGE);
			write_export(data, size);
			refused += check_damaged(&by_pages) != SCAN_DONE;
			refused += check_damaged(&by_sqlite) != SCAN_DONE;
			n += 2 * (from != to);
		}
		memcpy(data + to * PAGE, page, PAGE);
	}
	assert_true(refused > n * 9 / 10);
	free(data);
}

/* Each byte of the pages that lead to others, and of the first leaf pages, is another one. */
static void bytes_that_are_wrong(void **state)
{
	size_t size, refused = 0;
	unsigned char *data = make_kernels(&size);

	(void)state;
	for (size_t at = PAGE; at < size; at += (size_t)(at < 3 * PAGE ? all_or(1, 3) : all_or(61, 183))) {
		data[at] ^= 0x55;
		write_export(data, size);
		refused += check_damaged(&by_pages) != SCAN_DONE;
		check_damaged(&by_sqlite);
		data[at] ^= 0x55;
	}
	assert_true(refused > 0);
	free(data);
}

/* Cut off after it was opened. */
static void a_file_that_shrinks(void **state)
{
	static const int columns[] = {KERNEL_start, KERNEL_end, KERNEL_shortName};
	struct scanned *parts = scanned_new(TABLE_KERNEL, columns, 3);
	struct error err = {0};
	struct store *store;
	size_t size;

	(void)state;
	free(make_kernels(&size));
	store = store_open(in_scratch("export.sqlite"), &err);
	assert_non_null(store);
	assert_int_equal(truncate(in_scratch("export.sqlite"), (off_t)size - PAGE), 0);
	assert_int_equal(scan_parts(store, &parts->scan, &by_pages, &err), SCAN_VOID);
	assert_int_equal(scan_parts(store, &parts->scan, &by_sqlite, &err), SCAN_VOID);
	assert_int_equal(store_scan(store, &parts->scan, &err), -1);
	assert_non_null(strstr(err.text, "export.sqlite is damaged"));
	store_close(store);
	scanned_free(parts);
}

static void make_large(void)
{
	make_export("PRAGMA page_size=4096; CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, \"end\" INT, shortName "
		    "TEXT);",
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200000)"
		" INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT i, i * i, 'name ' || i % 10 FROM n;");
}

/* With three threads. */
static void check_large(void)
{
	static const int columns[] = {KERNEL_start, KERNEL_end, KERNEL_shortName};
	struct scanned *parts = scanned_new(TABLE_KERNEL, columns, 3);
	struct error err = {0};
	struct store *store;
	int64_t last = 0;

	store = store_open(in_scratch("export.sqlite"), &err);
	assert_non_null(store);
	store_use_threads(store, 3);
	assert_int_equal(store_scan(store, &parts->scan, &err), 0);
	assert_true(parts->nparts > 3);
	assert_int_equal(scanned_count(parts), 200000);
	for (size_t i = 0; i < parts->nparts; i++)
		for (size_t k = 0; k < parts->parts[i].n; k++)
			assert_int_equal(parts->parts[i].rows[k].value[0], ++last);
	store_close(store);
	scanned_free(parts);
}

static void a_large_table_is_divided(void **state)
{
	(void)state;
	make_large();
	unsetenv("DBPROF_READER");
	check_large();
	setenv("DBPROF_READER", "sqlite", 1);
	check_large();
	unsetenv("DBPROF_READER");
}

/* Two neighbours in each other's place: SQLite alone would give the rows in that order. */
static void a_large_table_with_pages_in_wrong_places(void **state)
{
	enum { SIZE = 4096, AT = 600 * SIZE };
	static const int columns[] = {KERNEL_start, KERNEL_end};
	struct scanned *parts = scanned_new(TABLE_KERNEL, columns, 2);
	unsigned char pages[2 * SIZE];
	struct error err = {0};
	struct store *store;
	FILE *file;

	(void)state;
	make_large();
	file = fopen(in_scratch("export.sqlite"), "r+");
	assert_non_null(file);
	assert_int_equal(fseek(file, AT, SEEK_SET), 0);
	assert_int_equal(fread(pages, SIZE, 2, file), 2);
	assert_int_equal(pages[0], PAGE_LEAF);
	assert_int_equal(pages[SIZE], PAGE_LEAF);
	assert_int_equal(fseek(file, AT, SEEK_SET), 0);
	assert_int_equal(fwrite(pages + SIZE, SIZE, 1, file), 1);
	assert_int_equal(fwrite(pages, SIZE, 1, file), 1);
	assert_int_equal(fclose(file), 0);
	store = store_open(in_scratch("export.sqlite"), &err);
	assert_non_null(store);
	store_use_threads(store, 2);
	assert_int_equal(store_scan(store, &parts->scan, &err), -1);
	assert_non_null(strstr(err.text, "export.sqlite is damaged: copy it again"));
	assert_false(error_is_of_system(&err));
	assert_int_equal(parts->begun, 1);
	store_close(store);
	scanned_free(parts);
}

static bool ends_with_zero(void *user, int64_t first)
{
	(void)user;
	return first % 10 == 0;
}

/* Rows that nobody wants may be left out, and pages leave them out; all others come, in order. */
static void rows_that_nobody_wants(void **state)
{
	static const int columns[] = {KERNEL_start, KERNEL_end};
	struct scanned *all = scanned_new(TABLE_KERNEL, columns, 2), *some = scanned_new(TABLE_KERNEL, columns, 2);
	const struct scanned_row *row, *wanted;
	size_t part = 0, at = 0, some_part = 0, some_at = 0;
	struct error err = {0};
	struct store *store;

	(void)state;
	make_export("PRAGMA page_size=512; CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT, \"end\" INT);"
		    "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
		    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT i, i * 2 FROM n;",
		NULL);
	store = store_open(in_scratch("export.sqlite"), &err);
	some->scan.wanted = ends_with_zero;
	assert_int_equal(scan_parts(store, &all->scan, &by_pages, &err), SCAN_DONE);
	assert_int_equal(scan_parts(store, &some->scan, &by_pages, &err), SCAN_DONE);
	assert_int_equal(scanned_count(all), 5000);
	assert_int_equal(scanned_count(some), 500);
	while ((row = scanned_next(all, &part, &at))) {
		if (row->value[0] % 10 != 0)
			continue;
		wanted = scanned_next(some, &some_part, &some_at);
		assert_memory_equal(wanted, row, sizeof(*row));
	}
	store_close(store);
	scanned_free(all);
	scanned_free(some);
}

static bool is_even(void *user, size_t part)
{
	(void)user;
	return part % 2 == 0;
}

/* Parts that nobody wants are not read, by either reader; the others are whole. */
static void parts_that_nobody_wants(void **state)
{
	static const int columns[] = {KERNEL_start};
	const struct scan_how *const hows[] = {&by_pages, &by_sqlite};
	struct error err = {0};
	struct store *store;

	(void)state;
	make_export("PRAGMA page_size=512; CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INT);"
		    "WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)"
		    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL SELECT i FROM n;",
		NULL);
	store = store_open(in_scratch("export.sqlite"), &err);
	for (size_t h = 0; h < sizeof hows / sizeof *hows; h++) {
		struct scanned *all = scanned_new(TABLE_KERNEL, columns, 1);
		struct scanned *some = scanned_new(TABLE_KERNEL, columns, 1);

		some->scan.part_wanted = is_even;
		assert_int_equal(scan_parts(store, &all->scan, hows[h], &err), SCAN_DONE);
		assert_int_equal(scan_parts(store, &some->scan, hows[h], &err), SCAN_DONE);
		assert_int_equal(some->nparts, all->nparts);
		assert_true(all->nparts > 10);
		for (size_t p = 0; p < all->nparts; p++)
			assert_int_equal(some->parts[p].n, p % 2 == 0 ? all->parts[p].n : 0);
		scanned_free(all);
		scanned_free(some);
	}
	store_close(store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(recordings_that_ship),
		scratch_test(exports_of_nsys),
		scratch_test(made_up_recordings),
		scratch_test(every_kind_of_value_in_pages_of_every_size),
		scratch_test(columns_that_were_added_later),
		scratch_test(names_of_numbers_that_are_taken),
		scratch_test(tables_that_are_not_divided),
		scratch_test(columns_that_are_not_kept),
		scratch_test(old_and_new_kinds_of_synchronisation),
		scratch_test(pages_in_wrong_places),
		scratch_test(bytes_that_are_wrong),
		scratch_test(a_file_that_shrinks),
		scratch_test(rows_that_nobody_wants),
		scratch_test(parts_that_nobody_wants),
		scratch_test(a_large_table_is_divided),
		scratch_test(a_large_table_with_pages_in_wrong_places),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
