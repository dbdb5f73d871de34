/* unit-store-write.c: a recording appears whole or not at all; a full disk; the mode of the file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "scratch.h"
#include "recordings.h"

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
		struct error err = {""};
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
	struct error err = {""};

	(void)state;
	assert_null(recording_create(in_scratch("no/such/folder"), EPOCH, &err));
	assert_non_null(strstr(err.text, strerror(ENOENT)));
	assert_null(recording_create(scratch, EPOCH, &err));
	assert_non_null(strstr(err.text, "folder"));
	assert_int_equal(scratch_files(0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(an_abandoned_recording_leaves_nothing),
		scratch_test(a_finished_recording_replaces_the_old_file),
		scratch_test(a_full_disk_leaves_nothing_and_says_so),
		scratch_test(places_that_cannot_be_written_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
