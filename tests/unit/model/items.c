/* items.c: what becomes of items that go through a pipeline, of a recording whose rows are not all to be trusted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixtures/model-family.h"

#define ITEMS "families.0.items."
#define ONE ITEMS "0.variants.0."
#define TWO ITEMS "0.variants.1."

/* The numbers stand at the top of tests/fixtures/scenarios/items.c. */
static void test_one_buffer(void **state)
{
	json_t *tree = fixture_scenario("items");

	(void)state;
	assert_size(tree, ITEMS "0.variants", 2);
	assert_text(tree, ITEMS "0.case", "large");
	assert_true_at(tree, ITEMS "0.headline");
	assert_text(tree, ONE "variant", "one-buffer");
	assert_integer(tree, ONE "filling", 2);
	assert_integer(tree, ONE "n", 16);
	assert_integer(tree, ONE "launches", 2);
	assert_integer(tree, ONE "held_back", 4);
	assert_integer(tree, ONE "under_way", 1);
	assert_number(tree, ONE "latency_ns.median", 655);
	assert_number(tree, ONE "latency_ns.min", 620);
	assert_number(tree, ONE "latency_ns.max", 690);
	assert_number(tree, ONE "latency_ns.p99", 690);
	assert_number(tree, ONE "jitter_ns", 70);
	assert_number(tree, ONE "interval_ns", 1010);
	assert_number(tree, ONE "interval_deviation_ns", 0);
	assert_number(tree, ONE "wait_ns.median", 100);
	assert_number(tree, ONE "work_ns", 400);
	assert_size(tree, ONE "latencies_ns", 10);
	assert_number(tree, ONE "latencies_ns.9", 690);
	json_decref(tree);
}

static void test_rows_that_cannot_be_true(void **state)
{
	json_t *tree = fixture_scenario("items");

	(void)state;
	assert_text(tree, TWO "variant", "two-buffers");
	assert_integer(tree, TWO "filling", 3);
	assert_integer(tree, TWO "n", 1);
	assert_integer(tree, TWO "held_back", 0);
	assert_integer(tree, TWO "under_way", 2);
	assert_number(tree, TWO "latency_ns.median", 1100);
	assert_number(tree, TWO "jitter_ns", 0);
	assert_null_at(tree, TWO "interval_deviation_ns");
	assert_null_at(tree, TWO "work_ns");
	assert_size(tree, TWO "latencies_ns", 4);
	json_decref(tree);
}

/* A recording from before items were recorded has none, and nothing else is missing. */
static void test_without_items(void **state)
{
	json_t *tree = fixture_scenario("floor");

	(void)state;
	assert_size(tree, "families.0.items", 0);
	assert_size(tree, "families.1.items", 0);
	json_decref(tree);
}

/* A variant with a wrong result has no times, those of its items neither. */
static void test_wrong_variant(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	write_samples(rec, 12, 100, 50, 1000, 1000);
	write_verify(rec, "a", "c", 0, 0);
	write_verify(rec, "b", "c", 0, 3);
	for (int k = 0; k < 8; k++) {
		fixture_row(rec,
			"ITEM family=f variant=a caseLabel=c run=0 launch=0 ord=%d arrivedNs=%d takenNs=%d "
			"doneNs=%d heldBack=0",
			k, 3 * k, 3 * k + 1, 3 * k + 2);
		fixture_row(rec,
			"ITEM family=f variant=b caseLabel=c run=0 launch=0 ord=%d arrivedNs=%d takenNs=%d "
			"doneNs=%d heldBack=0",
			k, 3 * k, 3 * k + 1, 3 * k + 2);
	}
	tree = family_end(rec);
	assert_size(tree, ITEMS "0.variants", 1);
	assert_text(tree, ITEMS "0.variants.0.variant", "a");
	json_decref(tree);
}

/* Three items of a launch, `apart` ns from one to the next, of which each takes 1500 ns: two are under way unless the
 * next comes later. */
static void write_three(struct recording *rec, const char *variant, int apart)
{
	for (int k = 0; k < 3; k++)
		fixture_row(rec,
			"ITEM family=f variant=%s caseLabel=c run=0 launch=0 ord=%d arrivedNs=%d takenNs=%d doneNs=%d "
			"heldBack=0",
			variant, k, apart * k, apart * k, apart * k + 1500);
}

/* What fills a pipeline is told by what is under way in it, not by its buffers. */
static json_t *three_items(int apart_a, int apart_b)
{
	struct recording *rec = family_begin();

	write_samples(rec, 12, 100, 50, 1000, 1000);
	write_right(rec);
	write_three(rec, "a", apart_a);
	write_three(rec, "b", apart_b);
	return family_end(rec);
}

static void test_launches_that_only_fill(void **state)
{
	json_t *tree = three_items(1000, 2000);

	(void)state;
	assert_size(tree, ITEMS "0.variants", 1);
	assert_text(tree, ITEMS "0.variants.0.variant", "b");
	assert_integer(tree, ITEMS "0.variants.0.filling", 2);
	assert_size(tree, ITEMS "0.uncounted", 1);
	assert_text(tree, ITEMS "0.uncounted.0", "a");
	assert_text(
		tree, ITEMS "0.text", "No item of a counts: a launch has no more than it takes to fill the pipeline.");
	json_decref(tree);
	tree = three_items(1000, 1000);
	assert_size(tree, ITEMS "0.variants", 0);
	assert_text(tree, ITEMS "0.text", "No item counts: a launch has no more than it takes to fill the pipeline.");
	json_decref(tree);
}

/* ---- rates of arrival ---- */

#define SUSTAINED "families.0.sweeps.0.sustained."

/* A launch of 204 items, one under way at a time, so that 202 count, `held` of them held back. */
static void write_rate(struct recording *rec, int rate, const char *variant, int held)
{
	for (int k = 0; k < 204; k++)
		fixture_row(rec,
			"ITEM family=f variant=%s caseLabel=r%d run=0 launch=0 ord=%d arrivedNs=%d takenNs=%d "
			"doneNs=%d heldBack=%d",
			variant, rate, k, 1000 * k, 1000 * k + 1, 1000 * k + 500, k >= 204 - held);
}

/* Rates of 2000, 4000 ... as far as there are numbers of items that waited. */
static json_t *rates_of(const char *unit, const int *single, const int *dbl, int n)
{
	struct recording *rec = family_begin();

	write_samples(rec, 12, 100, 50, 1000, 1000);
	fixture_row(rec, "SWEEP family=f name=s ord=0 title=S question=Q single=a double=b x=rate points=%d", n);
	for (int i = 0; i < n; i++) {
		const int rate = 2000 * (n - i);

		fixture_row(rec, "CASE family=f label=r%d ord=%d bytes=8 sweep=s", rate, 2 + i);
		fixture_row(rec, "PARAM family=f caseLabel=r%d name=rate value=%d unit=%s", rate, rate, unit);
		write_rate(rec, rate, "a", single[n - 1 - i]);
		write_rate(rec, rate, "b", dbl[n - 1 - i]);
	}
	return family_end(rec);
}

/* Two of 202 are less than one of a hundred, three are more. Behind a rate that is missed none counts as sustained. */
static void test_sustained_rates(void **state)
{
	static const int single[] = {0, 3, 0}, dbl[] = {0, 2, 202};
	json_t *tree = rates_of("frames/s", single, dbl, 3);

	(void)state;
	assert_number(tree, SUSTAINED "single.rate", 2000);
	assert_number(tree, SUSTAINED "single.next", 4000);
	assert_number(tree, SUSTAINED "double.rate", 4000);
	assert_number(tree, SUSTAINED "double.next", 6000);
	assert_text(tree, SUSTAINED "text",
		"Without making frames wait for a buffer, a sustains 2,000 a second, not 4,000. With b it is 4,000 a "
		"second, not 6,000.");
	json_decref(tree);
}

static void test_sustained_at_both_ends(void **state)
{
	static const int single[] = {200, 200}, dbl[] = {0, 0};
	json_t *tree = rates_of("frames/s", single, dbl, 2);

	(void)state;
	assert_null_at(tree, SUSTAINED "single.rate");
	assert_null_at(tree, SUSTAINED "double.next");
	assert_text(tree, SUSTAINED "text",
		"Without making frames wait for a buffer, a sustains fewer than 2,000 a second. With b it is at least "
		"4,000 a second.");
	json_decref(tree);
}

/* What is swept is no rate. */
static void test_no_rates(void **state)
{
	static const int none[] = {0, 0};
	json_t *tree = rates_of("frames", none, none, 2);

	(void)state;
	assert_null_at(tree, "families.0.sweeps.0.sustained");
	json_decref(tree);
}

/* A rate is a parameter that counts what throughput counts. 12 items of a launch, one each 1000 ns, are eleven periods:
 * one million a second arrive, and no more go through. Without items the launch's time bounds them from below. */
static void test_paced_throughput(void **state)
{
	static const double want[] = {1e6, 11 / 11500e-9, 12 / 11500e-9};

	(void)state;
	for (int i = 0; i < 3; i++) {
		struct recording *rec = fixture_begin("f.sqlite");
		json_t *tree;

		fixture_row(rec, "FAMILY name=f ord=0 title=F throughput=frames/s single=a double=b file=f.cu");
		fixture_row(rec, "VARIANT family=f name=a ord=0 kind=candidate buffers=1 teachesFailure=0");
		fixture_row(rec, "CASE family=f label=c ord=0 verifyOnly=0 flops=0 bytes=4000 elements=12");
		fixture_row(rec, "PARAM family=f caseLabel=c name=rate value=%d unit=frames/s", i == 2 ? 0 : 1000000);
		for (int block = 0; block < 12; block++)
			write_sample(rec, "a", block, 0, 11500, 0);
		write_verify(rec, "a", "c", 0, 0);
		for (int k = 0; k < 12 && i == 0; k++)
			fixture_row(rec,
				"ITEM family=f variant=a caseLabel=c run=0 launch=0 ord=%d arrivedNs=%d takenNs=%d "
				"doneNs=%d heldBack=0",
				k, 1000 * k, 1000 * k, 1000 * k + 500);
		tree = family_end(rec);
		assert_number(tree, "families.0.variants.0.cases.0.throughput", want[i]);
		json_decref(tree);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_one_buffer),
		scratch_test(test_rows_that_cannot_be_true),
		scratch_test(test_without_items),
		scratch_test(test_wrong_variant),
		scratch_test(test_launches_that_only_fill),
		scratch_test(test_sustained_rates),
		scratch_test(test_sustained_at_both_ends),
		scratch_test(test_no_rates),
		scratch_test(test_paced_throughput),
	};

	return cmocka_run_group_tests_name("model: items", tests, NULL, NULL);
}
