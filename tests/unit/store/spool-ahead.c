/* spool-ahead.c: a spool that a thread reads ahead gives the same rows, whatever its size, its tail and its reader;
 * what a caller changes in its rows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/stat.h>

#include "fixtures/scratch.h"
#include "fixtures/recordings.h"
#include "fixtures/spools.h"
#include "store/spool/ahead.h"

/* The first is read without a thread. The other has many batches, and texts in full that end some of them. */
enum { FEW = 100, MANY = 40000 };

static struct ahead *open_ahead(const char *name)
{
	struct error err = {0};
	struct ahead *ahead = ahead_open(in_scratch(name), &err);

	assert_string_equal(err.text, "");
	assert_non_null(ahead);
	return ahead;
}

static void make_spool(int n)
{
	struct spool *spool = create_spool("spool");

	append_any(spool, "spool", 11, n, NULL);
	assert_int_equal(spool_close(spool, NULL), 0);
}

/* Reads to the end, and holds each row against what append_any() wrote. Returns how many. */
static int check_ahead(struct ahead *ahead)
{
	static struct value rows[TABLES_NUMBER][TABLE_MAX_COLUMNS], got[TABLES_NUMBER][TABLE_MAX_COLUMNS];
	const struct ahead_batch *batch;
	struct error err = {0};
	uint32_t seed = 11;
	int n = 0, rc;

	memset(rows, 0, sizeof rows);
	while ((batch = ahead_next(ahead, &rc, &err)) != NULL) {
		const struct ahead_cell *cell = batch->cells;

		assert_true(batch->nrows > 0);
		for (size_t i = 0; i < batch->nrows; i++, n++) {
			enum table_id table = any_row(&seed, rows);

			assert_int_equal(batch->rows[i].table, table);
			for (uint64_t left = batch->rows[i].changed; left != 0; left &= left - 1)
				got[table][__builtin_ctzll(left)] = cell++->value;
			for (int c = 0; c < schema_table(table)->ncolumns; c++)
				assert_same_value(&got[table][c], &rows[table][c]);
		}
		assert_ptr_equal(cell, batch->cells + batch->ncells);
	}
	assert_int_equal(rc, 0);
	assert_null(ahead_next(ahead, &rc, &err));
	return n;
}

static void all_rows_come_in_order(void **state)
{
	static const int sizes[] = {0, 1, FEW, MANY};

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct ahead *ahead;

		make_spool(sizes[i]);
		ahead = open_ahead("spool");
		assert_int_equal(check_ahead(ahead), sizes[i]);
		assert_false(ahead_torn(ahead));
		ahead_close(ahead);
		assert_int_equal(unlink(in_scratch("spool")), 0);
	}
	assert_null(ahead_open(in_scratch("missing"), NULL));
}

static void a_torn_tail_loses_one_row(void **state)
{
	static const int sizes[] = {FEW, MANY};

	(void)state;
	for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		struct ahead *ahead;

		make_spool(sizes[i]);
		assert_int_equal(truncate(in_scratch("spool"), file_size("spool") - 1), 0);
		ahead = open_ahead("spool");
		assert_int_equal(check_ahead(ahead), sizes[i] - 1);
		assert_true(ahead_torn(ahead));
		ahead_close(ahead);
		assert_int_equal(unlink(in_scratch("spool")), 0);
	}
}

/* The thread waits for room then, or still reads. */
static void a_reader_may_leave_before_the_end(void **state)
{
	(void)state;
	make_spool(MANY);
	for (int batches = 0; batches < 6; batches++) {
		struct ahead *ahead = open_ahead("spool");
		int rc;

		for (int i = 0; i < batches; i++)
			assert_non_null(ahead_next(ahead, &rc, NULL));
		ahead_close(ahead);
	}
	ahead_close(NULL);
}

/* ---- into a recording ---- */

/* Times of append_any() go as far as numbers do. */
static struct recording *create_at_zero(const char *name)
{
	struct error err = {0};
	struct recording *rec = recording_create(in_scratch(name), 0, &err);

	assert_string_equal(err.text, "");
	return rec;
}

static void write_row_by_row(const char *name, int n)
{
	static struct value rows[TABLES_NUMBER][TABLE_MAX_COLUMNS];
	struct recording *rec = create_at_zero(name);
	uint32_t seed = 11;

	memset(rows, 0, sizeof rows);
	for (int i = 0; i < n; i++) {
		enum table_id table = any_row(&seed, rows);

		write_row(rec, table, rows[table]);
	}
	finish(rec);
}

static void assert_same_cell(const struct cursor *a, const struct cursor *b, int column, enum column_type type)
{
	double x = cursor_real(a, column), y = cursor_real(b, column);

	assert_int_equal(cursor_null(a, column), cursor_null(b, column));
	if (cursor_null(a, column))
		return;
	if (type == COLUMN_INT)
		assert_true(cursor_int(a, column) == cursor_int(b, column));
	else if (type == COLUMN_REAL)
		assert_memory_equal(&x, &y, sizeof x);
	else
		assert_string_equal(cursor_text(a, column), cursor_text(b, column));
}

static int compare_tables(struct store *left, struct store *right, enum table_id table)
{
	struct cursor *a = store_rows(left, table, -1, NULL), *b = store_rows(right, table, -1, NULL);
	const struct table *t = schema_table(table);
	int n = 0;

	for (; cursor_next(a, NULL) == 1; n++) {
		assert_int_equal(cursor_next(b, NULL), 1);
		for (int i = 0; i < t->ncolumns; i++)
			assert_same_cell(a, b, i, t->columns[i].type);
	}
	assert_int_equal(cursor_next(b, NULL), 0);
	cursor_close(a);
	cursor_close(b);
	return n;
}

static void a_spool_is_written_as_its_rows_are(void **state)
{
	static const enum table_id tables[] = {
		TABLE_KERNEL, TABLE_RUNTIME, TABLE_NVTX, TABLE_SAMPLE, TABLE_CLOCK, TABLE_CUDADEVICE};
	struct recording *rec = create_at_zero("a");
	enum { ROWS = 6000 };
	struct store *a, *b;
	bool torn = true;
	int n = 0;

	(void)state;
	make_spool(ROWS);
	assert_int_equal(recording_add_spool(rec, in_scratch("spool"), &torn, NULL), 0);
	assert_false(torn);
	finish(rec);
	write_row_by_row("b", ROWS);
	a = open_store("a");
	b = open_store("b");
	for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
		int rows = compare_tables(a, b, tables[i]);

		n += tables[i] != TABLE_CUDADEVICE ? rows : 0;
	}
	assert_int_equal(n, ROWS);
	store_close(a);
	store_close(b);
}

/* ---- what a caller changes ---- */

enum { CLOCKS = 60000, STOP_AT = 20000 };

struct changes {
	struct recording_edit edit;
	int taken, changed;
};

/* Every third row is left out. */
static bool take_some(void *user, enum table_id table, const struct value *row)
{
	struct changes *changes = user;

	assert_int_equal(table, TABLE_CLOCK);
	assert_int_equal(row[CLOCK_smMhz].integer, changes->taken);
	if (changes->taken++ == CLOCKS / 2)
		changes->edit.version++;
	return row[CLOCK_smMhz].integer % 3 != 0;
}

/* The device changes every 100 rows. */
static void change_device(void *user, enum table_id table, struct value *row)
{
	struct changes *changes = user;

	assert_int_equal(table, TABLE_CLOCK);
	changes->changed++;
	row[CLOCK_deviceId].integer += changes->edit.version == 0 ? 1000 : 5000;
}

static bool stop_early(void *user, struct error *err)
{
	const struct changes *changes = user;

	if (changes->taken < STOP_AT)
		return false;
	error_set(err, "stopped");
	return true;
}

static void make_clocks(void)
{
	struct spool *spool = create_spool("spool");

	for (int i = 0; i < CLOCKS; i++) {
		const struct value row[CLOCK_NUMBER] = {
			[CLOCK_deviceId] = VALUE_OF_INT(i / 100), [CLOCK_smMhz] = VALUE_OF_INT(i)};

		assert_int_equal(spool_row(spool, TABLE_CLOCK, row, NULL), 0);
	}
	assert_int_equal(spool_close(spool, NULL), 0);
}

static void check_clocks(const char *name)
{
	struct store *store = open_store(name);
	struct cursor *cursor = store_rows(store, TABLE_CLOCK, -1, NULL);

	for (int i = 0; i < CLOCKS; i++) {
		if (i % 3 == 0)
			continue;
		assert_int_equal(cursor_next(cursor, NULL), 1);
		assert_int_equal(cursor_int(cursor, CLOCK_smMhz), i);
		assert_int_equal(cursor_int(cursor, CLOCK_deviceId), i / 100 + (i < CLOCKS / 2 ? 1000 : 5000));
	}
	assert_int_equal(cursor_next(cursor, NULL), 0);
	cursor_close(cursor);
	store_close(store);
}

static void a_caller_changes_what_it_has_named(void **state)
{
	struct changes changes = {.edit = {.user = &changes, .take = take_some, .change = change_device}};
	struct recording *rec = create("r");
	bool torn = true;

	(void)state;
	changes.edit.columns[TABLE_CLOCK] = UINT64_C(1) << CLOCK_deviceId;
	make_clocks();
	assert_int_equal(recording_edit_spool(rec, in_scratch("spool"), &changes.edit, &torn, NULL), 0);
	assert_false(torn);
	finish(rec);
	assert_int_equal(changes.taken, CLOCKS);
	assert_in_range(changes.changed, CLOCKS / 100, CLOCKS / 100 + 1);
	check_clocks("r");
}

static void a_caller_ends_the_reading(void **state)
{
	struct changes changes = {.edit = {.user = &changes, .take = take_some, .stop = stop_early}};
	struct error err = {0};
	bool torn;

	(void)state;
	make_clocks();
	assert_int_equal(recording_edit_spool(NULL, in_scratch("spool"), &changes.edit, &torn, &err), -1);
	assert_string_equal(err.text, "stopped");
	assert_in_range(changes.taken, STOP_AT, STOP_AT + 2000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(all_rows_come_in_order),
		scratch_test(a_torn_tail_loses_one_row),
		scratch_test(a_reader_may_leave_before_the_end),
		scratch_test(a_spool_is_written_as_its_rows_are),
		scratch_test(a_caller_changes_what_it_has_named),
		scratch_test(a_caller_ends_the_reading),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
