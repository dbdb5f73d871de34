/* spool-damage.c: torn, changed and hostile spools: whole rows before the damage are kept, nothing else happens.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <sys/resource.h>

#include "fixtures/scratch.h"
#include "fixtures/spools.h"
#include "util/file/file.h"

enum { ROWS = 12, SEED = 4 };

/* A spool of ROWS rows in memory, the size up to and with each row. */
struct bytes {
	char *data;
	size_t size;
	long ends[ROWS];
};

static struct bytes small_spool(void)
{
	struct spool *spool = create_spool("spool");
	struct bytes bytes;

	append_any(spool, "spool", SEED, ROWS, bytes.ends);
	assert_int_equal(spool_close(spool, NULL), 0);
	bytes.data = file_read(in_scratch("spool"), &bytes.size, NULL);
	assert_non_null(bytes.data);
	assert_int_equal(bytes.size, bytes.ends[ROWS - 1]);
	return bytes;
}

/* How many rows end at or before `size`. */
static int rows_in(const struct bytes *bytes, long size)
{
	int n = 0;

	while (n < ROWS && bytes->ends[n] <= size)
		n++;
	return n;
}

/* How many rows the file gives, each of which must be the one that was written; -1 if it is refused. */
static int read_rows(const char *name, bool *torn)
{
	struct error err = {0};
	struct spool_reader *reader = spool_reader_open(in_scratch(name), &err);
	int n;

	if (reader == NULL)
		return -1;
	n = check_any(reader, SEED);
	*torn = spool_reader_torn(reader);
	spool_reader_close(reader);
	return n;
}

static void a_cut_at_any_byte_loses_only_the_torn_row(void **state)
{
	struct bytes bytes = small_spool();
	bool torn;

	(void)state;
	for (long size = (long)bytes.size; size >= 0; size--) {
		int whole = rows_in(&bytes, size);
		bool at_end = whole > 0 ? size == bytes.ends[whole - 1] : size == (long)sizeof(struct spool_header);

		assert_int_equal(truncate(in_scratch("spool"), size), 0);
		assert_int_equal(read_rows("spool", &torn), whole);
		assert_int_equal(torn, !at_end);
	}
	free(bytes.data);
}

static void a_changed_bit_ends_the_rows(void **state)
{
	struct bytes bytes = small_spool();
	bool torn;

	(void)state;
	for (size_t at = 0; at < bytes.size; at++) {
		bool in_header = at < sizeof(struct spool_header);

		for (int flip = 0; flip < 9; flip++) {
			char mask = (char)(flip == 8 ? 0xff : 1 << flip);

			bytes.data[at] ^= mask;
			write_bytes("changed", bytes.data, bytes.size);
			bytes.data[at] ^= mask;
			assert_int_equal(read_rows("changed", &torn), in_header ? -1 : rows_in(&bytes, (long)at));
			assert_true(in_header || torn);
		}
	}
	free(bytes.data);
}

/* Rows that are lost, doubled or in another order do not fit to each other: checksums go on from row to row. */
static void a_missing_row_ends_the_rows(void **state)
{
	struct bytes bytes = small_spool();
	bool torn;

	(void)state;
	for (int lost = 0; lost < ROWS - 1; lost++) {
		long from = lost == 0 ? (long)sizeof(struct spool_header) : bytes.ends[lost - 1], to = bytes.ends[lost];
		FILE *file = fopen(in_scratch("holed"), "w");

		assert_non_null(file);
		fwrite(bytes.data, 1, (size_t)from, file);
		fwrite(bytes.data + to, 1, bytes.size - (size_t)to, file);
		assert_int_equal(fclose(file), 0);
		assert_int_equal(read_rows("holed", &torn), lost);
		assert_true(torn);
	}
	free(bytes.data);
}

static void what_is_no_spool_is_refused(void **state)
{
	struct spool_header header = {
		.magic = SPOOL_MAGIC, .byte_order = SPOOL_BYTE_ORDER, .schema = spool_schema() + 1};
	struct error err = {0};

	(void)state;
	write_bytes("text", "no", 2);
	assert_null(spool_reader_open(in_scratch("text"), &err));
	assert_non_null(strstr(err.text, "no spool"));
	write_bytes("other", &header, sizeof header);
	assert_null(spool_reader_open(in_scratch("other"), &err));
	assert_non_null(strstr(err.text, "another version"));
	assert_null(spool_reader_open(in_scratch("missing"), &err));
	assert_non_null(strstr(err.text, "cannot read"));
	assert_null(spool_reader_open(scratch, &err));
	assert_non_null(strstr(err.text, "no regular file"));
}

/* Writes a spool of one row with the given body and the checksum that belongs to it. */
static void write_body(const void *body, size_t length)
{
	const struct spool_header header = {
		.magic = SPOOL_MAGIC, .byte_order = SPOOL_BYTE_ORDER, .schema = spool_schema()};
	uint32_t checksum = spool_checksum(spool_schema(), body, length);
	FILE *file = fopen(in_scratch("forged"), "w");

	assert_non_null(file);
	assert_true(length < 128);
	fwrite(&header, 1, sizeof header, file);
	fputc((int)length, file);
	fwrite(body, 1, length, file);
	fwrite(&checksum, 1, sizeof checksum, file);
	assert_int_equal(fclose(file), 0);
}

/* Reads "forged" to its end: how many rows. Every cell is looked at. */
static int read_forged(void)
{
	struct spool_reader *reader = open_spool("forged");
	struct spool_record record;
	size_t seen = 0;
	int n = 0;

	for (; spool_reader_next(reader, &record, NULL) > 0; n++)
		for (int i = 0; i < schema_table(record.table)->ncolumns; i++)
			seen += record.row[i].kind == VALUE_TEXT ? strlen(record.row[i].text) : 1;
	assert_true(n == 0 || seen > 0);
	assert_int_equal(spool_reader_torn(reader), n == 0);
	spool_reader_close(reader);
	return n;
}

/* DBPROF_META has two texts, DBPROF_PHASE_SUM three integers and a name. */
static void a_forged_row_is_no_row(void **state)
{
	enum { META = 2 * TABLE_META, SUM = 2 * TABLE_PHASESUM, META_NULLS = META + 1 };
	static const struct {
		const char *what;
		unsigned char body[24];
		size_t length;
		int rows;
	} forged[] = {
		{"a sound row", {META, 3, 0, 1, 'k', 0, 0, 1, 'v', 0}, 10, 1},
		{"a sound row with NULL", {META_NULLS, 2, 1, 1, 1, 'k', 0}, 7, 1},
		{"nothing", {0}, 0, 0},
		{"no table of that number", {0x80 | 0x7e, 0x7f}, 2, 0},
		{"a column too many", {META, 7, 0, 1, 'k', 0, 0, 1, 'v', 0, 0}, 11, 0},
		{"a NULL too many", {META_NULLS, 6, 1, 0, 1, 'k', 0}, 7, 0},
		{"NULL and changed", {META_NULLS, 2, 3, 0, 1, 'k', 0, 0, 1, 'v', 0}, 11, 0},
		{"bytes after the last cell", {META, 3, 0, 1, 'k', 0, 0, 1, 'v', 0, 0}, 11, 0},
		{"a cell too few", {META, 3, 0, 1, 'k', 0}, 6, 0},
		{"a text that was never given", {META, 1, 0, 1, 'k', 0}, 6, 0},
		{"a number that was never given", {META, 3, 2, 2}, 4, 0},
		{"a text without its end", {META, 3, 0, 1, 'k', 0, 0, 1, 'v', 'w'}, 10, 0},
		{"a text longer than the row", {META, 3, 0, 1, 'k', 0, 0, 9, 'v', 0}, 10, 0},
		{"a text of 2^63 bytes", {META, 1, 0, 255, 255, 255, 255, 255, 255, 255, 255, 127, 0}, 13, 0},
		{"an integer without an end", {SUM, 1, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255}, 13, 0},
		{"an integer cut off", {SUM, 1, 255}, 3, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof forged / sizeof *forged; i++) {
		write_body(forged[i].body, forged[i].length);
		if (read_forged() != forged[i].rows)
			fail_msg("%s", forged[i].what);
	}
}

/* A text in full is gone with its row: the next cannot say "as before". */
static void a_text_in_full_is_not_remembered(void **state)
{
	const unsigned char first[] = {2 * TABLE_META, 3, 0, 1, 'k', 0, 0, 1, 'v', 0},
			    second[] = {2 * TABLE_META, 1, 0, 0, 0};
	struct spool_reader *reader;
	struct spool_record record;
	uint32_t sum = spool_checksum(spool_schema(), first, sizeof first);
	FILE *file;

	(void)state;
	write_body(first, sizeof first);
	file = fopen(in_scratch("forged"), "a");
	assert_non_null(file);
	sum = spool_checksum(sum, second, sizeof second);
	fputc(sizeof second, file);
	fwrite(second, 1, sizeof second, file);
	fwrite(&sum, 1, sizeof sum, file);
	assert_int_equal(fclose(file), 0);
	reader = open_spool("forged");
	assert_int_equal(spool_reader_next(reader, &record, NULL), 1);
	assert_int_equal(spool_reader_next(reader, &record, NULL), 0);
	assert_true(spool_reader_torn(reader));
	spool_reader_close(reader);
}

/* Random bodies, with the checksum that belongs to them. */
static void any_bytes_do_no_harm(void **state)
{
	enum { BODIES = 4000 };
	static const unsigned char tables[] = {2 * TABLE_META, 2 * TABLE_STREAM};
	uint32_t seed = 77;
	unsigned char body[64];
	int rows = 0;

	(void)state;
	for (int i = 0; i < BODIES; i++) {
		/* Few and small bytes are sometimes a row; many and large ones lead further astray. */
		uint32_t range = i % 4 == 0 ? 256 : 4;
		size_t length = 1 + next_random(&seed) % (i % 2 == 0 ? sizeof body : 8);

		for (size_t k = 0; k < length; k++)
			body[k] = (unsigned char)(next_random(&seed) % range);
		body[0] = (unsigned char)(tables[i / 4 % 2] + next_random(&seed) % 2);
		write_body(body, length);
		rows += read_forged();
	}
	assert_in_range(rows, 1, BODIES / 4);
}

/* A length is believed only as far as the file goes. */
static void a_claimed_length_takes_no_memory(void **state)
{
	const struct spool_header header = {
		.magic = SPOOL_MAGIC, .byte_order = SPOOL_BYTE_ORDER, .schema = spool_schema()};
	unsigned char file[sizeof header + 14] = {0};
	const struct rlimit little = {.rlim_cur = 64 << 20, .rlim_max = RLIM_INFINITY};
	struct spool_record record;
	struct spool_reader *reader;
	struct rlimit old;
	int rc;

	(void)state;
	memcpy(file, &header, sizeof header);
	memcpy(file + sizeof header, "\xff\xff\xff\xff\x01", 5); /* 536,870,911 */
	write_bytes("spool", file, sizeof file);
	reader = open_spool("spool");
	assert_int_equal(getrlimit(RLIMIT_DATA, &old), 0);
	assert_int_equal(setrlimit(RLIMIT_DATA, &little), 0);
	rc = spool_reader_next(reader, &record, NULL);
	assert_int_equal(setrlimit(RLIMIT_DATA, &old), 0);
	assert_int_equal(rc, 0);
	assert_true(spool_reader_torn(reader));
	spool_reader_close(reader);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(a_cut_at_any_byte_loses_only_the_torn_row),
		scratch_test(a_changed_bit_ends_the_rows),
		scratch_test(a_missing_row_ends_the_rows),
		scratch_test(what_is_no_spool_is_refused),
		scratch_test(a_forged_row_is_no_row),
		scratch_test(a_text_in_full_is_not_remembered),
		scratch_test(any_bytes_do_no_harm),
		scratch_test(a_claimed_length_takes_no_memory),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
