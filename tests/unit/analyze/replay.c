/* replay.c: the replay against pipelines simulated in another way, and loops in sequences of calls. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/replay/replay.h"
#include "fixtures/near.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { MOST_ROUNDS = 60, MOST = 4 * MOST_ROUNDS };

/* Tokens of calls. */
enum { CALL_IN = 1, CALL_KERNEL, CALL_OUT, CALL_WAIT };

/* A loop of copy in, kernel, copy out in one stream. */
struct loop {
	int rounds;
	double in[MOST_ROUNDS], kernel[MOST_ROUNDS], out[MOST_ROUNDS];
	double latency; /* from the end of one piece of work to the start of the next of its stream */
	double host;    /* the host's own time before each round */
	double rate;
	bool waits; /* for each round, before it asks for the next */
	struct replay_call call[MOST];
	struct replay_piece piece[MOST];
	struct replay_program program;
	double span;
};

static const struct replay_stream free_stream = {PAYS_STREAM_NON_BLOCKING, 0};
static const bool two_engines = false;

static double uniform(double low, double high)
{
	return low + (high - low) * rand() / RAND_MAX;
}

static void add_call(struct loop *loop, int kind, uint32_t token, double start, double end)
{
	loop->call[loop->program.ncalls++] = (struct replay_call){.start = llround(start),
		.end = llround(end),
		.token = token,
		.event = REPLAY_NONE,
		.first = (uint32_t)loop->program.npieces,
		.kind = (uint8_t)kind};
}

static void add_piece(struct loop *loop, enum work_class cls, uint32_t token, double issue, double *now, double length)
{
	double start = fmax(*now, issue) + (loop->program.npieces ? loop->latency : 0);
	size_t i = loop->program.npieces;

	add_call(loop, REPLAY_LAUNCH, token, issue, issue);
	loop->call[loop->program.ncalls - 1].count = 1;
	loop->piece[i] = (struct replay_piece){.start = llround(start),
		.end = llround(start + length),
		.pinned = length,
		.call = (uint32_t)loop->program.ncalls - 1,
		.cls = (uint8_t)cls};
	loop->program.npieces++;
	*now = (double)loop->piece[i].end;
}

/* The recording of the loop. */
static void record(struct loop *loop)
{
	double now = 0, host = 0;

	loop->program = (struct replay_program){.call = loop->call,
		.piece = loop->piece,
		.stream = &free_stream,
		.nstreams = 1,
		.nthreads = 1,
		.ndevices = 1,
		.shared_copies = &two_engines,
		.rate = {loop->rate, loop->rate}};
	for (int i = 0; i < loop->rounds; i++) {
		host += i ? loop->host : 0;
		add_piece(loop, WORK_H2D, CALL_IN, host, &now, loop->in[i]);
		add_piece(loop, WORK_KERNEL, CALL_KERNEL, host, &now, loop->kernel[i]);
		add_piece(loop, WORK_D2H, CALL_OUT, host, &now, loop->out[i]);
		if (!loop->waits)
			continue;
		add_call(loop, REPLAY_WAIT, CALL_WAIT, host, now);
		loop->call[loop->program.ncalls - 1].target = REPLAY_STREAM;
		host = now;
	}
	loop->span = now;
}

/* The loop in two streams, step by step in time: an engine works on one thing, copies in both directions at once are
 * slower. The host waits for the round before the last, if it waits. Steps in which nothing begins or ends are taken at
 * once. */
static double simulate(const struct loop *loop)
{
	const double step = 5;
	double left[3][MOST_ROUNDS], done[3][MOST_ROUNDS], speed[3], asked = 0, now = 0;
	int next[3] = {0}, host = 0;

	for (int i = 0; i < loop->rounds; i++) {
		left[0][i] = loop->in[i];
		left[1][i] = loop->kernel[i];
		left[2][i] = loop->out[i];
	}
	while (next[2] < loop->rounds) {
		bool run[3] = {false};
		double until = INFINITY, steps;

		/* The host has asked for rounds [0, host). */
		while (host < loop->rounds && (!loop->waits || host < 2 || next[2] > host - 2)) {
			double free = loop->waits && host >= 2 ? fmax(asked, done[2][host - 2]) : asked;

			if (host && now < free + loop->host) {
				until = free + loop->host;
				break;
			}
			asked = host ? free + loop->host : 0;
			host++;
		}
		for (int e = 0; e < 3; e++) {
			int i = next[e];
			double ready = 0;

			if (i >= host || (e > 0 && next[e - 1] <= i) || (e == 0 && i >= 2 && next[2] <= i - 2))
				continue;
			ready = e > 0 ? done[e - 1][i] : i >= 2 ? done[2][i - 2] : 0;
			if (e == 0 && i > 0)
				ready = fmax(ready, loop->waits || loop->host > 0 ? asked : 0);
			ready += i || e ? loop->latency : 0;
			run[e] = now >= ready;
			if (!run[e])
				until = fmin(until, ready);
		}
		for (int e = 0; e < 3; e++) {
			speed[e] = e != 1 && run[0] && run[2] ? loop->rate : 1;
			if (run[e])
				until = fmin(until, now + left[e][next[e]] / speed[e]);
		}
		steps = fmax(1, floor((until - now) / step));
		for (int e = 0; e < 3; e++) {
			if (!run[e])
				continue;
			left[e][next[e]] -= steps * step * speed[e];
			if (left[e][next[e]] <= 0)
				done[e][next[e]++] = now + steps * step;
		}
		now += steps * step;
	}
	return now;
}

/* How long the loop takes; with `buffers` 1 as it was. All of its rounds must be found. */
static double replay_loop(struct loop *loop, int buffers, const bool *freed)
{
	const struct replay_change change = {.buffers = buffers, .freed = freed};
	struct replay_phase phase = {.program = &loop->program};
	struct replay_orders orders;
	struct replay_loop *loops;
	double time;

	replay_orders_make(&orders, &loop->program);
	loops = replay_loops_find(&loop->program, &orders, &phase.nloops);
	assert_int_equal(phase.nloops, 1);
	assert_int_equal(loops[0].rounds, loop->rounds);
	phase.orders = &orders;
	phase.loop = loops;
	time = replay_duration(&phase, &change);
	replay_loops_free(loops, phase.nloops);
	replay_orders_free(&orders);
	return time;
}

static void random_loop(struct loop *loop)
{
	double in = uniform(2e3, 2e5), kernel = uniform(2e3, 2e5), out = uniform(2e3, 2e5), spread = uniform(0, 0.5);

	memset(loop, 0, sizeof *loop);
	loop->rounds = 3 + rand() % (MOST_ROUNDS - 2);
	loop->latency = uniform(500, 5000);
	loop->rate = uniform(0.6, 1);
	for (int i = 0; i < loop->rounds; i++) {
		loop->in[i] = in * uniform(1 - spread, 1 + spread);
		loop->kernel[i] = kernel * uniform(1 - spread, 1 + spread);
		loop->out[i] = out * uniform(1 - spread, 1 + spread);
	}
}

/* As it was, the replay takes as long as the recording; in two streams, as long as the simulation, to 1 %. */
static void random_pipelines(void **state)
{
	static struct loop loop;

	(void)state;
	srand(11);
	for (int i = 0; i < 150; i++) {
		double want;

		random_loop(&loop);
		record(&loop);
		assert_near(replay_loop(&loop, 1, NULL), loop.span, 1e-3 * loop.span);
		want = simulate(&loop);
		assert_near(replay_loop(&loop, 2, NULL), want, 0.01 * want);
	}
}

/* The host waits in each round and works between the rounds: its work cannot be saved, its waits can. */
static void random_waiting_loops(void **state)
{
	static struct loop loop;

	(void)state;
	srand(12);
	for (int i = 0; i < 150; i++) {
		double want;

		random_loop(&loop);
		loop.waits = true;
		loop.host = uniform(6e3, 1e5);
		record(&loop);
		assert_near(replay_loop(&loop, 1, NULL), loop.span, 1e-3 * loop.span);
		want = simulate(&loop);
		assert_near(replay_loop(&loop, 2, NULL), want, 0.02 * want + 1e3);
	}
}

/* Copies only and kernels only have nothing to run beside. */
static void nothing_to_gain(void **state)
{
	static struct loop loop;

	(void)state;
	srand(13);
	for (int cls = WORK_H2D; cls <= WORK_KERNEL; cls++) {
		random_loop(&loop);
		loop.latency = 0;
		record(&loop);
		for (size_t i = 0; i < loop.program.npieces; i++)
			loop.piece[i].cls = (uint8_t)cls;
		assert_near(replay_loop(&loop, 2, NULL), loop.span, 1e-3 * loop.span);
	}
}

/* Communication takes its time, and no copy hides behind it. */
static void communication_hides_nothing(void **state)
{
	static struct loop loop;

	(void)state;
	srand(14);
	for (int i = 0; i < 50; i++) {
		double computing, communicating;

		random_loop(&loop);
		record(&loop);
		for (size_t p = 0; p < loop.program.npieces; p++) {
			if (loop.piece[p].cls == WORK_D2H)
				loop.piece[p].cls = WORK_H2D;
		}
		computing = replay_loop(&loop, 2, NULL);
		for (size_t p = 0; p < loop.program.npieces; p++) {
			if (loop.piece[p].cls == WORK_KERNEL)
				loop.piece[p].kind = REPLAY_COLLECTIVE;
		}
		communicating = replay_loop(&loop, 2, NULL);
		assert_near(replay_loop(&loop, 1, NULL), loop.span, 1e-3 * loop.span);
		assert_true(computing < communicating);
		/* Latencies are all that is left to gain. */
		assert_true(communicating > loop.span - 1.1 * loop.latency * (double)loop.program.npieces);
	}
}

/* More buffers never cost time here, and those of work that is freed alone gain no more than all. */
static void one_direction(void **state)
{
	static struct loop loop;

	(void)state;
	srand(15);
	for (int i = 0; i < 50; i++) {
		bool in[MOST] = {false}, out[MOST] = {false};
		double none, both, one, other;

		random_loop(&loop);
		loop.rate = 1;
		record(&loop);
		for (size_t k = 0; k < loop.program.npieces; k++) {
			in[k] = loop.piece[k].cls == WORK_H2D;
			out[k] = loop.piece[k].cls == WORK_D2H;
		}
		none = replay_loop(&loop, 1, NULL);
		both = replay_loop(&loop, 2, NULL);
		one = replay_loop(&loop, 2, in);
		other = replay_loop(&loop, 2, out);
		assert_true(both <= none + 1);
		assert_true(one <= none + 1 && other <= none + 1);
		assert_true(both <= one * 1.001 && both <= other * 1.001);
		assert_true(replay_loop(&loop, 3, NULL) <= both * 1.001);
	}
}

/* ---- staged copies, and threads that take turns ---- */

enum { TURNS = 20, COPY_NS = 100000, PINNED_NS = 10000, KERNEL_NS = 40000, PART_NS = 8000, LAG_NS = 200000 };

static double replay_of(const struct replay_program *program, int buffers)
{
	struct replay_phase phase = {.program = program};
	struct replay_orders orders;
	struct replay_loop *loops;
	double duration;

	replay_orders_make(&orders, program);
	loops = replay_loops_find(program, &orders, &phase.nloops);
	assert_int_equal(phase.nloops, 1);
	phase.orders = &orders;
	phase.loop = loops;
	duration = replay_duration(&phase, &(struct replay_change){.buffers = buffers});
	replay_loops_free(loops, phase.nloops);
	replay_orders_free(&orders);
	return duration;
}

/* A copy from pageable memory whose call returns when its last part is staged: what the host stages is no work of its
 * own that stays when the memory is pinned. */
static void staging_is_no_work_of_the_host(void **state)
{
	static struct loop loop;
	const int64_t round = COPY_NS + KERNEL_NS;

	(void)state;
	memset(&loop, 0, sizeof(loop));
	loop.rounds = TURNS;
	loop.rate = 1;
	for (int i = 0; i < TURNS; i++) {
		loop.in[i] = COPY_NS;
		loop.kernel[i] = KERNEL_NS;
	}
	record(&loop);
	loop.program.ncalls = loop.program.npieces = 0;
	for (int i = 0; i < TURNS; i++) {
		double now = (double)(i * round), issue = now > KERNEL_NS ? now - KERNEL_NS : 0;

		add_piece(&loop, WORK_H2D, CALL_IN, issue, &now, COPY_NS);
		loop.call[2 * i].end = loop.piece[2 * i].end - PART_NS;
		loop.piece[2 * i].pageable = true;
		loop.piece[2 * i].pinned = PINNED_NS;
		add_piece(&loop, WORK_KERNEL, CALL_KERNEL, (double)loop.call[2 * i].end, &now, KERNEL_NS);
	}
	assert_near(replay_of(&loop.program, 1), TURNS * round, 1e-3 * TURNS * round);
	/* All but the first copy is beside a kernel. */
	assert_near(replay_of(&loop.program, 2), TURNS * KERNEL_NS + PINNED_NS, 0.1 * TURNS * KERNEL_NS);
}

/* How many hand-overs there are between two threads that call by turns, with a long time between; each has so many
 * calls a round, and puts its work in a stream of the two. */
static size_t handovers_of(int32_t second_stream)
{
	enum { CALLS = 4 * TURNS };
	const struct replay_stream stream[] = {free_stream, free_stream};
	struct replay_call call[CALLS];
	struct replay_piece piece[CALLS];
	const struct replay_program program = {
		call, CALLS, piece, CALLS, stream, COUNT(stream), 2, 1, &two_engines, {1, 1}, NULL, 0};
	struct replay_phase phase = {.program = &program};
	struct replay_orders orders;
	struct replay_loop *loops;
	int64_t now = 0;
	size_t n;

	for (uint32_t i = 0; i < CALLS; i++) {
		uint32_t thread = i / 2 % 2, token = i % 4;

		now += i % 2 ? 1000 : LAG_NS;
		call[i] = (struct replay_call){.start = now,
			.end = now + 5000,
			.token = token + 1,
			.thread = thread,
			.event = REPLAY_NONE,
			.first = i,
			.count = 1};
		piece[i] = (struct replay_piece){.start = now + 6000,
			.end = now + 7000,
			.pinned = 1000,
			.call = i,
			.stream = thread ? second_stream : 0,
			.cls = token == 0 ? WORK_H2D : WORK_KERNEL};
		now += 5000;
	}
	replay_orders_make(&orders, &program);
	loops = replay_loops_find(&program, &orders, &phase.nloops);
	assert_int_equal(phase.nloops, 2);
	phase.orders = &orders;
	phase.loop = loops;
	free(replay_handovers_find(&phase, &n));
	replay_loops_free(loops, phase.nloops);
	replay_orders_free(&orders);
	return n;
}

static void threads_of_one_stream_take_turns(void **state)
{
	(void)state;
	assert_in_range(handovers_of(0), 2 * TURNS - 2, 2 * TURNS);
	/* Each may have a stream of its own, and a time of its own. */
	assert_int_equal(handovers_of(1), 0);
}

/* Times in no order, work over work, waits for anything: no promise but an end. */
static void disorder(void **state)
{
	(void)state;
	srand(16);
	for (int round = 0; round < 300; round++) {
		struct replay_call call[60];
		struct replay_piece piece[COUNT(call)];
		const struct replay_stream stream[] = {
			{PAYS_STREAM_LEGACY, 0}, {PAYS_STREAM_BLOCKING, 0}, {PAYS_STREAM_NON_BLOCKING, 0}};
		struct replay_program program = {.call = call,
			.ncalls = COUNT(call),
			.piece = piece,
			.stream = stream,
			.nstreams = COUNT(stream),
			.nthreads = 2,
			.ndevices = 1,
			.shared_copies = &two_engines,
			.rate = {0.9, 0.9}};
		struct replay_phase phase = {.program = &program};
		struct replay_orders orders;
		struct replay_loop *loops;

		for (size_t i = 0; i < COUNT(call); i++) {
			int64_t start = (int64_t)i * 50 + rand() % 50, work = rand() % 5000;
			int kind = rand() % (REPLAY_MARK + 1);

			call[i] = (struct replay_call){.start = start,
				.end = start + rand() % 100,
				.token = (uint32_t)(i % 3),
				.thread = i % 6 > 3,
				.event = i > 5 && rand() % 2 ? (uint32_t)i - 3 : REPLAY_NONE,
				.stream = rand() % 4 - 1,
				.first = (uint32_t)program.npieces,
				.count = kind == REPLAY_LAUNCH,
				.kind = (uint8_t)kind,
				.target = (uint8_t)(rand() % (REPLAY_OBSERVED + 1)),
				.blocking = rand() % 2};
			if (kind == REPLAY_LAUNCH)
				piece[program.npieces++] = (struct replay_piece){.start = work,
					.end = work + rand() % 100,
					.call = (uint32_t)i,
					.stream = rand() % 3,
					.cls = (uint8_t)(rand() % WORK_CLASSES),
					.pageable = rand() % 2};
		}
		replay_orders_make(&orders, &program);
		loops = replay_loops_find(&program, &orders, &phase.nloops);
		phase.orders = &orders;
		phase.loop = loops;
		for (int k = 1; phase.nloops > 0 && k <= 4; k++)
			assert_false(isnan(replay_duration(&phase, &(struct replay_change){.buffers = k})));
		replay_loops_free(loops, phase.nloops);
		replay_orders_free(&orders);
	}
}

/* ---- what waits stand for ---- */

enum { STILL = 100 };

/* Many streams stand still while the host waits for the device again and again: what it has waited for is not listed
 * each time, but for the latest piece. */
static void streams_that_stand_still(void **state)
{
	struct replay_call call[2 * STILL];
	struct replay_piece piece[STILL];
	struct replay_stream stream[STILL];
	bool shared = false;
	const struct replay_program program = {.call = call,
		.ncalls = 2 * STILL,
		.piece = piece,
		.npieces = STILL,
		.stream = stream,
		.nstreams = STILL,
		.nthreads = 1,
		.ndevices = 1,
		.shared_copies = &shared,
		.rate = {1, 1}};
	struct replay_orders orders;

	(void)state;
	for (uint32_t i = 0; i < 2 * STILL; i++) {
		bool launch = i < STILL;

		call[i] = (struct replay_call){.start = 1000 * i,
			.end = 1000 * i + 900,
			.event = REPLAY_NONE,
			.first = launch ? i : STILL,
			.count = launch,
			.kind = launch ? REPLAY_LAUNCH : REPLAY_WAIT,
			.target = REPLAY_DEVICE};
		if (!launch)
			continue;
		stream[i] = (struct replay_stream){PAYS_STREAM_NON_BLOCKING, 0};
		piece[i] = (struct replay_piece){.start = 1000 * i + 100,
			.end = 1000 * i + 500,
			.call = i,
			.stream = (int32_t)i,
			.cls = WORK_KERNEL};
	}
	replay_orders_make(&orders, &program);
	assert_int_equal(orders.call_first[STILL], 0);
	assert_int_equal(orders.call_first[STILL + 1], STILL);
	assert_int_equal(orders.call_first[2 * STILL], 2 * STILL - 1);
	replay_orders_free(&orders);
}

/* A stream is told again and again to wait for another one, and has an event recorded, but no work: the event stands
 * for the latest piece alone. */
static void stream_that_only_waits(void **state)
{
	enum { STEPS = 4, ALL = STEPS * STILL };
	struct replay_call call[ALL + 1];
	struct replay_piece piece[STILL];
	const struct replay_stream stream[2] = {{PAYS_STREAM_NON_BLOCKING, 0}, {PAYS_STREAM_NON_BLOCKING, 0}};
	const uint8_t kind[STEPS] = {REPLAY_LAUNCH, REPLAY_RECORD, REPLAY_JOIN, REPLAY_RECORD};
	bool shared = false;
	const struct replay_program program = {.call = call,
		.ncalls = ALL + 1,
		.piece = piece,
		.npieces = STILL,
		.stream = stream,
		.nstreams = 2,
		.nthreads = 1,
		.ndevices = 1,
		.shared_copies = &shared,
		.rate = {1, 1}};
	struct replay_orders orders;

	(void)state;
	for (uint32_t i = 0; i <= ALL; i++) {
		uint32_t step = i % STEPS, round = i / STEPS;

		call[i] = (struct replay_call){.start = 1000 * i,
			.end = 1000 * i + 900,
			.event = i == ALL || step == 2 ? i - 1 : REPLAY_NONE,
			.stream = step < 2 ? 0 : 1,
			.first = i < ALL && step == 0 ? round : round + 1,
			.count = i < ALL && step == 0,
			.kind = i < ALL ? kind[step] : REPLAY_WAIT,
			.target = REPLAY_EVENT};
		if (i < ALL && step == 0)
			piece[round] = (struct replay_piece){
				.start = 1000 * i + 100, .end = 1000 * i + 500, .call = i, .cls = WORK_KERNEL};
	}
	replay_orders_make(&orders, &program);
	assert_int_equal(orders.call_first[ALL + 1], 1);
	assert_int_equal(orders.waits[0].from, STILL - 1);
	replay_orders_free(&orders);
}

/* ---- repetition ---- */

/* The rounds that are found in a text, one token a letter: "H" and "D" are copies, "K" and "L" kernels, all else is not
 * work. */
static size_t rounds_in(const char *text, uint32_t *first)
{
	uint32_t token[128];
	uint16_t weight[128];
	uint8_t does[128];
	int8_t cut[128] = {0};
	int32_t stream[128];
	bool mark[128] = {false};
	struct replay_tokens tokens = {token, strlen(text), weight, does, cut, stream, mark};
	struct replay_repeat *repeats;
	size_t count, rounds = 0;

	for (size_t i = 0; i < tokens.n; i++) {
		bool copy = text[i] == 'H' || text[i] == 'D';

		token[i] = (uint32_t)text[i];
		weight[i] = copy ? 1000 : 1;
		does[i] = text[i] == 'H'                     ? 1U << WORK_H2D
			  : text[i] == 'D'                   ? 1U << WORK_D2H
			  : text[i] == 'K' || text[i] == 'L' ? 1U << WORK_KERNEL
							     : 0;
		stream[i] = does[i] ? 0 : -1;
	}
	repeats = replay_repeats(&tokens, &count);
	for (size_t r = 0; r < count; r++) {
		if (repeats[r].rounds >= rounds) {
			rounds = repeats[r].rounds;
			*first = repeats[r].first[0];
		}
		free(repeats[r].first);
	}
	free(repeats);
	return rounds;
}

static void repetitions(void **state)
{
	uint32_t first;

	(void)state;
	assert_int_equal(rounds_in("HKDHKDHKDHKD", &first), 4);
	assert_int_equal(first, 0);
	/* What comes before and behind belongs to no round. */
	assert_int_equal(rounds_in("HHHHXHKDwHKDwHKDwHKDwXDD", &first), 4);
	assert_int_equal(first, 5);
	/* Now and then something is added, or left out at the end. */
	assert_int_equal(rounds_in("HKDwHKDwHKDwHKDwHKDwlHKDwHKDwHKDwHKDwHKDwlHKDwHK", &first), 11);
	/* A loop in a loop. */
	assert_int_equal(rounds_in("HKDHKDHKDHKDHKDeHKDHKDHKDHKDHKDeHKDHKDHKDHKDHKDe", &first), 15);
	/* Parts of a round, such as the batches before a step; a wait alone makes no step. */
	assert_int_equal(rounds_in("HKHKLwHKHKLwHKHKLwHKHKLw", &first), 4);
	assert_int_equal(rounds_in("HKHKwHKHKwHKHKwHKHKw", &first), 8);
	/* No two rounds have as many kernels, but all have the same copies. */
	assert_int_equal(rounds_in("HKKKDwHKLKKDwHKDwHKKKKDwHLKDwHKKLDwHKKKDwHKKDw", &first), 8);
	assert_int_equal(first, 0);
	assert_int_equal(rounds_in("HKDX", &first), 0);
	assert_int_equal(rounds_in("", &first), 0);
}

/* ---- pauses ---- */

/* A loop whose host pauses for `pause` behind the rounds in `at`, which end with 0. */
static void record_paused(struct loop *loop, int rounds, double pause, const int *at)
{
	double now = 0;

	*loop = (struct loop){.rounds = rounds, .rate = 1};
	loop->program = (struct replay_program){.call = loop->call,
		.piece = loop->piece,
		.stream = &free_stream,
		.nstreams = 1,
		.nthreads = 1,
		.ndevices = 1,
		.shared_copies = &two_engines,
		.rate = {1, 1}};
	for (int i = 0; i < rounds; i++) {
		double asked = now;

		add_piece(loop, WORK_H2D, CALL_IN, asked, &now, 1000);
		add_piece(loop, WORK_KERNEL, CALL_KERNEL, asked, &now, 2000);
		add_call(loop, REPLAY_WAIT, CALL_WAIT, asked, now);
		loop->call[loop->program.ncalls - 1].target = REPLAY_STREAM;
		if (i + 1 == *at) {
			now += pause;
			at++;
		}
	}
}

/* The rounds of the loops that are found, as digits of base 100. */
static long rounds_between(int rounds, double pause, const int *at)
{
	struct loop loop;
	struct replay_orders orders;
	struct replay_loop *loops;
	size_t n;
	long found = 0;

	record_paused(&loop, rounds, pause, at);
	replay_orders_make(&orders, &loop.program);
	loops = replay_loops_find(&loop.program, &orders, &n);
	for (size_t l = 0; l < n; l++)
		found = 100 * found + (long)loops[l].rounds;
	replay_loops_free(loops, n);
	replay_orders_free(&orders);
	return found;
}

/* A round takes 3000 ns. */
static void pauses(void **state)
{
	(void)state;
	assert_int_equal(rounds_between(50, 0, (const int[]){0}), 50);
	/* What comes before is a warm-up, or a loop of its own if it has many rounds. */
	assert_int_equal(rounds_between(50, 60000, (const int[]){1, 0}), 49);
	assert_int_equal(rounds_between(50, 60000, (const int[]){10, 0}), 40);
	assert_int_equal(rounds_between(50, 60000, (const int[]){1, 10, 0}), 40);
	assert_int_equal(rounds_between(50, 60000, (const int[]){20, 0}), 2030);
	assert_int_equal(rounds_between(50, 60000, (const int[]){45, 0}), 4505);
	assert_int_equal(rounds_between(60, 60000, (const int[]){20, 28, 0}), 200832);
	/* Short, or each so many rounds: part of the loop. */
	assert_int_equal(rounds_between(50, 20000, (const int[]){20, 0}), 50);
	assert_int_equal(rounds_between(50, 60000, (const int[]){10, 20, 30, 40, 0}), 50);
	assert_int_equal(rounds_between(50, 60000, (const int[]){10, 20, 30, 40, 50, 0}), 50);
	assert_int_equal(rounds_between(50, 60000, (const int[]){20, 40, 0}), 50);
	assert_int_equal(rounds_between(53, 60000, (const int[]){3, 13, 23, 33, 43, 0}), 50);
	/* More pauses than part a loop. */
	assert_int_equal(rounds_between(60, 60000, (const int[]){3, 9, 11, 20, 24, 30, 39, 45, 55, 0}), 60);
	/* Too few rounds to tell a pause. */
	assert_int_equal(rounds_between(11, 60000, (const int[]){5, 0}), 11);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_pipelines),
		cmocka_unit_test(random_waiting_loops),
		cmocka_unit_test(nothing_to_gain),
		cmocka_unit_test(communication_hides_nothing),
		cmocka_unit_test(one_direction),
		cmocka_unit_test(staging_is_no_work_of_the_host),
		cmocka_unit_test(threads_of_one_stream_take_turns),
		cmocka_unit_test(disorder),
		cmocka_unit_test(streams_that_stand_still),
		cmocka_unit_test(stream_that_only_waits),
		cmocka_unit_test(repetitions),
		cmocka_unit_test(pauses),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
