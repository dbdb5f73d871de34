/* place.c: a report's files take their places, those of an older report and no others are replaced, and whoever is
 * killed meanwhile leaves an old page or a new one. */
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "fixtures/files.h"
#include "fixtures/model-fixture.h"
#include "report/place.h"
#include "report/report.h"
#include "tree/tree.h"

static int steps, fatal;    /* moments before and after a change; at which the process is killed, 0: never */
static int slow_us;         /* how long each renameat() takes */
static const char *failing; /* the name that cannot be moved into place */

static void step(void)
{
	if (fatal != 0 && ++steps == fatal)
		kill(getpid(), SIGKILL);
}

/* These stand in for the C library's. */
int renameat(int old_dir, const char *old, int new_dir, const char *new)
{
	int rc;

	usleep((useconds_t)slow_us);
	if (failing != NULL && strcmp(failing, new) == 0) {
		errno = EIO;
		return -1;
	}
	step();
	rc = (int)syscall(SYS_renameat2, old_dir, old, new_dir, new, 0);
	step();
	return rc;
}

int unlinkat(int folder, const char *name, int flags)
{
	int rc = (int)syscall(SYS_unlinkat, folder, name, flags);

	step();
	return rc;
}

static int make(void **state)
{
	steps = fatal = slow_us = 0;
	failing = NULL;
	return scratch_make(state);
}

static void remove_all(const char *name)
{
	char command[700];

	snprintf(command, sizeof command, "rm -rf '%s/%s'", scratch, name);
	assert_int_equal(system(command), 0);
}

static int unmake(void **state)
{
	(void)state;
	remove_all("");
	return 0;
}

/* The files of a report beside report.json and index.html. */
static const char *const of_one[] = {"plots/a.svg", "plots/old.svg", "trace.json", "work.csv", NULL};
static const char *const of_two[] = {"plots/a.svg", "plots/new.svg", "trace.json", NULL};

/* Makes a report of these files in r/, in which all hold `text`. */
static enum report_status place(const char *text, const char *const *names, struct error *err)
{
	struct outdir *out = outdir_open(in_scratch("r"), err);
	json_t *tree = json_pack("{s:s, s:i, s:s, s:[], s:[]}", "format", "dbprof-report", "version", 1, "id", text,
		"files", "recordings");
	struct report_files made = {0};
	enum report_status status;

	assert_non_null(out);
	assert_int_equal(outdir_mkdir(out, "plots", err), 0);
	for (; *names != NULL; names++) {
		assert_int_equal(outdir_write(out, *names, text, strlen(text), err), 0);
		report_files_add(&made, "%s", *names);
	}
	assert_int_equal(outdir_write(out, "index.html", text, strlen(text), err), 0);
	report_files_add(&made, "report.json");
	report_files_add(&made, "index.html");
	status = report_place(out, in_scratch("r"), tree, &made, err);
	report_files_free(&made);
	outdir_close(out);
	json_decref(tree);
	return status;
}

/* The id in report.json, "one" or "two"; fails if the file is not whole. */
static const char *id_there(void)
{
	json_t *tree = json_load_file(in_scratch("r/report.json"), 0, NULL);
	static char id[8];

	assert_non_null(tree);
	snprintf(id, sizeof id, "%s", tree_text(tree, "id"));
	json_decref(tree);
	return id;
}

static void assert_files(const char *text, const char *const *names)
{
	char path[64];
	int n = 0, figures = 0;

	for (; *names != NULL; names++) {
		snprintf(path, sizeof path, "r/%s", *names);
		assert_holds(path, text);
		strchr(*names, '/') != NULL ? figures++ : n++;
	}
	assert_holds("r/index.html", text);
	assert_string_equal(id_there(), text);
	assert_int_equal(entries("r"), n + 3);
	assert_int_equal(entries("r/plots"), figures);
}

static void a_new_report(void **state)
{
	(void)state;
	assert_int_equal(place("one", of_one, NULL), REPORT_DONE);
	assert_files("one", of_one);
}

static void replaces(void **state)
{
	(void)state;
	assert_int_equal(place("one", of_one, NULL), REPORT_DONE);
	assert_int_equal(place("two", of_two, NULL), REPORT_DONE);
	assert_files("two", of_two);
	assert_int_equal(place("one", of_one, NULL), REPORT_DONE);
	assert_files("one", of_one);
}

static void somebody_elses(void **state)
{
	struct error err = {0};

	(void)state;
	assert_int_equal(place("one", of_one, NULL), REPORT_DONE);
	put("r/plots/mine.svg", "mine");
	put("r/trace-2.json", "mine");
	put("r/plots/new.svg", "mine");
	assert_int_equal(place("two", of_two, &err), REPORT_BAD_INPUT);
	assert_non_null(strstr(err.text, "plots/new.svg is there and not from dbprof"));
	assert_holds("r/index.html", "one");
	assert_holds("r/work.csv", "one");
	assert_int_equal(unlink(in_scratch("r/plots/new.svg")), 0);
	assert_int_equal(place("two", of_two, &err), REPORT_DONE);
	assert_holds("r/plots/mine.svg", "mine");
	assert_holds("r/trace-2.json", "mine");
	assert_false(is_there("r/work.csv"));
}

/* What a stranger's list names is nobody's. */
static void a_strangers_list(void **state)
{
	static const char *const names[] = {"mine", "plots/mine.gp", "../mine", "plots/../mine", "plots/.mine.svg"};

	(void)state;
	put("mine", "mine");
	assert_int_equal(mkdir(in_scratch("r"), 0777), 0);
	assert_int_equal(mkdir(in_scratch("r/plots"), 0777), 0);
	put("r/mine", "mine");
	put("r/plots/mine.gp", "mine");
	put("r/plots/.mine.svg", "mine");
	put("r/report.json",
		"{\n \"format\": \"dbprof-report\",\n \"files\": [\n  \"report.json\",\n  \"mine\",\n  "
		"\"plots/mine.gp\",\n  \"../mine\",\n  7,\n  \"plots/../mine\",\n  \"plots/.mine.svg\"\n ]\n}\n");
	assert_int_equal(place("two", of_two, NULL), REPORT_DONE);
	assert_holds("mine", "mine");
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		char path[64];

		snprintf(path, sizeof path, "r/%s", names[i]);
		assert_holds(path, "mine");
	}
}

/* Reports of an older dbprof: with a list of its own, and without one. */
static void an_older_dbprof(void **state)
{
	(void)state;
	assert_int_equal(place("one", of_one, NULL), REPORT_DONE);
	put("r/report.json", "{\n \"format\": \"dbprof-report\",\n \"version\": 1\n}\n");
	put("r/.dbprof-files",
		"plots/a.svg\nplots/old.svg\ntrace.json\nwork.csv\n.dbprof-files\nreport.json\nindex.html\n");
	assert_int_equal(place("two", of_two, NULL), REPORT_DONE);
	assert_files("two", of_two);
	put("r/report.json", "{\n \"format\": \"dbprof-report\",\n \"version\": 1\n}\n");
	put("r/index.html", "<meta name=\"generator\" content=\"dbprof 0.1\"><a href=\"trace.json\">");
	put("r/plots/a.svg", "<svg aria-labelledby=\"a-title\"/>");
	put("r/plots/new.svg", "<svg aria-labelledby=\"mine\"/>");
	assert_int_equal(place("one", of_one, NULL), REPORT_DONE);
	assert_holds("r/plots/new.svg", "<svg aria-labelledby=\"mine\"/>");
	assert_int_equal(unlink(in_scratch("r/plots/new.svg")), 0);
	assert_files("one", of_one);
}

/* One that cannot be moved: the page is the older one, and the next report takes care of the rest. */
static void what_cannot_be_moved(void **state)
{
	static const char *const names[] = {"report.json", "plots/new.svg", "trace.json", "index.html"};

	(void)state;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		struct error err = {0};

		assert_int_equal(place("one", of_one, NULL), REPORT_DONE);
		failing = names[i];
		assert_int_equal(place("two", of_two, &err), REPORT_FAILED);
		assert_non_null(strstr(err.text, "cannot replace"));
		assert_holds("r/index.html", "one");
		failing = NULL;
		assert_int_equal(place("two", of_two, &err), REPORT_DONE);
		assert_files("two", of_two);
	}
}

/* ---- killed at any moment ---- */

/* Replaces report "one" by "two" in a process of its own. Returns how it ended: 0, or 137 for killed. */
static int replace_and_die(int moment)
{
	int status;
	pid_t pid;

	assert_int_equal(place("one", of_one, NULL), REPORT_DONE);
	assert_files("one", of_one);
	pid = fork();
	if (pid == 0) {
		struct error err = {0};

		fatal = moment;
		_exit(place("two", of_two, &err) == REPORT_DONE ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Each file is of one report or the other; the next report is as if nothing had been. */
static void killed_at_each_moment(void **state)
{
	int moment = 1, status;

	(void)state;
	do {
		bool is_new;
		char *page;

		status = replace_and_die(moment);
		assert_true(status == 0 || status == 128 + SIGKILL);
		page = file_read(in_scratch("r/index.html"), NULL, NULL);
		assert_non_null(page);
		is_new = strcmp(page, "two") == 0;
		assert_true(is_new || strcmp(page, "one") == 0);
		free(page);
		/* A new page has its files beside it. */
		if (is_new) {
			assert_string_equal(id_there(), "two");
			assert_holds("r/plots/new.svg", "two");
			assert_holds("r/trace.json", "two");
		} else {
			(void)id_there();
		}
		assert_int_equal(
			place(moment % 2 == 0 ? "one" : "two", moment % 2 == 0 ? of_one : of_two, NULL), REPORT_DONE);
		assert_files(moment % 2 == 0 ? "one" : "two", moment % 2 == 0 ? of_one : of_two);
		moment++;
	} while (status != 0);
	/* Six moves, before and after each; two files that go, and then what clears the hidden folder. */
	assert_in_range(moment, 6 * 2 + 2, 40);
}

/* ---- several at once ---- */

/* Two write into one folder, of which one is slow: what is there in the end is of one of them. */
static void one_at_a_time(void **state)
{
	int status;
	pid_t pid;

	(void)state;
	assert_int_equal(place("one", of_one, NULL), REPORT_DONE);
	pid = fork();
	slow_us = pid == 0 ? 30000 : 11000;
	for (int i = 0; i < 8; i++) {
		enum report_status done = place(pid == 0 ? "two" : "one", pid == 0 ? of_two : of_one, NULL);

		if (pid == 0 && (done != REPORT_DONE || i == 7))
			_exit(done);
		assert_int_equal(done, REPORT_DONE);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	assert_files(id_there(), strcmp(id_there(), "two") == 0 ? of_two : of_one);
}

/* ---- a recording that is replaced while its report is made ---- */

static void replace_recording(void *user)
{
	(void)user;
	assert_int_equal(rename(in_scratch("newer.sqlite"), in_scratch("scenario.sqlite")), 0);
}

/* It was opened once: all of the report is of what was there then. */
static void one_recording_from_begin_to_end(void **state)
{
	char folder[600], path[600];
	const char *file = path;
	struct report_options options = {
		.files = &file, .nfiles = 1, .outdir = folder, .version = "1.2.3", .with = REPORT_WITH_TRACE};
	struct error err = {0};
	json_t *tree, *before;

	(void)state;
	if (system("command -v gnuplot >/dev/null") != 0)
		skip();
	setenv("DBPROF_DATADIR", getenv("srcdir") != NULL ? getenv("srcdir") : ".", 0);
	snprintf(folder, sizeof folder, "%s/r", scratch);
	snprintf(path, sizeof path, "%s/scenario.sqlite", scratch);
	json_decref(fixture_scenario("program"));
	assert_int_equal(rename(in_scratch("scenario.sqlite"), in_scratch("newer.sqlite")), 0);
	before = fixture_scenario("traced");
	options.begin = replace_recording;
	assert_int_equal(report_write(&options, &tree, &err), REPORT_DONE);
	assert_true(json_equal(json_object_get(tree, "recordings"), json_object_get(before, "recordings")));
	assert_true(is_there("r/trace.json"));
	json_decref(before);
	json_decref(tree);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make, unmake)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(a_new_report),
		TEST(replaces),
		TEST(somebody_elses),
		TEST(a_strangers_list),
		TEST(an_older_dbprof),
		TEST(what_cannot_be_moved),
		TEST(killed_at_each_moment),
		TEST(one_at_a_time),
		TEST(one_recording_from_begin_to_end),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
