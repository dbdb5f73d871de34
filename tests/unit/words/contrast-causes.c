/* contrast-causes.c: what is said of the kernels that make the difference of two programs, and of why. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "fixtures/told-contrast.h"
#include "tree/tree.h"
#include "words/contrast/causes.h"

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

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_what_makes_the_difference),
		scratch_test(test_a_line_tells_the_value),
		scratch_test(test_parts_that_are_no_part),
		scratch_test(test_why_a_step_differs),
		scratch_test(test_other_kernels),
		scratch_test(test_other_kernels_of_steps),
		scratch_test(test_names_that_do_not_tell),
		scratch_test(test_a_match_by_place),
		scratch_test(test_which_side_spills),
	};

	return cmocka_run_group_tests_name("words: contrast causes", tests, NULL, NULL);
}
