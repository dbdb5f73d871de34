/* outdir.c: a folder whose files are made aside, and get their places one by one. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/file.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <cmocka.h>

#include "fixtures/files.h"
#include "util/file/outdir.h"

static bool no_locks;       /* as on a file system that knows none */
static const char *failing; /* the name that cannot be moved into place */

/* These stand in for the C library's. */
int renameat(int old_dir, const char *old, int new_dir, const char *new)
{
	if (failing != NULL && strcmp(failing, new) == 0) {
		errno = EIO;
		return -1;
	}
	return (int)syscall(SYS_renameat2, old_dir, old, new_dir, new, 0);
}

int flock(int fd, int operation)
{
	errno = ENOLCK;
	return no_locks ? -1 : (int)syscall(SYS_flock, fd, operation);
}

static int make(void **state)
{
	no_locks = false;
	failing = NULL;
	return scratch_make(state);
}

static int unmake(void **state)
{
	char command[600];

	(void)state;
	snprintf(command, sizeof command, "rm -rf '%s'", scratch);
	return system(command);
}

/* A report in `folder`, whose files all hold `text`. */
static struct outdir *filled(const char *folder, const char *text)
{
	struct error err = {0};
	struct outdir *out = outdir_open(in_scratch(folder), &err);

	if (out == NULL)
		fail_msg("%s", err.text);
	assert_int_equal(outdir_mkdir(out, "plots", &err), 0);
	assert_int_equal(outdir_write(out, "plots/a.svg", text, strlen(text), &err), 0);
	assert_int_equal(outdir_write(out, "report.json", text, strlen(text), &err), 0);
	assert_int_equal(outdir_write(out, "index.html", text, strlen(text), &err), 0);
	return out;
}

static const char *const report[] = {"plots/a.svg", "report.json", "index.html", NULL};
static const char *const none[] = {NULL};

/* Moves the files of filled() into place and ends. 0, or -1 with `err`. */
static int move_report(struct outdir *out, struct error *err)
{
	int rc = outdir_lock(out, err);

	for (int i = 0; report[i] != NULL && rc == 0; i++)
		rc = outdir_move(out, report[i], report[i], err);
	outdir_close(out);
	return rc;
}

static void assert_report(const char *folder, const char *text)
{
	char name[64];

	for (int i = 0; report[i] != NULL; i++) {
		snprintf(name, sizeof name, "%s/%s", folder, report[i]);
		assert_holds(name, text);
	}
}

static void a_new_report(void **state)
{
	struct outdir *out = filled("a/b//c/", "one");

	(void)state;
	assert_int_equal(entries("a/b/c"), 1);
	assert_int_equal(move_report(out, NULL), 0);
	assert_int_equal(entries("a/b/c"), 3);
	assert_report("a/b/c", "one");
}

static void replaces(void **state)
{
	(void)state;
	for (int i = 0; i < 2; i++) {
		no_locks = i == 1;
		assert_int_equal(move_report(filled("r", "one"), NULL), 0);
		put("r/plots/mine.svg", "mine");
		assert_int_equal(move_report(filled("r", "two"), NULL), 0);
		assert_int_equal(entries("r"), 3);
		assert_int_equal(entries("r/plots"), 2);
		assert_report("r", "two");
		assert_holds("r/plots/mine.svg", "mine");
	}
}

static void moves_under_another_name(void **state)
{
	struct outdir *out = filled("r", "one");

	(void)state;
	assert_int_equal(outdir_move(out, "report.json", "index.html", NULL), 0);
	assert_int_equal(outdir_move(out, "report.json", "index.html", NULL), -1);
	outdir_close(out);
	assert_int_equal(entries("r"), 1);
	assert_holds("r/index.html", "one");
}

static void what_cannot_be_moved_leaves_the_older(void **state)
{
	struct error err = {0};

	(void)state;
	assert_int_equal(move_report(filled("r", "one"), NULL), 0);
	failing = "report.json";
	assert_int_equal(move_report(filled("r", "two"), &err), -1);
	assert_non_null(strstr(err.text, "cannot replace"));
	assert_non_null(strstr(err.text, "r/report.json: Input/output error"));
	assert_true(error_is_of_system(&err));
	assert_holds("r/report.json", "one");
	assert_int_equal(entries("r"), 3);
}

static void removes(void **state)
{
	struct outdir *out = filled("r", "one");

	(void)state;
	put("r/trace.json", "one");
	assert_int_equal(mkdir(in_scratch("r/plots"), 0777), 0);
	put("r/plots/a.svg", "one");
	put("r/plots/b.svg", "one");
	outdir_remove(out, "plots/a.svg");
	assert_int_equal(entries("r/plots"), 1);
	outdir_remove(out, "plots/b.svg");
	assert_false(is_there("r/plots"));
	outdir_remove(out, "trace.json");
	outdir_remove(out, "is-not-there");
	outdir_close(out);
	assert_false(is_there("r")); /* nothing is left in the folder that was made */
}

static void not_while_others_write(void **state)
{
	struct error err = {0};
	struct outdir *first = filled("r", "one"), *second = filled("r", "two");

	(void)state;
	assert_int_equal(outdir_lock(first, &err), 0);
	assert_int_equal(outdir_lock(second, &err), -1);
	assert_non_null(strstr(err.text, "r: wait until it is done"));
	outdir_close(second);
	assert_int_equal(move_report(first, &err), 0);
	assert_report("r", "one");
}

/* ---- nothing done ---- */

static void close_leaves_the_older_one(void **state)
{
	(void)state;
	assert_int_equal(move_report(filled("r", "one"), NULL), 0);
	outdir_close(filled("r", "two"));
	assert_int_equal(entries("r"), 3);
	assert_holds("r/index.html", "one");
	outdir_close(NULL);
}

static void close_removes_a_folder_that_it_made(void **state)
{
	(void)state;
	assert_int_equal(mkdir(in_scratch("mine"), 0777), 0);
	outdir_close(filled("mine", "x"));
	outdir_close(filled("new", "x"));
	assert_true(is_there("mine"));
	assert_false(is_there("new"));
}

static void somebody_elses_file_is_in_the_way(void **state)
{
	static const char *const older[] = {"plots/a.svg", NULL};
	struct error err = {0};

	(void)state;
	assert_int_equal(mkdir(in_scratch("plots"), 0777), 0);
	put("plots/a.svg", "mine");
	assert_int_equal(outdir_check(scratch, report, none, &err), -1);
	assert_non_null(strstr(err.text, "/plots/a.svg is there and not from dbprof: move it away"));
	assert_int_equal(outdir_check(scratch, report, older, &err), 0);
	assert_int_equal(outdir_check(in_scratch("is-not-there"), report, none, &err), 0);
}

/* What is in the folder that it leads to is not of a report. */
static void a_link_is_no_folder(void **state)
{
	struct error err = {0};

	(void)state;
	assert_int_equal(mkdir(in_scratch("mine"), 0777), 0);
	put("mine/a.svg", "mine");
	assert_int_equal(mkdir(in_scratch("r"), 0777), 0);
	assert_int_equal(symlink("../mine", in_scratch("r/plots")), 0);
	assert_int_equal(outdir_check(in_scratch("r"), report, report, &err), -1);
	assert_non_null(strstr(err.text, "/plots is no folder: remove it"));
	assert_int_equal(move_report(filled("r", "two"), &err), -1);
	assert_non_null(strstr(err.text, "/plots is no folder: remove it"));
	assert_holds("mine/a.svg", "mine");
}

static void a_folder_is_not_replaced_by_a_file(void **state)
{
	struct error err = {0};

	(void)state;
	assert_int_equal(mkdir(in_scratch("index.html"), 0777), 0);
	assert_int_equal(outdir_check(scratch, report, report, &err), -1);
	assert_non_null(strstr(err.text, "index.html is a folder: remove it"));
}

static void assert_not_opened(const char *dir, const char *message)
{
	struct error err = {0};

	assert_null(outdir_open(dir, &err));
	if (strstr(err.text, message) == NULL || strstr(err.text, ": choose another folder with -o") == NULL)
		fail_msg("'%s' does not say '%s'", err.text, message);
}

static void folders_that_cannot_be(void **state)
{
	char *longer = calloc(1, 6000);

	(void)state;
	put("file", "");
	assert_not_opened(in_scratch("file"), "/file: Not a directory");
	assert_not_opened(in_scratch("file/below"), "/file/below: Not a directory");
	assert_not_opened("", "the output folder's name is empty");
	assert_not_opened("/proc/dbprof", "cannot write to /proc/dbprof: No such file or directory");
	assert_non_null(longer);
	memset(longer, 'x', 5999);
	assert_not_opened(longer, "the output folder's name is too long");
	free(longer);
}

/* As many as were missing are made, and no others are removed. */
static void folders_above(void **state)
{
	size_t made;
	char name[300];

	(void)state;
	assert_int_equal(mkdir(in_scratch("there"), 0777), 0);
	assert_int_equal(outdir_make_folders(in_scratch("there/a//b/c/"), &made), 0);
	assert_int_equal(made, 3);
	assert_int_equal(access(in_scratch("there/a/b/c"), F_OK), 0);
	outdir_unmake_folders(in_scratch("there/a//b/c/"), made);
	assert_int_equal(access(in_scratch("there/a"), F_OK), -1);
	assert_int_equal(access(in_scratch("there"), F_OK), 0);
	/* What is not empty stays, and so does what is above it. */
	assert_int_equal(outdir_make_folders(in_scratch("there/a/b"), &made), 0);
	put("there/a/mine", "");
	outdir_unmake_folders(in_scratch("there/a/b"), made);
	assert_int_equal(access(in_scratch("there/a/b"), F_OK), -1);
	assert_int_equal(access(in_scratch("there/a/mine"), F_OK), 0);
	assert_int_equal(outdir_make_folders(in_scratch("there"), &made), 0);
	assert_int_equal(made, 0);
	/* Where one cannot be made, none is left. */
	snprintf(name, sizeof(name), "other/new/%0256d", 0);
	assert_int_equal(outdir_make_folders(in_scratch(name), &made), ENAMETOOLONG);
	assert_int_equal(made, 0);
	assert_int_equal(access(in_scratch("other"), F_OK), -1);
}

static void a_read_only_folder(void **state)
{
	uid_t user = geteuid();

	(void)state;
	assert_int_equal(mkdir(in_scratch("r"), 0555), 0);
	/* root may write everywhere; in a name space of one user there is nobody else to be */
	if (user == 0 && seteuid(65534) != 0)
		skip();
	assert_not_opened(in_scratch("r"), "/r: Permission denied");
	assert_int_equal(seteuid(user), 0);
}

static void a_full_disk(void **state)
{
	struct error err = {0};
	struct outdir *out = filled("r", "one");
	char path[700];

	(void)state;
	snprintf(path, sizeof path, "%s/full", outdir_path(out));
	assert_int_equal(symlink("/dev/full", path), 0);
	assert_int_equal(outdir_write(out, "full", "text", 4, &err), -1);
	assert_non_null(strstr(err.text, "/r/full: no space left"));
	assert_non_null(strstr(err.text, "or choose another folder with -o"));
	outdir_close(out);
}

static void a_file_size_limit(void **state)
{
	struct rlimit limit, small;
	struct error err = {0};
	struct outdir *out = filled("r", "one");
	char *text = calloc(1, 20000);
	int rc;

	(void)state;
	assert_non_null(text);
	assert_int_equal(getrlimit(RLIMIT_FSIZE, &limit), 0);
	small = (struct rlimit){8192, limit.rlim_max};
	signal(SIGXFSZ, SIG_IGN);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	rc = outdir_write(out, "report.json", text, 20000, &err);
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &limit), 0);
	assert_int_equal(rc, -1);
	assert_non_null(strstr(err.text, "/r/report.json: no space left under the file size limit"));
	free(text);
	outdir_close(out);
}

static void a_file_in_a_folder_that_is_not_there(void **state)
{
	struct error err = {0};
	struct outdir *out = filled("r", "one");

	(void)state;
	assert_int_equal(outdir_write(out, "no/file", "x", 1, &err), -1);
	assert_non_null(strstr(err.text, "/r/no/file: No such file or directory"));
	assert_int_equal(outdir_mkdir(out, "plots", &err), -1);
	assert_non_null(strstr(err.text, "File exists"));
	outdir_close(out);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make, unmake)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_new_report),
		TEST(replaces),
		TEST(moves_under_another_name),
		TEST(what_cannot_be_moved_leaves_the_older),
		TEST(removes),
		TEST(not_while_others_write),
		TEST(close_leaves_the_older_one),
		TEST(close_removes_a_folder_that_it_made),
		TEST(somebody_elses_file_is_in_the_way),
		TEST(a_link_is_no_folder),
		TEST(a_folder_is_not_replaced_by_a_file),
		TEST(folders_that_cannot_be),
		TEST(folders_above),
		scratch_test(a_read_only_folder),
		TEST(a_full_disk),
		TEST(a_file_size_limit),
		TEST(a_file_in_a_folder_that_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
