/* packed.c: recordings that are compressed: what opens, what is refused, and what is left over. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <zstd.h>

#include "fixtures/scratch.h"
#include "fixtures/tier.h"
#include "store/packed/packed.h"
#include "store/packed/scratch.h"
#include "store/store.h"
#include "util/alloc.h"
#include "util/error.h"

enum { KERNELS = 200 };

/* Bytes of a file, for free(). */
struct bytes {
	unsigned char *at;
	size_t size;
};

static struct bytes read_bytes(const char *path)
{
	FILE *file = fopen(path, "r");
	struct bytes bytes;
	struct stat st;

	assert_non_null(file);
	assert_int_equal(fstat(fileno(file), &st), 0);
	bytes = (struct bytes){xmalloc((size_t)st.st_size), (size_t)st.st_size};
	assert_int_equal(fread(bytes.at, 1, bytes.size, file), bytes.size);
	assert_int_equal(fclose(file), 0);
	return bytes;
}

static void write_bytes(const char *name, const void *at, size_t size)
{
	FILE *file = fopen(in_scratch(name), "w");

	assert_non_null(file);
	assert_int_equal(fwrite(at, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

/* The bytes of a recording with KERNELS kernels of different names. */
static struct bytes a_recording(void)
{
	struct recording *rec = recording_create(in_scratch("plain"), 0, NULL);
	struct bytes bytes;
	char text[64];

	assert_non_null(rec);
	for (int i = 0; i < KERNELS; i++) {
		const struct value row[KERNEL_NUMBER] = {
			[KERNEL_start] = VALUE_OF_INT(i), [KERNEL_shortName] = VALUE_OF_TEXT(text)};

		snprintf(text, sizeof text, "a kernel with number %d", i);
		assert_int_equal(recording_row(rec, TABLE_KERNEL, row, NULL), 0);
	}
	assert_int_equal(recording_finish(rec, NULL), 0);
	bytes = read_bytes(in_scratch("plain"));
	assert_int_equal(unlink(in_scratch("plain")), 0);
	return bytes;
}

/* One frame; `told`: it says how long its content is; `checked`: it has a checksum. */
static struct bytes packed(struct bytes bytes, bool told, bool checked)
{
	ZSTD_CCtx *context = ZSTD_createCCtx();
	size_t room = ZSTD_compressBound(bytes.size);
	struct bytes frame = {xmalloc(room), 0};
	ZSTD_inBuffer in = {bytes.at, bytes.size, 0};
	ZSTD_outBuffer out = {frame.at, room, 0};

	assert_non_null(context);
	ZSTD_CCtx_setParameter(context, ZSTD_c_contentSizeFlag, told);
	ZSTD_CCtx_setParameter(context, ZSTD_c_checksumFlag, checked);
	assert_int_equal(ZSTD_compressStream2(context, &out, &in, ZSTD_e_end), 0);
	frame.size = out.pos;
	ZSTD_freeCCtx(context);
	return frame;
}

static struct bytes a_packed_recording(void)
{
	struct bytes plain = a_recording(), frame = packed(plain, true, true);

	free(plain.at);
	return frame;
}

static int open_files(void)
{
	DIR *dir = opendir("/proc/self/fd");
	int n = 0;

	assert_non_null(dir);
	while (readdir(dir))
		n++;
	closedir(dir);
	return n;
}

/* The file "r" is refused in one line with `wanted` in it. It is to blame, and nothing of it is left. */
static void refused(const char *wanted)
{
	struct error err = {0};
	int before = open_files();

	assert_null(store_open(in_scratch("r"), &err));
	if (strstr(err.text, wanted) == NULL || strstr(err.text, in_scratch("r")) == NULL)
		fail_msg("'%s' lacks '%s' or its name", err.text, wanted);
	assert_null(strchr(err.text, '\n'));
	assert_false(error_is_of_system(&err));
	assert_int_equal(open_files(), before);
}

static int64_t kernels_in(struct store *store)
{
	struct error err = {0};
	struct cursor *cursor = store_rows(store, TABLE_KERNEL, KERNEL_start, &err);
	int64_t n = 0;
	char text[64];

	assert_non_null(cursor);
	for (; cursor_next(cursor, &err) > 0; n++) {
		snprintf(text, sizeof text, "a kernel with number %d", (int)n);
		assert_string_equal(cursor_text(cursor, KERNEL_shortName), text);
	}
	cursor_close(cursor);
	assert_string_equal(err.text, "");
	return n;
}

static void accepted(void)
{
	struct error err = {0};
	int before = open_files();
	struct store *store = store_open(in_scratch("r"), &err);

	assert_string_equal(err.text, "");
	assert_non_null(store);
	assert_int_equal(kernels_in(store), KERNELS);
	store_close(store);
	assert_int_equal(open_files(), before);
	assert_int_equal(scratch_files(0), 1); /* the recording itself */
}

static void it_opens_as_it_is(void **state)
{
	struct bytes plain = a_recording();

	(void)state;
	for (int way = 0; way < 4; way++) {
		struct bytes frame = packed(plain, (way & 1) != 0, (way & 2) != 0);

		write_bytes("r", frame.at, frame.size);
		accepted();
		free(frame.at);
	}
	free(plain.at);
}

/* The end is missed wherever it is. */
static void a_truncated_one_is_refused(void **state)
{
	struct bytes frame = a_packed_recording();

	(void)state;
	for (size_t size = frame.size - 1; size >= 4; size -= size > 600 ? 97 : (size_t)all_or(1, 4)) {
		write_bytes("r", frame.at, size);
		refused("truncated");
	}
	write_bytes("r", frame.at, 3);
	refused("no SQLite file");
	free(frame.at);
}

/* A checksum finds each flipped bit of the content. What the magic is no longer is no compressed file. */
static void a_damaged_one_is_refused(void **state)
{
	struct bytes frame = a_packed_recording();
	struct error err;

	(void)state;
	for (size_t at = 0; at < frame.size; at += at < 64 ? 1 : (size_t)all_or(41, 164))
		for (int bit = 0; bit < 8; bit++) {
			struct store *store;

			frame.at[at] ^= (unsigned char)(1 << bit);
			write_bytes("r", frame.at, frame.size);
			frame.at[at] ^= (unsigned char)(1 << bit);
			err = (struct error){0};
			store = store_open(in_scratch("r"), &err);
			/* A bit that means nothing may be flipped. */
			if (store)
				assert_int_equal(kernels_in(store), KERNELS);
			else
				assert_true(err.text[0] != '\0' && !error_is_of_system(&err));
			store_close(store);
		}
	assert_int_equal(scratch_files(0), 1);
	free(frame.at);
}

/* Without a checksum the content may be anything: it is as distrusted as any other file. */
static void a_damaged_one_without_checksum_is_survived(void **state)
{
	struct bytes plain = a_recording(), frame = packed(plain, true, false);

	(void)state;
	for (size_t at = 0; at < frame.size; at += (size_t)all_or(3, 12)) {
		struct error err = {0};
		struct store *store;

		frame.at[at] ^= 0x55;
		write_bytes("r", frame.at, frame.size);
		frame.at[at] ^= 0x55;
		store = store_open(in_scratch("r"), &err);
		assert_true(store != NULL || err.text[0] != '\0');
		store_close(store);
	}
	free(plain.at);
	free(frame.at);
}

/* `head`, the recording and `tail`. */
static void write_between(const void *head, size_t nhead, struct bytes frame, const void *tail, size_t ntail)
{
	unsigned char *all = xmalloc(nhead + frame.size + ntail);

	memcpy(all, head, nhead);
	memcpy(all + nhead, frame.at, frame.size);
	memcpy(all + nhead + frame.size, tail, ntail);
	write_bytes("r", all, nhead + frame.size + ntail);
	free(all);
}

static void there_is_one_frame_and_nothing_else(void **state)
{
	static const unsigned char skipped[] = {0x50, 0x2a, 0x4d, 0x18, 1, 0, 0, 0, 'x'};
	struct bytes frame = a_packed_recording();

	(void)state;
	write_between("", 0, frame, "\n", 1);
	refused("behind the end");
	write_between("", 0, frame, frame.at, frame.size);
	refused("behind the end");
	write_between("", 0, frame, skipped, sizeof skipped);
	refused("behind the end");
	write_between(skipped, sizeof skipped, frame, "", 0);
	refused("several pieces");
	free(frame.at);
}

/* RFC 8878, 3.1.1.1: the header tells what the frame asks for. */
static void headers_that_ask_for_too_much(void **state)
{
	static const unsigned char dictionary[] = {0x28, 0xb5, 0x2f, 0xfd, 0x21, 7, 1, 0x09, 0, 0, 'x'};
	static const unsigned char window[] = {0x28, 0xb5, 0x2f, 0xfd, 0x00, 18 << 3, 0x09, 0, 0, 'x'};
	static const unsigned char largest[] = {0x28, 0xb5, 0x2f, 0xfd, 0x00, 17 << 3, 0x09, 0, 0, 'x'};
	static const unsigned char endless[] = {
		0x28, 0xb5, 0x2f, 0xfd, 0xe0, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f, 0x09, 0, 0, 'x'};

	(void)state;
	write_bytes("r", dictionary, sizeof dictionary);
	refused("with a dictionary");
	write_bytes("r", window, sizeof window);
	refused("window of more than 128 MiB");
	write_bytes("r", largest, sizeof largest);
	refused("unpacks to no SQLite file");
	write_bytes("r", endless, sizeof endless);
	refused("more than 20 times");
	/* Of a large file, and a hole will do, 4 GB are less than 20 times. */
	assert_int_equal(truncate(in_scratch("r"), 1 << 30), 0);
	refused("more than 4 GB");
}

static void a_frame_that_lies_about_its_size(void **state)
{
	struct bytes frame = a_packed_recording();

	(void)state;
	frame.at[5] ^= 1;
	write_bytes("r", frame.at, frame.size);
	refused("damaged");
	free(frame.at);
}

/* Zeros shrink to nothing: whether the frame tells how many there are or not, they are refused. */
static void what_unpacks_to_too_much(void **state)
{
	for (int told = 0; told < 2; told++) {
		struct bytes zeros = {xcalloc(1, 3000000), 3000000}, frame = packed(zeros, told != 0, true);

		write_bytes("r", frame.at, frame.size);
		refused("more than 20 times its size");
		free(zeros.at);
		free(frame.at);
	}
	(void)state;
	assert_true(packed_limit(1) == PACKED_SMALL);
	assert_true(packed_limit(100000) == 2000000);
	assert_true(packed_limit(INT64_C(1) << 40) == PACKED_MOST);
}

/* A part of a file may be small beside what its frame promises, or beside what comes out of it: that is no bomb. */
static void a_part_is_no_bomb(void **state)
{
	enum { SIZE = 3000000, NOISE = 1000000 };

	(void)state;
	for (int way = 0; way < 4; way++) {
		struct bytes plain = {xcalloc(1, SIZE), SIZE}, frame;
		uint32_t noise = 1;

		/* Zeros first, so that much comes out of a little. */
		for (size_t i = SIZE - NOISE; i < SIZE; i++) {
			noise = noise * 1664525 + 1013904223;
			plain.at[i] = (unsigned char)(noise >> 24);
		}
		frame = packed(plain, (way & 1) != 0, (way & 2) != 0);
		assert_true(frame.size > NOISE);
		write_bytes("r", frame.at, frame.size);
		refused("no SQLite file");
		for (size_t size = frame.size - 1; size > 20; size = size * 2 / 3) {
			write_bytes("r", frame.at, size);
			refused("truncated");
		}
		free(plain.at);
		free(frame.at);
	}
}

/* Most of a small recording are empty pages. */
static void a_small_recording_may_shrink_to_nothing(void **state)
{
	struct bytes plain = a_recording(), frame;

	(void)state;
	plain.at = xrealloc(plain.at, 800 * 1024);
	memset(plain.at + plain.size, 0, 800 * 1024 - plain.size);
	plain.size = 800 * 1024;
	frame = packed(plain, true, true);
	assert_true(frame.size * PACKED_TIMES < plain.size);
	write_bytes("r", frame.at, frame.size);
	accepted();
	free(plain.at);
	free(frame.at);
}

static void refused_inside(const void *at, size_t size, const char *wanted)
{
	const struct bytes bytes = {(unsigned char *)(uintptr_t)at, size};
	struct bytes frame = packed(bytes, true, true);

	write_bytes("r", frame.at, frame.size);
	refused(wanted);
	free(frame.at);
}

static void what_is_inside_is_no_recording(void **state)
{
	static const unsigned char gzip[200] = {0x1f, 0x8b, 8};
	struct bytes plain = a_recording(), frame = packed(plain, true, true);

	(void)state;
	refused_inside(frame.at, frame.size, "compressed twice");
	refused_inside(gzip, sizeof gzip, "compressed twice");
	refused_inside("a text", 6, "unpacks to no SQLite file");
	refused_inside("", 0, "is empty");
	refused_inside(plain.at, plain.size - 4096, "truncated");
	refused_inside(plain.at, 50, "truncated");
	free(plain.at);
	free(frame.at);
}

/* ---- room for it ---- */

static void a_full_disk_is_told(void **state)
{
	const struct rlimit unlimited = {RLIM_INFINITY, RLIM_INFINITY}, small = {100000, RLIM_INFINITY};
	struct bytes frame = a_packed_recording();
	struct error err = {0};

	(void)state;
	write_bytes("r", frame.at, frame.size);
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	assert_null(store_open(in_scratch("r"), &err));
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
	signal(SIGXFSZ, SIG_DFL);
	assert_true(error_is_of_system(&err));
	assert_non_null(strstr(err.text, "cannot unpack"));
	assert_non_null(strstr(err.text, "set TMPDIR"));
	assert_int_equal(scratch_files(0), 1);
	free(frame.at);
}

static void a_file_without_a_name(void **state)
{
	char text[4] = "";
	int fd = scratch_file_named(scratch);

	(void)state;
	assert_true(fd >= 0);
	assert_int_equal(scratch_files(0), 0);
	assert_int_equal(write(fd, "abc", 3), 3);
	assert_int_equal(pread(fd, text, 3, 0), 3);
	assert_string_equal(text, "abc");
	assert_int_equal(fcntl(fd, F_GETFD) & FD_CLOEXEC, FD_CLOEXEC);
	close(fd);
	assert_int_equal(scratch_file_named("/proc/no/such/folder"), -1);
	assert_int_equal(errno, ENOENT);
}

/* ---- out of it ---- */

static int into_file(void *user, const void *data, size_t size, struct error *err)
{
	(void)err;
	return fwrite(data, 1, size, user) == size ? 0 : -1;
}

static void copy_to(const char *from, const char *to, bool pack)
{
	struct error err = {0};
	struct store *store = store_open(in_scratch(from), &err);
	FILE *file = fopen(in_scratch(to), "w");

	assert_non_null(store);
	assert_non_null(file);
	assert_int_equal((pack ? store_pack : store_copy)(store, into_file, file, &err), 0);
	assert_string_equal(err.text, "");
	assert_int_equal(fclose(file), 0);
	store_close(store);
}

static void it_is_handed_out_as_it_was(void **state)
{
	struct bytes plain = a_recording(), again;

	(void)state;
	write_bytes("plain", plain.at, plain.size);
	copy_to("plain", "packed", true);
	copy_to("packed", "again", false);
	copy_to("plain", "copy", false);
	for (int i = 0; i < 2; i++) {
		again = read_bytes(in_scratch(i == 0 ? "again" : "copy"));
		assert_int_equal(again.size, plain.size);
		assert_memory_equal(again.at, plain.at, plain.size);
		free(again.at);
	}
	again = read_bytes(in_scratch("packed"));
	assert_true(again.size < plain.size / 4);
	free(again.at);
	free(plain.at);
}

static int refuse(void *user, const void *data, size_t size, struct error *err)
{
	(void)user;
	(void)data;
	(void)size;
	return error_system(err, "no more");
}

static void who_takes_it_may_refuse(void **state)
{
	struct bytes plain = a_recording();
	struct error err = {0};
	struct store *store;

	(void)state;
	write_bytes("r", plain.at, plain.size);
	store = store_open(in_scratch("r"), &err);
	assert_non_null(store);
	assert_int_equal(store_copy(store, refuse, NULL, &err), -1);
	assert_string_equal(err.text, "no more");
	assert_int_equal(store_pack(store, refuse, NULL, &err), -1);
	store_close(store);
	free(plain.at);
}

/* A database of a recording's beginning, with `bytes` of zeros in it. */
static void make_zeros(const char *name, int bytes)
{
	char sql[200];
	sqlite3 *db;

	snprintf(sql, sizeof sql,
		"CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start); CREATE TABLE z (b); INSERT INTO z VALUES "
		"(zeroblob(%d))",
		bytes);
	assert_int_equal(sqlite3_open(in_scratch(name), &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* What nobody could open again is not made. */
static void what_would_not_open_is_not_packed(void **state)
{
	struct error err = {0};
	struct store *store;
	FILE *file = fopen("/dev/null", "w");

	(void)state;
	make_zeros("r", 3000000);
	store = store_open(in_scratch("r"), &err);
	assert_non_null(store);
	assert_non_null(file);
	assert_int_equal(store_pack(store, into_file, file, &err), -1);
	assert_non_null(strstr(err.text, "cannot be compressed"));
	assert_false(error_is_of_system(&err));
	store_close(store);
	fclose(file);
}

/* A hole takes no room on the disk, and would take any that is asked for in a copy. */
static void holes_are_not_copied(void **state)
{
	static const unsigned char pages[4] = {0x00, 0x10, 0, 0}; /* of 4096 bytes: 4 GB */
	struct error err = {0};
	struct store *store;
	int fd;

	(void)state;
	make_zeros("r", 10);
	fd = open(in_scratch("r"), O_WRONLY);
	assert_int_equal(pwrite(fd, pages, sizeof pages, 28), sizeof pages);
	assert_int_equal(ftruncate(fd, INT64_C(4) << 30), 0);
	close(fd);
	store = store_open(in_scratch("r"), &err);
	assert_string_equal(err.text, "");
	assert_int_equal(store_copy(store, refuse, NULL, &err), -1);
	assert_non_null(strstr(err.text, "mostly holes"));
	assert_int_equal(store_pack(store, refuse, NULL, &err), -1);
	assert_non_null(strstr(err.text, "mostly holes"));
	store_close(store);
}

/* What is unpacked, and what SQLite sorts, goes where the tests look. */
static int use_scratch(void **state)
{
	return scratch_make(state) != 0 ? -1 : setenv("SQLITE_TMPDIR", scratch, 1);
}

#define packed_test(f) cmocka_unit_test_setup_teardown(f, use_scratch, scratch_remove)

int main(void)
{
	const struct CMUnitTest tests[] = {
		packed_test(it_opens_as_it_is),
		packed_test(a_truncated_one_is_refused),
		packed_test(a_part_is_no_bomb),
		packed_test(a_damaged_one_is_refused),
		packed_test(a_damaged_one_without_checksum_is_survived),
		packed_test(there_is_one_frame_and_nothing_else),
		packed_test(headers_that_ask_for_too_much),
		packed_test(a_frame_that_lies_about_its_size),
		packed_test(what_unpacks_to_too_much),
		packed_test(a_small_recording_may_shrink_to_nothing),
		packed_test(what_is_inside_is_no_recording),
		packed_test(a_full_disk_is_told),
		packed_test(a_file_without_a_name),
		packed_test(it_is_handed_out_as_it_was),
		packed_test(who_takes_it_may_refuse),
		packed_test(what_would_not_open_is_not_packed),
		packed_test(holes_are_not_copied),
	};

	return cmocka_run_group_tests_name("packed recordings", tests, NULL, NULL);
}
