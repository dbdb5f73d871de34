/* pays-real.c: the gain of a real program, traced by Nsight Systems with one stream, then with two, for each chunk
 * size. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sqlite3.h>

#include "fixtures/model-fixture.h"

static int64_t number(sqlite3 *db, const char *sql, int64_t chunk)
{
	sqlite3_stmt *row;
	int64_t value;

	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
	sqlite3_bind_int64(row, 1, chunk);
	assert_int_equal(sqlite3_step(row), SQLITE_ROW);
	value = sqlite3_column_int64(row, 0);
	sqlite3_finalize(row);
	return value;
}

static void unpack(void)
{
	const char *source = getenv("srcdir");
	char command[4096];

	snprintf(command, sizeof command, "xz -dc '%s/tests/data/nsys-h100-chunked-vadd.sqlite.xz' > '%s'",
		source ? source : ".", in_scratch("a.sqlite"));
	assert_int_equal(system(command), 0);
}

/* Leaves of the export what began in [from, to). */
static void keep(int64_t from, int64_t to)
{
	static const char *const tables[] = {"KERNEL", "MEMCPY"};
	char sql[256];
	sqlite3 *db;

	assert_int_equal(sqlite3_open(in_scratch("a.sqlite"), &db), SQLITE_OK);
	for (size_t i = 0; i < 2; i++) {
		snprintf(sql, sizeof sql, "DELETE FROM CUPTI_ACTIVITY_KIND_%s WHERE start < %lld OR start >= %lld",
			tables[i], (long long)from, (long long)to);
		assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	}
	sqlite3_close(db);
}

/* When copies of a size began: with one stream, with two, and when they ended. */
static void find_parts(int64_t chunk, int64_t *one, int64_t *two, int64_t *end)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(in_scratch("a.sqlite"), &db), SQLITE_OK);
	*one = number(db, "SELECT min(start) FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE bytes = ?", chunk);
	*two = number(db, "SELECT min(start) FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE bytes = ? AND streamId = 14", chunk);
	*end = number(db, "SELECT max(end) FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE bytes = ?", chunk);
	/* Where the tables tell it, the default stream has the number that is assumed without them. */
	assert_int_equal(number(db, "SELECT nullStreamId FROM TARGET_INFO_CUDA_CONTEXT_INFO", 0), 7);
	/* The part with two streams begins with a copy in the other one. */
	*two = number(db, "SELECT max(end) FROM CUPTI_ACTIVITY_KIND_MEMCPY WHERE end <= ?", *two - 10000);
	sqlite3_close(db);
}

/* Estimated from the part with one stream, gained by the part with two: to the share `off` of what was gained. */
static void check_chunk(int64_t chunk, double off)
{
	int64_t one, two, end;
	double gain, span, gained;
	json_t *tree;

	unpack();
	find_parts(chunk, &one, &two, &end);
	keep(one, two);
	tree = fixture_model("a.sqlite");
	assert_size(tree, "program.pays", 1);
	assert_text(tree, "program.pays.0.copies.0.reason", "same-stream");
	gain = json_number_value(at(tree, "program.pays.0.gain_ns"));
	span = json_number_value(at(tree, "program.pays.0.span_ns"));
	json_decref(tree);
	unpack();
	keep(two, end);
	tree = fixture_model("a.sqlite");
	gained = span - json_number_value(at(tree, "gpus.0.span_ns"));
	/* It is double-buffered. */
	assert_size(tree, "program.pays", 0);
	json_decref(tree);
	print_message("%lld bytes: %.1f ms, estimated gain %.1f ms, achieved %.1f ms\n", (long long)chunk, span / 1e6,
		gain / 1e6, gained / 1e6);
	assert_near(gain, gained, off * gained);
}

static void test_real_program(void **state)
{
	(void)state;
	check_chunk(262144, 0.4);
	check_chunk(1048576, 0.12);
	check_chunk(4194304, 0.05);
	check_chunk(16777216, 0.1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_real_program),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
