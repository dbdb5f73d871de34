/* contrast-program.c: what is said of the time of two programs: of their step, and of the whole process. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "fixtures/told-contrast.h"
#include "tree/tree.h"
#include "words/contrast/median.h"

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

/* The kernels are the same, with the same code, so that the step decides. Its host time is up to the caller. */
static struct toy_contrast toy_of_same_kernels(void)
{
	struct toy_contrast toy = toy_contrast();

	for (int i = 0; i < 2; i++) {
		toy.side[i].gemm = toy.side[0].gemm;
		toy.side[i].alone = 0;
		toy.side[i].registers = toy.side[0].registers;
		toy.side[i].shared = toy.side[0].shared;
		toy.side[i].dynamic = toy.side[0].dynamic;
		toy.side[i].waits = 1;
		toy.side[i].code = "0123456789abcdef";
	}
	return toy;
}

/* The answer comes first: it is the step's, and kernels come second. */
static void assert_step_first(const struct toy_contrast *toy, const char *first, const char *second)
{
	json_t *tree = told(toy);
	const char *text = json_string_value(at(tree, "families.0.verdict_text"));

	if (strncmp(text, first, strlen(first)) != 0 || strncmp(text + strlen(first), second, strlen(second)) != 0)
		fail_msg("%s", text);
	assert_short_sentences(text);
	json_decref(tree);
}

static void test_the_step_comes_first_where_it_decides(void **state)
{
	static const char same[] = " Both sides need the same kernel time (1.000×, 95 % interval ";
	struct toy_contrast toy = toy_of_same_kernels();

	(void)state;
	toy.noise = 0;
	assert_step_first(&toy,
		"A step of `mm --stages 3` takes 18.2 % less time than one of `mm --stages 1` (1.222×, 95 % interval "
		"1.222× to 1.222×).",
		same);
	toy.side[1].host = 1320000;
	assert_step_first(&toy,
		"A step of `mm --stages 3` takes 20.0 % more time than one of `mm --stages 1` (0.833×, 95 % interval "
		"0.833× to 0.833×).",
		same);
	toy.side[1].host = toy.side[0].host;
	assert_step_first(&toy,
		"A step of `mm --stages 3` and one of `mm --stages 1` take the same time (1.000×, 95 % interval 1.000× "
		"to "
		"1.000×).",
		same);
	toy.period = true;
	toy.side[0].lag_share = toy.side[1].lag_share = -1;
	toy.side[1].host = 900000;
	assert_step_first(&toy,
		"A step of `mm --stages 3` takes 18.2 % less time than one of `mm --stages 1` (1.222×, 95 % interval "
		"1.222× to 1.222×). The time of a step is that from its begin to the next one's.",
		same);
}

/* What both sides are is said once; of a step without a time nothing is said of sides. */
static void test_the_step_comes_first_without_a_time(void **state)
{
	struct toy_contrast toy = toy_of_same_kernels();

	(void)state;
	toy.noise = 0;
	toy.side[0].waits = toy.side[1].waits = -1;
	assert_step_first(&toy,
		"The program's step does not wait for its work: that asking for it takes 18.2 % less time (1.222×) "
		"says nothing about the work. ",
		"`mm --stages 3` and `mm --stages 1` need the same kernel time (1.000×, ");
}

/* Of three sides it is not plain which both are. */
static void test_the_step_of_one_of_three_comes_first(void **state)
{
	struct toy_contrast toy = toy_of_same_kernels();

	(void)state;
	toy.noise = 0;
	toy.side[2] = toy.side[1];
	toy.side[2].variant = "third";
	toy.side[2].host = 950000;
	for (int i = 0; i < 3; i++)
		toy.side[i].command = (const char *[]){"mm", "mm2", "mm3"}[i];
	assert_step_first(&toy,
		"A step of `mm2` takes 18.2 % less time than one of `mm` (1.222×, 95 % interval 1.222× to 1.222×). ",
		"`mm2` and `mm` need the same kernel time (1.000×, ");
}

/* What it usually takes to be told of a family in a line is the step's, too. */
static void test_the_line_is_the_steps(void **state)
{
	struct toy_contrast toy = toy_of_same_kernels();
	json_t *tree = told(&toy);

	(void)state;
	assert_int_equal(strncmp(tree_text(at(tree, "families.0"), "line"), "1.22×  contrast", 16), 0);
	json_decref(tree);
}

/* `more` are further members of a step. */
static void assert_step_told(const char *more, const char *want)
{
	char text[400];
	json_t *family;

	snprintf(text, sizeof(text),
		"{\"sides\": [{\"name\": \"a\", \"median_step\": {\"step\": 3, \"steps\": 9, \"steady\": 1, "
		"\"pieces\": 5%s}}]}",
		more);
	family = json_loads(text, 0, NULL);
	assert_non_null(family);
	median_step_words(family);
	assert_string_equal(
		tree_text(json_object_get(json_array_get(json_object_get(family, "sides"), 0), "median_step"), "text"),
		want);
	json_decref(family);
}

/* What the picture of a step shows of it. An older recording does not say. */
static void test_window_of_a_step(void **state)
{
	(void)state;
	assert_step_told(", \"kept\": true", "a: step 3 of 9.");
	assert_step_told(", \"kept\": true, \"window\": \"duration\", \"inside\": 5", "a: step 3 of 9.");
	assert_step_told(", \"kept\": true, \"window\": \"period\", \"inside\": 4",
		"a: step 3 of 9. The picture ends where the next step begins. 1 of its 5 pieces of work lies outside "
		"of "
		"the picture.");
	assert_step_told(", \"kept\": true, \"window\": \"kernels\", \"inside\": 2",
		"a: step 3 of 9. The GPU lags behind the host: the picture begins with the step's first kernel, and is "
		"as long as it takes from the begin of the step to that of the next one. 3 of its 5 pieces of work lie "
		"outside of the picture.");
	assert_step_told(", \"kept\": true, \"window\": \"work\", \"inside\": 5",
		"a: step 3 of 9. The GPU works on behind the step's end: the picture goes from its first work to the "
		"end of its last.");
	assert_step_told(", \"kept\": false", "a: step 3 of 9. It has 5 pieces of work, too many for a picture.");
	assert_step_told(", \"kept\": false, \"window\": \"work\", \"inside\": null",
		"a: step 3 of 9. It has 5 pieces of work and more beside them, too many for a picture.");
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_from_begin_to_begin),
		scratch_test(test_the_step_comes_first_where_it_decides),
		scratch_test(test_the_step_comes_first_without_a_time),
		scratch_test(test_the_step_of_one_of_three_comes_first),
		scratch_test(test_the_line_is_the_steps),
		cmocka_unit_test(test_window_of_a_step),
		scratch_test(test_work_that_moved),
		scratch_test(test_without_a_range),
		scratch_test(test_an_order_that_may_be_chance),
		scratch_test(test_a_step_that_does_not_wait),
		scratch_test(test_steps_that_take_turns),
		scratch_test(test_one_of_three_steps_does_not_wait),
	};

	return cmocka_run_group_tests_name("words: contrast program", tests, NULL, NULL);
}
