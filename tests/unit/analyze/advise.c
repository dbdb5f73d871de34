/* advise.c: whether more stages pay, judged on made-up kernels whose answer follows from arithmetic. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <float.h>
#include <stdlib.h>
#include <stdio.h>

#include "analyze/advise/network.h"
#include "fixtures/advise-fixture.h"
#include "fixtures/near.h"

/* A ring of one tile, filled by asynchronous copies: asked for, waited for, used. Ten instructions a round. */
static const char one_tile[] = "S2R R0, SR_TID.X\n"
			       ".L_x_1:\n"
			       "LDGSTS.E.BYPASS.128 [R2], desc[UR4][R4.64]\n"
			       "LDGDEPBAR\n"
			       "DEPBAR.LE SB0, 0x0\n"
			       "BAR.SYNC.DEFER_BLOCKING 0x0\n"
			       "LDS R6, [R3]\n"
			       "FFMA R7, R6, R6, R7\n"
			       "BAR.SYNC.DEFER_BLOCKING 0x0\n"
			       "IADD3 R8, R8, 0x1, RZ\n"
			       "ISETP.NE.AND P0, PT, R8, R9, PT\n"
			       "@P0 BRA `(.L_x_1)\n"
			       "EXIT\n";

/* The same through registers. */
static const char by_registers[] = "S2R R0, SR_TID.X\n"
				   ".L_x_1:\n"
				   "LDG.E.128 R12, desc[UR4][R4.64]\n"
				   "BAR.SYNC.DEFER_BLOCKING 0x0\n"
				   "STS.128 [R2], R12\n"
				   "BAR.SYNC.DEFER_BLOCKING 0x0\n"
				   "LDS R6, [R3]\n"
				   "FFMA R7, R6, R6, R7\n"
				   "IADD3 R8, R8, 0x1, RZ\n"
				   "ISETP.NE.AND P0, PT, R8, R9, PT\n"
				   "@P0 BRA `(.L_x_1)\n"
				   "EXIT\n";

/* Loads that are used from registers. */
static const char plain[] = ".L_x_1:\n"
			    "LDG.E.128 R12, desc[UR4][R4.64]\n"
			    "FADD R6, R6, R12\n"
			    "FADD R7, R7, R13\n"
			    "FADD R6, R6, R14\n"
			    "FADD R7, R7, R15\n"
			    "IADD3 R4, R4, 0x10, RZ\n"
			    "IADD3 R8, R8, 0x1, RZ\n"
			    "ISETP.NE.AND P0, PT, R8, R9, PT\n"
			    "NOP\n"
			    "@P0 BRA `(.L_x_1)\n"
			    "EXIT\n";

static const char straight[] = "S2R R0, SR_TID.X\n"
			       "LDG.E R1, desc[UR4][R4.64]\n"
			       "STG.E desc[UR4][R6.64], R1\n"
			       "EXIT\n";

struct advised_text {
	char text[2048];
};

static struct advise_result judged(const struct advised *it)
{
	const struct machine machine = advised_machine();
	struct advise_result result;

	advise_judge(&it->kernel, &machine, &result);
	return result;
}

/* Rounds of 10 instructions; 100 blocks of 4 warps on 100 SMs. */
static void begin_with(struct advised *it, struct advised_text *text, const char *listing, double ns, double rounds)
{
	advised_begin(it, ns);
	snprintf(text->text, sizeof(text->text), "%s", listing);
	advised_code(it, text->text);
	advised_count(it, "inst_executed", 4.0 * 100 * (rounds * 10 + 2));
}

/* ---- the network ---- */

static void test_network(void **state)
{
	const struct advise_network network = {false, 8, {2, 1}};
	double here[ADVISE_UNITS];

	(void)state;
	assert_near(advise_cycle(&network, 1, here), 11, 1e-9);
	assert_near(here[ADVISE_SM], 2, 1e-9);
	assert_near(here[ADVISE_MEMORY], 1, 1e-9);
	/* The second customer finds 2 of 11 and 1 of 11 there. */
	assert_near(advise_cycle(&network, 2, NULL), 8 + 2 * (1 + 2.0 / 11) + 1 + 1.0 / 11, 1e-9);
	assert_near(advise_cycle(&network, 1000, NULL), 2000, 20);
	assert_near(advise_think(&network, 2, advise_cycle(&network, 2, NULL)), 8, 1e-6);
	assert_true(advise_think(&network, 2, 1) < 1e-6);
}

/* Customers in turn do not meet until a unit is busy all the time. */
static void test_even_network(void **state)
{
	const struct advise_network network = {true, 8, {2, 1}};
	double here[ADVISE_UNITS];

	(void)state;
	assert_near(advise_cycle(&network, 1, NULL), 11, 1e-9);
	assert_near(advise_cycle(&network, 5, NULL), 11, 1e-9);
	assert_near(advise_cycle(&network, 10, here), 20, 1e-9);
	assert_near(here[ADVISE_SM], 11, 1e-9);
	assert_near(here[ADVISE_MEMORY], 1, 1e-9);
}

/* Ends of an interval: what is taken otherwise moves one of them. Warps at barriers may all wait for tiles, or none. */
static void test_interval(void **state)
{
	struct advised it;
	struct advised_text text;
	struct advise_gain sure, unsure;

	(void)state;
	begin_with(&it, &text, one_tile, 100e3, 100);
	advised_count(&it, "stall_long_scoreboard", 30);
	sure = judged(&it).gain[2];
	advised_count(&it, "stall_long_scoreboard", 21);
	advised_count(&it, "stall_barrier", 30);
	unsure = judged(&it).gain[2];
	assert_near(unsure.mid, sure.mid, 1e-9);
	assert_true(unsure.high > sure.high + 0.1);
	assert_true(unsure.low < sure.low - 0.02);
}

/* A tenth pays where the code stays nearly the same, and is too close where copies take the place of loads that are
 * used from registers: it may be a loss as well. */
static void test_verdict_by_interval(void **state)
{
	struct advised it;
	struct advised_text text;
	struct advise_result ring, copied;

	(void)state;
	begin_with(&it, &text, one_tile, 100e3, 100);
	advised_count(&it, "stall_long_scoreboard", 10);
	ring = judged(&it);
	assert_true(advised_mid(&ring, 6) > 0.08);
	assert_int_equal(ring.verdict, ADVISE_PAYS);
	begin_with(&it, &text, plain, 100e3, 100);
	it.kernel.is_triton = true;
	it.kernel.block.shared_bytes = 0;
	advised_count(&it, "stall_long_scoreboard", 10);
	copied = judged(&it);
	assert_near(advised_mid(&copied, 6), advised_mid(&ring, 6), 0.02);
	assert_int_equal(copied.verdict, ADVISE_CLOSE);
	assert_int_equal(copied.stages, 1);
}

/* ---- what stages hide ---- */

/* One block of an SM waits for 80 % of a round of 1000 ns. With S stages a round takes (L + C) / S until it only
 * computes. */
static void test_latency(void **state)
{
	struct advised it;
	struct advised_text text;
	struct advise_result result;

	(void)state;
	begin_with(&it, &text, one_tile, 100e3, 100);
	result = judged(&it);
	assert_int_equal(result.verdict, ADVISE_PAYS);
	assert_int_equal(result.now, 1);
	assert_near(advised_mid(&result, 2), 0.9, 0.2);
	assert_near(advised_mid(&result, 3), 1.7, 0.4);
	for (int stages = 3; stages <= ADVISE_LAST_STAGE; stages++)
		assert_true(advised_mid(&result, stages) >= advised_mid(&result, stages - 1) - 1e-9);
	assert_true(result.stages >= 4);
	assert_non_null(advised_cause(&result, "memory-latency-hidden"));
	assert_string_equal(result.causes[0].id, "memory-latency-hidden");
	assert_null(result.lacking);
}

static void test_nothing_to_hide(void **state)
{
	struct advised it;
	struct advised_text text;
	struct advise_result result;

	(void)state;
	begin_with(&it, &text, one_tile, 100e3, 100);
	advised_count(&it, "stall_long_scoreboard", 0.2);
	result = judged(&it);
	assert_int_equal(result.verdict, ADVISE_DOES_NOT);
	assert_int_equal(result.stages, 1);
	assert_non_null(advised_cause(&result, "latency-hidden-already"));
}

/* All warps of the samples wait for each other, and none for a tile. */
static void test_barriers_alone(void **state)
{
	struct advised it;
	struct advised_text text;
	struct advise_result result;

	(void)state;
	begin_with(&it, &text, one_tile, 100e3, 100);
	advised_count(&it, "stall_long_scoreboard", 0);
	advised_count(&it, "stall_barrier", 100);
	result = judged(&it);
	assert_int_equal(result.verdict, ADVISE_DOES_NOT);
}

/* 294 MB in 100 us are 98 % of what device memory reaches. */
static void test_bandwidth(void **state)
{
	struct advised it;
	struct advised_text text;
	struct advise_result result;

	(void)state;
	begin_with(&it, &text, one_tile, 100e3, 100);
	advised_count(&it, "dram_bytes", 294e6);
	result = judged(&it);
	assert_int_not_equal(result.verdict, ADVISE_PAYS);
	assert_true(advised_mid(&result, 6) < 0.05);
	assert_non_null(advised_cause(&result, "bandwidth-bound"));
}

/* Counters of a time that is three times as long, with nothing in the rest of it, say the same. */
static void test_counted_around(void **state)
{
	struct advised it;
	struct advised_text text;
	struct advise_result close, around;

	(void)state;
	begin_with(&it, &text, one_tile, 100e3, 100);
	advised_count(&it, "duration", 100e3);
	advised_count(&it, "throughput_l2", 60);
	advised_count(&it, "throughput_sm", 30);
	close = judged(&it);
	advised_count(&it, "duration", 300e3);
	advised_count(&it, "throughput_l2", 20);
	advised_count(&it, "throughput_sm", 10);
	around = judged(&it);
	for (int stages = ADVISE_FIRST_STAGE; stages <= ADVISE_LAST_STAGE; stages++)
		assert_near(advised_mid(&around, stages), advised_mid(&close, stages), 1e-9);
}

/* 89 MB in 100 us, of a peak of 3e12 / 0.89 B/s, are 26.4 %: where counters tell 13.2 %, they counted for twice as
 * long, whatever the time of another counted launch. */
static void test_counted_beside(void **state)
{
	struct advised it;
	struct advised_text text;
	struct advise_result close, around;

	(void)state;
	begin_with(&it, &text, one_tile, 100e3, 100);
	advised_count(&it, "duration", 100e3);
	advised_count(&it, "dram_bytes", 89e6);
	advised_count(&it, "throughput_dram", 100 * 0.89 * 89e6 / 100e-6 / 3e12);
	advised_count(&it, "throughput_l2", 60);
	advised_count(&it, "throughput_sm", 30);
	close = judged(&it);
	advised_count(&it, "throughput_sm", 15);
	advised_count(&it, "duration", 900e3);
	advised_count(&it, "throughput_dram", 50 * 0.89 * 89e6 / 100e-6 / 3e12);
	advised_count(&it, "throughput_l2", 30);
	around = judged(&it);
	for (int stages = ADVISE_FIRST_STAGE; stages <= ADVISE_LAST_STAGE; stages++)
		assert_near(advised_mid(&around, stages), advised_mid(&close, stages), 1e-9);
	assert_true(advised_mid(&around, 6) > 0.3);
}

/* A ring needs instructions of its own, 27 behind each other: 54 ns of a round of 100 ns. */
static void test_ring_costs(void **state)
{
	struct machine machine = advised_machine();
	struct advised it;
	struct advised_text text;
	struct advise_result free, dear;

	(void)state;
	begin_with(&it, &text, by_registers, 100e3, 1000);
	it.kernel.is_triton = true;
	advised_count(&it, "stall_long_scoreboard", 30);
	advise_judge(&it.kernel, &machine, &free);
	assert_int_equal(free.verdict, ADVISE_PAYS);
	machine.fma_latency = 4;
	advise_judge(&it.kernel, &machine, &dear);
	assert_int_equal(dear.verdict, ADVISE_DOES_NOT);
	assert_true(advised_mid(&dear, 4) < advised_mid(&free, 4) - 0.3);
}

/* Of four blocks on an SM three work while one waits. */
static void test_other_blocks(void **state)
{
	struct advised it;
	struct advised_text text;
	struct advise_result alone, four;

	(void)state;
	begin_with(&it, &text, one_tile, 100e3, 100);
	advised_count(&it, "throughput_sm", 20);
	alone = judged(&it);
	it.kernel.blocks = 400;
	advised_count(&it, "inst_executed", 4.0 * 400 * (100 * 10 + 2));
	advised_count(&it, "throughput_sm", 70);
	four = judged(&it);
	assert_true(advised_mid(&four, 6) < advised_mid(&alone, 6) / 3);
}

/* ---- what stages cost ---- */

static void test_room(void **state)
{
	struct advised it;
	struct advised_text text;
	struct advise_result result;

	(void)state;
	begin_with(&it, &text, one_tile, 100e3, 100);
	it.kernel.block.shared_bytes = 100 << 10;
	it.code.copies = (struct asm_fact){0, ASM_UNKNOWN};
	result = judged(&it);
	assert_true(isfinite(advised_mid(&result, 2)));
	for (int stages = 3; stages <= ADVISE_LAST_STAGE; stages++)
		assert_true(isnan(advised_mid(&result, stages)));
	assert_int_equal(result.stages, 2);
	it.kernel.block.shared_bytes = 200 << 10;
	result = judged(&it);
	assert_int_equal(result.verdict, ADVISE_DOES_NOT);
	assert_non_null(advised_cause(&result, "no-room"));
}

/* As run six stages leave room for one block, three for two: nothing waits for loads, and the SM is half idle. */
static void test_blocks_lost(void **state)
{
	struct advised it;
	struct advised_text text;
	struct advise_result result;

	(void)state;
	begin_with(&it, &text, one_tile, 800e3, 100);
	it.code.ahead = (struct asm_fact){5, ASM_SEEN};
	it.code.copies = (struct asm_fact){0, ASM_UNKNOWN};
	it.kernel.block.shared_bytes = 132 << 10;
	it.kernel.blocks = 800;
	advised_count(&it, "inst_executed", 4.0 * 800 * (100 * 10 + 2));
	advised_count(&it, "stall_long_scoreboard", 0);
	advised_count(&it, "throughput_sm", 30);
	result = judged(&it);
	assert_int_equal(result.now, 6);
	assert_int_equal(result.verdict, ADVISE_PAYS);
	assert_true(result.stages < 5);
	assert_non_null(advised_cause(&result, "occupancy"));
	assert_true(advised_cause(&result, "occupancy")->ns > 0);
}

/* With two rounds one tile at most is ahead, and the first is waited for: half of the waiting stays. */
static void test_few_rounds(void **state)
{
	struct advised it;
	struct advised_text text;
	struct advise_result many, few;

	(void)state;
	begin_with(&it, &text, one_tile, 100e3, 100);
	many = judged(&it);
	begin_with(&it, &text, one_tile, 2e3, 2);
	few = judged(&it);
	assert_true(advised_mid(&few, 6) < 0.9);
	assert_true(advised_mid(&few, 6) < advised_mid(&many, 6) / 2);
	begin_with(&it, &text, one_tile, 1e3, 1);
	few = judged(&it);
	assert_int_equal(few.verdict, ADVISE_DOES_NOT);
	assert_non_null(advised_cause(&few, "few-rounds"));
}

/* ---- the way of the copies ---- */

/* Turns of shared memory that loads and stores of tiles take are saved by asynchronous copies. */
static void test_queue_relieved(void **state)
{
	struct advised it;
	struct advised_text text;
	struct advise_result result;
	const double rounds = 4.0 * 100 * 100;

	(void)state;
	begin_with(&it, &text, by_registers, 100e3, 100);
	it.kernel.is_triton = true;
	advised_count(&it, "throughput_l1", 89);
	advised_count(&it, "smem_wavefronts", rounds * 8);
	advised_count(&it, "smem_store_conflicts", 0);
	advised_count(&it, "ipc", 4.0 * 100 * (100 * 10 + 2) / (rounds * 16));
	result = judged(&it);
	assert_int_equal(result.now, 1);
	assert_int_equal(result.verdict, ADVISE_PAYS);
	assert_non_null(advised_cause(&result, "shared-memory-queue"));
	assert_true(advised_cause(&result, "shared-memory-queue")->ns > 0);
	assert_true(isfinite(result.by_copies.mid) && isfinite(result.by_registers.mid));
	assert_true(result.by_copies.mid > result.by_registers.mid + 0.2);
}

/* Loading ahead into registers makes no copies: its causes are of its own plan, and add up to its gain. */
static void test_causes_of_loading_ahead(void **state)
{
	struct advised it;
	struct advised_text text;
	struct advise_result result;
	double sum = 0;

	(void)state;
	begin_with(&it, &text, by_registers, 100e3, 100);
	/* No second buffer fits. */
	it.kernel.block.shared_bytes = it.kernel.shared_most;
	result = judged(&it);
	assert_int_equal(result.verdict, ADVISE_PAYS);
	assert_true(isnan(advised_mid(&result, 2)));
	assert_non_null(advised_cause(&result, "memory-latency-hidden"));
	assert_null(advised_cause(&result, "occupancy"));
	for (size_t i = 0; i < result.ncauses; i++)
		sum += result.causes[i].ns;
	assert_near(sum, it.kernel.ns * (1 - 1 / (1 + result.by_registers.mid)), 0.01 * it.kernel.ns);
}

/* Stores of 4 bytes behind loads of 16 become copies of 4 bytes, whose threads meet in banks. */
static void test_narrow_copies(void **state)
{
	struct advised it;
	struct advised_text text;
	struct advise_result result;
	const double rounds = 4.0 * 100 * 100;
	char *store;

	(void)state;
	begin_with(&it, &text, by_registers, 100e3, 100);
	snprintf(text.text, sizeof(text.text), "%s", by_registers);
	store = strstr(text.text, "STS.128 [R2], R12");
	memcpy(store, "STS     [R2], R12", strlen("STS     [R2], R12"));
	advised_code(&it, text.text);
	it.kernel.is_triton = true;
	advised_count(&it, "throughput_l1", 89);
	advised_count(&it, "smem_wavefronts", rounds * 10);
	advised_count(&it, "smem_store_conflicts", rounds * 7);
	advised_count(&it, "ipc", 4.0 * 100 * (100 * 10 + 2) / (rounds * 12));
	result = judged(&it);
	assert_int_equal(result.verdict, ADVISE_DOES_NOT);
	assert_true(advised_mid(&result, 3) < -0.1);
	assert_non_null(advised_cause(&result, "narrow-copies"));
	assert_true(advised_cause(&result, "narrow-copies")->ns < 0);
}

/* What was loaded in turns of shared memory is read back in as many. Words beside 16 bytes become copies whose threads
 * meet in banks: eight turns more in a warp's round of five cycles. */
static void test_read_back(void **state)
{
	static const char beside[] = "LDG.E.128 R12, desc[UR4][R4.64]\nLDG.E R16, desc[UR4][R4.64+0x14]\n"
				     "LDG.E R17, desc[UR4][R4.64+0x18]\n";
	struct advised it;
	struct advised_text text;
	struct advise_result result;
	const double executed = 4.0 * 100 * (100 * 10 + 2);
	char *load;

	(void)state;
	begin_with(&it, &text, plain, 100e3, 100);
	it.kernel.is_triton = true;
	it.kernel.block.shared_bytes = 0;
	advised_count(&it, "stall_long_scoreboard", 30);
	advised_count(&it, "throughput_l1", 30);
	advised_count(&it, "smem_store_conflicts", 0);
	advised_count(&it, "ipc", executed / (4.0 * 100 * 100 * 5));
	result = judged(&it);
	assert_true(advised_mid(&result, 6) > 0.3);
	assert_near(result.gain[4].mid, result.by_copies.mid, 0.05);
	load = strchr(plain, '\n') + 1;
	snprintf(text.text, sizeof(text.text), ".L_x_1:\n%s%s", beside, strchr(load, '\n') + 1);
	advised_code(&it, text.text);
	result = judged(&it);
	assert_true(advised_mid(&result, 6) < 0.15);
}

/* Four loads at once are waited for once in four rounds. With three stages two are under way, of which a buffer is
 * waited for and used by turns, with six five: (800 + 50) / 2 and (800 + 50) / 5 ns in place of 250. */
static void test_batch_lost(void **state)
{
	static const char four[] = ".L_x_1:\n"
				   "LDG.E.128 R12, desc[UR4][R4.64]\n"
				   "LDG.E.128 R16, desc[UR4][R4.64+0x10]\n"
				   "LDG.E.128 R20, desc[UR4][R4.64+0x20]\n"
				   "LDG.E.128 R24, desc[UR4][R4.64+0x30]\n"
				   "FADD R6, R12, R16\n"
				   "FADD R6, R20, R24\n"
				   "IADD3 R8, R8, 0x4, RZ\n"
				   "ISETP.NE.AND P0, PT, R8, R9, PT\n"
				   "NOP\n"
				   "@P0 BRA `(.L_x_1)\n"
				   "LDG.E.128 R12, desc[UR4][R4.64]\n"
				   "LDG.E.128 R16, desc[UR4][R4.64]\n"
				   "FADD R6, R12, R16\n"
				   "LDG.E.128 R12, desc[UR4][R4.64]\n"
				   "FADD R6, R12, R6\n"
				   "EXIT\n";
	struct advised it;
	struct advised_text text;
	struct advise_result result;

	(void)state;
	begin_with(&it, &text, four, 100e3, 100);
	it.kernel.is_triton = true;
	it.kernel.block.shared_bytes = 0;
	result = judged(&it);
	assert_near(advised_mid(&result, 3), 250.0 / 425 - 1, 0.1);
	assert_near(advised_mid(&result, 6), 250.0 / 170 - 1, 0.1);
}

/* Triton's second stage alone has no tile ahead; for products of groups of warps the third has two, for others one. */
static void test_triton(void **state)
{
	struct advised it;
	struct advised_text text;
	struct advise_result result;

	(void)state;
	begin_with(&it, &text, by_registers, 100e3, 100);
	it.kernel.is_triton = true;
	result = judged(&it);
	assert_near(advised_mid(&result, 2), 0, 0.02);
	assert_true(advised_mid(&result, 3) > 0.1);
	assert_true(advised_mid(&result, 4) > advised_mid(&result, 3) + 0.1);
}

/* ---- samples ---- */

/* Loads that tell where the tile is are waited for in each round, whatever the stages. */
static void test_other_loads(void **state)
{
	struct advised it;
	struct advised_text text;
	struct advise_result tiles, index;

	(void)state;
	begin_with(&it, &text, one_tile, 100e3, 100);
	advised_sample(&it, 4, "long_scoreboard", 800);
	advised_sample(&it, 6, "selected", 200);
	tiles = judged(&it);
	it.samples[0].instruction = 1;
	index = judged(&it);
	assert_int_equal(tiles.verdict, ADVISE_PAYS);
	assert_int_equal(index.verdict, ADVISE_DOES_NOT);
}

/* What lies outside the loop stays. */
static void test_outside(void **state)
{
	struct advised it;
	struct advised_text text;
	struct advise_result all, half;

	(void)state;
	begin_with(&it, &text, one_tile, 100e3, 100);
	advised_sample(&it, 4, "long_scoreboard", 800);
	advised_sample(&it, 6, "selected", 200);
	all = judged(&it);
	advised_sample(&it, 0, "wait", 1000);
	half = judged(&it);
	assert_true(advised_mid(&half, 6) < 1);
	assert_true(advised_mid(&all, 6) > 1.5);
}

/* ---- what is lacking ---- */

static void test_lacking(void **state)
{
	struct advised it;
	struct advised_text text;
	struct machine machine = advised_machine();
	struct advise_result result;

	(void)state;
	begin_with(&it, &text, one_tile, 100e3, 100);
	it.kernel.ncounters = 0;
	result = judged(&it);
	assert_int_equal(result.verdict, ADVISE_UNKNOWN);
	assert_string_equal(result.lacking, "counters");
	it.kernel.code = NULL;
	assert_string_equal(judged(&it).lacking, "machine code");
	it.kernel.ns = NAN;
	assert_string_equal(judged(&it).lacking, "a timed launch");
	it.kernel.ns = INFINITY;
	assert_string_equal(judged(&it).lacking, "a timed launch");
	begin_with(&it, &text, one_tile, 100e3, 100);
	it.code.is_specialised = true;
	assert_string_equal(judged(&it).lacking, "tiles ahead");
	machine.sms = NAN;
	advise_judge(&it.kernel, &machine, &result);
	assert_string_equal(result.lacking, "constants of the machine");
	assert_int_equal(result.stages, 0);
}

static void test_no_loop(void **state)
{
	struct advised it;
	struct advised_text text;
	struct advise_result result;

	(void)state;
	begin_with(&it, &text, straight, 10e3, 1);
	result = judged(&it);
	assert_int_equal(result.verdict, ADVISE_DOES_NOT);
	assert_int_equal(result.ncauses, 1);
	assert_string_equal(result.causes[0].id, "no-loop");
	it.code.shape_how = ASM_UNKNOWN;
	assert_string_equal(judged(&it).lacking, "its loop");
}

/* ---- any kernel ---- */

static double any_between(double low, double high)
{
	return low + (high - low) * rand() / RAND_MAX;
}

static void check_result(const struct advise_result *result)
{
	for (int i = 0; i < ADVISE_GAINS; i++) {
		const struct advise_gain *gain = &result->gain[i];

		assert_int_equal(gain->stages, ADVISE_FIRST_STAGE + i);
		if (isnan(gain->mid))
			continue;
		assert_true(isfinite(gain->mid) && gain->mid > -1);
		assert_true(gain->low <= gain->mid && gain->mid <= gain->high);
	}
	assert_true(result->stages == result->now || isfinite(advised_mid(result, result->stages)));
	for (size_t i = 0; i < result->ncauses; i++) {
		assert_true(isnan(result->causes[i].ns) || result->causes[i].low <= result->causes[i].high);
		for (size_t k = 0; k < result->causes[i].nevidence; k++)
			assert_true(isfinite(result->causes[i].evidence[k].value));
		if (i > 0 && !isnan(result->causes[i].ns))
			assert_true(fabs(result->causes[i].ns) <= fabs(result->causes[i - 1].ns));
	}
}

/* The more a block waits for its tiles that is alone on its SM, the more stages gain. */
static void test_any(void **state)
{
	enum { KERNELS = 2000 };
	static const char *const keys[] = {
		"throughput_sm", "throughput_l1", "throughput_l2", "throughput_dram", "occupancy_achieved"};
	struct advised it;
	struct advised_text text;

	(void)state;
	srand(1);
	for (int i = 0; i < KERNELS; i++) {
		struct advise_result less, more;

		begin_with(&it, &text, i % 2 ? one_tile : by_registers, any_between(1e3, 1e6), any_between(1, 300));
		it.kernel.is_triton = i % 4 > 1;
		it.kernel.blocks = (int64_t)any_between(1, i % 3 ? 3000 : 100);
		it.kernel.block.shared_bytes = (int64_t)any_between(0, 100e3);
		for (size_t k = 0; k < sizeof(keys) / sizeof(*keys); k++)
			advised_count(&it, keys[k], any_between(0, 100));
		advised_count(&it, "stall_long_scoreboard", any_between(0, 50));
		less = judged(&it);
		advised_count(&it, "stall_long_scoreboard", it.counters[6].value + 40);
		more = judged(&it);
		check_result(&less);
		check_result(&more);
		/* Beside that, tiles of one block are served one after the other. */
		if (it.kernel.blocks <= 100 && isfinite(advised_mid(&more, 6)))
			assert_true(advised_mid(&more, 6) >= advised_mid(&less, 6) - 0.01);
	}
}

static void test_names(void **state)
{
	(void)state;
	assert_string_equal(advise_verdict_name(ADVISE_PAYS), "pays");
	assert_string_equal(advise_verdict_name(ADVISE_DOES_NOT), "does-not");
	assert_string_equal(advise_verdict_name(ADVISE_CLOSE), "too-close");
	assert_string_equal(advise_verdict_name(ADVISE_VERDICTS), "unknown");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_network),
		cmocka_unit_test(test_even_network),
		cmocka_unit_test(test_interval),
		cmocka_unit_test(test_verdict_by_interval),
		cmocka_unit_test(test_latency),
		cmocka_unit_test(test_nothing_to_hide),
		cmocka_unit_test(test_barriers_alone),
		cmocka_unit_test(test_bandwidth),
		cmocka_unit_test(test_counted_around),
		cmocka_unit_test(test_counted_beside),
		cmocka_unit_test(test_ring_costs),
		cmocka_unit_test(test_other_blocks),
		cmocka_unit_test(test_room),
		cmocka_unit_test(test_blocks_lost),
		cmocka_unit_test(test_few_rounds),
		cmocka_unit_test(test_queue_relieved),
		cmocka_unit_test(test_causes_of_loading_ahead),
		cmocka_unit_test(test_narrow_copies),
		cmocka_unit_test(test_read_back),
		cmocka_unit_test(test_batch_lost),
		cmocka_unit_test(test_triton),
		cmocka_unit_test(test_other_loads),
		cmocka_unit_test(test_outside),
		cmocka_unit_test(test_lacking),
		cmocka_unit_test(test_no_loop),
		cmocka_unit_test(test_any),
		cmocka_unit_test(test_names),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
