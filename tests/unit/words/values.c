/* values.c: what is said of the values of --vary, and the summary of programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <cmocka.h>

#include "fixtures/told-contrast.h"
#include "report/summary.h"
#include "tree/tree.h"

/* What is said of the values, behind the first pair. */
static void assert_told_of_values(const struct toy_contrast *toy, const char *want)
{
	json_t *tree = told(toy);
	const char *answer = json_string_value(at(tree, "families.0.verdict_text"));

	assert_text(tree, "families.0.curve.text", want);
	assert_short_sentences(answer);
	assert_non_null(strstr(answer, want));
	json_decref(tree);
}

static void test_the_best_value(void **state)
{
#define STEP(less, value) " The program's step takes " less " % less time with `" value "` than with `stages=1`."
	struct toy_contrast toy = toy_values();

	(void)state;
	assert_told_of_values(&toy,
		"Best is `stages=4` (1.41× over `stages=1`); `stages=3` is the smallest within 2 % of "
		"it." STEP("25.5", "stages=4"));
	toy.side[3].value = "four";
	assert_told_of_values(&toy, "Best is `stages=4` (1.41× over `stages=1`); `stages=3` is the first within 2 % of "
				    "it." STEP("25.5", "stages=4"));
	toy.side[3].value = "4";
	toy.side[2].gemm = 700000;
	assert_told_of_values(&toy,
		"Best is `stages=4` (1.41× over `stages=1`); no smaller value is shown to be within "
		"2 % of it." STEP("25.5", "stages=4"));
	toy.side[2].gemm = 640000;
	toy.side[3].check = "differs";
	assert_told_of_values(&toy, "Best is `stages=3` (1.39× over `stages=1`); no smaller value is shown to be "
				    "within 2 % of it. `stages=4` needs less by median, but that is unclear: the "
				    "outputs differ." STEP("24.5", "stages=3"));
	toy.side[1].value = "5";
	toy.side[2].value = "-1.5";
	assert_told_of_values(&toy,
		"Best is `stages=3` (1.39× over `stages=1`), the smallest value. `stages=4` needs "
		"less by median, but that is unclear: the outputs differ." STEP("24.5", "stages=3"));
#undef STEP
}

static void test_the_best_value_by_its_step(void **state)
{
	struct toy_contrast toy = toy_values();

	(void)state;
	for (int i = 0; i < TOY_SIDES; i++) {
		toy.side[i].gemm = toy.side[0].gemm;
		toy.side[i].alone = toy.side[0].alone;
		toy.side[i].host += 1000000;
		toy.side[i].waits = 1;
	}
	assert_told_of_values(&toy,
		"Best is `stages=4` (1.15× over `stages=1`, by the program's step); `stages=3` is the smallest within "
		"2 % of it. Kernels need the same time with all values.");
	for (int i = 1; i < TOY_SIDES; i++)
		toy.side[i].host = 2200000;
	assert_told_of_values(&toy,
		"No value is clearly better than `stages=1` by the program's step. Kernels need the same time with all "
		"values.");
	/* Kernels of one value are slower, so they decide, and the step that gets shorter is told. */
	toy.side[1].gemm *= 1.2;
	toy.side[3].host = 1800000;
	assert_told_of_values(&toy,
		"No value is clearly better than `stages=1`. The program's step takes 14.3 % less time with "
		"`stages=4` than with `stages=1`.");
	/* One that gets longer says nothing more, however much longer. */
	toy.side[1].host = 8000000;
	assert_told_of_values(&toy,
		"No value is clearly better than `stages=1`. The program's step takes 14.3 % less time with "
		"`stages=4` than with `stages=1`.");
	toy.side[3].host = 2200000;
	assert_told_of_values(&toy, "No value is clearly better than `stages=1`.");
}

/* Of two values the verdict has said it: it is not said again. */
static void test_two_values_with_the_same_kernels(void **state)
{
	struct toy_contrast toy = toy_values();
	json_t *tree;

	(void)state;
	for (int i = 2; i < TOY_SIDES; i++)
		toy.side[i].variant = NULL;
	toy.side[1].gemm = toy.side[0].gemm;
	toy.side[1].alone = toy.side[0].alone;
	for (int i = 0; i < 2; i++) {
		toy.side[i].host += 1000000;
		toy.side[i].waits = 1;
	}
	tree = told(&toy);
	assert_non_null(
		strstr(json_string_value(at(tree, "families.0.verdict_text")), "need the same kernel time (1.000×"));
	assert_null(strstr(json_string_value(at(tree, "families.0.verdict_text")), "with all values"));
	json_decref(tree);
}

/* Other numbers of steps are told of the best value, not of the first one that has another. */
static void test_steps_of_the_best_value(void **state)
{
	struct toy_contrast toy = toy_values();
	json_t *tree;

	(void)state;
	for (int i = 0; i < TOY_SIDES; i++)
		toy.side[i].extent = (struct toy_extent){.steps = 102 - 10 * i,
			.processes = 1,
			.ns = toy.side[i].gemm + toy.side[i].copy + toy.side[i].alone,
			.host_ns = toy.side[i].host};
	tree = told(&toy);
	assert_text(tree, "families.0.curve.best", toy.side[3].variant);
	assert_non_null(strstr(json_string_value(at(tree, "families.0.verdict_text")),
		" A run has 102 steps with `stages=1` and 72 with `stages=4`; times are of one."));
	assert_null(strstr(json_string_value(at(tree, "families.0.verdict_text")), "92 with"));
	json_decref(tree);
	/* Where the best one has as many as the first, another one is told. */
	toy.side[3].extent.steps = 102;
	tree = told(&toy);
	assert_non_null(strstr(json_string_value(at(tree, "families.0.verdict_text")), " and 92 with `stages=2`;"));
	json_decref(tree);
}

static void test_no_value_is_better(void **state)
{
	struct toy_contrast toy = toy_values();

	(void)state;
	for (int i = 1; i < TOY_SIDES; i++)
		toy.side[i].gemm = 920000;
	assert_told_of_values(&toy, "No value is clearly better than `stages=1`.");
	toy.blocks = 5;
	toy.side[2].gemm = 500000;
	assert_told_of_values(&toy, "No value is clearly better than `stages=1`. `stages=3` needs less by median, but "
				    "that is unclear: 5 whole blocks, 6 are needed: use --budget=72s.");
}

static void test_the_same_kernels(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[0].code = toy.side[1].code = NULL;
	toy.side[1].gemm = toy.side[0].gemm;
	toy.side[0].alone = toy.side[1].alone = 0;
	toy.side[1].host = toy.side[0].host;
	toy.side[1].variation = "differs";
	tree = told(&toy);
	assert_null_at(tree, "families.0.sides.1.variation_text");
	json_decref(tree);
	toy.side[1].variation = "alike";
	tree = told(&toy);
	assert_text(tree, "families.0.sides.1.variation_text",
		"Both sides run the same kernels with the same resources: the variation may have changed nothing.");
	assert_non_null(strstr(json_string_value(at(tree, "answer")), "may have changed nothing."));
	json_decref(tree);
	toy.side[1].gemm /= 2;
	toy.side[1].host /= 2;
	tree = told(&toy);
	assert_text(tree, "families.0.sides.1.variation_text",
		"Both sides run the same kernels with the same resources: only their code or their data can differ.");
	json_decref(tree);
	/* What is known of the code says more. */
	toy.side[0].code = toy.side[1].code = "00000000000000c0";
	tree = told(&toy);
	assert_null_at(tree, "families.0.sides.1.variation_text");
	json_decref(tree);
}

/* ---- the summary ---- */

static json_t *summary_of(const json_t *tree)
{
	char *text = report_summary(tree);
	json_t *summary;

	assert_non_null(text);
	assert_true(strlen(text) <= SUMMARY_MOST);
	summary = json_loads(text, 0, NULL);
	assert_non_null(summary);
	free(text);
	return summary;
}

static void test_the_summary_has_the_same_keys(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree = told(&toy), *summary = summary_of(tree);
	const json_t *family = json_array_get(json_object_get(summary, "families"), 0);
	const json_t *kernel = json_object_get(json_object_get(family, "verdicts"), "kernel");

	(void)state;
	assert_true(json_equal(json_object_get(family, "verdict_text"), at(tree, "families.0.verdict_text")));
	assert_string_equal(json_string_value(json_object_get(kernel, "verdict")), "faster");
	assert_int_equal(json_array_size(json_object_get(family, "parts")), 5);
	assert_int_equal(json_object_size(json_object_get(family, "left_out")), 0);
	/* What is null is not there. */
	assert_null_at(tree, "families.0.failure");
	assert_null(json_object_get(family, "failure"));
	assert_null(json_object_get(kernel, "doubt"));
	json_decref(summary);
	json_decref(tree);
}

/* Sides have details that say little: with many sides these go, and the answer stays whole. */
static void test_details_go_first(void **state)
{
	struct toy_contrast toy = toy_values();
	json_t *tree, *summary;
	const json_t *family, *left_out;

	(void)state;
	tree = told(&toy);
	summary = summary_of(tree);
	family = json_array_get(json_object_get(summary, "families"), 0);
	left_out = json_object_get(family, "left_out");
	assert_true(json_equal(json_object_get(family, "verdict_text"), at(tree, "families.0.verdict_text")));
	assert_true(json_integer_value(json_object_get(left_out, "keys")) > 0);
	assert_null(json_object_get(json_object_get(json_object_get(family, "verdicts"), "kernel"), "text"));
	assert_true(json_array_size(json_object_get(family, "sides")) > 2);
	assert_true(json_array_size(json_object_get(family, "matched")) > 0);
	json_decref(summary);
	json_decref(tree);
}

/* Hundreds of kernels with long names: the smallest go, and are counted. */
static void test_the_summary_fits(void **state)
{
	struct toy_contrast toy = toy_contrast();
	struct recording *rec = fixture_begin("many.sqlite");
	struct error err = {0};
	char name[301];
	json_t *tree, *summary;
	const json_t *family, *left_out;

	(void)state;
	memset(name, 'k', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	toy_contrast_write(rec, &toy, &err);
	for (int i = 0; i < 300; i++)
		fixture_row(rec,
			"MATCH family=contrast variant=other ord=%d name=%s%d shortName=%s%d launches=1 ns=%d share=%g",
			3 + i, name, i, name, i, 300 - i, (300 - i) * 1e-6);
	fixture_end(rec);
	tree = fixture_model("many.sqlite");
	summary = summary_of(tree);
	family = json_array_get(json_object_get(summary, "families"), 0);
	left_out = json_object_get(family, "left_out");
	assert_true(json_integer_value(json_object_get(left_out, "unmatched")) > 0);
	assert_int_equal(json_array_size(json_object_get(family, "sides")), 2);
	assert_string_equal(
		json_string_value(json_object_get(json_array_get(json_object_get(family, "parts"), 0), "name")),
		"gemm");
	json_decref(summary);
	json_decref(tree);
}

/* Of a text that was cut the beginning is there, which ends behind a word, and an ellipsis. A name without blanks is
 * cut anywhere. */
static void assert_cut(const char *text, const char *whole)
{
	size_t n = strlen(text) - strlen("…");

	if (strcmp(text, whole) == 0)
		return;
	assert_string_equal(text + n, "…");
	assert_memory_equal(text, whole, n);
	if (strchr(whole, ' '))
		assert_true(whole[n] == ' ');
}

static void test_texts_are_cut_behind_a_word(void **state)
{
	static const char words[] = "the GPU broke down while nobody looked, and äöüß went on with what it was about";
	struct toy_contrast toy = toy_values();
	char failure[1400] = "";
	json_t *tree, *summary;
	const json_t *family;

	(void)state;
	for (int i = 0; i < 16; i++)
		snprintf(failure + strlen(failure), sizeof(failure) - strlen(failure), "%s%s", i ? " " : "", words);
	toy.failure = failure;
	tree = told(&toy);
	summary = summary_of(tree);
	family = json_array_get(json_object_get(summary, "families"), 0);
	assert_true(strlen(tree_text(family, "failure")) <= 120);
	assert_cut(tree_text(family, "failure"), failure);
	assert_true(strlen(tree_text(family, "verdict_text")) > 120);
	assert_cut(tree_text(family, "verdict_text"), json_string_value(at(tree, "families.0.verdict_text")));
	json_decref(summary);
	json_decref(tree);
}

/* Nothing but two sides is left, and that is still too much: texts are cut shorter, and the sides stay. */
static void test_a_summary_of_long_texts_fits(void **state)
{
	struct toy_contrast toy = toy_contrast();
	char names[3][201], commands[601];
	json_t *tree, *summary;

	(void)state;
	memset(commands, '\\', sizeof(commands) - 1); /* two stand for one in a row, and two for one in JSON */
	commands[sizeof(commands) - 1] = '\0';
	toy.side[2] = toy.side[1];
	for (int i = 0; i < 3; i++) {
		memset(names[i], 'a' + i, sizeof(names[i]) - 1);
		names[i][sizeof(names[i]) - 1] = '\0';
		toy.side[i].variant = names[i];
		toy.side[i].command = commands;
	}
	toy.failure = commands;
	tree = told(&toy);
	summary = summary_of(tree);
	assert_int_equal(
		json_array_size(json_object_get(json_array_get(json_object_get(summary, "families"), 0), "sides")), 2);
	json_decref(summary);
	json_decref(tree);
}

static void test_families_of_kernels_have_no_summary(void **state)
{
	json_t *tree = fixture_scenario("families");

	(void)state;
	assert_null(report_summary(tree));
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_the_best_value),
		scratch_test(test_the_best_value_by_its_step),
		scratch_test(test_two_values_with_the_same_kernels),
		scratch_test(test_steps_of_the_best_value),
		scratch_test(test_no_value_is_better),
		scratch_test(test_the_same_kernels),
		scratch_test(test_the_summary_has_the_same_keys),
		scratch_test(test_details_go_first),
		scratch_test(test_the_summary_fits),
		scratch_test(test_texts_are_cut_behind_a_word),
		scratch_test(test_a_summary_of_long_texts_fits),
		scratch_test(test_families_of_kernels_have_no_summary),
	};

	return cmocka_run_group_tests_name("words: values", tests, NULL, NULL);
}
