/* program-other-steps.c: a contrast of programs that have other steps than those that count, and what else differs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixtures/all-steps-fixture.h"
#include "tree/tree.h"

static void test_other_steps_bear_out_the_verdict(void **state)
{
	struct toy_contrast toy = toy_of_all_steps();
	json_t *tree = contrast_of(&toy);

	(void)state;
	assert_verdicts(tree, "faster", "faster");
	assert_size(tree, "families.0.sides.1.beside", 0);
	json_decref(tree);
	/* Many others, but over all steps it is faster, too. */
	toy.side[1].extent.left_steps = 30;
	toy.side[1].extent.ns = 840000;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	assert_near(json_number_value(at(tree, "families.0.sides.1.extent.left_steps")), 0.3, 1e-9);
	json_decref(tree);
	/* Few that are far off. */
	toy.side[1].extent.left_steps = 5;
	toy.side[1].extent.ns = 1000000;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
}

/* Without CUPTI it is not known which kernels a step has. Traced runs show what that changes. */
static void test_steps_that_count_without_cupti(void **state)
{
	struct toy_contrast toy = toy_of_all_steps();
	json_t *tree;

	(void)state;
	/* As much on both sides. */
	toy.side[0].extent.placed = toy.side[1].extent.placed = 1.5;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
	/* By less than the difference: 1.22 times as fast, or 1.2. */
	toy.side[0].extent.placed = 1.52;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
	toy.side[0].extent.placed = 1;
	toy.side[1].extent.placed = 0.9;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "unclear");
	assert_text(tree, "families.0.verdicts.program.reasons.0", "places");
	json_decref(tree);
	/* Of the same program. */
	take_as_long(&toy);
	tree = contrast_of(&toy);
	assert_verdicts(tree, "same", "unclear");
	json_decref(tree);
	toy.side[1].extent.placed = 0.9995;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "same", "same");
	json_decref(tree);
}

/* Most of what the steps that count no longer have is there again in others: they say the same word, and much less. */
static void test_other_steps_say_much_less(void **state)
{
	struct toy_contrast toy = toy_of_all_steps();
	json_t *tree;

	(void)state;
	toy.side[1].extent.left_steps = 5;
	toy.side[1].extent.left_ns = 450000;
	toy.side[1].extent.ns = 900000;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "unclear", "unclear");
	assert_kernel_reason(tree, "coverage");
	assert_text(tree, "families.0.reason_text",
		"50 % of the kernel time is in steps with other kernels. Over all steps kernels need 10.0 % less, over "
		"those that count 20.0 % less");
	json_decref(tree);
	/* The host's time alone. */
	toy.side[1].extent.ns = 840000;
	toy.side[1].extent.host_ns = 1000000;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "unclear");
	assert_text(tree, "families.0.verdicts.program.reasons.0", "coverage");
	json_decref(tree);
	/* Tracing adds to all steps, and to those that count. */
	toy.side[1].extent.host_ns = 900000;
	for (int i = 0; i < 2; i++) {
		toy.side[i].traced = 80000;
		toy.side[i].extent.host_ns += 80000;
	}
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
	/* More than what the steps that count say. */
	toy.side[1].extent.ns = 600000;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
}

/* Validation in every tenth step, which the change leaves as it is: over all steps there is less to gain. */
static void test_both_leave_the_same(void **state)
{
	struct toy_contrast toy = toy_of_all_steps();
	json_t *tree;

	(void)state;
	for (int i = 0; i < 2; i++) {
		toy.side[i].extent.left_steps = 10;
		toy.side[i].extent.left_ns = 1000000;
		toy.side[i].extent.ns += 1000000;
		toy.side[i].extent.host_ns += 1000000;
	}
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
	/* One more of it, as in a run of another number of steps. */
	toy.side[1].extent.left_steps += 1;
	toy.side[1].extent.left_ns += 100000;
	toy.side[1].extent.ns += 100000;
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.verdicts.kernel.verdict", "faster");
	json_decref(tree);
	/* Several more. */
	toy.side[1].extent.left_steps += 2;
	toy.side[1].extent.left_ns += 200000;
	toy.side[1].extent.ns += 200000;
	tree = contrast_of(&toy);
	assert_kernel_reason(tree, "coverage");
	json_decref(tree);
}

static void test_other_steps_say_otherwise(void **state)
{
	struct toy_contrast toy = toy_of_all_steps();
	json_t *tree;

	(void)state;
	toy.side[1].extent.left_steps = 50;
	toy.side[1].extent.ns = 1000000;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "unclear", "unclear");
	assert_kernel_reason(tree, "coverage");
	assert_text(tree, "families.0.verdicts.program.reasons.0", "coverage");
	/* That of a kernel goes by the same steps. */
	assert_text(tree, "families.0.contrasts.2.verdict", "unclear");
	json_decref(tree);
	/* By kernel time. */
	toy.side[1].extent.left_steps = 0;
	toy.side[1].extent.left_ns = 400000;
	tree = contrast_of(&toy);
	assert_kernel_reason(tree, "coverage");
	json_decref(tree);
	/* The host's time alone says otherwise. */
	toy.side[1].extent.ns = 800000;
	toy.side[1].extent.host_ns = 1200000;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "unclear");
	json_decref(tree);
	/* The same is not the same, either. */
	take_as_long(&toy);
	tree = contrast_of(&toy);
	assert_verdicts(tree, "unclear", "unclear");
	json_decref(tree);
}

static void test_what_differs_besides(void **state)
{
	struct toy_contrast toy = toy_of_all_steps();
	json_t *tree;

	(void)state;
	toy.side[1].extent.steps = 51;
	toy.side[1].extent.processes = 2;
	toy.side[1].extent.copy_ns = 200000;
	tree = contrast_of(&toy);
	assert_size(tree, "families.0.sides.0.beside", 0);
	assert_size(tree, "families.0.sides.1.beside", 3);
	assert_text(tree, "families.0.sides.1.beside.0.what", "steps");
	assert_text(tree, "families.0.sides.1.beside.1.what", "processes");
	assert_text(tree, "families.0.sides.1.beside.2.what", "copies");
	assert_false_at(tree, "families.0.same_rest");
	json_decref(tree);

	toy = toy_of_all_steps();
	tree = contrast_of(&toy);
	assert_true_at(tree, "families.0.same_rest");
	assert_null_at(tree, "families.0.sides.0.same_rest");
	json_decref(tree);
	/* In the steps' place, and between them. */
	toy.side[1].extent.left_ns = 0.2 * toy.side[1].extent.ns;
	tree = contrast_of(&toy);
	assert_size(tree, "families.0.sides.1.beside", 1);
	assert_text(tree, "families.0.sides.1.beside.0.what", "kernels");
	assert_near(json_number_value(at(tree, "families.0.sides.1.beside.0.other")), 0.2, 1e-9);
	json_decref(tree);
	toy.side[1].extent.left_ns = 0;
	toy.side[1].extent.outside_ns = toy.side[1].extent.ns;
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.sides.1.beside.0.what", "kernels");
	assert_near(json_number_value(at(tree, "families.0.sides.1.beside.0.other")), 0.5, 1e-9);
	json_decref(tree);
	toy.side[1].extent.outside_ns = 0;
	/* Other kernels, as often. */
	toy.side[1].extent.left_kernels = "00000000000000bb";
	tree = contrast_of(&toy);
	assert_false_at(tree, "families.0.same_rest");
	json_decref(tree);
	/* The same ones, not as often. */
	toy.side[1].extent.left_kernels = NULL;
	toy.side[0].first_step = 3;
	toy.side[1].first_step = 4;
	tree = contrast_of(&toy);
	assert_false_at(tree, "families.0.same_rest");
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_other_steps_bear_out_the_verdict),
		scratch_test(test_steps_that_count_without_cupti),
		scratch_test(test_other_steps_say_much_less),
		scratch_test(test_both_leave_the_same),
		scratch_test(test_other_steps_say_otherwise),
		scratch_test(test_what_differs_besides),
	};

	return cmocka_run_group_tests_name("model: program other steps", tests, NULL, NULL);
}
