/* compare-parallel.c: outputs compared with their reference, in one thread and in several: the same result. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "compare-parallel.h"
#include "fixtures/tier.h"

enum { MANY = 5 * (1 << 20) + 3, STEP = 7 };

struct output {
	double *got; /* should be 1, 2, 3, ... STEP, 1, ... */
};

static int set_up(void **state)
{
	struct output *output = calloc(1, sizeof *output);

	*state = output;
	output->got = calloc(MANY, sizeof *output->got);
	for (size_t i = 0; i < MANY; i++)
		output->got[i] = (double)(i % STEP) + 1;
	return 0;
}

static int tear_down(void **state)
{
	struct output *output = *state;

	free(output->got);
	free(output);
	return 0;
}

/* Counts anew at multiples of STEP, as a scan sums anew at each block. */
static void compare(const void *user, size_t first, size_t n, struct check_result *r)
{
	const struct output *output = user;
	double count = 0;

	for (size_t i = first; i < first + n; i++) {
		count = i % STEP == 0 ? 1 : count + 1;
		compare_next(r, output->got[i], count, 0.25);
	}
}

/* However many threads there are. */
static struct check_result check(const struct output *output, size_t n)
{
	struct check_result r, other;

	compare_parallel(n, STEP, compare, output, &r);
	assert_int_equal(r.elements, n);
	for (int threads = 1; threads <= COMPARE_THREADS; threads++) {
		compare_in_threads(threads, n, STEP, compare, output, &other);
		assert_memory_equal(&r, &other, sizeof r);
	}
	return r;
}

static void test_right(void **state)
{
	static const size_t lengths[] = {0, 1, STEP, 1 << 20, (1 << 20) + 1, 2 << 20, MANY};

	for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
		struct check_result r = check(*state, lengths[i]);

		assert_int_equal(r.wrong, 0);
		assert_true(r.max_error == 0);
	}
}

/* Each of these may be the first or the last of a part. */
static void test_wrong(void **state)
{
	struct output *output = *state;
	const size_t apart = (size_t)all_or(262139, 4 * 262139);
	size_t wrong = 0;

	for (size_t i = MANY - 1; i >= apart; i -= apart, wrong++) {
		struct check_result r;

		output->got[i] += wrong % 2 == 0 ? 1 : -2;
		r = check(output, MANY);
		assert_int_equal(r.wrong, wrong + 1);
		assert_int_equal(r.first_wrong, i);
		assert_true(r.got == output->got[i] && r.want == (double)(i % STEP) + 1);
		assert_true(r.max_error == (wrong == 0 ? 4 : 8));
	}
}

static void test_never_written(void **state)
{
	struct output *output = *state;
	struct check_result r;

	output->got[3 << 20] = NAN;
	r = check(output, MANY);
	assert_int_equal(r.wrong, 1);
	assert_int_equal(r.first_wrong, 3 << 20);
	assert_true(isnan(r.got) && isinf(r.max_error));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup_teardown(test_right, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_wrong, set_up, tear_down),
		cmocka_unit_test_setup_teardown(test_never_written, set_up, tear_down),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
