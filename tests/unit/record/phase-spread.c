/* phase-spread.c: the mean block that spread time stamps make, by made-up blocks whose truth is known. No GPU. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "phase.h"
#include "random.h"
#include "record/pass/phase-spread.h"

enum { STEPS = 3, WARPS = 8, PHASES = 1 + 4 * STEPS + 2, SEGMENTS = 2 * STEPS + 1, BLOCKS = 2000, LEAVE = 20 };

static int three_steps(const void *state)
{
	(void)state;
	return STEPS;
}

static bool spreads(const void *state)
{
	return state == NULL;
}

/* As a Kogge-Stone scan with two barriers: l, three times c w c w, c s. */
static const struct phase_plan plan = {"l", "cwcw", "cs", three_steps, spreads};

/* ---- blocks ---- */

/* When a warp began and its phases ended, and its clocks at these times. */
struct life {
	double bound[WARPS][PHASES + 1];
	uint32_t clock[WARPS][PHASES + 1];
};

static double some(struct splitmix *random, double from, double to)
{
	return from + (to - from) * (double)(splitmix_next(random) >> 11) * 0x1p-53;
}

static bool is_wait(unsigned n)
{
	return phase_plan_place(&plan, STEPS, n).phase == PHASE_WAIT;
}

/* 0 stands for a stamp that was not taken. */
static uint32_t clock_at(double cycle)
{
	const uint32_t clock = (uint32_t)(int64_t)cycle;

	return clock ? clock : 1;
}

/* All warps have come, the barrier opens, and the warps go on one after another. */
static void open_barrier(struct life *life, unsigned n, double base, struct splitmix *random)
{
	const unsigned first = (unsigned)splitmix_next(random) % WARPS;
	double opening = 0;

	for (unsigned w = 0; w < WARPS; w++)
		opening = fmax(opening, life->bound[w][n]);
	opening = ceil(opening) + 3;
	for (unsigned w = 0; w < WARPS; w++) {
		life->bound[w][n + 1] = opening;
		life->clock[w][n + 1] = clock_at(base + opening + LEAVE + 6 * ((w + first) % WARPS));
	}
}

/* Loads of blocks differ by hundreds of cycles; what follows takes a warp longer the higher its number is. Counters run
 * over in some blocks. */
static void make_life(struct life *life, struct splitmix *random)
{
	const double base = some(random, 0x1p32 - 4000, 0x1p32 + 4000), load = some(random, 600, 1400);

	for (unsigned w = 0; w < WARPS; w++)
		life->bound[w][0] = floor(4 * w + some(random, 0, 10));
	for (unsigned n = 0; n < PHASES; n++) {
		for (unsigned w = 0; w < WARPS; w++)
			life->bound[w][n + 1] =
				floor(life->bound[w][n] + (n == 0 ? load : 10 * (n % 7) + 5 * w + some(random, 5, 25)));
		for (unsigned w = 0; w < WARPS; w++)
			life->clock[w][n + 1] = clock_at(base + life->bound[w][n + 1]);
		if (is_wait(n))
			open_barrier(life, n, base, random);
	}
	for (unsigned w = 0; w < WARPS; w++)
		life->clock[w][0] = clock_at(base + life->bound[w][0]);
}

/* What spread_stamps of phase.cuh leaves of it. */
static void take_segment(const struct life *life, unsigned segment, uint32_t (*stamps)[SEGMENT_STAMPS])
{
	for (unsigned w = 0; w < WARPS; w++) {
		unsigned waits = 0, taken = 1;

		for (unsigned i = 0; i < SEGMENT_STAMPS; i++)
			stamps[w][i] = life->clock[w][i == 0 ? 0 : PHASES];
		for (unsigned n = 0; n < PHASES; n++) {
			if (waits == segment)
				stamps[w][taken++] = life->clock[w][n + 1];
			waits += is_wait(n);
		}
	}
}

static void add_life(struct phase_spread *spread, const struct life *life, unsigned segment)
{
	uint32_t stamps[WARPS][SEGMENT_STAMPS];
	const struct phase_block block = {&stamps[0][0], WARPS, SEGMENT_STAMPS};

	take_segment(life, segment, stamps);
	assert_null(phase_block_wrong(&block));
	phase_spread_add(spread, &block, segment);
}

static void compare_life(struct phase_spread *spread, const struct life *life)
{
	uint32_t ends[WARPS][2];
	const struct phase_block block = {&ends[0][0], WARPS, 2};

	for (unsigned w = 0; w < WARPS; w++) {
		ends[w][0] = life->clock[w][0];
		ends[w][1] = life->clock[w][PHASES];
	}
	phase_spread_compare(spread, &block);
}

/* ---- tests ---- */

static void open_spread(struct phase_spread *spread)
{
	struct error err = {0};

	assert_int_equal(phase_plan_segments(&plan, NULL), SEGMENTS);
	assert_int_equal(phase_spread_open(spread, &plan, STEPS, SEGMENTS, WARPS, LEAVE, &err), 0);
}

/* Adds to truth[warp][n] where phase n of a warp lies before the end of the block's last warp. */
static void add_truth(const struct life *life, double (*truth)[PHASES + 1])
{
	double end = 0;

	for (unsigned w = 0; w < WARPS; w++)
		end = fmax(end, life->bound[w][PHASES]);
	for (unsigned w = 0; w < WARPS; w++) {
		for (unsigned n = 0; n <= PHASES; n++)
			truth[w][n] += end - life->bound[w][n];
	}
}

/* Each block tells one segment alone; the mean block is that of all. Its places are as good as means of 2,000 blocks,
 * lengths in the same segment better. */
static void many_blocks_make_the_mean_one(void **state)
{
	static double truth[WARPS][PHASES + 1], bounds[WARPS][PHASES + 1];
	const double all = 2.0 * SEGMENTS * BLOCKS;
	struct splitmix random = {5};
	struct phase_spread spread;
	int64_t cut;

	(void)state;
	open_spread(&spread);
	for (unsigned i = 0; i < 2 * SEGMENTS * BLOCKS; i++) {
		struct life life;

		make_life(&life, &random);
		add_truth(&life, truth);
		if (i % 2 == 0)
			add_life(&spread, &life, i / 2 % SEGMENTS);
		else
			compare_life(&spread, &life);
	}
	assert_true(phase_spread_bounds(&spread, &bounds[0][0], &cut));
	assert_int_equal(cut, 0);
	for (unsigned w = 0; w < WARPS; w++) {
		assert_true(fabs(bounds[w][0] - (truth[0][0] - truth[w][0]) / all) < 0.5);
		for (unsigned n = 1; n <= PHASES; n++)
			assert_true(
				fabs(bounds[w][n] - bounds[0][PHASES] - (truth[0][PHASES] - truth[w][n]) / all) < 2);
		for (unsigned n = 0; n < PHASES; n++) {
			if (is_wait(n))
				assert_true(fabs(bounds[w][n + 1] - bounds[w][n] -
						    (truth[w][n] - truth[w][n + 1]) / all) < 1);
		}
	}
	phase_spread_close(&spread);
}

/* A warp that has nothing to do between two barriers reads its clock in front of the second while it waits at the
 * first: that phase has no length, and the wait at the second begins when the first opens. */
static void no_phase_is_shorter_than_nothing(void **state)
{
	static double bounds[WARPS][PHASES + 1];
	struct splitmix random = {7};
	struct phase_spread spread;
	int64_t cut;

	(void)state;
	open_spread(&spread);
	for (unsigned i = 0; i < SEGMENTS * BLOCKS; i++) {
		struct life life;

		make_life(&life, &random);
		life.clock[0][4] = life.clock[0][2] + 1; /* its second compute phase ends before its first wait does */
		add_life(&spread, &life, i % SEGMENTS == 0 ? 1 : i % SEGMENTS);
		make_life(&life, &random);
		add_life(&spread, &life, 0);
		compare_life(&spread, &life);
	}
	assert_true(phase_spread_bounds(&spread, &bounds[0][0], &cut));
	assert_int_equal(cut, 1);
	assert_true(bounds[0][4] == bounds[0][3] && bounds[0][5] > bounds[0][4]);
	assert_true(bounds[1][4] > bounds[1][3] && bounds[1][5] == bounds[0][5]);
	phase_spread_close(&spread);
}

/* Nobody leaves before the last has come, whatever the calibration says. */
static void no_barrier_opens_too_early(void **state)
{
	static double bounds[WARPS][PHASES + 1];
	struct splitmix random = {9};
	struct phase_spread spread;
	int64_t cut;

	(void)state;
	open_spread(&spread);
	spread.leave = 1000;
	for (unsigned i = 0; i < SEGMENTS; i++) {
		struct life life;

		make_life(&life, &random);
		add_life(&spread, &life, i);
		assert_false(
			phase_spread_bounds(&spread, &bounds[0][0], &cut)); /* none is compared, or segments lack */
		if (i + 1 == SEGMENTS)
			compare_life(&spread, &life);
	}
	assert_true(phase_spread_bounds(&spread, &bounds[0][0], &cut));
	for (unsigned n = 0; n < PHASES; n++) {
		for (unsigned w = 0; w < WARPS && is_wait(n); w++)
			assert_true(bounds[0][n + 1] >= bounds[w][n]);
	}
	phase_spread_close(&spread);
}

static void long_segments_are_refused(void **state)
{
	const struct phase_plan longer = {"lc", "ccw", "", three_steps, spreads};
	const struct phase_plan never = {"l", "cw", "s", three_steps, NULL};
	struct phase_spread spread;
	struct error err = {0};
	int other;

	(void)state;
	assert_int_equal(phase_spread_open(&spread, &longer, STEPS, STEPS + 1, WARPS, LEAVE, &err), -1);
	assert_string_equal(err.text, "more than 3 phases follow one another without a barrier");
	assert_int_equal(phase_plan_segments(&never, NULL), 0);
	assert_int_equal(phase_plan_segments(&plan, &other), 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(many_blocks_make_the_mean_one),
		cmocka_unit_test(no_phase_is_shorter_than_nothing),
		cmocka_unit_test(no_barrier_opens_too_early),
		cmocka_unit_test(long_segments_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
