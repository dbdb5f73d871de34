/* ticker.c: a thread that does something from time to time. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <semaphore.h>
#include <signal.h>
#include <stdbool.h>

#include "util/clock.h"
#include "util/machine/ticker.h"

struct counted {
	sem_t done; /* posted by each call */
	int64_t again;
	int calls;
	bool takes_signals;
};

static int64_t count_call(void *user)
{
	struct counted *counted = user;
	sigset_t blocked;

	pthread_sigmask(SIG_SETMASK, NULL, &blocked);
	counted->takes_signals |= !sigismember(&blocked, SIGINT) || !sigismember(&blocked, SIGCHLD);
	counted->calls++;
	sem_post(&counted->done);
	return counted->again;
}

static void test_again_and_again(void **state)
{
	struct counted counted = {.again = 0};
	struct ticker *ticker;

	(void)state;
	sem_init(&counted.done, 0, 0);
	ticker = ticker_start(count_call, &counted);
	assert_non_null(ticker);
	for (int i = 0; i < 3; i++)
		sem_wait(&counted.done);
	ticker_end(ticker);
	assert_true(counted.calls >= 3);
	assert_false(counted.takes_signals);
	sem_destroy(&counted.done);
}

/* The end does not wait for the next time. */
static void test_once(void **state)
{
	const int64_t hour = 3600 * INT64_C(1000000000);
	struct counted counted = {.again = clock_monotonic() + hour};
	struct ticker *ticker;

	(void)state;
	sem_init(&counted.done, 0, 0);
	ticker = ticker_start(count_call, &counted);
	assert_non_null(ticker);
	sem_wait(&counted.done);
	ticker_end(ticker);
	assert_int_equal(counted.calls, 1);
	sem_destroy(&counted.done);
	ticker_end(NULL);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_again_and_again),
		cmocka_unit_test(test_once),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
