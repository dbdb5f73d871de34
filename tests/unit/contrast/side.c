/* side.c: what a run of a side gives besides what tests/contrast/side.test sees: damaged files of ranges, means of
 * readings, a person who gives up, settings of the environment. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <errno.h>
#include <math.h>
#include <signal.h>
#include <sys/wait.h>

#include "contrast/range/range.h"
#include "contrast/measure/side.h"
#include "contrast/step/spans.h"
#include "fixtures/files.h"
#include "trace/children.h"

/* ---- files of ranges ---- */

static void put_records(const char *name, const void *data, size_t size)
{
	FILE *file = fopen(in_scratch(name), "w");

	assert_non_null(file);
	assert_int_equal(fwrite(data, 1, size, file), size);
	assert_int_equal(fclose(file), 0);
}

static void steps_come_in_order(void **state)
{
	static const struct range_record first[] = {{30, 40, 1, 1}, {0}, {10, 50, 1, 1}}, second[] = {{20, 25, 2, 3}};
	struct steps_taken taken;
	const struct side_step *steps;

	(void)state;
	put_records("1-0.range", first, sizeof(first));
	put_records("2-0.range", second, sizeof(second));
	put("other", "stays");
	assert_int_equal(steps_take(scratch, 1000, &taken, NULL), 0);
	assert_int_equal(taken.n, 3);
	assert_int_equal(taken.lost, 0);
	steps = taken.steps;
	assert_true(steps[0].start_ns == 1010 && steps[0].end_ns == 1050);
	assert_true(steps[1].start_ns == 1020 && steps[1].process == 2 && steps[1].thread == 3);
	assert_true(steps[2].start_ns == 1030 && steps[2].process == 1);
	free(taken.steps);
	assert_int_equal(scratch_files(0), 1);
}

static void damaged_files_give_what_is_whole(void **state)
{
	static const struct range_record bad[] = {{5, 0, 1, 1}, {0, 7, 1, 1}, {-5, 7, 1, 1}, {9, 8, 1, 1},
		{INT64_MIN, INT64_MAX, 1, 1}, {1, INT64_MAX, 1, 1}, {1, 2, -1, -1}, {3, 4, 0, 0}};
	struct steps_taken taken;

	(void)state;
	put_records("x.range", bad, sizeof(bad) - 1);
	put("empty.range", "");
	put("short.range", "abc");
	assert_int_equal(steps_take(scratch, 0, &taken, NULL), 0);
	assert_int_equal(taken.n, 1);
	assert_int_equal(taken.steps[0].process, -1);
	free(taken.steps);
	assert_int_equal(scratch_files(0), 0);
}

/* A process had no room, and has said so; other files are not for us. */
static void what_is_lost_is_told(void **state)
{
	struct steps_taken taken;
	char name[64];

	(void)state;
	snprintf(name, sizeof(name), "17-%d.lost", ENOSPC);
	put(name, "");
	put("17-0.range", "");
	assert_int_equal(steps_take(scratch, 0, &taken, NULL), 0);
	assert_int_equal(taken.n, 0);
	assert_int_equal(taken.lost, ENOSPC);
	assert_int_equal(scratch_files(0), 0);
	put("things.lost", "");
	put("1-x.lost", "");
	put("1-99999999999.lost", "");
	assert_int_equal(steps_take(scratch, 0, &taken, NULL), 0);
	assert_int_equal(taken.lost, 0);
	assert_int_equal(scratch_files(0), 3);
}

static void no_files_no_steps(void **state)
{
	struct error err = {0};
	struct steps_taken taken;

	(void)state;
	assert_int_equal(steps_take(scratch, 0, &taken, NULL), 0);
	assert_null(taken.steps);
	assert_int_equal(taken.n, 0);
	assert_int_equal(steps_take(in_scratch("none"), 0, &taken, &err), -1);
	assert_non_null(strstr(err.text, "none"));
}

/* ---- steps that count ---- */

static void outer_steps_stay(void **state)
{
	struct side_step steps[] = {
		{10, 50, 1, 1}, {11, 20, 1, 1}, {12, 60, 1, 2}, {21, 50, 1, 1}, {55, 60, 1, 1}, {60, 70, 1, 2}};
	size_t n = 6;

	(void)state;
	steps_drop_nested(steps, &n);
	assert_int_equal(n, 4);
	assert_true(steps[0].start_ns == 10 && steps[1].start_ns == 12);
	assert_true(steps[2].start_ns == 55 && steps[3].start_ns == 60);
}

static void traced_steps_begin_with_the_recording(void **state)
{
	struct launch_step steps[] = {{.start = 1, .end = 9, .left_out = LEFT_FIRST_STEP},
		{.start = 20, .end = 50, .left_out = LEFT_NOTHING},
		{.start = 60, .end = 70, .left_out = LEFT_OTHER_STEP}};
	const struct launches launches = {.steps = steps, .nsteps = 3, .nsteady = 1};
	struct side_span spans[3];

	(void)state;
	assert_int_equal(spans_of_launches(&launches, 1000, spans), 1);
	assert_true(spans[0].start_ns == 1020 && spans[0].end_ns == 1050);
}

/* ---- readings ---- */

enum { MS = 1000000 };

static void means_are_of_what_is_known(void **state)
{
	static const struct side_reading read[] = {{100 * MS, 100, 1, 1}, {150 * MS, 1000, 200, 4},
		{200 * MS, 2000, -1, 8}, {250 * MS, -1, 400, -1}, {300 * MS, 9, 9, 16}};
	const struct side_span all = {150 * MS, 250 * MS}, shorter = {160 * MS, 161 * MS}, early = {110 * MS, 130 * MS},
			       first = {100 * MS, 101 * MS}, behind = {326 * MS, 400 * MS};
	struct side_readings got = side_readings_during(read, 5, &all, 1);

	(void)state;
	assert_true(got.sm_mhz == 1500 && got.power_mw == 300);
	assert_int_equal(got.throttle, 12);
	assert_int_equal(got.n, 2);
	/* Steps that are shorter than the time between two readings. */
	got = side_readings_during(read, 5, &shorter, 1);
	assert_true(got.sm_mhz == 1000 && got.n == 1);
	/* What is beside them counts only if the GPU is not idle. */
	got = side_readings_during(read, 5, &early, 1);
	assert_true(got.sm_mhz == 1000 && got.n == 1);
	got = side_readings_during(read, 5, &first, 1);
	assert_true(got.sm_mhz == 100 && got.n == 1);
	got = side_readings_during(read, 5, &behind, 1);
	assert_true(isnan(got.sm_mhz) && isnan(got.power_mw));
	assert_int_equal(got.throttle, -1);
	assert_int_equal(got.n, 0);
	assert_int_equal(side_readings_during(read, 5, NULL, 0).n, 0);
	assert_int_equal(side_readings_during(NULL, 0, &all, 1).n, 0);
}

/* Between two steps a program may compile. A long step of one process covers a short one of another. */
static void what_lies_between_steps_does_not_count(void **state)
{
	static const struct side_reading read[] = {{0, 1000, 1, 0}, {50 * MS, 345, 1, 1}, {100 * MS, 345, 1, 1},
		{150 * MS, 1000, 1, 0}, {200 * MS, 1600, 1, 0}};
	static const struct side_span apart[] = {{0, 10 * MS}, {140 * MS, 150 * MS}};
	static const struct side_span nested[] = {{140 * MS, 210 * MS}, {145 * MS, 146 * MS}};
	struct side_readings got = side_readings_during(read, 5, apart, 2);

	(void)state;
	assert_true(got.sm_mhz == 1000 && got.n == 2 && got.throttle == 0);
	got = side_readings_during(read, 5, nested, 2);
	assert_true(got.sm_mhz == 1300 && got.n == 2);
}

/* A reading without a mask may be of either. */
static void an_idle_gpu_does_not_count(void **state)
{
	static const struct side_reading read[] = {
		{10, 345, 70, NVML_IDLE}, {20, 1900, 500, 4}, {30, 345, 70, NVML_IDLE | 4}, {40, 1700, 300, -1}};
	struct side_readings got = side_readings_busy(read, 4);

	(void)state;
	assert_true(got.sm_mhz == 1800 && got.power_mw == 400);
	assert_int_equal(got.throttle, 4);
	assert_int_equal(got.n, 2);
	assert_int_equal(side_readings_busy(read, 1).n, 0);
}

/* ---- runs ---- */

static bool gives_up(void *user)
{
	return *(bool *)user;
}

static int run_shell(const char *script, char **environment, bool *stop, struct side_run *run, struct error *err)
{
	char *argv[] = {(char *)"sh", (char *)"-c", (char *)script, NULL};
	const struct side side = {argv, environment};
	const struct side_how how = {.kind = SIDE_PLAIN,
		.folder = scratch,
		.output = in_scratch("out"),
		.errors = in_scratch("out"),
		.interrupted = gives_up,
		.user = stop};

	return side_run(&side, &how, run, err);
}

static void the_environment_grows(void **state)
{
	char *environment[] = {(char *)"MINE=a=b c", (char *)"EMPTY=", NULL};
	bool stop = false;
	struct side_run run;

	(void)state;
	setenv("KEPT", "kept", 1);
	assert_int_equal(
		run_shell("echo \"$MINE|$EMPTY|$KEPT\"; echo error >&2; echo more", environment, &stop, &run, NULL), 0);
	assert_int_equal(run.status, 0);
	assert_true(run.start_ns > 0 && run.end_ns > run.start_ns);
	side_run_free(&run);
	assert_holds("out", "a=b c||kept\nerror\nmore\n");
	assert_null(getenv("MINE"));
}

static void nothing_starts_after_a_stop(void **state)
{
	bool stop = true;
	struct error err = {0};
	struct side_run run;

	(void)state;
	assert_int_equal(run_shell("echo started", NULL, &stop, &run, &err), -1);
	side_run_free(&run);
	assert_string_equal(err.text, "interrupted");
	assert_false(is_there("out"));
}

static volatile sig_atomic_t caught;

static void on_signal(int number)
{
	caught = number;
}

/* The program sends it to us. It ends the run, and is then ours. */
static void a_signal_ends_the_run(void **state)
{
	bool stop = false;
	struct error err = {0};
	struct side_run run;

	(void)state;
	caught = 0;
	signal(SIGTERM, on_signal);
	alarm(600);
	assert_int_equal(run_shell("kill -TERM $PPID; exec sleep 100000", NULL, &stop, &run, &err), -1);
	side_run_free(&run);
	assert_int_equal(caught, SIGTERM);
	assert_string_equal(err.text, "interrupted");
	/* One that is ignored does not. */
	signal(SIGTERM, SIG_IGN);
	assert_int_equal(run_shell("kill -TERM $PPID; exit 7", NULL, &stop, &run, &err), 0);
	assert_int_equal(run.status >> 8, 7);
	side_run_free(&run);
	signal(SIGTERM, SIG_DFL);
	alarm(0);
}

/* ---- what is left behind ---- */

static bool listed_end;

/* The linker calls this instead of children_list(). If it is to, all that it lists have ended when it returns. */
pid_t *__real_children_list(size_t *n);
pid_t *__wrap_children_list(size_t *n);
pid_t *__wrap_children_list(size_t *n)
{
	pid_t *list = __real_children_list(n);
	siginfo_t info;

	for (size_t i = 0; listed_end && i < *n; i++) {
		assert_int_equal(kill(list[i], SIGKILL), 0);
		assert_int_equal(waitid(P_PID, (id_t)list[i], &info, WEXITED | WNOWAIT), 0);
	}
	listed_end = listed_end && *n == 0;
	return list;
}

/* A child that has a child of its own, on which it waits; it ends when the pipe does. Returns when there are both. */
static pid_t start_two(const int held[2])
{
	int ready[2];
	char byte;
	pid_t pid;

	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		pid_t below = fork();

		close(held[1]);
		if (below == 0 && write(ready[1], "", 1) == 1)
			_exit((int)read(held[0], &byte, 1));
		(void)waitpid(below, NULL, 0);
		_exit(0);
	}
	assert_int_equal(read(ready[0], &byte, 1), 1);
	close(ready[0]);
	close(ready[1]);
	return pid;
}

/* One that has ended does not count, and what is below one that is left out is left out. */
static void all_that_run_below_us_are_listed(void **state)
{
	siginfo_t info;
	int held[2];
	pid_t two, ended;
	size_t n;

	(void)state;
	assert_int_equal(pipe(held), 0);
	two = start_two(held);
	ended = fork();
	if (ended == 0)
		_exit(0);
	assert_int_equal(waitid(P_PID, (id_t)ended, &info, WEXITED | WNOWAIT), 0);
	free(children_below(NULL, 0, &n));
	assert_int_equal(n, 2);
	free(children_below(&two, 1, &n));
	assert_int_equal(n, 0);
	close(held[1]);
	close(held[0]);
	assert_int_equal(waitpid(two, NULL, 0), two);
	assert_int_equal(waitpid(ended, NULL, 0), ended);
}

/* What ends between two looks leaves its own children to us: a look that finds only ended ones is not the last. */
static void the_children_of_an_orphan_are_ended(void **state)
{
	bool stop = false;
	struct side_run run;

	(void)state;
	listed_end = true;
	assert_int_equal(run_shell("(sleep 3600 & echo ready; wait) & until [ -s /proc/self/fd/1 ]; do :; done", NULL,
				 &stop, &run, NULL),
		0);
	assert_false(listed_end);
	assert_int_equal(run.status, 0);
	assert_int_equal(run.left, 1);
	side_run_free(&run);
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

/* ---- what it said ---- */

static void assert_said(const char *errors, const char *want)
{
	const struct side_run run = {.status = 3 << 8};
	const struct side_how how = {.errors = in_scratch("err")};
	char text[SIDE_END_BYTES], whole[SIDE_END_BYTES];

	put("err", errors);
	side_tell_end(&run, &how, text);
	snprintf(whole, sizeof(whole), "ended with status 3%s%s", *want ? "; it said: " : "", want);
	assert_string_equal(text, whole);
}

static void its_last_line_is_told(void **state)
{
	char text[5001], want[256];

	(void)state;
	assert_said("", "");
	assert_said(" \n\r\n\t", "");
	assert_said("one\ntwo", "two");
	assert_said("one\ntwo \r\n\n  \n", "two");
	assert_said("10 %\r20 %\r30 %", "30 %");
	assert_said("Error: no file\r\n", "Error: no file");
	/* The end of a line says what went wrong; no character is cut. */
	memset(text, 'x', 5000);
	memcpy(text + 4990, "not found\n", 11);
	memset(want, 'x', 255);
	memcpy(want, "...", 3);
	memcpy(want + 246, "not found", 10);
	assert_said(text, want);
	for (size_t i = 0; i < 150; i++)
		memcpy(text + 2 * i, "\xC3\xA4", 3);
	memcpy(text + 300, "!", 2);
	snprintf(want, sizeof(want), "...%.252s", text + 300 - 250);
	assert_said(text, want);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(steps_come_in_order),
		scratch_test(damaged_files_give_what_is_whole),
		scratch_test(what_is_lost_is_told),
		scratch_test(no_files_no_steps),
		scratch_test(outer_steps_stay),
		scratch_test(traced_steps_begin_with_the_recording),
		scratch_test(means_are_of_what_is_known),
		scratch_test(what_lies_between_steps_does_not_count),
		scratch_test(an_idle_gpu_does_not_count),
		scratch_test(its_last_line_is_told),
		scratch_test(the_environment_grows),
		scratch_test(nothing_starts_after_a_stop),
		scratch_test(a_signal_ends_the_run),
		scratch_test(all_that_run_below_us_are_listed),
		scratch_test(the_children_of_an_orphan_are_ended),
	};

	signal(SIGCHLD, SIG_DFL);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
