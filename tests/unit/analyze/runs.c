/* runs.c: whether processes that measured the same pair agree. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analyze/analyze.h"
#include "fixtures/near.h"

enum { BLOCKS = 12, RUNS = 3, SAMPLES = RUNS * BLOCKS };

/* Twelve blocks a run, of which every third is `spread` times slower in both variants alike, or in single alone. */
struct pair {
	double single[SAMPLES], dbl[SAMPLES];
	int block[SAMPLES], run[SAMPLES];
};

static void fill(struct pair *pair, const double speedup[RUNS], double spread)
{
	for (int i = 0; i < SAMPLES; i++) {
		pair->block[i] = i;
		pair->run[i] = i / BLOCKS;
		pair->dbl[i] = 1000;
		pair->single[i] = 1000 * speedup[i / BLOCKS] * (i % 2 ? 1 + spread : 1);
	}
}

static struct run_speedups agree(const struct pair *pair, size_t n)
{
	const struct blocked_samples single = {pair->single, pair->block, n, pair->run};
	const struct blocked_samples dbl = {pair->dbl, pair->block, n, pair->run};
	struct run_speedups out;

	ratio_runs(&single, &dbl, 0.01, 7, &out);
	return out;
}

/* No spread: nothing but the band is allowed. */
static void runs_without_spread_by_hand(void **state)
{
	const double speedup[RUNS] = {1.25, 1.5, 1.26};
	struct pair pair;
	struct run_speedups out;

	(void)state;
	fill(&pair, speedup, 0);
	out = agree(&pair, SAMPLES);
	assert_int_equal(out.runs, 3);
	assert_near(out.low, 1.25, 1e-12);
	assert_near(out.high, 1.5, 1e-12);
	assert_near(out.apart, 0.2, 1e-12);
	assert_near(out.allowed, 0.01, 1e-12);
}

static void medians_of_runs(void **state)
{
	const double speedup[RUNS] = {1.25, 1.5, 1.26};
	struct pair pair;
	struct run_medians out;

	(void)state;
	fill(&pair, speedup, 0);
	run_medians(&(struct blocked_samples){pair.single, pair.block, SAMPLES, pair.run}, &out);
	assert_int_equal(out.runs, 3);
	assert_near(out.low, 1250, 1e-9);
	assert_near(out.high, 1500, 1e-9);
	run_medians(&(struct blocked_samples){pair.single, pair.block, SAMPLES, NULL}, &out);
	assert_int_equal(out.runs, 1);
	assert_near(out.low, 1260, 1e-9);
	assert_near(out.high, 1260, 1e-9);
}

/* Of one run by itself. */
static struct ratio interval_of(const struct pair *pair, int run)
{
	const struct blocked_samples single = {pair->single + run * BLOCKS, pair->block, BLOCKS, NULL};
	const struct blocked_samples dbl = {pair->dbl + run * BLOCKS, pair->block, BLOCKS, NULL};
	struct ratio out;

	ratio_bootstrap(&single, &dbl, 7, &out);
	return out;
}

/* The upper half of the slower run's interval and the lower half of the faster run's, and the band. */
static void spread_allows_more(void **state)
{
	const double speedup[RUNS] = {1.2, 1.25, 1.2};
	struct pair pair;
	struct run_speedups out;
	struct ratio less, more;

	(void)state;
	fill(&pair, speedup, 0.1);
	out = agree(&pair, SAMPLES);
	less = interval_of(&pair, 0);
	more = interval_of(&pair, 1);
	assert_near(out.apart, 1.25 / 1.2 - 1, 1e-12);
	assert_true(less.high > less.value && more.low < more.value);
	assert_near(out.allowed, 1.01 * exp(hypot(log(less.high / less.value), log(more.value / more.low))) - 1, 1e-9);
}

static void one_run_cannot_disagree(void **state)
{
	const double speedup[RUNS] = {1.2, 9, 9};
	struct pair pair;
	struct run_speedups out;

	(void)state;
	fill(&pair, speedup, 0);
	out = agree(&pair, BLOCKS);
	assert_int_equal(out.runs, 1);
	assert_near(out.low, 1.2, 1e-12);
	assert_true(isnan(out.apart) && isnan(out.allowed));
}

/* A single block has no interval, so its run says nothing; none at all neither. */
static void runs_with_too_little_are_left_out(void **state)
{
	const double speedup[RUNS] = {1.2, 1.2, 1.2};
	struct pair pair;

	(void)state;
	fill(&pair, speedup, 0);
	assert_int_equal(agree(&pair, BLOCKS + 1).runs, 1);
	assert_int_equal(agree(&pair, BLOCKS + 2).runs, 2);
	assert_int_equal(agree(&pair, 0).runs, 0);
	assert_true(isnan(agree(&pair, 0).low));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_without_spread_by_hand),
		cmocka_unit_test(medians_of_runs),
		cmocka_unit_test(spread_allows_more),
		cmocka_unit_test(one_run_cannot_disagree),
		cmocka_unit_test(runs_with_too_little_are_left_out),
	};

	return cmocka_run_group_tests_name("runs", tests, NULL, NULL);
}
