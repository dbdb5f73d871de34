/* pays.c: why copies do not overlap, on timelines made by hand, and the replay against pipelines simulated in
 * another way. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "analyze/pays.h"
#include "fixtures/near.h"

#define COUNT(a) (sizeof(a) / sizeof *(a))

enum { DEFAULT, BLOCKING, OTHER_BLOCKING, FREE, OTHER_FREE, STREAMS };

static const enum pays_stream streams[STREAMS] = {
	[DEFAULT] = PAYS_STREAM_LEGACY,
	[FREE] = PAYS_STREAM_NON_BLOCKING,
	[OTHER_FREE] = PAYS_STREAM_NON_BLOCKING,
};

/* The reasons of item 1 of a kernel (100 to 200) and a copy in (300 to 400), or of a copy out and a kernel; item 0 is
 * asked for at 10, item 1 at 20. Changed by each test. */
struct two {
	struct pays_item item[3];
	struct pays_wait wait[2];
	struct pays_join join[1];
	struct pays_lane lane;
	struct interval kernels[3];
	size_t copy;
};

static void kernel_then_copy(struct two *two, int kernel_stream, int copy_stream)
{
	memset(two, 0, sizeof *two);
	two->item[0] = (struct pays_item){100, 200, 10, kernel_stream, 0, WORK_KERNEL, true, false, false, false};
	two->item[1] = (struct pays_item){300, 400, 20, copy_stream, 0, WORK_H2D, true, false, false, false};
	two->copy = 1;
	two->lane.n = 2;
}

static void copy_then_kernel(struct two *two, int copy_stream, int kernel_stream)
{
	memset(two, 0, sizeof *two);
	two->item[0] = (struct pays_item){100, 200, 10, copy_stream, 0, WORK_D2H, true, false, false, false};
	two->item[1] = (struct pays_item){300, 400, 20, kernel_stream, 0, WORK_KERNEL, true, false, false, false};
	two->copy = 0;
	two->lane.n = 2;
}

static unsigned reasons_of(struct two *two)
{
	uint16_t reasons[COUNT(two->item)];
	int64_t lost[COUNT(two->item)];
	size_t kernels = 0;

	for (size_t i = 0; i < two->lane.n; i++) {
		if (two->item[i].cls == WORK_KERNEL)
			two->kernels[kernels++] = (struct interval){two->item[i].start, two->item[i].end};
	}
	two->lane.item = two->item;
	two->lane.stream = streams;
	two->lane.wait = two->wait;
	two->lane.join = two->join;
	two->lane.kernels = two->kernels;
	two->lane.nkernels = intervals_union(two->kernels, kernels);
	pays_reasons(&two->lane, reasons, lost);
	return reasons[two->copy];
}

#define BIT(reason) (1U << PAYS_##reason)

static void pageable(void **state)
{
	struct two two;

	(void)state;
	kernel_then_copy(&two, FREE, OTHER_FREE);
	two.item[1].pageable = true;
	assert_int_equal(reasons_of(&two), BIT(PAGEABLE));
	assert_int_equal(pays_first_reason(BIT(PAGEABLE) | BIT(SAME_STREAM)), PAYS_PAGEABLE);
	assert_int_equal(pays_first_reason(BIT(PAGEABLE) | BIT(MANAGED)), PAYS_MANAGED);
	assert_string_equal(pays_reason_name(PAYS_PAGEABLE), "pageable");
}

static void default_stream(void **state)
{
	struct two two;

	(void)state;
	kernel_then_copy(&two, DEFAULT, DEFAULT);
	assert_int_equal(reasons_of(&two), BIT(DEFAULT_STREAM));
	kernel_then_copy(&two, BLOCKING, DEFAULT);
	assert_int_equal(reasons_of(&two), BIT(DEFAULT_STREAM));
	copy_then_kernel(&two, DEFAULT, BLOCKING);
	assert_int_equal(reasons_of(&two), BIT(DEFAULT_STREAM));
	/* A non-blocking stream does not wait for it. */
	copy_then_kernel(&two, FREE, DEFAULT);
	assert_int_equal(reasons_of(&two), BIT(NONE));
}

/* Work of the default stream between two others keeps them apart. */
static void default_stream_between(void **state)
{
	struct two two;

	(void)state;
	kernel_then_copy(&two, BLOCKING, OTHER_BLOCKING);
	two.item[2] = two.item[1];
	two.item[1] = (struct pays_item){210, 220, 15, DEFAULT, 0, WORK_OTHER, true, false, false, false};
	two.lane.n = 3;
	two.copy = 2;
	assert_int_equal(reasons_of(&two), BIT(DEFAULT_STREAM));
	two.item[0].stream = FREE;
	assert_int_equal(reasons_of(&two), BIT(NONE));
}

static void synchronous(void **state)
{
	struct two two;

	(void)state;
	kernel_then_copy(&two, FREE, OTHER_FREE);
	two.item[1].blocking = true;
	assert_int_equal(reasons_of(&two), BIT(SYNCHRONOUS));
	kernel_then_copy(&two, FREE, OTHER_FREE);
	two.item[1].issue = 250;
	two.wait[0] = (struct pays_wait){12, 210, 0};
	two.lane.nwaits = 1;
	assert_int_equal(reasons_of(&two), BIT(SYNCHRONOUS));
	two.wait[0].thread = -1;
	assert_int_equal(reasons_of(&two), BIT(SYNCHRONOUS));
	/* Another thread waited; the wait was for something earlier; it began before the kernel was asked for. */
	two.wait[0].thread = 1;
	assert_int_equal(reasons_of(&two), BIT(HOST));
	two.wait[0] = (struct pays_wait){12, 150, 0};
	assert_int_equal(reasons_of(&two), BIT(HOST));
	two.wait[0] = (struct pays_wait){5, 210, 0};
	assert_int_equal(reasons_of(&two), BIT(HOST));
}

static void same_stream(void **state)
{
	struct two two;

	(void)state;
	kernel_then_copy(&two, FREE, FREE);
	assert_int_equal(reasons_of(&two), BIT(SAME_STREAM));
	copy_then_kernel(&two, BLOCKING, BLOCKING);
	assert_int_equal(reasons_of(&two), BIT(SAME_STREAM));
	two.item[0].pageable = true;
	assert_int_equal(reasons_of(&two), BIT(SAME_STREAM) | BIT(PAGEABLE));
}

static void dependency(void **state)
{
	struct two two;

	(void)state;
	kernel_then_copy(&two, FREE, OTHER_FREE);
	two.join[0] = (struct pays_join){12, 14, FREE, OTHER_FREE};
	two.lane.njoins = 1;
	assert_int_equal(reasons_of(&two), BIT(DEPENDENCY));
	/* The other way round; for work before the kernel; after the copy. */
	two.join[0] = (struct pays_join){12, 14, OTHER_FREE, FREE};
	assert_int_equal(reasons_of(&two), BIT(NONE));
	two.join[0] = (struct pays_join){8, 14, FREE, OTHER_FREE};
	assert_int_equal(reasons_of(&two), BIT(NONE));
	two.join[0] = (struct pays_join){12, 25, FREE, OTHER_FREE};
	assert_int_equal(reasons_of(&two), BIT(NONE));
}

static void host_is_late(void **state)
{
	struct two two;

	(void)state;
	kernel_then_copy(&two, FREE, OTHER_FREE);
	two.item[1].issue = 200;
	assert_int_equal(reasons_of(&two), BIT(HOST));
	two.item[1].issue = 199;
	assert_int_equal(reasons_of(&two), BIT(NONE));
	two.item[1].issue = two.item[1].start;
	two.item[1].known = false;
	assert_int_equal(reasons_of(&two), BIT(NONE));
}

static void nothing_beside(void **state)
{
	struct two two;

	(void)state;
	/* In before the only kernel, out after it. */
	kernel_then_copy(&two, FREE, FREE);
	two.item[1].cls = WORK_D2H;
	assert_int_equal(reasons_of(&two), BIT(ALONE));
	copy_then_kernel(&two, FREE, FREE);
	two.item[0].cls = WORK_H2D;
	assert_int_equal(reasons_of(&two), BIT(ALONE));
	/* Covered by a kernel: no reason needed. */
	kernel_then_copy(&two, FREE, FREE);
	two.item[0].end = 400;
	assert_int_equal(reasons_of(&two), 0);
	two.lane.n = 0;
	two.copy = 0;
	pays_reasons(&two.lane, &(uint16_t){0}, &(int64_t){0});
}

/* Time in which no kernel ran, counted nanosecond by nanosecond. */
static void lost_time(void **state)
{
	enum { ITEMS = 40, END = 400 };

	(void)state;
	srand(7);
	for (int round = 0; round < 200; round++) {
		struct pays_item item[ITEMS];
		struct interval kernels[ITEMS];
		struct pays_lane lane = {.item = item, .n = ITEMS, .stream = streams, .kernels = kernels};
		uint16_t reasons[ITEMS];
		int64_t lost[ITEMS];
		bool busy[END] = {false};

		for (int i = 0; i < ITEMS; i++) {
			int start = rand() % (END - 30);

			item[i] = (struct pays_item){start, start + rand() % 30, i, FREE, 0,
				(uint8_t)(rand() % WORK_CLASSES), true, false, false, false};
			if (item[i].cls != WORK_KERNEL)
				continue;
			kernels[lane.nkernels++] = (struct interval){item[i].start, item[i].end};
			for (int64_t t = item[i].start; t < item[i].end; t++)
				busy[t] = true;
		}
		lane.nkernels = intervals_union(kernels, lane.nkernels);
		pays_reasons(&lane, reasons, lost);
		for (int i = 0; i < ITEMS; i++) {
			bool copy = item[i].cls == WORK_H2D || item[i].cls == WORK_D2H;
			int64_t want = 0;

			for (int64_t t = item[i].start; t < item[i].end; t++)
				want += copy && !busy[t];
			assert_int_equal(lost[i], want);
			assert_int_equal(reasons[i] != 0, want > 0);
		}
	}
}

/* ---- the rate beside the other direction ---- */

static void duplex_rate(void **state)
{
	struct pays_item item[40];
	int64_t size[COUNT(item)];
	double rate;

	(void)state;
	for (size_t i = 0; i < COUNT(item); i++) {
		bool both = i >= 20;
		int64_t start = both ? 10000 + (int64_t)(i / 2) * 1000 : (int64_t)i * 200;

		item[i] = (struct pays_item){start, start + (both ? 125 : 100), 0, FREE, 0, i % 2 ? WORK_D2H : WORK_H2D,
			true, false, false, false};
		size[i] = 4096;
	}
	rate = pays_duplex_rate(item, size, COUNT(item));
	assert_near(rate, 0.8, 1e-12);
	/* Other sizes tell nothing of these. */
	for (size_t i = 20; i < COUNT(item); i++)
		size[i] = 8192;
	rate = pays_duplex_rate(item, size, COUNT(item));
	assert_true(isnan(rate));
	/* Too few. */
	rate = pays_duplex_rate(item, size, 14);
	assert_true(isnan(rate));
	rate = pays_duplex_rate(NULL, NULL, 0);
	assert_true(isnan(rate));
}

/* ---- replay ---- */

enum { MOST_ROUNDS = 60, MOST = 3 * MOST_ROUNDS };

/* A loop of copy in, kernel, copy out in one stream. */
struct loop {
	int rounds;
	double in[MOST_ROUNDS], kernel[MOST_ROUNDS], out[MOST_ROUNDS];
	double latency; /* from the end of one piece of work to the start of the next of its stream */
	double host;    /* the host's own time before each round */
	double rate;
	bool waits; /* for each round, before it asks for the next */
	struct pays_item item[MOST];
	struct pays_wait wait[MOST_ROUNDS];
	uint32_t pick[MOST];
	bool none[MOST], all[MOST];
	struct pays_lane lane;
	double span;
};

static double uniform(double low, double high)
{
	return low + (high - low) * rand() / RAND_MAX;
}

static void add_item(struct loop *loop, enum work_class cls, double issue, double *now, double length)
{
	double start = fmax(*now, issue) + (loop->lane.n ? loop->latency : 0);
	size_t i = loop->lane.n++;

	loop->item[i] = (struct pays_item){llround(start), llround(start + length), llround(issue), FREE, 0,
		(uint8_t)cls, true, false, false, false};
	loop->pick[i] = (uint32_t)i;
	loop->all[i] = true;
	*now = (double)loop->item[i].end;
}

/* The recording of the loop. */
static void record(struct loop *loop)
{
	double now = 0, host = 0;

	loop->lane = (struct pays_lane){.item = loop->item, .stream = streams, .wait = loop->wait};
	for (int i = 0; i < loop->rounds; i++) {
		host += i ? loop->host : 0;
		add_item(loop, WORK_H2D, host, &now, loop->in[i]);
		add_item(loop, WORK_KERNEL, host, &now, loop->kernel[i]);
		add_item(loop, WORK_D2H, host, &now, loop->out[i]);
		if (loop->waits) {
			loop->wait[loop->lane.nwaits++] = (struct pays_wait){llround(host), llround(now), 0};
			host = now;
		}
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

static double replay(struct loop *loop, const bool *freed, bool waits)
{
	struct pays_replay *r = pays_replay_new(&loop->lane, loop->pick, loop->lane.n);
	double time;

	assert_non_null(r);
	assert_int_equal(pays_replay_rounds(r), loop->rounds);
	time = pays_replay_run(r, freed, waits, loop->rate);
	pays_replay_free(r);
	return time;
}

static void random_loop(struct loop *loop)
{
	double in = uniform(2e3, 2e5), kernel = uniform(2e3, 2e5), out = uniform(2e3, 2e5), spread = uniform(0, 0.5);

	memset(loop, 0, sizeof *loop);
	loop->rounds = 1 + rand() % MOST_ROUNDS;
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
		assert_near(replay(&loop, loop.none, true), loop.span, 1e-3 * loop.span);
		want = simulate(&loop);
		assert_near(replay(&loop, loop.all, false), want, 0.01 * want);
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
		assert_near(replay(&loop, loop.none, true), loop.span, 0.03 * loop.span + 2e4);
		want = simulate(&loop);
		assert_near(replay(&loop, loop.all, false), want, 0.03 * want + 1e4 * loop.rounds);
	}
}

/* One round has nothing to run beside; copies only and kernels only neither. */
static void nothing_to_gain(void **state)
{
	static struct loop loop;

	(void)state;
	srand(13);
	random_loop(&loop);
	loop.rounds = 1;
	record(&loop);
	assert_near(replay(&loop, loop.all, false), loop.span, 1);
	for (int cls = WORK_H2D; cls <= WORK_KERNEL; cls++) {
		random_loop(&loop);
		record(&loop);
		for (size_t i = 0; i < loop.lane.n; i++)
			loop.item[i].cls = (uint8_t)cls;
		loop.rounds = 1;
		assert_near(replay(&loop, loop.all, false), loop.span, 1e-3 * loop.span);
	}
	loop.lane.n = 0;
	loop.rounds = 0;
	assert_near(replay(&loop, loop.all, false), 0, 0);
}

/* A wait after several rounds stays: the program wants its results there, and begins anew with an empty pipeline. */
static void rests(void **state)
{
	enum { HALF = MOST_ROUNDS / 2 };
	static struct loop loop;
	double half;

	(void)state;
	srand(14);
	random_loop(&loop);
	loop.rate = 1;
	for (int i = 0; i < MOST_ROUNDS; i++)
		loop.in[i] = loop.kernel[i] = loop.out[i] = 1e5;
	loop.rounds = HALF;
	record(&loop);
	half = replay(&loop, loop.all, false);
	loop.rounds = 2 * HALF;
	record(&loop);
	for (size_t i = 3 * HALF; i < loop.lane.n; i++)
		loop.item[i].issue = loop.item[3 * HALF - 1].end;
	loop.wait[0] = (struct pays_wait){10, loop.item[3 * HALF - 1].end, 0};
	loop.lane.nwaits = 1;
	assert_near(replay(&loop, loop.all, false), 2 * half, 0.01 * half);
	loop.lane.nwaits = 0;
	for (size_t i = 0; i < loop.lane.n; i++)
		loop.item[i].issue = 0;
	assert_true(replay(&loop, loop.all, false) < 2 * half - 0.9e5);
}

/* Work that is not freed keeps its order: one direction alone gains less than both. */
static void one_direction(void **state)
{
	static struct loop loop;

	(void)state;
	srand(15);
	for (int i = 0; i < 50; i++) {
		bool in[MOST] = {false}, out[MOST] = {false};
		double none, both, one, other;

		random_loop(&loop);
		record(&loop);
		for (size_t k = 0; k < loop.lane.n; k++) {
			in[k] = loop.item[k].cls == WORK_H2D;
			out[k] = loop.item[k].cls == WORK_D2H;
		}
		none = replay(&loop, loop.none, true);
		both = replay(&loop, loop.all, false);
		one = replay(&loop, in, false);
		other = replay(&loop, out, false);
		assert_true(both <= none + 1);
		assert_true(one <= none + 1 && other <= none + 1);
		if (loop.rate > 0.99)
			assert_true(both <= one * 1.001 && both <= other * 1.001);
	}
}

/* Times in no order, work over work, no calls: no promise but an end, and never less than the longest engine. */
static void disorder(void **state)
{
	(void)state;
	srand(16);
	for (int round = 0; round < 300; round++) {
		struct pays_item item[50];
		uint32_t pick[COUNT(item)];
		bool freed[COUNT(item)];
		struct pays_wait wait[8];
		struct pays_lane lane = {
			.item = item, .n = COUNT(item), .stream = streams, .wait = wait, .nwaits = COUNT(wait)};
		struct pays_replay *r;
		struct interval kernels[COUNT(item)];
		size_t n = 0;
		double time;

		for (size_t i = 0; i < COUNT(item); i++) {
			int64_t start = rand() % 5000;

			item[i] = (struct pays_item){start, start + rand() % 100, (int64_t)i * 50 + rand() % 50, FREE,
				rand() % 2, (uint8_t)(rand() % WORK_CLASSES), rand() % 8 != 0, rand() % 2, rand() % 2,
				rand() % 8 == 0};
			pick[i] = (uint32_t)i;
			freed[i] = rand() % 2;
			if (item[i].cls == WORK_KERNEL)
				kernels[n++] = (struct interval){item[i].start, item[i].end};
		}
		for (size_t i = 0; i < COUNT(wait); i++) {
			int64_t start = (int64_t)i * 300;

			wait[i] = (struct pays_wait){start, start + rand() % 900, rand() % 3 - 1};
		}
		n = intervals_union(kernels, n);
		r = pays_replay_new(&lane, pick, COUNT(item));
		assert_non_null(r);
		time = pays_replay_run(r, freed, round % 2, 0.5);
		assert_true(isfinite(time));
		assert_true(time >= (double)intervals_length(kernels, n) - 1);
		pays_replay_free(r);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(pageable),
		cmocka_unit_test(default_stream),
		cmocka_unit_test(default_stream_between),
		cmocka_unit_test(synchronous),
		cmocka_unit_test(same_stream),
		cmocka_unit_test(dependency),
		cmocka_unit_test(host_is_late),
		cmocka_unit_test(nothing_beside),
		cmocka_unit_test(lost_time),
		cmocka_unit_test(duplex_rate),
		cmocka_unit_test(random_pipelines),
		cmocka_unit_test(random_waiting_loops),
		cmocka_unit_test(nothing_to_gain),
		cmocka_unit_test(rests),
		cmocka_unit_test(one_direction),
		cmocka_unit_test(disorder),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
