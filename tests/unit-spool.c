/* unit-spool.c: rows into a spool and back; torn tails, damage, threads, a full disk. */
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

#include "scratch.h"
#include "store/spool-format.h"

static struct spool *create(const char *name)
{
	struct error err = {""};
	struct spool *spool = spool_create(in_scratch(name), &err);

	assert_string_equal(err.text, "");
	assert_non_null(spool);
	return spool;
}

static void append_meta(struct spool *spool, const char *key, const char *value)
{
	const struct value row[META_NUMBER] = {[META_key] = VALUE_OF_TEXT(key), [META_value] = VALUE_OF_TEXT(value)};
	struct error err = {""};

	assert_int_equal(spool_row(spool, TABLE_META, row, &err), 0);
}

/* Three rows: keys a, b, c with values of 1, 10 and 100 letters. */
static void write_three(const char *name)
{
	struct spool *spool = create(name);
	char value[101];

	for (int i = 0, length = 1; i < 3; i++, length *= 10) {
		memset(value, 'x', (size_t)length);
		value[length] = '\0';
		append_meta(spool, (const char *[]){"a", "b", "c"}[i], value);
	}
	assert_int_equal(spool_close(spool, NULL), 0);
}

/* Reads all rows; each must be one of write_three(), in order. Returns how many, or -1 if the file is refused. */
static int count_whole(const char *name, bool *torn)
{
	struct error err = {""};
	struct value row[TABLE_MAX_COLUMNS];
	struct spool_reader *reader = spool_reader_open(in_scratch(name), &err);
	enum table_id table;
	int n = 0;

	if (reader == NULL)
		return -1;
	while (spool_reader_next(reader, &table, row, &err) > 0) {
		assert_int_equal(table, TABLE_META);
		assert_int_equal(row[META_key].text[0], 'a' + n);
		n++;
	}
	assert_string_equal(err.text, "");
	*torn = spool_reader_torn(reader);
	spool_reader_close(reader);
	return n;
}

static void every_kind_of_cell_comes_back(void **state)
{
	struct error err = {""};
	struct value out[TABLE_MAX_COLUMNS], row[NVTX_NUMBER] = {
						     [NVTX_start] = VALUE_OF_INT(INT64_MIN),
						     [NVTX_end] = VALUE_OF_INT(INT64_MAX),
						     [NVTX_text] = VALUE_OF_TEXT(""),
						     [NVTX_textId] = VALUE_OF_TEXT("größer \xe2\x82\xac"),
						     [NVTX_jsonText] = VALUE_OF_TEXT(NULL),
						     [NVTX_doubleValue] = VALUE_OF_REAL(-0.1),
						     [NVTX_floatValue] = VALUE_OF_INT(3),
					     };
	struct spool *spool = create("spool");
	struct spool_reader *reader;
	enum table_id table;

	(void)state;
	assert_int_equal(spool_row(spool, TABLE_NVTX, row, &err), 0);
	assert_int_equal(spool_close(spool, &err), 0);
	reader = spool_reader_open(in_scratch("spool"), &err);
	assert_non_null(reader);
	assert_int_equal(spool_reader_next(reader, &table, out, &err), 1);
	assert_int_equal(table, TABLE_NVTX);
	assert_true(out[NVTX_start].kind == VALUE_INT && out[NVTX_start].integer == INT64_MIN);
	assert_true(out[NVTX_end].kind == VALUE_INT && out[NVTX_end].integer == INT64_MAX);
	assert_string_equal(out[NVTX_text].text, "");
	assert_string_equal(out[NVTX_textId].text, "größer \xe2\x82\xac");
	assert_int_equal(out[NVTX_jsonText].kind, VALUE_NULL);
	assert_true(out[NVTX_doubleValue].kind == VALUE_REAL && out[NVTX_doubleValue].real == -0.1);
	assert_true(out[NVTX_floatValue].kind == VALUE_INT && out[NVTX_floatValue].integer == 3);
	assert_int_equal(out[NVTX_color].kind, VALUE_NULL);
	assert_int_equal(spool_reader_next(reader, &table, out, &err), 0);
	assert_false(spool_reader_torn(reader));
	spool_reader_close(reader);
}

/* Row sizes: head 8, key 1 + 4 + 2, value 1 + 4 + length + 1, checksum 4. */
static void a_cut_at_any_byte_loses_only_the_torn_row(void **state)
{
	const long header = sizeof(struct spool_header);
	const long ends[] = {header, header + 25 + 1, header + 50 + 11, header + 75 + 111};
	struct stat st;
	bool torn;

	(void)state;
	write_three("spool");
	assert_int_equal(stat(in_scratch("spool"), &st), 0);
	assert_int_equal(st.st_size, ends[3]);
	for (long size = ends[3]; size >= 0; size--) {
		int whole = size >= ends[3] ? 3 : size >= ends[2] ? 2 : size >= ends[1] ? 1 : 0;

		assert_int_equal(truncate(in_scratch("spool"), size), 0);
		assert_int_equal(count_whole("spool", &torn), whole);
		assert_int_equal(torn, size != ends[0] && size != ends[1] && size != ends[2] && size != ends[3]);
	}
}

static void a_changed_byte_ends_the_rows(void **state)
{
	const long first = sizeof(struct spool_header), second = first + 26;
	bool torn;

	(void)state;
	for (long at = second; at < second + 35; at++) {
		FILE *file;
		int byte;

		write_three("spool");
		file = fopen(in_scratch("spool"), "r+");
		assert_non_null(file);
		assert_int_equal(fseek(file, at, SEEK_SET), 0);
		byte = fgetc(file);
		assert_int_equal(fseek(file, at, SEEK_SET), 0);
		assert_int_equal(fputc(byte ^ 0x40, file), byte ^ 0x40);
		assert_int_equal(fclose(file), 0);
		assert_int_equal(count_whole("spool", &torn), 1);
		assert_true(torn);
		assert_int_equal(unlink(in_scratch("spool")), 0);
	}
}

static void write_file(const char *name, const void *data, size_t size)
{
	FILE *file = fopen(in_scratch(name), "w");

	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void what_is_no_spool_is_refused(void **state)
{
	struct spool_header header = {
		.magic = SPOOL_MAGIC, .byte_order = SPOOL_BYTE_ORDER, .schema = spool_schema() + 1};
	struct error err = {""};
	struct stat st;

	(void)state;
	write_file("text", "no", 2);
	assert_null(spool_reader_open(in_scratch("text"), &err));
	assert_non_null(strstr(err.text, "no spool"));
	write_file("other", &header, sizeof header);
	assert_null(spool_reader_open(in_scratch("other"), &err));
	assert_non_null(strstr(err.text, "another version"));
	assert_null(spool_reader_open(in_scratch("missing"), &err));
	assert_non_null(strstr(err.text, "cannot read"));
	assert_int_equal(stat(in_scratch("missing"), &st), -1);
}

static void a_row_larger_than_the_buffer_comes_back(void **state)
{
	enum { LENGTH = 1000000 };
	char *text = malloc(LENGTH + 1);
	struct value row[TABLE_MAX_COLUMNS];
	struct error err = {""};
	struct spool *spool = create("spool");
	struct spool_reader *reader;
	enum table_id table;

	(void)state;
	assert_non_null(text);
	for (int i = 0; i < LENGTH; i++)
		text[i] = (char)('a' + i % 23);
	text[LENGTH] = '\0';
	append_meta(spool, "before", "1");
	append_meta(spool, "big", text);
	append_meta(spool, "after", "2");
	assert_int_equal(spool_close(spool, NULL), 0);
	reader = spool_reader_open(in_scratch("spool"), &err);
	assert_non_null(reader);
	assert_int_equal(spool_reader_next(reader, &table, row, &err), 1);
	assert_int_equal(spool_reader_next(reader, &table, row, &err), 1);
	assert_string_equal(row[META_value].text, text);
	assert_int_equal(spool_reader_next(reader, &table, row, &err), 1);
	assert_string_equal(row[META_key].text, "after");
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

static void threads_do_not_mix_their_rows(void **state)
{
	pthread_t threads[THREADS];
	int numbers[THREADS], next[THREADS] = {0};
	struct value row[TABLE_MAX_COLUMNS];
	struct spool_reader *reader;
	enum table_id table;
	void *failed;

	(void)state;
	shared = create("spool");
	for (int i = 0; i < THREADS; i++) {
		numbers[i] = i;
		assert_int_equal(pthread_create(&threads[i], NULL, append_clocks, &numbers[i]), 0);
	}
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(threads[i], &failed), 0);
		assert_null(failed);
	}
	assert_int_equal(spool_close(shared, NULL), 0);
	reader = spool_reader_open(in_scratch("spool"), NULL);
	assert_non_null(reader);
	while (spool_reader_next(reader, &table, row, NULL) > 0)
		assert_int_equal(row[CLOCK_smMhz].integer, next[row[CLOCK_deviceId].integer]++);
	for (int i = 0; i < THREADS; i++)
		assert_int_equal(next[i], ROWS_PER_THREAD);
	spool_reader_close(reader);
}

static void a_flushed_row_is_in_the_file(void **state)
{
	struct spool *spool = create("spool");
	bool torn;

	(void)state;
	append_meta(spool, "a", "1");
	assert_int_equal(count_whole("spool", &torn), 0);
	assert_int_equal(spool_flush(spool, NULL), 0);
	assert_int_equal(count_whole("spool", &torn), 1);
	assert_int_equal(spool_close(spool, NULL), 0);
	assert_int_equal(spool_close(NULL, NULL), 0);
}

static void a_full_disk_is_remembered(void **state)
{
	const struct value row[META_NUMBER] = {[META_key] = VALUE_OF_TEXT("k")};
	struct rlimit old, small;
	struct error err = {""};
	struct spool *spool = create("spool");

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
	struct error err = {""};
	struct spool *spool = create("spool");

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
	struct error err = {""};
	struct stat st;

	(void)state;
	assert_int_equal(spool_close(create("spool"), NULL), 0);
	assert_int_equal(stat(in_scratch("spool"), &st), 0);
	assert_int_equal(st.st_mode & 0777, 0600);
	assert_null(spool_create(in_scratch("spool"), &err));
	assert_non_null(strstr(err.text, strerror(EEXIST)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(every_kind_of_cell_comes_back),
		scratch_test(a_cut_at_any_byte_loses_only_the_torn_row),
		scratch_test(a_changed_byte_ends_the_rows),
		scratch_test(what_is_no_spool_is_refused),
		scratch_test(a_row_larger_than_the_buffer_comes_back),
		scratch_test(threads_do_not_mix_their_rows),
		scratch_test(a_flushed_row_is_in_the_file),
		scratch_test(a_full_disk_is_remembered),
		scratch_test(a_value_of_the_wrong_kind_is_refused),
		scratch_test(a_spool_is_private_and_replaces_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
