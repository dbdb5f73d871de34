/* contrast-code.c: whether two programs run the same machine code, in words. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "fixtures/told-contrast.h"

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
		"Both sides run the same machine code, but not with the same launches. They differ in shared memory.",
		true);
	toy.side[1].launches = 2;
	toy.side[1].grid_z = 2;
	assert_code_told(&toy,
		"Both sides run the same machine code, but not with the same launches. They differ in grids, "
		"shared memory and their numbers.",
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
	/* Its kernels take longer, by their data: then nobody says that no kernel was changed. */
	toy.side[2].gemm *= 1.2;
	toy.side[2].host += toy.side[2].gemm / 6;
	assert_code_told(&toy,
		"`mm --stages 1` and `mm` run the same machine code with the same launches. `other-2` runs what "
		"`single` runs: the same machine code, the same launches.",
		false);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_the_same_machine_code),
		scratch_test(test_no_kernel_changed),
		scratch_test(test_other_machine_code),
		scratch_test(test_a_third_side_of_the_same_code),
	};

	return cmocka_run_group_tests_name("words: contrast code", tests, NULL, NULL);
}
