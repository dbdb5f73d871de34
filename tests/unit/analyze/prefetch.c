/* prefetch.c: what a thread that prepares rounds ahead would hide. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analyze/prefetch.h"

enum { ROUNDS = 100 };

static struct prefetch of(const double *host, const double *gpu, size_t n)
{
	struct prefetch prefetch;

	prefetch_rounds(host, gpu, n, &prefetch);
	return prefetch;
}

/* The host takes 20, the GPU 80: one round ahead hides all but the first. */
static void test_steady(void **state)
{
	double host[ROUNDS], gpu[ROUNDS];
	struct prefetch prefetch;

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		host[i] = 20;
		gpu[i] = 80;
	}
	prefetch = of(host, gpu, ROUNDS);
	assert_int_equal(prefetch.depth, 1);
	assert_int_equal(prefetch.workers, 1);
	assert_float_equal(prefetch.hidden, 20 * (ROUNDS - 1), 1e-6);
}

/* Every fourth round takes the host as long as three of the GPU: one round ahead does not bridge it. */
static void test_jitter(void **state)
{
	double host[ROUNDS], gpu[ROUNDS];
	struct prefetch prefetch;

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		host[i] = i % 4 == 3 ? 240 : 0;
		gpu[i] = 80;
	}
	prefetch = of(host, gpu, ROUNDS);
	assert_int_equal(prefetch.depth, 3);
	assert_true(prefetch.hidden > 0.95 * 240 * ROUNDS / 4);
}

/* The host is slower than the GPU: one thread hides no more than the GPU's time, three keep up. */
static void test_slow_host(void **state)
{
	double host[ROUNDS], gpu[ROUNDS];
	struct prefetch prefetch;

	(void)state;
	for (int i = 0; i < ROUNDS; i++) {
		host[i] = 250;
		gpu[i] = 100;
	}
	prefetch = of(host, gpu, ROUNDS);
	assert_int_equal(prefetch.depth, 1);
	assert_int_equal(prefetch.workers, 3);
	assert_float_equal(prefetch.hidden, 100 * (ROUNDS - 1), 1e-6);
}

/* What comes before the first round cannot be hidden, and where nothing is late nothing can. */
static void test_nothing_to_hide(void **state)
{
	static const double first[] = {500, 0, 0, 0}, none[] = {0, 0, 0, 0}, gpu[] = {100, 100, 100, 100};

	(void)state;
	assert_int_equal(of(first, gpu, 4).depth, 0);
	assert_float_equal(of(first, gpu, 4).hidden, 0, 0);
	assert_int_equal(of(none, gpu, 4).depth, 0);
	assert_int_equal(of(gpu, none, 4).workers, 0);
	assert_int_equal(of(none, none, 0).depth, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_steady),
		cmocka_unit_test(test_jitter),
		cmocka_unit_test(test_slow_host),
		cmocka_unit_test(test_nothing_to_hide),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
