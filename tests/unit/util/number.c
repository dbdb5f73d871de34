/* number.c: order, sums and places of 64-bit integers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "util/number.h"

struct numbered {
	char other;
	int64_t number;
};

static void test_order(void **state)
{
	(void)state;
	assert_int_equal(int64_order(INT64_MIN, INT64_MAX), -1);
	assert_int_equal(int64_order(INT64_MAX, INT64_MIN), 1);
	assert_int_equal(int64_order(7, 7), 0);
}

static void test_sum(void **state)
{
	(void)state;
	assert_int_equal(int64_sum(3, -5), -2);
	assert_int_equal(int64_sum(INT64_MAX, 1), INT64_MAX);
	assert_int_equal(int64_sum(-1, INT64_MIN), INT64_MIN);
}

static void test_first_from(void **state)
{
	static const struct numbered list[] = {{1, INT64_MIN}, {2, -3}, {3, 5}, {4, 5}, {5, 5}, {6, INT64_MAX}};

	(void)state;
	assert_int_equal(FIRST_FROM(list, 6, number, INT64_MIN), 0);
	assert_int_equal(FIRST_FROM(list, 6, number, INT64_MIN + 1), 1);
	assert_int_equal(FIRST_FROM(list, 6, number, 5), 2);
	assert_int_equal(FIRST_FROM(list, 6, number, 6), 5);
	assert_int_equal(FIRST_FROM(list, 6, number, INT64_MAX), 5);
	assert_int_equal(FIRST_FROM(list, 5, number, 6), 5);
}

static void test_first_of_none(void **state)
{
	(void)state;
	assert_int_equal(int64_first_from(NULL, 0, sizeof(struct numbered), 0, 0), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_order),
		cmocka_unit_test(test_sum),
		cmocka_unit_test(test_first_from),
		cmocka_unit_test(test_first_of_none),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
