/* unit-outdir.c: a report's folder is replaced as a whole or stays as it was. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <cmocka.h>

#include "report/outdir.h"
#include "scratch.h"
#include "util/file.h"

static bool no_exchange; /* as on a file system that cannot swap two names */

/* Stands in for the C library's. */
int renameat2(int old_dir, const char *old, int new_dir, const char *new, unsigned flags)
{
	if (no_exchange) {
		errno = EINVAL;
		return -1;
	}
	return (int)syscall(SYS_renameat2, old_dir, old, new_dir, new, flags);
}

static int make(void **state)
{
	no_exchange = false;
	return scratch_make(state);
}

static int unmake(void **state)
{
	char command[600];

	(void)state;
	snprintf(command, sizeof command, "rm -rf '%s'", scratch);
	return system(command);
}

static void put(const char *name, const char *text)
{
	FILE *file = fopen(in_scratch(name), "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

static void assert_holds(const char *name, const char *expected)
{
	char *text = file_read(in_scratch(name), NULL, NULL);

	if (text == NULL)
		fail_msg("%s is not there", name);
	assert_string_equal(text, expected);
	free(text);
}

static bool is_there(const char *name)
{
	struct stat st;

	return lstat(in_scratch(name), &st) == 0;
}

/* Entries of the folder, hidden ones too. */
static int entries(const char *name)
{
	DIR *dir = opendir(in_scratch(name));
	int n = 0;

	assert_non_null(dir);
	while (readdir(dir) != NULL)
		n++;
	closedir(dir);
	return n - 2;
}

/* A report in `folder`, whose files all hold `text`. */
static struct outdir *filled(const char *folder, const char *text)
{
	struct error err = {""};
	struct outdir *out = outdir_open(in_scratch(folder), &err);

	if (out == NULL)
		fail_msg("%s", err.text);
	assert_int_equal(outdir_mkdir(out, "plots", &err), 0);
	assert_int_equal(outdir_write(out, "plots/a.svg", text, strlen(text), &err), 0);
	assert_int_equal(outdir_write(out, "report.json", text, strlen(text), &err), 0);
	assert_int_equal(outdir_write(out, "index.html", text, strlen(text), &err), 0);
	return out;
}

static const char *const report[] = {"plots", "report.json", "index.html"};

static void a_new_report(void **state)
{
	struct outdir *out = filled("a/b//c/", "one");

	(void)state;
	assert_int_equal(entries("a/b/c"), 1);
	assert_int_equal(outdir_commit(out, report, 3, NULL), 0);
	assert_int_equal(entries("a/b/c"), 3);
	assert_holds("a/b/c/plots/a.svg", "one");
	assert_holds("a/b/c/report.json", "one");
	assert_holds("a/b/c/index.html", "one");
}

static void replaces_all_of_the_older_one(void)
{
	assert_int_equal(outdir_commit(filled("r", "one"), report, 3, NULL), 0);
	put("r/plots/old.svg", "old");
	put("r/notes.txt", "mine");
	assert_int_equal(outdir_commit(filled("r", "two"), report, 3, NULL), 0);
	assert_int_equal(entries("r"), 4);
	assert_holds("r/plots/a.svg", "two");
	assert_false(is_there("r/plots/old.svg"));
	assert_holds("r/report.json", "two");
	assert_holds("r/index.html", "two");
	assert_holds("r/notes.txt", "mine");
}

static void replaces(void **state)
{
	(void)state;
	replaces_all_of_the_older_one();
}

static void replaces_without_exchange(void **state)
{
	(void)state;
	no_exchange = true;
	replaces_all_of_the_older_one();
}

static void rolls_back_all(void)
{
	/* x/y cannot be moved: there is no x in place, which shows only when its turn comes. */
	static const char *const names[] = {"plots", "report.json", "new.csv", "x/y", "index.html"};
	struct error err = {""};
	struct outdir *out;

	assert_int_equal(outdir_commit(filled("r", "one"), report, 3, NULL), 0);
	out = filled("r", "two");
	assert_int_equal(outdir_mkdir(out, "x", &err), 0);
	assert_int_equal(outdir_write(out, "x/y", "", 0, &err), 0);
	assert_int_equal(outdir_write(out, "new.csv", "", 0, &err), 0);
	assert_int_equal(outdir_commit(out, names, 5, &err), -1);
	assert_non_null(strstr(err.text, "cannot replace"));
	assert_non_null(strstr(err.text, "r/x/y: No such file or directory"));
	assert_int_equal(entries("r"), 3);
	assert_holds("r/plots/a.svg", "one");
	assert_holds("r/report.json", "one");
	assert_holds("r/index.html", "one");
}

static void rolls_back(void **state)
{
	(void)state;
	rolls_back_all();
}

static void rolls_back_without_exchange(void **state)
{
	(void)state;
	no_exchange = true;
	rolls_back_all();
}

static void abandon_leaves_the_older_one(void **state)
{
	(void)state;
	assert_int_equal(outdir_commit(filled("r", "one"), report, 3, NULL), 0);
	outdir_abandon(filled("r", "two"));
	assert_int_equal(entries("r"), 3);
	assert_holds("r/index.html", "one");
	outdir_abandon(NULL);
}

static void abandon_removes_a_folder_that_it_made(void **state)
{
	(void)state;
	assert_int_equal(mkdir(in_scratch("mine"), 0777), 0);
	outdir_abandon(filled("mine", "x"));
	outdir_abandon(filled("new", "x"));
	assert_true(is_there("mine"));
	assert_false(is_there("new"));
}

static void somebody_elses_folder_is_not_replaced(void **state)
{
	struct error err = {""};

	(void)state;
	assert_int_equal(mkdir(in_scratch("plots"), 0777), 0);
	put("plots/timeline.gp", "plot");
	assert_int_equal(outdir_commit(filled("", "two"), report, 3, &err), -1);
	assert_non_null(strstr(err.text, "plots holds timeline.gp, which is not from a report: choose another folder"));
	assert_holds("plots/timeline.gp", "plot");
	assert_int_equal(entries(""), 1);
}

static void a_folder_is_not_replaced_by_a_file(void **state)
{
	struct error err = {""};

	(void)state;
	assert_int_equal(mkdir(in_scratch("index.html"), 0777), 0);
	assert_int_equal(outdir_commit(filled("", "two"), report, 3, &err), -1);
	assert_non_null(strstr(err.text, "index.html is a folder: remove it"));
	assert_int_equal(entries(""), 1);
}

static void what_was_not_made_cannot_be_moved(void **state)
{
	static const char *const names[] = {"index.html", "trace.json"};
	struct error err = {""};

	(void)state;
	assert_int_equal(outdir_commit(filled("r", "x"), names, 2, &err), -1);
	assert_non_null(strstr(err.text, "cannot move trace.json into place"));
	assert_false(is_there("r"));
}

static void assert_not_opened(const char *dir, const char *message)
{
	struct error err = {""};

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
	struct error err = {""};
	struct outdir *out = filled("r", "one");
	char path[700];

	(void)state;
	snprintf(path, sizeof path, "%s/full", outdir_path(out));
	assert_int_equal(symlink("/dev/full", path), 0);
	assert_int_equal(outdir_write(out, "full", "text", 4, &err), -1);
	assert_non_null(strstr(err.text, "/r/full: no space left"));
	assert_non_null(strstr(err.text, "or choose another folder with -o"));
	outdir_abandon(out);
}

static void a_file_size_limit(void **state)
{
	struct rlimit limit, small;
	struct error err = {""};
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
	outdir_abandon(out);
}

static void a_file_in_a_folder_that_is_not_there(void **state)
{
	struct error err = {""};
	struct outdir *out = filled("r", "one");

	(void)state;
	assert_int_equal(outdir_write(out, "no/file", "x", 1, &err), -1);
	assert_non_null(strstr(err.text, "/r/no/file: No such file or directory"));
	assert_int_equal(outdir_mkdir(out, "plots", &err), -1);
	assert_non_null(strstr(err.text, "File exists"));
	outdir_abandon(out);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make, unmake)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_new_report),
		TEST(replaces),
		TEST(replaces_without_exchange),
		TEST(rolls_back),
		TEST(rolls_back_without_exchange),
		TEST(abandon_leaves_the_older_one),
		TEST(abandon_removes_a_folder_that_it_made),
		TEST(somebody_elses_folder_is_not_replaced),
		TEST(a_folder_is_not_replaced_by_a_file),
		TEST(what_was_not_made_cannot_be_moved),
		TEST(folders_that_cannot_be),
		TEST(a_read_only_folder),
		TEST(a_full_disk),
		TEST(a_file_size_limit),
		TEST(a_file_in_a_folder_that_is_not_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
