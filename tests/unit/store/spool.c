/* spool.c: rows into a spool and back; threads, forks, kills, a full disk. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "fixtures/scratch.h"
#include "fixtures/spools.h"

static void every_kind_of_cell_comes_back(void **state)
{
	struct error err = {0};
	const struct value row[NVTX_NUMBER] = {
		[NVTX_start] = VALUE_OF_INT(INT64_MIN),
		[NVTX_end] = VALUE_OF_INT(INT64_MAX),
		[NVTX_text] = VALUE_OF_TEXT(""),
		[NVTX_textId] = VALUE_OF_TEXT("größer \xe2\x82\xac"),
		[NVTX_jsonText] = VALUE_OF_TEXT(NULL),
		[NVTX_doubleValue] = VALUE_OF_REAL(-0.1),
		[NVTX_floatValue] = VALUE_OF_INT(3),
	};
	struct spool *spool = create_spool("spool");
	struct spool_reader *reader;
	struct spool_record out;

	(void)state;
	assert_int_equal(spool_row(spool, TABLE_NVTX, row, &err), 0);
	assert_int_equal(spool_close(spool, &err), 0);
	reader = open_spool("spool");
	assert_int_equal(spool_reader_next(reader, &out, &err), 1);
	assert_int_equal(out.table, TABLE_NVTX);
	for (int i = 0; i < NVTX_NUMBER; i++)
		if (i != NVTX_jsonText && i != NVTX_floatValue)
			assert_same_value(&out.row[i], &row[i]);
	assert_int_equal(out.row[NVTX_jsonText].kind, VALUE_NULL);
	assert_same_value(&out.row[NVTX_floatValue], &VALUE_OF_REAL(3));
	assert_int_equal(spool_reader_next(reader, &out, &err), 0);
	assert_false(spool_reader_torn(reader));
	spool_reader_close(reader);
}

static void any_rows_come_back(void **state)
{
	enum { ROWS = 20000 };
	struct spool *spool = create_spool("spool");
	struct spool_reader *reader;

	(void)state;
	append_any(spool, "spool", 1, ROWS, NULL);
	assert_int_equal(spool_close(spool, NULL), 0);
	reader = open_spool("spool");
	assert_int_equal(check_any(reader, 1), ROWS);
	assert_false(spool_reader_torn(reader));
	spool_reader_close(reader);
}

/* What a reader says to have changed is all that differs from the row before. */
static void what_has_not_changed_is_as_before(void **state)
{
	struct value before[TABLES_NUMBER][TABLE_MAX_COLUMNS] = {{{0}}};
	struct spool *spool = create_spool("spool");
	struct spool_record record;
	struct spool_reader *reader;
	bool seen[TABLES_NUMBER] = {false};

	(void)state;
	append_any(spool, "spool", 3, 2000, NULL);
	assert_int_equal(spool_close(spool, NULL), 0);
	reader = open_spool("spool");
	while (spool_reader_next(reader, &record, NULL) > 0) {
		for (int i = 0; i < schema_table(record.table)->ncolumns; i++) {
			if ((record.changed >> i & 1) == 0)
				assert_same_value(&record.row[i], &before[record.table][i]);
			before[record.table][i] = record.row[i];
		}
		if (!seen[record.table])
			assert_true(record.changed == UINT64_MAX);
		seen[record.table] = true;
	}
	spool_reader_close(reader);
}

/* Every launch of a loop gives such rows: only times and numbers that count on differ. */
static void a_row_like_the_one_before_is_small(void **state)
{
	enum { ROWS = 1000, MOST = 24 };
	struct value row[KERNEL_NUMBER] = {
		[KERNEL_globalPid] = VALUE_OF_INT(INT64_C(4711) << 24),
		[KERNEL_demangledName] = VALUE_OF_TEXT("void add<float>(const float *, const float *, float *, int)"),
		[KERNEL_shortName] = VALUE_OF_TEXT("add"),
		[KERNEL_mangledName] = VALUE_OF_TEXT("_Z3addIfEvPKT_S2_PS0_i"),
	};
	struct spool *spool = create_spool("spool");
	long first = 0;

	(void)state;
	for (int i = 0; i <= ROWS; i++) {
		row[KERNEL_start] = VALUE_OF_INT(INT64_C(1700000000000000000) + 3000 * i);
		row[KERNEL_end] = VALUE_OF_INT(INT64_C(1700000000000002000) + 3000 * i + i % 7);
		row[KERNEL_correlationId] = VALUE_OF_INT(100 + 2 * i);
		row[KERNEL_gridId] = VALUE_OF_INT(i);
		assert_int_equal(spool_row(spool, TABLE_KERNEL, row, NULL), 0);
		if (i == 0) {
			assert_int_equal(spool_flush(spool, NULL), 0);
			first = file_size("spool");
		}
	}
	assert_int_equal(spool_close(spool, NULL), 0);
	assert_in_range(file_size("spool") - first, ROWS, ROWS * MOST);
}

/* A loop with two ranges, whose texts are no names. */
static void short_texts_are_written_once(void **state)
{
	enum { ROWS = 1000, MOST = 16 };
	struct value row[NVTX_NUMBER] = {{.kind = VALUE_NULL}};
	struct spool *spool = create_spool("spool");

	(void)state;
	for (int i = 0; i < ROWS; i++) {
		row[NVTX_start] = VALUE_OF_INT(1000 * i);
		row[NVTX_text] = VALUE_OF_TEXT(i % 2 == 0 ? "copy the next block" : "multiply this block");
		assert_int_equal(spool_row(spool, TABLE_NVTX, row, NULL), 0);
	}
	assert_int_equal(spool_close(spool, NULL), 0);
	assert_in_range(file_size("spool"), ROWS, ROWS * MOST);
}

/* 20,000 texts of 1000 bytes are more than a spool remembers. */
static void texts_above_the_limit_are_written_in_full(void **state)
{
	enum { TEXTS = 20000, LENGTH = 1000 };
	struct spool *spool = create_spool("spool");
	struct value row[THREAD_NUMBER] = {{.kind = VALUE_NULL}};
	struct spool_record record;
	struct spool_reader *reader;
	long size = 0;
	char text[LENGTH + 1];

	(void)state;
	row[THREAD_nameId] = VALUE_OF_TEXT(text);
	for (int i = 0; i < TEXTS + 2; i++) {
		/* The first text comes again, then the last. */
		snprintf(text, sizeof text, "%0*d", LENGTH, i < TEXTS ? i : i == TEXTS ? 0 : TEXTS - 1);
		if (i >= TEXTS) {
			assert_int_equal(spool_flush(spool, NULL), 0);
			size = file_size("spool");
		}
		assert_int_equal(spool_row(spool, TABLE_THREAD, row, NULL), 0);
		if (i >= TEXTS) {
			assert_int_equal(spool_flush(spool, NULL), 0);
			assert_int_equal(file_size("spool") - size > LENGTH, i > TEXTS);
		}
	}
	assert_int_equal(spool_close(spool, NULL), 0);
	reader = open_spool("spool");
	for (int i = 0; i < TEXTS + 2; i++) {
		assert_int_equal(spool_reader_next(reader, &record, NULL), 1);
		assert_int_equal(atoi(record.row[THREAD_nameId].text), i < TEXTS ? i : i == TEXTS ? 0 : TEXTS - 1);
		assert_int_equal(strlen(record.row[THREAD_nameId].text), LENGTH);
	}
	assert_int_equal(spool_reader_next(reader, &record, NULL), 0);
	spool_reader_close(reader);
}

static void a_row_larger_than_the_buffer_comes_back(void **state)
{
	enum { LENGTH = 1000000 };
	char *text = malloc(LENGTH + 1);
	struct spool_record record;
	struct spool *spool = create_spool("spool");
	struct spool_reader *reader;

	(void)state;
	assert_non_null(text);
	for (int i = 0; i < LENGTH; i++)
		text[i] = (char)('a' + i % 23);
	text[LENGTH] = '\0';
	append_meta(spool, "before", "1");
	append_meta(spool, "big", text);
	append_meta(spool, "after", "2");
	assert_int_equal(spool_close(spool, NULL), 0);
	reader = open_spool("spool");
	assert_int_equal(spool_reader_next(reader, &record, NULL), 1);
	assert_int_equal(spool_reader_next(reader, &record, NULL), 1);
	assert_string_equal(record.row[META_value].text, text);
	assert_int_equal(spool_reader_next(reader, &record, NULL), 1);
	assert_string_equal(record.row[META_key].text, "after");
	spool_reader_close(reader);
	free(text);
}

enum { THREADS = 4, ROWS_PER_THREAD = 3000 };

static struct spool *shared;

static void *append_clocks(void *arg)
{
	const int *thread = arg;

	for (int i = 0; i < ROWS_PER_THREAD; i++) {
		const struct value row[CLOCK_NUMBER] = {
			[CLOCK_deviceId] = VALUE_OF_INT(*thread), [CLOCK_smMhz] = VALUE_OF_INT(i)};

		if (spool_row(shared, TABLE_CLOCK, row, NULL) != 0)
			return arg;
	}
	return NULL;
}

/* Flushed all the while, as by the thread that hands rows over. */
static void threads_do_not_mix_their_rows(void **state)
{
	pthread_t threads[THREADS];
	int numbers[THREADS], next[THREADS] = {0};
	struct spool_record record;
	struct spool_reader *reader;
	void *failed;

	(void)state;
	shared = create_spool("spool");
	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		assert_int_equal(pthread_create(&threads[i], NULL, append_clocks, &numbers[i]), 0);
	}
	for (int i = 0; i < 50; i++)
		assert_int_equal(spool_flush(shared, NULL), 0);
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &failed), 0);
		assert_null(failed);
	}
	assert_int_equal(spool_close(shared, NULL), 0);
	reader = open_spool("spool");
	while (spool_reader_next(reader, &record, NULL) > 0)
		assert_int_equal(record.row[CLOCK_smMhz].integer, next[record.row[CLOCK_deviceId].integer]++);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(next[i], ROWS_PER_THREAD);
	spool_reader_close(reader);
}

static int count_rows(const char *name, bool *torn)
{
	struct spool_reader *reader = open_spool(name);
	struct spool_record record;
	int n = 0;

	while (spool_reader_next(reader, &record, NULL) > 0)
		n++;
	*torn = spool_reader_torn(reader);
	spool_reader_close(reader);
	return n;
}

static void a_flushed_row_is_in_the_file(void **state)
{
	struct spool *spool = create_spool("spool");
	bool torn;

	(void)state;
	append_meta(spool, "a", "1");
	assert_int_equal(count_rows("spool", &torn), 0);
	assert_int_equal(spool_flush(spool, NULL), 0);
	assert_int_equal(count_rows("spool", &torn), 1);
	assert_int_equal(spool_close(spool, NULL), 0);
	assert_int_equal(spool_close(NULL, NULL), 0);
}

/* Exit status of a child that was waited for, or minus the signal that ended it. */
static int outcome_of(pid_t child)
{
	int status;

	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
}

static void what_was_flushed_survives_a_kill(void **state)
{
	pid_t child = fork();
	struct spool_reader *reader;

	(void)state;
	assert_true(child >= 0);
	if (child == 0) {
		struct spool *spool = create_spool("spool");

		append_any(spool, "spool", 5, 300, NULL);
		spool_flush(spool, NULL);
		append_meta(spool, "never", "flushed");
		kill(getpid(), SIGKILL);
	}
	assert_int_equal(outcome_of(child), -SIGKILL);
	reader = open_spool("spool");
	assert_int_equal(check_any(reader, 5), 300);
	assert_false(spool_reader_torn(reader));
	spool_reader_close(reader);
}

static void a_child_forgets_its_parents_rows(void **state)
{
	struct spool *spool = create_spool("spool");
	bool torn;
	pid_t child;

	(void)state;
	spool_forget(NULL);
	append_meta(spool, "a", "1");
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		long size = file_size("spool");

		spool_forget(spool);
		_exit(file_size("spool") == size ? 0 : 1);
	}
	assert_int_equal(outcome_of(child), 0);
	append_meta(spool, "b", "2");
	assert_int_equal(spool_close(spool, NULL), 0);
	assert_int_equal(count_rows("spool", &torn), 2);
	assert_false(torn);
}

/* Forks while other threads are anywhere in the spool. */
static void a_child_forgets_a_spool_in_use(void **state)
{
	pthread_t threads[THREADS];
	int numbers[THREADS];
	bool torn;

	(void)state;
	shared = create_spool("spool");
	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		assert_int_equal(pthread_create(&threads[i], NULL, append_clocks, &numbers[i]), 0);
	}
	for (int i = 0; i < 20; i++) {
		pid_t child = fork();

		assert_true(child >= 0);
		if (child == 0) {
			alarm(600);
			spool_forget(shared);
			_exit(0);
		}
		assert_int_equal(outcome_of(child), 0);
	}
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(pthread_join(threads[i], NULL), 0);
	assert_int_equal(spool_close(shared, NULL), 0);
	assert_int_equal(count_rows("spool", &torn), THREADS * ROWS_PER_THREAD);
	assert_false(torn);
}

static void a_full_disk_is_remembered(void **state)
{
	const struct value row[META_NUMBER] = {[META_key] = VALUE_OF_TEXT("k")};
	struct rlimit old, small;
	struct error err = {0};
	struct spool *spool = create_spool("spool");

	(void)state;
	signal(SIGXFSZ, SIG_IGN);
	append_meta(spool, "a", "1");
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &old), 0);
	small = (struct rlimit){.rlim_cur = sizeof(struct spool_header) + 3, .rlim_max = old.rlim_max};
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_int_equal(spool_flush(spool, &err), -1);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &old), 0);
	assert_non_null(strstr(err.text, "no space left"));
	err.text[0] = '\0';
	assert_int_equal(spool_row(spool, TABLE_META, row, &err), -1);
	assert_non_null(strstr(err.text, "no space left"));
	assert_int_equal(spool_flush(spool, NULL), -1);
	assert_int_equal(spool_close(spool, &err), -1);
}

static void a_value_of_the_wrong_kind_is_refused(void **state)
{
	const struct value text_for_number[CLOCK_NUMBER] = {[CLOCK_smMhz] = VALUE_OF_TEXT("fast")};
	const struct value number_for_text[META_NUMBER] = {[META_value] = VALUE_OF_INT(1)};
	struct error err = {0};
	struct spool *spool = create_spool("spool");

	(void)state;
	assert_int_equal(spool_row(spool, TABLE_CLOCK, text_for_number, &err), -1);
	assert_non_null(strstr(err.text, "DBPROF_CLOCK.smMhz"));
	assert_int_equal(spool_row(spool, TABLE_META, number_for_text, &err), -1);
	assert_non_null(strstr(err.text, "DBPROF_META.value"));
	append_meta(spool, "a", "the spool goes on");
	assert_int_equal(spool_close(spool, NULL), 0);
}

static void a_spool_is_private_and_replaces_nothing(void **state)
{
	struct error err = {0};
	struct stat st;

	(void)state;
	assert_int_equal(spool_close(create_spool("spool"), NULL), 0);
	assert_int_equal(stat(in_scratch("spool"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_null(spool_create(in_scratch("spool"), &err));
	assert_non_null(strstr(err.text, strerror(EEXIST)));
}

/* The descriptor stays open: a program that outlives the trace must not keep what nobody can see. */
static void what_is_discarded_takes_no_room(void **state)
{
	struct spool *spool = create_spool("spool");
	struct stat now;
	int file;

	(void)state;
	append_any(spool, "spool", 1, 100, NULL);
	assert_int_equal(spool_flush(spool, NULL), 0);
	file = open(in_scratch("spool"), O_RDONLY);
	assert_false(spool_is_removed(spool));
	assert_int_equal(unlink(in_scratch("spool")), 0);
	assert_true(spool_is_removed(spool));
	assert_int_equal(fstat(file, &now), 0);
	assert_true(now.st_size > 0);
	spool_discard(spool);
	assert_int_equal(fstat(file, &now), 0);
	assert_int_equal(now.st_size, 0);
	close(file);
	assert_int_equal(spool_close(spool, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(every_kind_of_cell_comes_back),
		scratch_test(any_rows_come_back),
		scratch_test(what_has_not_changed_is_as_before),
		scratch_test(a_row_like_the_one_before_is_small),
		scratch_test(short_texts_are_written_once),
		scratch_test(texts_above_the_limit_are_written_in_full),
		scratch_test(a_row_larger_than_the_buffer_comes_back),
		scratch_test(threads_do_not_mix_their_rows),
		scratch_test(a_flushed_row_is_in_the_file),
		scratch_test(what_was_flushed_survives_a_kill),
		scratch_test(a_child_forgets_its_parents_rows),
		scratch_test(a_child_forgets_a_spool_in_use),
		scratch_test(a_full_disk_is_remembered),
		scratch_test(a_value_of_the_wrong_kind_is_refused),
		scratch_test(a_spool_is_private_and_replaces_nothing),
		scratch_test(what_is_discarded_takes_no_room),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
