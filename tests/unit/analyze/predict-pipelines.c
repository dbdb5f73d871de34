/* predict-pipelines.c: the prediction of a pipeline of copies and kernels, by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "fixtures/near.h"
#include "fixtures/predict-fixture.h"

static void test_one_buffer(void **state)
{
	const struct predicted_variant v = pipeline(chunks10);

	(void)state;
	assert_near(of(&plain, &v).seconds, 10 * (12 + 5 + 6 + 3 * 2) * 1e-6, 1e-12);
	assert_string_equal(of(&plain, &v).bound, "copies in");
}

/* Both directions lose a quarter of the shorter one's 5 us: 2 GB/s alone, 1.6 together. Of two buffers each takes its
 * 29 us, twice that loss and, between its two copies in, one of the other's of 6 us for every second chunk, which is
 * slower than the copies in; of three it is not. */
static void test_several_buffers(void **state)
{
	struct pipeline_shape shape = chunks10;
	struct predicted_variant v;

	(void)state;
	shape.buffers = 2;
	shape.forks = 2;
	v = pipeline(shape);
	assert_near(of(&plain, &v).seconds, (2 * 3 + 29 + 9 * (29 + 2.5 + 6) / 2) * 1e-6, 1e-12);
	assert_string_equal(of(&plain, &v).bound, "buffers");
	shape.buffers = shape.forks = 3;
	v = pipeline(shape);
	assert_near(of(&plain, &v).seconds, (2 * 3 + 29 + 9 * 13.25) * 1e-6, 1e-12);
	assert_string_equal(of(&plain, &v).bound, "copies in");
}

static void test_copies_out_and_kernels_can_be_slowest(void **state)
{
	struct pipeline_shape shape = chunks10;
	struct predicted_variant v;

	(void)state;
	shape.buffers = 8;
	shape.bytes_out = 50e3;
	v = pipeline(shape);
	assert_string_equal(of(&plain, &v).bound, "copies out");
	shape.kernel_bytes = 1e9;
	v = pipeline(shape);
	assert_string_equal(of(&plain, &v).bound, "kernels");
}

/* One copy in, or a stream for each engine: no other chunk's copy comes between. */
static void test_copies_that_do_not_alternate(void **state)
{
	struct pipeline_shape shape = chunks10;
	struct predicted_variant v;

	(void)state;
	shape.buffers = 2;
	shape.copies_in = 1;
	v = pipeline(shape);
	assert_near(of(&plain, &v).seconds, (28 + 9 * (28 + 2.5) / 2) * 1e-6, 1e-12);
	shape.copies_in = 2;
	shape.events = 1;
	v = pipeline(shape);
	assert_near(of(&plain, &v).seconds, (32 + 9 * (32 + 2.5) / 2) * 1e-6, 1e-12);
}

/* Nothing follows the only chunk: what is left of a second buffer is the way to its stream and back. */
static void test_one_chunk(void **state)
{
	struct pipeline_shape shape = chunks10;
	struct predicted_variant single, dbl;

	(void)state;
	shape.chunks = 1;
	single = pipeline(shape);
	shape.buffers = shape.forks = 2;
	dbl = pipeline(shape);
	assert_near(of(&plain, &dbl).seconds - of(&plain, &single).seconds, 2 * 3e-6, 1e-12);
	assert_string_equal(of(&plain, &dbl).bound, "filling");
}

static void test_pageable_memory_is_serial(void **state)
{
	struct pipeline_shape shape = chunks10;
	struct predicted_variant v;

	(void)state;
	shape.pageable = true;
	shape.buffers = 3;
	v = pipeline(shape);
	assert_near(of(&plain, &v).seconds, 10 * (20 + 2 + 5 + 20 + 1 + 6) * 1e-6, 1e-12);
}

static void test_events_lengthen_a_chunk(void **state)
{
	struct pipeline_shape shape = chunks10;
	struct predicted_variant plain_chunk, with_events;

	(void)state;
	plain_chunk = pipeline(shape);
	shape.events = 3;
	with_events = pipeline(shape);
	assert_near(of(&plain, &with_events).seconds - of(&plain, &plain_chunk).seconds, 10 * 3 * 3e-6, 1e-12);
}

/* Four launches or copies a chunk, and for two streams one record and one wait each, then a record and a wait each. */
static void test_slow_host(void **state)
{
	struct pipeline_shape shape = chunks10;
	struct machine slow = plain;
	struct predicted_variant v;

	(void)state;
	shape.buffers = shape.forks = 2;
	slow.enqueue_s = 1e-3;
	slow.order_s = 2e-3;
	v = pipeline(shape);
	assert_near(of(&slow, &v).seconds, (10 * 4 + 2 * (1 + 3 * 2)) * 1e-3, 1e-9);
	assert_string_equal(of(&slow, &v).bound, "host");
	v.shape.pipeline.events = 3; /* of each chunk, recorded and waited for */
	assert_near(of(&slow, &v).seconds, (10 * 4 + 2 * (10 * 6 + 1 + 3 * 2)) * 1e-3, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_one_buffer),
		cmocka_unit_test(test_several_buffers),
		cmocka_unit_test(test_copies_out_and_kernels_can_be_slowest),
		cmocka_unit_test(test_copies_that_do_not_alternate),
		cmocka_unit_test(test_one_chunk),
		cmocka_unit_test(test_pageable_memory_is_serial),
		cmocka_unit_test(test_events_lengthen_a_chunk),
		cmocka_unit_test(test_slow_host),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
