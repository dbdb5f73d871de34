/* nsys-hostile.c: whatever is wrong with an export, there is a report or one clear line. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/stat.h>

#include "fixtures/nsys-fixture.h"
#include "fixtures/tier.h"
#include "model/model.h"

/* Builds the model of export.sqlite: true if there is one, else there is one line that names the file. */
static bool survived(void)
{
	const char *file = in_scratch("export.sqlite");
	const struct model_options options = {.files = &file, .nfiles = 1, .version = "1.2.3"};
	struct error err = {0};
	json_t *tree = model_build(&options, &err);
	bool reported = tree != NULL;

	json_decref(tree);
	if (reported) {
		assert_string_equal(err.text, "");
		return true;
	}
	assert_false(error_is_of_system(&err));
	assert_non_null(strstr(err.text, "export.sqlite"));
	assert_null(strchr(err.text, '\n'));
	return false;
}

static void make_current(const char *before)
{
	char *schema = current_schema(), *sql = malloc(1 << 17);

	assert_non_null(sql);
	snprintf(sql, 1 << 17, "%s%s", before, schema);
	make_export(sql, current_rows);
	free(sql);
	free(schema);
}

static size_t read_export(unsigned char **data)
{
	struct stat st;
	FILE *file = fopen(in_scratch("export.sqlite"), "r");

	assert_non_null(file);
	assert_int_equal(stat(in_scratch("export.sqlite"), &st), 0);
	*data = malloc((size_t)st.st_size);
	assert_non_null(*data);
	assert_int_equal(fread(*data, 1, (size_t)st.st_size, file), st.st_size);
	fclose(file);
	return (size_t)st.st_size;
}

static void write_export(const unsigned char *data, size_t size)
{
	FILE *file = fopen(in_scratch("export.sqlite"), "w");

	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

enum { PAGE = 512, AT_PAGES = 28 };

static void set_pages(unsigned char *data, size_t pages)
{
	for (int i = 0; i < 4; i++)
		data[AT_PAGES + i] = (unsigned char)(pages >> (24 - 8 * i));
}

/* Cut off behind every page: as it is, which the header tells; and with a header that hides it. */
static void cut_off_at_every_page(void **state)
{
	unsigned char *data;
	size_t size, reports = 0;

	(void)state;
	make_current("PRAGMA page_size=512;");
	size = read_export(&data);
	assert_int_equal(size % PAGE, 0);
	for (size_t pages = size / PAGE - 1; pages > 0; pages--) {
		set_pages(data, size / PAGE);
		write_export(data, pages * PAGE);
		assert_false(survived());
		set_pages(data, pages);
		write_export(data, pages * PAGE);
		reports += survived();
	}
	/* Some pages at the end belong to tables that no report needs. */
	assert_true(reports < size / PAGE / 2);
	free(data);
}

static void every_page_overwritten(void **state)
{
	static const int bytes[] = {0, 0xff, 0x0d, 0x05};
	unsigned char *data, *page;
	size_t size;

	(void)state;
	make_current("PRAGMA page_size=512;");
	size = read_export(&data);
	page = malloc(PAGE);
	assert_non_null(page);
	for (size_t i = 0; i < size / PAGE; i++) {
		memcpy(page, data + i * PAGE, PAGE);
		for (size_t k = 0; k < sizeof bytes / sizeof *bytes; k++) {
			memset(data + i * PAGE + (i == 0 ? 100 : 0), bytes[k], i == 0 ? PAGE - 100 : PAGE);
			write_export(data, size);
			survived();
			memcpy(data + i * PAGE, page, PAGE);
		}
	}
	free(page);
	free(data);
}

/* The name of a table's column, or false if it has no more. */
static bool column_name(sqlite3 *db, const char *table, int column, char *name, size_t size)
{
	sqlite3_stmt *stmt;
	bool there;

	assert_int_equal(sqlite3_prepare_v2(db, "SELECT name FROM pragma_table_info(?) WHERE cid = ?", -1, &stmt, NULL),
		SQLITE_OK);
	assert_int_equal(sqlite3_bind_text(stmt, 1, table, -1, SQLITE_STATIC), SQLITE_OK);
	assert_int_equal(sqlite3_bind_int(stmt, 2, column), SQLITE_OK);
	there = sqlite3_step(stmt) == SQLITE_ROW;
	if (there)
		snprintf(name, size, "%s", (const char *)sqlite3_column_text(stmt, 0));
	sqlite3_finalize(stmt);
	return there;
}

/* Sets every column of every row to a value in turn, and puts the rows back. Where the rest is tried by another build,
 * it is every third column, and another third for the next value. */
static void spoil_columns(sqlite3 *db, const char *table, const char *value, int number)
{
	const int apart = all_or(1, 3);
	char sql[512], column[64];

	for (int i = number % apart; column_name(db, table, i, column, sizeof column); i += apart) {
		snprintf(sql, sizeof sql, "CREATE TABLE kept AS SELECT * FROM %s; UPDATE %s SET \"%s\" = %s", table,
			table, column, value);
		run_sql(db, sql);
		survived();
		snprintf(sql, sizeof sql, "DELETE FROM %s; INSERT INTO %s SELECT * FROM kept; DROP TABLE kept", table,
			table);
		run_sql(db, sql);
	}
}

static void wrong_values_in_every_column(void **state)
{
	static const char *const tables[] = {"CUPTI_ACTIVITY_KIND_KERNEL", "CUPTI_ACTIVITY_KIND_MEMCPY",
		"CUPTI_ACTIVITY_KIND_RUNTIME", "NVTX_EVENTS", "StringIds", "TARGET_INFO_GPU", "TARGET_INFO_CUDA_DEVICE",
		"ENUM_CUDA_MEMCPY_OPER", "ENUM_CUDA_MEM_KIND", "ENUM_NSYS_EVENT_TYPE", "DIAGNOSTIC_EVENT",
		"TARGET_INFO_SESSION_START_TIME"};
	static const char *const values[] = {"NULL", "'text'", "x'00ff80'", "9223372036854775807",
		"-9223372036854775808", "-1", "1e300", "CAST(x'ff41fe' AS TEXT)", "4294967296"};
	sqlite3 *db;

	(void)state;
	make_current("PRAGMA synchronous=OFF;");
	assert_int_equal(sqlite3_open(in_scratch("export.sqlite"), &db), SQLITE_OK);
	run_sql(db, "PRAGMA synchronous=OFF; PRAGMA journal_mode=MEMORY;"
		    "INSERT INTO TARGET_INFO_CUDA_DEVICE VALUES (0, 0, 77);"
		    "INSERT INTO ENUM_NSYS_EVENT_TYPE VALUES (59, 'NvtxPushPopRange', 'NvtxPushPopRange');"
		    "INSERT INTO DIAGNOSTIC_EVENT VALUES (1, 1, 1, 2, 'a warning', 5);"
		    "INSERT INTO TARGET_INFO_SESSION_START_TIME VALUES (1, 'then', 'there')");
	for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
		for (size_t v = 0; v < sizeof values / sizeof *values; v++)
			spoil_columns(db, tables[t], values[v], (int)v);
	sqlite3_close(db);
	assert_true(survived());
}

/* The same numbers, however the file is kept. */
static void other_ways_to_keep_a_file(void **state)
{
	static const char *const ways[] = {"PRAGMA encoding='UTF-16le';", "PRAGMA encoding='UTF-16be';",
		"PRAGMA journal_mode=WAL;", "PRAGMA page_size=65536;", "PRAGMA auto_vacuum=FULL;"};

	(void)state;
	for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
		json_t *tree;

		make_current(ways[i]);
		tree = fixture_model("export.sqlite");
		assert_integer(tree, "gpus.0.overlap_ns", 1000);
		assert_text(tree, "ranges.0.name", "work");
		assert_text(tree, "program.kernels.0.name", "saxpy");
		assert_text(tree, "program.copies.1.memory", "pageable");
		json_decref(tree);
	}
}

/* Nothing is read through a view or a virtual table: it counts as missing. */
static void views_in_place_of_tables(void **state)
{
	sqlite3 *db;
	json_t *tree;

	(void)state;
	make_current("");
	assert_int_equal(sqlite3_open(in_scratch("export.sqlite"), &db), SQLITE_OK);
	run_sql(db, "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL RENAME TO k;"
		    "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT * FROM k;"
		    "DROP TABLE StringIds; CREATE VIEW StringIds AS SELECT 1 AS id, 'x' AS value;"
		    "DROP TABLE ENUM_CUDA_MEM_KIND; CREATE VIEW ENUM_CUDA_MEM_KIND AS SELECT 0 AS id, 'x' AS label");
	sqlite3_close(db);
	tree = fixture_model("export.sqlite");
	assert_integer(tree, "gpus.0.busy_ns.kernel", 0);
	assert_integer(tree, "gpus.0.busy_ns.copy", 2500);
	assert_text(tree, "ranges.0.name", "");
	json_decref(tree);
}

static void tables_without_rows(void **state)
{
	char *schema = current_schema();

	(void)state;
	make_export(schema, NULL);
	free(schema);
	assert_false(survived());
}

/* As many names as a long Python program has, most of them of no use here. */
static void a_million_names(void **state)
{
	char *schema = current_schema();
	json_t *tree;

	(void)state;
	make_export(schema, "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999999)"
			    "INSERT INTO StringIds SELECT i, 'name ' || i FROM n;"
			    "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, \"end\", shortName) VALUES (1, 2, 999999),"
			    " (3, 4, 0), (5, 6, 4096), (7, 8, 1000000)");
	free(schema);
	tree = fixture_model("export.sqlite");
	assert_size(tree, "program.kernels", 4);
	assert_text(tree, "program.kernels.0.name", "kernel");
	assert_text(tree, "program.kernels.3.name", "name 999999");
	json_decref(tree);
}

/* Each kernel on a device and a stream of its own, from the first to the last moment: no number overflows and nothing
 * takes time to the square. */
static void a_crowd_of_devices(void **state)
{
	char *schema = current_schema();
	json_t *tree;

	(void)state;
	make_export(schema,
		"WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 4999)"
		"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, \"end\", deviceId, streamId, globalPid) "
		"SELECT -(1 << 59), 1 << 61, i, -i, i << 24 FROM n;"
		"INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY (start, \"end\", bytes, copyKind) VALUES"
		" (1, 2, 9223372036854775807, 1), (2, 3, 9223372036854775807, 1), (-9223372036854775807, 4, 5, 1)");
	free(schema);
	tree = fixture_model("export.sqlite");
	assert_size(tree, "gpus", 256);
	assert_integer(tree, "gpus.255.busy_ns.kernel", INT64_C(5) << 59);
	assert_integer(tree, "gpus.255.idle_ns", 0);
	assert_integer(tree, "program.kernels.0.total_ns", INT64_MAX);
	assert_integer(tree, "program.copies.0.bytes", INT64_MAX);
	assert_text(tree, "diagnostics.0.text", "1 record has no times and is left out");
	assert_text(tree, "diagnostics.1.text",
		"device work on more than 256 GPUs was recorded: 4744 pieces on the others are left out");
	json_decref(tree);
}

/* A list and what it leaves out are so many together. */
static void assert_all_told(const json_t *tree, const char *list, const char *rest, json_int_t want)
{
	assert_int_equal((json_int_t)json_array_size(at(tree, list)) + json_integer_value(at(tree, rest)), want);
	assert_true(json_array_size(at(tree, list)) > 100);
}

static void assert_diagnosed(const json_t *tree, const char *id, const char *want)
{
	const json_t *list = at(tree, "diagnostics");

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *note = json_array_get(list, i), *is = json_object_get(note, "id");

		if (is && strcmp(json_string_value(is), id) == 0) {
			assert_string_equal(json_string_value(json_object_get(note, "text")), want);
			return;
		}
	}
	fail_msg("no diagnostic %s", id);
}

/* Each kernel of a process and a name of its own, and a diagnostic for each: the lists end, and say so. */
static void a_crowd_of_processes(void **state)
{
	char *schema = current_schema();
	json_t *tree;

	(void)state;
	make_export(schema,
		"WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12000)"
		"INSERT INTO StringIds SELECT 1000000 + i, 'kernel ' || i FROM n;"
		"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, \"end\", deviceId, streamId, globalPid, shortName) "
		"SELECT id * 10, id * 10 + 5, 0, 1, (id - 1000000) << 24, id FROM StringIds WHERE id > 1000000;"
		"INSERT INTO DIAGNOSTIC_EVENT (timestamp, severity, text) SELECT id, 2, 'trouble' FROM StringIds WHERE "
		"id "
		"> 1000000");
	free(schema);
	tree = fixture_model("export.sqlite");
	assert_all_told(tree, "program.kernels", "program.kernels_left_out.names", 12000);
	assert_true(json_array_size(at(tree, "diagnostics")) < 9000);
	assert_diagnosed(tree, "rows-left-out", "DIAGNOSTIC_EVENT has more than 10000 rows: those beyond are left out");
	assert_diagnosed(tree, "kernel-names-left-out",
		"there are kernels of 12000 names: the 5000 with the most time are told");
	assert_diagnosed(tree, "processes-left-out",
		"there are more processes, or GPUs of processes, than are told: the first 2000 processes are");
	assert_true(json_dumpb(tree, NULL, 0, JSON_INDENT(1)) < 1000000);
	json_decref(tree);
}

/* Names with a number in them, each range once, and a stream for each kernel: the report keeps what has the most time.
 */
static void a_crowd_of_names_and_streams(void **state)
{
	char *schema = current_schema();
	json_t *tree;

	(void)state;
	make_export(schema,
		"DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME; CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 0 UNION "
		"ALL SELECT i + 1 FROM n"
		" WHERE i < 2999) SELECT i FROM n;"
		"INSERT INTO NVTX_EVENTS (start, \"end\", eventType, text) SELECT i * 10000, i * 10000 + i, 59,"
		" 'step ' || i FROM n;"
		"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, \"end\", streamId) SELECT i, i + 1, i FROM n;"
		"INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, \"end\", streamId) SELECT i, i + 1, 2999 FROM n;");
	free(schema);
	tree = fixture_model("export.sqlite");
	assert_all_told(tree, "ranges", "ranges_left_out.names", 3000);
	assert_true(json_dumpb(tree, NULL, 0, JSON_INDENT(1)) < 1000000);
	assert_size(tree, "program.timeline.lanes", 200);
	assert_integer(tree, "program.timeline.lanes_left_out", 2800);
	assert_integer(tree, "program.timeline.lanes.198.stream", 198);
	assert_integer(tree, "program.timeline.lanes.199.stream", 2999);
	assert_integer(tree, "gpus.0.busy_ns.kernel", 3000);
	assert_text(tree, "diagnostics.0.text",
		"the calls of the CUDA API were not recorded: no device work can be assigned to NVTX ranges");
	assert_text(tree, "diagnostics.1.text",
		"there are NVTX ranges of 3000 names: those of the 2000 names with the most time are told");
	assert_text(
		tree, "diagnostics.2.text", "a timeline shows the 200 lanes with the most work and leaves out 2800");
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(cut_off_at_every_page),
		scratch_test(every_page_overwritten),
		scratch_test(wrong_values_in_every_column),
		scratch_test(other_ways_to_keep_a_file),
		scratch_test(views_in_place_of_tables),
		scratch_test(tables_without_rows),
		scratch_test(a_million_names),
		scratch_test(a_crowd_of_devices),
		scratch_test(a_crowd_of_processes),
		scratch_test(a_crowd_of_names_and_streams),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
