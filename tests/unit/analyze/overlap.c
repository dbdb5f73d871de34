/* overlap.c: overlap of copies and kernels, by hand and against a slow count of every nanosecond. */
#include <math.h>
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

static int by_start(const void *left, const void *right)
{
	const struct device_work *a = left, *b = right;

	return (a->start > b->start) - (a->start < b->start);
}

/* Of work in any order. */
static struct overlap compute(const struct device_work *work, size_t n)
{
	struct device_work *sorted = calloc(n + 1, sizeof *sorted);
	struct overlap_sweep sweep = {0};
	struct overlap out;

	assert_non_null(sorted);
	if (n > 0) {
		memcpy(sorted, work, n * sizeof *sorted);
		qsort(sorted, n, sizeof *sorted, by_start);
	}
	for (size_t i = 0; i < n; i++)
		overlap_add(&sweep, &sorted[i]);
	memset(&out, 0x5a, sizeof out);
	overlap_end(&sweep, &out);
	free(sorted);
	return out;
}

static void nothing(void **state)
{
	struct overlap o = compute(NULL, 0);

	(void)state;
	assert_int_equal(o.span, 0);
	assert_int_equal(o.idle, 0);
	assert_int_equal(o.busy_all, 0);
	assert_int_equal(o.serial, 0);
	assert_true(isnan(o.overlap_ratio));
	assert_true(isnan(o.concurrency));
}

/* in 0-10, kernel 10-14, out 14-20, a gap of 5, the same again */
static const struct device_work one_buffer[] = {
	{0, 10, WORK_H2D},
	{10, 14, WORK_KERNEL},
	{14, 20, WORK_D2H},
	{25, 35, WORK_H2D},
	{35, 39, WORK_KERNEL},
	{39, 45, WORK_D2H},
};

/* the second chunk comes in while the first is computed and goes out; out takes 7 instead of 6 */
static const struct device_work two_buffers[] = {
	{14, 21, WORK_D2H},
	{0, 10, WORK_H2D},
	{10, 14, WORK_KERNEL},
	{10, 20, WORK_H2D},
	{20, 24, WORK_KERNEL},
	{24, 31, WORK_D2H},
};

static void serial_pipeline(void **state)
{
	struct overlap o = compute(one_buffer, COUNT(one_buffer));

	(void)state;
	assert_int_equal(o.span, 45);
	assert_int_equal(o.idle, 5);
	assert_int_equal(o.busy[WORK_H2D], 20);
	assert_int_equal(o.busy[WORK_D2H], 12);
	assert_int_equal(o.busy[WORK_KERNEL], 8);
	assert_int_equal(o.busy[WORK_OTHER], 0);
	assert_int_equal(o.busy_copy, 32);
	assert_int_equal(o.busy_all, 40);
	assert_int_equal(o.overlap, 0);
	assert_int_equal(o.exposed_copy, 32);
	assert_int_equal(o.exposed_h2d, 20);
	assert_int_equal(o.exposed_d2h, 12);
	assert_int_equal(o.duplex, 0);
	assert_int_equal(o.serial, 40);
	assert_int_equal(o.hideable, 20);
	assert_near(o.overlap_ratio, 0, 0);
	assert_near(o.concurrency, 0, 0);
}

static void overlapped_pipeline(void **state)
{
	struct overlap o = compute(two_buffers, COUNT(two_buffers));

	(void)state;
	assert_int_equal(o.span, 31);
	assert_int_equal(o.idle, 0);
	assert_int_equal(o.busy[WORK_H2D], 20);
	assert_int_equal(o.busy[WORK_D2H], 14);
	assert_int_equal(o.busy[WORK_KERNEL], 8);
	assert_int_equal(o.busy_copy, 28); /* 0-21 and 24-31 */
	assert_int_equal(o.busy_all, 31);
	assert_int_equal(o.overlap, 5); /* 10-14 and 20-21 */
	assert_int_equal(o.exposed_copy, 23);
	assert_int_equal(o.exposed_h2d, 16); /* 0-10 and 14-20: 10-14 lies beside the first kernel */
	assert_int_equal(o.exposed_d2h, 13); /* 14-20 and 24-31: 20-21 lies beside the second */
	assert_int_equal(o.duplex, 6);       /* 14-20 */
	assert_int_equal(o.serial, 42);
	assert_int_equal(o.hideable, 22);
	assert_near(o.overlap_ratio, 5.0 / 28, 1e-15);
	assert_near(o.concurrency, 11.0 / 22, 1e-15);
}

static void shares_between_two_runs(void **state)
{
	struct overlap one = compute(one_buffer, COUNT(one_buffer));
	struct overlap two = compute(two_buffers, COUNT(two_buffers));
	struct overlap none = compute(NULL, 0);

	(void)state;
	assert_near(hidden_share(&one, &two), (45.0 - 31) / 20, 1e-15);
	assert_near(hidden_share(&two, &one), (31.0 - 45) / 22, 1e-15);
	assert_near(copy_stretch(&one, &two), 34.0 / 32, 1e-15);
	assert_true(isnan(hidden_share(&none, &two)));
	assert_true(isnan(copy_stretch(&none, &two)));
}

static void kernels_alone_have_no_ratios(void **state)
{
	const struct device_work work[] = {{5, 10, WORK_KERNEL}, {7, 20, WORK_KERNEL}};
	struct overlap o = compute(work, COUNT(work));

	(void)state;
	assert_int_equal(o.busy[WORK_KERNEL], 15);
	assert_int_equal(o.serial, 15);
	assert_int_equal(o.hideable, 0);
	assert_true(isnan(o.overlap_ratio));
	assert_true(isnan(o.concurrency));
}

static void the_largest_class_is_not_hideable(void **state)
{
	struct device_work work[] = {{0, 10, WORK_H2D}, {10, 12, WORK_KERNEL}, {12, 13, WORK_D2H}};

	(void)state;
	assert_int_equal(compute(work, COUNT(work)).hideable, 3);
	work[0].cls = WORK_D2H;
	work[2].cls = WORK_H2D;
	assert_int_equal(compute(work, COUNT(work)).hideable, 3);
	work[0].cls = WORK_KERNEL;
	work[1].cls = WORK_D2H;
	assert_int_equal(compute(work, COUNT(work)).hideable, 3);
}

static void other_work_is_busy_but_neither_copy_nor_serial(void **state)
{
	const struct device_work work[] = {{0, 10, WORK_H2D}, {5, 30, WORK_OTHER}, {40, 50, WORK_KERNEL}};
	struct overlap o = compute(work, COUNT(work));

	(void)state;
	assert_int_equal(o.busy[WORK_OTHER], 25);
	assert_int_equal(o.busy_copy, 10);
	assert_int_equal(o.busy_all, 40);
	assert_int_equal(o.span, 50);
	assert_int_equal(o.idle, 10);
	assert_int_equal(o.serial, 20);
	assert_int_equal(o.hideable, 10);
	assert_int_equal(o.overlap, 0);
}

static void work_of_no_length_does_not_stretch_the_span(void **state)
{
	const struct device_work work[] = {{-50, -50, WORK_KERNEL}, {0, 10, WORK_KERNEL}, {90, 20, WORK_H2D}};
	struct overlap o = compute(work, COUNT(work));

	(void)state;
	assert_int_equal(o.span, 10);
	assert_int_equal(o.busy_all, 10);
	assert_int_equal(o.busy_copy, 0);
}

static void limits_do_not_overflow(void **state)
{
	const struct device_work work[] = {
		{INT64_MIN, INT64_MAX, WORK_H2D},
		{INT64_MIN, INT64_MAX, WORK_D2H},
		{INT64_MIN, INT64_MAX, WORK_KERNEL},
	};
	struct overlap o = compute(work, COUNT(work));

	(void)state;
	assert_true(o.span == INT64_MAX);
	assert_true(o.busy_all == INT64_MAX);
	assert_true(o.duplex == INT64_MAX);
	assert_true(o.serial == INT64_MAX);
	assert_int_equal(o.idle, 0);
	assert_int_equal(o.hideable, 0);
}

/* ---- against a slow count of every nanosecond ---- */

enum { DAY = 300 };

static void count_nanoseconds(const struct device_work *work, size_t n, struct overlap *out)
{
	int64_t first = DAY, last = 0;

	memset(out, 0, sizeof *out);
	for (int64_t t = 0; t < DAY; t++) {
		bool on[WORK_CLASSES] = {false};
		bool copy, any;

		for (size_t i = 0; i < n; i++)
			on[work[i].cls] = on[work[i].cls] || (work[i].start <= t && t < work[i].end);
		copy = on[WORK_H2D] || on[WORK_D2H];
		any = copy || on[WORK_KERNEL] || on[WORK_OTHER];
		for (int c = 0; c < WORK_CLASSES; c++)
			out->busy[c] += on[c];
		out->busy_copy += copy;
		out->busy_all += any;
		out->overlap += copy && on[WORK_KERNEL];
		out->exposed_copy += copy && !on[WORK_KERNEL];
		out->exposed_h2d += on[WORK_H2D] && !on[WORK_KERNEL];
		out->exposed_d2h += on[WORK_D2H] && !on[WORK_KERNEL];
		out->duplex += on[WORK_H2D] && on[WORK_D2H];
		if (any && t < first)
			first = t;
		if (any)
			last = t + 1;
	}
	out->span = last > first ? last - first : 0;
	for (int64_t t = first; t < last; t++) {
		bool any = false;

		for (size_t i = 0; i < n; i++)
			any = any || (work[i].start <= t && t < work[i].end);
		out->idle += !any;
	}
}

static void random_work_agrees_with_counting(void **state)
{
	struct device_work work[40];
	struct overlap want;

	(void)state;
	srand(3);
	for (int round = 0; round < 300; round++) {
		size_t n = (size_t)rand() % (COUNT(work) + 1);
		struct overlap got;

		for (size_t i = 0; i < n; i++) {
			work[i].start = rand() % (DAY - 30);
			work[i].end = work[i].start + rand() % 30 - 3;
			work[i].cls = (enum work_class)(rand() % WORK_CLASSES);
		}
		got = compute(work, n);
		count_nanoseconds(work, n, &want);
		assert_memory_equal(got.busy, want.busy, sizeof got.busy);
		assert_int_equal(got.busy_copy, want.busy_copy);
		assert_int_equal(got.busy_all, want.busy_all);
		assert_int_equal(got.overlap, want.overlap);
		assert_int_equal(got.exposed_copy, want.exposed_copy);
		assert_int_equal(got.exposed_h2d, want.exposed_h2d);
		assert_int_equal(got.exposed_d2h, want.exposed_d2h);
		assert_int_equal(got.duplex, want.duplex);
		assert_int_equal(got.span, want.span);
		assert_int_equal(got.idle, want.idle);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing),
		cmocka_unit_test(serial_pipeline),
		cmocka_unit_test(overlapped_pipeline),
		cmocka_unit_test(shares_between_two_runs),
		cmocka_unit_test(kernels_alone_have_no_ratios),
		cmocka_unit_test(the_largest_class_is_not_hideable),
		cmocka_unit_test(other_work_is_busy_but_neither_copy_nor_serial),
		cmocka_unit_test(work_of_no_length_does_not_stretch_the_span),
		cmocka_unit_test(limits_do_not_overflow),
		cmocka_unit_test(random_work_agrees_with_counting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
