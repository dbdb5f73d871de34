/* program-outside-steps.c: a contrast of programs that do work outside of steps: what moved there, and pauses. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "fixtures/all-steps-fixture.h"
#include "tree/tree.h"

/* A step that is shorter by the kernels that it no longer has is no gain. */
static void test_kernels_that_moved_out_of_steps(void **state)
{
	struct toy_contrast toy = toy_of_all_steps();
	json_t *tree;

	(void)state;
	/* Much runs outside of steps, on both sides. */
	for (int i = 0; i < 2; i++)
		toy.side[i].extent.outside_ns = 9000000;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
	/* A little more of that is no work that moved, until it is a tenth of a step. */
	toy.side[1].extent.outside_ns += 75000;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
	toy.side[1].extent.outside_ns += 50000;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "unclear", "unclear");
	assert_kernel_reason(tree, "outside");
	json_decref(tree);
	/* Kernels that moved into the step make it no slower. */
	toy.side[0].extent.outside_ns = 200000;
	toy.side[1].extent.outside_ns = 0;
	toy.side[1].gemm = toy.side[0].gemm + 200000;
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.verdicts.kernel.reasons.0", "outside");
	json_decref(tree);
}

/* What lies outside of steps is held against what a step gains, however little that is of a step. */
static void test_small_gains_and_kernels_outside(void **state)
{
	struct toy_contrast toy = toy_of_all_steps();
	json_t *tree;

	(void)state;
	/* 1.08 times as fast. */
	take_as_long(&toy);
	toy.side[1].gemm -= 74000;
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.verdicts.kernel.verdict", "faster");
	assert_null(tree_find(at(tree, "families.0.verdicts.kernel.evidence"), "name", "outside"));
	json_decref(tree);
	toy.side[1].extent.outside_ns = 74000;
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.verdicts.kernel.verdict", "unclear");
	assert_text(tree, "families.0.reason_text",
		"kernels moved: in a step they take 74.0 µs less, outside 74.0 µs more");
	json_decref(tree);
	/* What changes by less than what counts as the same. */
	toy.side[1].extent.outside_ns = 8000;
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.verdicts.kernel.verdict", "faster");
	json_decref(tree);
	/* No gain in a step is no gain. */
	take_as_long(&toy);
	toy.side[1].extent.outside_ns = 90000;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "same", "same");
	json_decref(tree);
}

/* Kernels moved to another process, behind the last step or before the first: all GPU time of a run tells. */
static void test_kernels_that_moved_out_of_all_steps(void **state)
{
	struct toy_contrast toy = toy_of_all_steps();
	json_t *tree;

	(void)state;
	toy.side[0].extent.of_run = toy.side[1].extent.of_run = true;
	toy.side[1].extent.outside_all_ns = 102 * 400e3;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "unclear", "unclear");
	assert_kernel_reason(tree, "elsewhere");
	assert_text(tree, "families.0.reason_text",
		"kernels outside of steps take 0 ns and 400 µs for each step of a run. With what differs kernels need "
		"20.0 % more, in steps alone 20.0 % less");
	json_decref(tree);
	/* As much as the gain is. */
	toy.side[1].extent.outside_all_ns = 102 * 200e3;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
	/* Both load as much, in runs of more steps, or do as much for each step. */
	toy.side[0].extent.outside_all_ns = toy.side[1].extent.outside_all_ns = 102 * 9e6;
	toy.side[0].extent.steps = 306;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
	toy.side[0].extent.outside_all_ns = 306 * 9e6;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
	/* A slower step does no less. */
	toy = toy_of_all_steps();
	toy.side[0].extent.of_run = toy.side[1].extent.of_run = true;
	toy.side[1].gemm = toy.side[0].gemm + 200000;
	toy.side[0].extent.outside_all_ns = 102 * 400e3;
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.verdicts.kernel.verdict", "unclear");
	assert_text(tree, "families.0.verdicts.kernel.reasons.0", "elsewhere");
	json_decref(tree);
}

/* Steps that take the same time, beside which one side does more. */
static void test_kernels_beside_the_same_steps(void **state)
{
	struct toy_contrast toy = toy_of_all_steps();
	json_t *tree;

	(void)state;
	take_as_long(&toy);
	toy.side[0].extent.of_run = toy.side[1].extent.of_run = true;
	toy.side[1].extent.outside_ns = 500000;
	toy.side[1].extent.outside_all_ns = 102 * 500e3;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "unclear", "unclear");
	assert_kernel_reason(tree, "elsewhere");
	json_decref(tree);
	/* A load is another one. */
	toy.side[1].extent.outside_ns = 0;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "same", "same");
	json_decref(tree);
}

/* A step that is shorter by the copies that it no longer has is no gain. */
static void test_copies_that_moved_out_of_steps(void **state)
{
	struct toy_contrast toy = toy_of_all_steps();
	json_t *tree;

	(void)state;
	/* 200 us less in a step. They are there again, and nobody knows what of: it may be a pause. */
	toy.side[1].extent.between_ns = 195000;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
	toy.side[1].extent.copy_ns = 200000;
	toy.side[1].extent.between_ns = 45000;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
	toy.side[1].extent.between_ns = 50000;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "unclear");
	assert_text(tree, "families.0.verdicts.program.reasons.0", "copies");
	json_decref(tree);
	/* Copies of 80 us, in which a step gains as much: 1.08 times as fast. */
	toy.side[1].host = toy.side[1].extent.host_ns = 1020000;
	toy.side[1].extent.copy_ns = toy.side[1].extent.between_ns = 80000;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "unclear");
	assert_text(tree, "families.0.verdicts.program.reasons.0", "copies");
	json_decref(tree);
	/* They take a part of what the time between steps is longer by, and that may be a pause. */
	toy.side[1].extent.copy_ns = 8000;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
}

static void assert_moved(const json_t *tree, bool moved)
{
	const json_t *check = tree_find(at(tree, "families.0.verdicts.program.evidence"), "name", "between");

	assert_verdicts(tree, "faster", "faster");
	assert_true(json_is_true(json_object_get(check, "ok")));
	assert_int_equal(tree_true(json_object_get(check, "facts"), "moved"), moved);
}

/* What the host does in a step moved out of it, or the next step is waited for. */
static void test_work_that_moved_out_of_steps(void **state)
{
	struct toy_contrast toy = toy_of_all_steps();
	json_t *tree;

	(void)state;
	/* Much passes between steps, on both sides. */
	toy.side[0].between = toy.side[1].between = 9000000;
	tree = contrast_of(&toy);
	assert_moved(tree, false);
	json_decref(tree);
	toy.side[1].between += 95000;
	tree = contrast_of(&toy);
	assert_moved(tree, false);
	json_decref(tree);
	toy.side[1].between += 10000;
	tree = contrast_of(&toy);
	assert_moved(tree, true);
	json_decref(tree);
	/* Or it moved to a pause between a few of them. */
	toy = toy_of_all_steps();
	toy.side[0].between = toy.side[1].between = 50000;
	toy.side[1].extent.between_ns = 95000;
	tree = contrast_of(&toy);
	assert_moved(tree, false);
	json_decref(tree);
	toy.side[1].extent.between_ns = 105000;
	tree = contrast_of(&toy);
	assert_moved(tree, true);
	json_decref(tree);
	/* From begin to begin it is in the time of a step. */
	toy = toy_of_all_steps();
	toy.period = true;
	toy.side[0].lag_share = toy.side[1].lag_share = -1;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	assert_null(tree_find(at(tree, "families.0.verdicts.program.evidence"), "name", "between"));
	json_decref(tree);
	/* Steps whose kernels alternate have no period: all time between them counts, and all steps. */
	toy = toy_of_all_steps();
	for (int i = 0; i < 2; i++) {
		toy.side[i].extent.left_steps = 50;
		toy.side[i].extent.host_ns = toy.side[i].host / 2;
	}
	toy.side[1].extent.between_ns = 45000;
	tree = contrast_of(&toy);
	assert_moved(tree, false);
	json_decref(tree);
	toy.side[1].extent.between_ns = 55000;
	tree = contrast_of(&toy);
	assert_moved(tree, true);
	json_decref(tree);
}

/* A step that takes as long says nothing of a loop that takes longer. */
static void test_time_between_that_differs(void **state)
{
	struct toy_contrast toy = toy_of_all_steps();
	json_t *tree;

	(void)state;
	take_as_long(&toy);
	toy.side[1].host = toy.side[0].host;
	toy.side[1].extent = toy.side[0].extent;
	toy.side[0].between = 200000;
	toy.side[1].between = 250000;
	tree = contrast_of(&toy);
	assert_size(tree, "families.0.sides.1.beside", 0);
	json_decref(tree);
	toy.side[1].between = 900000;
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.verdicts.program.verdict", "same");
	assert_text(tree, "families.0.sides.1.beside.0.what", "between");
	assert_text(tree, "families.0.sides.1.beside_text",
		"From a step's end to the next one's begin it takes 200 µs with `mm --stages 1`, 900 µs with `mm "
		"--stages 3`.");
	assert_false_at(tree, "families.0.same_rest");
	json_decref(tree);
	/* Beside what passes anyway it is little. */
	toy.side[0].between = 19200000;
	toy.side[1].between = 20000000;
	tree = contrast_of(&toy);
	assert_size(tree, "families.0.sides.1.beside", 0);
	json_decref(tree);
	/* In a period it is in the step. */
	toy.side[0].between = 200000;
	toy.side[1].between = 900000;
	toy.period = true;
	tree = contrast_of(&toy);
	assert_size(tree, "families.0.sides.1.beside", 0);
	json_decref(tree);
}

/* Where periods leave out long steps, nothing passes between steps: that is no time that could be less. */
static void test_no_time_between(void **state)
{
	struct toy_contrast toy = toy_of_all_steps();
	const json_t *check;
	json_t *tree;

	(void)state;
	take_as_long(&toy);
	toy.side[1].host = 2 * toy.side[0].host;
	toy.side[0].between = 300;
	toy.side[1].between = -900000;
	tree = contrast_of(&toy);
	check = tree_find(at(tree, "families.0.verdicts.program.evidence"), "name", "between");
	assert_text(tree, "families.0.verdicts.program.verdict", "slower");
	assert_true(json_is_true(json_object_get(check, "ok")));
	assert_false(tree_true(json_object_get(check, "facts"), "moved"));
	assert_true(tree_real(json_object_get(check, "facts"), "between_ns") == -300);
	json_decref(tree);
}

/* `ok`: of check `between`; `told`: whether pauses are. */
static void assert_loop(const struct toy_contrast *toy, const char *program, bool ok, bool told)
{
	json_t *tree = contrast_of(toy);
	const json_t *check = tree_find(at(tree, "families.0.verdicts.program.evidence"), "name", "between");

	assert_text(tree, "families.0.verdicts.program.verdict", program);
	assert_true(json_is_boolean(json_object_get(check, "ok")));
	assert_int_equal(json_is_true(json_object_get(check, "ok")), ok);
	assert_int_equal(tree_true(json_object_get(check, "facts"), "moved"), told);
	json_decref(tree);
}

static void assert_text_of_loop(const struct toy_contrast *toy, const char *text)
{
	json_t *tree = contrast_of(toy);

	if (!strstr(tree_text(at(tree, "families.0.verdicts.program"), "text"), text))
		fail_msg("not in: %s", tree_text(at(tree, "families.0.verdicts.program"), "text"));
	json_decref(tree);
}

/* From begin to begin pauses are no part of a step. */
static void test_pauses_of_a_loop(void **state)
{
	struct toy_contrast toy = toy_of_all_steps();

	(void)state;
	toy.period = true;
	for (int i = 0; i < 2; i++) {
		toy.side[i].lag_share = -1;
		toy.side[i].extent.loop_ns = toy.side[i].host + 300000;
	}
	/* As many on both sides, and a few more. A step gains 200 us. */
	assert_loop(&toy, "faster", true, false);
	toy.side[1].extent.loop_ns += 30000;
	assert_loop(&toy, "faster", true, false);
	toy.side[1].extent.loop_ns += 70000;
	assert_loop(&toy, "faster", true, true);
	assert_text_of_loop(
		&toy, " Pauses and other steps take 99.0 µs more for each step, by mean of the whole loop.");
	/* On one side alone. */
	toy.side[0].extent.loop_ns = toy.side[0].host;
	toy.side[1].extent.loop_ns = toy.side[1].host + 100000;
	assert_loop(&toy, "unclear", false, true);
	assert_text_of_loop(
		&toy, "a step takes 200 µs less, but pauses and other steps take 94.0 µs more for each of them.");
	/* A host that runs ahead at first. */
	toy.side[0].extent.loop_ns = toy.side[0].host - 500000;
	toy.side[1].extent.loop_ns = toy.side[1].host + 10000;
	assert_loop(&toy, "faster", true, false);
	/* Of the same steps there may be one more, and its pause. */
	take_as_long(&toy);
	toy.side[0].extent.loop_ns = toy.side[0].host;
	toy.side[1].extent.loop_ns = toy.side[1].host + 120000;
	assert_loop(&toy, "same", true, true);
	toy.side[1].extent.loop_ns = toy.side[1].host + 20000;
	assert_loop(&toy, "same", true, false);
	/* The steps are faster, and the loop is slower. */
	take_as_long(&toy);
	toy.side[1].host = toy.side[0].host / 1.1;
	toy.side[0].extent.loop_ns = toy.side[0].host + 100000;
	toy.side[1].extent.loop_ns = toy.side[1].host + 500000;
	assert_loop(&toy, "faster", true, true);
	/* Where pauses count, the first steps of both sides may have others of them than their loops. */
	toy.pauses = true;
	assert_loop(&toy, "unclear", false, true);
	assert_text_of_loop(&toy,
		"by as many first steps one takes 100 µs less, but the rest of the loop takes 399 µs more "
		"for each: run as many steps on both sides.");
	take_as_long(&toy);
	toy.side[1].host = toy.side[0].host;
	toy.side[0].extent.loop_ns = toy.side[0].host;
	toy.side[1].extent.loop_ns = toy.side[1].host + 120000;
	assert_loop(&toy, "same", true, true);
	toy.side[1].extent.loop_ns = toy.side[1].host + 700000;
	assert_loop(&toy, "unclear", false, true);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_kernels_that_moved_out_of_steps),
		scratch_test(test_small_gains_and_kernels_outside),
		scratch_test(test_kernels_that_moved_out_of_all_steps),
		scratch_test(test_kernels_beside_the_same_steps),
		scratch_test(test_copies_that_moved_out_of_steps),
		scratch_test(test_work_that_moved_out_of_steps),
		scratch_test(test_time_between_that_differs),
		scratch_test(test_no_time_between),
		scratch_test(test_pauses_of_a_loop),
	};

	return cmocka_run_group_tests_name("model: program outside steps", tests, NULL, NULL);
}
