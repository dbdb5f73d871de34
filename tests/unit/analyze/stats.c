/* stats.c: summary, the interval of a speed-up and of a median, and the verdict drawn from it. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "analyze/statistics/student.h"
#include "fixtures/blocks-fixture.h"
#include "fixtures/near.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* ---- summary ---- */

static struct summary of(const double *x, size_t n)
{
	struct summary out;

	summarize(x, n, &out);
	assert_int_equal(out.n, n);
	return out;
}

static void summary_of_nothing(void **state)
{
	struct summary s = of(NULL, 0);

	(void)state;
	assert_true(isnan(s.median) && isnan(s.q1) && isnan(s.q3) && isnan(s.min) && isnan(s.max));
}

static void summary_of_one(void **state)
{
	const double x = 7;
	struct summary s = of(&x, 1);

	(void)state;
	assert_true(s.median == 7 && s.q1 == 7 && s.q3 == 7 && s.min == 7 && s.max == 7);
}

static void summary_interpolates(void **state)
{
	const double x[] = {40, 10, 30, 20};
	struct summary s = of(x, COUNT(x));

	(void)state;
	assert_near(s.median, 25, 0);
	assert_near(s.q1, 17.5, 0);
	assert_near(s.q3, 32.5, 0);
	assert_near(s.min, 10, 0);
	assert_near(s.max, 40, 0);
	assert_near(x[0], 40, 0);
}

static void summary_of_an_odd_number(void **state)
{
	const double x[] = {5, 1, 4, 2, 3};
	struct summary s = of(x, COUNT(x));

	(void)state;
	assert_near(s.median, 3, 0);
	assert_near(s.q1, 2, 0);
	assert_near(s.q3, 4, 0);
}

/* The median of whole numbers is that of the same numbers with a fraction, however many there are and however many of
 * them are equal. */
static void median_of_whole_numbers(void **state)
{
	enum { MOST = 300 };
	static const uint32_t within[] = {1, 3, 1000, UINT32_MAX};
	uint32_t shorts[MOST];
	double doubles[MOST];
	uint64_t random = 1;

	(void)state;
	assert_true(isnan(median_of_shorts(shorts, 0)));
	for (size_t n = 1; n <= MOST; n++) {
		for (size_t w = 0; w < COUNT(within); w++) {
			for (size_t i = 0; i < n; i++) {
				random = random * UINT64_C(6364136223846793005) + 1442695040888963407;
				shorts[i] = (uint32_t)(random >> 32) % within[w] + (within[w] == UINT32_MAX);
				doubles[i] = shorts[i];
			}
			assert_near(median_of_shorts(shorts, n), median_of(doubles, n), 0);
		}
	}
}

/* ---- bootstrap ---- */

static void assert_same_ratio(struct ratio got, struct ratio want)
{
	assert_true(got.value == want.value);
	assert_true(got.low == want.low);
	assert_true(got.high == want.high);
	assert_int_equal(got.blocks, want.blocks);
}

/* Student's t of one degree of freedom over the normal quantile. */
static const double two_blocks_widen = 12.7062 / NORMAL_QUANTILE;

/* Two blocks: a resample is both from the first (1/4), one of each (1/2) or both from the second (1/4), so the ratios
 * are 10/5, 15/10 and 20/15, and the 2.5 % on each side fall on the outer two. On the logarithmic scale their distances
 * from 15/10 are widened. */
static void two_blocks_by_hand(void **state)
{
	const double single[] = {10, 10, 20, 20}, dbl[] = {5, 5, 15, 15};
	const int block[] = {0, 0, 1, 1};
	struct ratio r = bootstrap(
		&(struct blocked_samples){single, block, 4, NULL}, &(struct blocked_samples){dbl, block, 4, NULL}, 42);

	(void)state;
	assert_int_equal(r.blocks, 2);
	assert_int_equal(r.runs, 1);
	assert_true(isnan(r.apart));
	assert_near(r.value, 1.5, 1e-15);
	assert_near(log(r.low / 1.5), log(20.0 / 15 / 1.5) * two_blocks_widen, 1e-12);
	assert_near(log(r.high / 1.5), log(2 / 1.5) * two_blocks_widen, 1e-12);
}

/* Samples of one block stay together: both variants slow down by the same factor in the second block, so every resample
 * has the same ratio. Resampling samples one by one would not. */
static void blocks_are_drawn_whole_and_for_both(void **state)
{
	const double single[] = {10, 20, 40, 80}, dbl[] = {5, 10, 20, 40};
	const int block[] = {3, 5, 7, 9};
	struct ratio r = bootstrap(
		&(struct blocked_samples){single, block, 4, NULL}, &(struct blocked_samples){dbl, block, 4, NULL}, 1);

	(void)state;
	assert_near(r.value, 2, 0);
	assert_near(r.low, 2, 0);
	assert_near(r.high, 2, 0);
	assert_int_equal(r.blocks, 4);
}

static void only_common_blocks_count(void **state)
{
	const double single[] = {1000, 10, 10}, dbl[] = {5, 5, 9999, 9999};
	const int single_block[] = {0, 1, 2}, dbl_block[] = {1, 2, 3, 3};
	struct ratio r = bootstrap(&(struct blocked_samples){single, single_block, 3, NULL},
		&(struct blocked_samples){dbl, dbl_block, 4, NULL}, 1);

	(void)state;
	assert_int_equal(r.blocks, 2);
	assert_near(r.value, 2, 0);
	assert_near(r.low, 2, 0);
	assert_near(r.high, 2, 0);
}

static void too_few_blocks(void **state)
{
	const double x[] = {1, 2, 3};
	const int same[] = {4, 4, 4}, other[] = {5, 6, 7};
	struct blocked_samples one = {x, same, 3, NULL}, three = {x, other, 3, NULL}, none = {NULL, NULL, 0, NULL};
	struct ratio r = bootstrap(&one, &one, 1);

	(void)state;
	assert_int_equal(r.blocks, 1);
	assert_true(isnan(r.value) && isnan(r.low) && isnan(r.high));
	r = bootstrap(&one, &three, 1);
	assert_int_equal(r.blocks, 0);
	assert_true(isnan(r.value));
	r = bootstrap(&none, &three, 1);
	assert_int_equal(r.blocks, 0);
	assert_true(isnan(r.value));
}

static void a_time_that_is_none(void **state)
{
	const double good[] = {1, 2}, bad[][2] = {{0, 2}, {-1, 2}, {NAN, 2}, {INFINITY, 2}};
	const int block[] = {0, 1};
	struct blocked_samples a = {good, block, 2, NULL};

	(void)state;
	for (size_t i = 0; i < COUNT(bad); i++) {
		struct blocked_samples b = {bad[i], block, 2, NULL};

		assert_true(isnan(bootstrap(&a, &b, 1).value));
		assert_true(isnan(bootstrap(&b, &a, 1).high));
	}
}

static void same_seed_same_interval(void **state)
{
	double a[SAMPLES], b[SAMPLES];
	int block[SAMPLES];
	struct blocked_samples single = {a, block, SAMPLES, NULL}, dbl = {b, block, SAMPLES, NULL};
	struct ratio first;

	(void)state;
	noisy(a, block, 1280, 1);
	noisy(b, block, 1000, 2);
	first = bootstrap(&single, &dbl, 7);
	assert_same_ratio(bootstrap(&single, &dbl, 7), first);
	assert_true(first.low < first.value && first.value < first.high);
	assert_near(first.value, 1.28, 0.04);
	assert_near(bootstrap(&single, &dbl, 8).low, first.low, 0.02);
	assert_near(bootstrap(&single, &dbl, 8).high, first.high, 0.02);
}

static void order_unit_and_numbering_do_not_matter(void **state)
{
	double a[SAMPLES], b[SAMPLES], reversed[SAMPLES], doubled_a[SAMPLES], doubled_b[SAMPLES];
	int block[SAMPLES], reversed_block[SAMPLES], renumbered[SAMPLES];
	struct blocked_samples single = {a, block, SAMPLES, NULL}, dbl = {b, block, SAMPLES, NULL};
	struct ratio first;

	(void)state;
	noisy(a, block, 1280, 3);
	noisy(b, block, 1000, 4);
	for (int i = 0; i < SAMPLES; i++) {
		reversed[i] = a[SAMPLES - 1 - i];
		reversed_block[i] = block[SAMPLES - 1 - i];
		doubled_a[i] = 2 * a[i];
		doubled_b[i] = 2 * b[i];
		renumbered[i] = 10 * block[i] - 55;
	}
	first = bootstrap(&single, &dbl, 9);
	assert_same_ratio(
		bootstrap(&(struct blocked_samples){reversed, reversed_block, SAMPLES, NULL}, &dbl, 9), first);
	assert_same_ratio(bootstrap(&(struct blocked_samples){doubled_a, block, SAMPLES, NULL},
				  &(struct blocked_samples){doubled_b, block, SAMPLES, NULL}, 9),
		first);
	assert_same_ratio(bootstrap(&(struct blocked_samples){a, renumbered, SAMPLES, NULL},
				  &(struct blocked_samples){b, renumbered, SAMPLES, NULL}, 9),
		first);
}

static void swapped_variants_give_the_reciprocal(void **state)
{
	double a[SAMPLES], b[SAMPLES];
	int block[SAMPLES];
	struct blocked_samples single = {a, block, SAMPLES, NULL}, dbl = {b, block, SAMPLES, NULL};
	struct ratio there, back;

	(void)state;
	noisy(a, block, 1280, 5);
	noisy(b, block, 1000, 6);
	there = bootstrap(&single, &dbl, 11);
	back = bootstrap(&dbl, &single, 11);
	assert_near(back.value, 1 / there.value, 1e-14);
	assert_near(back.low, 1 / there.high, 1e-14);
	assert_near(back.high, 1 / there.low, 1e-14);
}

/* A variant against itself under other noise: the interval must hold 1 nearly always. 95 % of 200 is 190; fewer than
 * 175 has a chance below one in a million, and an interval that always holds it is too wide. */
static void interval_holds_the_truth_about_as_often_as_it_says(void **state)
{
	double a[SAMPLES], b[SAMPLES];
	int block[SAMPLES], held = 0;
	struct blocked_samples single = {a, block, SAMPLES, NULL}, dbl = {b, block, SAMPLES, NULL};

	(void)state;
	for (unsigned round = 0; round < 200; round++) {
		struct ratio r;

		noisy(a, block, 1000, 100 + 2 * round);
		noisy(b, block, 1000, 101 + 2 * round);
		r = bootstrap(&single, &dbl, round);
		held += r.low <= 1 && 1 <= r.high;
	}
	assert_in_range(held, 175, 200);
}

/* ---- verdict ---- */

static enum verdict judge(double low, double high)
{
	return verdict_of(&(struct ratio){.value = (low + high) / 2, .low = low, .high = high}, 0.01, true);
}

static void verdict_by_interval(void **state)
{
	(void)state;
	assert_int_equal(judge(1.02, 1.05), VERDICT_FASTER);
	assert_int_equal(judge(0.90, 0.98), VERDICT_SLOWER);
	assert_int_equal(judge(0.995, 1.005), VERDICT_SAME);
	assert_int_equal(judge(0.995, 1.02), VERDICT_UNCLEAR);
	assert_int_equal(judge(0.98, 1.005), VERDICT_UNCLEAR);
	assert_int_equal(judge(0.9, 1.1), VERDICT_UNCLEAR);
}

static void verdict_at_the_border_of_the_band(void **state)
{
	(void)state;
	assert_int_equal(judge(0.99, 1.01), VERDICT_SAME);
	assert_int_equal(judge(1.01, 1.05), VERDICT_UNCLEAR);
	assert_int_equal(judge(0.95, 0.99), VERDICT_UNCLEAR);
	assert_int_equal(judge(nextafter(1.01, 2), 1.05), VERDICT_FASTER);
	assert_int_equal(judge(0.95, nextafter(0.99, 0)), VERDICT_SLOWER);
	assert_int_equal(judge(0.99, nextafter(1.01, 2)), VERDICT_UNCLEAR);
	assert_int_equal(judge(nextafter(0.99, 0), 1.01), VERDICT_UNCLEAR);
}

static void verdict_without_evidence(void **state)
{
	const struct ratio clear = {.value = 1.5, .low = 1.4, .high = 1.6}, same = {.value = 1, .low = 1, .high = 1};

	(void)state;
	assert_int_equal(verdict_of(&clear, 0.01, true), VERDICT_FASTER);
	assert_int_equal(verdict_of(&clear, 0.01, false), VERDICT_UNCLEAR);
	assert_int_equal(verdict_of(&same, 0.01, false), VERDICT_UNCLEAR);
	assert_int_equal(judge(NAN, NAN), VERDICT_UNCLEAR);
	assert_int_equal(judge(1.4, NAN), VERDICT_UNCLEAR);
	assert_int_equal(judge(NAN, 0.5), VERDICT_UNCLEAR);
	assert_int_equal(judge(1.6, 1.4), VERDICT_UNCLEAR);
}

static void verdict_needs_the_same_gap_in_cycles(void **state)
{
	const enum verdict all[] = {VERDICT_FASTER, VERDICT_SLOWER, VERDICT_SAME, VERDICT_UNCLEAR};

	(void)state;
	for (size_t i = 0; i < COUNT(all); i++) {
		assert_int_equal(verdict_confirmed(VERDICT_SAME, all[i]), VERDICT_SAME);
		assert_int_equal(verdict_confirmed(VERDICT_UNCLEAR, all[i]), VERDICT_UNCLEAR);
		assert_int_equal(verdict_confirmed(VERDICT_FASTER, all[i]),
			all[i] == VERDICT_FASTER ? VERDICT_FASTER : VERDICT_UNCLEAR);
		assert_int_equal(verdict_confirmed(VERDICT_SLOWER, all[i]),
			all[i] == VERDICT_SLOWER ? VERDICT_SLOWER : VERDICT_UNCLEAR);
	}
}

static void verdict_names(void **state)
{
	(void)state;
	assert_string_equal(verdict_name(VERDICT_FASTER), "faster");
	assert_string_equal(verdict_name(VERDICT_SLOWER), "slower");
	assert_string_equal(verdict_name(VERDICT_SAME), "same");
	assert_string_equal(verdict_name(VERDICT_UNCLEAR), "unclear");
	for (enum verdict v = VERDICT_FASTER; v <= VERDICT_UNCLEAR; v++)
		assert_int_equal(verdict_named(verdict_name(v)), v);
	assert_int_equal(verdict_named("fastest"), VERDICT_UNCLEAR);
}

/* Two blocks of one sample: half of the resamples have both, a quarter each of them twice: 10, 15 and 20, of which the
 * outer two are the ends, widened. */
static void interval_of_the_median_by_hand(void **state)
{
	const double ns[] = {10, 20};
	const int block[] = {0, 1};
	const struct blocked_samples samples = {ns, block, 2, NULL};
	double low, high;

	(void)state;
	median_bootstrap(&samples, 1, &low, &high);
	assert_near(log(low / 15), log(10.0 / 15) * two_blocks_widen, 1e-12);
	assert_near(log(high / 15), log(20.0 / 15) * two_blocks_widen, 1e-12);
}

/* Samples that agree inside their blocks tell no more than one of each would: the interval must not shrink. */
static void copies_inside_a_block_add_nothing(void **state)
{
	double once[12], often[120], low[2], high[2];
	int block_once[12], block_often[120];

	(void)state;
	for (int i = 0; i < 120; i++) {
		often[i] = 100 + (i / 10) * 7 % 12;
		block_often[i] = i / 10;
		once[i / 10] = often[i];
		block_once[i / 10] = i / 10;
	}
	median_bootstrap(&(struct blocked_samples){once, block_once, 12, NULL}, 3, &low[0], &high[0]);
	median_bootstrap(&(struct blocked_samples){often, block_often, 120, NULL}, 3, &low[1], &high[1]);
	assert_near(low[1], low[0], 0);
	assert_near(high[1], high[0], 0);
}

static void one_block_has_no_interval(void **state)
{
	const double ns[] = {10, 20};
	const int block[] = {4, 4};
	double low, high;

	(void)state;
	median_bootstrap(&(struct blocked_samples){ns, block, 2, NULL}, 1, &low, &high);
	assert_true(isnan(low) && isnan(high));
}

/* Logarithms of the ratio 0, 1, 0, 1, 0, 1: mean 1/2, so the products are five times -1/4 over six times 1/4. A ramp 0
 * to 5: mean 5/2, (15/4 + 3/4 - 1/4 + 3/4 + 15/4) over 35/2. */
static void drift_by_hand(void **state)
{
	const double e = 2.718281828459045, ones[] = {1, 1, 1, 1, 1, 1};
	const double swing[] = {1, e, 1, e, 1, e}, ramp[] = {1, e, exp(2), exp(3), exp(4), exp(5)};
	const int block[] = {0, 1, 2, 3, 4, 5};
	const struct blocked_samples dbl = {ones, block, 6, NULL};
	double lag;

	(void)state;
	lag = ratio_drift(&(struct blocked_samples){swing, block, 6, NULL}, &dbl);
	assert_near(lag, -5.0 / 6, 1e-12);
	lag = ratio_drift(&(struct blocked_samples){ramp, block, 6, NULL}, &dbl);
	assert_near(lag, 0.5, 1e-12);
	/* Of five a ramp is below the limit: they tell nothing. */
	lag = ratio_drift(&(struct blocked_samples){ramp, block, 5, NULL}, &dbl);
	assert_true(isnan(lag));
}

/* Two runs at different levels, each swinging like the one above: no drift, though neighbours are alike. */
static void runs_apart_are_no_drift(void **state)
{
	enum { EACH = 6, ALL = 2 * EACH };
	double ones[ALL], levels[ALL], lag;
	int block[ALL], run[ALL];

	(void)state;
	for (int i = 0; i < ALL; i++) {
		ones[i] = 1;
		levels[i] = exp(i % 2) * (i < EACH ? 1 : 100);
		block[i] = i;
		run[i] = i >= EACH;
	}
	lag = ratio_drift(
		&(struct blocked_samples){levels, block, ALL, run}, &(struct blocked_samples){ones, block, ALL, run});
	assert_near(lag, -5.0 / 6, 1e-12);
	lag = ratio_drift(
		&(struct blocked_samples){levels, block, ALL, NULL}, &(struct blocked_samples){ones, block, ALL, NULL});
	assert_true(lag > 0.5);
}

/* ---- the order of samples ---- */

/* Six blocks of two samples each: 24 pairs, 12 of them by chance. Their variance is 6 * 4 * 5 / 12, so with 2.326 times
 * its root and a half it takes 20. */
static void order_inside_of_blocks(void **state)
{
	enum { SIX = 6, ALL = 2 * SIX };
	double single[ALL], dbl[ALL];
	int block[ALL];
	const struct blocked_samples a = {single, block, ALL, NULL}, b = {dbl, block, ALL, NULL};
	struct block_ranks ranks;

	(void)state;
	/* What all samples of a block have in common does not count. */
	for (int i = 0; i < ALL; i++) {
		block[i] = i / 2;
		single[i] = 100 * (1 + block[i] % 3) + 2;
		dbl[i] = 100 * (1 + block[i] % 3) + 1;
	}
	ranks = ratio_ranks(&a, &b, 2.326348);
	assert_true(ranks.faster == 24 && ranks.pairs == 24 && ranks.needed == 20);
	/* One late run loses its two pairs; of equal times each has a half. */
	dbl[3] = 1e6;
	dbl[4] = single[4];
	ranks = ratio_ranks(&a, &b, 2.326348);
	assert_true(ranks.faster == 21);
	/* The other way round it is the rest. */
	ranks = ratio_ranks(&b, &a, 2.326348);
	assert_true(ranks.faster == 3 && ranks.pairs == 24);
	/* Of one block no order is more than chance. */
	ranks = ratio_ranks(&(struct blocked_samples){single, block, 2, NULL}, &b, 2.326348);
	assert_true(ranks.pairs == 4 && ranks.needed > 4);
	single[0] = -1;
	ranks = ratio_ranks(&a, &b, 2.326348);
	assert_true(ranks.pairs == 0 && ranks.needed == 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(summary_of_nothing),
		cmocka_unit_test(summary_of_one),
		cmocka_unit_test(summary_interpolates),
		cmocka_unit_test(median_of_whole_numbers),
		cmocka_unit_test(summary_of_an_odd_number),
		cmocka_unit_test(two_blocks_by_hand),
		cmocka_unit_test(blocks_are_drawn_whole_and_for_both),
		cmocka_unit_test(only_common_blocks_count),
		cmocka_unit_test(too_few_blocks),
		cmocka_unit_test(a_time_that_is_none),
		cmocka_unit_test(same_seed_same_interval),
		cmocka_unit_test(order_unit_and_numbering_do_not_matter),
		cmocka_unit_test(swapped_variants_give_the_reciprocal),
		cmocka_unit_test(interval_holds_the_truth_about_as_often_as_it_says),
		cmocka_unit_test(verdict_needs_the_same_gap_in_cycles),
		cmocka_unit_test(verdict_by_interval),
		cmocka_unit_test(verdict_at_the_border_of_the_band),
		cmocka_unit_test(verdict_without_evidence),
		cmocka_unit_test(verdict_names),
		cmocka_unit_test(interval_of_the_median_by_hand),
		cmocka_unit_test(copies_inside_a_block_add_nothing),
		cmocka_unit_test(one_block_has_no_interval),
		cmocka_unit_test(drift_by_hand),
		cmocka_unit_test(runs_apart_are_no_drift),
		cmocka_unit_test(order_inside_of_blocks),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
