/* library.c: whether the launches of a library can be held back, on the stand-in's runtime. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "record/pass/batch.h"

static cudaError_t launch_and_return(void *user)
{
	(void)user;
	return cudaSuccess;
}

/* As a library does that reads what its kernel has found. */
static cudaError_t launch_and_wait(void *user)
{
	(void)user;
	return cudaStreamSynchronize(cudaStreamPerThread);
}

static struct batch_limits tried(cudaError_t (*launch)(void *user))
{
	const struct variant library = {.name = "library", .opaque_launches = true};
	const struct enqueued one = {.kernels = 1};
	const struct batch_work work = {launch, NULL, false, false};
	struct batch_limits limits = batch_limits(&library, &one);
	struct error err = {0};
	struct batcher batcher;

	assert_true(limits.held);
	if (batcher_open(&batcher, cudaStreamPerThread, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(batch_try_library(&batcher, &work, &limits), cudaSuccess);
	batcher_close(&batcher);
	return limits;
}

static void a_library_that_waits_is_not_held(void **state)
{
	(void)state;
	assert_false(tried(launch_and_wait).held);
	assert_true(tried(launch_and_return).held);
}

int main(void)
{
	const struct CMUnitTest tests[] = {cmocka_unit_test(a_library_that_waits_is_not_held)};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
