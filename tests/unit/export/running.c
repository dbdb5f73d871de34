/* running.c: the sum over intervals that come and go, against a count of them one by one. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <cmocka.h>

#include "export/trace/running.h"

static void a_sum_of_two(void **state)
{
	struct running running = {0};
	int64_t time = 0;

	(void)state;
	assert_int_equal(running_next(&running, INT64_MAX, &time), 0);
	running_add(&running, 10, 1.5);
	assert_int_equal(running_next(&running, 9, &time), 0);
	running_add(&running, 30, 2);
	assert_true(running.sum == 3.5);
	assert_int_equal(running_next(&running, 10, &time), 1);
	assert_int_equal(time, 10);
	assert_true(running.sum == 2);
	assert_int_equal(running_next(&running, 29, &time), 0);
	assert_int_equal(running_next(&running, 100, &time), 1);
	assert_int_equal(time, 30);
	assert_true(running.sum == 0);
	running_free(&running);
}

static void those_that_end_together_close_together(void **state)
{
	struct running running = {0};
	int64_t time = 0;

	(void)state;
	for (int i = 0; i < 50; i++)
		running_add(&running, 5 + i % 2, 0.1);
	assert_int_equal(running_next(&running, 100, &time), 1);
	assert_int_equal(time, 5);
	assert_int_equal(running.n, 25);
	assert_int_equal(running_next(&running, 100, &time), 1);
	assert_int_equal(time, 6);
	/* Not what rounding leaves. */
	assert_true(running.sum == 0);
	assert_int_equal(running_next(&running, 100, &time), 0);
	running_free(&running);
}

enum { MANY = 400 };

static double sum_at(int64_t (*all)[3], int n, int64_t time)
{
	double sum = 0;

	for (int i = 0; i < n; i++)
		sum += all[i][0] <= time && time < all[i][1] ? (double)all[i][2] : 0;
	return sum;
}

static void any_intervals(void **state)
{
	struct running running = {0};
	int64_t all[MANY][3], time, before = 0;

	(void)state;
	srand(1);
	for (int i = 0; i < MANY; i++) {
		all[i][0] = before += rand() % 5;
		all[i][1] = before + rand() % 60 + 1;
		all[i][2] = rand() % 9;
		while (running_next(&running, before, &time)) {
			if (time < before)
				assert_true(running.sum == sum_at(all, i, time));
		}
		running_add(&running, all[i][1], (double)all[i][2]);
		assert_true(running.sum == sum_at(all, i + 1, before));
	}
	while (running_next(&running, INT64_MAX, &time))
		assert_true(running.sum == sum_at(all, MANY, time));
	running_free(&running);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sum_of_two),
		cmocka_unit_test(those_that_end_together_close_together),
		cmocka_unit_test(any_intervals),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
