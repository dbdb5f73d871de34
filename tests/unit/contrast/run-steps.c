/* run-steps.c: by which measure the steps of all runs are told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "contrast/step/run-steps.h"

enum { MOST = 64, LENGTH = 150, PERIOD = 100, PAUSE = 5000 };

static struct side_step steps[2][MOST];
static struct measured_run runs[2];

/* A run without CUPTI whose steps begin before the last one has ended: `n`, with a pause of PAUSE behind each
 * `every`-th. */
static void make_run(size_t side, size_t n, size_t every)
{
	struct measured_run *run = &runs[side];

	*run = (struct measured_run){.side = side,
		.kind = SIDE_HOST,
		.gpu = -1,
		.times = no_step_times(),
		.placed = no_step_times(),
		.run = {.steps = steps[side], .nsteps = n}};
	for (size_t i = 0; i < n; i++) {
		int64_t at = (int64_t)(i * PERIOD + i / every * PAUSE);

		steps[side][i] = (struct side_step){at, at + LENGTH, 1, 1};
	}
	run_steps_take(run);
}

static struct measurement chosen(void)
{
	struct measurement out = {.runs = runs, .nruns = 2, .nsides = 2};

	run_steps_choose(&out);
	return out;
}

/* One of 39 ways from step to step is a pause, or two of 40: neither side has it in its periods. The first step of each
 * process does not count. */
static void test_rare_pauses(void **state)
{
	struct measurement measured;

	(void)state;
	make_run(0, 41, 21);
	make_run(1, 42, 20);
	measured = chosen();
	assert_int_equal(measured.measure, STEP_PERIOD);
	assert_int_equal(measured.periods, STEP_PERIOD);
	for (int side = 0; side < 2; side++)
		assert_true(runs[side].times.ns[measured.measure] == PERIOD);
}

/* The same side beside one that pauses often: both have them. As many first periods count of each. */
static void test_many_pauses(void **state)
{
	struct measurement measured;

	(void)state;
	make_run(0, 41, 21);
	make_run(1, 41, 10);
	measured = chosen();
	assert_int_equal(measured.measure, STEP_PERIOD_ALL);
	assert_int_equal(measured.periods, STEP_PERIOD_ALL);
	assert_true(runs[0].times.ns[measured.measure] == PERIOD + PAUSE / 39.0);
	assert_true(runs[1].times.ns[measured.measure] == PERIOD + 4 * PAUSE / 39.0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rare_pauses),
		cmocka_unit_test(test_many_pauses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
