/* process.c: processes: what a worker leaves, how one is started, stopped and listened to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "record/worker/process.h"
#include "record/worker/result.h"

/* ---- what a worker leaves ---- */

static void test_result(void **state)
{
	char folder[] = "/tmp/dbprof-unit-XXXXXX", spool[64], path[80];
	char label[8];
	int done = -1, total = -1;
	struct result result;
	struct error err = {0};
	FILE *file;

	(void)state;
	assert_non_null(mkdtemp(folder));
	snprintf(spool, sizeof spool, "%s/spool", folder);
	snprintf(path, sizeof path, "%s.result", spool);

	assert_int_equal(result_read(spool, &result, &err), 0); /* the worker died at once */
	assert_null(result.status);
	assert_null(result_last_at(&result));
	assert_false(result_last_step(&result, label, sizeof label, &done, &total));
	assert_false(result_is_right(&result, "scan", "single", "small"));
	result_free(&result);

	file = result_create(spool, &err);
	assert_non_null(file);
	result_at(file, "scan/single, case small");
	result_step(file, "small", 0, 12);
	result_step(file, "n-block-64-256", 7, 12);
	result_right(file, "scan", "single", "small");
	result_at(file, "scan/double, case small");
	result_fact(file, "cupti", "130001");
	assert_int_equal(result_finish(file, "failed", "it is wrong: 1 instead of 2", &err), 0);
	assert_int_equal(result_read(spool, &result, &err), 0);
	assert_string_equal(result.status, "failed");
	assert_string_equal(result.reason, "it is wrong: 1 instead of 2");
	assert_true(result_is_right(&result, "scan", "single", "small"));
	assert_false(result_is_right(&result, "scan", "single", "smal"));
	assert_false(result_is_right(&result, "scan", "double", "small"));
	assert_string_equal(result_last_at(&result), "scan/double, case small");
	assert_string_equal(result_fact_value(&result, "cupti"), "130001");
	assert_false(result_has_swept(&result)); /* a point that is under way is not done */
	assert_true(result_last_step(&result, label, sizeof label, &done, &total));
	assert_string_equal(label, "n-block"); /* cut to the room there is */
	assert_int_equal(done, 7);
	assert_int_equal(total, 12);
	assert_null(result_fact_value(&result, "cup"));
	result_free(&result);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(folder), 0);
}

/* ---- processes ---- */

static bool never(void *user)
{
	(void)user;
	return false;
}

static bool at_third_question(void *user)
{
	return ++*(int *)user == 3;
}

static void run_shell(const char *script, int timeout_s, bool (*stop)(void *), struct process_end *end)
{
	char shell[] = "/bin/sh", dash_c[] = "-c", text[128];
	char *argv[] = {shell, dash_c, text, NULL};
	struct error err = {0};
	int asked = 0;

	snprintf(text, sizeof text, "%s", script);
	assert_int_equal(process_run(shell, argv, 1000 * timeout_s, stop, &asked, end, &err), 0);
}

/* Stopped once its time is over, and it has said these words by then: on a busy machine it gets to that later. */
static void run_until_stopped(const char *script, const char *words, struct process_end *end)
{
	for (int seconds = 1; seconds < 1000; seconds *= 4) {
		run_shell(script, seconds, never, end);
		assert_true(end->timed_out);
		if (strcmp(end->words, words) == 0)
			return;
	}
	fail_msg("'%s' instead of '%s'", end->words, words);
}

static void assert_end(const char *script, const char *expected)
{
	struct process_end end;
	char how[128];

	run_shell(script, 600, never, &end);
	assert_false(end.stopped);
	assert_false(end.timed_out);
	process_describe(end.status, how, sizeof how);
	assert_string_equal(how, expected);
}

static void test_process(void **state)
{
	char missing[] = "/nonexistent/dbprof", *argv[] = {missing, NULL};
	struct process_end end;
	struct error err = {0};

	(void)state;
	assert_end("exit 3", "ended with exit status 3");
	assert_end("kill -SEGV $$", "was killed by signal 11 (Segmentation fault)");

	run_shell("exec sleep 5000", 1, never, &end);
	assert_true(end.timed_out);
	assert_int_equal(WTERMSIG(end.status), SIGTERM);

	run_shell("exec sleep 5000", 600, at_third_question, &end);
	assert_true(end.stopped);
	assert_true(WIFSIGNALED(end.status));

	/* One that does not listen is killed. */
	run_until_stopped("trap '' TERM; echo deaf >&3; while :; do sleep 0.1; done", "deaf\n", &end);
	assert_int_equal(WTERMSIG(end.status), SIGKILL);

	assert_int_equal(process_run(missing, argv, 5000, never, NULL, &end, &err), -1);
	assert_string_equal(err.text, "cannot start /nonexistent/dbprof as a worker");
}

/* What a program says on the descriptor that it finds, at once and late, and more than there is room for. */
static void test_process_words(void **state)
{
	struct process_end end;

	(void)state;
	run_shell("exit 0", 600, never, &end);
	assert_string_equal(end.words, "");
	run_shell("echo first >&3; sleep 0.2; echo last >&3; exit 2", 600, never, &end);
	assert_string_equal(end.words, "first\nlast\n");
	assert_int_equal(WEXITSTATUS(end.status), 2);
	run_shell("yes | head -c 5000 >&3", 600, never, &end);
	assert_int_equal(strlen(end.words), sizeof end.words - 1);
	run_until_stopped("echo before >&3; exec sleep 5000", "before\n", &end);
}

/* A signal that cmocka does not catch. */
static void crash(void *user)
{
	(void)user;
	raise(SIGKILL);
}

static void wait_long(void *user)
{
	(void)user;
	sleep(20);
}

static void write_shared(void *user)
{
	*(int *)user = 42;
}

static void test_process_call(void **state)
{
	/* cppcheck-suppress invalidFunctionArg ; -1 is what anonymous memory asks for */
	int *shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	struct process_end end;
	struct error err = {0};

	(void)state;
	assert_true(shared != MAP_FAILED);
	assert_int_equal(process_call(write_shared, shared, 600000, &end, &err), 0);
	assert_true(WIFEXITED(end.status) && WEXITSTATUS(end.status) == 0);
	assert_int_equal(*shared, 42);
	munmap(shared, sizeof *shared);

	assert_int_equal(process_call(crash, NULL, 600000, &end, &err), 0);
	assert_true(WIFSIGNALED(end.status) && WTERMSIG(end.status) == SIGKILL);
	assert_false(end.timed_out);

	assert_int_equal(process_call(wait_long, NULL, 1000, &end, &err), 0);
	assert_true(end.timed_out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_result),
		cmocka_unit_test(test_process),
		cmocka_unit_test(test_process_words),
		cmocka_unit_test(test_process_call),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
