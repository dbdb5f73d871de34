/* program-first-steps.c: a contrast of programs of which one has more steps, so that its first ones count. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "fixtures/all-steps-fixture.h"
#include "tree/tree.h"

/* Six of ten steps of the first side count, and all of the other one's. */
static struct toy_contrast toy_of_first_steps(double single, double other)
{
	struct toy_contrast toy = toy_of_all_steps();

	toy.side[0].first_steps = 6;
	toy.side[0].all_steps = single;
	toy.side[1].all_steps = other;
	return toy;
}

static const json_t *first_steps_check(const json_t *tree)
{
	return tree_find(at(tree, "families.0.verdicts.kernel.evidence"), "name", "first-steps");
}

/* By first steps it is faster, and over all of them slower, since the other side has grown for longer. */
static void test_all_steps_say_the_opposite(void **state)
{
	struct toy_contrast toy = toy_of_first_steps(800000, 1000000);
	json_t *tree = contrast_of(&toy);

	(void)state;
	assert_text(tree, "families.0.verdicts.kernel.verdict", "unclear");
	assert_text(tree, "families.0.verdicts.kernel.reasons.0", "first-steps");
	assert_text(tree, "families.0.reason_text",
		"10 and 10 steps count, and steps change from first to last. Over the first 6 on each side kernels "
		"need 20.0 % less, over all 25.0 % more");
	json_decref(tree);
	/* Where it is slower by its first steps. */
	toy = toy_of_first_steps(1000000, 800000);
	toy.side[1].gemm = 1.3 * toy.side[0].gemm;
	toy.side[1].host = 1.3 * toy.side[0].host;
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.verdicts.kernel.reasons.0", "first-steps");
	json_decref(tree);
}

/* A program that runs longer is the same in the steps that both have. A small gain may be lost in what grows. */
static void test_all_steps_say_something_else(void **state)
{
	struct toy_contrast toy = toy_of_first_steps(1000000, 1300000);
	json_t *tree;

	(void)state;
	take_as_long(&toy);
	tree = contrast_of(&toy);
	assert_verdicts(tree, "same", "same");
	assert_near(tree_real(first_steps_check(tree), "figure"), 1 / 1.3, 1e-3);
	json_decref(tree);
	toy = toy_of_first_steps(1000000, 1000000);
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
}

/* Where all steps count on both sides nothing is held against them, and nothing told. */
static void test_as_many_steps(void **state)
{
	struct toy_contrast toy = toy_of_first_steps(800000, 1000000);
	json_t *tree;

	(void)state;
	toy.side[0].first_steps = 0;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	assert_null(first_steps_check(tree));
	json_decref(tree);
}

/* A first step counts where a process has one or two, and not where it has three. */
static void test_first_steps_are_samples_of_one_side(void **state)
{
	struct toy_contrast toy = toy_of_first_steps(0, 0);
	json_t *tree;

	(void)state;
	toy.side[0].first_steps = 0;
	toy.side[0].begin_share = -1;
	toy.side[1].begin_share = 0.5;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "unclear", "unclear");
	assert_kernel_reason(tree, "begins");
	assert_text(tree, "families.0.verdicts.program.reasons.0", "begins");
	assert_text(tree, "families.0.reason_text",
		"first steps, which may be slow, count more on the other side: run three steps or more in each "
		"process");
	json_decref(tree);
	toy.side[0].begin_share = 1;
	tree = contrast_of(&toy);
	assert_kernel_reason(tree, "begins");
	assert_non_null(strstr(tree_text(at(tree, "families.0"), "reason_text"), "more on the first side"));
	json_decref(tree);
}

/* The same treatment on both sides, or none that is told. */
static void test_first_steps_are_samples_of_both_sides(void **state)
{
	static const double shares[] = {-1, 0.5, 1, 0};
	struct toy_contrast toy = toy_of_first_steps(0, 0);

	(void)state;
	toy.side[0].first_steps = 0;
	for (size_t i = 0; i < sizeof(shares) / sizeof(shares[0]); i++) {
		json_t *tree;

		toy.side[0].begin_share = toy.side[1].begin_share = shares[i];
		tree = contrast_of(&toy);
		assert_verdicts(tree, "faster", "faster");
		assert_null(tree_find(at(tree, "families.0.verdicts.kernel.evidence"), "name", "begins"));
		json_decref(tree);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_all_steps_say_the_opposite),
		scratch_test(test_all_steps_say_something_else),
		scratch_test(test_as_many_steps),
		scratch_test(test_first_steps_are_samples_of_one_side),
		scratch_test(test_first_steps_are_samples_of_both_sides),
	};

	return cmocka_run_group_tests_name("model: program first steps", tests, NULL, NULL);
}
