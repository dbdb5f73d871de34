/* floor.c: the floor of a pipeline, what stands beside it, and a variant that is under it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixtures/model-family.h"

#define FLOOR "families.0.floors.0."

/* The numbers stand at the top of tests/fixtures/scenarios/floor.c. */
static void test_floor_of_copies(void **state)
{
	json_t *tree = fixture_scenario("floor");

	(void)state;
	assert_size(tree, "families.0.floors", 2);
	assert_text(tree, FLOOR "case", "large");
	assert_true_at(tree, FLOOR "headline");
	assert_size(tree, FLOOR "schedules", 2);
	assert_number(tree, FLOOR "schedules.0.median_ns", 3000);
	assert_text(tree, FLOOR "shortest", "both-at-once");
	assert_number(tree, FLOOR "kernels.median_ns", 1000);
	assert_text(tree, FLOOR "floor.variant", "both-at-once");
	assert_number(tree, FLOOR "floor.median_ns", 2100);
	assert_text(tree, FLOOR "bound_by", "copies");
	assert_number(tree, FLOOR "bytes_in", 8000);
	assert_number(tree, FLOOR "bytes_out", 8000);
	assert_number(tree, FLOOR "in_bytes_s", 4e9);
	assert_number(tree, FLOOR "out_bytes_s", 8e9);
	assert_number(tree, FLOOR "one_way_ns", 2000);
	assert_number(tree, FLOOR "two_way_bytes_s", 16000 / 2100.0 * 1e9);
	assert_number(tree, FLOOR "launch_ns", 2500);
	assert_text(tree, FLOOR "nearest", "two-buffers");
	assert_number(tree, FLOOR "nearest_share.value", 0.7);
	json_decref(tree);
}

static void test_variants_against_it(void **state)
{
	json_t *tree = fixture_scenario("floor");

	(void)state;
	assert_size(tree, FLOOR "variants", 2);
	assert_text(tree, FLOOR "variants.0.variant", "one-buffer");
	assert_number(tree, FLOOR "variants.0.efficiency.value", 0.525);
	assert_integer(tree, FLOOR "variants.0.exposed_h2d_ns", 2000);
	assert_integer(tree, FLOOR "variants.0.exposed_d2h_ns", 1000);
	assert_null_at(tree, FLOOR "variants.0.hidden_share");
	assert_number(tree, FLOOR "variants.1.efficiency.value", 0.7);
	/* in 0-2000 beside the kernel of 1000-1500; out 1500-2000 and 2500-3000 beside the one of 2000-2500 */
	assert_integer(tree, FLOOR "variants.1.exposed_h2d_ns", 1500);
	assert_integer(tree, FLOOR "variants.1.exposed_d2h_ns", 1000);
	assert_integer(tree, FLOOR "variants.1.duplex_ns", 500);
	assert_number(tree, FLOOR "variants.1.hidden_share", 0.5);
	assert_passed(tree, "floor");
	assert_figure(tree, "floor", 0.7);
	json_decref(tree);
}

static void test_floor_of_kernels(void **state)
{
	json_t *tree = fixture_scenario("floor");

	(void)state;
	assert_text(tree, "families.0.floors.1.floor.variant", "only-kernels");
	assert_text(tree, "families.0.floors.1.bound_by", "kernels");
	assert_number(tree, "families.0.floors.1.floor.median_ns", 950);
	assert_text(tree, "families.0.floors.1.nearest", "one-buffer");
	assert_number(tree, "families.0.floors.1.nearest_share.value", 0.95);
	assert_null_at(tree, "families.0.floors.1.one_way_ns");
	json_decref(tree);
}

/* Parts of the work are no competitors, and a family without schedules has no floor. */
static void test_parts_do_not_compete(void **state)
{
	json_t *tree = fixture_scenario("floor");

	(void)state;
	assert_false_at(tree, "families.0.variants.1.part");
	assert_true_at(tree, "families.0.variants.2.part");
	assert_text(tree, "families.0.fastest.one.variant", "one-buffer");
	assert_text(tree, "families.0.fastest.several.variant", "two-buffers");
	assert_number(tree, "families.0.fastest.ratio.value", 4000 / 3000.0);
	assert_size(tree, "families.1.floors", 0);
	assert_text(tree, "families.1.contrasts.0.verdict", "unclear");
	json_decref(tree);
}

/* A pipeline "a" 400 and "b" `b` ns, with a floor of 200. */
static json_t *with_floor(double b)
{
	struct recording *rec = family_begin();

	fixture_row(rec, "VARIANT family=f name=both ord=3 kind=floor buffers=0 teachesFailure=0");
	write_samples(rec, 12, 400, b, 0, 0);
	for (int block = 0; block < 12; block++)
		write_sample(rec, "both", block, 4, 200, 0);
	write_right(rec);
	return family_end(rec);
}

static void test_faster_than_the_floor(void **state)
{
	json_t *tree = with_floor(190);

	(void)state;
	assert_failed(tree, "floor");
	assert_figure(tree, "floor", 200 / 190.0);
	assert_string_equal(check_text(tree, "floor", "failure"), "b is 5.3 % faster than the floor");
	assert_text(tree, CONTRAST "verdict", "unclear");
	json_decref(tree);
	/* within the band that counts as the same */
	tree = with_floor(199);
	assert_passed(tree, "floor");
	assert_text(tree, CONTRAST "verdict", "faster");
	json_decref(tree);
}

/* The fastest with one buffer is wrong in another case, so it wins nothing. */
static void test_fastest_is_right(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	fixture_row(rec, "VARIANT family=f name=quick ord=3 kind=candidate buffers=1 teachesFailure=0");
	write_samples(rec, 12, 400, 200, 0, 0);
	for (int block = 0; block < 12; block++)
		write_sample(rec, "quick", block, 4, 100, 0);
	write_right(rec);
	write_verify(rec, "quick", "c", 0, 0);
	write_verify(rec, "quick", "odd", 0, 1);
	tree = family_end(rec);
	assert_text(tree, "families.0.fastest.one.variant", "a");
	assert_number(tree, "families.0.fastest.ratio.value", 2);
	json_decref(tree);
}

/* How many buffers a variant has is asked of the case: one that is declared with several, and chose one, wins nothing
 * from those that have several. Nor does another case's number count. */
static void test_buffers_of_the_case(void **state)
{
	static const char *const labels[] = {"odd", "c"};

	(void)state;
	for (size_t i = 0; i < sizeof labels / sizeof labels[0]; i++) {
		struct recording *rec = family_begin();
		json_t *tree;

		fixture_row(rec, "VARIANT family=f name=chooses ord=3 kind=candidate buffers=7 teachesFailure=0");
		fixture_row(rec, "BUFFERS family=f variant=chooses caseLabel=%s buffers=1", labels[i]);
		write_samples(rec, 12, 400, 200, 0, 0);
		for (int block = 0; block < 12; block++)
			write_sample(rec, "chooses", block, 4, 100, 0);
		write_right(rec);
		write_verify(rec, "chooses", "c", 0, 0);
		tree = family_end(rec);
		assert_text(tree, "families.0.fastest.one.variant", i == 0 ? "a" : "chooses");
		assert_text(tree, "families.0.fastest.several.variant", i == 0 ? "chooses" : "b");
		assert_integer(tree, "families.0.variants.2.buffers", i == 0 ? 7 : 1);
		json_decref(tree);
	}
}

/* A control that is right may be the fastest; a reference may not. */
static void test_a_control_may_be_the_fastest(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	fixture_row(rec, "VARIANT family=f name=twin ord=3 kind=control buffers=2 teachesFailure=0");
	fixture_row(rec, "VARIANT family=f name=library ord=4 kind=reference buffers=2 teachesFailure=0");
	write_samples(rec, 12, 400, 200, 0, 0);
	for (int block = 0; block < 12; block++) {
		write_sample(rec, "twin", block, 4, 160, 0);
		write_sample(rec, "library", block, 5, 100, 0);
	}
	write_right(rec);
	write_verify(rec, "twin", "c", 0, 0);
	write_verify(rec, "library", "c", 0, 0);
	tree = family_end(rec);
	assert_text(tree, "families.0.fastest.several.variant", "twin");
	assert_number(tree, "families.0.fastest.ratio.value", 2.5);
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_floor_of_copies),
		scratch_test(test_variants_against_it),
		scratch_test(test_floor_of_kernels),
		scratch_test(test_parts_do_not_compete),
		scratch_test(test_faster_than_the_floor),
		scratch_test(test_fastest_is_right),
		scratch_test(test_buffers_of_the_case),
		scratch_test(test_a_control_may_be_the_fastest),
	};

	return cmocka_run_group_tests_name("model: floor", tests, NULL, NULL);
}
