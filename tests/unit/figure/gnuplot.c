/* gnuplot.c: figures drawn by the real gnuplot, and every way in which one can fail, played by shell scripts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>
#include <time.h>
#include <cmocka.h>

#include "figure/gnuplot.h"
#include "figure/patience.h"
#include "fixtures/scratch.h"
#include "util/file/file.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* What is to end at once ends well before the scripts do, also where the machine has other work. */
enum { SHORT_MS = 400, LONG_MS = 30000, LIMIT_S = 600 };

static int make(void **state)
{
	unsetenv("DBPROF_GNUPLOT");
	return scratch_make(state);
}

static void put(const char *name, const char *text)
{
	FILE *file = fopen(in_scratch(name), "w");

	assert_non_null(file);
	fputs(text, file);
	assert_int_equal(fclose(file), 0);
}

/* Puts a shell script in gnuplot's place. It also has to answer --version. */
static void pretend(const char *script)
{
	put("fake", script);
	assert_int_equal(chmod(in_scratch("fake"), 0755), 0);
	setenv("DBPROF_GNUPLOT", in_scratch("fake"), 1);
}

static bool has_gnuplot(void)
{
	return system("gnuplot --version >/dev/null 2>&1") == 0;
}

static int draw(const struct gnuplot_job *jobs, int n, struct error *err)
{
	return gnuplot_run_within(jobs, n, scratch, LONG_MS, NULL, NULL, err);
}

static void assert_fails(const struct gnuplot_job *jobs, int n, const char *message)
{
	struct error err = {0};

	assert_int_equal(draw(jobs, n, &err), -1);
	if (strstr(err.text, message) == NULL)
		fail_msg("'%s' does not say '%s'", err.text, message);
}

static void assert_holds(const char *name, const char *part)
{
	char *text = file_read(in_scratch(name), NULL, NULL);

	if (text == NULL || strstr(text, part) == NULL)
		fail_msg("no '%s' in %s", part, name);
	free(text);
}

static const char plot[] = "set terminal svg\n"
			   "set output ARG1\n"
			   "set title ARG2 noenhanced\n"
			   "if (!exists('seen')) seen = 0\n"
			   "seen = seen + 1\n"
			   "plot x * seen title 'seen '.seen\n";

/* ---- the real one ---- */

static void many_figures(void **state)
{
	char names[11][16], *args[11][1];
	struct gnuplot_job jobs[11];
	struct error err = {0};

	(void)state;
	if (!has_gnuplot())
		skip();
	put("plot.gp", plot);
	for (int i = 0; i < 11; i++) {
		snprintf(names[i], sizeof names[i], "%d.svg", i);
		args[i][0] = names[i];
		jobs[i] = (struct gnuplot_job){"plot.gp", args[i], 1, names[i]};
	}
	if (gnuplot_run(jobs, 11, scratch, NULL, NULL, &err))
		fail_msg("%s", err.text);
	for (int i = 0; i < 11; i++)
		assert_holds(names[i], "seen 1<"); /* no figure knows of the one before it */
}

static void arguments_as_they_are(void **state)
{
	char out[] = "it's a.svg", title[] = "it''s `date` $x @m \"q\" \\n {b}_c # %d é\\";
	char *args[] = {out, title};
	const struct gnuplot_job job = {"a plot's.gp", args, 2, "it's a.svg"};
	struct error err = {0};

	(void)state;
	if (!has_gnuplot())
		skip();
	put("a plot's.gp", plot);
	if (draw(&job, 1, &err))
		fail_msg("%s", err.text);
	assert_holds(out, "it''s `date` $x @m \"q\" \\n {b}_c # %d é\\<");
}

static void a_script_with_an_error(void **state)
{
	char good[] = "good.svg", bad[] = "bad.svg", *good_args[] = {good}, *bad_args[] = {bad};
	const struct gnuplot_job jobs[] = {
		{"plot.gp", good_args, 1, good}, {"bad.gp", bad_args, 1, bad}, {"plot.gp", good_args, 1, good}};

	(void)state;
	if (!has_gnuplot())
		skip();
	put("plot.gp", plot);
	put("bad.gp", "set terminal svg\nset output ARG1\nplot nothing * x\n");
	assert_fails(jobs, 3, "gnuplot cannot draw bad.svg: \"bad.gp\" line 3: undefined variable: nothing");
	assert_fails(&(struct gnuplot_job){"none.gp", good_args, 1, good}, 1,
		"gnuplot cannot draw good.svg: line 0: Cannot load input from 'none.gp'");
}

/* Figures are counted by what gnuplot prints, wherever a script lets it print. */
static void a_script_that_prints_elsewhere(void **state)
{
	char good[] = "good.svg", bad[] = "bad.svg", *good_args[] = {good}, *bad_args[] = {bad};
	struct gnuplot_job jobs[8];

	(void)state;
	if (!has_gnuplot())
		skip();
	put("good.gp", "set print 'printed'\nset terminal svg\nset output ARG1\nplot x\n");
	put("bad.gp", "plot nothing * x\n");
	for (int i = 0; i < 8; i++)
		jobs[i] = i < 4 ? (struct gnuplot_job){"good.gp", good_args, 1, good}
				: (struct gnuplot_job){"bad.gp", bad_args, 1, bad};
	assert_fails(jobs, 8, "gnuplot cannot draw bad.svg: ");
}

static void an_older_figure_does_not_pass_for_a_new_one(void **state)
{
	const struct gnuplot_job job = {"idle.gp", NULL, 0, "old.svg"};

	(void)state;
	if (!has_gnuplot())
		skip();
	put("idle.gp", "x = 1\n");
	put("old.svg", "<svg></svg>\n");
	assert_fails(&job, 1, "gnuplot made no old.svg (script idle.gp)");
}

/* ---- others in its place ---- */

static const struct gnuplot_job one = {"a.gp", NULL, 0, "a.svg"};

static void the_environment(void **state)
{
	struct error err = {0};

	(void)state;
	setenv("LC_ALL", "C.UTF-8", 1);
	pretend("#!/bin/sh\npwd >said\necho \"$LC_ALL $# $1\" >>said\ncat >>said\necho '<svg></svg>' >a.svg\n");
	if (draw(&one, 1, &err))
		fail_msg("%s", err.text);
	unsetenv("LC_ALL");
	assert_holds("said", scratch);
	assert_holds("said", "\nC 1 -d\nreset session\n");
	assert_holds("said", "\ncall \"a.gp\"\n");
}

static void not_there(void **state)
{
	(void)state;
	setenv("DBPROF_GNUPLOT", "no-such-gnuplot", 1);
	assert_fails(&one, 1,
		"no-such-gnuplot was not found: install it (Debian: apt-get install gnuplot-nox) or put it on PATH");
	setenv("DBPROF_GNUPLOT", "/no/such/gnuplot", 1);
	assert_fails(&one, 1, "/no/such/gnuplot was not found");
	put("plain", "text");
	setenv("DBPROF_GNUPLOT", in_scratch("plain"), 1);
	assert_fails(&one, 1, "plain: Permission denied");
}

static void no_such_folder(void **state)
{
	struct error err = {0};

	(void)state;
	assert_int_equal(gnuplot_run(&one, 1, in_scratch("none"), NULL, NULL, &err), -1);
	assert_non_null(strstr(err.text, "/none: No such file or directory"));
}

static void failures(void **state)
{
	static const struct {
		const char *script, *message;
	} samples[] = {
		{"exit 0", "gnuplot made no a.svg"},
		{"exit 3", "gnuplot ended with status 3 at a.svg"},
		{"echo; echo 'cannot open display' >&2; exit 1", "gnuplot cannot draw a.svg: cannot open display"},
		{"echo '   line 7: no memory' >&2; echo '<svg></svg>' >a.svg",
			"gnuplot cannot draw a.svg: line 7: no memory"},
		{"kill -SEGV $$", "gnuplot was killed by signal 11 (Segmentation fault) while drawing a.svg"},
		{": >a.svg", "gnuplot left a.svg unfinished: is the disk full?"},
		{"echo '<svg><g>' >a.svg", "gnuplot left a.svg unfinished: is the disk full?"},
		{"mkdir a.svg", "gnuplot left a.svg unfinished"},
	};

	(void)state;
	for (size_t i = 0; i < COUNT(samples); i++) {
		char script[200];

		snprintf(script, sizeof script, "#!/bin/sh\n%s\n", samples[i].script);
		pretend(script);
		assert_fails(&one, 1, samples[i].message);
	}
}

static void warnings_are_no_failures(void **state)
{
	struct error err = {0};

	(void)state;
	pretend("#!/bin/sh\necho '\"a.gp\" line 3: warning: empty y range' >&2\necho '<svg></svg> ' >a.svg\n");
	assert_int_equal(draw(&one, 1, &err), 0);
	assert_string_equal(err.text, "");
}

static void too_old(void **state)
{
	(void)state;
	pretend("#!/bin/sh\n[ \"$1\" = --version ] && echo 'gnuplot 4.6 patchlevel 6'\n"
		"echo 'line 1: invalid command' >&2\nexit 1\n");
	assert_fails(&one, 1, "gnuplot 4.6 is too old: install 5.2 or later");
	pretend("#!/bin/sh\n[ \"$1\" = --version ] && echo 'gnuplot 5.2 patchlevel 0'\nexit 1\n");
	assert_fails(&one, 1, "gnuplot ended with status 1");
}

static void floods_of_words(void **state)
{
	(void)state;
	pretend("#!/bin/sh\nhead -c 3000000 /dev/zero >&2\nhead -c 3000000 /dev/urandom >&2\nexit 1\n");
	assert_fails(&one, 1, "gnuplot cannot draw a.svg: ");
}

/* Seconds that f() took. */
static double seconds_of(void (*f)(void))
{
	struct timespec from, to;

	clock_gettime(CLOCK_MONOTONIC, &from);
	f();
	clock_gettime(CLOCK_MONOTONIC, &to);
	return (double)(to.tv_sec - from.tv_sec) + (double)(to.tv_nsec - from.tv_nsec) / 1e9;
}

/* Whether the script has left the number of a process in "child", with the end of its line. */
static bool has_child(void)
{
	size_t size = 0;
	char *number = file_read(in_scratch("child"), &size, NULL);
	bool has = number != NULL && size > 0 && number[size - 1] == '\n';

	free(number);
	return has;
}

static void forget_child(void)
{
	(void)remove(in_scratch("child"));
}

/* On a busy machine the script may not have come to its child by then: it then gets more time. */
static void run_hanging(void)
{
	struct error err = {0};
	char words[100];

	forget_child();
	for (int ms = SHORT_MS; !has_child() && ms < 1000 * LIMIT_S; ms *= 4) {
		assert_int_equal(gnuplot_run_within(&one, 1, scratch, ms, NULL, NULL, &err), -1);
		snprintf(words, sizeof words, "gnuplot hangs: it was stopped after %.3g s at a.svg", ms / 1000.0);
		assert_string_equal(err.text, words);
	}
}

/* Once the script has said who its child is. */
static bool stop(void *user)
{
	(void)user;
	return has_child();
}

static void run_interrupted(void)
{
	struct error err = {0};

	forget_child();
	assert_int_equal(gnuplot_run(&one, 1, scratch, stop, NULL, &err), -1);
	assert_string_equal(err.text, "interrupted");
}

/* Whether the process runs. A zombie, which waits for its new parent to notice, does not. */
static bool runs(int pid)
{
	char path[64], state = 'X';
	FILE *file;

	snprintf(path, sizeof path, "/proc/%d/stat", pid);
	file = fopen(path, "r");
	if (file == NULL)
		return false;
	if (fscanf(file, "%*d %*s %c", &state) != 1)
		state = 'X';
	fclose(file);
	return state != 'X' && state != 'Z';
}

/* The process whose number the script has left in "child" must end soon: to be killed takes a moment. */
static void assert_child_gone(void)
{
	char *number = file_read(in_scratch("child"), NULL, NULL);
	int pid;

	assert_non_null(number);
	pid = atoi(number);
	free(number);
	for (int i = 0; i < 60000 && runs(pid); i++)
		usleep(10000);
	assert_false(runs(pid));
}

static void hanging_and_interrupted(void **state)
{
	(void)state;
	pretend("#!/bin/sh\nsleep 5000 &\necho $! >child\nwait\n");
	assert_true(seconds_of(run_hanging) < LIMIT_S);
	assert_child_gone();
	assert_true(seconds_of(run_interrupted) < LIMIT_S);
	assert_child_gone();
}

/* On a machine with other work each process gets a share of the processors, and so much of the time counts. */
static void patience_follows_the_load(void **state)
{
	(void)state;
	assert_true(patience_share("0.10 0.20 0.30 1/200 4711", 2) == 1);
	assert_true(patience_share("2.00 0.20 0.30 3/200 4711", 2) == 1);
	assert_true(patience_share("0.50 0.20 0.30 9/200 4711", 2) == 0.25);
	assert_true(patience_share("4.00 0.20 0.30 1/200 4711", 2) == 0.5);
	assert_true(patience_share("", 2) == 1);
	assert_true(patience_share("no numbers", 2) == 1);
}

/* Neither the same figure again and again nor words without end are a sign that it gets on. */
static void busy_with_nothing(void **state)
{
	(void)state;
	pretend("#!/bin/sh\necho $$ >child\nwhile :; do echo dbprof-figure-done >&2; sleep 0.05; done\n");
	assert_true(seconds_of(run_hanging) < LIMIT_S);
	assert_child_gone();
	pretend("#!/bin/sh\necho $$ >child\nexec cat /dev/zero >&2\n");
	assert_true(seconds_of(run_hanging) < LIMIT_S);
	assert_child_gone();
}

/* What a process leaves behind holds the pipe open, and must not be waited for. */
static void a_child_that_stays(void **state)
{
	struct error err = {0};

	(void)state;
	pretend("#!/bin/sh\nsleep 5000 &\necho $! >child\necho '<svg></svg>' >a.svg\n");
	assert_int_equal(draw(&one, 1, &err), 0);
	assert_child_gone();
}

static void refused_jobs(void **state)
{
	char line[] = "a\nb", return_[] = "a\rb", plain[] = "a";
	char *bad[] = {plain, line}, *bad2[] = {return_};
	char *many[] = {plain, plain, plain, plain, plain, plain, plain, plain, plain, plain};

	(void)state;
	assert_fails(&(struct gnuplot_job){"a.gp", bad, 2, "a.svg"}, 1, "a.gp: an argument has a line break in it");
	assert_fails(&(struct gnuplot_job){"a.gp", bad2, 1, "a.svg"}, 1, "line break");
	assert_fails(&(struct gnuplot_job){"a\n.gp", NULL, 0, "a.svg"}, 1, "line break");
	assert_fails(&(struct gnuplot_job){"a.gp", many, 10, "a.svg"}, 1, "gnuplot takes at most 9 arguments, not 10");
	assert_int_equal(gnuplot_run(NULL, 0, scratch, NULL, NULL, NULL), 0);
}

static int unmake(void **state)
{
	char command[600];

	(void)state;
	snprintf(command, sizeof command, "rm -rf '%s'", scratch);
	return system(command);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, make, unmake)

int main(void)
{
	const struct CMUnitTest tests[] = {
		TEST(many_figures),
		TEST(arguments_as_they_are),
		TEST(a_script_with_an_error),
		TEST(a_script_that_prints_elsewhere),
		TEST(an_older_figure_does_not_pass_for_a_new_one),
		TEST(the_environment),
		TEST(not_there),
		TEST(no_such_folder),
		TEST(failures),
		TEST(warnings_are_no_failures),
		TEST(too_old),
		TEST(floods_of_words),
		TEST(hanging_and_interrupted),
		TEST(patience_follows_the_load),
		TEST(busy_with_nothing),
		TEST(a_child_that_stays),
		TEST(refused_jobs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
