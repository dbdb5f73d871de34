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

/* Two warps, two steps: l w c w c s, room for one stamp more than is used. The second warp begins first. */
static const uint32_t stamps[2][8] = {
	{110, 150, 180, 200, 260, 300, 330, 0},
	{100, 140, 180, 230, 260, 290, 340, 0},
};
static const struct phase_block block = {&stamps[0][0], 2, 8};

static void a_plan_has_a_length(void **state)
{
	(void)state;
	assert_int_equal(phase_plan_length(&plan, 2), 6);
	assert_int_equal(phase_plan_length(&plan, 0), 2);
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
	};

	(void)state;
	assert_true(phase_plan_valid(&plan));
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
		assert_false(phase_plan_valid(&bad[i]));
}

static void check_event(unsigned warp, unsigned n, int step, enum phase phase, uint32_t start, uint32_t end)
{
	struct phase_event event;

	phase_block_event(&block, &plan, 2, warp, n, &event);
	assert_int_equal(event.step, step);
	assert_int_equal(event.phase, phase);
	assert_int_equal(event.start, start);
	assert_int_equal(event.end, end);
}

static void phases_follow_the_plan(void **state)
{
	(void)state;
	check_event(0, 0, 0, PHASE_LOAD, 10, 50);
	check_event(0, 1, 0, PHASE_WAIT, 50, 80);
	check_event(0, 2, 0, PHASE_COMPUTE, 80, 100);
	check_event(1, 3, 1, PHASE_WAIT, 130, 160);
	check_event(1, 4, 1, PHASE_COMPUTE, 160, 190);
	check_event(1, 5, 1, PHASE_STORE, 190, 240);
	assert_int_equal(phase_block_life(&block, 6), 240);
	assert_null(phase_block_wrong(&block, 6));
}

static void the_counter_may_run_over(void **state)
{
	static const uint32_t over[2][3] = {{UINT32_MAX - 9, 5, 20}, {UINT32_MAX - 19, UINT32_MAX, 10}};
	const struct phase_block b = {&over[0][0], 2, 3};
	const struct phase_plan two = {"", "w", "s", no_steps, NULL};
	struct phase_event event;

	(void)state;
	assert_null(phase_block_wrong(&b, 2));
	assert_int_equal(phase_block_life(&b, 2), 40);
	phase_block_event(&b, &two, 1, 0, 0, &event);
	assert_int_equal(event.start, 10);
	assert_int_equal(event.end, 25);
}

static void missing_and_backward_stamps_are_found(void **state)
{
	static const uint32_t missing[1][3] = {{5, 0, 9}}, backward[1][3] = {{5, 9, 8}}, unused[1][3] = {{5, 9, 0}};
	const struct phase_block a = {&missing[0][0], 1, 3}, b = {&backward[0][0], 1, 3}, c = {&unused[0][0], 1, 3};

	(void)state;
	assert_string_equal(phase_block_wrong(&a, 2), "a time stamp was not taken");
	assert_string_equal(phase_block_wrong(&b, 2), "a time stamp lies before the one before it");
	assert_null(phase_block_wrong(&c, 1));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_plan_has_a_length),
		cmocka_unit_test(what_does_not_fit_ends_after_a_whole_step),
		cmocka_unit_test(a_plan_is_of_four_letters),
		cmocka_unit_test(phases_follow_the_plan),
		cmocka_unit_test(the_counter_may_run_over),
		cmocka_unit_test(missing_and_backward_stamps_are_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
