/* pace.c: how fast the steps of a run follow each other, and by which measure their time is told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <string.h>

#include "contrast/step/pace.h"

enum { MOST = 64 };

static struct paced_step steps[MOST];
static size_t nsteps;

static void step_at(int process, int start, int length, int lag, bool is_steady)
{
	steps[nsteps++] = (struct paced_step){
		.process = process, .start = start, .end = start + length, .lag = lag, .is_steady = is_steady};
}

static struct step_pace paced(void)
{
	struct step_pace pace;

	steps_pace(steps, nsteps, PAUSE_UNKNOWN, &pace);
	nsteps = 0;
	return pace;
}

/* Steps of 100 that begin every 60. */
static void test_overlap(void **state)
{
	struct step_pace pace;

	(void)state;
	for (int i = 0; i < 10; i++)
		step_at(1, 60 * i, 100, 50, i > 0);
	pace = paced();
	assert_true(pace.overlap);
	assert_int_equal(pace.by[STEP_PERIOD].periods, 8);
	assert_int_equal(pace.by[STEP_PERIOD].ns, 8 * 60);
	assert_int_equal(pace.by[STEP_PERIOD].lag_change, 0);
	assert_int_equal(steps[0].host_ns[STEP_PERIOD], NO_TIME);
	assert_int_equal(steps[1].host_ns[STEP_PERIOD], 60);
	assert_int_equal(steps[9].host_ns[STEP_PERIOD], NO_TIME);
}

/* Steps of two processes do not overlap each other, and each process has periods of its own. */
static void test_processes(void **state)
{
	struct step_pace pace;

	(void)state;
	for (int i = 0; i < 10; i++)
		step_at(i % 2, 50 * i, 90, 0, true);
	pace = paced();
	assert_false(pace.overlap);
	assert_int_equal(pace.by[STEP_PERIOD].periods, 8);
	assert_int_equal(pace.by[STEP_PERIOD].ns, 8 * 100);
}

/* A pause is no period, unless pauses count. */
static void test_pauses(void **state)
{
	struct step_pace pace;

	(void)state;
	for (int i = 0; i < 40; i++)
		step_at(1, 100 * i + (i > 19 ? 100000 : 0), 150, 50, true);
	pace = paced();
	assert_true(pace.usual_ns == 100 && pace.pause_share == 1 / 39.0);
	assert_int_equal(pace.by[STEP_PERIOD].periods, 38);
	assert_int_equal(pace.by[STEP_PERIOD].ns, 38 * 100);
	assert_int_equal(steps[19].host_ns[STEP_PERIOD], NO_TIME);
	assert_int_equal(pace.by[STEP_PERIOD_ALL].periods, 39);
	assert_int_equal(pace.by[STEP_PERIOD_ALL].ns, 39 * 100 + 100000);
	assert_int_equal(steps[19].host_ns[STEP_PERIOD_ALL], 100100);
	assert_int_equal(steps[19].host_ns[STEP_DURATION], 150);
	assert_int_equal(pace.by[STEP_DURATION].periods, 0);
	/* What is a pause may be told, and then it is longer than that. */
	for (int i = 0; i < 40; i++)
		step_at(1, 100 * i + (i > 19 ? 100000 : 0), 150, 50, true);
	steps_pace(steps, nsteps, 100100, &pace);
	assert_true(pace.pause_share == 0 && pace.by[STEP_PERIOD].periods == 39);
	steps_pace(steps, nsteps, 100099, &pace);
	nsteps = 0;
	assert_true(pace.pause_share == 1 / 39.0 && pace.by[STEP_PERIOD].periods == 38);
	/* A process of few steps that pauses does not tell what is usual, and its pause is none for itself alone. */
	for (int i = 0; i < 40; i++)
		step_at(1, 100 * i + (i > 19 ? 100000 : 0), 150, 50, true);
	for (int i = 0; i < 3; i++)
		step_at(2, 50000 * i, 150, 50, true);
	pace = paced();
	assert_true(pace.usual_ns == 100 && pace.pause_share == 1 / 41.0);
	assert_int_equal(pace.by[STEP_PERIOD].periods, 38 + 2);
	assert_true(isnan(paced().usual_ns));
}

/* A step that does not count parts the row: neither the way to it nor the way from it is a period. */
static void test_others_between(void **state)
{
	struct step_pace pace;

	(void)state;
	for (int i = 0; i < 9; i++)
		step_at(1, 100 * i + (i > 4 ? 1000 : 0), 90, 0, i != 4);
	pace = paced();
	assert_int_equal(pace.by[STEP_PERIOD].periods, 6);
	assert_int_equal(pace.by[STEP_PERIOD].ns, 600);
	assert_int_equal(steps[3].host_ns[STEP_PERIOD], NO_TIME);
	assert_int_equal(steps[4].host_ns[STEP_PERIOD], NO_TIME);
}

/* While a pipeline of three buffers is filled its steps are short, and the GPU falls behind. */
static void test_filling(void **state)
{
	struct step_pace pace;
	int at = 0;

	(void)state;
	for (int i = 0; i < 24; i++) {
		step_at(1, at, 10, i < 3 ? 90 * i : 270 + i % 2, true);
		at += i < 3 ? 10 : 100;
	}
	pace = paced();
	assert_int_equal(steps[2].host_ns[STEP_PERIOD], NO_TIME);
	assert_int_equal(pace.by[STEP_PERIOD].ns, 100 * (int64_t)pace.by[STEP_PERIOD].periods);
	assert_true(pace.by[STEP_PERIOD].periods >= 18);
	assert_true(pace_lag_share(&pace.by[STEP_PERIOD]) <= 0.001);
}

/* Two buffers that are not alike: what lies between like ones counts. */
static void test_by_turns(void **state)
{
	struct step_pace pace;

	(void)state;
	for (int i = 0; i < 20; i++)
		step_at(1, 100 * i, 10, i % 2 ? 80 : 20, true);
	pace = paced();
	assert_int_equal(pace.by[STEP_PERIOD].lag_change, 0);
	assert_true(pace.by[STEP_PERIOD].periods >= 16);
}

/* Who only asks for work leaves the GPU ever further behind. */
static void test_submission(void **state)
{
	struct step_pace pace;

	(void)state;
	for (int i = 0; i < 40; i++)
		step_at(1, 100 * i, 10, 2 * i, true);
	pace = paced();
	assert_true(fabs(pace_lag_share(&pace.by[STEP_PERIOD]) - 0.02) < 1e-9);
	step_at(1, 0, 10, 0, true);
	pace = paced();
	assert_int_equal(pace.by[STEP_PERIOD].periods, 0);
	assert_true(isnan(pace_lag_share(&pace.by[STEP_PERIOD])));
}

/* Pauses count where they are more than one in twenty ways of any side, whatever the others have; and by most runs. */
static void test_periods_with_pauses(void **state)
{
	struct paced_run run[] = {{.side = 0, .pace = {.usual_ns = 100, .pause_share = 0.02}},
		{.side = 1, .pace = {.usual_ns = 10, .pause_share = 0.05}},
		{.side = 1, .pace = {.usual_ns = 11, .pause_share = 0.04}},
		{.side = 1, .pace = {.usual_ns = 90, .pause_share = 0.2}},
		{.side = 2, .pace = {.usual_ns = NAN, .pause_share = NAN}}};

	(void)state;
	assert_true(pause_of_runs(run, 5, 3) == 1000);
	assert_true(isnan(pause_of_runs(run + 4, 1, 3)));
	assert_int_equal(periods_of(run, 5, 3), STEP_PERIOD);
	run[1].pace.pause_share = 0.06;
	assert_int_equal(periods_of(run, 5, 3), STEP_PERIOD_ALL);
	assert_int_equal(periods_of(run, 0, 3), STEP_PERIOD);
	assert_int_equal(step_period_beside(STEP_DURATION), STEP_PERIOD);
	assert_int_equal(step_period_beside(STEP_PERIOD_ALL), STEP_PERIOD_ALL);
}

/* A tail without pauses is not left out for jitter of the lag: what is left out makes them weigh more. */
static void test_jitter_at_the_end(void **state)
{
	struct step_pace pace;

	(void)state;
	for (int i = 0; i < 40; i++)
		step_at(1, 10000 * i + i / 10 * 200000, 15000, i == 32 ? 5000 : 5000 + i % 7, true);
	pace = paced();
	assert_int_equal(pace.by[STEP_PERIOD_ALL].periods, 39);
	assert_int_equal(pace.by[STEP_PERIOD_ALL].ns, 39 * 10000 + 3 * 200000);
}

/* A letter for each run: e ends with its work done, f flows and keeps pace, s only asks for work, n has no period;
 * capital letters are runs without CUPTI. Sides are parted by '|'. */
static bool by_period(const char *runs)
{
	struct paced_run run[MOST];
	size_t n = 0, side = 0;

	for (; *runs; runs++) {
		char kind = (char)(*runs | 0x20);

		if (*runs == '|') {
			side++;
			continue;
		}
		run[n++] = (struct paced_run){.side = side,
			.traced = kind == *runs,
			.ends = kind == 'e',
			.pace.by[STEP_PERIOD] = {.periods = kind == 'n' ? 0 : 10,
				.ns = kind == 'n' ? 0 : 1000,
				.lag_change = kind == 's' ? 1000 : 0}};
	}
	return step_measure_of(run, n, side + 1) == STEP_PERIOD;
}

static void test_measure(void **state)
{
	(void)state;
	assert_false(by_period("Ee|Ee"));
	assert_true(by_period("Ee|Ef"));
	assert_true(by_period("Fe|Ee"));
	assert_true(by_period("fff|eee"));
	assert_false(by_period("eef|eee"));
	assert_false(by_period("Es|Ee"));
	assert_true(by_period("Es|Ef"));
	assert_true(by_period("Ee|Es|Ef"));
	assert_false(by_period("Ef|En"));
	assert_false(by_period("N|F"));
	/* One run of many may be odd. */
	assert_true(by_period("Eee|Fffn"));
	assert_false(by_period("Eee|Ffnn"));
	assert_true(by_period("E|F"));
	assert_string_equal(step_measure_word(STEP_PERIOD), "period");
	assert_string_equal(step_measure_word(STEP_PERIOD_ALL), "period with pauses");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_processes),
		cmocka_unit_test(test_pauses),
		cmocka_unit_test(test_others_between),
		cmocka_unit_test(test_filling),
		cmocka_unit_test(test_by_turns),
		cmocka_unit_test(test_submission),
		cmocka_unit_test(test_periods_with_pauses),
		cmocka_unit_test(test_jitter_at_the_end),
		cmocka_unit_test(test_measure),
	};

	return cmocka_run_group_tests_name("contrast/pace", tests, NULL, NULL);
}
