/* contrast-verdict.c: the verdict on two programs in words, and why it is unclear. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "fixtures/told-contrast.h"
#include "tree/tree.h"
#include "words/contrast/contrast.h"
#include "words/contrast/pass-words.h"

static void test_the_size_comes_first(void **state)
{
	struct toy_contrast toy = toy_contrast();

	(void)state;
	assert_told(&toy, "`mm --stages 3` needs 20.0 % less kernel time than `mm --stages 1` (1.250×, 95 % interval "
			  "1.249× to 1.251×). The program's step takes 18.2 % less time (1.222×).");
	toy.noise = 0;
	toy.side[1].gemm = 1150000;
	toy.side[1].alone = 40000;
	toy.side[1].host = 1320000;
	assert_told(&toy, "`mm --stages 3` needs 25.0 % more kernel time than `mm --stages 1` (0.800×, 95 % interval "
			  "0.800× to 0.800×). The program's step takes 20.0 % more time (0.833×).");
}

/* What the verdict is on stands for all steps, or not. */
static void test_steps_that_do_not_count(void **state)
{
	struct toy_contrast toy = toy_contrast();

	(void)state;
	for (int i = 0; i < 2; i++)
		toy.side[i].extent =
			(struct toy_extent){.steps = 102, .processes = 1, .ns = 1000000, .host_ns = 1100000};
	toy.side[1].extent.left_steps = 50;
	assert_told(&toy,
		"Whether `mm --stages 3` needs less kernel time than `mm --stages 1` is unclear: 50 % of the "
		"steps launch other kernels or none. Over all steps kernels need the same time, over those "
		"that count 20.0 % less. For the program's step it is unclear: 50 % of the steps launch other "
		"kernels or none.");
	toy = toy_contrast();
	for (int i = 0; i < 2; i++)
		toy.side[i].extent = (struct toy_extent){.steps = 102 - 51 * i,
			.processes = 1 + i,
			.ns = 1000000 - 200000 * i,
			.host_ns = 1100000 - 200000 * i};
	toy.side[1].extent.copy_ns = 200000;
	toy.side[1].extent.between_ns = 45000;
	assert_told(&toy, "`mm --stages 3` needs 20.0 % less kernel time than `mm --stages 1` (1.250×, 95 % interval "
			  "1.249× to 1.251×). The program's step takes 18.2 % less time (1.222×). A run has 102 steps "
			  "with `mm --stages 1` and 51 with `mm --stages 3`; times are of one. A run has steps in 1 "
			  "process with `mm --stages 1` and in 2 with `mm --stages 3`, perhaps at once. Copies outside "
			  "of the steps take 0 ns for each step with `mm --stages 1`, 200 µs with `mm --stages 3`.");
	for (int i = 0; i < 2; i++)
		toy.side[i].extent = (struct toy_extent){
			.steps = 102, .processes = 1, .ns = 1000000 - 200000 * i, .host_ns = 1100000 - 200000 * i};
	toy.side[1].extent.copy_ns = 200000;
	toy.side[1].extent.between_ns = 210000;
	assert_told(&toy,
		"`mm --stages 3` needs 20.0 % less kernel time than `mm --stages 1` (1.250×, 95 % interval "
		"1.249× to 1.251×). For the program's step it is unclear: copies moved: a step is 200 µs "
		"shorter, and the time between two is 210 µs longer. Copies outside of the steps take 0 ns for "
		"each step with `mm --stages 1`, 200 µs with `mm --stages 3`.");
}

/* What is wrong with both is said once. */
static void test_one_reason_for_both(void **state)
{
	struct toy_contrast toy = toy_contrast();

	(void)state;
	toy.blocks = 3;
	assert_told(&toy,
		"Whether `mm --stages 3` needs less kernel time than `mm --stages 1` is unclear: 3 whole blocks, "
		"6 are needed: use --budget=29s. For the program's step it is unclear for the same reason.");
}

/* Which kernels are the same is not known then, and none makes the difference. */
static void test_names_that_change(void **state)
{
	struct toy_contrast toy = toy_contrast();

	(void)state;
	toy.side[0].renamed = toy.side[1].renamed = true;
	assert_told(&toy, "`mm --stages 3` needs 20.0 % less kernel time than `mm --stages 1` (1.250×, 95 % interval "
			  "1.249× to 1.251×). The program's step takes 18.2 % less time (1.222×). Kernels have other "
			  "names in each run: which of them are the same is not known.");
}

static void test_why_it_is_unclear(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.blocks = 5;
	tree = told(&toy);
	assert_text(tree, "families.0.reason_text", "5 whole blocks, 6 are needed: use --budget=29s");
	assert_text(tree, "families.0.line", "1.25×  contrast  5 whole blocks, 6 are needed: use --budget=29s");
	json_decref(tree);

	toy.blocks = 8;
	toy.side[0].host = toy.side[1].host = 0;
	toy.side[0].incomplete = true;
	tree = told(&toy);
	assert_text(
		tree, "families.0.reason_text", "records of kernels are missing or untimed: choose a step by --range");
	json_decref(tree);

	toy = toy_contrast();
	toy.side[1].check = "differs";
	tree = told(&toy);
	assert_text(tree, "families.0.reason_text", "the outputs differ");
	assert_text(tree, "families.0.verdicts.kernel.text",
		"Whether `mm --stages 3` needs less kernel time than `mm --stages 1` is unclear: the outputs "
		"differ.");
	json_decref(tree);

	toy.side[1].check = "same";
	toy.side[1].traced = 110000;
	tree = told(&toy);
	assert_text(tree, "families.0.reason_text", "tracing changes the step by more than half of the difference");
	json_decref(tree);
}

/* The text tells what that usually is, and both numbers. */
static void test_what_a_contradiction_usually_is(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[0].waits = toy.side[1].waits = 1;
	toy.side[1].gemm = 1150000;
	toy.side[1].alone = 40000;
	assert_told(&toy,
		"Whether `mm --stages 3` is better than `mm --stages 1` is unclear: kernels need 25.0 % more time, the "
		"step 18.2 % less. A step that gets shorter with slower kernels usually overlaps work: kernels run "
		"beside copies or the host, and slow down.");
	tree = told(&toy);
	assert_text(tree, "families.0.reason_text",
		"kernels need 25.0 % more, the step 18.2 % less time: usually work overlaps");
	json_decref(tree);

	toy = toy_contrast();
	toy.side[1].host = 1320000;
	assert_told(&toy,
		"Whether `mm --stages 3` is better than `mm --stages 1` is unclear: kernels need 20.0 % less time, the "
		"step 20.0 % more. A step that gets longer with faster kernels usually overlaps less: copies or the "
		"host's work take time of their own.");
	tree = told(&toy);
	assert_text(tree, "families.0.reason_text",
		"kernels need 20.0 % less, the step 20.0 % more time: usually less overlaps");
	json_decref(tree);
}

/* Two streams instead of one: the times of the same kernels add up to as much, and the GPU is busy for half as long. */
static void test_kernels_that_run_at_once(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	for (int i = 0; i < 2; i++) {
		toy.side[i].gemm = 900000;
		toy.side[i].alone = 40000;
		toy.side[i].busy = i == 0 ? 1000000 : 500000;
		toy.side[i].waits = 1;
	}
	tree = told(&toy);
	assert_text(tree, "families.0.verdicts.kernel.verdict", "unclear");
	assert_text(tree, "families.0.verdicts.kernel.reasons.0", "at-once");
	assert_text(tree, "families.0.reason_text", "by added times the same, by the GPU's busy time faster");
	assert_text(tree, "families.0.sides.1.at_once_text",
		"Kernels of `mm --stages 3` run at once. Their times add up to 1.00 ms, but the GPU is busy "
		"with them for 500 µs.");
	assert_null_at(tree, "families.0.sides.0.at_once_text");
	assert_non_null(strstr(json_string_value(at(tree, "answer")),
		" Their times add up to 1.00 ms, but the GPU is busy with them for 500 µs."));
	assert_short_sentences(json_string_value(at(tree, "answer")));
	json_decref(tree);

	/* Both do so alike: the verdict stands, and it is told. */
	toy.side[0].busy = 800000;
	toy.side[1].busy = 801000;
	tree = told(&toy);
	assert_text(tree, "families.0.verdicts.kernel.verdict", "same");
	assert_true_at(tree, "families.0.sides.0.kernels_at_once");
	json_decref(tree);

	/* A percent is not worth a word. */
	toy.side[0].busy = toy.side[1].busy = 990000;
	tree = told(&toy);
	assert_text(tree, "families.0.verdicts.kernel.verdict", "same");
	assert_null_at(tree, "families.0.sides.1.at_once_text");
	assert_null(tree_find(at(tree, "families.0.verdicts.kernel.evidence"), "name", "at-once"));
	json_decref(tree);
}

/* Clocks that are apart are no doubt where nothing is clear anyway, and one block is one. */
static void test_clocks_of_one_block(void **state)
{
	struct toy_contrast toy = toy_contrast();
	const json_t *evidence;
	json_t *tree;

	(void)state;
	toy.blocks = 1;
	toy.side[1].mhz = 1700;
	tree = told(&toy);
	evidence = at(tree, "families.0.verdicts.kernel.evidence");
	assert_string_equal(tree_text(tree_find(evidence, "name", "blocks"), "text"),
		"1 whole block of both sides, from 4 processes");
	assert_string_equal(tree_text(tree_find(evidence, "name", "clocks"), "text"),
		"mean SM clock 1980 MHz and 1700 MHz; they would matter to a clear difference in time, and there is "
		"none");
	json_decref(tree);
}

static void test_who_failed(void **state)
{
	struct toy_contrast toy = toy_contrast();

	(void)state;
	toy.side[1].signal = 11;
	assert_told(&toy, "`mm --stages 3` was ended by signal 11 (SIGSEGV): there is no verdict on it.");
	toy.side[1].signal = 0;
	toy.side[0].exit = 3;
	assert_told(&toy, "`mm --stages 1` ended with status 3: there is no verdict on it.");
	/* One that dbprof ended has not ended by itself, and one that was never started has no status. */
	toy.side[0].exit = 0;
	toy.side[0].ended = "timeout";
	assert_told(&toy, "`mm --stages 1` was ended by dbprof after --timeout: there is no verdict on it.");
	toy.side[0].signal = 15;
	assert_told(&toy, "`mm --stages 1` was ended by dbprof after --timeout: there is no verdict on it.");
	toy.side[0].signal = 0;
	toy.side[0].exit = 127;
	toy.side[0].ended = "not-started";
	assert_told(&toy, "`mm --stages 1` was not started: there is no verdict on it.");
	/* As the command line said it, if the recording has that. */
	toy.failure = "single (mm) took longer than 60 s: --timeout sets the limit";
	assert_told(&toy, "No verdict: single (mm) took longer than 60 s: --timeout sets the limit.");
}

/* What stands on stderr is not said again. */
static void test_a_reason_that_was_told(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;
	char *text;

	(void)state;
	toy.failure = "other (mm) ended with status 3";
	tree = told(&toy);
	text = contrast_words_told(at(tree, "families.0"), json_string_value(at(tree, "answer")));
	assert_non_null(strstr(text, " The runs ended early."));
	assert_null(strstr(text, "status 3"));
	assert_non_null(strstr(
		json_string_value(at(tree, "answer")), " The runs ended early: other (mm) ended with status 3."));
	free(text);
	json_decref(tree);
	toy.failure = NULL;
	tree = told(&toy);
	text = contrast_words_told(at(tree, "families.0"), json_string_value(at(tree, "answer")));
	assert_string_equal(text, json_string_value(at(tree, "answer")));
	free(text);
	json_decref(tree);
}

/* Of a recording whose kernels are faster, or not, with one pass. */
static json_t *passes_told(const char *verdict, const char *pass, const char *status, const char *origin)
{
	json_t *recording = json_pack("{s:[{s:s,s:s,s:[{s:{s:{s:s}}}]}],s:[{s:s,s:s,s:s,s:s}]}", "families", "name",
		"contrast", "origin", origin, "sides", "verdicts", "kernel", "verdict", verdict, "passes", "family",
		"contrast", "pass", pass, "status", status, "reason", "no permission");
	json_t *list = pass_words_of_programs(recording);

	json_decref(recording);
	return list;
}

static void assert_pass_told(const char *verdict, const char *pass, const char *status, const char *text)
{
	json_t *list = passes_told(verdict, pass, status, "programs");

	assert_int_equal(json_array_size(list), text ? 1 : 0);
	if (text)
		assert_string_equal(json_string_value(json_array_get(list, 0)), text);
	json_decref(list);
}

/* What failed is told. Who reads that a program is faster expects a cause. */
static void test_passes_that_gave_nothing(void **state)
{
	json_t *list;

	(void)state;
	assert_pass_told("same", "counters", "failed", "the counters pass failed: no permission");
	assert_pass_told("same", "pm", "failed", "the pm pass failed: no permission");
	assert_pass_told("faster", "counters", "skipped", "the counters pass was skipped: no permission");
	assert_pass_told("slower", "counters", "skipped", "the counters pass was skipped: no permission");
	assert_pass_told("same", "counters", "skipped", NULL);
	assert_pass_told("faster", "code", "skipped", NULL);
	assert_pass_told("faster", "counters", "done", NULL);
	/* The answer has that reason. */
	assert_pass_told("same", "time", "failed", NULL);
	list = passes_told("faster", "counters", "failed", "");
	assert_int_equal(json_array_size(list), 0);
	json_decref(list);
}

static void test_the_fastest_of_three(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[1].variant = "other-1";
	toy.side[2] = toy.side[1];
	toy.side[2].variant = "stages=5";
	toy.side[2].gemm = 600000;
	tree = told(&toy);
	assert_non_null(strstr(
		json_string_value(at(tree, "answer")), " By median, `stages=5` needs the least kernel time of all 3."));
	assert_short_sentences(json_string_value(at(tree, "answer")));
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_the_size_comes_first),
		scratch_test(test_steps_that_do_not_count),
		scratch_test(test_one_reason_for_both),
		scratch_test(test_names_that_change),
		scratch_test(test_why_it_is_unclear),
		scratch_test(test_what_a_contradiction_usually_is),
		scratch_test(test_kernels_that_run_at_once),
		scratch_test(test_clocks_of_one_block),
		scratch_test(test_who_failed),
		scratch_test(test_a_reason_that_was_told),
		scratch_test(test_passes_that_gave_nothing),
		scratch_test(test_the_fastest_of_three),
	};

	return cmocka_run_group_tests_name("words: contrast verdict", tests, NULL, NULL);
}
