/* predict.c: each term of the model by hand, its limits, what it must never do, and signs that were measured. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/predict.h"
#include "fixtures/near.h"

enum { BLOCK = 128, WARPS = 4 };

/* Round figures, so that predictions can be made by hand: one cycle is one nanosecond. */
static const struct machine plain = {
	.sms = 10,
	.clock_hz = 1e9,
	.dram_bytes_s = 1e12,
	.l2_bytes_s = 1e13,
	.dram_latency_s = 500e-9,
	.l2_latency_s = 200e-9,
	.shared_latency = 20,
	.shared_words = 32,
	.wide_slots = 2,
	.copy_slots = 5,
	.line_slots = 0.5,
	.issue = 4,
	.fma_lanes = 128,
	.fma_latency = 4,
	.barrier_alone = 10,
	.barrier_per_warp = 2,
	.barrier_slots = 0.5,
	.launch_s = 1e-6,
	.in_bytes_s = 1e9,
	.out_bytes_s = 1e9,
	.both_bytes_s = 1.6e9,
	.pageable_in_bytes_s = 0.5e9,
	.pageable_out_bytes_s = 0.25e9,
	.copy_s = 1e-6,
	.turn_s = 2e-6,
	.event_s = 3e-6,
	.enqueue_s = 1e-7,
	.order_s = 1e-8,
};

/* An H100 as it was measured, in round figures; what asynchronous copies and loads of 16 bytes take is what the time of
 * tile-pipeline's parts amounts to. */
static const struct machine h100 = {
	.sms = 132,
	.clock_hz = 1.98e9,
	.dram_bytes_s = 2.8e12,
	.l2_bytes_s = 5.5e12,
	.dram_latency_s = 600e-9,
	.l2_latency_s = 140e-9,
	.shared_latency = 29,
	.shared_words = 31.5,
	.wide_slots = 2,
	.copy_slots = 6,
	.line_slots = 0.6,
	.issue = 3.9,
	.fma_lanes = 126,
	.fma_latency = 4,
	.barrier_alone = 22,
	.barrier_per_warp = 1.1,
	.barrier_slots = 1,
	.launch_s = 1.3e-6,
	.in_bytes_s = 54e9,
	.out_bytes_s = 55e9,
	.both_bytes_s = 95e9,
	.pageable_in_bytes_s = 9e9,
	.pageable_out_bytes_s = 8e9,
	.copy_s = 1.5e-6,
	.turn_s = 4e-6,
	.event_s = 1.5e-6,
	.enqueue_s = 2.2e-6,
	.order_s = 0.5e-6,
};

static struct prediction of(const struct machine *m, const struct predicted_variant *v)
{
	struct prediction p;

	predict(m, v, &p);
	return p;
}

/* The time of a kernel without its launch, in nanoseconds: cycles of `plain`. */
static double cycles(const struct predicted_variant *v)
{
	return (of(&plain, v).seconds - plain.launch_s) * 1e9;
}

static double ratio(
	const struct machine *m, const struct predicted_variant *single, const struct predicted_variant *dbl)
{
	return of(m, single).seconds / of(m, dbl).seconds;
}

/* A block on each SM. */
static struct predicted_variant kernel(struct step_shape step)
{
	return (struct predicted_variant){
		.shape = {.step = step}, .blocks = plain.sms, .threads = BLOCK, .resident = 1};
}

static struct predicted_variant pipeline(struct pipeline_shape shape)
{
	return (struct predicted_variant){.shape = {.is_pipeline = true, .pipeline = shape}};
}

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

/* ---- pipelines ---- */

/* In 10 us of bytes and 2 of copies, kernel 1 + 4, out 5 + 1, three turns of 2. */
static const struct pipeline_shape chunks10 = {
	.chunks = 10,
	.bytes_in = 10e3,
	.bytes_out = 5e3,
	.copies_in = 2,
	.copies_out = 1,
	.kernel_bytes = 4e6,
	.buffers = 1,
};

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

/* ---- what more or less of something does, whatever else there is ---- */

/* Small whole numbers that look random and are always the same. */
static int draw(unsigned *seed, int below)
{
	*seed = *seed * 1664525 + 1013904223;
	return (int)((*seed >> 16) % (unsigned)below);
}

static struct predicted_variant any_kernel(unsigned *seed)
{
	struct predicted_variant v = {
		.blocks = 1 + draw(seed, 3000), .threads = 32 * (1 + draw(seed, 32)), .resident = 1 + draw(seed, 16)};

	v.shape.step = (struct step_shape){
		.steps = 1 + draw(seed, 40),
		.load_bytes = 512 * draw(seed, 20),
		.barriers = draw(seed, 3),
		.shared_loads = draw(seed, 70),
		.shared_stores = draw(seed, 3),
		.shared_wide = draw(seed, 9),
		.shared_chain = draw(seed, 5),
		.copies = draw(seed, 3),
		.copy_lines = 1 + draw(seed, 4),
		.fmas = draw(seed, 70),
		.fma_chain = draw(seed, 30),
		.other = draw(seed, 20),
		.other_chain = draw(seed, 9),
		.once_bytes = 1024 * draw(seed, 9),
		.ahead = draw(seed, 3),
	};
	return v;
}

static struct predicted_variant any_pipeline(unsigned *seed)
{
	struct pipeline_shape p = {
		.chunks = 1 + draw(seed, 100),
		.bytes_in = 1000 * draw(seed, 1000),
		.bytes_out = 1000 * draw(seed, 1000),
		.copies_in = 1 + draw(seed, 3),
		.copies_out = 1,
		.kernel_bytes = 1e5 * draw(seed, 1000),
		.buffers = 1 + draw(seed, 8),
	};

	p.forks = p.buffers > 1 ? p.buffers : 0;
	return pipeline(p);
}

static void assert_no_faster(double slower, double faster)
{
	assert_true(isfinite(slower) && isfinite(faster));
	assert_true(slower >= faster * (1 - 1e-12));
}

static void test_more_work_is_never_faster(void **state)
{
	static const size_t counts[] = {offsetof(struct step_shape, barriers),
		offsetof(struct step_shape, shared_loads), offsetof(struct step_shape, shared_stores),
		offsetof(struct step_shape, shared_chain), offsetof(struct step_shape, fmas),
		offsetof(struct step_shape, fma_chain), offsetof(struct step_shape, other),
		offsetof(struct step_shape, steps), offsetof(struct step_shape, once_bytes),
		offsetof(struct step_shape, load_bytes), offsetof(struct step_shape, shared_wide),
		offsetof(struct step_shape, copies), offsetof(struct step_shape, copy_lines),
		offsetof(struct step_shape, other_chain)};
	const int ncounts = sizeof counts / sizeof counts[0];
	unsigned seed = 1;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		const struct predicted_variant v = any_kernel(&seed);
		struct predicted_variant more = v;

		*(double *)(void *)((char *)&more.shape.step + counts[i % ncounts]) += 1;
		assert_no_faster(of(&h100, &more).seconds, of(&h100, &v).seconds);
	}
}

/* Or the launch, behind which the memory may be what counts. */
static bool memory_bound(const char *bound)
{
	static const char *const words[] = {"memory", "L2", "load latency", "launch"};

	for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
		if (strcmp(bound, words[i]) == 0)
			return true;
	return false;
}

static void test_a_barrier_more_is_slower_unless_memory_bounds(void **state)
{
	unsigned seed = 2;

	(void)state;
	for (int i = 0; i < 1000; i++) {
		const struct predicted_variant v = any_kernel(&seed);
		struct predicted_variant more = v;

		more.shape.step.barriers += 1;
		if (!memory_bound(of(&h100, &v).bound))
			assert_true(of(&h100, &more).seconds > of(&h100, &v).seconds);
	}
}

static void test_loads_ahead_are_never_slower(void **state)
{
	unsigned seed = 3;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		struct predicted_variant v = any_kernel(&seed), ahead = v;

		v.shape.step.ahead = i % 4;
		ahead.shape.step.ahead = i % 4 + 1;
		assert_no_faster(of(&h100, &v).seconds, of(&h100, &ahead).seconds);
	}
}

/* Whole rounds of as many blocks as fit. */
static void test_lower_occupancy_is_never_faster(void **state)
{
	unsigned seed = 4;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		struct predicted_variant v = any_kernel(&seed), fewer;

		v.blocks = v.resident * h100.sms * (1 + draw(&seed, 9));
		fewer = v;
		fewer.resident = 1 + draw(&seed, v.resident);
		assert_no_faster(of(&h100, &fewer).seconds, of(&h100, &v).seconds);
	}
}

/* Rates up, costs down: each constant on its own. SMs are left out, as more of them have a smaller share of the L2
 * cache's rate each; so is the clock, which the constants in cycles belong to. */
static void test_a_better_machine_is_never_slower(void **state)
{
	static const size_t rates[] = {offsetof(struct machine, dram_bytes_s), offsetof(struct machine, l2_bytes_s),
		offsetof(struct machine, shared_words), offsetof(struct machine, issue),
		offsetof(struct machine, fma_lanes), offsetof(struct machine, both_bytes_s)};
	static const size_t costs[] = {offsetof(struct machine, dram_latency_s), offsetof(struct machine, l2_latency_s),
		offsetof(struct machine, shared_latency), offsetof(struct machine, fma_latency),
		offsetof(struct machine, barrier_alone), offsetof(struct machine, barrier_per_warp),
		offsetof(struct machine, launch_s), offsetof(struct machine, copy_s), offsetof(struct machine, turn_s),
		offsetof(struct machine, event_s), offsetof(struct machine, enqueue_s),
		offsetof(struct machine, order_s), offsetof(struct machine, wide_slots),
		offsetof(struct machine, copy_slots), offsetof(struct machine, line_slots)};
	const int nrates = sizeof rates / sizeof rates[0], ncosts = sizeof costs / sizeof costs[0];
	unsigned seed = 5;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		const struct predicted_variant k = any_kernel(&seed), p = any_pipeline(&seed);
		struct machine more = h100, less = h100;

		*(double *)(void *)((char *)&more + rates[i % nrates]) *= 1.1;
		*(double *)(void *)((char *)&less + costs[i % ncosts]) *= 0.9;
		assert_no_faster(of(&h100, &k).seconds, of(&more, &k).seconds);
		assert_no_faster(of(&h100, &p).seconds, of(&more, &p).seconds);
		assert_no_faster(of(&h100, &k).seconds, of(&less, &k).seconds);
		assert_no_faster(of(&h100, &p).seconds, of(&less, &p).seconds);
	}
}

static void test_more_buffers_are_never_slower(void **state)
{
	unsigned seed = 6;

	(void)state;
	for (int i = 0; i < 3000; i++) {
		struct predicted_variant v = any_pipeline(&seed), more;

		v.shape.pipeline.buffers = 2 + i % 6;
		v.shape.pipeline.forks = 8;
		more = v;
		more.shape.pipeline.buffers++;
		assert_no_faster(of(&h100, &v).seconds, of(&h100, &more).seconds);
	}
}

/* ---- signs measured on an H100: reports/recordings ---- */

/* A scan of each block in shared memory, with one barrier a step or two. */
static struct predicted_variant scan(double n, double block, double scans, double barriers)
{
	const double steps = log2(block);
	struct predicted_variant v = {.blocks = ceil(n / block), .threads = block, .resident = (int)(2048 / block)};

	v.shape.step = (struct step_shape){
		.steps = steps * scans,
		.barriers = barriers,
		.shared_loads = 1.9,
		.shared_stores = 0.9,
		.shared_chain = 2,
		.fmas = 0.9,
		.fma_chain = 0.9,
		.other = 2,
		.once_bytes = 8 * block,
	};
	return v;
}

static double scan_ratio(double n, double block, double scans)
{
	const struct predicted_variant two = scan(n, block, scans, 2), one = scan(n, block, scans, 1);

	return ratio(&h100, &two, &one);
}

static void test_one_barrier_beats_two(void **state)
{
	(void)state;
	assert_in_range((uintmax_t)(1000 * scan_ratio(1 << 24, 1024, 1)), 1100, 1350); /* 1.21 */
	assert_in_range((uintmax_t)(1000 * scan_ratio(1 << 24, 256, 1)), 1050, 1250);  /* 1.10 */
	assert_in_range((uintmax_t)(1000 * scan_ratio(1 << 24, 1024, 4)), 1150, 1400); /* 1.28 */
	assert_in_range((uintmax_t)(1000 * scan_ratio(25600, 1024, 1)), 1050, 1250);   /* 1.15 */
	assert_true(scan_ratio(1 << 24, 1024, 4) > scan_ratio(1 << 24, 1024, 1));
}

/* 1024 x 1024 x 1024 in tiles of 32 x 32, one element per thread. */
static struct predicted_variant product(double barriers, int ahead, bool arrives_first, double other)
{
	struct predicted_variant v = {.blocks = 1024, .threads = 1024, .resident = 2};

	v.shape.step = (struct step_shape){
		.steps = 32,
		.load_bytes = 8192,
		.barriers = barriers,
		.shared_loads = 64,
		.shared_stores = 2,
		.shared_chain = 2,
		.fmas = 32,
		.fma_chain = 32,
		.other = other,
		.ahead = ahead,
		.arrives_first = arrives_first,
		.once_bytes = 4096,
		.distinct_bytes = 12 << 20,
	};
	return v;
}

static void test_a_load_that_is_waited_for_gains_nearly_nothing(void **state)
{
	const struct predicted_variant single = product(2, 0, false, 12), first = product(1, 1, true, 16);
	const struct predicted_variant prefetch = product(1, 1, false, 16);

	(void)state;
	assert_near(of(&h100, &single).seconds, 310e-6, 31e-6);
	assert_string_equal(of(&h100, &single).bound, "shared memory");
	assert_near(ratio(&h100, &single, &first), 1, 0.025);                          /* 0.995 */
	assert_true(ratio(&h100, &single, &prefetch) > ratio(&h100, &single, &first)); /* 1.04 */
}

/* 1024 x 1024 x 1024 in tiles that are copied asynchronously, each computed `turns` times: as tile-pipeline does. */
static struct predicted_variant tile_copies(double tile, double turns, int resident, bool ring)
{
	struct predicted_variant v = {.blocks = pow(1024 / tile, 2), .threads = tile * tile, .resident = resident};

	v.shape.step = (struct step_shape){
		.steps = 1024 / tile,
		.load_bytes = 8 * tile * tile,
		.barriers = ring ? 1 : 2,
		.shared_loads = turns * tile,
		.shared_wide = turns * tile / 4,
		.shared_chain = turns,
		.copies = 2,
		.copy_lines = 32 / tile,
		.fmas = turns * tile,
		.fma_chain = turns * tile,
		.other = (ring ? 57 : 28) + 9 * turns,
		.other_chain = ring ? 18 : 6,
		.ahead = ring ? 1 : 0,
		.once_bytes = 4 * tile * tile,
		.distinct_bytes = 12 << 20,
	};
	return v;
}

static double tile_copies_ratio(double tile, double turns, int resident)
{
	const struct predicted_variant one = tile_copies(tile, turns, resident, false);
	const struct predicted_variant two = tile_copies(tile, turns, resident, true);

	return ratio(&h100, &one, &two);
}

/* A second buffer is worth a barrier where blocks are many, and a load's latency where there is one. */
static void test_tiles_ahead_pay_where_blocks_are_few(void **state)
{
	const struct predicted_variant small = tile_copies(8, 1, 32, false), high = tile_copies(16, 32, 8, false);

	(void)state;
	assert_near(of(&h100, &small).seconds, 499e-6, 50e-6);
	assert_near(of(&h100, &high).seconds, 6492e-6, 325e-6);
	assert_in_range((uintmax_t)(1000 * tile_copies_ratio(8, 1, 32)), 1010, 1080);  /* 1.066 */
	assert_in_range((uintmax_t)(1000 * tile_copies_ratio(16, 1, 8)), 1010, 1080);  /* 1.032 */
	assert_in_range((uintmax_t)(1000 * tile_copies_ratio(16, 32, 8)), 1000, 1010); /* 1.000 */
	assert_in_range((uintmax_t)(1000 * tile_copies_ratio(16, 1, 1)), 1250, 1700);  /* 1.376 */
}

static struct predicted_variant additions(double n, double chunk, int buffers)
{
	struct pipeline_shape p = {
		.chunks = ceil(n / chunk),
		.copies_in = 2,
		.copies_out = 1,
		.buffers = buffers,
		.forks = buffers > 1 ? buffers : 0,
	};

	p.bytes_in = 8 * n / p.chunks;
	p.bytes_out = 4 * n / p.chunks;
	p.kernel_bytes = 12 * n / p.chunks;
	return pipeline(p);
}

static double additions_ratio(double n, double chunk)
{
	const struct predicted_variant one = additions(n, chunk, 1), two = additions(n, chunk, 2);

	return ratio(&h100, &one, &two);
}

static void test_two_buffers_beat_one(void **state)
{
	const struct predicted_variant two = additions(1 << 28, 1 << 22, 2), three = additions(1 << 28, 1 << 24, 3);

	(void)state;
	assert_near(additions_ratio(4e6, 1 << 20), 1.38, 0.14);
	assert_near(additions_ratio(1 << 24, 1 << 20), 1.48, 0.1);
	assert_near(additions_ratio(1 << 24, 1 << 22), 1.32, 0.1);
	assert_near(of(&h100, &two).seconds, 43.67e-3, 2e-3);
	assert_near(of(&h100, &three).seconds, 43.39e-3, 2e-3);
}

static void test_two_buffers_lose_with_one_chunk(void **state)
{
	(void)state;
	assert_true(additions_ratio(1 << 14, 1 << 14) < 0.99);
	assert_true(additions_ratio(1 << 12, 1 << 20) < 0.99);
	assert_true(additions_ratio(1 << 20, 1 << 20) < 1);
}

/* Barriers that nobody waits for: the memory does not deliver faster. */
static void test_memory_bound_both_ways(void **state)
{
	struct predicted_variant two = scan(1 << 28, 256, 1, 2), one = scan(1 << 28, 256, 1, 1);
	struct machine slow = h100;

	(void)state;
	slow.dram_bytes_s = 2e11;
	assert_near(ratio(&slow, &two, &one), 1, 1e-9);
	assert_string_equal(of(&slow, &two).bound, "memory");
}

static void test_instructions_and_occupancy_cost(void **state)
{
	const struct predicted_variant base = scan(1 << 24, 256, 1, 1);
	struct predicted_variant busy = base, sparse = base;

	(void)state;
	busy.shape.step.other += 5;
	sparse.resident = 2;
	assert_true(ratio(&h100, &base, &busy) < 1);
	assert_true(ratio(&h100, &base, &sparse) < 0.9);
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
		cmocka_unit_test(test_one_buffer),
		cmocka_unit_test(test_several_buffers),
		cmocka_unit_test(test_copies_out_and_kernels_can_be_slowest),
		cmocka_unit_test(test_copies_that_do_not_alternate),
		cmocka_unit_test(test_one_chunk),
		cmocka_unit_test(test_pageable_memory_is_serial),
		cmocka_unit_test(test_events_lengthen_a_chunk),
		cmocka_unit_test(test_slow_host),
		cmocka_unit_test(test_missing_constants),
		cmocka_unit_test(test_what_is_not_used_may_be_missing),
		cmocka_unit_test(test_zero_rates_and_empty_launches),
		cmocka_unit_test(test_constants_are_all_members),
		cmocka_unit_test(test_more_work_is_never_faster),
		cmocka_unit_test(test_a_barrier_more_is_slower_unless_memory_bounds),
		cmocka_unit_test(test_loads_ahead_are_never_slower),
		cmocka_unit_test(test_lower_occupancy_is_never_faster),
		cmocka_unit_test(test_a_better_machine_is_never_slower),
		cmocka_unit_test(test_more_buffers_are_never_slower),
		cmocka_unit_test(test_one_barrier_beats_two),
		cmocka_unit_test(test_a_load_that_is_waited_for_gains_nearly_nothing),
		cmocka_unit_test(test_tiles_ahead_pay_where_blocks_are_few),
		cmocka_unit_test(test_two_buffers_beat_one),
		cmocka_unit_test(test_two_buffers_lose_with_one_chunk),
		cmocka_unit_test(test_memory_bound_both_ways),
		cmocka_unit_test(test_instructions_and_occupancy_cost),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
