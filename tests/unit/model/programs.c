/* programs.c: what a contrast of programs says, rule by rule: each test changes one thing of a contrast that is clear.
 */
#include <setjmp.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixtures/programs-fixture.h"
#include "tree/tree.h"

/* ---- verdicts ---- */

static void test_the_other_is_faster(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree = contrast_of(&toy);

	(void)state;
	assert_text(tree, "families.0.origin", "programs");
	assert_verdicts(tree, "faster", "faster");
	assert_near(json_number_value(at(tree, "families.0.verdicts.kernel.ratio.value")), 1.25, 1e-9);
	assert_near(json_number_value(at(tree, "families.0.verdicts.program.ratio.value")), 11.0 / 9, 1e-9);
	assert_integer(tree, "families.0.verdicts.kernel.blocks", 8);
	assert_size(tree, "families.0.verdicts.kernel.reasons", 0);
	assert_text(tree, "families.0.verdicts.program.basis", "range");
	assert_null_at(tree, "families.0.budget_s");
	assert_near(json_number_value(at(tree, "families.0.traced_change.single")), 5.0 / 1100, 1e-9);
	assert_false_at(tree, "families.0.submission");
	json_decref(tree);
}

static void test_the_other_is_slower(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[1].gemm = 1100000;
	toy.side[1].host = 1300000;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "slower", "slower");
	json_decref(tree);
}

/* Tracing changes more than half of nothing, which is no reason to doubt that there is nothing. */
static void test_both_are_the_same(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[1].gemm = toy.side[0].gemm;
	toy.side[1].alone = toy.side[0].alone;
	toy.side[1].host = toy.side[0].host;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "same", "same");
	json_decref(tree);
}

/* ---- machine code ---- */

/* Both sides have the same code and no kernel of their own. */
static struct toy_contrast toy_of_one_code(void)
{
	struct toy_contrast toy = toy_contrast();

	for (int i = 0; i < 2; i++) {
		toy.side[i].alone = 0;
		toy.side[i].shared = 1024;
		toy.side[i].code = "00000000000000c0";
	}
	return toy;
}

static void test_the_code_is_the_same(void **state)
{
	struct toy_contrast toy = toy_of_one_code();
	json_t *tree = contrast_of(&toy);

	(void)state;
	/* Whatever the verdict. */
	assert_verdicts(tree, "faster", "faster");
	assert_true_at(tree, "families.0.same_code");
	assert_true_at(tree, "families.0.same_launches");
	assert_size(tree, "families.0.launches_differ", 0);
	assert_null_at(tree, "families.0.sides.0.launches_differ");
	assert_size(tree, "families.0.changing_code", 0);
	assert_true_at(tree, "families.0.matched.0.same_code");
	assert_text(tree, "families.0.matched.0.kernels.0.code", "00000000000000c0");
	assert_integer(tree, "families.0.matched.0.kernels.0.codes", 1);
	assert_null_at(tree, "families.0.sides.0.same_code");
	assert_true_at(tree, "families.0.sides.1.same_code");
	json_decref(tree);

	toy.side[1].dynamic = 1024;
	tree = contrast_of(&toy);
	assert_true_at(tree, "families.0.same_code");
	assert_false_at(tree, "families.0.same_launches");
	assert_size(tree, "families.0.launches_differ", 1);
	assert_text(tree, "families.0.launches_differ.0", "shared-memory");
	json_decref(tree);

	toy.side[1].dynamic = 0;
	toy.side[1].shared = 2048;
	tree = contrast_of(&toy);
	assert_false_at(tree, "families.0.same_launches");
	json_decref(tree);
}

/* Of all grids of a name together: it names none of them. */
static void test_a_sum_of_several_grids(void **state)
{
	struct toy_contrast toy = toy_of_one_code();
	json_t *tree;

	(void)state;
	toy.side[1].grid_z = SEVERAL_GRIDS;
	tree = contrast_of(&toy);
	assert_true_at(tree, "families.0.same_code");
	assert_false_at(tree, "families.0.same_launches");
	assert_null_at(tree, "families.0.matched.0.kernels.1.grid");
	assert_text(tree, "families.0.matched.0.kernels.1.how", "sum");
	json_decref(tree);
}

static void test_the_code_differs(void **state)
{
	struct toy_contrast toy = toy_of_one_code();
	json_t *tree;

	(void)state;
	toy.side[1].code = "00000000000000c1";
	tree = contrast_of(&toy);
	assert_false_at(tree, "families.0.same_code");
	assert_true_at(tree, "families.0.same_launches");
	assert_false_at(tree, "families.0.matched.0.same_code");
	assert_true_at(tree, "families.0.matched.1.same_code");
	json_decref(tree);

	/* A kernel of one side only. */
	toy = toy_of_one_code();
	toy.side[1].alone = 20000;
	tree = contrast_of(&toy);
	assert_false_at(tree, "families.0.same_code");
	assert_false_at(tree, "families.0.same_launches");
	json_decref(tree);
}

/* What the other side launches besides its steps may be the same code. */
static void test_the_code_is_elsewhere(void **state)
{
	(void)state;
	for (int elsewhere = 0; elsewhere < 2; elsewhere++) {
		struct toy_contrast toy = toy_of_one_code();
		struct recording *rec = fixture_begin("elsewhere.sqlite");
		struct error err = {0};
		json_t *tree;

		toy_contrast_write(rec, &toy, &err);
		assert_string_equal(err.text, "");
		fixture_row(rec,
			"MATCH family=contrast variant=single ord=3 shortName=lock ns=20000 share=0.02 elsewhere=%d",
			elsewhere);
		fixture_end(rec);
		tree = fixture_model("elsewhere.sqlite");
		if (elsewhere)
			assert_null_at(tree, "families.0.same_code");
		else
			assert_false_at(tree, "families.0.same_code");
		assert_false_at(tree, "families.0.same_launches");
		json_decref(tree);
	}
}

static void test_the_code_is_unknown(void **state)
{
	struct toy_contrast toy = toy_of_one_code();
	json_t *tree;

	(void)state;
	toy.side[0].code = NULL;
	tree = contrast_of(&toy);
	assert_null_at(tree, "families.0.same_code");
	assert_true_at(tree, "families.0.same_launches");
	assert_null_at(tree, "families.0.matched.0.same_code");
	assert_null_at(tree, "families.0.matched.0.kernels.0.code");
	json_decref(tree);

	/* Known, but not which one ran. */
	toy = toy_of_one_code();
	toy.side[1].recoded = true;
	tree = contrast_of(&toy);
	assert_null_at(tree, "families.0.same_code");
	assert_size(tree, "families.0.changing_code", 1);
	assert_text(tree, "families.0.changing_code.0.side", "other");
	assert_text(tree, "families.0.changing_code.0.name", "gemm");
	json_decref(tree);
}

/* ---- what makes it unclear ---- */

static void test_kernels_and_program_disagree(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[1].host = 1300000;
	tree = contrast_of(&toy);
	assert_kernel_reason(tree, "agreement");
	assert_text(tree, "families.0.verdicts.program.verdict", "unclear");
	assert_text(tree, "families.0.verdicts.program.reasons.0", "agreement");
	json_decref(tree);
}

/* A step that does not wait says nothing of the work, so that it contradicts nothing. It is unclear itself. */
static void test_submission_contradicts_nothing(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[1].host = 1300000;
	toy.side[0].waits = 1;
	toy.side[1].waits = -1;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "unclear");
	assert_size(tree, "families.0.verdicts.program.reasons", 1);
	assert_text(tree, "families.0.verdicts.program.reasons.0", "waits");
	json_decref(tree);

	toy.side[1].waits = 1;
	tree = contrast_of(&toy);
	assert_kernel_reason(tree, "agreement");
	json_decref(tree);
}

/* Some kernels of `toy` were chosen. */
static json_t *chosen_of(const struct toy_contrast *toy)
{
	struct recording *rec = fixture_begin("chosen.sqlite");
	struct error err = {0};

	toy_contrast_write(rec, toy, &err);
	assert_string_equal(err.text, "");
	fixture_row(rec, "LEFTOUT family=contrast variant=other block=0 position=0 reason=not-chosen launches=5 ns=7 "
			 "steps=0");
	fixture_end(rec);
	return fixture_model("chosen.sqlite");
}

/* A step has all kernels, and those that were chosen are a part of them. */
static void test_chosen_kernels_contradict_nothing(void **state)
{
	struct toy_contrast toy = toy_contrast();
	const json_t *agreement;
	json_t *tree;

	(void)state;
	toy.side[1].host = 1300000;
	tree = chosen_of(&toy);
	assert_verdicts(tree, "faster", "slower");
	assert_true_at(tree, "families.0.kernels_chosen");
	agreement = tree_find(at(tree, "families.0.verdicts.kernel.evidence"), "name", "agreement");
	assert_string_equal(tree_text(agreement, "missing"), "chosen-kernels");
	assert_text(tree, "families.0.verdicts.program.text",
		"The program's step, with all its kernels, takes 18.2 % more time (0.846×).");
	json_decref(tree);
}

/* A kernel that is held against one that was not chosen makes the other side longer. Little of that is told. */
static void test_chosen_kernels_without_a_match(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[0].alone = 0;
	toy.side[1].alone = 80000;
	tree = chosen_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	assert_text(tree, "families.0.sides.1.beside.0.what", "chosen");
	assert_text(tree, "families.0.sides.1.beside_text",
		"Of the chosen kernels' time, 0 % with `mm --stages 1` and 9.3 % with "
		"`mm --stages 3` is of kernels without a match.");
	json_decref(tree);
	toy.side[1].alone = 720000;
	tree = chosen_of(&toy);
	assert_kernel_reason(tree, "chosen");
	assert_text(tree, "families.0.reason_text",
		"chosen kernels without a match, first of all `init_pipe`, take 48 % of a side's time: choose what "
		"they are held against");
	assert_size(tree, "families.0.sides.1.beside", 0);
	json_decref(tree);
	/* Without a choice all kernels are held against all. */
	tree = contrast_of(&toy);
	assert_null(tree_find(at(tree, "families.0.verdicts.kernel.evidence"), "name", "chosen"));
	assert_text(tree, "families.0.verdicts.kernel.verdict", "slower");
	json_decref(tree);
}

/* A program that takes the same time as before contradicts nothing. */
static void test_a_program_without_difference_does_not_disagree(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[1].host = toy.side[0].host;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "same");
	json_decref(tree);
}

/* Five blocks are too few; six do. A block that was cut short is none, and moves nothing. */
static void test_too_few_blocks(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.blocks = 5;
	toy.ragged = true;
	tree = contrast_of(&toy);
	assert_kernel_reason(tree, "blocks");
	assert_text(tree, "families.0.verdicts.program.reasons.0", "blocks");
	assert_integer(tree, "families.0.verdicts.kernel.blocks", 5);
	/* Six blocks of eight runs of half a second, and a fifth of that in reserve. */
	assert_near(json_number_value(at(tree, "families.0.budget_s")), 29, 1e-9);
	assert_near(json_number_value(at(tree, "families.0.verdicts.kernel.ratio.value")), 1.25, 1e-9);
	json_decref(tree);

	toy.blocks = 6;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	assert_null_at(tree, "families.0.budget_s");
	json_decref(tree);
}

/* What dbprof does between two runs takes time as well. */
static void test_a_budget_has_room_for_pauses(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.blocks = 2;
	toy.pause_ns = 500000000;
	tree = contrast_of(&toy);
	/* Sixteen runs and the fifteen pauses between them: 15.5 s. */
	assert_near(json_number_value(at(tree, "families.0.budget_s")), ceil(1.2 * 6 * 15.5 / 2), 1e-9);
	json_decref(tree);
}

/* What was judged before a command failed stands. */
static void test_how_a_command_failed(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree = contrast_of(&toy);

	(void)state;
	assert_null_at(tree, "families.0.failure");
	json_decref(tree);

	toy.failure = "other (mm): it used no CUDA";
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.failure", "other (mm): it used no CUDA");
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
}

/* More time would not have made more blocks, so no budget is named. */
static void test_a_failure_wants_no_budget(void **state)
{
	struct toy_contrast toy = toy_contrast();
	const json_t *check;
	json_t *tree;

	(void)state;
	toy.blocks = 2;
	toy.failure = "other (mm): times of its NVTX ranges are missing";
	tree = contrast_of(&toy);
	assert_kernel_reason(tree, "blocks");
	assert_null_at(tree, "families.0.budget_s");
	check = tree_find(at(tree, "families.0.verdicts.kernel.evidence"), "name", "blocks");
	assert_true(json_is_null(json_object_get(json_object_get(check, "facts"), "budget_s")));
	json_decref(tree);
}

static void test_the_output_differs(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[1].check = "differs";
	tree = contrast_of(&toy);
	assert_kernel_reason(tree, "output");
	assert_text(tree, "families.0.verdicts.program.reasons.0", "output");
	assert_text(tree, "families.0.sides.1.output_check", "differs");
	json_decref(tree);

	toy.side[1].check = NULL;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	assert_null_at(tree, "families.0.verdicts.kernel.evidence.0.ok");
	json_decref(tree);
}

static void assert_clocks_of_kinds(const json_t *evidence)
{
	const json_t *clocks = tree_find(evidence, "name", "clocks"), *facts = json_object_get(clocks, "facts");

	assert_true(json_is_null(json_object_get(clocks, "ok")));
	assert_string_equal(tree_text(clocks, "missing"), "other-gpu");
	assert_false(tree_has(facts, "cycles") || tree_has(facts, "agree"));
}

/* With clocks 2 % apart, 25 % of time are a difference in cycles too, and 2 % may be the clock's. */
static void test_clocks_apart(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[0].mhz = 1940;
	toy.side[1].mhz = 1980;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);

	toy.side[1].alone = toy.side[0].alone;
	toy.side[1].gemm = toy.side[0].gemm - 20000;
	toy.side[1].host = toy.side[0].host - 22000;
	toy.side[0].traced = toy.side[1].traced = 0;
	tree = contrast_of(&toy);
	assert_kernel_reason(tree, "clocks");
	assert_text(tree, "families.0.verdicts.program.reasons.0", "clocks");
	json_decref(tree);

	/* On different kinds of GPU cycles decide nothing. */
	toy.side[0].gpu = "0";
	toy.side[1].gpu = "1";
	tree = contrast_with_gpus(&toy, 2);
	assert_verdicts(tree, "faster", "faster");
	assert_null_at(tree, "families.0.verdicts.kernel.cycles");
	assert_clocks_of_kinds(at(tree, "families.0.verdicts.kernel.evidence"));
	assert_clocks_of_kinds(at(tree, "families.0.verdicts.program.evidence"));
	json_decref(tree);
	toy.side[0].gpu = toy.side[1].gpu = NULL;

	/* The same difference at the same clock is one. */
	toy.side[0].mhz = 1980;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
}

/* Half of the 200 us between the sides is allowed, and the program's own verdict stands. */
static void test_tracing_disturbs(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[1].traced = 110000;
	tree = contrast_of(&toy);
	assert_kernel_reason(tree, "tracing");
	assert_text(tree, "families.0.verdicts.program.verdict", "faster");
	json_decref(tree);

	toy.side[1].traced = 90000;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
}

/* ---- without a range ---- */

static void test_without_a_range_only_the_sign_is_checked(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[0].host = toy.side[1].host = 0;
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.verdicts.kernel.verdict", "faster");
	assert_text(tree, "families.0.verdicts.program.basis", "wall");
	assert_integer(tree, "families.0.sides.0.runs.plain", 16);
	assert_null_at(tree, "families.0.traced_change");
	json_decref(tree);
}

/* The sum of all kernels lacks some. A step that has all of them is whole. */
static void test_records_are_missing(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[1].incomplete = LACK_SOME;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);

	/* But all may lack the same kernel. The program's step has its time in any case. */
	toy.side[1].incomplete = LACK_OF_EACH_STEP;
	tree = contrast_of(&toy);
	assert_kernel_reason(tree, "records");
	assert_text(tree, "families.0.verdicts.program.verdict", "faster");
	json_decref(tree);

	toy.side[0].host = toy.side[1].host = 0;
	tree = contrast_of(&toy);
	assert_kernel_reason(tree, "records");
	json_decref(tree);

	/* A warm-up gives no sample. */
	toy.side[1].incomplete = LACK_NOTHING;
	toy.cold = true;
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.verdicts.kernel.verdict", "faster");
	json_decref(tree);
}

/* A step that ends before its kernels do does not wait for them. */
/* Without a range a run that launches its kernels more often is a longer one, unless they do as much in all. */
static void test_runs_of_different_length(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[1].launches = 2;
	tree = contrast_of(&toy);
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
	toy.side[0].host = toy.side[1].host = 0;
	tree = contrast_of(&toy);
	assert_kernel_reason(tree, "length");
	json_decref(tree);
	toy.side[0].grid_z = 2;
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.verdicts.kernel.verdict", "faster");
	json_decref(tree);
	/* Kernels with other names may be what the programs differ in. */
	toy.side[0].grid_z = 1;
	toy.side[1].alone = 800000;
	toy.side[1].gemm = 20000;
	toy.side[0].alone = 1200000;
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.verdicts.kernel.verdict", "faster");
	assert_size(tree, "families.0.sides.1.beside", 0);
	json_decref(tree);
	/* Or one run is longer, which they do not tell: it is said beside the verdict. */
	toy.side[1].launches = 1;
	toy.side[1].alone_launches = 2;
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.verdicts.kernel.verdict", "faster");
	assert_text(tree, "families.0.sides.1.beside.0.what", "length");
	assert_near(json_number_value(at(tree, "families.0.sides.1.beside.0.other")),
		2 * json_number_value(at(tree, "families.0.sides.1.beside.0.single")), 1e-9);
	json_decref(tree);
	/* Kernels that match do, where they are launched more often, too. */
	toy.side[1].launches = 2;
	toy.side[1].gemm = 100000;
	toy.side[1].alone = 700000;
	tree = contrast_of(&toy);
	assert_kernel_reason(tree, "length");
	assert_size(tree, "families.0.sides.1.beside", 0);
	assert_text(tree, "families.0.reason_text", "the runs may differ in length: choose a step by --range");
	json_decref(tree);
	/* Or as often: then it is known. */
	toy.side[1].launches = 1;
	toy.side[1].gemm = 20000;
	toy.side[1].copy = 100000;
	toy.side[0].copy = 100000;
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.verdicts.kernel.verdict", "faster");
	assert_size(tree, "families.0.sides.1.beside", 0);
	json_decref(tree);
}

static void test_a_range_that_does_not_wait(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[0].host = 110000;
	toy.side[1].host = 90000;
	tree = contrast_of(&toy);
	assert_true_at(tree, "families.0.submission");
	json_decref(tree);
}

/* ---- sides ---- */

static void test_a_side_that_failed_gives_no_verdict(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[1].exit = 1;
	tree = contrast_of(&toy);
	assert_null_at(tree, "families.0.verdicts.kernel");
	assert_null_at(tree, "families.0.verdicts.program");
	assert_size(tree, "families.0.contrasts", 0);
	assert_true_at(tree, "families.0.sides.1.failed");
	assert_false_at(tree, "families.0.sides.0.failed");
	json_decref(tree);

	toy.side[1].exit = 0;
	toy.side[0].signal = 11;
	toy.blocks = 0;
	tree = contrast_of(&toy);
	assert_null_at(tree, "families.0.verdicts.kernel");
	assert_integer(tree, "families.0.sides.0.signal", 11);
	assert_true_at(tree, "families.0.sides.0.failed");
	json_decref(tree);
}

static void test_each_of_three_sides_is_held_against_the_first(void **state)
{
	json_t *tree = fixture_scenario("contrast-three");

	(void)state;
	assert_size(tree, "families.0.sides", 3);
	assert_null_at(tree, "families.0.sides.0.verdicts");
	assert_text(tree, "families.0.sides.1.verdicts.kernel.verdict", "faster");
	assert_text(tree, "families.0.sides.2.verdicts.kernel.verdict", "slower");
	assert_text(tree, "families.0.verdicts.kernel.verdict", "faster");
	json_decref(tree);
}

static void test_what_a_side_was(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree;

	(void)state;
	toy.side[0].throttle = 0x4 | 0x1;
	tree = contrast_of(&toy);
	assert_text(tree, "families.0.sides.0.role", "single");
	assert_text(tree, "families.0.sides.1.role", "other");
	assert_text(tree, "families.0.sides.0.command", "./mm --stages 1");
	assert_integer(tree, "families.0.sides.0.runs.host", 16);
	assert_integer(tree, "families.0.sides.0.runs.traced", 16);
	assert_number(tree, "families.0.sides.0.sm_mhz", 1980.0);
	assert_number(tree, "families.0.sides.0.power_w", 350.0);
	assert_size(tree, "families.0.sides.0.throttle", 1);
	assert_text(tree, "families.0.sides.0.throttle.0", "power-cap");
	assert_number(tree, "families.0.sides.1.kernels_ns", 800000.0);
	json_decref(tree);
}

/* ---- kernels ---- */

static void test_kernels_add_up_to_the_difference(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree = contrast_of(&toy);
	double sum = 0;

	(void)state;
	assert_near(json_number_value(at(tree, "families.0.difference_ns")), 200000, 1e-6);
	assert_size(tree, "families.0.parts", 5);
	for (size_t i = 0; i < json_array_size(at(tree, "families.0.parts")); i++)
		sum += json_number_value(json_object_get(json_array_get(at(tree, "families.0.parts"), i), "ns"));
	assert_near(sum, 200000, 1e-6);
	assert_text(tree, "families.0.parts.0.case", "kernel 1: gemm");
	assert_near(json_number_value(at(tree, "families.0.parts.0.ns")), 180000, 1e-6);
	assert_near(json_number_value(at(tree, "families.0.parts.0.share")), 0.9, 1e-9);
	assert_text(tree, "families.0.parts.1.kind", "unmatched");
	assert_text(tree, "families.0.parts.1.name", "clear_lock");
	assert_near(json_number_value(at(tree, "families.0.parts.1.ns")), 40000, 1e-6);
	assert_near(json_number_value(at(tree, "families.0.parts.2.ns")), -20000, 1e-6);
	assert_text(tree, "families.0.parts.4.kind", "rest");
	json_decref(tree);
}

static void test_matched_and_unmatched_kernels(void **state)
{
	struct toy_contrast toy = toy_contrast();
	json_t *tree = contrast_of(&toy);

	(void)state;
	assert_size(tree, "families.0.matched", 2);
	assert_text(tree, "families.0.matched.0.kernels.0.short_name", "gemm");
	assert_true_at(tree, "families.0.matched.0.measured");
	assert_integer(tree, "families.0.matched.0.kernels.0.registers", 64);
	assert_integer(tree, "families.0.matched.0.kernels.1.registers", 96);
	assert_integer(tree, "families.0.matched.0.kernels.1.static_shared_bytes", 49152);
	assert_integer(tree, "families.0.matched.0.kernels.1.grid.0", 132);
	assert_size(tree, "families.0.unmatched", 2);
	assert_text(tree, "families.0.unmatched.0.short_name", "clear_lock");
	assert_near(json_number_value(at(tree, "families.0.unmatched.0.share")), 0.04, 1e-9);
	assert_text(tree, "families.0.contrasts.2.case", "kernel 1: gemm");
	assert_text(tree, "families.0.contrasts.2.verdict", "faster");
	assert_text(tree, "families.0.contrasts.3.verdict", "same");
	json_decref(tree);
}

/* Kernels below a hundredth have no case, and those of the first side do not say that they are matched. */
static void test_small_kernels_that_match_are_in_the_rest(void **state)
{
	struct toy_contrast toy = toy_contrast();
	struct recording *rec = fixture_begin("small.sqlite");
	struct error err = {0};
	json_t *tree;

	(void)state;
	toy_contrast_write(rec, &toy, &err);
	assert_string_equal(err.text, "");
	fixture_row(rec, "MATCH family=contrast variant=single ord=3 shortName=tiny ns=100 share=0.0001");
	fixture_row(rec, "MATCH family=contrast variant=single ord=4 shortName=tiny ns=9000 share=0.009");
	fixture_row(rec, "MATCH family=contrast variant=other ord=3 how=grid shortName=tiny ns=90 share=0.0001");
	fixture_end(rec);
	tree = fixture_model("small.sqlite");
	assert_size(tree, "families.0.unmatched", 3);
	assert_text(tree, "families.0.unmatched.2.short_name", "tiny");
	assert_near(json_number_value(at(tree, "families.0.unmatched.2.ns")), 9000, 1e-9);
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_the_other_is_faster),
		scratch_test(test_the_other_is_slower),
		scratch_test(test_both_are_the_same),
		scratch_test(test_the_code_is_the_same),
		scratch_test(test_the_code_differs),
		scratch_test(test_a_sum_of_several_grids),
		scratch_test(test_the_code_is_elsewhere),
		scratch_test(test_the_code_is_unknown),
		scratch_test(test_kernels_and_program_disagree),
		scratch_test(test_submission_contradicts_nothing),
		scratch_test(test_chosen_kernels_contradict_nothing),
		scratch_test(test_chosen_kernels_without_a_match),
		scratch_test(test_a_program_without_difference_does_not_disagree),
		scratch_test(test_too_few_blocks),
		scratch_test(test_a_budget_has_room_for_pauses),
		scratch_test(test_how_a_command_failed),
		scratch_test(test_a_failure_wants_no_budget),
		scratch_test(test_the_output_differs),
		scratch_test(test_clocks_apart),
		scratch_test(test_tracing_disturbs),
		scratch_test(test_without_a_range_only_the_sign_is_checked),
		scratch_test(test_records_are_missing),
		scratch_test(test_runs_of_different_length),
		scratch_test(test_a_range_that_does_not_wait),
		scratch_test(test_a_side_that_failed_gives_no_verdict),
		scratch_test(test_each_of_three_sides_is_held_against_the_first),
		scratch_test(test_what_a_side_was),
		scratch_test(test_kernels_add_up_to_the_difference),
		scratch_test(test_matched_and_unmatched_kernels),
		scratch_test(test_small_kernels_that_match_are_in_the_rest),
	};

	return cmocka_run_group_tests_name("model: programs", tests, NULL, NULL);
}
