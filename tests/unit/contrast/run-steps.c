/* run-steps.c: by which measure the steps of all runs are told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>

#include "contrast/step/run-steps.h"

enum { MOST = 64, LENGTH = 150, PERIOD = 100, PAUSE = 5000 };

static struct side_step steps[2][MOST];
static struct measured_run runs[2];

/* A run without CUPTI whose steps begin before the last one has ended: `n`, with a pause behind each
 * `every`-th. */
static void make_run(size_t side, size_t n, size_t every, int pause)
{
	struct measured_run *run = &runs[side];

	*run = (struct measured_run){.side = side,
		.kind = SIDE_HOST,
		.gpu = -1,
		.times = no_step_times(),
		.placed = no_step_times(),
		.run = {.steps = steps[side], .nsteps = n}};
	for (size_t i = 0; i < n; i++) {
		int64_t at = (int64_t)(i * PERIOD + i / every * (size_t)pause);

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

static void assert_times(enum step_measure measure, double single, double other)
{
	struct measurement measured = chosen();

	assert_int_equal(measured.measure, measure);
	assert_true(fabs(runs[0].times.ns[measure] - single) < 1e-9);
	assert_true(fabs(runs[1].times.ns[measure] - other) < 1e-9);
}

/* The first step of each process does not count. One of 39 ways from step to step is a pause, or two of 40: neither
 * side has it in its periods. */
static void test_rare_pauses(void **state)
{
	(void)state;
	make_run(0, 41, 21, PAUSE);
	make_run(1, 42, 20, PAUSE);
	assert_times(STEP_PERIOD, PERIOD, PERIOD);
}

/* Beside one that pauses often both have them, however few the other one has, and however long it is. As many first
 * periods count of each. */
static void test_many_pauses(void **state)
{
	(void)state;
	make_run(0, 41, 21, PAUSE);
	make_run(1, 41, 10, PAUSE);
	assert_times(STEP_PERIOD_ALL, PERIOD + PAUSE / 39.0, PERIOD + 4 * PAUSE / 39.0);
	make_run(0, MOST, MOST, PAUSE);
	make_run(1, 41, 10, PAUSE);
	assert_times(STEP_PERIOD_ALL, PERIOD, PERIOD + 4 * PAUSE / 39.0);
}

/* What is no pause on one side is none on the other: here it is more than ten of the periods of the first alone. */
static void test_one_length_of_pauses(void **state)
{
	(void)state;
	make_run(0, 41, 21, 11 * PERIOD);
	make_run(1, 41, 21, 11 * PERIOD);
	for (int i = 0; i < 41; i++) {
		steps[1][i].start_ns += i * PERIOD;
		steps[1][i].end_ns += i * PERIOD + LENGTH;
	}
	run_steps_take(&runs[1]);
	assert_times(STEP_PERIOD, PERIOD + 11 * PERIOD / 39.0, 2 * PERIOD + 11 * PERIOD / 39.0);
}

/* ---- kernels ---- */

static struct launch_step grown[4][MOST];
static struct launches traced[4];
static struct measured_run traced_runs[4];
static size_t graphs[4]; /* of each run as it counts */

/* A traced run whose steps take `ns`, and each `more` than the one before. The first one is not steady. */
static void make_traced(size_t run, size_t side, size_t n, double ns, double more)
{
	traced[run] =
		(struct launches){.steps = grown[run], .nsteps = n, .nsteady = n - 1, .ngraphs = 1, .has_range = true};
	traced_runs[run] = (struct measured_run){.side = side,
		.kind = SIDE_TRACED,
		.gpu = -1,
		.times = no_step_times(),
		.placed = no_step_times(),
		.launches = &traced[run]};
	for (size_t i = 0; i < n; i++)
		grown[run][i] = (struct launch_step){.start = (int64_t)i * PERIOD,
			.end = (int64_t)i * PERIOD + PERIOD / 2,
			.thread = 1,
			.ns = ns + (double)i * more,
			.left_out = i == 0 ? LEFT_FIRST_STEP : LEFT_NOTHING};
}

/* In how many steps the kernels of each run count, and what these take. */
static void assert_kernels(size_t n, size_t nsides, const size_t *number, const double *ns)
{
	struct measurement out = {.runs = traced_runs, .nruns = n, .nsides = nsides};

	run_steps_choose(&out);
	for (size_t i = 0; i < n; i++) {
		const struct launches *counted = traced_runs[i].counted;

		assert_int_equal(counted->nsteady, number[i]);
		graphs[i] = counted->ngraphs;
		assert_true(fabs(launches_gpu_ns(counted) - ns[i]) < 1e-9);
		free(counted->steps);
		free(traced_runs[i].counted);
	}
}

/* The same program, only longer, takes the same time. */
static void test_kernels_of_first_steps(void **state)
{
	(void)state;
	make_traced(0, 0, 21, 100, 10);
	make_traced(1, 1, 41, 100, 10);
	assert_kernels(2, 2, (const size_t[]){20, 20}, (const double[]){205, 205});
	assert_int_equal(traced[1].nsteady, 40);
	assert_int_equal(graphs[0], 1);
	assert_int_equal(graphs[1], 0);
	/* A graph's time is of all steps, and is known where these are alike. */
	make_traced(0, 0, 21, 100, 0);
	make_traced(1, 1, 41, 100, 0);
	assert_kernels(2, 2, (const size_t[]){20, 20}, (const double[]){100, 100});
	assert_int_equal(graphs[1], 1);
	/* Alone it is held against none. */
	make_traced(0, 0, 21, 100, 10);
	make_traced(1, 0, 41, 100, 10);
	assert_kernels(2, 1, (const size_t[]){20, 40}, (const double[]){205, 305});
}

/* One run that is held up cuts no other one. */
static void test_kernels_of_most_runs(void **state)
{
	(void)state;
	make_traced(0, 0, 3, 100, 10);
	make_traced(1, 0, 21, 100, 10);
	make_traced(2, 0, 21, 100, 10);
	make_traced(3, 1, 41, 110, 11);
	assert_kernels(4, 2, (const size_t[]){2, 20, 20, 20}, (const double[]){115, 205, 205, 225.5});
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_rare_pauses),
		cmocka_unit_test(test_many_pauses),
		cmocka_unit_test(test_one_length_of_pauses),
		cmocka_unit_test(test_kernels_of_first_steps),
		cmocka_unit_test(test_kernels_of_most_runs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
