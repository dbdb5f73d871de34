/* predict-signs.c: what a prediction must never do, whatever is predicted, and signs that were measured. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "fixtures/near.h"
#include "fixtures/predict-fixture.h"

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
