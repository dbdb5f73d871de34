/* unusual.c: which of many equal things differs from the others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analyze/unusual.h"
#include "fixtures/near.h"

/* The median is 11, the distances from it 1, 0, 1, 0, 89: their median 1 is 1.4826 standard deviations. */
static void one_is_far_away(void **state)
{
	const double x[] = {10, 11, 12, 11, 100};
	double score[5];

	(void)state;
	assert_near(unusual_scores(x, 5, 0.1, score), 11, 1e-12);
	assert_near(score[0], 1 / 1.4826, 1e-12);
	assert_near(score[1], 0, 1e-12);
	assert_near(score[4], 89 / 1.4826, 1e-12);
}

static void equal_things_differ_by_no_less_than_the_least(void **state)
{
	const double x[] = {10, 10, 10, 10, 12};
	double score[5];

	(void)state;
	assert_near(unusual_scores(x, 5, 0.5, score), 10, 1e-12);
	assert_near(score[0], 0, 1e-12);
	assert_near(score[4], 4, 1e-12);
	assert_near(unusual_scores(x, 1, 0.5, score), 10, 1e-12);
	assert_near(score[0], 0, 1e-12);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_is_far_away),
		cmocka_unit_test(equal_things_differ_by_no_less_than_the_least),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
