/* interval.c: the interval algebra against hand-computed cases and against a byte per nanosecond. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/analyze.h"
#include "fixtures/near.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

static void assert_intervals(const struct interval *got, size_t ngot, const struct interval *want, size_t nwant)
{
	assert_int_equal(ngot, nwant);
	for (size_t i = 0; i < nwant; i++) {
		assert_true(got[i].start == want[i].start);
		assert_true(got[i].end == want[i].end);
	}
}

#define ASSERT_UNION(input, output) assert_intervals(input, intervals_union(input, COUNT(input)), output, COUNT(output))

static void union_of_nothing(void **state)
{
	struct interval untouched = {3, 4};

	(void)state;
	assert_int_equal(intervals_union(&untouched, 0), 0);
	assert_int_equal(untouched.start, 3);
}

static void union_drops_empty_and_backward(void **state)
{
	struct interval a[] = {{5, 5}, {9, 2}, {1, 2}, {0, 0}};
	struct interval none[] = {{5, 5}, {9, 2}};
	const struct interval want[] = {{1, 2}};

	(void)state;
	ASSERT_UNION(a, want);
	assert_int_equal(intervals_union(none, COUNT(none)), 0);
}

static void union_merges_touching(void **state)
{
	struct interval a[] = {{10, 20}, {0, 10}, {21, 30}};
	const struct interval want[] = {{0, 20}, {21, 30}};

	(void)state;
	ASSERT_UNION(a, want);
}

static void union_merges_overlapping_nested_identical(void **state)
{
	struct interval a[] = {{50, 60}, {0, 100}, {90, 120}, {0, 100}, {-30, -20}, {-25, -22}};
	const struct interval want[] = {{-30, -20}, {0, 120}};

	(void)state;
	ASSERT_UNION(a, want);
}

static void union_keeps_the_longer_end(void **state)
{
	struct interval a[] = {{0, 100}, {1, 2}, {50, 70}};
	const struct interval want[] = {{0, 100}};

	(void)state;
	ASSERT_UNION(a, want);
}

static void union_at_the_limits(void **state)
{
	struct interval a[] = {{INT64_MAX - 1, INT64_MAX}, {INT64_MIN, INT64_MIN + 1}, {-1, 1}};
	const struct interval want[] = {{INT64_MIN, INT64_MIN + 1}, {-1, 1}, {INT64_MAX - 1, INT64_MAX}};
	struct interval all[] = {{0, INT64_MAX}, {INT64_MIN, 0}};
	const struct interval everything[] = {{INT64_MIN, INT64_MAX}};

	(void)state;
	ASSERT_UNION(a, want);
	ASSERT_UNION(all, everything);
}

static void length_sums_and_saturates(void **state)
{
	const struct interval two[] = {{-5, 5}, {10, 13}};
	const struct interval everything[] = {{INT64_MIN, INT64_MAX}};
	const struct interval halves[] = {{INT64_MIN, -1}, {0, INT64_MAX}};

	(void)state;
	assert_int_equal(intervals_length(NULL, 0), 0);
	assert_int_equal(intervals_length(two, 2), 13);
	assert_true(intervals_length(everything, 1) == INT64_MAX);
	assert_true(intervals_length(halves, 2) == INT64_MAX);
	assert_true(intervals_length(halves, 1) == INT64_MAX);
	assert_true(intervals_length(halves + 1, 1) == INT64_MAX);
}

static void what_is_left_of_a_set(void **state)
{
	const struct interval a[] = {{0, 10}, {20, 30}, {40, 50}};
	const struct interval b[] = {{5, 25}, {30, 40}, {45, 46}, {47, 48}};
	const struct interval want[] = {{0, 5}, {25, 30}, {40, 45}, {46, 47}, {48, 50}};
	struct intervals out = {.n = 0};

	(void)state;
	intervals_add_minus(&out, a, 3, b, 4);
	assert_int_equal(out.n, 5);
	assert_memory_equal(out.at, want, sizeof(want));
	intervals_add_minus(&out, a, 3, a, 3);
	intervals_add_minus(&out, NULL, 0, a, 3);
	assert_int_equal(out.n, 5);
	/* Each call adds to what is there. */
	intervals_add_minus(&out, a, 3, NULL, 0);
	intervals_add_minus(&out, b, 1, a, 1);
	assert_int_equal(out.n, 9);
	assert_memory_equal(out.at + 5, a, sizeof(a));
	assert_true(out.at[8].start == 10 && out.at[8].end == 25);
	free(out.at);
}

static void overlap_of_sets(void **state)
{
	const struct interval a[] = {{0, 10}, {20, 30}, {40, 50}};
	const struct interval b[] = {{5, 25}, {30, 40}, {45, 46}, {47, 48}};

	(void)state;
	/* [5,10) [20,25) [45,46) [47,48) */
	assert_int_equal(intervals_overlap(a, 3, b, 4), 12);
	assert_int_equal(intervals_overlap(b, 4, a, 3), 12);
	assert_int_equal(intervals_overlap(a, 3, a, 3), 30);
	assert_int_equal(intervals_overlap(a, 3, NULL, 0), 0);
	assert_int_equal(intervals_overlap(NULL, 0, b, 4), 0);
}

static void overlap_of_touching_is_nothing(void **state)
{
	const struct interval a = {0, 10}, b = {10, 20};

	(void)state;
	assert_int_equal(intervals_overlap(&a, 1, &b, 1), 0);
}

static void overlap_saturates(void **state)
{
	const struct interval everything = {INT64_MIN, INT64_MAX};

	(void)state;
	assert_true(intervals_overlap(&everything, 1, &everything, 1) == INT64_MAX);
}

static void share_all(const struct interval *a, size_t n, int64_t from, int64_t to, double *out, size_t bins)
{
	for (size_t i = 0; i < bins; i++)
		out[i] = 0;
	for (size_t i = 0; i < n; i++)
		intervals_add_share(&a[i], from, to, out, bins);
}

static void share_per_slice(void **state)
{
	const struct interval a[] = {{-5, 5}, {12, 14}, {19, 31}, {39, 45}};
	double out[4];

	(void)state;
	/* slices of 10: [0,5) ; [12,14) and [19,20) ; all ; [30,31) and [39,40) */
	share_all(a, COUNT(a), 0, 40, out, 4);
	assert_near(out[0], 0.5, 1e-12);
	assert_near(out[1], 0.3, 1e-12);
	assert_near(out[2], 1.0, 1e-12);
	assert_near(out[3], 0.2, 1e-12);
}

static void share_with_broken_slices(void **state)
{
	const struct interval a = {1, 2};
	double out[2];

	(void)state;
	/* slices of 1.5: the interval is half of its length in each */
	share_all(&a, 1, 0, 3, out, 2);
	assert_near(out[0], 0.5 / 1.5, 1e-12);
	assert_near(out[1], 0.5 / 1.5, 1e-12);
}

static void share_of_odd_ranges(void **state)
{
	const struct interval everything = {INT64_MIN, INT64_MAX};
	const struct interval outside[] = {{-9, 0}, {10, 12}};
	double out[3] = {7, 7, 7};

	(void)state;
	share_all(&everything, 1, INT64_MIN, INT64_MAX, out, 3);
	for (int i = 0; i < 3; i++)
		assert_near(out[i], 1, 1e-9);
	share_all(outside, 2, 0, 10, out, 3);
	for (int i = 0; i < 3; i++)
		assert_true(out[i] == 0);
	out[0] = 7;
	share_all(&everything, 1, 5, 5, out, 1);
	assert_true(out[0] == 0);
	share_all(&everything, 1, 0, 10, out, 0);
}

/* ---- against a byte per nanosecond ---- */

enum { DAY = 400, ROUNDS = 400 };

static int64_t random_time(int64_t limit)
{
	return (int64_t)rand() % limit;
}

static void mark(char *day, const struct interval *a, size_t n)
{
	memset(day, 0, DAY);
	for (size_t i = 0; i < n; i++)
		for (int64_t t = a[i].start; t < a[i].end; t++)
			day[t] = 1;
}

/* Short ones so that gaps remain; some are empty or backward. */
static size_t random_intervals(struct interval *a, size_t max)
{
	size_t n = (size_t)rand() % (max + 1);

	for (size_t i = 0; i < n; i++) {
		a[i].start = 10 + random_time(DAY - 20);
		a[i].end = a[i].start + random_time(12) - 2;
		if (a[i].end > DAY)
			a[i].end = DAY;
	}
	return n;
}

static void assert_sorted_disjoint(const struct interval *a, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		assert_true(a[i].start < a[i].end);
		assert_true(i == 0 || a[i - 1].end < a[i].start);
	}
}

static void random_sets_agree_with_counting(void **state)
{
	struct interval a[120], b[120];
	char before[DAY], left[DAY], right[DAY];

	(void)state;
	srand(1);
	for (int round = 0; round < ROUNDS; round++) {
		size_t na = random_intervals(a, COUNT(a)), nb = random_intervals(b, COUNT(b));
		int64_t only = 0, both = 0;

		mark(before, a, na);
		na = intervals_union(a, na);
		nb = intervals_union(b, nb);
		assert_sorted_disjoint(a, na);
		mark(left, a, na);
		mark(right, b, nb);
		assert_memory_equal(before, left, DAY);
		for (int t = 0; t < DAY; t++) {
			only += left[t];
			both += left[t] && right[t];
		}
		assert_int_equal(intervals_length(a, na), only);
		assert_int_equal(intervals_overlap(a, na, b, nb), both);
	}
}

static void random_shares_agree_with_counting(void **state)
{
	struct interval a[60];
	char day[DAY];
	double out[DAY / 8];

	(void)state;
	srand(2);
	for (int round = 0; round < ROUNDS; round++) {
		size_t n = intervals_union(a, random_intervals(a, COUNT(a)));

		mark(day, a, n);
		share_all(a, n, 0, DAY, out, DAY / 8);
		for (int bin = 0; bin < DAY / 8; bin++) {
			int busy = 0;

			for (int t = 8 * bin; t < 8 * bin + 8; t++)
				busy += day[t];
			assert_near(out[bin], busy / 8.0, 1e-9);
		}
	}
}

/* Enough intervals for every level of the sort, in orders that a sort may stumble on. */
static void assert_many_sorted(int64_t (*start_of)(int64_t))
{
	enum { MANY = 30000 };
	struct interval *a = calloc(MANY, sizeof *a);
	int64_t sum = 0;

	assert_non_null(a);
	for (int64_t i = 0; i < MANY; i++)
		a[i] = (struct interval){start_of(i), start_of(i) + 1};
	assert_int_equal(intervals_union(a, MANY), MANY);
	assert_sorted_disjoint(a, MANY);
	for (int64_t i = 0; i < MANY; i++)
		sum += a[i].end - a[i].start;
	assert_int_equal(sum, MANY);
	free(a);
}

static int64_t ascending(int64_t i)
{
	return 3 * i;
}

static int64_t descending(int64_t i)
{
	return -1000003 * i;
}

/* 7919 is prime to 30000: every multiple of 2 below 60000 comes once. */
static int64_t shuffled(int64_t i)
{
	return i * 7919 % 30000 * 2;
}

static int64_t far_apart(int64_t i)
{
	return (i % 2 == 0 ? INT64_MIN + 2 * i : INT64_MAX - 2 * i) / 2;
}

static void many_intervals_in_any_order(void **state)
{
	(void)state;
	assert_many_sorted(ascending);
	assert_many_sorted(descending);
	assert_many_sorted(shuffled);
	assert_many_sorted(far_apart);
}

static void many_intervals_that_start_together(void **state)
{
	struct interval a[1000];

	(void)state;
	for (int i = 0; i < 1000; i++)
		a[i] = (struct interval){i % 2 == 0 ? 100 : 0, 101 + i};
	assert_int_equal(intervals_union(a, COUNT(a)), 1);
	assert_int_equal(a[0].start, 0);
	assert_int_equal(a[0].end, 1100);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(union_of_nothing),
		cmocka_unit_test(union_drops_empty_and_backward),
		cmocka_unit_test(union_merges_touching),
		cmocka_unit_test(union_merges_overlapping_nested_identical),
		cmocka_unit_test(union_keeps_the_longer_end),
		cmocka_unit_test(union_at_the_limits),
		cmocka_unit_test(length_sums_and_saturates),
		cmocka_unit_test(what_is_left_of_a_set),
		cmocka_unit_test(overlap_of_sets),
		cmocka_unit_test(overlap_of_touching_is_nothing),
		cmocka_unit_test(overlap_saturates),
		cmocka_unit_test(share_per_slice),
		cmocka_unit_test(share_with_broken_slices),
		cmocka_unit_test(share_of_odd_ranges),
		cmocka_unit_test(random_sets_agree_with_counting),
		cmocka_unit_test(random_shares_agree_with_counting),
		cmocka_unit_test(many_intervals_in_any_order),
		cmocka_unit_test(many_intervals_that_start_together),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
