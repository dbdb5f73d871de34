/* evidence.c: what a recording says about the GPU while it measured, and what that does to a verdict. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "fixtures/model-family.h"

enum { BLOCKS = 24, RUNS = 2 };

/* A block of A B B A: times in ns. */
struct block {
	int number, run;
	double a, b, mhz_a, mhz_b;
};

static void write_one(struct recording *rec, const struct block *block, int position, bool is_a)
{
	fixture_row(rec,
		"SAMPLE family=f variant=%s caseLabel=c block=%d position=%d launches=10 ns=%.9g smClockMhz=1000 "
		"run=%d "
		"measuredMhz=%.9g",
		is_a ? "a" : "b", block->number, position, is_a ? block->a : block->b, block->run,
		is_a ? block->mhz_a : block->mhz_b);
}

static void write_block(struct recording *rec, const struct block *block)
{
	for (int position = 0; position < 4; position++)
		write_one(rec, block, position, position == 0 || position == 3);
}

/* What NVML says after a block. */
static void write_reading(struct recording *rec, int block, int celsius, int processes, int throttle)
{
	fixture_row(rec,
		"CLOCK timestamp=%d deviceId=0 smMhz=1000 temperatureC=%d throttle=%d family=f caseLabel=c block=%d "
		"processes=%d",
		1000 + block, celsius, throttle, block, processes);
}

/* 200 and 100 ns at 1000 MHz in two runs of twelve blocks, read undisturbed. */
static void write_quiet(struct recording *rec, int from, int to)
{
	for (int i = from; i < to; i++) {
		write_block(rec, &(struct block){i, i * RUNS / BLOCKS, 200, 100, 1000, 1000});
		write_reading(rec, i, 40 + i, 1, 0);
	}
}

static void test_all_is_well(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	write_quiet(rec, 0, BLOCKS);
	write_right(rec);
	tree = family_end(rec);
	assert_text(tree, CONTRAST "verdict", "faster");
	assert_figure(tree, "samples", BLOCKS);
	assert_string_equal(check_text(tree, "samples", "text"), "24 blocks have times of both, from 2 processes");
	assert_passed(tree, "runs");
	assert_figure(tree, "runs", 0);
	assert_passed(tree, "clock");
	assert_string_equal(check_text(tree, "clock", "text"),
		"SM clock measured on the GPU behind each sample: median 1000 MHz (single) and 1000 MHz (double). 0 "
		"of 96 samples more than 2 % away. The GPU was at 40 to 63 °C");
	assert_passed(tree, "throttling");
	assert_figure(tree, "throttling", 0);
	assert_passed(tree, "neighbours");
	assert_passed(tree, "cycles");
	assert_number(tree, CONTRAST "speedup_cycles.value", 2);
	assert_integer(tree, CONTRAST "speedup.runs", 2);
	assert_number(tree, CASE_A "time.median_cycles", 200);
	assert_text(tree, CASE_A "time.clock_source", "gpu");
	assert_integer(tree, CASE_A "time.runs.47", 1);
	assert_null_at(tree, CASE_A "apart");
	json_decref(tree);
}

/* Old recordings say neither who ran, nor where a clock was read. */
static void test_old_recordings(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	write_samples(rec, 12, 200, 100, 1000, 1000);
	write_right(rec);
	tree = family_end(rec);
	assert_text(tree, CONTRAST "verdict", "faster");
	assert_not_measured(tree, "runs");
	assert_not_measured(tree, "neighbours");
	assert_not_measured(tree, "cycles");
	assert_null_at(tree, CONTRAST "speedup_cycles");
	assert_passed(tree, "clock");
	assert_text(tree, CASE_A "time.clock_source", "nvml");
	assert_null_at(tree, CASE_A "time.median_cycles");
	assert_null_at(tree, CASE_A "observer");
	assert_size(tree, "families.0.floors", 0);
	json_decref(tree);
}

/* Two processes that each are sure of something else: 2 and 2.1. */
static void test_runs_disagree(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	for (int i = 0; i < BLOCKS; i++)
		write_block(rec, &(struct block){i, i * RUNS / BLOCKS, i < BLOCKS / 2 ? 200 : 210, 100, 1000, 1000});
	write_right(rec);
	tree = family_end(rec);
	assert_failed(tree, "runs");
	assert_figure(tree, "runs", 0.05);
	assert_string_equal(check_text(tree, "runs", "failure"), "processes disagree by 5.0 %");
	assert_text(tree, CONTRAST "verdict", "unclear");
	json_decref(tree);
}

/* The GPU's own clock outweighs what the driver says, which is 1000 for all. */
static void test_clock_on_the_gpu(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	for (int i = 0; i < BLOCKS; i++)
		write_block(rec, &(struct block){i, 0, 200, 100, 1000, 970});
	write_right(rec);
	tree = family_end(rec);
	assert_failed(tree, "clock");
	assert_figure(tree, "clock", 0.03);
	assert_string_equal(check_text(tree, "clock", "failure"), "clocks differ by 3.0 %");
	assert_number(tree, CASE_B "time.sm_mhz", 970);
	assert_text(tree, CONTRAST "verdict", "unclear");
	json_decref(tree);
}

/* 1.5 % faster by time is nothing at all in cycles: the clock was 1.5 % higher. */
static void test_gap_in_time_alone(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	for (int i = 0; i < BLOCKS; i++)
		write_block(rec, &(struct block){i, 0, 1015, 1000, 1000, 1015});
	write_right(rec);
	tree = family_end(rec);
	assert_passed(tree, "clock");
	assert_failed(tree, "cycles");
	assert_figure(tree, "cycles", 1);
	assert_text(tree, CONTRAST "verdict", "unclear");
	json_decref(tree);
}

/* All blocks at the power limit, which has the double run at a lower clock. NVML says 600 W. Cycles: 200 against `b` in
 * thousandths of mhz; 0 MHz is no clock. */
static json_t *power_limited_tree(double b, double mhz_a, double mhz_b)
{
	struct recording *rec = family_begin();

	for (int i = 0; i < BLOCKS; i++) {
		write_block(rec, &(struct block){i, i * RUNS / BLOCKS, 200, b, mhz_a, mhz_b});
		fixture_row(rec,
			"CLOCK timestamp=%d deviceId=0 smMhz=1000 powerMw=600000 throttle=%d family=f caseLabel=c "
			"block=%d processes=1",
			1000 + i, i < 7 ? 4 : 5, i);
	}
	write_right(rec);
	return family_end(rec);
}

static void test_throttled_alike(void **state)
{
	json_t *tree = power_limited_tree(100, 1000, 900);

	(void)state;
	assert_passed(tree, "throttling");
	assert_figure(tree, "throttling", 1);
	assert_string_equal(check_text(tree, "throttling", "text"),
		"24 of 24 blocks ended at the power limit, and both take turns in each block. Median power is 600 W. "
		"Median SM clocks are 1000 MHz (single) and 900 MHz (double), so times in cycles must agree");
	assert_text(tree, CONTRAST "verdict", "faster");
	assert_integer(tree, CONTRAST "speedup.blocks", BLOCKS);
	assert_integer(tree, CASE_A "time.n", 2 * BLOCKS);
	json_decref(tree);
}

/* What is gained in time must be gained in cycles. */
static void test_throttled_alike_is_not_enough(void **state)
{
	json_t *tree = power_limited_tree(190, 1000, 1052.6);

	(void)state;
	assert_passed(tree, "throttling");
	assert_failed(tree, "cycles");
	assert_text(tree, CONTRAST "verdict", "unclear");
	json_decref(tree);
	tree = power_limited_tree(200, 1000, 950); /* a clock may hide a gap */
	assert_failed(tree, "cycles");
	assert_text(tree, CONTRAST "verdict", "unclear");
	json_decref(tree);
	tree = power_limited_tree(100, 0, 0);
	assert_string_equal(check_text(tree, "throttling", "text"),
		"24 of 24 blocks ended at the power limit, and both take turns in each block. Median power is 600 W");
	assert_failed(tree, "throttling");
	assert_string_equal(check_text(tree, "throttling", "failure"),
		"the GPU was at its power limit, and no SM clock was measured on it");
	assert_text(tree, CONTRAST "verdict", "unclear");
	json_decref(tree);
}

/* `throttled` of 24 blocks are slower by half and throttled. */
static json_t *throttled_tree(int throttled)
{
	struct recording *rec = family_begin();

	for (int i = 0; i < throttled; i++) {
		write_block(rec, &(struct block){i, 0, 300, 250, 700, 700});
		write_reading(rec, i, 90, 1, 0x20);
	}
	write_quiet(rec, throttled, BLOCKS);
	write_right(rec);
	return family_end(rec);
}

static void test_throttled_blocks_are_set_apart(void **state)
{
	json_t *tree = throttled_tree(6);

	(void)state;
	assert_passed(tree, "throttling");
	assert_figure(tree, "throttling", 0.25);
	assert_text(tree, CONTRAST "verdict", "faster");
	assert_number(tree, CONTRAST "speedup.value", 2);
	assert_integer(tree, CONTRAST "speedup.blocks", 18);
	assert_integer(tree, CASE_A "time.n", 36);
	assert_number(tree, CASE_A "time.max_ns", 200);
	assert_number(tree, CASE_A "time.sm_mhz", 1000);
	assert_integer(tree, CASE_A "apart.n", 12);
	assert_number(tree, CASE_A "apart.samples_ns.0", 300);
	assert_integer(tree, CASE_B "apart.blocks.11", 5);
	json_decref(tree);
}

/* One block by heat among those by power: then the others are not alike either. */
static void test_heat_beside_power(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	for (int i = 0; i < 10; i++) {
		write_block(rec, &(struct block){i, i * RUNS / BLOCKS, 300, 250, 700, 700});
		write_reading(rec, i, 90, 1, i == 3 ? 0x20 : 4);
	}
	write_quiet(rec, 10, BLOCKS);
	write_right(rec);
	tree = family_end(rec);
	assert_failed(tree, "throttling");
	assert_integer(tree, CASE_A "apart.n", 20);
	assert_text(tree, CONTRAST "verdict", "unclear");
	json_decref(tree);
}

static void test_too_much_set_apart(void **state)
{
	json_t *tree = throttled_tree(7);

	(void)state;
	assert_failed(tree, "throttling");
	assert_string_equal(check_text(tree, "throttling", "failure"), "7 of 24 blocks were throttled");
	assert_text(tree, CONTRAST "verdict", "unclear");
	json_decref(tree);
	tree = throttled_tree(BLOCKS);
	assert_failed(tree, "throttling");
	assert_failed(tree, "samples");
	assert_text(tree, CONTRAST "verdict", "unclear");
	assert_null_at(tree, CASE_A "time");
	assert_integer(tree, CASE_A "apart.n", 48);
	json_decref(tree);
}

static json_t *beside(int processes)
{
	struct recording *rec = family_begin();

	write_quiet(rec, 0, BLOCKS);
	write_reading(rec, BLOCKS / 2, 50, processes, 0);
	write_right(rec);
	return family_end(rec);
}

static void test_neighbours(void **state)
{
	json_t *tree = beside(3);

	(void)state;
	assert_failed(tree, "neighbours");
	assert_figure(tree, "neighbours", 3);
	assert_string_equal(check_text(tree, "neighbours", "failure"), "2 other processes used the GPU");
	assert_text(tree, CONTRAST "verdict", "unclear");
	json_decref(tree);
	tree = beside(1);
	assert_passed(tree, "neighbours");
	assert_text(tree, CONTRAST "verdict", "faster");
	json_decref(tree);
}

/* A driver that does not even show this process would not show others. */
static void test_a_blind_driver(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	for (int i = 0; i < BLOCKS; i++) {
		write_block(rec, &(struct block){i, 0, 200, 100, 1000, 1000});
		write_reading(rec, i, 40, 0, 0);
	}
	write_right(rec);
	tree = family_end(rec);
	assert_not_measured(tree, "neighbours");
	assert_text(tree, CONTRAST "verdict", "faster");
	json_decref(tree);
}

static void test_observer(void **state)
{
	struct recording *rec = family_begin();
	json_t *tree;

	(void)state;
	write_quiet(rec, 0, BLOCKS);
	for (int i = 0; i < 3; i++)
		fixture_row(rec, "TRACED family=f variant=a caseLabel=c launches=10 ns=%d", 200 + 10 * i);
	write_right(rec);
	tree = family_end(rec);
	assert_number(tree, CASE_A "observer.plain_ns", 200);
	assert_number(tree, CASE_A "observer.traced_ns", 210);
	assert_number(tree, CASE_A "observer.ratio", 1.05);
	assert_integer(tree, CASE_A "observer.samples", 3);
	assert_null_at(tree, CASE_B "observer");
	json_decref(tree);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		scratch_test(test_all_is_well),
		scratch_test(test_old_recordings),
		scratch_test(test_runs_disagree),
		scratch_test(test_clock_on_the_gpu),
		scratch_test(test_gap_in_time_alone),
		scratch_test(test_throttled_blocks_are_set_apart),
		scratch_test(test_heat_beside_power),
		scratch_test(test_throttled_alike),
		scratch_test(test_throttled_alike_is_not_enough),
		scratch_test(test_too_much_set_apart),
		scratch_test(test_neighbours),
		scratch_test(test_a_blind_driver),
		scratch_test(test_observer),
	};

	return cmocka_run_group_tests_name("model: evidence", tests, NULL, NULL);
}
