/* occupancy.c: resident blocks computed by hand for H100, A100, T4 and P100. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "analyze/analyze.h"
#include "fixtures/near.h"

static const struct sm_limits h100 = {
	.warps = 64,
	.blocks = 32,
	.threads_per_warp = 32,
	.registers = 65536,
	.shared_bytes = 233472,
	.compute_major = 9,
	.compute_minor = 0,
};

static const struct sm_limits a100 = {
	.warps = 64,
	.blocks = 32,
	.threads_per_warp = 32,
	.registers = 65536,
	.shared_bytes = 167936,
	.compute_major = 8,
	.compute_minor = 0,
};

static const struct sm_limits t4 = {
	.warps = 32,
	.blocks = 16,
	.threads_per_warp = 32,
	.registers = 65536,
	.shared_bytes = 65536,
	.compute_major = 7,
	.compute_minor = 5,
};

static const struct sm_limits p100 = {
	.warps = 64,
	.blocks = 32,
	.threads_per_warp = 32,
	.registers = 65536,
	.shared_bytes = 65536,
	.compute_major = 6,
	.compute_minor = 0,
};

static struct occupancy of(const struct sm_limits *sm, int threads, int registers, int64_t shared)
{
	struct occupancy out;

	occupancy_compute(sm, &(struct kernel_resources){threads, registers, shared}, &out);
	return out;
}

static void assert_occupancy(struct occupancy got, int blocks, int warps, double share, enum occupancy_limiter limiter)
{
	assert_int_equal(got.blocks, blocks);
	assert_int_equal(got.warps, warps);
	assert_near(got.share, share, 1e-12);
	assert_string_equal(occupancy_limiter_name(got.limiter), occupancy_limiter_name(limiter));
	assert_int_equal(got.limiter, limiter);
}

/* A scan block: 1024 threads, 16 registers, 4 KiB. 32 warps each; 16 * 32 = 512 registers a warp, so 128 warps fit;
 * 4 KiB and the system's 1 KiB fit 45 times. */
static void h100_scan_block(void **state)
{
	struct occupancy o = of(&h100, 1024, 16, 4096);

	(void)state;
	assert_int_equal(o.blocks_by[LIMIT_WARPS], 2);
	assert_int_equal(o.blocks_by[LIMIT_BLOCKS], 32);
	assert_int_equal(o.blocks_by[LIMIT_REGISTERS], 4);
	assert_int_equal(o.blocks_by[LIMIT_SHARED], 45);
	assert_occupancy(o, 2, 64, 1, LIMIT_WARPS);
}

static void small_blocks_are_limited_by_their_number(void **state)
{
	(void)state;
	assert_occupancy(of(&h100, 32, 16, 0), 32, 32, 0.5, LIMIT_BLOCKS);
	assert_occupancy(of(&t4, 32, 16, 0), 16, 16, 0.5, LIMIT_BLOCKS);
}

/* 64 threads: 2 warps, so warps and blocks both stop at 32. */
static void of_equal_limits_the_first_is_named(void **state)
{
	struct occupancy o = of(&h100, 64, 16, 0);

	(void)state;
	assert_int_equal(o.blocks_by[LIMIT_WARPS], 32);
	assert_int_equal(o.blocks_by[LIMIT_BLOCKS], 32);
	assert_occupancy(o, 32, 64, 1, LIMIT_WARPS);
	/* 128 threads at 32 registers: warps 16, registers 16 */
	assert_occupancy(of(&h100, 128, 32, 0), 16, 64, 1, LIMIT_WARPS);
}

static void a_part_of_a_warp_is_a_warp(void **state)
{
	(void)state;
	assert_occupancy(of(&h100, 1, 16, 0), 32, 32, 0.5, LIMIT_BLOCKS);
	/* 33 threads take 2 warps, 1000 take 32 */
	assert_occupancy(of(&h100, 33, 16, 0), 32, 64, 1, LIMIT_WARPS);
	assert_occupancy(of(&h100, 1000, 16, 0), 2, 64, 1, LIMIT_WARPS);
	/* 96 threads: 21 blocks of 3 warps leave one slot empty */
	assert_occupancy(of(&h100, 96, 16, 0), 21, 63, 63.0 / 64, LIMIT_WARPS);
}

/* 33 * 32 = 1056 becomes 1280; 16384 / 1280 = 12 warps in each of 4 partitions, 48 in all, 6 blocks of 8. */
static void registers_come_in_units_of_256_per_warp(void **state)
{
	(void)state;
	assert_occupancy(of(&h100, 256, 32, 0), 8, 64, 1, LIMIT_WARPS);
	assert_occupancy(of(&h100, 256, 33, 0), 6, 48, 0.75, LIMIT_REGISTERS);
	assert_occupancy(of(&h100, 256, 40, 0), 6, 48, 0.75, LIMIT_REGISTERS);
	/* 41 * 32 = 1312 becomes 1536: 10 warps a partition */
	assert_occupancy(of(&h100, 256, 41, 0), 5, 40, 0.625, LIMIT_REGISTERS);
}

/* 96 threads, 40 registers: 48 warps hold 16 blocks of 3; without partitions 51 warps would hold 17. */
static void a_warp_has_its_registers_in_one_partition(void **state)
{
	(void)state;
	assert_occupancy(of(&h100, 96, 40, 0), 16, 48, 0.75, LIMIT_REGISTERS);
	/* two partitions on 6.0: 32768 / 1280 = 25 warps in each, 50 in all, 16 blocks of 3 and two slots left */
	assert_int_equal(of(&p100, 96, 40, 0).blocks_by[LIMIT_REGISTERS], 16);
	assert_int_equal(of(&p100, 64, 40, 0).blocks_by[LIMIT_REGISTERS], 25);
	assert_int_equal(of(&h100, 64, 40, 0).blocks_by[LIMIT_REGISTERS], 24);
}

/* 65 * 32 = 2080 becomes 2304: 7 warps a partition, 28 in all, too few for a block of 32. */
static void a_block_that_does_not_fit(void **state)
{
	(void)state;
	assert_occupancy(of(&h100, 1024, 64, 0), 1, 32, 0.5, LIMIT_REGISTERS);
	assert_occupancy(of(&h100, 1024, 65, 0), 0, 0, 0, LIMIT_REGISTERS);
	assert_occupancy(of(&t4, 1024, 16, 65537), 0, 0, 0, LIMIT_SHARED);
}

/* 32 KiB and 1 KiB of the system: 233472 / 33792 = 6.9; without the system's share it would be 7. */
static void the_system_takes_a_kibibyte_per_block(void **state)
{
	(void)state;
	assert_occupancy(of(&h100, 128, 32, 32768), 6, 24, 0.375, LIMIT_SHARED);
	/* 16 KiB on an A100: 167936 / 17408 = 9.6, not 10 */
	assert_occupancy(of(&a100, 128, 32, 16384), 9, 36, 36.0 / 64, LIMIT_SHARED);
	/* the most that one block may ask for: 227 KiB */
	assert_occupancy(of(&h100, 128, 32, 232448), 1, 4, 4.0 / 64, LIMIT_SHARED);
	assert_occupancy(of(&h100, 128, 32, 232449), 0, 0, 0, LIMIT_SHARED);
	/* before 8.0 the system takes none: 4 * 16 KiB fill a T4 */
	assert_occupancy(of(&t4, 128, 32, 16384), 4, 16, 0.5, LIMIT_SHARED);
}

/* 6500 bytes: 6656 in units of 256 on a T4 fit 9 times (6528 in units of 128 would fit 10 times). On an A100 5400 +
 * 1024 = 6424 is 6528 in units of 128 and fits 25 times; 6424 would fit 26 times. */
static void shared_memory_comes_in_units(void **state)
{
	(void)state;
	assert_int_equal(of(&t4, 64, 16, 6500).blocks_by[LIMIT_SHARED], 9);
	assert_int_equal(of(&a100, 64, 16, 5400).blocks_by[LIMIT_SHARED], 25);
}

static void without_use_there_is_no_limit(void **state)
{
	struct occupancy o = of(&t4, 1024, 0, 0);

	(void)state;
	assert_int_equal(o.blocks_by[LIMIT_SHARED], INT_MAX);
	assert_int_equal(o.blocks_by[LIMIT_REGISTERS], INT_MAX);
	assert_occupancy(o, 1, 32, 1, LIMIT_WARPS);
	/* 228 blocks of the system's share alone */
	assert_int_equal(of(&h100, 1024, 0, 0).blocks_by[LIMIT_SHARED], 228);
}

/* SGEMM with tile 32: two tiles of 32 * 33 floats are 8448 bytes, four are 16896. 38 registers: 16384 / 1280 = 12, 48
 * warps, one block of 32. */
static void a_second_buffer_may_cost_nothing(void **state)
{
	struct occupancy one = of(&h100, 1024, 38, 8448), two = of(&h100, 1024, 38, 16896);

	(void)state;
	assert_occupancy(one, 1, 32, 0.5, LIMIT_REGISTERS);
	assert_occupancy(two, 1, 32, 0.5, LIMIT_REGISTERS);
	assert_int_equal(one.blocks_by[LIMIT_SHARED], 24); /* 9472 */
	assert_int_equal(two.blocks_by[LIMIT_SHARED], 13); /* 17920 */
}

static void nonsense_has_no_share(void **state)
{
	const struct sm_limits unknown = {0};
	struct occupancy o = of(&h100, 0, 16, 0);

	(void)state;
	assert_int_equal(o.blocks, 0);
	assert_true(isnan(o.share));
	o = of(&unknown, 128, 16, 0);
	assert_int_equal(o.blocks, 0);
	assert_true(isnan(o.share));
}

static void limiter_names(void **state)
{
	(void)state;
	assert_string_equal(occupancy_limiter_name(LIMIT_WARPS), "warps");
	assert_string_equal(occupancy_limiter_name(LIMIT_BLOCKS), "blocks");
	assert_string_equal(occupancy_limiter_name(LIMIT_REGISTERS), "registers");
	assert_string_equal(occupancy_limiter_name(LIMIT_SHARED), "shared memory");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(h100_scan_block),
		cmocka_unit_test(small_blocks_are_limited_by_their_number),
		cmocka_unit_test(of_equal_limits_the_first_is_named),
		cmocka_unit_test(a_part_of_a_warp_is_a_warp),
		cmocka_unit_test(registers_come_in_units_of_256_per_warp),
		cmocka_unit_test(a_warp_has_its_registers_in_one_partition),
		cmocka_unit_test(a_block_that_does_not_fit),
		cmocka_unit_test(the_system_takes_a_kibibyte_per_block),
		cmocka_unit_test(shared_memory_comes_in_units),
		cmocka_unit_test(without_use_there_is_no_limit),
		cmocka_unit_test(a_second_buffer_may_cost_nothing),
		cmocka_unit_test(nonsense_has_no_share),
		cmocka_unit_test(limiter_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
