/* write.c: a recording appears whole or not at all; a full disk; the mode of the file; rows out of spools.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "fixtures/scratch.h"
#include "fixtures/recordings.h"
#include "fixtures/spools.h"

static void write_file(const char *name, const char *text)
{
	FILE *file = fopen(in_scratch(name), "w");

	assert_non_null(file);
	assert_true(fputs(text, file) >= 0);
	assert_int_equal(fclose(file), 0);
}

static void assert_old_file(const char *name)
{
	char text[16] = "";
	FILE *file = fopen(in_scratch(name), "r");

	assert_non_null(file);
	assert_non_null(fgets(text, sizeof text, file));
	assert_string_equal(text, "old");
	fclose(file);
	assert_int_equal(scratch_files(0), 1);
}

static void an_abandoned_recording_leaves_nothing(void **state)
{
	struct recording *rec;

	(void)state;
	write_file("r", "old");
	rec = create("r");
	write_kernel(rec, 0, 0, 1, "k");
	recording_abandon(rec);
	recording_abandon(NULL);
	assert_old_file("r");
}

static void a_finished_recording_replaces_the_old_file(void **state)
{
	mode_t mask = umask(027);
	struct stat st;

	(void)state;
	write_file("r", "old");
	finish(create("r"));
	umask(mask);
	assert_int_equal(scratch_files(0), 1);
	store_close(open_store("r"));
	assert_int_equal(stat(in_scratch("r"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0640);
}

/* Writes rows of about 300 bytes until it fails or there are `rows`. */
static int fill(struct recording *rec, int rows, struct error *err)
{
	char key[300];

	for (int i = 0; i < rows; i++) {
		snprintf(key, sizeof key, "%0*d", (int)sizeof key - 1, i);
		if (recording_meta(rec, key, "v", err) != 0)
			return -1;
	}
	return 0;
}

/* The limit is hit at the first write, while rows are written, or at the commit. */
static void a_full_disk_leaves_nothing_and_says_so(void **state)
{
	static const rlim_t limits[] = {0, 5000, 70000, 200000, 400000, 3000000};
	struct rlimit old;

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	write_file("r", "old");
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	for (size_t i = 0; i < sizeof limits / sizeof *limits; i++) {
		struct rlimit small = {.rlim_cur = limits[i], .rlim_max = old.rlim_max};
		struct error err = {0};
		struct recording *rec;

		assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
		rec = recording_create(in_scratch("r"), EPOCH, &err);
		if (rec != NULL && fill(rec, 20000, &err) == 0)
			assert_int_equal(recording_finish(rec, &err), -1);
		else
			recording_abandon(rec);
		assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
		assert_non_null(strstr(err.text, "cannot write "));
		assert_non_null(strstr(err.text, "no space left"));
		assert_non_null(strstr(err.text, "-o"));
		assert_old_file("r");
	}
}

static void places_that_cannot_be_written_are_refused(void **state)
{
	struct error err = {0};

	(void)state;
	assert_null(recording_create(in_scratch("no/such/folder"), EPOCH, &err));
	assert_non_null(strstr(err.text, strerror(ENOENT)));
	assert_null(recording_create(scratch, EPOCH, &err));
	assert_non_null(strstr(err.text, "folder"));
	assert_int_equal(scratch_files(0), 0);
}

enum { ROWS = 3000 };

/* Writes the same rows into both. Times that would be out of range once the epoch is subtracted become 0. */
static void write_any(struct recording *rec, struct spool *spool, uint32_t seed)
{
	struct value rows[TABLES_NUMBER][TABLE_MAX_COLUMNS] = {{{0}}};
	struct error err = {0};

	for (int i = 0; i < ROWS; i++) {
		enum table_id table = any_row(&seed, rows);
		int times = table == TABLE_SAMPLE ? 0 : table == TABLE_CLOCK ? 1 : 2;

		for (int k = 0; k < times; k++)
			if (rows[table][k].kind == VALUE_INT && rows[table][k].integer < INT64_MIN + EPOCH)
				rows[table][k].integer = 0;
		write_row(rec, table, rows[table]);
		assert_int_equal(spool_row(spool, table, rows[table], &err), 0);
	}
}

static void add_spool(struct recording *rec, const char *name)
{
	struct error err = {0};
	bool torn = true;

	recording_add_spool(rec, in_scratch(name), &torn, &err);
	assert_string_equal(err.text, "");
	assert_false(torn);
}

static void assert_same_cell(const struct cursor *a, const struct cursor *b, enum column_type type, int column)
{
	double real[2] = {cursor_real(a, column), cursor_real(b, column)};

	assert_int_equal(cursor_null(a, column), cursor_null(b, column));
	if (cursor_null(a, column))
		return;
	if (type == COLUMN_INT)
		assert_true(cursor_int(a, column) == cursor_int(b, column));
	else if (type == COLUMN_REAL)
		assert_memory_equal(&real[0], &real[1], sizeof real[0]);
	else
		assert_string_equal(cursor_text(a, column), cursor_text(b, column));
}

/* Returns how many rows both have. */
static int compare_table(struct store *a, struct store *b, enum table_id table)
{
	struct cursor *left = store_rows(a, table, -1, NULL), *right = store_rows(b, table, -1, NULL);
	const struct table *t = schema_table(table);
	int n = 0, more;

	while ((more = cursor_next(left, NULL)) > 0) {
		assert_int_equal(cursor_next(right, NULL), 1);
		for (int i = 0; i < t->ncolumns; i++)
			assert_same_cell(left, right, t->columns[i].type, i);
		n++;
	}
	assert_int_equal(more, 0);
	assert_int_equal(cursor_next(right, NULL), 0);
	cursor_close(left);
	cursor_close(right);
	return n;
}

/* A spool's rows are bound cell by cell, only where they changed: also between rows that come another way, and from one
 * spool to the next, all must be as if each row were written alone. */
static void spools_give_the_rows_that_were_put_in(void **state)
{
	struct recording *alone = create("alone"), *spooled = create("spooled");
	struct spool *first = create_spool("first"), *second = create_spool("second");
	struct store *a, *b;
	int n = 0;

	(void)state;
	write_any(alone, first, 21);
	write_kernel(alone, 5, 3, 4711, "between");
	write_any(alone, second, 22);
	finish(alone);
	assert_int_equal(spool_close(first, NULL), 0);
	assert_int_equal(spool_close(second, NULL), 0);
	add_spool(spooled, "first");
	write_kernel(spooled, 5, 3, 4711, "between");
	add_spool(spooled, "second");
	finish(spooled);
	a = open_store("alone");
	b = open_store("spooled");
	for (enum table_id table = 0; table < TABLES_NUMBER; table++)
		if (table != TABLE_META && table != TABLE_SESSION && table != TABLE_CUDADEVICE)
			n += compare_table(a, b, table);
	assert_int_equal(n, 2 * ROWS + 1);
	store_close(a);
	store_close(b);
}

static void a_time_out_of_range_is_refused(void **state)
{
	const struct value row[CLOCK_NUMBER] = {[CLOCK_timestamp] = VALUE_OF_INT(INT64_MIN)};
	struct spool *spool = create_spool("spool");
	struct recording *rec = create("r");
	struct error err = {0};
	bool torn;

	(void)state;
	assert_int_equal(spool_row(spool, TABLE_CLOCK, row, NULL), 0);
	assert_int_equal(spool_close(spool, NULL), 0);
	assert_int_equal(recording_add_spool(rec, in_scratch("spool"), &torn, &err), -1);
	assert_non_null(strstr(err.text, "a time in DBPROF_CLOCK is out of range"));
	recording_abandon(rec);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(an_abandoned_recording_leaves_nothing),
		scratch_test(a_finished_recording_replaces_the_old_file),
		scratch_test(a_full_disk_leaves_nothing_and_says_so),
		scratch_test(places_that_cannot_be_written_are_refused),
		scratch_test(spools_give_the_rows_that_were_put_in),
		scratch_test(a_time_out_of_range_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
