/* sweep.c: crossovers of a curve, scores of predictions, floors and hidden shares: all worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "analyze/sweep.h"
#include "fixtures/near.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const double band = 0.01;

/* slower, same, faster: crosses the band's lower end, then its upper end. */
static void crossovers_are_interpolated_in_log_x(void **state)
{
	static const struct curve_point points[] = {
		{16, 0.90, VERDICT_SLOWER}, {256, 1.00, VERDICT_SAME}, {4096, 1.11, VERDICT_FASTER}};
	struct crossover out[COUNT(points)];

	(void)state;
	assert_int_equal(crossovers_find(points, COUNT(points), band, out), 2);
	assert_int_equal(out[0].before, 0);
	assert_int_equal(out[0].after, 1);
	assert_near(out[0].level, 0.99, 1e-12);
	assert_near(log2(out[0].x), 4 + 0.9 * 4, 1e-9); /* (0.99 - 0.90) / (1.00 - 0.90) of the way from 2^4 to 2^8 */
	assert_int_equal(out[1].before, 1);
	assert_near(out[1].level, 1.01, 1e-12);
	assert_near(log2(out[1].x), 8 + 4 / 11.0, 1e-9);
}

static void a_loss_that_becomes_a_gain_crosses_one(void **state)
{
	static const struct curve_point points[] = {{2, 1.2, VERDICT_FASTER}, {8, 0.9, VERDICT_SLOWER}};
	struct crossover out[COUNT(points)];

	(void)state;
	assert_int_equal(crossovers_find(points, COUNT(points), band, out), 1);
	assert_near(out[0].level, 1, 0);
	assert_near(log2(out[0].x), 1 + 2 * 2 / 3.0, 1e-9);
}

/* Between the clear ends the verdict turns; where, is not known. */
static void what_is_unclear_widens_the_bracket(void **state)
{
	static const struct curve_point points[] = {{1, 1.3, VERDICT_UNCLEAR}, {2, 0.9, VERDICT_SLOWER},
		{4, 1.0, VERDICT_UNCLEAR}, {8, 1.2, VERDICT_FASTER}, {16, NAN, VERDICT_UNCLEAR},
		{32, 1.3, VERDICT_FASTER}, {64, NAN, VERDICT_UNCLEAR}, {128, 0.8, VERDICT_SLOWER}};
	struct crossover out[COUNT(points)];

	(void)state;
	assert_int_equal(crossovers_find(points, COUNT(points), band, out), 2);
	assert_int_equal(out[0].before, 1);
	assert_int_equal(out[0].after, 3);
	assert_true(isnan(out[0].x));
	assert_int_equal(out[1].before, 5);
	assert_int_equal(out[1].after, 7);
	assert_int_equal(crossovers_find(points, 0, band, out), 0);
	assert_int_equal(crossovers_find(points, 3, band, out), 0);
}

/* Zero has no logarithm, and neither has what is not limited: the neighbours are known, the place is not. */
static void no_place_without_a_logarithm(void **state)
{
	static const struct curve_point points[] = {
		{0, 0.9, VERDICT_SLOWER}, {4, 1.2, VERDICT_FASTER}, {INFINITY, 1.0, VERDICT_SAME}};
	struct crossover out[COUNT(points)];

	(void)state;
	assert_int_equal(crossovers_find(points, COUNT(points), band, out), 2);
	assert_true(isnan(out[0].x));
	assert_true(isnan(out[1].x));
	assert_int_equal(out[1].after, 2);
}

static void predictions_are_scored_by_sign_and_by_verdict(void **state)
{
	static const struct predicted_point points[] = {
		{1.20, 1.25, VERDICT_FASTER},  /* right, off by 0.04 */
		{1.005, 1.10, VERDICT_FASTER}, /* right sign, but it says "same" */
		{0.95, 1.05, VERDICT_FASTER},  /* wrong */
		{0.80, 0.80, VERDICT_SLOWER},  /* right, off by 0 */
		{1.00, 1.00, VERDICT_SAME},    /* right verdict; no sign to score */
		{1.50, 1.00, VERDICT_UNCLEAR}, /* only its error counts: 0.5 */
		{NAN, 2.00, VERDICT_FASTER},   /* not predicted */
		{2.00, NAN, VERDICT_UNCLEAR},  /* not measured */
	};
	struct prediction_score score;

	(void)state;
	prediction_score(points, COUNT(points), band, &score);
	assert_int_equal(score.points, 6);
	assert_int_equal(score.outside, 4);
	assert_int_equal(score.right_sign, 3);
	assert_int_equal(score.best_sign.answer, VERDICT_FASTER);
	assert_int_equal(score.best_sign.right, 3);
	assert_int_equal(score.clear, 5);
	assert_int_equal(score.right_verdict, 3);
	assert_int_equal(score.best_verdict.answer, VERDICT_FASTER);
	assert_int_equal(score.best_verdict.right, 3);
	/* 0, 0, 0.04, |1.005 / 1.1 - 1|, |0.95 / 1.05 - 1|, 0.5: between 0.04 and 0.0864 */
	assert_near(score.median_error, (0.04 + (1 - 1.005 / 1.10)) / 2, 1e-12);
}

/* A constant answer wins where nearly all is the same: the score must show it. */
static void the_best_constant_may_be_same(void **state)
{
	static const struct predicted_point points[] = {
		{1.2, 1, VERDICT_SAME}, {1.2, 1, VERDICT_SAME}, {1.2, 0.9, VERDICT_SLOWER}, {1.0, 1.1, VERDICT_FASTER}};
	struct prediction_score score;

	(void)state;
	prediction_score(points, COUNT(points), band, &score);
	assert_int_equal(score.outside, 2);
	assert_int_equal(score.right_sign, 0); /* exactly 1 is on no side */
	assert_int_equal(score.best_sign.right, 1);
	assert_int_equal(score.right_verdict, 0);
	assert_int_equal(score.best_verdict.answer, VERDICT_SAME);
	assert_int_equal(score.best_verdict.right, 2);
}

static void no_points_no_score(void **state)
{
	struct prediction_score score;

	(void)state;
	prediction_score(NULL, 0, band, &score);
	assert_int_equal(score.points, 0);
	assert_int_equal(score.best_verdict.right, 0);
	assert_true(isnan(score.median_error));
}

static void floor_is_the_shortest_schedule_or_the_kernels(void **state)
{
	static const double schedules[] = {120, NAN, 100};

	(void)state;
	assert_near(floor_of_parts(schedules, 3, 40), 100, 0);
	assert_near(floor_of_parts(schedules, 3, 140), 140, 0);
	assert_near(floor_of_parts(schedules, 3, NAN), 100, 0);
	assert_true(isnan(floor_of_parts(schedules, 0, 40)));
}

static void hidden_share_from_parts(void **state)
{
	const struct work_parts parts = {.loads = 60, .stores = 30, .compute = 50};
	const struct work_parts no_stores = {.loads = 60, .stores = 0, .compute = 60};
	const struct work_parts unknown = {.loads = NAN, .stores = 0, .compute = 60};
	const struct work_parts alone = {.loads = 60, .stores = 0, .compute = 0};

	(void)state;
	assert_near(hidden_from_parts(140, 100, &parts), 0.5, 1e-12); /* 40 of 30 + 50 */
	assert_near(hidden_from_parts(120, 75, &no_stores), 0.75, 1e-12);
	assert_near(hidden_from_parts(100, 115, &no_stores), -0.25, 1e-12);
	assert_true(isnan(hidden_from_parts(140, 100, &unknown)));
	assert_true(isnan(hidden_from_parts(140, 100, &alone)));
}

static void claims_are_judged_by_gain_and_interval(void **state)
{
	const struct judged best = {{.value = 1.40, .low = 1.39, .high = 1.41}, VERDICT_FASTER};
	const struct judged half = {{.value = 1.20, .low = 1.19, .high = 1.21}, VERDICT_FASTER};
	const struct judged little = {{.value = 1.19, .low = 1.18, .high = 1.20}, VERDICT_FASTER};
	const struct judged slower = {{.value = 0.90, .low = 0.89, .high = 0.91}, VERDICT_SLOWER};
	const struct judged vague = {{.value = 1.20, .low = 0.90, .high = 1.50}, VERDICT_UNCLEAR};

	(void)state;
	assert_int_equal(claim_holds(GAIN_IS_LARGE, &best, &half, &best), HOLDS_YES);
	assert_int_equal(claim_holds(GAIN_IS_LARGE, &half, &little, &best), HOLDS_UNCLEAR); /* they overlap */
	assert_int_equal(claim_holds(GAIN_IS_LARGE, &half, &slower, &best), HOLDS_YES);
	assert_int_equal(claim_holds(GAIN_IS_LARGE, &half, &best, &best), HOLDS_NO);
	assert_int_equal(claim_holds(GAIN_IS_LARGE, &little, &slower, &best), HOLDS_NO);
	assert_int_equal(claim_holds(GAIN_IS_LARGE, &slower, &slower, &slower), HOLDS_NO);
	assert_int_equal(claim_holds(GAIN_IS_LARGE, &best, &vague, &best), HOLDS_UNCLEAR);
	/* Nothing is larger than itself. */
	assert_int_equal(claim_holds(GAIN_IS_LARGE, &best, &best, &best), HOLDS_UNCLEAR);
	assert_int_equal(claim_holds(GAIN_IS_SMALL, &little, &best, &best), HOLDS_YES);
	assert_int_equal(claim_holds(GAIN_IS_SMALL, &slower, &slower, &slower), HOLDS_YES);
	assert_int_equal(claim_holds(GAIN_IS_SMALL, &half, &slower, &best), HOLDS_NO);
	assert_int_equal(claim_holds(GAIN_IS_SMALL, &vague, &slower, &best), HOLDS_UNCLEAR);
	assert_int_equal(claim_holds(GAIN_IS_LARGER, &best, &half, &best), HOLDS_YES);
	assert_int_equal(claim_holds(GAIN_IS_LARGER, &slower, &half, &best), HOLDS_NO);
	assert_int_equal(claim_holds(GAIN_IS_LARGER, &half, &little, &best), HOLDS_UNCLEAR); /* they overlap */
	assert_int_equal(claim_holds(GAIN_IS_LARGER, &little, &half, &best), HOLDS_UNCLEAR);
	assert_int_equal(claim_holds(GAIN_IS_LARGER, &vague, &slower, &best), HOLDS_UNCLEAR);
}

/* 32^3 FMAs at 32.768 G/s take 1 us; 2 * 32^2 * 4 = 8192 bytes at 4.096 GB/s take 2 us. */
static void balance_of_a_tile(void **state)
{
	struct tile_balance balance;

	(void)state;
	tile_balance(32, 32 * 32 * 32, 32.768e9, 4.096e9, &balance);
	assert_near(balance.compute_s, 1e-6, 1e-15);
	assert_near(balance.load_s, 2e-6, 1e-15);
	assert_near(balance.ratio, 0.5, 1e-12);
	tile_balance(32, 32 * 32 * 32, NAN, 4.096e9, &balance);
	assert_true(isnan(balance.compute_s));
	assert_true(isnan(balance.ratio));
}

/* 400, 200, 101, 100.5, 100 ns: from 8 on nothing that has more gains 1 %. At 1 the gain to 2 is the largest. */
static void enough_is_where_more_gain_nothing(void **state)
{
	struct supply points[] = {{16, 100.5}, {1, 400}, {2, 200}, {NAN, 1}, {8, 100.9}, {32, 100}, {64, NAN}};
	struct enough enough;

	(void)state;
	assert_true(enough_find(points, COUNT(points), band, &enough));
	assert_near(enough.least, 1, 0);
	assert_near(enough.most, 32, 0);
	assert_near(enough.from, 8, 0);
	points[4].ns = 101.1; /* by small steps, too, more gain 1 % */
	assert_true(enough_find(points, COUNT(points), band, &enough));
	assert_near(enough.from, 16, 0);
	points[5].ns = 90; /* the last one gains: whether it is enough, nothing shows */
	assert_true(enough_find(points, COUNT(points), band, &enough));
	assert_true(isnan(enough.from));
}

static void enough_from_the_first_on(void **state)
{
	const struct supply slower[] = {{4, 100}, {8, 120}, {16, 130}};
	struct enough enough;

	(void)state;
	assert_true(enough_find(slower, COUNT(slower), band, &enough));
	assert_near(enough.from, 4, 0);
}

/* Two times with as much under way show nothing; where one of them is too slow, that is not enough. */
static void enough_needs_two_amounts(void **state)
{
	const struct supply alike[] = {{4, 100}, {4, 50}, {8, NAN}},
			    three[] = {{4, 100}, {4, 120}, {8, 100}, {16, 100}};
	struct enough enough;

	(void)state;
	assert_false(enough_find(alike, COUNT(alike), band, &enough));
	assert_false(enough_find(alike, 0, band, &enough));
	assert_true(enough_find(three, COUNT(three), band, &enough));
	assert_near(enough.from, 8, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(crossovers_are_interpolated_in_log_x),
		cmocka_unit_test(a_loss_that_becomes_a_gain_crosses_one),
		cmocka_unit_test(what_is_unclear_widens_the_bracket),
		cmocka_unit_test(no_place_without_a_logarithm),
		cmocka_unit_test(predictions_are_scored_by_sign_and_by_verdict),
		cmocka_unit_test(the_best_constant_may_be_same),
		cmocka_unit_test(no_points_no_score),
		cmocka_unit_test(floor_is_the_shortest_schedule_or_the_kernels),
		cmocka_unit_test(hidden_share_from_parts),
		cmocka_unit_test(claims_are_judged_by_gain_and_interval),
		cmocka_unit_test(balance_of_a_tile),
		cmocka_unit_test(enough_is_where_more_gain_nothing),
		cmocka_unit_test(enough_from_the_first_on),
		cmocka_unit_test(enough_needs_two_amounts),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
