/* program-steps.c: a contrast of programs that do more than the steps that count: other steps, and work outside of
 * steps.
 */
#include <setjmp.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixtures/programs-fixture.h"
#include "tree/tree.h"

/* Both tell that all of the 100 steps from the first one that counts on do so, too. */
static struct toy_contrast toy_of_all_steps(void)
{
	struct toy_contrast toy = toy_contrast();

	for (int i = 0; i < 2; i++)
		toy.side[i].extent = (struct toy_extent){.steps = 102,
			.processes = 1,
			.ns = toy.side[i].gemm + toy.side[i].copy + toy.side[i].alone,
			.host_ns = toy.side[i].host};
	return toy;
}

/* The second side takes the times of the first. */
static void take_as_long(struct toy_contrast *toy)
{
	toy->side[1].gemm = toy->side[0].gemm;
	toy->side[1].alone = toy->side[0].alone;
	toy->side[1].host = toy->side[0].host;
}

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

/* A kind of steps of a side: its list of kernels, and 100 steps in all. */
struct toy_kind {
	const char *side, *list;
	int steps, steady, later;
	double ns;         /* of a step */
	const char *shape; /* NULL: of the list, whatever the shape */
	int launches;      /* of a step; "a", "b" and "c" launch kernels of the same names */
};

static bool has_the_loop(const struct toy_kind *kind)
{
	return kind->list[1] == '\0' && strchr("abc", kind->list[0]);
}

static json_t *contrast_of_kinds(const struct toy_contrast *toy, const struct toy_kind *kinds, size_t n)
{
	struct recording *rec = fixture_begin("kinds.sqlite");
	struct error err = {0};

	toy_contrast_write(rec, toy, &err);
	assert_string_equal(err.text, "");
	for (size_t i = 0; i < n; i++)
		fixture_row(rec,
			"STEPKIND family=contrast variant=%s block=0 position=0 list=%s name=k_%s names=%s "
			"launches=%d steps=%d steady=%d later=%d ns=%.17g allSteps=100 %s%s",
			kinds[i].side, kinds[i].list, has_the_loop(&kinds[i]) ? "loop" : kinds[i].list,
			has_the_loop(&kinds[i]) ? "loop" : kinds[i].list, kinds[i].launches, kinds[i].steps,
			kinds[i].steady, kinds[i].later, kinds[i].ns * kinds[i].later, kinds[i].shape ? "shape=" : "",
			kinds[i].shape ? kinds[i].shape : "");
	fixture_end(rec);
	return fixture_model("kinds.sqlite");
}

#define CONTRAST_OF_KINDS(toy, ...)                                                                                    \
	contrast_of_kinds(toy, (const struct toy_kind[]){__VA_ARGS__},                                                 \
		sizeof((const struct toy_kind[]){__VA_ARGS__}) / sizeof(struct toy_kind))

/* Of the two sides other kinds count, which say that the other one needs 20 % less. */
static void test_two_kinds_are_no_two_programs(void **state)
{
	struct toy_contrast toy = toy_of_all_steps();
	json_t *tree;

	(void)state;
	/* Training on one side, validation on the other. Over all steps there is little difference. */
	tree = CONTRAST_OF_KINDS(&toy, {"single", "t", 60, 59, 60, 1e6, NULL, 1},
		{"single", "v", 40, 0, 40, 8e5, NULL, 1}, {"other", "t", 40, 0, 40, 1e6, NULL, 1},
		{"other", "v", 60, 59, 60, 8e5, NULL, 1});
	assert_verdicts(tree, "unclear", "unclear");
	assert_kernel_reason(tree, "kinds");
	assert_text(tree, "families.0.reason_text",
		"perhaps two kinds of steps are compared. Of the sides' steps they are: with `k_t` 60 % and 40 %, with "
		"`k_v` 40 % and 60 %. Over all steps kernels need 4.3 % less, over those that count 20.0 % less");
	json_decref(tree);
	/* Other kernels in all steps. */
	tree = CONTRAST_OF_KINDS(&toy, {"single", "t", 60, 59, 60, 1e6, NULL, 1},
		{"single", "v", 40, 0, 40, 8e5, NULL, 1}, {"other", "t2", 40, 0, 40, 1e6, NULL, 1},
		{"other", "v2", 60, 59, 60, 8e5, NULL, 1});
	assert_verdicts(tree, "unclear", "unclear");
	assert_kernel_reason(tree, "kinds");
	json_decref(tree);
	/* Training that comes before validation is no warm-up of it, if that counts on neither side. */
	tree = CONTRAST_OF_KINDS(&toy, {"single", "t", 60, 59, 60, 1e6, NULL, 1},
		{"single", "v", 40, 0, 40, 8e5, NULL, 1}, {"other", "t", 40, 0, 0, 1e6, NULL, 1},
		{"other", "v", 60, 59, 60, 8e5, NULL, 1});
	assert_kernel_reason(tree, "kinds");
	json_decref(tree);
	/* No other kind on either side but for warm-up. */
	tree = CONTRAST_OF_KINDS(&toy, {"single", "t", 100, 99, 100, 1e6, NULL, 1},
		{"other", "t", 20, 0, 0, 1e6, NULL, 1}, {"other", "w", 80, 79, 80, 8e5, NULL, 1});
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
}

/* A loop for a fixed time inside of the step runs as often as it can. */
static void test_steps_as_long_as_they_like(void **state)
{
	struct toy_contrast toy = toy_of_all_steps();
	json_t *tree;

	(void)state;
	toy.side[0].launches = 150;
	toy.side[1].launches = 170;
	tree = CONTRAST_OF_KINDS(&toy, {"single", "a", 50, 49, 50, 1e6, NULL, 140},
		{"single", "b", 50, 49, 50, 1e6, NULL, 160}, {"other", "c", 100, 99, 100, 8e5, NULL, 170});
	assert_verdicts(tree, "unclear", "unclear");
	assert_kernel_reason(tree, "launches");
	assert_text(tree, "families.0.reason_text",
		"steps of one side launch 140 to 160 kernels, of the other 170, as a loop for a fixed time does: let "
		"it run a fixed number of times");
	json_decref(tree);
	/* Also where one of the numbers alone counts. */
	tree = CONTRAST_OF_KINDS(&toy, {"single", "a", 40, 0, 40, 1e6, NULL, 160},
		{"single", "b", 60, 59, 60, 1e6, NULL, 165}, {"other", "c", 100, 99, 100, 8e5, NULL, 170});
	assert_kernel_reason(tree, "launches");
	json_decref(tree);
	/* What is less each time. */
	tree = CONTRAST_OF_KINDS(
		&toy, {"single", "a", 100, 99, 100, 1e6, NULL, 160}, {"other", "c", 100, 99, 100, 8e5, NULL, 80});
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
	/* What changes, and is the same in the steps that count. */
	toy.side[1].launches = 150;
	tree = CONTRAST_OF_KINDS(&toy, {"single", "a", 50, 49, 50, 1e6, NULL, 140},
		{"single", "b", 50, 49, 50, 1e6, NULL, 160}, {"other", "c", 100, 99, 100, 8e5, NULL, 150});
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
}

/* Each step has kernels of its own, but for the few that count. */
static void test_few_steps_count(void **state)
{
	struct toy_contrast toy = toy_of_all_steps();
	json_t *tree;

	(void)state;
	take_as_long(&toy);
	toy.side[1].extent = toy.side[0].extent;
	tree = CONTRAST_OF_KINDS(&toy, {"single", "a", 45, 45, 45, 1e6, NULL, 1},
		{"single", "b", 55, 0, 55, 2e6, NULL, 1}, {"other", "a", 45, 45, 45, 1e6, NULL, 1},
		{"other", "c", 55, 0, 55, 1e6, NULL, 1});
	assert_verdicts(tree, "unclear", "unclear");
	assert_kernel_reason(tree, "coverage");
	assert_text(tree, "families.0.reason_text",
		"55 % of the steps launch other kernels or none. Over all steps kernels need 35.5 % less, over those "
		"that count the same time");
	json_decref(tree);
	tree = CONTRAST_OF_KINDS(&toy, {"single", "a", 45, 45, 45, 1e6, NULL, 1},
		{"single", "b", 55, 0, 55, 2e6, NULL, 1}, {"other", "a", 45, 45, 45, 1e6, NULL, 1},
		{"other", "c", 55, 0, 55, 2e6, NULL, 1});
	assert_verdicts(tree, "same", "same");
	json_decref(tree);
}

/* Steps of other kinds bear out what those say that count, whichever these are. */
static void test_two_kinds_may_say_the_same(void **state)
{
	struct toy_contrast toy = toy_of_all_steps();
	json_t *tree;

	(void)state;
	/* As now and then another kernel runs. */
	tree = CONTRAST_OF_KINDS(&toy, {"single", "t", 100, 99, 100, 1e6, NULL, 1},
		{"other", "t2", 75, 74, 75, 8e5, NULL, 1}, {"other", "t3", 25, 0, 25, 9e5, NULL, 1});
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
	/* Two processes have a kind each, and which has more steps is chance. */
	take_as_long(&toy);
	toy.side[1].extent = toy.side[0].extent;
	tree = CONTRAST_OF_KINDS(&toy, {"single", "a", 50, 49, 50, 1e6, NULL, 1},
		{"single", "b", 50, 48, 50, 8e5, NULL, 1}, {"other", "a", 49, 48, 49, 1e6, NULL, 1},
		{"other", "b", 51, 50, 51, 8e5, NULL, 1});
	assert_verdicts(tree, "same", "same");
	json_decref(tree);
	tree = CONTRAST_OF_KINDS(&toy, {"single", "a", 50, 49, 50, 1e6, NULL, 1},
		{"single", "b", 50, 48, 50, 8e5, NULL, 1}, {"other", "a", 49, 48, 49, 102e4, NULL, 1},
		{"other", "b", 51, 50, 51, 82e4, NULL, 1});
	assert_verdicts(tree, "unclear", "unclear");
	assert_kernel_reason(tree, "kinds");
	json_decref(tree);
}

/* The same kernels on few blocks and on many, which count all. */
static void test_steps_of_several_sizes(void **state)
{
	struct toy_contrast toy = toy_of_all_steps();
	json_t *tree;

	(void)state;
	tree = CONTRAST_OF_KINDS(&toy, {"single", "t", 100, 100, 100, 1e6, NULL, 1},
		{"other", "t", 100, 100, 100, 8e5, NULL, 1}, {"single", "t", 60, 60, 60, 12e5, "many", 1},
		{"single", "t", 40, 40, 40, 7e5, "few", 1}, {"other", "t", 20, 20, 20, 12e5, "many", 1},
		{"other", "t", 80, 80, 80, 7e5, "few", 1});
	assert_verdicts(tree, "unclear", "unclear");
	assert_kernel_reason(tree, "shapes");
	assert_text(tree, "families.0.reason_text",
		"steps are of several kinds or sizes. With as many of each on both sides kernels need the same time, "
		"as they come "
		"20.0 % less");
	json_decref(tree);
	/* As many of each, and each is faster. */
	tree = CONTRAST_OF_KINDS(&toy, {"single", "t", 100, 100, 100, 1e6, NULL, 1},
		{"other", "t", 100, 100, 100, 8e5, NULL, 1}, {"single", "t", 60, 60, 60, 12e5, "many", 1},
		{"single", "t", 40, 40, 40, 7e5, "few", 1}, {"other", "t", 58, 58, 58, 96e4, "many", 1},
		{"other", "t", 42, 42, 42, 56e4, "few", 1});
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
	/* Other grids are what the sides differ in. */
	tree = CONTRAST_OF_KINDS(&toy, {"single", "t", 100, 100, 100, 1e6, NULL, 1},
		{"other", "t", 100, 100, 100, 8e5, NULL, 1}, {"single", "t", 60, 60, 60, 12e5, "many", 1},
		{"single", "t", 40, 40, 40, 7e5, "few", 1}, {"other", "t", 20, 20, 20, 12e5, "more", 1},
		{"other", "t", 80, 80, 80, 7e5, "few", 1});
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
}

/* What does not count is slower than before. */
static void test_the_other_kind_differs(void **state)
{
	struct toy_contrast toy = toy_of_all_steps();
	json_t *tree;

	(void)state;
	take_as_long(&toy);
	tree = CONTRAST_OF_KINDS(&toy, {"single", "t", 60, 59, 60, 1e6, NULL, 1},
		{"single", "v", 40, 0, 40, 1e6, NULL, 1}, {"other", "t", 70, 69, 70, 1e6, NULL, 1},
		{"other", "v", 30, 0, 30, 1005000, NULL, 1});
	assert_verdicts(tree, "same", "same");
	json_decref(tree);
	tree = CONTRAST_OF_KINDS(&toy, {"single", "t", 60, 59, 60, 1e6, NULL, 1},
		{"single", "v", 40, 0, 40, 1e6, NULL, 1}, {"other", "t", 60, 59, 60, 1e6, NULL, 1},
		{"other", "v", 40, 0, 40, 2e6, NULL, 1});
	assert_verdicts(tree, "unclear", "unclear");
	assert_kernel_reason(tree, "other-kinds");
	assert_text(tree, "families.0.reason_text",
		"other kinds of steps differ. Over all kinds kernels need 40.0 % more, over the one that counts the "
		"same time");
	json_decref(tree);
	/* Warm-up is none of it. */
	tree = CONTRAST_OF_KINDS(&toy, {"single", "t", 60, 59, 60, 1e6, NULL, 1},
		{"single", "v", 40, 0, 0, 1e6, NULL, 1}, {"other", "t", 60, 59, 60, 1e6, NULL, 1},
		{"other", "v", 40, 0, 0, 2e6, NULL, 1});
	assert_verdicts(tree, "same", "same");
	json_decref(tree);
	/* A step that is faster in one kind and the same in the other is faster. */
	toy = toy_of_all_steps();
	tree = CONTRAST_OF_KINDS(&toy, {"single", "t", 60, 59, 60, 1e6, NULL, 1},
		{"single", "v", 40, 0, 40, 1e8, NULL, 1}, {"other", "t", 60, 59, 60, 8e5, NULL, 1},
		{"other", "v", 40, 0, 40, 1e8, NULL, 1});
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
}

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
	json_t *tree;

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
	tree = contrast_of(&toy);
	assert_verdicts(tree, "same", "same");
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
		scratch_test(test_two_kinds_are_no_two_programs),
		scratch_test(test_steps_as_long_as_they_like),
		scratch_test(test_few_steps_count),
		scratch_test(test_two_kinds_may_say_the_same),
		scratch_test(test_the_other_kind_differs),
		scratch_test(test_steps_of_several_sizes),
		scratch_test(test_kernels_that_moved_out_of_steps),
		scratch_test(test_small_gains_and_kernels_outside),
		scratch_test(test_copies_that_moved_out_of_steps),
		scratch_test(test_work_that_moved_out_of_steps),
		scratch_test(test_pauses_of_a_loop),
		scratch_test(test_what_differs_besides),
	};

	return cmocka_run_group_tests_name("model: program steps", tests, NULL, NULL);
}
