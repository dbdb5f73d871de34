/* launch-found.c: what is told where a range or a kernel is not found, where it is elsewhere, and where records are
 * missing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdbool.h>

#include "fixtures/launches-fixture.h"

static void test_range_not_found(void **state)
{
	struct recording *rec;

	(void)state;
	run_write_four_steps();
	assert_string_equal(run_refused("run.sqlite", "Step", NULL), "no NVTX range is called 'Step'; it has 'step'");
	rec = run_begin("none.sqlite");
	run_launch(rec, 1, "a", 1, 10, 10, "");
	run_end(rec);
	assert_string_equal(run_refused("none.sqlite", "step", NULL),
		"no NVTX range is called 'step'; the recording has no NVTX ranges");
	rec = run_begin("wide.sqlite");
	run_launch(rec, 1, "a", 1, 10, 10, "");
	run_row(rec, "TRACEDPROCESS pid=1 finished=1 wideRanges=3");
	run_row(rec, "TRACEDPROCESS pid=2 finished=0");
	run_row(rec, "TRACEDPROCESS pid=3 finished=1 wideRanges=4");
	run_row(rec, "TRACEDPROCESS pid=4 finished=1 wideRanges=-9");
	run_end(rec);
	assert_string_equal(run_refused("wide.sqlite", "step", NULL),
		"no NVTX range is called 'step'; it has 7 with names in wide characters (nvtxRangePushW), "
		"which CUPTI does not record");
	rec = run_begin("many.sqlite");
	run_launch(rec, 1, "a", 1, 10, 10, "");
	for (int i = 0; i < 9; i++) {
		char name[16];

		snprintf(name, sizeof(name), "r%d", i / 2 + 1);
		run_range(rec, name, i, i + 1);
	}
	run_range(rec, "r6", 10, 11);
	run_row(rec, "NVTX start=1 eventType=34 text=mark globalTid=" THREAD);
	run_row(rec, "NVTX start=1 eventType=59 text=open globalTid=" THREAD);
	run_end(rec);
	assert_string_equal(run_refused("many.sqlite", "step", NULL),
		"no NVTX range is called 'step'; it has 'r1', 'r2', 'r3', 'r4', 'r5' and others");
	assert_string_equal(run_refused("many.sqlite", "open", NULL), "no NVTX range 'open' was ever closed");
	assert_string_equal(run_refused("many.sqlite", "r6", NULL),
		"no kernel was launched in a range 'r6': 1 outside of it, 0 in "
		"it by other threads, 0 by unknown calls");
	assert_non_null(strstr(run_refused("missing.sqlite", "r6", NULL), "missing.sqlite"));
}

/* A recording has another character in the place of what is no text, and it is found all the same. */
static void test_a_range_that_is_no_text(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	run_range(rec, "st\xff\x01p", 100, 200);
	run_launch(rec, 1, "a", 110, 120, 5, "");
	run_end(rec);
	run = run_load("run.sqlite", "st\xff\x01p", NULL);
	assert_int_equal(run.nsteps, 1);
	launches_release(&run);
}

static void test_no_kernel(void **state)
{
	struct recording *rec = run_begin("run.sqlite");

	(void)state;
	run_range(rec, "step", 0, 10);
	run_row(rec, "MEMCPY start=140 end=150 deviceId=0 correlationId=2 globalPid=" PROCESS " bytes=4");
	run_end(rec);
	assert_string_equal(run_refused("run.sqlite", "step", NULL), "the program ran no kernel");
	assert_string_equal(run_refused("run.sqlite", NULL, NULL), "the program ran no kernel");
}

static bool refused_as_unlaunched(const char *range, const char *kernel)
{
	const struct launches_options options = {.range = range, .kernel = kernel};
	struct launches run;
	struct error err;

	assert_int_equal(launches_load(in_scratch("run.sqlite"), &options, &run, &err), -1);
	return run.unlaunched;
}

/* Records that are missing may be why steps have no kernel, or there is no range; not why no kernel has a name. */
static void test_unlaunched(void **state)
{
	struct recording *rec = run_begin("run.sqlite");

	(void)state;
	run_range(rec, "step", 0, 10);
	run_end(rec);
	assert_true(refused_as_unlaunched("step", NULL));
	rec = run_begin("run.sqlite");
	run_range(rec, "empty", 0, 10);
	run_range(rec, "step", 100, 200);
	run_launch(rec, 1, "b", 50, 60, 5, "");
	run_launch(rec, 2, "a", 110, 120, 5, "");
	run_end(rec);
	assert_true(refused_as_unlaunched("empty", NULL));
	assert_true(refused_as_unlaunched("empty", "^a"));
	assert_false(refused_as_unlaunched("step", "^b"));
	assert_false(refused_as_unlaunched("step", "c+"));
	assert_true(refused_as_unlaunched("stop", NULL));
}

static void test_losses(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	run_launch(rec, 1, "a", 1, 10, 10, "");
	run_row(rec, "TRACEDPROCESS pid=1 finished=1 dropped=3 untimed=2");
	run_row(rec, "TRACEDPROCESS pid=2 finished=0 dropped=-7");
	run_end(rec);
	run = run_load("run.sqlite", NULL, NULL);
	assert_int_equal(run.lost, 5);
	assert_int_equal(run.unfinished, 1);
	assert_int_equal(launches_lack(&run), LACK_SOME);
	launches_release(&run);
}

/* What a run with `steps` steps of process 1 lacks, by a row that it has `times` times. */
static enum run_lack lack_of_rows(int steps, const char *row, int times)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;
	enum run_lack lack;

	for (int i = 0; i < steps; i++)
		run_write_step(rec, 1000 * (i + 1), 10 * (i + 1));
	for (int i = 0; i < times; i++)
		run_row(rec, "%s", row);
	run_end(rec);
	run = run_load("run.sqlite", "step", NULL);
	lack = launches_lack(&run);
	launches_release(&run);
	return lack;
}

static enum run_lack lack_of(int steps, const char *row)
{
	return lack_of_rows(steps, row, 1);
}

/* Each steady step of a process may lack the same kernel if as many records are lost. The first one does not count. */
static void test_losses_of_steps(void **state)
{
	(void)state;
	assert_int_equal(lack_of(4, "TRACEDPROCESS pid=1 finished=1"), LACK_NOTHING);
	assert_int_equal(lack_of(4, "TRACEDPROCESS pid=1 finished=1 dropped=2"), LACK_SOME);
	assert_int_equal(lack_of(4, "TRACEDPROCESS pid=1 finished=1 dropped=2 untimed=1"), LACK_OF_EACH_STEP);
	assert_int_equal(lack_of(4, "TRACEDPROCESS pid=2 finished=1 dropped=9"), LACK_SOME);
	assert_int_equal(lack_of(4, "TRACEDPROCESS pid=1 finished=0"), LACK_SOME);
	assert_int_equal(lack_of(4, "DIAGNOSTIC severity=2 text=\"Not all CUDA events might have been collected.\""),
		LACK_PERHAPS);
	assert_int_equal(lack_of(4, "DIAGNOSTIC severity=2 text=\"Not all NVTX events might have been collected.\""),
		LACK_NOTHING);
}

#define UNTIMED(process)                                                                                               \
	"KERNEL start=0 end=0 deviceId=0 correlationId=990 globalPid=" process " shortName=lost demangledName=lost"

/* A kernel without usable times is missing like one that CUPTI lost. It may be of each process if it names none. */
static void test_untimed(void **state)
{
	static const char *const rows[] = {UNTIMED(PROCESS), UNTIMED("0"), UNTIMED("33554432")};
	static const enum run_lack lacks[] = {LACK_OF_EACH_STEP, LACK_OF_EACH_STEP, LACK_SOME};
	static const char copy[] = "MEMCPY start=5 end=2 deviceId=0 correlationId=990 globalPid=" PROCESS " bytes=4";

	(void)state;
	assert_int_equal(lack_of_rows(4, copy, 3), LACK_NOTHING);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		assert_int_equal(lack_of_rows(4, rows[i], 2), LACK_SOME);
		assert_int_equal(lack_of_rows(4, rows[i], 3), lacks[i]);
	}
}

/* Only kernels that are chosen are missing, and a name that has no times is no unknown one. */
static void test_untimed_and_chosen(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	run_launch(rec, 1, "a", 1, 10, 10, "");
	run_row(rec, UNTIMED(PROCESS));
	run_end(rec);
	run = run_load("run.sqlite", NULL, "^a");
	assert_int_equal(launches_lack(&run), LACK_NOTHING);
	launches_release(&run);
	run = run_load("run.sqlite", NULL, NULL);
	assert_int_equal(launches_lack(&run), LACK_SOME);
	assert_int_equal(run.unusable, 1);
	launches_release(&run);
	assert_string_equal(
		run_refused("run.sqlite", NULL, "lost"), "the kernels whose names match 'lost' have no usable times");
	rec = run_begin("run.sqlite");
	run_row(rec, UNTIMED(PROCESS));
	run_end(rec);
	assert_string_equal(run_refused("run.sqlite", NULL, NULL), "no kernel of the program has usable times");
}

/* What other steps launch, and what is launched outside of steps. */
static void test_elsewhere(void **state)
{
	struct recording *rec = run_begin("run.sqlite");
	struct launches run;

	(void)state;
	for (int i = 0; i < 4; i++)
		run_write_step(rec, 1000 * (i + 1), 10 * (i + 1));
	run_range(rec, "step", 8000, 8100);
	run_launch(rec, 80, "other", 8010, 8020, 5, "");
	run_launch(rec, 90, "outside", 9010, 9020, 5, "");
	run_end(rec);
	run = run_load("run.sqlite", "step", NULL);
	assert_true(launches_elsewhere(&run, "other"));
	assert_true(launches_elsewhere(&run, "outside"));
	assert_true(launches_elsewhere(&run, "a")); /* in the first step */
	assert_false(launches_elsewhere(&run, "c"));
	launches_release(&run);
	run = run_load("run.sqlite", NULL, NULL);
	assert_false(launches_elsewhere(&run, "outside"));
	launches_release(&run);
	run = run_load("run.sqlite", "step", "^[ab]$");
	assert_false(launches_elsewhere(&run, "outside"));
	launches_release(&run);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_range_not_found),
		scratch_test(test_a_range_that_is_no_text),
		scratch_test(test_no_kernel),
		scratch_test(test_unlaunched),
		scratch_test(test_losses),
		scratch_test(test_losses_of_steps),
		scratch_test(test_untimed),
		scratch_test(test_untimed_and_chosen),
		scratch_test(test_elsewhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
