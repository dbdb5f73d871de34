/* join.c: rounds that communicate, and programs whose collectives wait for each other, replayed together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <stdlib.h>

#include "analyze/replay/replay.h"

enum { ROUNDS = 20, KERNEL = 2000, REDUCE = 500, PIECES = 3 * ROUNDS, ROOM = 256 };

/* A process with one thread, GPU and stream. A round: a copy in, a kernel, a collective. */
struct process {
	struct replay_call call[ROOM];
	struct replay_piece piece[ROOM];
	struct replay_program program;
	struct replay_orders orders;
	struct replay_loop *loops;
	size_t nloops, calls; /* calls: of a round, where rounds are alike */
};

static const struct replay_stream only_stream = {PAYS_STREAM_NON_BLOCKING, 0};
static const bool two_engines = false;

static void add_work(struct process *of, enum work_class cls, uint16_t kind, int64_t start, int64_t end)
{
	size_t i = of->program.npieces++;

	of->call[i] = (struct replay_call){.start = (int64_t)i,
		.end = (int64_t)i,
		.token = (uint32_t)(1 + i % 3),
		.event = REPLAY_NONE,
		.first = (uint32_t)i,
		.count = 1,
		.kind = REPLAY_LAUNCH};
	of->piece[i] = (struct replay_piece){.start = start,
		.end = end,
		.pinned = (double)(end - start),
		.call = (uint32_t)i,
		.kind = kind,
		.cls = (uint8_t)cls};
	of->program.ncalls++;
}

/* Copies of the two processes take so long. Both leave the collective together. */
static void record_both(struct process *of, int64_t copy, int64_t other)
{
	int64_t now = 0, longer = copy > other ? copy : other;
	const int64_t in[2] = {copy, other};

	for (int p = 0; p < 2; p++)
		of[p].program = (struct replay_program){.call = of[p].call,
			.piece = of[p].piece,
			.stream = &only_stream,
			.nstreams = 1,
			.nthreads = 1,
			.ndevices = 1,
			.shared_copies = &two_engines,
			.rate = {1, 1}};
	for (int r = 0; r < ROUNDS; r++, now += longer + KERNEL + REDUCE) {
		for (int p = 0; p < 2; p++) {
			add_work(&of[p], WORK_H2D, 0, now, now + in[p]);
			add_work(&of[p], WORK_KERNEL, 1, now + in[p], now + in[p] + KERNEL);
			add_work(&of[p], WORK_KERNEL, REPLAY_COLLECTIVE, now + in[p] + KERNEL,
				now + longer + KERNEL + REDUCE);
		}
	}
	for (int p = 0; p < 2; p++) {
		replay_orders_make(&of[p].orders, &of[p].program);
		of[p].loops = replay_loops_find(&of[p].program, &of[p].orders, &of[p].nloops);
		assert_int_equal(of[p].nloops, 1);
		assert_int_equal(of[p].loops[0].rounds, ROUNDS);
	}
}

static void free_both(struct process *of)
{
	for (int p = 0; p < 2; p++) {
		replay_loops_free(of[p].loops, of[p].nloops);
		replay_orders_free(&of[p].orders);
	}
}

static double alone(const struct process *of, int buffers)
{
	const struct replay_phase phase = {
		.program = &of->program, .orders = &of->orders, .loop = of->loops, .nloops = 1};

	return replay_duration(&phase, &(struct replay_change){.buffers = buffers});
}

static void join_both(struct replay_joined *joined, const struct process *of)
{
	const struct replay_program *program[] = {&of[0].program, &of[1].program};
	const struct replay_orders *orders[] = {&of[0].orders, &of[1].orders};

	replay_join(joined, program, orders, 2);
}

/* How long the loop of a process takes beside that of the other one. */
static double together(const struct process *of, int own, int buffers)
{
	struct replay_joined joined;
	struct replay_loop loop[2];
	uint32_t first[2][ROUNDS + 1];
	double duration;

	join_both(&joined, of);
	for (int l = 0; l < 2; l++) {
		int p = l == 0 ? own : 1 - own;

		loop[l] = of[p].loops[0];
		loop[l].thread += joined.part[p].threads;
		for (int r = 0; r <= ROUNDS; r++)
			first[l][r] = of[p].loops[0].first[r] + joined.part[p].turns;
		loop[l].first = first[l];
	}
	duration = replay_duration(&(struct replay_phase){.program = &joined.program,
					   .orders = &joined.orders,
					   .loop = loop,
					   .nloops = 2,
					   .ncompanions = 1},
		&(struct replay_change){.buffers = buffers});
	replay_joined_free(&joined);
	return duration;
}

#define assert_near(a, b) assert_true((a) - (b) < 1 && (b) - (a) < 1)

/* A process that copies nothing much saves what the other one saves: it waits for that in each collective. */
static void one_copies_more(void **state)
{
	static struct process of[2];
	const double was = ROUNDS * (1500 + KERNEL + REDUCE);

	(void)state;
	record_both(of, 100, 1500);
	for (int p = 0; p < 2; p++) {
		assert_near(together(of, p, 1), was);
		/* The first copy has nothing to hide behind. */
		assert_near(together(of, p, 2), 1500 + ROUNDS * (KERNEL + REDUCE));
	}
	assert_near(alone(&of[0], 1), was);
	assert_true(alone(&of[0], 2) > was - ROUNDS * 101);
	free_both(of);
}

/* Kernels stay behind the collective of the round before, which is all that they wait for. */
static void both_copy_alike(void **state)
{
	static struct process of[2];

	(void)state;
	record_both(of, 1000, 1000);
	for (int p = 0; p < 2; p++) {
		assert_near(together(of, p, 1), ROUNDS * (1000 + KERNEL + REDUCE));
		assert_near(together(of, p, 2), 1000 + ROUNDS * (KERNEL + REDUCE));
		assert_near(alone(&of[p], 2), 1000 + ROUNDS * (KERNEL + REDUCE));
	}
	free_both(of);
}

/* Each collective meets that of the same round; where times do not fit, none does. */
static void meetings(void **state)
{
	static struct process of[2];
	struct replay_joined joined;

	(void)state;
	record_both(of, 100, 1500);
	join_both(&joined, of);
	assert_int_equal(joined.program.nmeetings, ROUNDS);
	for (int i = 0; i < PIECES; i++) {
		uint32_t a = joined.part[0].piece[i], b = joined.part[1].piece[i];

		assert_int_equal(joined.program.piece[a].meeting, joined.program.piece[b].meeting);
		assert_int_equal(joined.program.piece[a].meeting > 0, i % 3 == 2);
		assert_int_equal(joined.program.piece[a].start, of[0].piece[i].start);
		assert_int_equal(joined.program.call[joined.program.piece[b].call].first, b);
	}
	replay_joined_free(&joined);
	for (int i = 2; i < PIECES; i += 3)
		of[1].piece[i].start = of[1].piece[i].end = of[1].piece[i].end + 1;
	join_both(&joined, of);
	assert_int_equal(joined.program.nmeetings, 0);
	replay_joined_free(&joined);
	free_both(of);
}

/* ---- a second stream ---- */

enum { CALLS = 9, WORK = 5 };

/* A process without work yet, whose rounds have so many calls. */
static void begin_two_streams(struct process *of, size_t calls)
{
	static const struct replay_stream streams[] = {{PAYS_STREAM_LEGACY, 0}, {PAYS_STREAM_NON_BLOCKING, 0}};

	of->program = (struct replay_program){.call = of->call,
		.piece = of->piece,
		.stream = streams,
		.nstreams = 2,
		.nthreads = 1,
		.ndevices = 1,
		.shared_copies = &two_engines,
		.rate = {1, 1}};
	of->calls = calls;
}

static void call_of_round(struct process *of, int kind, int64_t start, int32_t stream, uint32_t event)
{
	size_t i = of->program.ncalls++;

	of->call[i] = (struct replay_call){.start = start,
		.end = start,
		.token = (uint32_t)(1 + i % of->calls),
		.event = event,
		.stream = stream,
		.first = (uint32_t)of->program.npieces,
		.kind = (uint8_t)kind};
}

static void work_of_round(
	struct process *of, enum work_class cls, uint16_t kind, int32_t stream, int64_t start, int64_t length)
{
	size_t i = of->program.npieces;

	call_of_round(of, REPLAY_LAUNCH, (int64_t)of->program.ncalls, -1, REPLAY_NONE);
	of->call[of->program.ncalls - 1].count = 1;
	of->piece[i] = (struct replay_piece){.start = start,
		.end = start + length,
		.pinned = (double)length,
		.call = (uint32_t)of->program.ncalls - 1,
		.stream = stream,
		.kind = kind,
		.cls = (uint8_t)cls};
	of->program.npieces++;
}

static void event_of_round(struct process *of, int32_t from, int32_t to)
{
	uint32_t record = (uint32_t)of->program.ncalls;

	call_of_round(of, REPLAY_RECORD, record, from, REPLAY_NONE);
	call_of_round(of, REPLAY_JOIN, record, to, record);
}

/* Behind a kernel there is communication, beside which another one runs, for a part of it; a third one waits for it.
 * Kernels of the next round do not fill the rest, though kernels run beside communication: they wait for the third. */
static void kernels_wait_for_communication(void **state)
{
	static struct process of;
	const int rounds = PIECES / CALLS;

	(void)state;
	begin_two_streams(&of, CALLS);
	for (int64_t now = 0; of.program.npieces < (size_t)rounds * WORK; now += 4000) {
		work_of_round(&of, WORK_H2D, 0, 0, now, 1000);
		work_of_round(&of, WORK_KERNEL, 1, 0, now + 1000, 1000);
		event_of_round(&of, 0, 1);
		work_of_round(&of, WORK_KERNEL, REPLAY_COLLECTIVE, 1, now + 2000, 1500);
		work_of_round(&of, WORK_KERNEL, 1, 0, now + 2000, 500);
		event_of_round(&of, 1, 0);
		work_of_round(&of, WORK_KERNEL, 1, 0, now + 3500, 500);
	}
	replay_orders_make(&of.orders, &of.program);
	of.loops = replay_loops_find(&of.program, &of.orders, &of.nloops);
	assert_int_equal(of.nloops, 1);
	assert_near(alone(&of, 1), rounds * 4000);
	assert_near(alone(&of, 2), 1000 + rounds * 3000);
	replay_loops_free(of.loops, of.nloops);
	replay_orders_free(&of.orders);
}

/* Two streams copy by turns, each behind the other one, so that there are more paths through the copies of a round than
 * can be gone. The order of kernels is kept, and found at once. */
static void copies_of_two_streams(void **state)
{
	static struct process of;
	const int rounds = 8, turns = 4;

	(void)state;
	begin_two_streams(&of, (size_t)turns * 6 + 2);
	for (int64_t now = 0, r = 0; r < rounds; r++, now += turns * 200 + 3000) {
		for (int t = 0; t < turns; t++) {
			work_of_round(&of, WORK_H2D, 0, 0, now + t * 200, 100);
			event_of_round(&of, 0, 1);
			work_of_round(&of, WORK_H2D, 0, 1, now + t * 200 + 100, 100);
			event_of_round(&of, 1, 0);
		}
		work_of_round(&of, WORK_KERNEL, 1, 0, now + turns * 200, 2000);
		work_of_round(&of, WORK_KERNEL, REPLAY_COLLECTIVE, 0, now + turns * 200 + 2000, 1000);
	}
	replay_orders_make(&of.orders, &of.program);
	of.loops = replay_loops_find(&of.program, &of.orders, &of.nloops);
	assert_int_equal(of.nloops, 1);
	assert_near(alone(&of, 1), rounds * (turns * 200 + 3000));
	assert_near(alone(&of, 2), turns * 200 + rounds * 3000);
	replay_loops_free(of.loops, of.nloops);
	replay_orders_free(&of.orders);
}

/* Beside a collective that waits, a kernel takes longer than in other rounds: with buffers it would not. */
static void kernels_beside_waiting(void **state)
{
	static struct process of[2];
	struct replay_joined joined;
	const int rounds = 20;
	const int64_t kernel = 200000, longer = 300000;

	(void)state;
	for (int p = 0; p < 2; p++) {
		begin_two_streams(&of[p], CALLS);
		for (int r = 0; r < rounds; r++) {
			int64_t now = 1000 + 500000 * (int64_t)r, waits = p == 0 && r % 2 ? 0 : 150000;

			work_of_round(&of[p], WORK_H2D, 0, 0, now - 1000, 1000);
			work_of_round(&of[p], WORK_KERNEL, REPLAY_COLLECTIVE, 1, now + waits, 250000 - waits);
			work_of_round(&of[p], WORK_KERNEL, 1, 0, now, r % 4 == 1 ? longer : kernel);
		}
		for (size_t c = 0; c < of[p].program.ncalls; c++)
			of[p].call[c].token = (uint32_t)(1 + c % 3);
	}
	for (int p = 0; p < 2; p++) {
		replay_orders_make(&of[p].orders, &of[p].program);
		of[p].loops = replay_loops_find(&of[p].program, &of[p].orders, &of[p].nloops);
		assert_int_equal(of[p].nloops, 1);
	}
	join_both(&joined, of);
	for (size_t p = 0; p < 2; p++)
		replay_calm_kernels(&joined, p, of[p].loops);
	for (int r = 0; r < rounds; r++) {
		for (int p = 0; p < 2; p++) {
			const struct replay_piece *piece = &joined.program.piece[joined.part[p].piece[3 * r + 2]];

			assert_near(piece->pinned, p == 1 && r % 4 == 1 ? longer : kernel);
			assert_int_equal(piece->end - piece->start, r % 4 == 1 ? longer : kernel);
		}
	}
	replay_joined_free(&joined);
	free_both(of);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_copies_more),
		cmocka_unit_test(both_copy_alike),
		cmocka_unit_test(meetings),
		cmocka_unit_test(kernels_wait_for_communication),
		cmocka_unit_test(copies_of_two_streams),
		cmocka_unit_test(kernels_beside_waiting),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
