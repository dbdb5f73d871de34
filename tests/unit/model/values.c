/* values.c: the values that a contrast of programs varies, and what its runs tell of themselves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixtures/programs-fixture.h"
#include "tree/tree.h"

/* ---- values ---- */

/* Five values: four is the best, three is within 2 % of it, and two is not. */
static void test_the_best_value_and_the_smallest_as_good(void **state)
{
	struct toy_contrast toy = toy_values();
	json_t *tree = contrast_of(&toy);

	(void)state;
	assert_text(tree, "families.0.curve.name", "stages");
	assert_true_at(tree, "families.0.curve.numeric");
	assert_size(tree, "families.0.curve.points", 5);
	assert_text(tree, "families.0.curve.best", "stages=4");
	assert_true_at(tree, "families.0.curve.best_apart");
	assert_text(tree, "families.0.curve.smallest_within", "stages=3");
	assert_true_at(tree, "families.0.curve.smallest_clear");
	assert_null_at(tree, "families.0.curve.doubtful");
	assert_near(json_number_value(at(tree, "families.0.curve.points.2.to_best.value")), 720.0 / 710, 1e-9);
	assert_near(json_number_value(at(tree, "families.0.curve.points.3.ratio.value")), 1000.0 / 710, 1e-9);
	assert_near(json_number_value(at(tree, "families.0.curve.points.0.kernels_ns")), 1000000, 1e-6);
	assert_near(json_number_value(at(tree, "families.0.curve.points.0.program_ns")), 1100000, 1e-6);
	assert_null_at(tree, "families.0.curve.points.0.ratio");
	assert_null_at(tree, "families.0.curve.points.3.to_best");
	json_decref(tree);

	/* 2.1 % more than the best is too much. */
	toy.side[2].gemm = 645000;
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.curve.smallest_within", "stages=4");
	json_decref(tree);
}

/* Copies and the host's work vary, kernels do not: steps decide, if they wait. With a kernel that varies they do not.
 */
static void test_steps_decide_where_kernels_are_the_same(void **state)
{
	struct toy_contrast toy = toy_values();
	const json_t *sides;
	json_t *tree;

	(void)state;
	for (int i = 0; i < TOY_SIDES; i++) {
		toy.side[i].gemm = toy.side[0].gemm;
		toy.side[i].alone = toy.side[0].alone;
		toy.side[i].host += 1000000;
		toy.side[i].waits = 1;
	}
	toy.side[4].host = 2500000;
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.curve.basis", "range");
	assert_text(tree, "families.0.curve.best", "stages=4");
	assert_text(tree, "families.0.curve.smallest_within", "stages=3");
	assert_text(tree, "families.0.curve.points.4.verdict", "slower");
	assert_near(json_number_value(at(tree, "families.0.curve.points.3.ratio.value")), 2100.0 / 1820, 1e-9);
	/* Each side's verdict that decides is that of its step. */
	sides = at(tree, "families.0.sides");
	for (size_t i = 1; i < TOY_SIDES; i++) {
		const json_t *verdicts = json_object_get(json_array_get(sides, i), "verdicts");

		assert_string_equal(tree_text(json_object_get(verdicts, "kernel"), "verdict"), "same");
		assert_string_equal(
			tree_text(tree_deciding_verdict(at(tree, "families.0"), verdicts), "basis"), "range");
	}
	/* Of chosen kernels: what else is in the step does not decide on them. */
	json_object_set_new((json_t *)at(tree, "families.0"), "kernels_chosen", json_true());
	assert_string_equal(tree_text(tree_deciding_verdict(at(tree, "families.0"),
					      json_object_get(json_array_get(sides, 1), "verdicts")),
				    "basis"),
		"kernels");
	json_decref(tree);

	toy.side[2].waits = -1;
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.curve.basis", "kernels");
	assert_null_at(tree, "families.0.curve.best");
	json_decref(tree);

	toy.side[2].waits = 1;
	toy.side[2].gemm *= 0.9;
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.curve.basis", "kernels");
	assert_text(tree, "families.0.curve.best", "stages=3");
	json_decref(tree);
}

/* Numbers stand by their size, words as they were given; a word among numbers makes all of them words. */
static void test_the_order_of_values(void **state)
{
	struct toy_contrast toy = toy_values();
	json_t *tree;

	(void)state;
	toy.side[0].value = "16";
	toy.side[4].value = "-1e1";
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.curve.points.0.variant", "stages=8");
	assert_text(tree, "families.0.curve.points.4.variant", "stages=1");
	json_decref(tree);

	toy.side[3].value = "4k";
	tree = contrast_of(&toy);
	assert_false_at(tree, "families.0.curve.numeric");
	assert_text(tree, "families.0.curve.points.0.value", "16");
	assert_text(tree, "families.0.curve.points.4.value", "-1e1");
	assert_null_at(tree, "families.0.curve.points.0.number");
	json_decref(tree);
}

/* Whole programs are no steps. */
static void test_values_without_a_range(void **state)
{
	struct toy_contrast toy = toy_values();
	json_t *tree;

	(void)state;
	for (int i = 0; i < TOY_SIDES; i++)
		toy.side[i].host = 0;
	tree = contrast_of(&toy);
	assert_null_at(tree, "families.0.curve.points.0.program_ns");
	assert_null_at(tree, "families.0.curve.points.1.program_ratio");
	json_decref(tree);
}

/* A value whose output differs is neither the best nor as good, however fast it is. */
static void test_a_doubtful_value_is_not_the_best(void **state)
{
	struct toy_contrast toy = toy_values();
	json_t *tree;

	(void)state;
	toy.side[3].check = "differs";
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.curve.best", "stages=3");
	assert_text(tree, "families.0.curve.smallest_within", "stages=3");
	assert_text(tree, "families.0.curve.doubtful", "stages=4");
	assert_null_at(tree, "families.0.curve.points.3.to_best");
	json_decref(tree);

	toy.blocks = 5;
	tree = contrast_of(&toy);
	assert_null_at(tree, "families.0.curve.best");
	assert_null_at(tree, "families.0.curve.best_apart");
	assert_null_at(tree, "families.0.curve.smallest_within");
	assert_text(tree, "families.0.curve.doubtful", "stages=4");
	json_decref(tree);
}

/* Two that take the same are not apart, and the smaller one is as good. */
static void test_two_values_are_the_best(void **state)
{
	struct toy_contrast toy = toy_values();
	json_t *tree;

	(void)state;
	toy.side[2].gemm = toy.side[3].gemm + 1;
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.curve.best", "stages=4");
	assert_true_at(tree, "families.0.curve.smallest_clear");
	json_decref(tree);
	toy.side[2].gemm = toy.side[3].gemm;
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.curve.best", "stages=3");
	assert_false_at(tree, "families.0.curve.best_apart");
	json_decref(tree);
}

static void test_commands_are_no_values(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree = contrast_of(&toy);

	(void)state;
	assert_null_at(tree, "families.0.curve");
	json_decref(tree);
}

/* ---- what runs tell of themselves ---- */

/* Who asked decides, whatever the times say. Without that, times do. */
static void test_calls_tell_submission(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[0].waits = toy.side[1].waits = 1;
	toy.side[0].host = 300000;
	toy.side[1].host = 200000;
	tree = contrast_of(&toy);
	assert_false_at(tree, "families.0.submission");
	assert_text(tree, "families.0.submission_by", "calls");
	json_decref(tree);

	toy = toy_contrast();
	toy.side[0].waits = 1;
	toy.side[1].waits = -1;
	tree = contrast_of(&toy);
	assert_true_at(tree, "families.0.submission");
	json_decref(tree);

	toy.side[0].waits = 0;
	tree = contrast_of(&toy);
	assert_false_at(tree, "families.0.submission");
	assert_text(tree, "families.0.submission_by", "times");
	json_decref(tree);
}

/* From begin to begin the time is that of the work, as long as the GPU does not fall behind. */
static void test_lag_tells_submission(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.step_time", "duration");
	json_decref(tree);

	toy.period = true;
	for (int i = 0; i < 2; i++) {
		toy.side[i].waits = -1;
		toy.side[i].lag_share = -1;
	}
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.step_time", "period");
	assert_text(tree, "families.0.verdicts.program.step_time", "period");
	assert_false_at(tree, "families.0.submission");
	assert_text(tree, "families.0.submission_by", "lag");
	assert_text(tree, "families.0.verdicts.program.verdict", "faster");
	assert_non_null(tree_find(at(tree, "families.0.verdicts.program.evidence"), "name", "pace"));
	assert_null(tree_find(at(tree, "families.0.verdicts.program.evidence"), "name", "waits"));
	json_decref(tree);

	toy.side[1].lag_share = 0.006;
	tree = contrast_of(&toy);
	assert_true_at(tree, "families.0.submission");
	assert_text(tree, "families.0.verdicts.program.verdict", "unclear");
	assert_text(tree, "families.0.verdicts.program.reasons.0", "pace");
	json_decref(tree);

	/* Without CUPTI a step begins faster than the GPU can do its work. */
	toy.side[1].lag_share = -1;
	toy.side[1].copies = (struct toy_copies){.in = 200000, .out = 200000, .beside = 100000};
	tree = contrast_of(&toy);
	assert_true_at(tree, "families.0.submission");
	json_decref(tree);
}

static void have_the_same_kernels(struct toy_contrast *toy)
{
	for (int i = 0; i < 2; i++) {
		toy->side[i].alone = 0;
		toy->side[i].shared = 1024;
		toy->side[i].waits = -1;
		toy->side[i].gemm = 900000;
		toy->side[i].code = "00000000000000c0";
	}
}

/* Kernels with the same code and launches are the same whatever the variation is. */
static void test_the_same_kernels_decide_nothing(void **state)
{
	struct toy_contrast toy = toy_contrast();
	const json_t *family;
	json_t *tree;

	(void)state;
	have_the_same_kernels(&toy);
	tree = contrast_of(&toy);
	family = at(tree, "families.0");
	assert_true(tree_kernels_tell_nothing(family, at(tree, "families.0.verdicts")));
	assert_string_equal(tree_deciding_word(family, at(tree, "families.0.verdicts")), "unclear");
	assert_string_equal(tree_deciding_word(family, at(tree, "families.0.sides.1.verdicts")), "unclear");
	json_decref(tree);

	toy.side[1].dynamic = 1024;
	tree = contrast_of(&toy);
	assert_string_equal(tree_deciding_word(at(tree, "families.0"), at(tree, "families.0.verdicts")), "same");
	json_decref(tree);

	/* Without a range the process may tell that something differs, and no more. */
	toy.side[1].dynamic = 0;
	toy.side[0].host = toy.side[1].host = 0;
	tree = contrast_of(&toy);
	assert_string_equal(tree_deciding_word(at(tree, "families.0"), at(tree, "families.0.verdicts")), "same");
	json_object_set_new((json_t *)at(tree, "families.0.verdicts.program"), "verdict", json_string("slower"));
	assert_string_equal(tree_deciding_word(at(tree, "families.0"), at(tree, "families.0.verdicts")), "unclear");
	assert_true(tree_process_doubts(at(tree, "families.0"), at(tree, "families.0.verdicts")));
	json_decref(tree);
}

/* Times of whole processes that are apart, whatever is doubted of them, but not if that may be chance. */
static void test_what_chance_decides(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree, *program;
	const json_t *family;

	(void)state;
	have_the_same_kernels(&toy);
	toy.side[0].host = toy.side[1].host = 0;
	tree = contrast_of(&toy);
	family = at(tree, "families.0");
	program = (json_t *)at(tree, "families.0.verdicts.program");
	json_object_set_new(program, "verdict", json_string("unclear"));
	json_object_set_new(json_object_get(program, "ratio"), "low", json_real(1.3));
	json_object_set_new(program, "reasons", json_pack("[s]", "clocks"));
	assert_true(tree_process_doubts(family, at(tree, "families.0.verdicts")));
	json_object_set_new(program, "reasons", json_pack("[ss]", "clocks", "ranks"));
	assert_false(tree_process_doubts(family, at(tree, "families.0.verdicts")));
	json_decref(tree);
}

static void test_what_does_not_count(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[1].first_step = 12;
	tree = contrast_of(&toy);
	assert_null_at(tree, "families.0.sides.0.not_counted");
	assert_near(json_number_value(at(tree, "families.0.sides.1.not_counted.launches")), 42, 1e-9);
	assert_size(tree, "families.0.sides.1.not_counted.reasons", 1);
	assert_text(tree, "families.0.sides.1.not_counted.reasons.0.reason", "first-step");
	assert_near(json_number_value(at(tree, "families.0.sides.1.not_counted.reasons.0.launches")), 12, 1e-9);
	assert_near(json_number_value(at(tree, "families.0.sides.1.not_counted.reasons.0.share")), 1.0 / 11, 1e-9);
	json_decref(tree);
}

/* What most runs do not have is nothing by the median. */
static void test_what_few_runs_leave_out(void **state)
{
	struct toy_contrast toy = toy_contrast();
	struct recording *rec = fixture_begin("few.sqlite");
	struct error err = {0};
	json_t *tree;

	(void)state;
	toy.side[0].first_step = 2;
	toy_contrast_write(rec, &toy, &err);
	assert_string_equal(err.text, "");
	fixture_row(rec, "LEFTOUT family=contrast variant=single block=0 position=0 reason=outside launches=5 ns=7 "
			 "steps=0");
	fixture_end(rec);
	tree = fixture_model("few.sqlite");
	assert_size(tree, "families.0.sides.0.not_counted.reasons", 1);
	assert_text(tree, "families.0.sides.0.not_counted.reasons.0.reason", "first-step");
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_the_best_value_and_the_smallest_as_good),
		scratch_test(test_steps_decide_where_kernels_are_the_same),
		scratch_test(test_the_order_of_values),
		scratch_test(test_values_without_a_range),
		scratch_test(test_a_doubtful_value_is_not_the_best),
		scratch_test(test_two_values_are_the_best),
		scratch_test(test_commands_are_no_values),
		scratch_test(test_calls_tell_submission),
		scratch_test(test_lag_tells_submission),
		scratch_test(test_the_same_kernels_decide_nothing),
		scratch_test(test_what_does_not_count),
		scratch_test(test_what_chance_decides),
		scratch_test(test_what_few_runs_leave_out),
	};

	return cmocka_run_group_tests_name("model: values", tests, NULL, NULL);
}
