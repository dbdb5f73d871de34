/* samples.c: means and peaks of values sampled over time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "figure/samples.h"
#include "fixtures/near.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* 10 for 10, then 40 for 20, a hole of 10, then 7 for 20. */
static const struct value_sample samples[] = {{0, 10, 10}, {10, 30, 40}, {40, 60, 7}};

static void means_are_weighted_by_time(void **state)
{
	double mean;

	(void)state;
	samples_mean(samples, COUNT(samples), 0, 60, &mean, 1);
	assert_near(mean, (10 * 10 + 20 * 40 + 20 * 7) / 50.0, 1e-12);
}

static void slices_cut_samples(void **state)
{
	double mean[4];

	(void)state;
	samples_mean(samples, COUNT(samples), 5, 45, mean, COUNT(mean));
	assert_near(mean[0], (5 * 10 + 5 * 40) / 10.0, 1e-12); /* 5 to 15 */
	assert_near(mean[1], 40, 1e-12);                       /* 15 to 25 */
	assert_near(mean[2], 40, 1e-12);                       /* 25 to 35, of which 5 are a hole */
	assert_near(mean[3], 7, 1e-12);                        /* 35 to 45 */
}

static void a_sample_spans_slices(void **state)
{
	const struct value_sample one = {0, 100, 3};
	double mean[10];

	(void)state;
	samples_mean(&one, 1, 0, 100, mean, COUNT(mean));
	for (size_t i = 0; i < COUNT(mean); i++)
		assert_near(mean[i], 3, 1e-12);
}

static void a_hole_has_no_mean(void **state)
{
	double mean[2];

	(void)state;
	samples_mean(samples, COUNT(samples), 30, 50, mean, COUNT(mean));
	assert_true(isnan(mean[0]));
	assert_near(mean[1], 7, 1e-12);
	samples_mean(NULL, 0, 0, 10, mean, 1);
	assert_true(isnan(mean[0]));
}

static void means_keep_the_sum(void **state)
{
	struct value_sample many[1000];
	double mean[37], sum = 0;

	(void)state;
	for (size_t i = 0; i < COUNT(many); i++)
		many[i] = (struct value_sample){(double)i, (double)i + 1, (double)(i * 7 % 11)};
	samples_mean(many, COUNT(many), 0, 1000, mean, COUNT(mean));
	for (size_t i = 0; i < COUNT(mean); i++)
		sum += mean[i];
	samples_mean(many, COUNT(many), 0, 1000, mean, 1);
	assert_near(sum / 37, mean[0], 1e-9);
}

static void peaks(void **state)
{
	(void)state;
	assert_near(samples_peak(samples, COUNT(samples), 0, 60), 40, 0);
	assert_near(
		samples_peak(samples, COUNT(samples), 30, 60), 7, 0); /* the sample that ends at 30 has no time in it */
	assert_true(isnan(samples_peak(samples, COUNT(samples), 30, 40)));
}

/* Out of order, overlapping, touching, and one alone. */
static void joins_what_touches(void **state)
{
	struct value_sample s[] = {{30, 40, 1}, {0, 10, 1}, {5, 20, 1}, {20, 22, 1}, {6, 8, 1}};

	(void)state;
	assert_int_equal(samples_join(s, COUNT(s)), 2);
	assert_true(s[0].start == 0 && s[0].end == 22);
	assert_true(s[1].start == 30 && s[1].end == 40);
	assert_int_equal(samples_join(s, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(means_are_weighted_by_time),
		cmocka_unit_test(slices_cut_samples),
		cmocka_unit_test(a_sample_spans_slices),
		cmocka_unit_test(a_hole_has_no_mean),
		cmocka_unit_test(means_keep_the_sum),
		cmocka_unit_test(peaks),
		cmocka_unit_test(joins_what_touches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
