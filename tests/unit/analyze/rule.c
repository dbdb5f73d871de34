/* rule.c: rules that are planted are found, random verdicts give none, and ranks that go together are told. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "fixtures/near.h"
#include "fixtures/tier.h"

enum { MOST = 64, VARIABLES = 6 };

static size_t count_trials(void)
{
	return (size_t)all_or(400, 100);
}

/* Points with VARIABLES numbers each: a grid of two parameters and what is made of them, as sweeps have it. */
struct grid {
	double value[VARIABLES][MOST];
	const double *list[VARIABLES];
	struct variables variables;
	bool hit[MOST];
};

static uint64_t random_state;

static double random_share(void)
{
	random_state = random_state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (double)(random_state >> 11) / 9007199254740992.0;
}

/* Of 2^0 ... 2^(side - 1) by the same, or a line if `down` is 1. */
static void grid_fill(struct grid *grid, size_t across, size_t down)
{
	size_t n = 0;

	memset(grid, 0, sizeof(*grid));
	for (size_t y = 0; y < down; y++) {
		for (size_t x = 0; x < across; x++, n++) {
			double a = pow(2, (double)x), b = pow(2, (double)y);
			const double made[VARIABLES] = {a / b, a * b, ceil(a / 4), a, b, a + b};

			for (size_t v = 0; v < VARIABLES; v++)
				grid->value[v][n] = made[v];
		}
	}
	for (size_t v = 0; v < VARIABLES; v++)
		grid->list[v] = grid->value[v];
	grid->variables = (struct variables){grid->list, VARIABLES, n};
}

static size_t rules_in_random_verdicts(size_t across, size_t down, double share)
{
	const size_t trials = count_trials();
	size_t rules = 0;
	struct grid grid;
	struct threshold_rule rule;

	grid_fill(&grid, across, down);
	for (size_t trial = 0; trial < trials; trial++) {
		for (size_t i = 0; i < grid.variables.n; i++)
			grid.hit[i] = random_share() < share;
		rules += rule_find(&grid.variables, grid.hit, trial, &rule);
	}
	return rules;
}

/* Six variables, and each with as many thresholds as it has values: still hardly ever a rule. */
static void random_verdicts_give_no_rule(void **state)
{
	static const struct {
		size_t across, down;
	} sizes[] = {{7, 1}, {9, 1}, {4, 4}, {7, 7}};

	(void)state;
	random_state = 1;
	for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
		for (int tenths = 2; tenths < 9; tenths += 3)
			assert_true(rules_in_random_verdicts(sizes[i].across, sizes[i].down, tenths / 10.0) <=
				    (double)count_trials() * 0.04);
	}
}

/* It pays from a threshold on, on one of the variables; now and then a verdict is another one. */
static void planted_rules_are_found(void **state)
{
	const size_t trials = count_trials();
	size_t found = 0, right = 0;
	struct grid grid;
	struct threshold_rule rule;

	(void)state;
	random_state = 2;
	grid_fill(&grid, 7, 7);
	for (size_t trial = 0; trial < trials; trial++) {
		for (size_t i = 0; i < grid.variables.n; i++)
			grid.hit[i] = (grid.value[0][i] >= 2) != (random_share() < 0.02);
		if (!rule_find(&grid.variables, grid.hit, trial, &rule))
			continue;
		found++;
		right += rule.variable == 0 && rule.relation == RULE_AT_LEAST && rule.threshold == 2;
	}
	assert_true((double)found >= (double)trials * 0.95);
	assert_true(right >= found * 0.95);
}

static void a_rule_is_counted(void **state)
{
	struct grid grid;
	struct threshold_rule rule;

	(void)state;
	grid_fill(&grid, 5, 5);
	for (size_t i = 0; i < 25; i++)
		grid.hit[i] = grid.value[4][i] <= 2;
	assert_true(rule_find(&grid.variables, grid.hit, 1, &rule));
	assert_int_equal(rule.variable, 4);
	assert_int_equal(rule.relation, RULE_AT_MOST);
	assert_near(rule.threshold, 2, 1e-9);
	assert_int_equal(rule.inside.points, 10);
	assert_int_equal(rule.inside.hits, 10);
	assert_int_equal(rule.outside.points, 15);
	assert_int_equal(rule.outside.hits, 0);
	assert_true(rule.chance <= 0.001);
	/* One of 15 others: an exception, which is counted. */
	grid.hit[24] = true;
	assert_true(rule_find(&grid.variables, grid.hit, 1, &rule));
	assert_int_equal(rule.outside.hits, 1);
	/* Two exceptions of ten are no rule. */
	grid.hit[24] = false;
	grid.hit[0] = grid.hit[3] = false;
	assert_false(rule_find(&grid.variables, grid.hit, 1, &rule) && rule.variable == 4 && rule.threshold == 2);
}

/* What all points have, or two of them, or one side of six: nothing follows. */
static void too_little_gives_no_rule(void **state)
{
	struct grid grid;
	struct threshold_rule rule;

	(void)state;
	grid_fill(&grid, 6, 1);
	for (size_t i = 0; i < 6; i++)
		grid.hit[i] = true;
	assert_false(rule_find(&grid.variables, grid.hit, 1, &rule));
	for (size_t i = 0; i < 6; i++)
		grid.hit[i] = i >= 3;
	assert_false(rule_find(&grid.variables, grid.hit, 1, &rule)); /* 1 in 10 by chance */
	grid.variables.n = 2;
	assert_false(rule_find(&grid.variables, grid.hit, 1, &rule));
	grid.variables.n = 0;
	assert_false(rule_find(&grid.variables, grid.hit, 1, &rule));
	grid.variables = (struct variables){NULL, 0, 6};
	assert_false(rule_find(&grid.variables, grid.hit, 1, &rule));
}

/* Of variables that say the same, the first one speaks. */
static void the_first_of_equals_is_taken(void **state)
{
	struct grid grid;
	struct threshold_rule rule;
	struct companion companion;
	double gain[MOST];

	(void)state;
	grid_fill(&grid, 12, 1);
	for (size_t i = 0; i < 12; i++) {
		grid.hit[i] = i >= 6;
		gain[i] = 1 + 0.1 * (double)i;
	}
	assert_true(rule_find(&grid.variables, grid.hit, 1, &rule));
	assert_int_equal(rule.variable, 0);
	assert_true(companion_find(&grid.variables, gain, 1, &companion));
	assert_int_equal(companion.variable, 0);
	assert_near(companion.correlation, 1, 1e-9);
}

static void ranks_are_correlated(void **state)
{
	const double x[] = {1, 2, 4, 8, 16}, up[] = {1, 2, 3, 9, 10}, down[] = {5, 4, 3, 2, 1},
		     flat[] = {1, 1, 1, 1, 1};
	const double ties[] = {1, 1, 2, 2, 3};

	(void)state;
	assert_near(rank_correlation(x, up, 5), 1, 1e-9);
	assert_near(rank_correlation(x, down, 5), -1, 1e-9);
	assert_near(rank_correlation(x, ties, 5), 0.9486832980505138, 1e-9); /* 9 / sqrt(10 * 9) */
	assert_true(isnan(rank_correlation(x, flat, 5)));
	assert_true(isnan(rank_correlation(x, up, 1)));
}

/* No variable explains numbers that have nothing to do with them. */
static void random_gains_are_not_explained(void **state)
{
	const size_t trials = count_trials();
	size_t explained = 0;
	struct grid grid;
	struct companion companion;
	double gain[MOST];

	(void)state;
	random_state = 3;
	grid_fill(&grid, 8, 2);
	for (size_t trial = 0; trial < trials; trial++) {
		for (size_t i = 0; i < 16; i++)
			gain[i] = random_share();
		explained += companion_find(&grid.variables, gain, trial, &companion);
	}
	assert_true((double)explained <= (double)trials * 0.04);
	for (size_t i = 0; i < 16; i++)
		gain[i] = 2 - 0.1 * grid.value[4][i] + 0.01 * random_share();
	assert_true(companion_find(&grid.variables, gain, 1, &companion));
	assert_int_equal(companion.variable, 4);
	assert_true(companion.correlation < -0.8);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_verdicts_give_no_rule),
		cmocka_unit_test(planted_rules_are_found),
		cmocka_unit_test(a_rule_is_counted),
		cmocka_unit_test(too_little_gives_no_rule),
		cmocka_unit_test(the_first_of_equals_is_taken),
		cmocka_unit_test(ranks_are_correlated),
		cmocka_unit_test(random_gains_are_not_explained),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
