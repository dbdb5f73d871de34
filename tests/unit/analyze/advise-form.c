/* advise-form.c: what a loop looks like to the model of stages: tiles ahead, the ring, where rounds are. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <math.h>
#include <stdio.h>

#include "analyze/advise/now.h"
#include "fixtures/advise-fixture.h"
#include "fixtures/near.h"

struct formed {
	struct advised it;
	char text[4096];
	struct advise_form form;
};

static void form_of(struct formed *out, const char *listing, bool is_triton, int64_t shared)
{
	advised_begin(&out->it, 100e3);
	snprintf(out->text, sizeof(out->text), "%s", listing);
	advised_code(&out->it, out->text);
	out->it.kernel.is_triton = is_triton;
	out->it.kernel.block.shared_bytes = shared;
	advise_form_of(&out->it.kernel, &out->form);
}

#define COPY "LDGSTS.E.BYPASS.128 [R2], desc[UR4][R4.64]\nLDGDEPBAR\n"
#define WAIT(n) "DEPBAR.LE SB0, " n "\nBAR.SYNC.DEFER_BLOCKING 0x0\n"
#define USE "LDS R6, [R3]\nFFMA R7, R6, R6, R7\n"
#define TURN "IADD3 R8, R8, 0x1, RZ\nISETP.NE.AND P0, PT, R8, R9, PT\n@P0 BRA `(.L_x_1)\n"

#define ROUND                                                                                                          \
	"LDG.E.128 R12, desc[UR4][R4.64]\nBAR.SYNC.DEFER_BLOCKING 0x0\nSTS.128 [R2], R12\nBAR.SYNC.DEFER_BLOCKING "    \
	"0x0\n" USE

/* A wait for each of two operands is one round in Triton, which unrolls no such loop; elsewhere it is two. */
static void test_operands(void **state)
{
	static const char two_waits[] = COPY COPY COPY COPY ".L_x_1:\n" WAIT("0x2") USE
		"BAR.SYNC.DEFER_BLOCKING 0x0\n" COPY WAIT("0x2") USE "BAR.SYNC.DEFER_BLOCKING 0x0\n" COPY TURN "EXIT\n";
	struct formed triton, plain;

	(void)state;
	form_of(&triton, two_waits, true, 8192);
	form_of(&plain, two_waits, false, 8192);
	assert_int_equal(triton.it.code.unrolled.value, 2);
	assert_near(triton.form.instructions, 2 * plain.form.instructions, 1e-9);
	assert_true(triton.form.ahead <= plain.form.ahead / 2);
	/* Asked for behind all reads: at the end of a round, before the next wait. */
	assert_true(!triton.form.is_late && triton.form.is_async);
}

/* Where the reader of machine code does not tell, what the waits let under way is taken. */
static void test_guessed(void **state)
{
	static const char uneven[] = COPY COPY COPY ".L_x_1:\n" WAIT("0x2") USE WAIT("0x1") USE COPY TURN "EXIT\n";
	static const char with_groups[] = COPY COPY COPY ".L_x_1:\n" WAIT(
		"0x2") "HGMMA.64x64x16.F32 R24, gdesc[UR8], R24, gsb0\n" WAIT("0x1") USE COPY TURN "EXIT\n";
	struct formed it;

	(void)state;
	form_of(&it, uneven, false, 8192);
	assert_int_equal(it.it.code.ahead.how, ASM_UNKNOWN);
	assert_true(it.form.is_guessed);
	assert_near(it.form.ahead, 1, 1e-9);
	assert_int_equal(it.form.stages, 2);
	form_of(&it, with_groups, true, 8192);
	assert_true(it.form.is_guessed && it.form.has_wgmma);
	assert_int_equal(it.form.stages, 3);
}

/* Which wait of a switch is met nobody knows without samples: no number of stages then, and no verdict. */
static void test_chosen_wait(void **state)
{
	static const char chosen[] =
		COPY COPY ".L_x_1:\n@P1 BRA `(.L_x_2)\nDEPBAR.LE SB0, 0x0\nBRA `(.L_x_3)\n.L_x_2:\n"
			  "DEPBAR.LE SB0, 0x4\n.L_x_3:\nBAR.SYNC.DEFER_BLOCKING 0x0\n" COPY USE TURN "EXIT\n";
	const struct machine machine = advised_machine();
	struct advise_result result;
	struct formed it;

	(void)state;
	form_of(&it, chosen, false, 6 * 2048);
	assert_int_equal(it.it.code.way, ASM_WAY_LDGSTS);
	assert_true(isnan(it.form.ahead));
	assert_int_equal(it.form.stages, 0);
	advised_count(&it.it, "inst_executed", 4e6);
	advise_judge(&it.it.kernel, &machine, &result);
	assert_int_equal(result.verdict, ADVISE_UNKNOWN);
	assert_int_equal(result.now, 0);
	assert_int_equal(result.stages, 0);
	assert_string_equal(result.lacking, "tiles ahead");
	for (int i = 0; i < ADVISE_GAINS; i++)
		assert_true(isnan(result.gain[i].mid));
}

/* Samples in another loop that loads are of rounds in Triton. */
static void test_loops(void **state)
{
	static const char two_loops[] = ".L_x_2:\nLDG.E R1, desc[UR4][R2.64]\nFADD R3, R3, R1\n@P1 BRA `(.L_x_2)\n"
					".L_x_3:\nFADD R3, R3, R3\n@P2 BRA `(.L_x_3)\n"
					".L_x_1:\nLDG.E.128 R12, desc[UR4][R4.64]\nFADD R6, R12, R13\n" TURN "EXIT\n";
	struct formed it;

	(void)state;
	form_of(&it, two_loops, true, 0);
	assert_true(it.form.has_loop && it.form.is_plain);
	assert_true(advise_is_round(&it.it.kernel, &it.form, 0));
	assert_false(advise_is_round(&it.it.kernel, &it.form, 4));
	assert_true(advise_is_round(&it.it.kernel, &it.form, 6));
	assert_false(advise_is_round(&it.it.kernel, &it.form, 1000));
	form_of(&it, two_loops, false, 0);
	assert_false(advise_is_round(&it.it.kernel, &it.form, 0));
	assert_near(it.form.tile_bytes, 16 * 128, 1e-9);
}

/* A block's rounds are told by instructions; where a loop within the loop hides them, by bytes. */
static void test_rounds(void **state)
{
	static const char inner[] = COPY ".L_x_1:\n" WAIT("0x0") ".L_x_2:\n" USE "@P1 BRA `(.L_x_2)\n"
								 "BAR.SYNC.DEFER_BLOCKING 0x0\n" COPY TURN "EXIT\n";
	static const char flat[] = COPY ".L_x_1:\n" WAIT("0x0") USE "BAR.SYNC.DEFER_BLOCKING 0x0\n" COPY TURN "EXIT\n";
	const struct machine machine = advised_machine();
	struct advise_now now;
	struct formed it;

	(void)state;
	form_of(&it, flat, false, 2048);
	assert_false(it.form.has_inner);
	advised_count(&it.it, "inst_executed", 4.0 * 100 * (50 * it.form.instructions + it.form.outside));
	assert_null(advise_now_of(&it.it.kernel, &machine, &now));
	assert_near(now.rounds, 50, 1e-6);
	form_of(&it, inner, false, 2048);
	assert_true(it.form.has_inner);
	advised_count(&it.it, "l2_bytes", 100 * 30 * 2048);
	assert_null(advise_now_of(&it.it.kernel, &machine, &now));
	assert_near(now.rounds, 30, 1e-6);
}

/* 2 KiB at 64 bytes a cycle of 0.5 ns are 16 ns behind a latency of 200; at a hundredth of 6 TB/s they are 34. */
static void test_load_at_rest(void **state)
{
	static const char flat[] = COPY ".L_x_1:\n" WAIT("0x0") USE "BAR.SYNC.DEFER_BLOCKING 0x0\n" COPY TURN "EXIT\n";
	const struct machine machine = advised_machine();
	struct advise_now idle, busy;
	struct formed it;

	(void)state;
	form_of(&it, flat, false, 2048);
	advised_count(&it.it, "throughput_l2", 0);
	assert_null(advise_now_of(&it.it.kernel, &machine, &idle));
	assert_near(idle.rest, 216, 0.1);
	advised_count(&it.it, "throughput_l2", 100);
	assert_null(advise_now_of(&it.it.kernel, &machine, &busy));
	assert_near(busy.rest, 234.1, 0.1);
	advise_now_guessed(&it.it.kernel, &machine, &busy, ADVISE_LOADS_ALONE, &idle);
	assert_near(idle.rest, 216, 0.1);
}

/* A ring has as many tiles as stages; in Triton one less, unless products of warp groups read it. */
static void test_ring(void **state)
{
	static const char ahead_two[] =
		COPY COPY ".L_x_1:\n" WAIT("0x1") USE "BAR.SYNC.DEFER_BLOCKING 0x0\n" COPY TURN "EXIT\n";
	struct formed it;

	(void)state;
	form_of(&it, ahead_two, false, 3 * 2048);
	assert_int_equal(it.form.stages, (int)it.form.ahead + 1);
	assert_near(advise_shared(&it.it.kernel, &it.form, it.form.stages + 2), 5 * 2048, 1e-9);
	form_of(&it, ahead_two, true, 2 * 2048);
	assert_int_equal(it.form.stages, (int)it.form.ahead + 2);
	assert_near(advise_shared(&it.it.kernel, &it.form, 6), 5 * it.form.tile_bytes, 1e-9);
	assert_near(advise_ahead(&it.it.kernel, &it.form, 6), 4, 1e-9);
	assert_near(advise_ahead(&it.it.kernel, &it.form, 2), 0, 1e-9);
	/* What is no part of the ring stays. */
	it.it.kernel.block.shared_bytes += 1000;
	assert_near(advise_shared(&it.it.kernel, &it.form, 6), 5 * it.form.tile_bytes + 1000, 1e-9);
}

#define MMA "HGMMA.64x64x16.F32 R24, gdesc[UR8], R24, gsb0\n"

/* Products of warp groups that go on while a tile is asked for: that one is ahead, too. Attention waits for one product
 * before: what is asked for before the loop tells its stages. */
static void test_ring_of_groups(void **state)
{
	static const char go_on[] = COPY COPY ".L_x_1:\n" WAIT("0x1") MMA
		"WARPGROUP.DEPBAR.LE gsb0, 0x1\nBAR.SYNC.DEFER_BLOCKING 0x0\n" COPY TURN "EXIT\n";
	static const char ended[] = COPY COPY ".L_x_1:\n" WAIT("0x1") MMA
		"WARPGROUP.DEPBAR.LE gsb0, 0x0\nBAR.SYNC.DEFER_BLOCKING 0x0\n" COPY TURN "EXIT\n";
	struct formed it;

	(void)state;
	form_of(&it, go_on, true, 3 * 2048);
	assert_true(it.form.has_wgmma);
	assert_near(it.form.ahead, 2, 1e-9);
	assert_int_equal(it.form.stages, 3);
	assert_true(it.form.is_late && it.form.goes_on);
	assert_near(advise_ahead(&it.it.kernel, &it.form, 6), 5, 1e-9);
	assert_near(advise_shared(&it.it.kernel, &it.form, 6), 6 * it.form.tile_bytes, 1e-9);
	form_of(&it, ended, true, 3 * 2048 + 512);
	assert_near(it.form.ahead, 1, 1e-9);
	assert_int_equal(it.form.stages, 3);
	assert_false(it.form.is_late);
	assert_near(advise_ahead(&it.it.kernel, &it.form, 6), 4, 1e-9);
	assert_near(advise_shared(&it.it.kernel, &it.form, 6), 6 * it.form.tile_bytes + 512, 1e-9);
}

/* Four rounds of a turn that store to the same place have a tile each; two that store to two have one together. */
static void test_registers(void **state)
{
	static const char two_rounds[] = ".L_x_1:\n" ROUND ROUND TURN "EXIT\n";
	struct formed it;

	(void)state;
	form_of(&it, two_rounds, true, 2048);
	assert_int_equal(it.it.code.unrolled.value, 2);
	assert_near(it.form.tile_bytes, 2048, 1e-9);
	assert_int_equal(it.form.stages, 1);
	form_of(&it, two_rounds, true, 4096);
	assert_near(it.form.tile_bytes, 4096, 1e-9);
}

#define LOAD "LDG.E.128 R12, desc[UR4][R4.64]\n"

/* A tile that is loaded ahead into registers is a stage, but in Triton no one asked for it. */
static void test_loaded_ahead(void **state)
{
	static const char ahead[] = LOAD ".L_x_1:\nSTS.128 [R2], R12\nBAR.SYNC.DEFER_BLOCKING 0x0\n" LOAD USE
					 "BAR.SYNC.DEFER_BLOCKING 0x0\n" TURN "EXIT\n";
	struct formed it;

	(void)state;
	form_of(&it, ahead, false, 2048);
	assert_near(it.form.ahead, 1, 1e-9);
	assert_int_equal(it.form.stages, 2);
	form_of(&it, ahead, true, 2048);
	assert_int_equal(it.form.stages, 1);
}

/* Four loads in a turn, then two and one for what is left: a turn is four rounds. */
static void test_batch(void **state)
{
	static const char four[] = ".L_x_1:\n" LOAD LOAD LOAD LOAD "FADD R6, R12, R13\n" TURN LOAD LOAD
				   "FADD R6, R12, R13\n" LOAD "FADD R6, R12, R13\nEXIT\n";
	static const char all[] = ".L_x_1:\n" LOAD LOAD LOAD LOAD "FADD R6, R12, R13\n" TURN "EXIT\n";
	struct formed it;

	(void)state;
	form_of(&it, four, true, 0);
	assert_near(it.form.batch, 4, 1e-9);
	assert_near(it.form.tile_bytes, 16 * 128, 1e-9);
	form_of(&it, all, true, 0);
	assert_near(it.form.batch, 1, 1e-9);
	assert_near(it.form.tile_bytes, 4 * 16 * 128, 1e-9);
}

/* A thread that loads a word at a time of the four that lie together copies them so: four threads meet in a bank. */
static void test_spread(void **state)
{
	static const char words[] = ".L_x_1:\nLDG.E.128 R12, desc[UR4][R4.64]\nLDG.E R16, desc[UR4][R4.64+0x14]\n"
				    "LDG.E.64 R18, desc[UR4][R4.64+0x18]\nFADD R6, R12, R16\n" TURN "EXIT\n";
	struct formed it;

	(void)state;
	form_of(&it, words, true, 0);
	assert_true(it.form.is_plain);
	assert_near(it.form.loads, 3, 1e-9);
	assert_near(it.form.spread, 4 + 2, 1e-9);
}

/* Widths stand in the name, not in the address. */
static void test_widths(void **state)
{
	static const char words[] = ".L_x_1:\nLDG.E R12, desc[UR4][R4.64]\n@!P1 LDG.E.U16 R13, desc[UR4][R4.64]\n"
				    "BAR.SYNC.DEFER_BLOCKING 0x0\nSTS [R2], R12\nSTS [R2+0x80], R13\n"
				    "BAR.SYNC.DEFER_BLOCKING 0x0\n" USE TURN "EXIT\n";
	struct formed it;

	(void)state;
	form_of(&it, words, false, 2048);
	assert_near(it.form.load_bytes, 6, 1e-9);
	assert_near(it.form.narrow, 0, 1e-9);
	assert_near(it.form.wide_bytes, 8, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_operands),
		cmocka_unit_test(test_guessed),
		cmocka_unit_test(test_chosen_wait),
		cmocka_unit_test(test_loops),
		cmocka_unit_test(test_rounds),
		cmocka_unit_test(test_load_at_rest),
		cmocka_unit_test(test_ring),
		cmocka_unit_test(test_ring_of_groups),
		cmocka_unit_test(test_registers),
		cmocka_unit_test(test_batch),
		cmocka_unit_test(test_loaded_ahead),
		cmocka_unit_test(test_spread),
		cmocka_unit_test(test_widths),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
