/* curves-plan.c: in which steps a program is sampled over time, and how closely. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "contrast/pm/curves-plan.h"

enum { SETS = 3, STEPS = 100 };

static size_t steady[STEPS];
static uint64_t planned[SETS];

/* A program with steps of `ns` that are steady from number `first` to `last`; that of the page is number `shown`. */
static struct count_curves plan_for(int64_t ns, size_t first, size_t last, size_t shown)
{
	struct step_calls step = {.to = ns, .steady = steady, .number = shown, .device = 1};
	struct count_curves curves = {.steps = planned};

	for (size_t i = first; i <= last; i++)
		steady[step.nsteady++] = i;
	curves_plan(&step, true, SETS, &curves);
	return curves;
}

static void steps_begin_with_the_one_on_the_page(void **state)
{
	const struct count_curves curves = plan_for(10000000, 1, 80, 20);

	(void)state;
	assert_int_equal(curves.device, 1);
	assert_int_equal(curves.warm, 2);
	assert_int_equal(curves.nsteps, SETS);
	assert_true(planned[0] == 20 && planned[1] == 23 && planned[2] == 26);
}

static void the_end_of_a_run_is_near(void **state)
{
	const struct count_curves curves = plan_for(10000000, 1, 24, 24);

	(void)state;
	assert_int_equal(curves.nsteps, SETS);
	assert_true(planned[2] <= 24);
	/* Behind the last set there is room for the other tries of all, one step in three, as far as the run goes. */
	assert_true(planned[0] == 3 && planned[1] == 6 && planned[2] == 9);
}

static void tries_have_room(void **state)
{
	const struct count_curves curves = plan_for(10000000, 1, 80, 79);

	(void)state;
	assert_int_equal(curves.nsteps, SETS);
	/* Nine tries take 25 steps. */
	assert_true(planned[0] == 56 && planned[1] == 59 && planned[2] == 62);
}

/* Fewer are left out in between, so that all sets have a step. */
static void short_steps_are_few(void **state)
{
	const struct count_curves curves = plan_for(100000, 1, 40, 1);

	(void)state;
	assert_int_equal(curves.nsteps, SETS);
	assert_true(curves.warm >= 1 && curves.warm <= planned[0]);
	assert_true(planned[2] <= 40 && planned[1] > planned[0] + 1 && planned[2] > planned[1] + 1);
}

static void not_all_sets_have_room(void **state)
{
	(void)state;
	assert_int_equal(plan_for(10000000, 2, 4, 4).nsteps, 2);
	assert_true(planned[0] == 2 && planned[1] == 4);
	/* The first step of all: there is none before in which to set up. */
	assert_int_equal(plan_for(10000000, 0, 0, 0).nsteps, 1);
	assert_int_equal(plan_for(10000000, 0, 0, 0).warm, 0);
	assert_int_equal(plan_for(10000000, 1, 0, 0).nsteps, 0);
}

static void samples_are_bounded(void **state)
{
	struct step_calls run = {.kernels_from = 5, .kernels_to = 3000000005, .to = 9000000000};
	struct count_curves curves = plan_for(84000, 1, 2, 1);

	(void)state;
	assert_true(curves.interval_ns == 1000 && curves.samples == 85);
	curves = plan_for(2000001, 1, 2, 1);
	assert_true(curves.interval_ns == 2000 && curves.samples <= CURVE_SAMPLES);
	/* Without a range the time from the first kernel to the last matters, and a second of it. */
	curves_plan(&run, false, SETS, &curves);
	assert_int_equal(curves.nsteps, 0);
	assert_int_equal(curves.interval_ns, 500000);
	assert_int_equal(curves.most_ns, 2000000000);
	run.kernels_to = 1005;
	curves_plan(&run, false, SETS, &curves);
	assert_true(curves.interval_ns == 1000 && curves.most_ns == 50000000);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(steps_begin_with_the_one_on_the_page),
		cmocka_unit_test(the_end_of_a_run_is_near),
		cmocka_unit_test(tries_have_room),
		cmocka_unit_test(short_steps_are_few),
		cmocka_unit_test(not_all_sets_have_room),
		cmocka_unit_test(samples_are_bounded),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
