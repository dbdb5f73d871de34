/* attribute.c: calls and the ranges they lie in, by hand and against a search through all ranges. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "analyze/analyze.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void no_ranges_and_no_calls(void **state)
{
	const struct host_call call = {5, 1, 77};
	const struct host_range range = {0, 10, 1};
	int out = 9;

	(void)state;
	ranges_attribute(NULL, 0, &call, 1, &out);
	assert_int_equal(out, -1);
	out = 9;
	ranges_attribute(&range, 1, NULL, 0, &out);
	assert_int_equal(out, 9);
	ranges_parents(NULL, 0, &out);
}

/* Thread 1: 0 holds 1 and 2, 2 holds 3. Thread 2: 4 alone. In no order. */
static const struct host_range nested[] = {
	{0, 100, 1},
	{10, 20, 1},
	{20, 60, 1},
	{30, 40, 1},
	{0, 50, 2},
};

static void the_innermost_range_wins(void **state)
{
	const struct host_call calls[] = {
		{35, 1, 0}, /* in 3 */
		{5, 1, 0},  /* in 0, before its children */
		{15, 1, 0}, /* in 1 */
		{50, 1, 0}, /* in 2, after 3 */
		{70, 1, 0}, /* in 0, after its children */
		{35, 2, 0}, /* on the other thread */
		{35, 3, 0}, /* on a thread without ranges */
		{-1, 1, 0}, /* before all */
	};
	const int want[] = {3, 0, 1, 2, 0, 4, -1, -1};
	int out[COUNT(calls)];

	(void)state;
	ranges_attribute(nested, COUNT(nested), calls, COUNT(calls), out);
	assert_memory_equal(out, want, sizeof want);
}

static void a_range_has_its_start_and_not_its_end(void **state)
{
	const struct host_call calls[] = {{0, 1, 0}, {20, 1, 0}, {19, 1, 0}, {99, 1, 0}, {100, 1, 0}, {50, 2, 0}};
	const int want[] = {0, 2, 1, 0, -1, -1};
	int out[COUNT(calls)];

	(void)state;
	ranges_attribute(nested, COUNT(nested), calls, COUNT(calls), out);
	assert_memory_equal(out, want, sizeof want);
}

static void equal_and_empty_ranges(void **state)
{
	const struct host_range ranges[] = {{0, 10, 1}, {0, 10, 1}, {4, 4, 1}, {0, 5, 1}};
	const struct host_call calls[] = {{4, 1, 0}, {7, 1, 0}};
	const int want[] = {3, 1};
	int out[2];

	(void)state;
	ranges_attribute(ranges, COUNT(ranges), calls, 2, out);
	assert_memory_equal(out, want, sizeof want);
}

static void parents_of_nested_ranges(void **state)
{
	const int want[] = {-1, 0, 0, 2, -1};
	int out[COUNT(nested)];

	(void)state;
	ranges_parents(nested, COUNT(nested), out);
	assert_memory_equal(out, want, sizeof want);
}

static void parents_of_equal_ranges(void **state)
{
	const struct host_range ranges[] = {{5, 9, 7}, {5, 9, 7}, {9, 9, 7}};
	const int want[] = {-1, 0, -1};
	int out[3];

	(void)state;
	ranges_parents(ranges, 3, out);
	assert_memory_equal(out, want, sizeof want);
}

/* ---- against a search through all ranges; these ranges need not nest ---- */

static bool contains(const struct host_range *range, const struct host_call *call)
{
	return range->thread == call->thread && range->start <= call->start && call->start < range->end;
}

/* Later start is further in; then the shorter; then the later in the array. */
static bool further_in(const struct host_range *ranges, int a, int b)
{
	if (ranges[a].start != ranges[b].start)
		return ranges[a].start > ranges[b].start;
	if (ranges[a].end != ranges[b].end)
		return ranges[a].end < ranges[b].end;
	return a > b;
}

static int search(const struct host_range *ranges, int n, const struct host_call *call)
{
	int best = -1;

	for (int i = 0; i < n; i++)
		if (contains(&ranges[i], call) && (best < 0 || further_in(ranges, i, best)))
			best = i;
	return best;
}

/* Following the parents from the innermost range meets every range that contains the call. */
static void assert_all_reached(
	const struct host_range *ranges, const int *parents, int n, const struct host_call *call, int innermost)
{
	int contained = 0, met = 0;

	for (int i = 0; i < n; i++)
		contained += contains(&ranges[i], call);
	for (int i = innermost; i >= 0; i = parents[i])
		met += contains(&ranges[i], call);
	assert_int_equal(met, contained);
}

static void random_ranges_agree_with_a_search(void **state)
{
	struct host_range ranges[30];
	struct host_call calls[60];
	int out[60], parents[30];

	(void)state;
	srand(4);
	for (int round = 0; round < 500; round++) {
		int nranges = rand() % (int)(COUNT(ranges) + 1), ncalls = rand() % (int)(COUNT(calls) + 1);

		for (int i = 0; i < nranges; i++) {
			ranges[i].thread = rand() % 3;
			ranges[i].start = rand() % 60;
			ranges[i].end = ranges[i].start + rand() % 25;
		}
		for (int i = 0; i < ncalls; i++)
			calls[i] = (struct host_call){rand() % 80, rand() % 4, i};
		ranges_attribute(ranges, (size_t)nranges, calls, (size_t)ncalls, out);
		ranges_parents(ranges, (size_t)nranges, parents);
		for (int i = 0; i < ncalls; i++) {
			assert_int_equal(out[i], search(ranges, nranges, &calls[i]));
			assert_all_reached(ranges, parents, nranges, &calls[i], out[i]);
		}
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(no_ranges_and_no_calls),
		cmocka_unit_test(the_innermost_range_wins),
		cmocka_unit_test(a_range_has_its_start_and_not_its_end),
		cmocka_unit_test(equal_and_empty_ranges),
		cmocka_unit_test(parents_of_nested_ranges),
		cmocka_unit_test(parents_of_equal_ranges),
		cmocka_unit_test(random_ranges_agree_with_a_search),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
