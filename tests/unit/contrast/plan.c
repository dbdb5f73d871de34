/* plan.c: who runs when: sides meet what comes by turns in no fixed way. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "contrast/measure/plan.h"

enum { SEEDS = 1000, BLOCKS = 6, PERIOD_MOST = 16 };

static void test_halves_are_mirrored(void **state)
{
	(void)state;
	for (size_t n = 1; n <= PLAN_MOST_SIDES; n++)
		for (uint64_t seed = 0; seed < SEEDS; seed++) {
			const struct plan_half half = plan_half_of(seed, n, seed % BLOCKS, seed % 2);
			size_t runs[PLAN_MOST_SIDES] = {0};

			for (size_t i = 0; i < plan_runs_of_half(n); i++) {
				runs[plan_side_at(&half, i)]++;
				assert_int_equal(plan_side_at(&half, i), plan_side_at(&half, 2 * n - 1 - i));
			}
			for (size_t side = 0; side < n; side++)
				assert_int_equal(runs[side], 2);
		}
}

/* In `n` blocks each side stands at each place once, so that none opens blocks more often. */
static void test_each_side_has_each_place(void **state)
{
	(void)state;
	for (size_t n = 2; n <= PLAN_MOST_SIDES; n++)
		for (uint64_t seed = 0; seed < SEEDS; seed++) {
			const size_t first = n * (seed % 3);
			unsigned seen[PLAN_MOST_SIDES] = {0};

			for (size_t block = first; block < first + n; block++) {
				const struct plan_half half = plan_half_of(seed, n, block, false);

				for (size_t place = 0; place < n; place++)
					seen[place] |= 1u << plan_side_at(&half, place);
			}
			for (size_t place = 0; place < n; place++)
				assert_int_equal(seen[place], (1u << n) - 1);
		}
}

static void test_seeds_draw(void **state)
{
	size_t first_opens = 0, halves_differ = 0;

	(void)state;
	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		const struct plan_half half = plan_half_of(seed, 2, 4, false), again = plan_half_of(seed, 2, 4, false);
		const struct plan_half traced = plan_half_of(seed, 2, 4, true);

		assert_memory_equal(&half, &again, sizeof(half));
		first_opens += half.order[0] == 0;
		halves_differ += half.order[0] != traced.order[0];
	}
	assert_in_range(first_opens, SEEDS * 2 / 5, SEEDS * 3 / 5);
	assert_in_range(halves_differ, SEEDS * 2 / 5, SEEDS * 3 / 5);
}

/* How often side 0 is met by what comes in every `period`-th run, less how often side 1 is: of one kind of runs in six
 * blocks. *hits: of both. */
static int surplus(uint64_t seed, size_t nsides, size_t period, size_t phase, bool traced, int *hits)
{
	const size_t runs = plan_runs_of_half(nsides);
	int met[PLAN_MOST_SIDES] = {0};

	for (size_t block = 0; block < BLOCKS; block++) {
		const struct plan_half half = plan_half_of(seed, nsides, block, traced);

		for (size_t i = 0; i < runs; i++)
			met[plan_side_at(&half, i)] += ((2 * block + traced) * runs + i) % period == phase;
	}
	*hits = met[0] + met[1];
	return met[0] - met[1];
}

/* Over all seeds no side is met more often, whatever the period is, and one side has all with few of them alone. */
static void hold_period(size_t nsides, size_t period, size_t phase, bool traced)
{
	int sum = 0, hits, all = 0, one_has_all = 0;

	for (uint64_t seed = 0; seed < SEEDS; seed++) {
		int more = surplus(seed, nsides, period, phase, traced, &hits);

		sum += more;
		all += hits;
		one_has_all += hits >= BLOCKS && (more == hits || more == -hits);
	}
	assert_true(5 * abs(sum) <= all);
	assert_true(10 * one_has_all <= SEEDS);
}

static void test_no_period_stays_in_step(void **state)
{
	(void)state;
	for (size_t nsides = 2; nsides <= 4; nsides++)
		for (size_t period = 2; period <= PERIOD_MOST; period++)
			for (size_t phase = 0; phase < period; phase++) {
				hold_period(nsides, period, phase, false);
				hold_period(nsides, period, phase, true);
			}
}

/* Were the order the same in all blocks, every fourth run would be one of the same side. */
static void test_every_fourth_run_meets_both(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < SEEDS; seed++)
		for (size_t phase = 0; phase < 4; phase++) {
			int hits;

			assert_int_equal(surplus(seed, 2, 4, phase, false, &hits), 0);
			assert_int_equal(surplus(seed, 2, 4, phase, true, &hits), 0);
			assert_int_equal(hits, BLOCKS);
		}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_halves_are_mirrored),
		cmocka_unit_test(test_each_side_has_each_place),
		cmocka_unit_test(test_seeds_draw),
		cmocka_unit_test(test_no_period_stays_in_step),
		cmocka_unit_test(test_every_fourth_run_meets_both),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
