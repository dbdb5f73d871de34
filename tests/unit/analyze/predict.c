/* predict.c: the prediction of a kernel: each term of the model by hand, and what is not known. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/near.h"
#include "fixtures/predict-fixture.h"

/* ---- kernels, each term alone ---- */

static void test_nothing_takes_a_launch(void **state)
{
	const struct predicted_variant v = kernel((struct step_shape){.steps = 5});

	(void)state;
	assert_near(of(&plain, &v).seconds, 1e-6, 1e-15);
	assert_string_equal(of(&plain, &v).bound, "launch");
}

static void test_issue(void **state)
{
	const struct predicted_variant v = kernel((struct step_shape){.steps = 100, .other = 40});

	(void)state;
	assert_near(cycles(&v), 100 * WARPS * 40 / 4.0, 1e-6);
	assert_string_equal(of(&plain, &v).bound, "issue");
}

static void test_issue_of_a_part_of_a_warp(void **state)
{
	struct predicted_variant v = kernel((struct step_shape){.steps = 100, .other = 40});

	(void)state;
	v.threads = 33; /* two warps */
	assert_near(cycles(&v), 100 * 2 * 40 / 4.0, 1e-6);
}

/* 10 accesses take 40 cycles of four warps; one warp is through the issue after 10 instructions at 4 a cycle. */
static void test_shared_memory(void **state)
{
	const struct predicted_variant v =
		kernel((struct step_shape){.steps = 100, .shared_loads = 6, .shared_stores = 4});

	(void)state;
	assert_near(cycles(&v), 100 * (40 + 2.5), 1e-6);
	assert_string_equal(of(&plain, &v).bound, "shared memory");
}

/* Loads of 16 bytes take two turns of the same queue, and an instruction each. */
static void test_wide_loads(void **state)
{
	const struct predicted_variant v = kernel((struct step_shape){.steps = 100, .shared_wide = 8});

	(void)state;
	assert_near(cycles(&v), 100 * (WARPS * 8 * 2 + 8 / 4.0), 1e-6);
	assert_string_equal(of(&plain, &v).bound, "shared memory");
}

/* A copy takes five turns, and half a one for each further line. */
static void test_asynchronous_copies(void **state)
{
	struct predicted_variant v = kernel((struct step_shape){.steps = 100, .copies = 2, .copy_lines = 1});

	(void)state;
	assert_near(cycles(&v), 100 * (WARPS * 2 * 5 + 2 / 4.0), 1e-6);
	assert_string_equal(of(&plain, &v).bound, "shared memory");
	v.shape.step.copy_lines = 4;
	assert_near(cycles(&v), 100 * (WARPS * 2 * (5 + 3 * 0.5) + 2 / 4.0), 1e-6);
}

/* The chain of one FMA after another, the lanes of four warps, and one warp through the issue. */
static void test_arithmetic(void **state)
{
	const struct predicted_variant v = kernel((struct step_shape){.steps = 100, .fmas = 64, .fma_chain = 8});

	(void)state;
	assert_near(cycles(&v), 100 * (64 + 8 * 4 + 64 / 4.0), 1e-6);
}

static void test_all_latency(void **state)
{
	const struct predicted_variant v =
		kernel((struct step_shape){.steps = 100, .shared_chain = 3, .fma_chain = 5, .other_chain = 2});

	(void)state;
	assert_near(cycles(&v), 100 * (3 * 20 + 5 * 4 + 2 * 4), 1e-6);
	assert_string_equal(of(&plain, &v).bound, "latency");
}

/* Four warps: 10 cycles, three further warps at 1.5 beyond their turns; turns of 0.5 each; a quarter for the issue. */
static void test_barriers(void **state)
{
	const struct predicted_variant v = kernel((struct step_shape){.steps = 100, .barriers = 2});

	(void)state;
	assert_near(cycles(&v), 100 * 2 * (10 + 3 * 1.5 + WARPS * 0.5 + 0.25), 1e-6);
	assert_string_equal(of(&plain, &v).bound, "barriers");
}

/* Every step loads 1000 bytes, and a tenth of the SMs' bytes a nanosecond pass the path of one. */
static void test_loads(void **state)
{
	struct predicted_variant v = kernel((struct step_shape){.steps = 100, .load_bytes = 1000});

	(void)state;
	assert_near(cycles(&v), 100 * (500 + 1), 1e-6);
	assert_string_equal(of(&plain, &v).bound, "load latency");
	v.shape.step.distinct_bytes = 250e3; /* of a million */
	assert_near(cycles(&v), 100 * (200 + 0.25 * 300 + 1), 1e-6);
}

static void test_once(void **state)
{
	const struct predicted_variant v = kernel((struct step_shape){.once_bytes = 2000});

	(void)state;
	assert_near(cycles(&v), 500 + 2, 1e-6);
}

static void test_all_memory(void **state)
{
	struct predicted_variant v = kernel((struct step_shape){.steps = 10, .load_bytes = 1e6});

	(void)state;
	assert_near(cycles(&v), 100e6 / 1e12 * 1e9, 1e-6);
	assert_string_equal(of(&plain, &v).bound, "memory");
	v.shape.step.distinct_bytes = 1e6; /* the L2 cache has the rest */
	assert_string_equal(of(&plain, &v).bound, "L2");
	v.shape.step.load_bytes = 1e5;
	assert_string_equal(of(&plain, &v).bound, "load latency");
}

/* ---- kernels: loads ahead of their use ---- */

/* 300 cycles of computing in a step, while loads take 501. */
static struct predicted_variant tiles(int ahead)
{
	return kernel((struct step_shape){.steps = 100, .load_bytes = 1000, .other = 300, .ahead = ahead});
}

static void test_loads_ahead(void **state)
{
	const struct predicted_variant none = tiles(0), one = tiles(1), two = tiles(2), four = tiles(4);

	(void)state;
	assert_near(cycles(&none), 100 * (501 + 300), 1e-6);
	assert_near(cycles(&one), 100 * 501, 1e-6);       /* one after another */
	assert_near(cycles(&two), 501 + 100 * 300, 1e-6); /* hidden, but for the first */
	assert_near(cycles(&four), cycles(&two), 1e-6);
	assert_string_equal(of(&plain, &one).bound, "load latency");
	assert_string_equal(of(&plain, &two).bound, "issue");
}

/* From a step's loads to the next one's: their latency and path, the addresses, the barrier, and the copies' own turns.
 */
static void test_loads_ahead_are_issued_behind_a_barrier(void **state)
{
	struct predicted_variant v = tiles(1);

	(void)state;
	v.shape.step.other_chain = 6;
	v.shape.step.barriers = 1;
	v.shape.step.copies = 2;
	v.shape.step.copy_lines = 1;
	assert_near(cycles(&v), 100 * (501 + 6 * 4 + 10 + 3 * 1.5 + WARPS * 2 * 5), 1e-6);
	assert_string_equal(of(&plain, &v).bound, "load latency");
}

/* One block, whose loads are ahead far enough not to be waited for: they still have to pass its SM's path. */
static void test_loads_ahead_of_a_narrow_path(void **state)
{
	struct predicted_variant v = tiles(8);

	(void)state;
	v.blocks = 1;
	v.shape.step.load_bytes = 1e6;
	v.shape.step.distinct_bytes = 1;
	assert_near(cycles(&v), 100 * 1000, 1e-6);
	assert_string_equal(of(&plain, &v).bound, "L2");
}

static void test_loads_that_arrive_first_hide_nothing(void **state)
{
	const struct predicted_variant none = tiles(0), one = tiles(1);
	struct predicted_variant first = one;

	(void)state;
	first.shape.step.arrives_first = true;
	assert_near(cycles(&first), cycles(&none), 1e-6);
	assert_true(cycles(&first) > cycles(&one));
}

/* ---- kernels: several blocks on an SM ---- */

/* A block that waits 100 and works 100: alone 200. The second finds half of the first at work: 100 + 100 * 1.5. */
static void test_two_blocks(void **state)
{
	struct predicted_variant v = kernel((struct step_shape){.steps = 100, .other = 100, .fma_chain = 25});

	(void)state;
	v.blocks = 20;
	v.resident = 2;
	assert_near(cycles(&v), 100 * (100 + 100 * 1.5), 1e-6);
	v.resident = 1; /* one after another */
	assert_near(cycles(&v), 2 * 100 * 200, 1e-6);
}

/* Loads of 200 cycles that pass the SM's path in 100: the second block finds a third of the first one there. */
static void test_two_blocks_load(void **state)
{
	struct predicted_variant v = kernel((struct step_shape){.once_bytes = 100e3, .distinct_bytes = 1});

	(void)state;
	v.blocks = 20;
	v.resident = 2;
	assert_near(cycles(&v), 200 + 100 * (1 + 1 / 3.0), 1e-3);
}

static void test_many_blocks_are_bound_by_the_unit(void **state)
{
	struct predicted_variant v = kernel((struct step_shape){.steps = 100, .other = 100, .fma_chain = 25});

	(void)state;
	v.blocks = 320;
	v.resident = 32;
	assert_in_range((uintmax_t)cycles(&v), 32 * 100 * 100, 32 * 100 * 104);
}

/* Five blocks for each SM, two at a time: two rounds, and one alone at the end. */
static void test_rest_of_the_blocks(void **state)
{
	struct predicted_variant v = kernel((struct step_shape){.steps = 100, .other = 100, .fma_chain = 25});

	(void)state;
	v.blocks = 41;
	v.resident = 2;
	assert_near(cycles(&v), 100 * (2 * 250 + 200), 1e-6);
}

static void test_fewer_blocks_than_fit(void **state)
{
	struct predicted_variant v = kernel((struct step_shape){.steps = 100, .other = 100, .fma_chain = 25});

	(void)state;
	v.blocks = 3;
	v.resident = 16;
	assert_near(cycles(&v), 100 * 200, 1e-6);
}

/* ---- bytes under way ---- */

/* 100 KB in 100 ns, each after 500 ns: 500 KB, over ten SMs. */
static void test_bytes_under_way(void **state)
{
	struct predicted_variant v = kernel((struct step_shape){.steps = 10, .load_bytes = 1000});

	(void)state;
	assert_near(of(&plain, &v).under_way, 1000, 1e-9);
	assert_near(of(&plain, &v).needed, 50e3, 1e-6);
	v.shape.step.ahead = 3;
	assert_near(of(&plain, &v).under_way, 3000, 1e-9);
	v.shape.step.arrives_first = true;
	assert_near(of(&plain, &v).under_way, 1000, 1e-9);
	v.shape.step.arrives_first = false;
	v.shape.step.ahead = 30; /* there are ten steps */
	assert_near(of(&plain, &v).under_way, 10e3, 1e-9);
}

/* As many blocks as fit on an SM, or as there are for it. */
static void test_under_way_of_blocks(void **state)
{
	struct predicted_variant v = kernel((struct step_shape){.steps = 10, .load_bytes = 1000, .ahead = 2});

	(void)state;
	v.blocks = 25;
	v.resident = 2;
	assert_near(of(&plain, &v).under_way, 2 * 2000, 1e-9);
	v.resident = 8;
	assert_near(of(&plain, &v).under_way, 3 * 2000, 1e-9);
}

/* Stores take half of the bandwidth; bytes that the L2 cache answers come sooner, and faster together. */
static void test_needed_of_stores_and_of_the_cache(void **state)
{
	struct predicted_variant v = kernel((struct step_shape){.steps = 10, .load_bytes = 1000, .once_bytes = 10000});

	(void)state;
	assert_near(of(&plain, &v).needed, 25e3, 1e-6);
	v.shape.step.once_bytes = 0;
	v.shape.step.distinct_bytes = 50e3; /* 50 ns of device memory */
	assert_near(of(&plain, &v).needed, 100e3 / 50 * (200 + 0.5 * 300) / 10, 1e-6);
	v.shape.step.distinct_bytes = 1e3; /* 1 ns of it, and 10 ns of the cache */
	assert_near(of(&plain, &v).needed, 100e3 / 10 * (200 + 0.01 * 300) / 10, 1e-6);
}

static void test_under_way_unknown(void **state)
{
	struct predicted_variant v = kernel((struct step_shape){.steps = 10, .load_bytes = 1000});
	const struct predicted_variant p = pipeline(chunks10),
				       once = kernel((struct step_shape){.steps = 10, .once_bytes = 1000});
	struct machine m = plain;

	(void)state;
	assert_true(isnan(of(&plain, &p).under_way) && isnan(of(&plain, &p).needed));
	assert_true(isnan(of(&plain, &once).under_way) && isnan(of(&plain, &once).needed));
	m.dram_latency_s = NAN;
	assert_near(of(&m, &v).under_way, 1000, 1e-9);
	assert_true(isnan(of(&m, &v).needed));
	m = (struct machine){0};
	assert_true(isnan(of(&m, &v).under_way) && isnan(of(&m, &v).needed));
	v.resident = 0;
	assert_true(isnan(of(&plain, &v).under_way) && isnan(of(&plain, &v).needed));
}

/* ---- what is not known ---- */

static void assert_unknown(struct prediction p)
{
	assert_true(isnan(p.seconds));
	assert_string_equal(p.bound, "unknown");
}

/* Every constant of the machine, missing or 0, makes either the kernel's prediction unknown, or the pipeline's, or
 * both: none is left out of the model. A cost of 0 is a number like others. */
static void test_missing_constants(void **state)
{
	const struct predicted_variant k = kernel((struct step_shape){.steps = 10,
		.load_bytes = 100,
		.barriers = 1,
		.shared_loads = 1,
		.shared_wide = 1,
		.shared_chain = 1,
		.copies = 1,
		.copy_lines = 2,
		.fmas = 1,
		.fma_chain = 1,
		.distinct_bytes = 1});
	struct pipeline_shape shape = chunks10, pageable = chunks10;

	(void)state;
	shape.buffers = shape.forks = 2;
	pageable.pageable = true;
	for (int i = 0; i < machine_constants_count; i++) {
		struct machine m = plain;
		const struct predicted_variant p = pipeline(shape), q = pipeline(pageable);

		memcpy((char *)&m + machine_constants[i].offset, &(double){NAN}, sizeof(double));
		if (!isnan(of(&m, &k).seconds) && !isnan(of(&m, &p).seconds))
			assert_unknown(of(&m, &q));
	}
}

static void test_what_is_not_used_may_be_missing(void **state)
{
	const struct predicted_variant v = kernel((struct step_shape){.steps = 10, .other = 400});
	struct machine no_pcie = plain;

	(void)state;
	no_pcie.in_bytes_s = no_pcie.out_bytes_s = no_pcie.both_bytes_s = no_pcie.copy_s = no_pcie.barrier_alone = NAN;
	assert_near(of(&no_pcie, &v).seconds, of(&plain, &v).seconds, 0);
}

static void test_zero_rates_and_empty_launches(void **state)
{
	struct predicted_variant v = kernel((struct step_shape){.steps = 10, .other = 400});
	struct pipeline_shape none = chunks10;
	const struct machine zero = {0};

	(void)state;
	assert_unknown(of(&zero, &v));
	v.resident = 0;
	assert_unknown(of(&plain, &v));
	v = kernel((struct step_shape){.steps = 10});
	v.blocks = 0;
	assert_unknown(of(&plain, &v));
	none.chunks = 0;
	v = pipeline(none);
	assert_unknown(of(&plain, &v));
}

static void test_constants_are_all_members(void **state)
{
	struct machine m;
	double *values = (double *)&m;

	(void)state;
	assert_int_equal(machine_constants_count, sizeof m / sizeof(double));
	for (int i = 0; i < machine_constants_count; i++) {
		values[i] = i;
		assert_int_equal(machine_constants[i].offset, i * sizeof(double));
		assert_near(machine_value(&m, &machine_constants[i]), i, 0);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_nothing_takes_a_launch),
		cmocka_unit_test(test_issue),
		cmocka_unit_test(test_issue_of_a_part_of_a_warp),
		cmocka_unit_test(test_shared_memory),
		cmocka_unit_test(test_wide_loads),
		cmocka_unit_test(test_asynchronous_copies),
		cmocka_unit_test(test_arithmetic),
		cmocka_unit_test(test_all_latency),
		cmocka_unit_test(test_barriers),
		cmocka_unit_test(test_loads),
		cmocka_unit_test(test_once),
		cmocka_unit_test(test_all_memory),
		cmocka_unit_test(test_loads_ahead),
		cmocka_unit_test(test_loads_ahead_are_issued_behind_a_barrier),
		cmocka_unit_test(test_loads_ahead_of_a_narrow_path),
		cmocka_unit_test(test_loads_that_arrive_first_hide_nothing),
		cmocka_unit_test(test_two_blocks),
		cmocka_unit_test(test_two_blocks_load),
		cmocka_unit_test(test_many_blocks_are_bound_by_the_unit),
		cmocka_unit_test(test_rest_of_the_blocks),
		cmocka_unit_test(test_fewer_blocks_than_fit),
		cmocka_unit_test(test_bytes_under_way),
		cmocka_unit_test(test_under_way_of_blocks),
		cmocka_unit_test(test_needed_of_stores_and_of_the_cache),
		cmocka_unit_test(test_under_way_unknown),
		cmocka_unit_test(test_missing_constants),
		cmocka_unit_test(test_what_is_not_used_may_be_missing),
		cmocka_unit_test(test_zero_rates_and_empty_launches),
		cmocka_unit_test(test_constants_are_all_members),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
