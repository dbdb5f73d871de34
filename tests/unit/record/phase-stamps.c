/* phase-stamps.c: what the time stamps of a block say, by hand-made stamps. No GPU. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/pass/phase-stamps.h"

static int no_steps(const void *state)
{
	(void)state;
	return 0;
}

static const struct phase_plan plan = {"l", "wc", "s", no_steps, NULL};

enum { WARPS = 2, STEPS = 2, PHASES = 6, BARRIER = 5 }; /* BARRIER: cycles that it takes behind the last warp */

/* Two warps, two steps: l w c w c s, of which the waits have no stamp. The second warp begins first. */
static const uint32_t stamps[WARPS][5] = {
	{110, 150, 200, 300, 330},
	{100, 140, 230, 290, 340},
};
static const struct phase_block block = {&stamps[0][0], WARPS, 5};

static void a_plan_has_a_length(void **state)
{
	(void)state;
	assert_int_equal(phase_plan_length(&plan, 2), 6);
	assert_int_equal(phase_plan_length(&plan, 0), 2);
	assert_int_equal(phase_plan_stamps(&plan, 2), 5);
	assert_int_equal(phase_plan_stamps(&plan, 0), 3);
}

static void check_kept(int steps, unsigned room, unsigned phases, int want)
{
	int kept;

	assert_int_equal(phase_plan_kept(&plan, steps, room, &kept), phases);
	assert_int_equal(kept, want);
}

/* Ten steps: l, ten times wc, s are 22 phases. */
static void what_does_not_fit_ends_after_a_whole_step(void **state)
{
	(void)state;
	check_kept(10, 22, 22, 10);
	check_kept(10, 21, 19, 9); /* not the epilogue, so not the last step */
	check_kept(10, 20, 19, 9);
	check_kept(10, 8, 7, 3);
	check_kept(10, 0, 3, 1);
	check_kept(1, 0, 4, 1);
	check_kept(0, 0, 2, 0);
}

static void a_plan_is_of_four_letters(void **state)
{
	const struct phase_plan bad[] = {
		{"x", "wc", "", no_steps, NULL},
		{"", "", "s", no_steps, NULL},
		{"", "wc", "Z", no_steps, NULL},
		{"", "wc", "s", NULL, NULL},
		{NULL, "wc", "s", no_steps, NULL},
		{"l", "cww", "s", no_steps, NULL},
		{"lw", "wc", "s", no_steps, NULL},
		{"l", "wcw", "s", no_steps, NULL},
		{"l", "cw", "ws", no_steps, NULL},
		{"lw", "c", "ws", no_steps, NULL},
	};

	(void)state;
	assert_true(phase_plan_valid(&plan));
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(phase_plan_valid(&bad[i]));
}

static void check_bounds(unsigned barrier, const double want[WARPS][PHASES + 1], unsigned cut)
{
	double bounds[WARPS][PHASES + 1];

	assert_int_equal(phase_block_bounds(&block, &plan, STEPS, barrier, &bounds[0][0]), cut);
	for (unsigned warp = 0; warp < WARPS; warp++)
		for (unsigned n = 0; n <= PHASES; n++)
			assert_true(bounds[warp][n] == want[warp][n]);
}

static void phases_follow_the_plan(void **state)
{
	const enum phase want[PHASES] = {PHASE_LOAD, PHASE_WAIT, PHASE_COMPUTE, PHASE_WAIT, PHASE_COMPUTE, PHASE_STORE};

	(void)state;
	for (unsigned n = 0; n < PHASES; n++) {
		assert_int_equal(phase_plan_place(&plan, STEPS, n).phase, want[n]);
		assert_int_equal(phase_plan_place(&plan, STEPS, n).step, n > 2);
	}
	assert_int_equal(phase_block_life(&block), 240);
	assert_null(phase_block_wrong(&block));
}

static void a_wait_ends_when_the_last_warp_has_come(void **state)
{
	const double want[WARPS][PHASES + 1] = {
		{10, 50, 55, 100, 135, 200, 230},
		{0, 40, 55, 130, 135, 190, 240},
	};

	(void)state;
	check_bounds(BARRIER, want, 0);
}

/* A warp whose clock was read before the barrier opened: its phase behind it has no length, and is counted. */
static void what_ends_too_early_is_cut(void **state)
{
	const double want[WARPS][PHASES + 1] = {
		{10, 50, 110, 110, 190, 200, 230},
		{0, 40, 110, 130, 190, 190, 240},
	};

	(void)state;
	check_bounds(60, want, 1);
}

static void the_counter_may_run_over(void **state)
{
	static const uint32_t over[2][2] = {{UINT32_MAX - 9, 20}, {UINT32_MAX - 19, 10}};
	const struct phase_block b = {&over[0][0], 2, 2};
	const struct phase_plan two = {"", "w", "s", no_steps, NULL};
	double bounds[2][3];

	(void)state;
	assert_null(phase_block_wrong(&b));
	assert_int_equal(phase_block_life(&b), 40);
	assert_int_equal(phase_block_bounds(&b, &two, 1, BARRIER, &bounds[0][0]), 0);
	assert_true(bounds[0][0] == 10 && bounds[0][1] == 15 && bounds[0][2] == 40);
	assert_true(bounds[1][0] == 0 && bounds[1][1] == 15 && bounds[1][2] == 30);
}

static void missing_and_backward_stamps_are_found(void **state)
{
	static const uint32_t missing[1][3] = {{5, 0, 9}}, backward[1][3] = {{5, 9, 8}};
	const struct phase_block a = {&missing[0][0], 1, 3}, b = {&backward[0][0], 1, 3};

	(void)state;
	assert_string_equal(phase_block_wrong(&a), "a time stamp was not taken");
	assert_string_equal(phase_block_wrong(&b), "a time stamp lies before the one before it");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plan_has_a_length),
		cmocka_unit_test(what_does_not_fit_ends_after_a_whole_step),
		cmocka_unit_test(a_plan_is_of_four_letters),
		cmocka_unit_test(phases_follow_the_plan),
		cmocka_unit_test(a_wait_ends_when_the_last_warp_has_come),
		cmocka_unit_test(what_ends_too_early_is_cut),
		cmocka_unit_test(the_counter_may_run_over),
		cmocka_unit_test(missing_and_backward_stamps_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
