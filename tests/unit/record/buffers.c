/* buffers.c: the thread that takes buffers out of the line is woken, and who wakes it never waits for a lock. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <pthread.h>
#include <unistd.h>

#include "record/cupti/buffers.h"

/* A wait that is not woken, and one that ends this program. */
enum { LONG_MS = 600000, PATIENCE_S = 120 };

static int interruptions; /* still to come */

int __real_pthread_cond_signal(pthread_cond_t *condition);
int __wrap_pthread_cond_signal(pthread_cond_t *condition);

/* As a signal handler does that calls _exit() while its thread appends to the line: the line's lock is held. */
int __wrap_pthread_cond_signal(pthread_cond_t *condition)
{
	if (interruptions > 0) {
		interruptions--;
		buffers_wake();
	}
	return __real_pthread_cond_signal(condition);
}

static void who_wakes_waits_for_no_lock(void **state)
{
	size_t size, used;
	uint8_t *buffer = buffers_get(&size);

	(void)state;
	interruptions = 1;
	assert_true(buffers_fill(buffer, 8));
	assert_int_equal(interruptions, 0);
	buffers_wait(LONG_MS);
	assert_ptr_equal(buffers_next(&used), buffer);
	assert_int_equal(used, 8);
	buffers_put(buffer, used);
}

static void a_wake_before_the_wait_counts(void **state)
{
	(void)state;
	buffers_wake();
	buffers_wait(LONG_MS);
}

static void *wait_in_thread(void *unused)
{
	buffers_wait(LONG_MS);
	return unused;
}

static void a_wake_ends_the_wait(void **state)
{
	pthread_t thread;

	(void)state;
	assert_int_equal(pthread_create(&thread, NULL, wait_in_thread, NULL), 0);
	usleep(10000);
	buffers_wake();
	assert_int_equal(pthread_join(thread, NULL), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(who_wakes_waits_for_no_lock),
		cmocka_unit_test(a_wake_before_the_wait_counts),
		cmocka_unit_test(a_wake_ends_the_wait),
	};

	alarm(PATIENCE_S);
	return cmocka_run_group_tests(tests, NULL, NULL);
}
