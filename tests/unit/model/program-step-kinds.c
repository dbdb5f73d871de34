/* program-step-kinds.c: a contrast of programs with several kinds of steps: their kernels, grids or launches differ. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "fixtures/all-steps-fixture.h"
#include "tree/tree.h"

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

/* What a step takes the host: "idle" ones wait for 2 ms. */
static double host_of_kind(const struct toy_kind *kind)
{
	return kind->ns + (strcmp(kind->list, "idle") == 0 ? 2e6 : 1e5);
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
			"launches=%d steps=%d steady=%d later=%d ns=%.17g hostNs=%.17g allSteps=100 %s%s",
			kinds[i].side, kinds[i].list, has_the_loop(&kinds[i]) ? "loop" : kinds[i].list,
			has_the_loop(&kinds[i]) ? "loop" : kinds[i].list, kinds[i].launches, kinds[i].steps,
			kinds[i].steady, kinds[i].later, kinds[i].ns * kinds[i].later,
			host_of_kind(&kinds[i]) * kinds[i].later, kinds[i].shape ? "shape=" : "",
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

/* A phase that one side alone has is no warm-up, and has nothing to be held against. */
static void test_a_kind_of_one_side(void **state)
{
	struct toy_contrast toy = toy_of_all_steps();
	json_t *tree;

	(void)state;
	tree = CONTRAST_OF_KINDS(&toy, {"single", "t", 100, 99, 100, 1e6, NULL, 1},
		{"other", "t", 60, 60, 60, 8e5, NULL, 1}, {"other", "v", 40, 0, 39, 24e5, NULL, 2});
	assert_verdicts(tree, "unclear", "unclear");
	assert_kernel_reason(tree, "lone-kinds");
	assert_text(tree, "families.0.reason_text",
		"66 % of one side's kernel time is in steps of a kind that the other does not have. Over all steps "
		"kernels need 43.0 % more, over those that count 20.0 % less");
	json_decref(tree);
	/* It says the same, or that a gain is none. */
	tree = CONTRAST_OF_KINDS(&toy, {"single", "t", 100, 99, 100, 1e6, NULL, 1},
		{"other", "t", 60, 60, 60, 8e5, NULL, 1}, {"other", "v", 40, 0, 39, 13e5, NULL, 2});
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
	/* A tenth of the steps, and of their time, may be anything. */
	tree = CONTRAST_OF_KINDS(&toy, {"single", "t", 100, 99, 100, 1e6, NULL, 1},
		{"other", "t", 91, 90, 91, 8e5, NULL, 1}, {"other", "v", 9, 0, 9, 8e5, NULL, 2});
	assert_null(tree_find(at(tree, "families.0.verdicts.kernel.evidence"), "name", "lone-kinds"));
	json_decref(tree);
	/* Few steps that take long. */
	tree = CONTRAST_OF_KINDS(&toy, {"single", "t", 100, 99, 100, 1e6, NULL, 1},
		{"other", "t", 95, 94, 95, 8e5, NULL, 1}, {"other", "v", 5, 0, 5, 1e7, NULL, 2});
	assert_kernel_reason(tree, "lone-kinds");
	json_decref(tree);
}

/* What does not make a kind that both sides have. */
static void test_a_kind_that_the_other_side_hardly_has(void **state)
{
	struct toy_contrast toy = toy_of_all_steps();
	json_t *tree;

	(void)state;
	/* Warm-up of the other side. */
	tree = CONTRAST_OF_KINDS(&toy, {"single", "t", 95, 94, 95, 1e6, NULL, 1},
		{"single", "v", 5, 0, 0, 24e5, NULL, 2}, {"other", "t", 60, 60, 60, 8e5, NULL, 1},
		{"other", "v", 40, 0, 39, 24e5, NULL, 2});
	assert_kernel_reason(tree, "lone-kinds");
	json_decref(tree);
	/* One such step. */
	tree = CONTRAST_OF_KINDS(&toy, {"single", "t", 99, 98, 99, 1e6, NULL, 1},
		{"single", "v", 1, 0, 1, 24e5, NULL, 2}, {"other", "t", 60, 60, 60, 8e5, NULL, 1},
		{"other", "v", 40, 0, 39, 24e5, NULL, 2});
	assert_kernel_reason(tree, "lone-kinds");
	json_decref(tree);
	/* The kernel has another name, and takes three times as long. */
	tree = CONTRAST_OF_KINDS(&toy, {"single", "t", 51, 51, 51, 1e6, NULL, 1},
		{"single", "v", 49, 0, 48, 1e6, NULL, 1}, {"other", "t", 51, 51, 51, 8e5, NULL, 1},
		{"other", "w", 49, 0, 48, 3e6, NULL, 1});
	assert_kernel_reason(tree, "lone-kinds");
	json_decref(tree);
	/* Or is the same. */
	tree = CONTRAST_OF_KINDS(&toy, {"single", "t", 51, 51, 51, 1e6, NULL, 1},
		{"single", "v", 49, 0, 48, 1e6, NULL, 1}, {"other", "t", 51, 51, 51, 8e5, NULL, 1},
		{"other", "w", 49, 0, 48, 1e6, NULL, 1});
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
	/* Validation that both have, in other numbers. */
	tree = CONTRAST_OF_KINDS(&toy, {"single", "t", 80, 79, 80, 1e6, NULL, 1},
		{"single", "v", 20, 0, 20, 1e5, NULL, 1}, {"other", "t", 60, 59, 60, 8e5, NULL, 1},
		{"other", "v", 40, 0, 40, 1e5, NULL, 1});
	assert_verdicts(tree, "faster", "faster");
	json_decref(tree);
}

/* Steps that launch nothing take the host's time alone. */
static void test_the_host_takes_other_steps(void **state)
{
	struct toy_contrast toy = toy_of_all_steps();
	json_t *tree;

	(void)state;
	take_as_long(&toy);
	for (int i = 0; i < 2; i++)
		toy.side[i].extent = (struct toy_extent){
			.steps = 102, .processes = 1, .ns = 1e6, .host_ns = toy.side[0].host, .of_run = true};
	toy.side[1].extent.empty_steps = 40;
	toy.side[1].extent.empty_host_ns = 3e6;
	tree = CONTRAST_OF_KINDS(
		&toy, {"single", "t", 100, 99, 100, 1e6, NULL, 1}, {"other", "t", 60, 59, 60, 1e6, NULL, 1});
	assert_verdicts(tree, "same", "unclear");
	assert_text(tree, "families.0.verdicts.program.reasons.0", "other-host");
	assert_non_null(strstr(tree_text(at(tree, "families.0"), "verdict_text"),
		"For the program's step it is unclear: 40 % of a side's steps launch other kernels or none. By host "
		"times all steps together need 68.9 % more, those that count the same time."));
	json_decref(tree);
	/* Few of them may have most of the time. */
	toy.side[1].extent.empty_steps = 5;
	toy.side[1].extent.empty_host_ns = 24e6;
	tree = CONTRAST_OF_KINDS(
		&toy, {"single", "t", 100, 99, 100, 1e6, NULL, 1}, {"other", "t", 95, 94, 95, 1e6, NULL, 1});
	assert_verdicts(tree, "same", "unclear");
	assert_non_null(strstr(tree_text(at(tree, "families.0"), "verdict_text"),
		"For the program's step it is unclear: 53 % of a side's step time is in steps that launch other "
		"kernels or none."));
	json_decref(tree);
	toy.side[1].extent.empty_steps = 40;
	toy.side[1].extent.empty_host_ns = 3e6;
	/* Noise that makes it unclear may rule out that it is slower. All steps are. */
	toy.noise = 0.03;
	tree = CONTRAST_OF_KINDS(
		&toy, {"single", "t", 100, 99, 100, 1e6, NULL, 1}, {"other", "t", 60, 59, 60, 1e6, NULL, 1});
	assert_text(tree, "families.0.verdicts.program.reasons.0", "other-host");
	json_decref(tree);
	toy.side[1].extent.empty_host_ns = 1e5;
	tree = CONTRAST_OF_KINDS(
		&toy, {"single", "t", 100, 99, 100, 1e6, NULL, 1}, {"other", "t", 60, 59, 60, 1e6, NULL, 1});
	assert_text(tree, "families.0.verdicts.program.verdict", "unclear");
	assert_size(tree, "families.0.verdicts.program.reasons", 0);
	json_decref(tree);
	toy.noise = toy_contrast().noise;
	/* Both sides have them. */
	toy.side[1].extent.empty_host_ns = 3e6;
	toy.side[0].extent.empty_steps = 20;
	toy.side[0].extent.empty_host_ns = 3e6;
	tree = CONTRAST_OF_KINDS(
		&toy, {"single", "t", 80, 79, 80, 1e6, NULL, 1}, {"other", "t", 60, 59, 60, 1e6, NULL, 1});
	assert_verdicts(tree, "same", "same");
	json_decref(tree);
	/* Or few, which are short. */
	toy.side[0].extent.empty_steps = 0;
	toy.side[1].extent.empty_steps = 6;
	toy.side[1].extent.empty_host_ns = 11e5;
	tree = CONTRAST_OF_KINDS(
		&toy, {"single", "t", 100, 99, 100, 1e6, NULL, 1}, {"other", "t", 94, 93, 94, 1e6, NULL, 1});
	assert_verdicts(tree, "same", "same");
	json_decref(tree);
	/* They launch little, and take the host as long. */
	toy.side[1].extent.empty_steps = 0;
	tree = CONTRAST_OF_KINDS(&toy, {"single", "t", 100, 99, 100, 1e6, NULL, 1},
		{"other", "t", 60, 59, 60, 1e6, NULL, 1}, {"other", "idle", 40, 0, 40, 1e6, NULL, 2});
	assert_verdicts(tree, "same", "unclear");
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_two_kinds_are_no_two_programs),
		scratch_test(test_steps_as_long_as_they_like),
		scratch_test(test_few_steps_count),
		scratch_test(test_two_kinds_may_say_the_same),
		scratch_test(test_steps_of_several_sizes),
		scratch_test(test_the_other_kind_differs),
		scratch_test(test_a_kind_of_one_side),
		scratch_test(test_a_kind_that_the_other_side_hardly_has),
		scratch_test(test_the_host_takes_other_steps),
	};

	return cmocka_run_group_tests_name("model: program step kinds", tests, NULL, NULL);
}
