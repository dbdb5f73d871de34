/* outdir.c: a report's folder is replaced as a whole or stays as it was. */
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
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "fixtures/model-fixture.h"
#include "report/outdir.h"
#include "fixtures/scratch.h"
#include "util/file.h"
#include "util/host.h"

static bool no_links;        /* as on a file system where a file has one name */
static bool no_locks;        /* as on one that knows none */
static int steps, fatal;     /* moments before and after a renameat(); at which the process is killed, 0: never */
static bool parent_dies_too; /* then the process that waits for it */
static bool childless;       /* the end of children is ignored */
static int slow_us;          /* how long each renameat() takes */
static pid_t test_pid;
static const char *failing;  /* the name that cannot be moved into place */
static bool fails_from_then; /* and after it no other can either */

static void step(void)
{
	if (getpid() == test_pid || fatal == 0 || ++steps != fatal)
		return;
	if (parent_dies_too)
		kill(getppid(), SIGKILL);
	kill(getpid(), SIGKILL);
}

/* These stand in for the C library's. */
int renameat(int old_dir, const char *old, int new_dir, const char *new)
{
	int rc;

	usleep((useconds_t)slow_us);
	if (failing != NULL && (strcmp(failing, "") == 0 || strcmp(failing, new) == 0)) {
		failing = fails_from_then ? "" : failing;
		errno = EIO;
		return -1;
	}
	step();
	rc = (int)syscall(SYS_renameat2, old_dir, old, new_dir, new, 0);
	step();
	return rc;
}

int linkat(int old_dir, const char *old, int new_dir, const char *new, int flags)
{
	errno = EPERM;
	return no_links ? -1 : (int)syscall(SYS_linkat, old_dir, old, new_dir, new, flags);
}

int flock(int fd, int operation)
{
	errno = ENOLCK;
	return no_locks ? -1 : (int)syscall(SYS_flock, fd, operation);
}

static int make(void **state)
{
	no_links = no_locks = parent_dies_too = childless = false;
	steps = fatal = slow_us = 0;
	failing = NULL;
	fails_from_then = false;
	test_pid = getpid();
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

static bool file_holds(const char *name, const char *expected)
{
	char *text = file_read(in_scratch(name), NULL, NULL);
	bool same = text != NULL && strcmp(text, expected) == 0;

	free(text);
	return same;
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

/* Makes the report's folder hold `names`; `older` are there already. */
static int commit(struct outdir *out, const char *const *names, const char *const *older, struct error *err)
{
	if (outdir_lock(out, err) == 0)
		return outdir_commit(out, names, older, err);
	outdir_abandon(out);
	return -1;
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
	assert_int_equal(commit(out, report, none, NULL), 0);
	assert_int_equal(entries("a/b/c"), 3);
	assert_report("a/b/c", "one");
}

static void replaces_what_the_older_one_had(void)
{
	static const char *const older[] = {
		"plots/a.svg", "plots/old.svg", "trace-2.json", "report.json", "index.html", NULL};

	assert_int_equal(commit(filled("r", "one"), report, none, NULL), 0);
	put("r/plots/old.svg", "old");
	put("r/trace-2.json", "old");
	put("r/plots/mine.svg", "mine");
	put("r/trace-3.json", "mine");
	assert_int_equal(commit(filled("r", "two"), report, older, NULL), 0);
	assert_int_equal(entries("r"), 4);
	assert_int_equal(entries("r/plots"), 2);
	assert_report("r", "two");
	assert_holds("r/plots/mine.svg", "mine");
	assert_holds("r/trace-3.json", "mine");
}

static void replaces(void **state)
{
	(void)state;
	replaces_what_the_older_one_had();
}

static void replaces_without_links(void **state)
{
	(void)state;
	no_links = true;
	replaces_what_the_older_one_had();
}

static void replaces_without_locks(void **state)
{
	(void)state;
	no_locks = true;
	replaces_what_the_older_one_had();
}

static void rolls_back_all(void)
{
	static const char *const names[] = {
		"plots/a.svg", "plots/new.svg", "report.json", "new.csv", "index.html", NULL};
	static const char *const older[] = {"plots/a.svg", "plots/old.svg", "report.json", "index.html", NULL};
	struct error err = {0};
	struct outdir *out;

	assert_int_equal(commit(filled("r", "one"), report, none, NULL), 0);
	put("r/plots/old.svg", "one");
	out = filled("r", "two");
	assert_int_equal(outdir_write(out, "plots/new.svg", "", 0, &err), 0);
	assert_int_equal(outdir_write(out, "new.csv", "", 0, &err), 0);
	failing = "new.csv";
	assert_int_equal(commit(out, names, older, &err), -1);
	assert_non_null(strstr(err.text, "cannot replace"));
	assert_non_null(strstr(err.text, "r/new.csv: Input/output error"));
}

static void assert_rolled_back(void)
{
	assert_int_equal(entries("r"), 3);
	assert_int_equal(entries("r/plots"), 2);
	assert_report("r", "one");
	assert_holds("r/plots/old.svg", "one");
}

static void rolls_back(void **state)
{
	(void)state;
	rolls_back_all();
	assert_rolled_back();
}

static void rolls_back_without_links(void **state)
{
	(void)state;
	no_links = true;
	rolls_back_all();
	assert_rolled_back();
}

/* Where that does not work either, nothing is removed, and the next that writes there tries again. */
static void rolls_back_later(void **state)
{
	struct error err = {0};

	(void)state;
	fails_from_then = no_links = true;
	rolls_back_all();
	assert_true(is_there("r/.dbprof-moving/older/index.html") || is_there("r/index.html"));
	assert_true(is_there("r/.dbprof-moving/older/plots/old.svg"));
	failing = "";
	assert_null(outdir_open(in_scratch("r"), &err));
	assert_non_null(strstr(err.text, "machine (Input/output error): if none is at work"));
	failing = NULL;
	outdir_abandon(filled("r", "three"));
	assert_rolled_back();
}

/* ---- killed at any moment ---- */

static const char *const second[] = {"plots/a.svg", "plots/b.svg", "report.json", "index.html", NULL};

/* Replaces report "one", which has trace.json too, by "two", which has plots/b.svg instead, in a process of its own.
 * Returns how it ended: 0, 1 for an error, 137 for killed. */
static int replace_and_die(int moment, bool both)
{
	static const char *const older[] = {"plots/a.svg", "trace.json", "report.json", "index.html", NULL};
	int status;
	pid_t pid;

	assert_int_equal(commit(filled("r", "one"), report, none, NULL), 0);
	put("r/trace.json", "one");
	steps = 0;
	fatal = moment;
	parent_dies_too = both;
	pid = fork();
	if (pid == 0) {
		struct error err = {0};
		struct outdir *out = filled("r", "two");

		if (childless)
			signal(SIGCHLD, SIG_IGN);
		test_pid = getpid(); /* only the process that moves has moments */
		_exit(outdir_write(out, "plots/b.svg", "two", 3, &err) == 0 && commit(out, second, older, &err) == 0 ? 0
			: strstr(err.text, "was killed") != NULL                                                     ? 1
								 : 2);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	fatal = 0;
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static void assert_one_or_two(bool is_new)
{
	assert_report("r", is_new ? "two" : "one");
	assert_int_equal(is_there("r/plots/b.svg"), is_new);
	assert_int_equal(is_there("r/trace.json"), !is_new);
	assert_int_equal(entries("r"), is_new ? 3 : 4);
	assert_int_equal(entries("r/plots"), is_new ? 2 : 1);
}

static void remove_all(const char *name)
{
	char command[600];

	snprintf(command, sizeof command, "rm -rf '%s/%s'", scratch, name);
	assert_int_equal(system(command), 0);
}

/* The waiting process puts the older report back. Returns how many moments there were. */
static int kill_mover_at_each_moment(void)
{
	for (int moment = 1;; moment++) {
		int status = replace_and_die(moment, false);

		assert_in_range(status, 0, 1);
		assert_one_or_two(status == 0);
		remove_all("r");
		if (status == 0)
			return moment - 1;
	}
}

/* The next that writes there does. */
static int kill_both_at_each_moment(void)
{
	for (int moment = 1;; moment++) {
		int status = replace_and_die(moment, true);

		assert_true(status == 0 || status == 128 + SIGKILL);
		outdir_abandon(filled("r", "three"));
		assert_one_or_two(status == 0);
		remove_all("r");
		if (status == 0)
			return moment - 1;
	}
}

static void killed_while_moving(void **state)
{
	(void)state;
	/* The folder's own name is given before; four files come, one goes. */
	assert_int_equal(kill_mover_at_each_moment(), 10);
	assert_int_equal(kill_both_at_each_moment(), 10);
}

/* As under a shell that has "trap '' CHLD". */
static void killed_while_moving_where_nobody_waits(void **state)
{
	(void)state;
	childless = true;
	assert_int_equal(kill_mover_at_each_moment(), 10);
}

static void killed_while_moving_without_links(void **state)
{
	(void)state;
	no_links = true;
	assert_int_equal(kill_mover_at_each_moment(), 18);
	assert_int_equal(kill_both_at_each_moment(), 18);
}

/* Without locks nobody knows whether somebody is at work: what is there stays. */
static void what_is_half_done_stays_without_locks(void **state)
{
	struct error err = {0};

	(void)state;
	assert_int_equal(replace_and_die(5, true), 128 + SIGKILL);
	no_locks = true;
	assert_null(outdir_open(in_scratch("r"), &err));
	assert_non_null(strstr(err.text, "r/.dbprof-moving is of a dbprof that was killed"));
	no_locks = false;
	outdir_abandon(filled("r", "three"));
	assert_one_or_two(false);
}

/* A lock on another system is not seen from here. */
static void what_is_half_done_elsewhere_stays(void **state)
{
	struct error err = {0};
	char own[HOST_DIGITS + 1], name[64];

	(void)state;
	host_digits(own);
	snprintf(name, sizeof name, "r/.dbprof-moving/host-%s", own);
	assert_int_equal(replace_and_die(5, true), 128 + SIGKILL);
	assert_int_equal(rename(in_scratch(name), in_scratch("r/.dbprof-moving/host-ffffffff")), 0);
	assert_null(outdir_open(in_scratch("r"), &err));
	assert_non_null(strstr(err.text, "or does so on another machine"));
	assert_true(is_there("r/.dbprof-moving/list"));
	assert_int_equal(rename(in_scratch("r/.dbprof-moving/host-ffffffff"), in_scratch(name)), 0);
	outdir_abandon(filled("r", "three"));
	assert_one_or_two(false);
}

/* A list that would move files from and to elsewhere. */
static void a_strangers_list(void **state)
{
	static const char *const lists[] = {"+../mine", "-/mine", "+a/../../mine", "x", "+", "+a/b/c", "+link/mine"};
	struct error err = {0};
	char own[HOST_DIGITS + 1], name[64];

	(void)state;
	host_digits(own);
	snprintf(name, sizeof name, "r/.dbprof-moving/host-%s", own);
	assert_int_equal(mkdir(in_scratch("r"), 0777), 0);
	put("mine", "mine");
	assert_int_equal(symlink("..", in_scratch("r/link")), 0);
	for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
		FILE *file;

		assert_int_equal(mkdir(in_scratch("r/.dbprof-moving"), 0777), 0);
		assert_int_equal(mkdir(in_scratch("r/.dbprof-moving/older"), 0777), 0);
		put(name, "");
		file = fopen(in_scratch("r/.dbprof-moving/list"), "w");
		assert_non_null(file);
		fwrite(lists[i], 1, strlen(lists[i]) + 1, file);
		assert_int_equal(fclose(file), 0);
		assert_null(outdir_open(in_scratch("r"), &err));
		assert_holds("mine", "mine");
		remove_all("r/.dbprof-moving");
	}
}

/* ---- several at once ---- */

/* Two write into one folder, of which one is slow: what is there in the end is of one of them. */
static void one_at_a_time(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	assert_int_equal(commit(filled("r", "one"), report, none, NULL), 0);
	pid = fork();
	slow_us = pid == 0 ? 30000 : 11000;
	for (int i = 0; i < 8; i++) {
		int rc = commit(filled("r", pid == 0 ? "two" : "three"), report, report, NULL);

		if (pid == 0 && (rc != 0 || i == 7))
			_exit(rc == 0 ? 0 : 1);
		assert_int_equal(rc, 0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_report("r", file_holds("r/index.html", "two") ? "two" : "three");
	assert_int_equal(entries("r"), 3);
}

static void not_while_others_write(void **state)
{
	struct error err = {0};
	struct outdir *first = filled("r", "one");

	(void)state;
	assert_int_equal(outdir_lock(first, &err), 0);
	assert_null(outdir_open(in_scratch("r"), &err));
	assert_non_null(strstr(err.text, "r: wait until it is done"));
	assert_int_equal(outdir_commit(first, report, none, &err), 0);
	assert_report("r", "one");
}

/* ---- a recording that is replaced between what is read for the page and what for the exports ---- */

static void replace_recording(void *user)
{
	(void)user;
	assert_int_equal(rename(in_scratch("newer.sqlite"), in_scratch("scenario.sqlite")), 0);
}

static void one_recording_from_begin_to_end(void **state)
{
	char folder[600], path[600];
	const char *file = path;
	struct report_options options = {.files = &file, .nfiles = 1, .outdir = folder, .version = "1.2.3"};
	struct error err = {0};

	(void)state;
	snprintf(folder, sizeof folder, "%s/r", scratch);
	snprintf(path, sizeof path, "%s/scenario.sqlite", scratch);
	json_decref(fixture_scenario("traced"));
	assert_int_equal(rename(in_scratch("scenario.sqlite"), in_scratch("newer.sqlite")), 0);
	json_decref(fixture_scenario("traced"));
	options.begin = replace_recording;
	assert_int_equal(report_write(&options, &err), REPORT_FAILED);
	assert_non_null(strstr(err.text, "scenario.sqlite was replaced while its report was made: run dbprof report"));
	assert_false(is_there("r"));
}

/* ---- nothing done ---- */

static void abandon_leaves_the_older_one(void **state)
{
	(void)state;
	assert_int_equal(commit(filled("r", "one"), report, none, NULL), 0);
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

static void somebody_elses_file_is_not_replaced(void **state)
{
	struct error err = {0};

	(void)state;
	assert_int_equal(mkdir(in_scratch("plots"), 0777), 0);
	put("plots/a.svg", "mine");
	put("plots/timeline.gp", "mine");
	assert_int_equal(outdir_check(scratch, report, none, &err), -1);
	assert_int_equal(commit(filled("", "two"), report, none, &err), -1);
	assert_non_null(strstr(err.text, "/plots/a.svg is there and not from dbprof: move it away"));
	assert_holds("plots/a.svg", "mine");
	assert_int_equal(remove(in_scratch("plots/a.svg")), 0);
	assert_int_equal(commit(filled("", "two"), report, none, &err), 0);
	assert_holds("plots/timeline.gp", "mine");
	assert_int_equal(entries("plots"), 2);
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
	assert_int_equal(commit(filled("r", "two"), report, report, &err), -1);
	assert_non_null(strstr(err.text, "/plots is no folder: remove it"));
	assert_holds("mine/a.svg", "mine");
}

static void a_folder_is_not_replaced_by_a_file(void **state)
{
	struct error err = {0};

	(void)state;
	assert_int_equal(mkdir(in_scratch("index.html"), 0777), 0);
	assert_int_equal(commit(filled("", "two"), report, none, &err), -1);
	assert_non_null(strstr(err.text, "index.html is a folder: remove it"));
	assert_int_equal(entries(""), 1);
}

static void what_was_not_made_cannot_be_moved(void **state)
{
	static const char *const names[] = {"index.html", "trace.json", NULL};
	struct error err = {0};

	(void)state;
	assert_int_equal(commit(filled("r", "x"), names, none, &err), -1);
	assert_non_null(strstr(err.text, "cannot move trace.json into place"));
	assert_false(is_there("r"));
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
	outdir_abandon(out);
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
	outdir_abandon(out);
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
	outdir_abandon(out);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make, unmake)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_new_report),
		TEST(replaces),
		TEST(replaces_without_links),
		TEST(replaces_without_locks),
		TEST(rolls_back),
		TEST(rolls_back_without_links),
		TEST(rolls_back_later),
		TEST(killed_while_moving),
		TEST(killed_while_moving_where_nobody_waits),
		TEST(killed_while_moving_without_links),
		TEST(what_is_half_done_stays_without_locks),
		TEST(what_is_half_done_elsewhere_stays),
		TEST(a_strangers_list),
		TEST(one_at_a_time),
		TEST(not_while_others_write),
		TEST(one_recording_from_begin_to_end),
		TEST(abandon_leaves_the_older_one),
		TEST(abandon_removes_a_folder_that_it_made),
		TEST(somebody_elses_file_is_not_replaced),
		TEST(a_link_is_no_folder),
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
