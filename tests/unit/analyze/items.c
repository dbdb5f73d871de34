/* items.c: latency, its jitter, waiting and items under way, of sequences that one works out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analyze/statistics/items.h"
#include "fixtures/near.h"

enum { MANY = 101 };

static void nothing_has_no_numbers(void **state)
{
	struct items_summary s;

	(void)state;
	items_summarize(NULL, 0, 3, &s);
	assert_int_equal(s.n, 0);
	assert_int_equal(s.under_way, 0);
	assert_true(isnan(s.median) && isnan(s.p99) && isnan(s.jitter) && isnan(s.interval_deviation));
	assert_true(isnan(s.wait_most) && isnan(s.work_median));
}

/* Latencies 1 to 101: percentiles are the numbers themselves, whatever their order. */
static void percentiles_of_a_hundred(void **state)
{
	struct item_times items[MANY];
	struct items_summary s;

	(void)state;
	for (int i = 0; i < MANY; i++)
		items[i] = (struct item_times){0, 1000.0 * i, 1000.0 * i, 1000.0 * i + 1 + (i * 37) % MANY, NAN, false};
	items_summarize(items, MANY, 0, &s);
	assert_int_equal(s.n, MANY);
	assert_near(s.median, 51, 1e-9);
	assert_near(s.p95, 96, 1e-9);
	assert_near(s.p99, 100, 1e-9);
	assert_near(s.least, 1, 1e-9);
	assert_near(s.most, 101, 1e-9);
	assert_near(s.jitter, 99, 1e-9);
	assert_int_equal(s.under_way, 1);
}

/* The same latency for all is no jitter; results at 0, 10, 30, 60 are 10, 20, 30 apart: deviation 10. */
static void jitter_and_evenness_are_two_things(void **state)
{
	const struct item_times items[] = {
		{0, 0, 0, 5, NAN, false},
		{0, 10, 10, 15, NAN, false},
		{0, 30, 30, 35, NAN, false},
		{0, 60, 60, 65, NAN, false},
	};
	struct items_summary s;

	(void)state;
	items_summarize(items, 4, 0, &s);
	assert_near(s.jitter, 0, 1e-12);
	assert_near(s.interval, 20, 1e-12);
	assert_near(s.interval_deviation, 10, 1e-12);
}

/* Two launches: the filling of each is left out, and no interval reaches from one into the other. */
static void filling_counts_nowhere(void **state)
{
	const struct item_times items[] = {
		{0, 0, 0, 900, 7, true},
		{0, 0, 50, 1000, 8, true},
		{0, 0, 100, 1100, 8, false},
		{1, 0, 0, 900, 7, true},
		{1, 0, 50, 1000, 10, true},
	};
	struct items_summary s;

	(void)state;
	items_summarize(items, 5, 1, &s);
	assert_int_equal(s.n, 3);
	assert_int_equal(s.launches, 2);
	assert_int_equal(s.held_back, 2);
	assert_near(s.median, 1000, 1e-9);
	assert_near(s.interval, 100, 1e-9);
	assert_near(s.interval_deviation, 0, 1e-9);
	assert_near(s.wait_median, 50, 1e-9);
	assert_near(s.wait_most, 100, 1e-9);
	assert_near(s.work_median, 8, 1e-9);
	assert_int_equal(s.under_way, 3);
	items_summarize(items, 5, 3, &s);
	assert_int_equal(s.n, 0);
	assert_int_equal(s.launches, 0);
}

/* One that is done when the next is taken has made room for it. */
static void what_is_done_is_not_under_way(void **state)
{
	const struct item_times items[] = {
		{0, 0, 0, 10, NAN, false},
		{0, 0, 5, 20, NAN, false},
		{0, 0, 10, 30, NAN, false},
		{0, 0, 40, 40, NAN, false},
	};
	struct items_summary s;

	(void)state;
	items_summarize(items, 4, 0, &s);
	assert_int_equal(s.under_way, 2);
}

/* The launch that has most under way tells: two here, whatever the buffers. */
static void filling_is_one_more_than_under_way(void **state)
{
	const struct item_times items[] = {
		{0, 0, 0, 15, NAN, false},
		{0, 20, 20, 35, NAN, false},
		{1, 0, 0, 15, NAN, false},
		{1, 10, 10, 25, NAN, false},
		{1, 20, 20, 35, NAN, false},
	};

	(void)state;
	assert_int_equal(items_filling(items, 5), 3);
	assert_int_equal(items_filling(items, 2), 2);
	assert_int_equal(items_filling(NULL, 0), 1);
}

/* Five items, one each 250 us: four periods, however late each result is seen. The second launch was disturbed, and the
 * third has one item, which tells no rate. */
static void a_rate_counts_periods(void **state)
{
	struct item_times items[21];
	int n = 0;

	(void)state;
	for (int launch = 0; launch < 4; launch++)
		for (int k = 0; k < 5; k++)
			items[n++] = (struct item_times){(size_t)launch, 250e3 * k, 250e3 * k,
				(launch == 1 ? 2 : 1) * 250e3 * k + 130e3, NAN, false};
	items[n++] = (struct item_times){4, 0, 0, 130e3, NAN, false};
	assert_near(items_rate(items, (size_t)n), 4000, 1e-6);
	assert_true(isnan(items_rate(&items[20], 1)));
	assert_true(isnan(items_rate(NULL, 0)));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_has_no_numbers),
		cmocka_unit_test(percentiles_of_a_hundred),
		cmocka_unit_test(jitter_and_evenness_are_two_things),
		cmocka_unit_test(filling_counts_nowhere),
		cmocka_unit_test(what_is_done_is_not_under_way),
		cmocka_unit_test(filling_is_one_more_than_under_way),
		cmocka_unit_test(a_rate_counts_periods),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
