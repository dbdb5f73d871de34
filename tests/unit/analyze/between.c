/* between.c: one variant in two recordings; two runs that were measured once each. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "analyze/statistics/student.h"
#include "fixtures/blocks-fixture.h"
#include "fixtures/near.h"
#include "fixtures/noise.h"

/* ---- two recordings ---- */

enum { PER_RUN = 6 };

/* PER_RUN blocks of one sample each for each run, all exp(level). */
static struct between between_levels(const double *base, size_t nbase, const double *fresh, size_t nfresh)
{
	double ns[2][4 * PER_RUN];
	int block[4 * PER_RUN], run[4 * PER_RUN];
	struct between out;

	for (size_t i = 0; i < 4 * PER_RUN; i++) {
		ns[0][i] = i / PER_RUN < nbase ? exp(base[i / PER_RUN]) : 1;
		ns[1][i] = i / PER_RUN < nfresh ? exp(fresh[i / PER_RUN]) : 1;
		block[i] = (int)i;
		run[i] = (int)(i / PER_RUN);
	}
	ratio_between(&(struct blocked_samples){ns[0], block, nbase * PER_RUN, run},
		&(struct blocked_samples){ns[1], block, nfresh * PER_RUN, run}, 1, &out);
	return out;
}

/* Two runs a side, each 0.1 from its side's mean: squares of 0.02 over one degree of freedom and two runs,
 * added for two sides; alike, they have two degrees of freedom together. */
static void between_two_and_two_by_hand(void **state)
{
	const double base[] = {0, 0.2}, fresh[] = {-1, -1.2};
	struct between r = between_levels(base, 2, fresh, 2);

	(void)state;
	assert_int_equal(r.base_runs, 2);
	assert_int_equal(r.fresh_runs, 2);
	assert_near(r.from_run_to_run, sqrt(0.02), 1e-12);
	assert_near(log(r.low), 1.2 - 4.3027 * sqrt(0.02), 1e-4);
	assert_near(log(r.high), 1.2 + 4.3027 * sqrt(0.02), 1e-4);
	assert_true(r.low < r.value && r.value < r.high && r.within > 0);
}

/* The runs of one side agree exactly, so all is known from the other's two: one degree of freedom. */
static void between_with_its_own_spread_on_each_side(void **state)
{
	const double base[] = {0, 0.2}, fresh[] = {-1, -1, -1};
	struct between r = between_levels(base, 2, fresh, 3);

	(void)state;
	assert_near(r.from_run_to_run, 0.1, 1e-12);
	assert_near(log(r.low), 1.1 - 12.7062 * 0.1, 1e-4);
	assert_near(log(r.high), 1.1 + 12.7062 * 0.1, 1e-4);
}

/* Three runs lend their spread to one: variance 0.01, a third of it and the whole of it. */
static void between_three_and_one_by_hand(void **state)
{
	const double base[] = {0.1, 0, 0.2}, fresh[] = {-1};
	struct between r = between_levels(base, 3, fresh, 1);

	(void)state;
	assert_int_equal(r.fresh_runs, 1);
	assert_near(r.value, exp(1.1), 1e-12);
	assert_near(r.from_run_to_run, sqrt(0.01 * 4 / 3), 1e-12);
	assert_near(log(r.high), 1.1 + 4.3027 * sqrt(0.01 * 4 / 3), 1e-4);
}

static void between_one_and_one_is_not_known(void **state)
{
	const double base[] = {0}, fresh[] = {-1};
	struct between r = between_levels(base, 1, fresh, 1);

	(void)state;
	assert_near(r.value, exp(1), 1e-12);
	assert_true(isnan(r.low) && isnan(r.high) && isnan(r.from_run_to_run));
	assert_near(r.within, 0, 0);
}

/* Runs that agree exactly have no spread; the blocks have. */
static void between_is_never_narrower_than_its_blocks(void **state)
{
	double a[SAMPLES], b[SAMPLES];
	int block[SAMPLES], run[SAMPLES];
	struct between r;

	(void)state;
	noisy(a, block, 1280, 41);
	noisy(b, block, 1000, 42);
	for (int i = 0; i < SAMPLES; i++) {
		run[i] = i >= SAMPLES / 2;
		a[i] = a[i % (SAMPLES / 2)];
		b[i] = b[i % (SAMPLES / 2)];
	}
	ratio_between(&(struct blocked_samples){a, block, SAMPLES, run},
		&(struct blocked_samples){b, block, SAMPLES, run}, 5, &r);
	assert_near(r.from_run_to_run, 0, 0);
	assert_true(r.low < r.value && r.value < r.high);
	assert_near((log(r.high) - log(r.low)) / 2 / NORMAL_QUANTILE, r.within, 1e-12);
}

static void between_without_enough(void **state)
{
	const double x[] = {1, 2, 3, 4}, bad[] = {1, 2, 0, 4};
	const int block[] = {0, 1, 2, 3}, one[] = {5, 5, 5, 5}, run[] = {0, 0, 1, 1};
	const struct blocked_samples good = {x, block, 4, run}, wrong = {bad, block, 4, run};
	const struct blocked_samples few = {x, one, 4, NULL}, none = {NULL, NULL, 0, NULL};
	struct between r;

	(void)state;
	ratio_between(&good, &wrong, 1, &r);
	assert_true(isnan(r.value) && isnan(r.low) && isnan(r.high) && isnan(r.within));
	ratio_between(&few, &good, 1, &r);
	assert_true(isnan(r.value) && isnan(r.low));
	assert_int_equal(r.base_runs, 1);
	ratio_between(&good, &none, 1, &r);
	assert_true(isnan(r.value) && isnan(r.low));
	assert_int_equal(r.fresh_runs, 0);
}

/* ---- two runs, once each ---- */

enum { RUN_PARTS = 24 };

static struct ratio ratio_of_runs(const double *base, const double *fresh, size_t n)
{
	double steps[RUN_PARTS];
	struct ratio out;

	for (size_t i = 0; i < n; i++)
		steps[i] = 4;
	ratio_of_parts(&(struct run_parts){base, steps, n}, &(struct run_parts){fresh, steps, n}, 0.005, &out);
	return out;
}

/* The mean is of steps, not of parts. With three parts none is cut off. */
static void parts_by_hand(void **state)
{
	const double ns[] = {1, 2, 4}, steps[] = {1, 1, 2}, one[] = {1, 1, 1};
	const struct run_parts run = {ns, steps, 3}, flat = {one, one, 3};
	struct ratio r;

	(void)state;
	assert_near(mean_of_parts(&run), 11.0 / 4, 1e-12);
	ratio_of_parts(&run, &flat, 0, &r);
	assert_near(r.value, 11.0 / 4, 1e-12);
	assert_true(r.low < r.value && r.value < r.high && r.blocks == 3);
}

/* The slowest two and the fastest two of 24 are no part of the mean. */
static void parts_without_the_ends(void **state)
{
	double ns[RUN_PARTS], steps[RUN_PARTS];

	(void)state;
	for (int i = 0; i < RUN_PARTS; i++) {
		ns[i] = i < 2 ? 1000 : i < 4 ? 0.001 : i % 2 ? 8 : 10;
		steps[i] = 1;
	}
	assert_near(mean_of_parts(&(struct run_parts){ns, steps, RUN_PARTS}), 9, 1e-12);
}

/* A stall in every eighth step is in every second part of four steps: half of them, so that a median may not see it. */
static void parts_see_what_comes_again(void **state)
{
	double base[RUN_PARTS], fresh[RUN_PARTS];
	struct ratio r;

	(void)state;
	for (int i = 0; i < RUN_PARTS; i++) {
		base[i] = 100 + i % 3 * 0.1;
		fresh[i] = base[i] + (i % 2 ? 10 : 0);
	}
	r = ratio_of_runs(base, fresh, RUN_PARTS);
	assert_near(r.value, 100.1 / 105.1, 1e-3);
	assert_int_equal(verdict_of(&r, 0.01, true), VERDICT_SLOWER);
}

/* The verdict of two runs, where all parts have a veto. */
static enum verdict verdict_of_runs(const struct ratio *r)
{
	return verdict_of(r, 0.01, all_parts_agree(r, 0.01));
}

/* One stall moves the ratio by nothing, and its interval neither. What is the same is unclear then: it may come again.
 */
static void parts_see_what_comes_once(void **state)
{
	double base[RUN_PARTS], fresh[RUN_PARTS];
	struct ratio r;

	(void)state;
	for (int i = 0; i < RUN_PARTS; i++)
		base[i] = fresh[i] = 100 + i % 3 * 0.1;
	r = ratio_of_runs(base, fresh, RUN_PARTS);
	assert_int_equal(verdict_of_runs(&r), VERDICT_SAME);
	fresh[5] = 1000;
	r = ratio_of_runs(base, fresh, RUN_PARTS);
	assert_near(r.value, 1, 1e-3);
	assert_near(r.all, 100.1 / 137.6, 1e-3);
	assert_true(r.low > 0.99 && r.high < 1.01);
	assert_int_equal(verdict_of_runs(&r), VERDICT_UNCLEAR);
}

/* What is unclear is not passed over either. What runs differ by anyway tells nothing. */
static void parts_tell_of_stalls_where_the_verdict_is_unclear(void **state)
{
	static const double stalled[] = {1000, 160, 130};
	double base[RUN_PARTS], fresh[RUN_PARTS], steps[RUN_PARTS];
	struct ratio r;

	(void)state;
	for (int i = 0; i < RUN_PARTS; i++) {
		base[i] = fresh[i] = 100 + i % 3 * 0.1;
		steps[i] = 4;
	}
	for (int i = 0; i < 3; i++) {
		fresh[5] = stalled[i];
		ratio_of_parts(&(struct run_parts){base, steps, RUN_PARTS},
			&(struct run_parts){fresh, steps, RUN_PARTS}, 0.02, &r);
		assert_int_equal(verdict_of(&r, 0.01, true), VERDICT_UNCLEAR);
		assert_int_equal(all_parts_agree(&r, 0.01), i == 2);
		assert_int_equal(all_parts_apart(&r, 0.01), i != 2);
	}
	/* However wide the interval is. */
	assert_false(all_parts_agree(&(struct ratio){.value = 1, .low = 0.5, .high = 2, .all = 0.95}, 0.01));
	assert_true(all_parts_agree(&(struct ratio){.value = 1, .low = 0.5, .high = 2, .all = 0.95}, 0.06));
}

/* One stall takes no verdict, unless it is longer than what a whole run gains. */
static void parts_keep_a_sign_that_both_agree_on(void **state)
{
	double slow[RUN_PARTS], fast[RUN_PARTS];
	struct ratio r;

	(void)state;
	for (int i = 0; i < RUN_PARTS; i++) {
		slow[i] = 125 + i % 3 * 0.1;
		fast[i] = 100 + i % 3 * 0.1;
	}
	fast[5] = 690;
	r = ratio_of_runs(slow, fast, RUN_PARTS);
	assert_true(r.all > 1 && r.all < 1.01 && r.low > 1.2);
	assert_int_equal(verdict_of_runs(&r), VERDICT_FASTER);
	r = ratio_of_runs(fast, slow, RUN_PARTS);
	assert_int_equal(verdict_of_runs(&r), VERDICT_SLOWER);
	fast[5] = 800;
	r = ratio_of_runs(slow, fast, RUN_PARTS);
	assert_true(r.all < 1 && r.low > 1.2);
	assert_int_equal(verdict_of_runs(&r), VERDICT_UNCLEAR);
	r = ratio_of_runs(fast, slow, RUN_PARTS);
	assert_int_equal(verdict_of_runs(&r), VERDICT_UNCLEAR);
}

static void stalled_run(struct random *random, double share, double *ns)
{
	for (int i = 0; i < RUN_PARTS; i++) {
		ns[i] = 0;
		for (int step = 0; step < 4; step++)
			ns[i] += 25 * (1 + 0.005 * random_normal(random) + (random_uniform(random) < share ? 0.5 : 0));
	}
}

/* Two runs that stall by chance, and as often, are seldom called different. */
static void parts_are_seldom_wrong(void **state)
{
	static const double shares[] = {0, 0.01, 0.04, 0.125};
	enum { PAIRS = 500 };
	struct random random = {7};

	(void)state;
	for (size_t s = 0; s < sizeof(shares) / sizeof(shares[0]); s++) {
		int clear = 0;

		for (int pair = 0; pair < PAIRS; pair++) {
			double base[RUN_PARTS], fresh[RUN_PARTS];
			struct ratio r;
			enum verdict verdict;

			stalled_run(&random, shares[s], base);
			stalled_run(&random, shares[s], fresh);
			r = ratio_of_runs(base, fresh, RUN_PARTS);
			verdict = verdict_of_runs(&r);
			clear += verdict == VERDICT_FASTER || verdict == VERDICT_SLOWER;
		}
		assert_true(clear <= PAIRS / 100);
	}
}

static void parts_without_enough(void **state)
{
	const double ns[] = {1, 2};
	struct ratio r = ratio_of_runs(ns, ns + 1, 1);

	(void)state;
	assert_near(r.value, 0.5, 1e-12);
	assert_true(isnan(r.low) && isnan(r.high));
	r = ratio_of_runs(ns, ns, 0);
	assert_true(isnan(r.value) && isnan(r.low));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(between_two_and_two_by_hand),
		cmocka_unit_test(between_with_its_own_spread_on_each_side),
		cmocka_unit_test(between_three_and_one_by_hand),
		cmocka_unit_test(between_one_and_one_is_not_known),
		cmocka_unit_test(between_is_never_narrower_than_its_blocks),
		cmocka_unit_test(between_without_enough),
		cmocka_unit_test(parts_by_hand),
		cmocka_unit_test(parts_without_the_ends),
		cmocka_unit_test(parts_see_what_comes_again),
		cmocka_unit_test(parts_see_what_comes_once),
		cmocka_unit_test(parts_tell_of_stalls_where_the_verdict_is_unclear),
		cmocka_unit_test(parts_keep_a_sign_that_both_agree_on),
		cmocka_unit_test(parts_are_seldom_wrong),
		cmocka_unit_test(parts_without_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
