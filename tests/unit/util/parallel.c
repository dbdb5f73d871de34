/* parallel.c: each piece of a computation is done once, in as many threads as there may be. */
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <unistd.h>

#include <cmocka.h>

#include "util/machine/parallel.h"

enum { PIECES = 1000 };

struct counted {
	_Atomic int times[PIECES];
	_Atomic int at_once, most;
	_Atomic int open_to_signals;
};

static void count_piece(void *user, size_t i)
{
	struct counted *counted = user;
	int here = ++counted->at_once, most = counted->most;
	sigset_t blocked;

	while (here > most && !atomic_compare_exchange_weak(&counted->most, &most, here))
		continue;
	pthread_sigmask(SIG_SETMASK, NULL, &blocked);
	counted->open_to_signals += !sigismember(&blocked, SIGINT);
	counted->times[i]++;
	counted->at_once--;
}

static void check_pieces(size_t threads, size_t n)
{
	struct counted counted = {.most = 0};

	parallel_run(threads, n, count_piece, &counted);
	for (size_t i = 0; i < PIECES; i++)
		assert_int_equal(counted.times[i], i < n);
	assert_true(counted.most <= (int)(threads > 0 ? threads : 1));
}

static void each_piece_once(void **state)
{
	static const size_t numbers[] = {0, 1, 2, 3, 16, PIECES};

	(void)state;
	for (size_t t = 0; t < sizeof(numbers) / sizeof(*numbers); t++) {
		for (size_t n = 0; n < sizeof(numbers) / sizeof(*numbers); n++)
			check_pieces(numbers[t] > 16 ? 16 : numbers[t], numbers[n]);
	}
}

struct meeting {
	_Atomic int here[2];
	bool open_to_signals[2];
};

/* A piece that waits for another one, which so must be in another thread. */
static void meet(void *user, size_t i)
{
	struct meeting *meeting = user;
	sigset_t blocked;

	pthread_sigmask(SIG_SETMASK, NULL, &blocked);
	meeting->open_to_signals[i] = !sigismember(&blocked, SIGINT);
	meeting->here[i] = 1;
	while (!meeting->here[1 - i])
		sched_yield();
}

/* Signals are for the caller's thread. One thread for both would never come back: the alarm ends the test. */
static void two_threads_run_at_the_same_time(void **state)
{
	struct meeting meeting = {{0, 0}, {false, false}};

	(void)state;
	alarm(600);
	parallel_run(2, 2, meet, &meeting);
	alarm(0);
	assert_int_equal(meeting.open_to_signals[0] + meeting.open_to_signals[1], 1);
}

static void one_thread_is_the_callers(void **state)
{
	struct counted counted = {.most = 0};

	(void)state;
	parallel_run(1, PIECES, count_piece, &counted);
	assert_int_equal(counted.open_to_signals, PIECES);
	assert_int_equal(counted.most, 1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_piece_once),
		cmocka_unit_test(two_threads_run_at_the_same_time),
		cmocka_unit_test(one_thread_is_the_callers),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
