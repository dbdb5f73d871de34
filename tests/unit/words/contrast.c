/* contrast.c: what is said of two programs. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "fixtures/told-contrast.h"
#include "tree/tree.h"
#include "words/contrast/causes.h"

static void assert_told(const struct toy_contrast *toy, const char *want)
{
	json_t *tree = told(toy);
	const char *text = json_string_value(at(tree, "families.0.verdict_text"));

	assert_short_sentences(text);
	assert_string_equal(text, want);
	assert_text(tree, "answer", want);
	json_decref(tree);
}

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

/* What is said of the machine code, and whether the verdict says it too. */
static void assert_code_told(const struct toy_contrast *toy, const char *want, bool in_verdict)
{
	json_t *tree = told(toy);
	const char *verdict = json_string_value(at(tree, "families.0.verdict_text"));

	assert_text(tree, "families.0.code_text", want);
	assert_short_sentences(want);
	assert_short_sentences(verdict);
	assert_int_equal(strstr(verdict, want) != NULL, in_verdict);
	json_decref(tree);
}

static void test_the_same_machine_code(void **state)
{
	struct toy_contrast toy = toy_contrast();

	(void)state;
	for (int i = 0; i < 2; i++) {
		toy.side[i].alone = 0;
		toy.side[i].shared = 1024;
		toy.side[i].code = "00000000000000c0";
		toy.side[i].waits = 1;
	}
	/* A verdict that finds a difference stands: both are told. */
	assert_code_told(&toy,
		"Both sides run the same machine code with the same launches: only their data and arguments can make "
		"kernels differ.",
		true);
	toy.side[1].gemm = toy.side[0].gemm;
	assert_code_told(&toy,
		"Both sides run the same machine code with the same launches: the variation changed no kernel, but "
		"the program's time differs.",
		true);
	toy.side[1].host = toy.side[0].host;
	assert_code_told(&toy,
		"Both sides run the same machine code with the same launches: the variation changed nothing.", true);
	for (int i = 0; i < 2; i++)
		toy.side[i].extent =
			(struct toy_extent){.steps = 102, .processes = 1, .ns = 960000, .host_ns = 1100000};
	assert_code_told(&toy,
		"Both sides run the same machine code with the same launches: the variation changed nothing.", true);
	toy.side[1].extent.left_kernels = "00000000000000bb";
	assert_code_told(&toy,
		"Both sides run the same machine code with the same launches in the steps that count; what does not "
		"count differs or varies.",
		true);
	toy.side[1].dynamic = 1024;
	assert_code_told(&toy,
		"Both sides run the same machine code, but not with the same launches: grids, blocks, shared memory "
		"or their numbers differ.",
		true);
}

/* Who knows nothing of the program does not say that nothing changed. */
static void test_no_kernel_changed(void **state)
{
	static const char no_kernel[] = "Both sides run the same machine code with the same launches: the variation "
					"changed no kernel.";
	struct toy_contrast toy = toy_contrast();

	(void)state;
	for (int i = 0; i < 2; i++) {
		toy.side[i].alone = 0;
		toy.side[i].gemm = 900000;
		toy.side[i].shared = 1024;
		toy.side[i].code = "00000000000000c0";
		toy.side[i].waits = -1;
	}
	assert_code_told(&toy, no_kernel, true);
}

/* The period of a step is told as such. */
static void test_from_begin_to_begin(void **state)
{
	struct toy_contrast toy = toy_contrast();

	(void)state;
	toy.period = true;
	toy.side[0].lag_share = toy.side[1].lag_share = -1;
	assert_told(&toy, "`mm --stages 3` needs 20.0 % less kernel time than `mm --stages 1` (1.250×, 95 % interval "
			  "1.249× to 1.251×). The program's step, from its begin to the next one's, takes 18.2 % less "
			  "time (1.222×).");
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

static void test_work_that_moved(void **state)
{
	struct toy_contrast toy = toy_contrast();

	(void)state;
	toy.side[0].between = 50000;
	toy.side[1].between = 240000;
	assert_told(&toy, "`mm --stages 3` needs 20.0 % less kernel time than `mm --stages 1` (1.250×, 95 % interval "
			  "1.249× to 1.251×). The program's step takes 18.2 % less time (1.222×). The time between "
			  "two steps is 190 µs longer: work may have moved, or steps are waited for.");
	toy.side[1].between = toy.side[0].between;
	for (int i = 0; i < 2; i++)
		toy.side[i].extent = (struct toy_extent){.steps = 102,
			.processes = 1,
			.ns = toy.side[i].gemm + toy.side[i].copy + toy.side[i].alone,
			.host_ns = toy.side[i].host};
	toy.side[1].extent.between_ns = 190000;
	assert_told(&toy, "`mm --stages 3` needs 20.0 % less kernel time than `mm --stages 1` (1.250×, 95 % interval "
			  "1.249× to 1.251×). The program's step takes 18.2 % less time (1.222×). The time between "
			  "two steps is 190 µs longer by mean, pauses included: work may have moved, or steps are "
			  "waited for.");
}

static void test_other_machine_code(void **state)
{
	struct toy_contrast toy = toy_contrast();

	(void)state;
	assert_code_told(&toy, "The sides run different machine code.", false);
	toy.side[0].alone = toy.side[1].alone = 0;
	assert_code_told(&toy, "Whether the sides run the same machine code is not known.", false);
	toy.side[0].code = toy.side[1].code = "00000000000000c0";
	toy.side[1].recoded = true;
	assert_code_told(&toy,
		"Whether the sides run the same machine code is not known. Machine code came anew under the same name "
		"in gemm (other): it was compiled or chosen anew, and which one ran is not known.",
		false);
}

static void test_a_third_side_of_the_same_code(void **state)
{
	struct toy_contrast toy = toy_contrast();

	(void)state;
	for (int i = 0; i < 2; i++) {
		toy.side[i].alone = 0;
		toy.side[i].shared = 1024;
		toy.side[i].code = i ? "00000000000000c1" : "00000000000000c0";
	}
	toy.side[1].variant = "other-1";
	toy.side[2] = toy.side[0];
	toy.side[2].variant = "other-2";
	assert_code_told(&toy,
		"`mm --stages 1` and `mm --stages 3` run different machine code. `other-2` runs what `single` runs: "
		"the same machine code, the same launches.",
		false);
	/* What is true of the pair is not said of all. */
	toy.side[1] = toy.side[0];
	toy.side[1].variant = "other-1";
	toy.side[1].command = "mm";
	toy.side[2].code = "00000000000000c1";
	assert_code_told(&toy, "`mm --stages 1` and `mm` run the same machine code with the same launches.", true);
	toy.side[2].code = toy.side[0].code;
	assert_code_told(&toy,
		"`mm --stages 1` and `mm` run the same machine code with the same launches: the variation changed "
		"nothing. `other-2` runs what `single` runs: the same machine code, the same launches.",
		false);
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

static void test_without_a_range(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[0].host = toy.side[1].host = 0;
	tree = told(&toy);
	assert_text(tree, "families.0.verdicts.program.text",
		"The whole process shows no difference. It checks the direction only: use --range to time a step.");
	json_decref(tree);
	toy.side[1].twice = 1 << 0 | 1 << 3 | 1 << 6;
	tree = told(&toy);
	assert_text(tree, "families.0.verdicts.program.verdict", "unclear");
	assert_size(tree, "families.0.verdicts.program.reasons", 0);
	assert_text(tree, "families.0.verdicts.program.text",
		"The whole process's time is too uneven to tell (0.328× to 1.009×). It checks the direction only: use "
		"--range to time a step.");
	json_decref(tree);
}

/* The interval gives a verdict, and half of the runs say the opposite. */
static void test_an_order_that_may_be_chance(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[0].host = toy.side[1].host = 0;
	toy.side[1].twice = 1 << 1 | 1 << 3 | 1 << 5 | 1 << 7;
	tree = told(&toy);
	assert_text(tree, "families.0.verdicts.program.verdict", "unclear");
	assert_size(tree, "families.0.verdicts.program.reasons", 1);
	assert_text(tree, "families.0.verdicts.program.reasons.0", "ranks");
	assert_text(tree, "families.0.verdicts.program.text",
		"The whole process does not tell: in only 16 of 32 pairs of runs it is slower, which may be chance. It "
		"checks the direction only: use --range to time a step.");
	assert_string_equal(
		tree_text(tree_find(at(tree, "families.0.verdicts.program.evidence"), "name", "ranks"), "text"),
		"in 16 of 32 pairs of runs in a block the other side is slower; 25 are more than chance");
	assert_string_equal(
		tree_text(tree_find(at(tree, "families.0.verdicts.kernel.evidence"), "name", "ranks"), "text"),
		"in 32 of 32 pairs of runs in a block the other side is faster; 25 are more than chance");
	json_decref(tree);
}

/* Its host time is none of the work, so its ratio is no answer. */
static void test_a_step_that_does_not_wait(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[0].waits = toy.side[1].waits = -1;
	tree = told(&toy);
	assert_text(tree, "families.0.verdicts.program.text",
		"The program's step does not wait for its work: that asking for it takes 18.2 % less time (1.222×) "
		"says nothing about the work.");
	json_decref(tree);
}

/* Two buffers, each with a kernel of its own: it does wait, one step later. */
static void test_steps_that_take_turns(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[0].waits = toy.side[1].waits = -1;
	toy.side[1].extent = (struct toy_extent){.steps = 100, .processes = 1, .left_steps = 50};
	tree = told(&toy);
	assert_text(tree, "families.0.verdicts.program.verdict", "unclear");
	assert_text(tree, "families.0.verdicts.program.submission_by", "turns");
	assert_text(tree, "families.0.verdicts.program.text",
		"The program's step may end before its work, and its neighbours launch other kernels: it has no time "
		"that can be compared.");
	json_decref(tree);
	/* They have periods, which were not taken since one side falls behind. */
	toy.side[0].lag_share = toy.side[1].lag_share = 0.1;
	tree = told(&toy);
	assert_text(tree, "families.0.verdicts.program.submission_by", "calls");
	json_decref(tree);
}

/* Of three sides each has its own answer, whatever the first pair does. */
static void test_one_of_three_steps_does_not_wait(void **state)
{
	static const char says_nothing[] = "The program's step does not wait for its work:";
	struct toy_contrast toy = toy_contrast();

	(void)state;
	toy.side[1].variant = "other-1";
	toy.side[2] = toy.side[1];
	toy.side[2].variant = "other-2";
	toy.side[0].waits = 1;
	for (int quick = 1; quick <= 2; quick++) {
		json_t *tree;

		toy.side[quick].waits = -1;
		toy.side[3 - quick].waits = 1;
		tree = told(&toy);
		for (int i = 1; i <= 2; i++) {
			const json_t *side = json_array_get(at(tree, "families.0.sides"), (size_t)i);
			const json_t *program = json_object_get(json_object_get(side, "verdicts"), "program");

			assert_int_equal(tree_true(program, "submission"), i == quick);
			assert_int_equal(strncmp(tree_text(program, "text"), says_nothing, strlen(says_nothing)) == 0,
				i == quick);
		}
		json_decref(tree);
	}
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
	/* As the command line said it, if the recording has that. */
	toy.failure = "single (mm) took longer than 60 s: --timeout sets the limit";
	assert_told(&toy, "No verdict: single (mm) took longer than 60 s: --timeout sets the limit.");
}

static void test_what_makes_the_difference(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree = told(&toy);

	(void)state;
	assert_text(tree, "families.0.contrasts.0.because", "gemm makes 90 % of the difference");
	assert_text(tree, "families.0.contrasts.0.cause",
		"Kernel gemm makes 180 µs of the 200 µs that the kernels of a step differ by. Its registers per thread "
		"go from 64 to "
		"96. "
		"Its shared memory per block goes from 16.0 KiB to 48.0 KiB. Why the times differ was not measured: no "
		"kernel was counted on both sides.");
	assert_text(tree, "families.0.sides.1.line", "kernels 1.25×, program 1.22×  ./mm --stages 3");
	json_decref(tree);
}

/* Its command need not have it. */
static void test_a_line_tells_the_value(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[0].variant = "stages=1";
	toy.side[1].variant = "stages=3";
	tree = told(&toy);
	assert_text(tree, "families.0.sides.1.line", "kernels 1.25×, program 1.22×  stages=3  ./mm --stages 3");
	json_decref(tree);
}

/* A kernel that makes up for others, or moves the other way, makes no part of the difference. */
static void test_parts_that_are_no_part(void **state)
{
	static const struct {
		double share, ns;
		const char *cause, *because;
	} parts[] = {{2.6, 520000, "Kernel gemm differs by 520 µs; the kernels of a step differ by 200 µs.",
			     "gemm differs by 520 µs, others the other way"},
		{-1.6, -320000, "Kernel gemm differs by 320 µs; the kernels of a step differ by 200 µs, the other way.",
			""}};

	(void)state;
	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++) {
		struct toy_contrast toy = toy_contrast();
		json_t *tree = told(&toy), *family = (json_t *)at(tree, "families.0");
		json_t *contrast = (json_t *)at(tree, "families.0.contrasts.0");
		json_t *part = (json_t *)at(tree, "families.0.parts.0");

		json_object_set_new(part, "share", json_real(parts[i].share));
		json_object_set_new(part, "ns", json_real(parts[i].ns));
		json_object_set_new(contrast, "because", json_string(""));
		contrast_causes_words(family);
		assert_memory_equal(tree_text(contrast, "cause"), parts[i].cause, strlen(parts[i].cause));
		assert_string_equal(tree_text(contrast, "because"), parts[i].because);
		json_decref(tree);
	}
}

static void test_why_a_step_differs(void **state)
{
	struct toy_contrast toy = toy_counted();
	json_t *tree = told(&toy);

	(void)state;
	assert_text(tree, "families.0.contrasts.0.because", "gemm: 229 µs less memory wait");
	assert_text(tree, "families.0.contrasts.0.cause",
		"Kernel gemm makes 195 µs of the 215 µs that the kernels of a step differ by. Warps wait for memory "
		"(long "
		"scoreboard) for 36.7 % of their time instead of 53.8 %.");
	assert_text(tree, "families.0.contrasts.2.because", "229 µs less memory wait");
	assert_text(tree, "families.0.contrasts.0.causes.1.text",
		"Kernel clear_lock, which only single runs, takes 40.0 µs.");
	assert_text(tree, "families.0.sides.1.line",
		"kernels 1.26×, program 1.21×  ./mm --stages 3  gemm: 229 µs less memory wait");
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

/* What one side alone runs can take more than the whole difference. */
static void test_other_kernels(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[0].alone = 940000;
	toy.side[0].gemm = 0;
	toy.side[1].alone = 740000;
	toy.side[1].gemm = 0;
	tree = told(&toy);
	assert_text(tree, "families.0.contrasts.0.because", "clear_lock takes 940 µs in single alone");
	assert_text(tree, "families.0.contrasts.0.cause",
		"Kernel clear_lock, which only single runs, takes 940 µs; the kernels of a step differ by 200 µs. Why "
		"the times "
		"differ "
		"was not measured: no kernel was counted on both sides.");
	json_decref(tree);
}

static void assert_first_cause(json_t *tree, const char *because, const char *cause)
{
	json_t *contrast = (json_t *)at(tree, "families.0.contrasts.0");

	json_object_set_new(contrast, "because", json_string(""));
	contrast_causes_words((json_t *)at(tree, "families.0"));
	assert_string_equal(tree_text(contrast, "because"), because);
	assert_memory_equal(tree_text(contrast, "cause"), cause, strlen(cause));
}

/* The other side may run it as well, but not in its steps. */
static void test_other_kernels_of_steps(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[0].alone = 940000;
	toy.side[0].gemm = 0;
	toy.side[1].alone = 740000;
	toy.side[1].gemm = 0;
	tree = told(&toy);
	json_object_set_new((json_t *)at(tree, "families.0.parts.0"), "elsewhere", json_true());
	assert_first_cause(tree, "clear_lock takes 940 µs in steps of single alone",
		"Kernel clear_lock, which steps of single alone launch, takes 940 µs; the kernels");
	json_decref(tree);
}

/* A name is cut where templates are alike; one that others have goes with its number. */
static void test_names_that_do_not_tell(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree = told(&toy);
	json_t *part = (json_t *)at(tree, "families.0.parts.0"), *matched = (json_t *)at(tree, "families.0.matched");
	json_t *another = json_deep_copy(json_array_get(matched, 0));

	(void)state;
	json_object_set_new(another, "case", json_string("kernel 9: gemm"));
	json_array_append_new(matched, another);
	assert_first_cause(tree, "gemm makes 90 % of the difference", "Kernel gemm (kernel 1) makes 180 µs of");
	json_object_set_new(part, "name",
		json_string("void cutlass::Kernel<cutlass::gemm::kernel::GemmUniversal<cute::tuple<int, 128>>, 64>"));
	assert_first_cause(tree,
		"void cutlass::Kernel<cutlass::gemm::…tuple<int, 128>>, 64> makes 90 % of the difference",
		"Kernel void cutlass::Kernel<cutlass::gemm::…");
	json_decref(tree);
}

/* A kernel that has another name in the other program is told by both. */
static void test_a_match_by_place(void **state)
{
	struct toy_contrast toy = toy_counted();
	json_t *tree = told(&toy);

	(void)state;
	assert_true(json_is_null(at(tree, "families.0.place_text")));
	json_decref(tree);
	toy.side[1].gemm_name = "gemm_pipelined";
	tree = told(&toy);
	assert_text(tree, "families.0.place_text",
		"Different names, same place in the step: gemm (single) is held against gemm_pipelined (other).");
	assert_text(tree, "families.0.contrasts.0.because", "gemm: 229 µs less memory wait");
	assert_text(tree, "families.0.contrasts.0.cause",
		"Kernel gemm (gemm_pipelined in other) makes 195 µs of the 215 µs that the kernels of a step differ "
		"by. Warps wait "
		"for "
		"memory (long scoreboard) for 36.7 % of their time instead of 53.8 %.");
	json_decref(tree);
}

/* Two sides that spill: the sentence calls them what the page does. */
static void test_which_side_spills(void **state)
{
	struct toy_contrast toy = toy_counted();
	json_t *tree;

	(void)state;
	toy.side[0].count_gemm.local_bytes = 64;
	toy.side[0].variant = "stages=1";
	tree = told(&toy);
	assert_text(tree, "families.0.contrasts.2.first_cause", "spills");
	assert_text(tree, "families.0.contrasts.0.because", "gemm: stages=1 spills registers to local memory");
	json_decref(tree);
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
		scratch_test(test_the_same_machine_code),
		scratch_test(test_no_kernel_changed),
		scratch_test(test_from_begin_to_begin),
		scratch_test(test_steps_that_do_not_count),
		scratch_test(test_one_reason_for_both),
		scratch_test(test_work_that_moved),
		scratch_test(test_other_machine_code),
		scratch_test(test_a_third_side_of_the_same_code),
		scratch_test(test_names_that_change),
		scratch_test(test_why_it_is_unclear),
		scratch_test(test_what_a_contradiction_usually_is),
		scratch_test(test_kernels_that_run_at_once),
		scratch_test(test_without_a_range),
		scratch_test(test_an_order_that_may_be_chance),
		scratch_test(test_a_step_that_does_not_wait),
		scratch_test(test_steps_that_take_turns),
		scratch_test(test_one_of_three_steps_does_not_wait),
		scratch_test(test_who_failed),
		scratch_test(test_a_line_tells_the_value),
		scratch_test(test_what_makes_the_difference),
		scratch_test(test_parts_that_are_no_part),
		scratch_test(test_why_a_step_differs),
		scratch_test(test_clocks_of_one_block),
		scratch_test(test_other_kernels),
		scratch_test(test_other_kernels_of_steps),
		scratch_test(test_names_that_do_not_tell),
		scratch_test(test_a_match_by_place),
		scratch_test(test_which_side_spills),
		scratch_test(test_the_fastest_of_three),
	};

	return cmocka_run_group_tests_name("words: contrast", tests, NULL, NULL);
}
