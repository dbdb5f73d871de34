/* doctor.c: trials in child processes that go wrong. No GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "util/clock.h"
#include "record/machine/doctor.h"

enum { LONG_MS = 20000, SHORT_MS = 300 };

static void answers(int device, struct trial *out)
{
	out->end = TRIAL_REFUSED;
	error_set(&out->text, "device %d says no", device);
}

static void talks(int device, struct trial *out)
{
	(void)device;
	printf("noise");
	fflush(stdout);
	out->end = TRIAL_WORKS;
}

/* No core file, and no handler of a sanitizer's. */
static void crashes(int device, struct trial *out)
{
	(void)device;
	(void)out;
	raise(SIGKILL);
}

static void gives_up(int device, struct trial *out)
{
	(void)out;
	_exit(device);
}

static void hangs(int device, struct trial *out)
{
	(void)device;
	(void)out;
	for (;;)
		pause();
}

static void a_result_comes_back_whole(void **state)
{
	struct trial trial;

	(void)state;
	trial_in_child(answers, 7, LONG_MS, &trial);
	assert_int_equal(trial.end, TRIAL_REFUSED);
	assert_string_equal(trial.text.text, "device 7 says no");
}

static void what_a_trial_prints_is_lost(void **state)
{
	char path[] = "/tmp/dbprof-unit-doctor.XXXXXX", text[16];
	int file = mkstemp(path), out = dup(STDOUT_FILENO);
	struct trial trial;
	ssize_t n;

	(void)state;
	assert_true(file >= 0 && out >= 0);
	unlink(path);
	fflush(stdout);
	dup2(file, STDOUT_FILENO);
	trial_in_child(talks, 0, LONG_MS, &trial);
	fflush(stdout);
	dup2(out, STDOUT_FILENO);
	n = pread(file, text, sizeof text, 0);
	close(file);
	close(out);
	assert_int_equal(trial.end, TRIAL_WORKS);
	assert_int_equal(n, 0);
}

static void a_crash_is_a_finding(void **state)
{
	struct trial trial;

	(void)state;
	trial_in_child(crashes, 0, LONG_MS, &trial);
	assert_int_equal(trial.end, TRIAL_BROKEN);
	assert_non_null(strstr(trial.text.text, "killed by signal 9"));
	trial_in_child(gives_up, 3, LONG_MS, &trial);
	assert_int_equal(trial.end, TRIAL_BROKEN);
	assert_non_null(strstr(trial.text.text, "exit status 3"));
}

static void a_trial_that_hangs_is_ended(void **state)
{
	int64_t begin = clock_monotonic();
	struct trial trial;

	(void)state;
	trial_in_child(hangs, 0, SHORT_MS, &trial);
	assert_int_equal(trial.end, TRIAL_BROKEN);
	assert_string_equal(trial.text.text, "the trial did not end within 0.3 s");
	assert_true(clock_monotonic() - begin < (int64_t)LONG_MS * 1000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_result_comes_back_whole),
		cmocka_unit_test(what_a_trial_prints_is_lost),
		cmocka_unit_test(a_crash_is_a_finding),
		cmocka_unit_test(a_trial_that_hangs_is_ended),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
