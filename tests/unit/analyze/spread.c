/* spread.c: what the interval of a speed-up is made of, what several runs add, and when to stop sampling. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "analyze/statistics/spread.h"
#include "analyze/statistics/student.h"
#include "fixtures/blocks-fixture.h"
#include "fixtures/near.h"

/* ---- what the interval is made of ---- */

/* From tables; between whole degrees of freedom by numerical integration. */
static void student_by_table(void **state)
{
	(void)state;
	assert_near(student_quantile(1), 12.7062, 1e-4);
	assert_near(student_quantile(2), 4.3027, 1e-4);
	assert_near(student_quantile(30), 2.0423, 1e-4);
	assert_near(student_quantile(2.5), 3.5747, 0.005 * 3.5747);
	assert_near(student_quantile(9.5), 2.2441, 0.005 * 2.2441);
	assert_near(student_quantile(45), 2.0141, 1e-3);
	assert_near(student_quantile(0.2), student_quantile(1), 0);
	assert_near(student_quantile(60), 2.0003, 1e-3);
	assert_near(student_quantile(1000000), NORMAL_QUANTILE, 1e-5);
}

/* One sample per block: exp(series) for single, 1 for double. */
static double slowness_of(const double *series, size_t n)
{
	double single[BLOCKS], dbl[BLOCKS], slowness;
	int block[BLOCKS];
	struct blocks blocks;

	for (size_t i = 0; i < n; i++) {
		single[i] = exp(series[i]);
		dbl[i] = 1;
		block[i] = (int)i;
	}
	blocks_fill(&(struct blocked_samples){single, block, n, NULL}, &(struct blocked_samples){dbl, block, n, NULL},
		&blocks);
	slowness = spread_slowness(&blocks);
	blocks_free(&blocks);
	return slowness;
}

/* Four blocks: three cosines, which are all there are, so that nothing can be slower than the whole. Five: the slowest
 * wave is a third of its square over three cosines and a quarter of it over the series; the fastest is not among the
 * three. */
static void slowness_by_hand(void **state)
{
	const double four[] = {0.1, 0.3, 0.2, 0.4}, flat[] = {1, 1, 1, 1, 1};
	double slow[5], fast[5];

	(void)state;
	for (int i = 0; i < 5; i++) {
		slow[i] = 0.01 * cos(M_PI * (i + 0.5) / 5);
		fast[i] = 0.01 * cos(M_PI * 4 * (i + 0.5) / 5);
	}
	assert_near(slowness_of(four, 4), 1, 1e-12);
	assert_near(slowness_of(slow, 5), sqrt(4.0 / 3), 1e-12);
	assert_near(slowness_of(fast, 5), 1.0 / 5, 0);
	assert_near(slowness_of(flat, 5), 1, 0);
}

static void one_disturbed_block_is_not_slow(void **state)
{
	const double high[] = {0.1, -0.1, 0.2, -0.2, 9, 0.1, -0.2, 0.2, -0.1, 0.1};
	const double higher[] = {0.1, -0.1, 0.2, -0.2, 90, 0.1, -0.2, 0.2, -0.1, 0.1};

	(void)state;
	assert_near(slowness_of(high, 10), slowness_of(higher, 10), 1e-12);
}

static double resolution_of(const double *ns, const int *block, size_t n)
{
	struct blocks blocks;
	double resolution;

	blocks_fill(&(struct blocked_samples){ns, block, n, NULL}, NULL, &blocks);
	resolution = blocks_resolution(&blocks);
	blocks_free(&blocks);
	return resolution;
}

/* Rounding to steps of 10 errs by up to 5 either way, evenly: 10 over the root of 12. */
static void ticks_by_hand(void **state)
{
	const double ticks[] = {100, 110, 110, 130}, fine[] = {100, 110, 111, 130}, one[] = {100, 100, 100, 100};
	const int block[] = {0, 1, 2, 3}, together[] = {0, 1, 1, 3};

	(void)state;
	assert_near(resolution_of(ticks, block, 4), 10.0 / 110 / sqrt(12), 1e-15);
	assert_near(resolution_of(fine, block, 4), 0, 0);
	assert_near(resolution_of(ticks, together, 4), 0, 0);
	assert_near(resolution_of(one, block, 4), 0, 0);
}

/* All medians of all draws are 100 over 50, but the clock ticks in steps of 10 and 5. */
static void no_interval_is_narrower_than_the_ticks(void **state)
{
	double single[BLOCKS * 3], dbl[BLOCKS * 3];
	int block[BLOCKS * 3];
	struct ratio r;

	(void)state;
	for (int i = 0; i < BLOCKS * 3; i++) {
		single[i] = i < 5 ? 90 : i < 10 ? 110 : 100;
		dbl[i] = single[i] / 2;
		block[i] = i % BLOCKS;
	}
	r = bootstrap(&(struct blocked_samples){single, block, BLOCKS * 3, NULL},
		&(struct blocked_samples){dbl, block, BLOCKS * 3, NULL}, 1);
	assert_near(r.value, 2, 0);
	assert_near(log(r.high / 2), NORMAL_QUANTILE * sqrt(2.0 / 12) * 0.1, 1e-12);
	assert_near(log(r.low / 2), -NORMAL_QUANTILE * sqrt(2.0 / 12) * 0.1, 1e-12);
}

/* Two runs with ratios 2 and 8: logarithms apart by log 4, so their mean is log 4 with a standard error of log 4 / 2,
 * and one degree of freedom. */
static void two_runs_by_hand(void **state)
{
	const double single[] = {2, 2, 8, 8}, dbl[] = {1, 1, 1, 1};
	const int block[] = {0, 1, 2, 3}, run[] = {7, 7, 3, 3};
	struct ratio r = bootstrap(
		&(struct blocked_samples){single, block, 4, run}, &(struct blocked_samples){dbl, block, 4, run}, 1);
	double half = 12.7062 * log(4) / 2;

	(void)state;
	assert_int_equal(r.blocks, 4);
	assert_int_equal(r.runs, 2);
	assert_near(r.apart, 3, 1e-12);
	assert_near(log(r.low), log(4) - half, 1e-4);
	assert_near(log(r.high), log(4) + half, 1e-4);
}

/* Runs that agree to the last digit have no spread, and leave the interval of the blocks as it is. */
static void runs_never_narrow_an_interval(void **state)
{
	double a[SAMPLES], b[SAMPLES];
	int block[SAMPLES], run[SAMPLES];
	struct ratio told, untold;

	(void)state;
	noisy(a, block, 1280, 21);
	noisy(b, block, 1000, 22);
	for (int i = 0; i < SAMPLES / 2; i++) {
		a[SAMPLES / 2 + i] = a[i];
		b[SAMPLES / 2 + i] = b[i];
		run[i] = 0;
		run[SAMPLES / 2 + i] = 1;
	}
	untold = bootstrap(&(struct blocked_samples){a, block, SAMPLES, NULL},
		&(struct blocked_samples){b, block, SAMPLES, NULL}, 1);
	told = bootstrap(&(struct blocked_samples){a, block, SAMPLES, run},
		&(struct blocked_samples){b, block, SAMPLES, run}, 1);
	assert_near(told.apart, 0, 0);
	assert_int_equal(untold.runs, 1);
	assert_near(told.low, untold.low, 0);
	assert_near(told.high, untold.high, 0);
}

/* ---- when to stop ---- */

static bool settled_at(const double *single, const double *dbl, size_t blocks, double width)
{
	int block[SAMPLES];

	for (int i = 0; i < SAMPLES; i++)
		block[i] = i / 2;
	return ratio_settled(&(struct blocked_samples){single, block, 2 * blocks, NULL},
		&(struct blocked_samples){dbl, block, 2 * blocks, NULL}, width);
}

static void settled_by_width(void **state)
{
	double a[SAMPLES], b[SAMPLES];
	int block[SAMPLES];

	(void)state;
	noisy(a, block, 1280, 31);
	noisy(b, block, 1000, 32);
	assert_true(settled_at(a, b, 12, 0.5));
	assert_false(settled_at(a, b, 11, 0.5));
	assert_false(settled_at(a, b, 12, 0.005));
	a[3] = NAN;
	assert_false(settled_at(a, b, 12, 0.5));
}

/* In 7 of 12 blocks, one of the two samples of single is low. A median of a draw is low only if each of its blocks is
 * such a one: that is rare with 7 of 12, and not with 7 of the first 9. Where the same samples come in the other order,
 * 4 of the first 9 are. */
static void settled_needs_an_earlier_look(void **state)
{
	double early[SAMPLES], late[SAMPLES], dbl[SAMPLES];

	(void)state;
	for (int i = 0; i < SAMPLES; i++) {
		dbl[i] = 1000 + i * 0.01;
		early[i] = i < 14 && i % 2 ? 900 + i * 0.01 : dbl[i];
	}
	for (int i = 0; i < SAMPLES; i++)
		late[i] = early[SAMPLES - 1 - i];
	assert_false(settled_at(early, dbl, 12, 0.01));
	assert_true(settled_at(late, dbl, 12, 0.01));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(student_by_table),
		cmocka_unit_test(slowness_by_hand),
		cmocka_unit_test(one_disturbed_block_is_not_slow),
		cmocka_unit_test(ticks_by_hand),
		cmocka_unit_test(no_interval_is_narrower_than_the_ticks),
		cmocka_unit_test(two_runs_by_hand),
		cmocka_unit_test(runs_never_narrow_an_interval),
		cmocka_unit_test(settled_by_width),
		cmocka_unit_test(settled_needs_an_earlier_look),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
