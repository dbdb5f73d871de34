/* random.c: classes of random programs. */
#include <math.h>

#include "programs.h"

/* Between two times, short ones as often as long ones. */
static int64_t any_time(struct program *p, int64_t least, int64_t most)
{
	return (int64_t)((double)least * pow((double)most / (double)least, program_random(p)));
}

static bool maybe(struct program *p, double chance)
{
	return program_random(p) < chance;
}

static struct program *begin(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = program_new(recipe->class, "random", seed);

	program_random(p);
	p->shape.sync_as_nsys = maybe(p, 0.5);
	p->shape.no_event_sync_id = maybe(p, 0.4);
	p->shape.ranges = maybe(p, 0.3);
	p->machine.engines = maybe(p, 0.1) ? 1 : maybe(p, 0.5) ? 2 : 3;
	return p;
}

static enum stream_kind any_kind(struct program *p)
{
	static const enum stream_kind kinds[] = {
		STREAM_LEGACY, STREAM_LEGACY, STREAM_BLOCKING, STREAM_PER_THREAD, STREAM_NON_BLOCKING};

	return kinds[program_between(p, 0, 4)];
}

static double any_noise(struct program *p)
{
	return maybe(p, 0.3) ? 0 : 0.15 * program_random(p);
}

static int any_rounds(struct program *p)
{
	return (int)program_between(p, 24, 120);
}

/* Times of a round's parts within a factor of ten of each other. */
static struct chain any_chain(struct program *p)
{
	int64_t middle = any_time(p, 100 * US, 2 * MS);
	struct chain chain = {.noise = any_noise(p), .kernel = any_time(p, middle / 3, middle * 3)};

	chain.in = maybe(p, 0.9) ? any_time(p, middle / 3, middle * 3) : 0;
	chain.out = chain.in == 0 || maybe(p, 0.7) ? any_time(p, middle / 3, middle * 3) : 0;
	chain.kernels = maybe(p, 0.5) ? 1 : (int)program_between(p, 2, 5);
	return chain;
}

static void finish_chain(struct program *p, struct chain *chain, int stream)
{
	chain->stream = stream;
	chain->event = program_event(p);
	program_begin(p, stream);
	program_chains(p, chain, any_rounds(p));
	program_end(p, stream);
	p->shape.no_syncs = maybe(p, 0.15);
	p->shape.no_stream_info = p->streams[stream].kind == STREAM_LEGACY && maybe(p, 0.15);
}

/* Before a loop or between two, the device is done and the host works for as long as many rounds. */
static void add_pause(struct program *p, const struct chain *chain)
{
	int64_t round = chain->in + chain->kernel + chain->out + chain->host_behind;

	program_outside(p);
	program_call(p, OP_DEVICE_SYNC, chain->stream);
	program_host(p, program_between(p, 15, 60) * round);
}

/* ---- one stream ---- */

static struct program *make_chain(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct chain chain = any_chain(p);

	chain.wait = (int)program_between(p, WAIT_NONE, WAIT_DEVICE);
	finish_chain(p, &chain, program_stream(p, any_kind(p), 0));
	return p;
}

static struct program *make_around(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct chain chain = any_chain(p);

	chain.kernels_around = maybe(p, 0.5);
	chain.before = maybe(p, 0.6) ? any_time(p, 2 * US, 20 * US) : 0;
	chain.behind = chain.before == 0 || maybe(p, 0.4) ? any_time(p, 2 * US, 20 * US) : 0;
	if (maybe(p, 0.4)) {
		chain.cast = any_time(p, 3 * US, 30 * US);
		chain.second_in = chain.in;
	}
	chain.wait = maybe(p, 0.5) ? WAIT_NONE : WAIT_STREAM;
	finish_chain(p, &chain, program_stream(p, any_kind(p), 0));
	return p;
}

static struct program *make_copies(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct chain chain = any_chain(p);

	chain.synchronous = maybe(p, 0.6);
	chain.pageable = !chain.synchronous || maybe(p, 0.6);
	finish_chain(p, &chain, program_stream(p, maybe(p, 0.8) ? STREAM_LEGACY : STREAM_BLOCKING, 0));
	return p;
}

static struct program *make_host(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct chain chain = any_chain(p);

	chain.host_before = maybe(p, 0.5) ? any_time(p, 50 * US, 3 * MS) : 0;
	chain.host_behind = chain.host_before == 0 || maybe(p, 0.3) ? any_time(p, 50 * US, 3 * MS) : 0;
	chain.synchronous = maybe(p, 0.3);
	chain.wait = chain.synchronous ? WAIT_NONE : WAIT_STREAM;
	finish_chain(p, &chain, program_stream(p, any_kind(p), 0));
	return p;
}

static struct program *make_jitter(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct chain chain = any_chain(p);

	chain.noise = 0.3 + 0.6 * program_random(p);
	chain.in = chain.in == 0 ? chain.out : chain.in;
	chain.kernel = program_noise(p, chain.in, 0.3);
	chain.wait = maybe(p, 0.5) ? WAIT_NONE : WAIT_STREAM;
	finish_chain(p, &chain, program_stream(p, any_kind(p), 0));
	return p;
}

/* The machine's rates are known: before the loop, pinned memory of the same size is copied in the same directions. */
static struct program *make_pinned_rates(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct chain chain = any_chain(p);
	int stream = program_stream(p, STREAM_LEGACY, 0);
	double faster = 2 + 3 * program_random(p);

	chain.pageable = true;
	chain.synchronous = maybe(p, 0.5);
	for (int i = 0; i < 10; i++) {
		if (chain.in > 0)
			program_copy(p, stream, WAY_IN, (int64_t)((double)chain.in / faster))->bytes = chain.in * 10;
		if (chain.out > 0)
			program_copy(p, stream, WAY_OUT, (int64_t)((double)chain.out / faster))->bytes = chain.out * 10;
	}
	program_call(p, OP_DEVICE_SYNC, stream);
	finish_chain(p, &chain, stream);
	for (int i = 0; i < p->threads[0].n; i++)
		if (p->threads[0].calls[i].pageable)
			p->threads[0].calls[i].pinned_ns = (int64_t)((double)p->threads[0].calls[i].ns / faster);
	return p;
}

/* One loop after another, each with its own round, and rounds that warm up. */
static struct program *make_phases(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	int stream = program_stream(p, any_kind(p), 0), phases = (int)program_between(p, 2, 3);

	program_begin(p, stream);
	for (int i = 0; i < phases; i++) {
		struct chain chain = any_chain(p);

		chain.stream = stream;
		chain.event = program_event(p);
		chain.wait = (int)program_between(p, WAIT_NONE, WAIT_DEVICE);
		chain.before = i == 1 ? 5 * US : 0;
		if (maybe(p, 0.5)) {
			program_memset(p, stream, 50 * US);
			program_kernel(p, stream, "warm_up", 300 * US);
		}
		program_chains(p, &chain, any_rounds(p));
		program_call(p, OP_DEVICE_SYNC, stream);
		program_host(p, any_time(p, 100 * US, 20 * MS));
	}
	program_end(p, stream);
	return p;
}

/* Sizes differ from round to round, and the last round is short. */
static struct program *make_sizes(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct chain whole = any_chain(p);
	int loop = program_loop(p), rounds = any_rounds(p), stream = program_stream(p, any_kind(p), 0);
	bool vary = maybe(p, 0.6);

	whole.wait = maybe(p, 0.5) ? WAIT_NONE : WAIT_STREAM;
	program_begin(p, stream);
	for (int i = 0; i < rounds; i++) {
		double part = i == rounds - 1 ? 0.3 : vary ? 0.4 + 1.2 * program_random(p) : 1;
		struct chain chain = whole;

		chain.stream = stream;
		chain.in = (int64_t)((double)whole.in * part);
		chain.kernel = (int64_t)((double)whole.kernel * part);
		chain.out = (int64_t)((double)whole.out * part);
		program_round(p, loop, i);
		program_chain(p, &chain);
	}
	program_outside(p);
	program_end(p, stream);
	return p;
}

/* The program pauses: behind a warm-up, between two loops alike, or each so many rounds, which is part of the loop. */
static struct program *make_paused(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct chain chain = any_chain(p);
	int warm_up = maybe(p, 0.6) ? (int)program_between(p, 1, 8) : 0, loops = maybe(p, 0.5) ? 1 : 2;
	int each = warm_up == 0 && loops == 1 ? (int)program_between(p, 4, 12) : 0;

	chain.wait = (int)program_between(p, WAIT_NONE, WAIT_DEVICE);
	chain.host_behind = maybe(p, 0.5) ? any_time(p, 50 * US, MS) : 0;
	chain.stream = program_stream(p, any_kind(p), 0);
	chain.event = program_event(p);
	program_begin(p, chain.stream);
	for (int i = 0; i < warm_up; i++)
		program_chain(p, &chain);
	for (int l = 0; l < loops; l++) {
		int loop = program_loop(p), rounds = (int)program_between(p, 30, 60);

		if (warm_up > 0 || l > 0)
			add_pause(p, &chain);
		for (int i = 0; i < rounds; i++) {
			program_round(p, loop, i);
			program_chain(p, &chain);
			if (each > 0 && i % each == each - 1)
				program_host(p, 12 * (chain.in + chain.kernel + chain.out));
		}
	}
	program_outside(p);
	program_end(p, chain.stream);
	return p;
}

/* A round has some kernels more or less, and now and then something small beside. */
static struct program *make_irregular(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct chain whole = any_chain(p);
	int loop = program_loop(p), rounds = any_rounds(p), stream = program_stream(p, any_kind(p), 0);

	whole.wait = maybe(p, 0.5) ? WAIT_NONE : WAIT_STREAM;
	whole.stream = stream;
	program_begin(p, stream);
	for (int i = 0; i < rounds; i++) {
		struct chain chain = whole;

		chain.kernels = (int)program_between(p, 3, 6);
		chain.behind = maybe(p, 0.15) ? 5 * US : 0;
		chain.cast = maybe(p, 0.1) ? 10 * US : 0;
		program_round(p, loop, i);
		program_chain(p, &chain);
	}
	program_outside(p);
	program_end(p, stream);
	return p;
}

/* Each round has several parts alike, and something behind the last: gradients are accumulated, or two networks take
 * turns. */
static struct program *make_parts(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct chain chain = any_chain(p);
	int loop = program_loop(p), rounds = any_rounds(p) / 2, stream = program_stream(p, STREAM_LEGACY, 0);
	int parts = (int)program_between(p, 2, 4);

	chain.stream = stream;
	chain.out = 0;
	chain.in = chain.in == 0 ? chain.kernel : chain.in;
	program_begin(p, stream);
	for (int i = 0; i < rounds; i++) {
		program_round(p, loop, i);
		for (int part = 0; part < parts; part++)
			program_chain(p, &chain);
		program_kernel(p, stream, "step", program_noise(p, chain.kernel / 3, chain.noise));
		program_call(p, OP_STREAM_SYNC, stream);
	}
	program_outside(p);
	program_end(p, stream);
	return p;
}

static struct program *make_multi_copy(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	int64_t in = any_time(p, 100 * US, 2 * MS), kernel = any_time(p, 20 * US, in),
		before = any_time(p, MS, 60 * MS);
	int stream = program_stream(p, any_kind(p), 0), loop = program_loop(p),
	    rounds = (int)program_between(p, 10, 40);
	double noise = any_noise(p);
	bool waits = maybe(p, 0.4);

	program_begin(p, stream);
	program_copy(p, stream, WAY_IN, in);
	program_call(p, OP_DEVICE_SYNC, stream);
	program_host(p, before);
	for (int i = 0; i < rounds; i++) {
		program_round(p, loop, i);
		program_kernel(p, stream, "increment", program_noise(p, kernel, noise));
		program_copy(p, stream, WAY_IN, program_noise(p, in, noise));
		program_copy(p, stream, WAY_OUT, program_noise(p, in, noise));
		if (waits)
			program_call(p, OP_STREAM_SYNC, stream);
	}
	program_outside(p);
	program_call(p, OP_DEVICE_SYNC, stream);
	program_host(p, 20 * MS);
	program_end(p, stream);
	return p;
}

/* ---- several streams ---- */

struct pipeline {
	int in, work, out;
	int full, done, empty, read; /* events */
	int64_t times[3];
	double noise;
	bool copies_out;
};

static void add_stage(struct program *p, const struct pipeline *line)
{
	program_on_event(p, OP_STREAM_WAIT, line->in, line->empty);
	program_copy(p, line->in, WAY_IN, program_noise(p, line->times[0], line->noise));
	program_on_event(p, OP_RECORD, line->in, line->full);
	program_on_event(p, OP_STREAM_WAIT, line->work, line->full);
	if (line->copies_out)
		program_on_event(p, OP_STREAM_WAIT, line->work, line->read);
	program_kernel(p, line->work, "work", program_noise(p, line->times[1], line->noise));
	program_on_event(p, OP_RECORD, line->work, line->empty);
	if (!line->copies_out)
		return;
	program_on_event(p, OP_RECORD, line->work, line->done);
	program_on_event(p, OP_STREAM_WAIT, line->out, line->done);
	program_copy(p, line->out, WAY_OUT, program_noise(p, line->times[2], line->noise));
	program_on_event(p, OP_RECORD, line->out, line->read);
}

/* A stream for each kind of work, events between them, and one buffer. */
static struct program *make_pipeline(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct chain chain = any_chain(p);
	enum stream_kind kind = maybe(p, 0.5) ? STREAM_NON_BLOCKING : STREAM_BLOCKING;
	int loop = program_loop(p), rounds = any_rounds(p);
	struct pipeline line = {.noise = chain.noise, .times = {chain.kernel, chain.kernel, chain.kernel}};

	line.in = program_stream(p, kind, 0);
	line.work = program_stream(p, kind, 0);
	line.out = program_stream(p, kind, 0);
	line.full = program_event(p);
	line.done = program_event(p);
	line.empty = program_event(p);
	line.read = program_event(p);
	line.times[0] = any_time(p, chain.kernel / 3, chain.kernel * 3);
	line.times[2] = any_time(p, chain.kernel / 3, chain.kernel * 3);
	line.copies_out = maybe(p, 0.5);
	program_begin(p, line.work);
	for (int i = 0; i < rounds; i++) {
		program_round(p, loop, i);
		add_stage(p, &line);
	}
	program_outside(p);
	program_end(p, line.work);
	return p;
}

enum { MOST_TURNS = 4 };

/* Several buffers by turns: little or nothing is to be gained. */
static struct program *make_buffered(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	int streams[MOST_TURNS], events[MOST_TURNS], loop = program_loop(p), n = (int)program_between(p, 2, MOST_TURNS);
	int rounds = any_rounds(p);
	bool waits = maybe(p, 0.6);
	struct chain chain = any_chain(p);

	for (int i = 0; i < n; i++) {
		streams[i] = program_stream(p, STREAM_NON_BLOCKING, 0);
		events[i] = program_event(p);
	}
	program_begin(p, streams[0]);
	for (int i = 0; i < rounds; i++) {
		chain.stream = streams[i % n];
		program_round(p, loop, i);
		if (waits)
			program_on_event(p, OP_EVENT_SYNC, chain.stream, events[i % n]);
		program_chain(p, &chain);
		if (waits)
			program_on_event(p, OP_RECORD, chain.stream, events[i % n]);
	}
	program_outside(p);
	program_end(p, streams[0]);
	return p;
}

/* A small kernel in the default stream makes blocking streams wait for each other. */
static struct program *make_beside(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct chain chain = any_chain(p);
	int legacy = program_stream(p, STREAM_LEGACY, 0), loop = program_loop(p), rounds = any_rounds(p);
	int streams[] = {program_stream(p, STREAM_BLOCKING, 0), program_stream(p, STREAM_BLOCKING, 0)};
	int64_t small = any_time(p, 3 * US, 20 * US);
	bool in_front = maybe(p, 0.5);

	program_begin(p, legacy);
	for (int i = 0; i < rounds; i++) {
		program_round(p, loop, i);
		chain.stream = streams[i % 2];
		if (in_front)
			program_kernel(p, legacy, "count", program_noise(p, small, chain.noise));
		program_chain(p, &chain);
		if (!in_front)
			program_kernel(p, legacy, "count", program_noise(p, small, chain.noise));
	}
	program_outside(p);
	program_end(p, legacy);
	return p;
}

enum { MOST_GROUP = 6, STEPS = 3 };

struct group {
	int streams[MOST_GROUP], n;
	struct chain chain;
	double share;
	bool breadth_first;
};

static void add_group(struct program *p, const struct group *group)
{
	const struct chain *chain = &group->chain;

	for (int i = 0; i < group->n * STEPS; i++) {
		int step = group->breadth_first ? i / group->n : i % STEPS;
		int stream = group->streams[group->breadth_first ? i % group->n : i / STEPS];

		if (step == 1)
			program_kernel(p, stream, "work", program_noise(p, chain->kernel, chain->noise))->share =
				group->share;
		else if (step == 0 && chain->in > 0)
			program_copy(p, stream, WAY_IN, program_noise(p, chain->in, chain->noise));
		else if (step == 2 && chain->out > 0)
			program_copy(p, stream, WAY_OUT, program_noise(p, chain->out, chain->noise));
	}
}

static struct program *make_groups(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct group group = {.chain = any_chain(p), .breadth_first = maybe(p, 0.5)};
	int loop = program_loop(p), rounds = any_rounds(p) / 2;
	bool device = maybe(p, 0.6);

	group.n = (int)program_between(p, 2, MOST_GROUP);
	group.share = maybe(p, 0.7) ? 1 : 0.5;
	for (int i = 0; i < group.n; i++)
		group.streams[i] = program_stream(p, STREAM_NON_BLOCKING, 0);
	program_begin(p, group.streams[0]);
	for (int i = 0; i < rounds; i++) {
		program_round(p, loop, i);
		add_group(p, &group);
		for (int s = 0; s < group.n && !device; s++)
			program_call(p, OP_STREAM_SYNC, group.streams[s]);
		if (device)
			program_call(p, OP_DEVICE_SYNC, group.streams[0]);
	}
	program_outside(p);
	program_end(p, group.streams[0]);
	return p;
}

/* The host waits for a copy in one stream, then has another compute, and waits for that. */
static struct program *make_middle_wait(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct chain chain = any_chain(p);
	int copies = program_stream(p, STREAM_NON_BLOCKING, 0), work = program_stream(p, STREAM_NON_BLOCKING, 0);
	int loop = program_loop(p), rounds = any_rounds(p);
	bool waits_at_end = maybe(p, 0.6);

	chain.in = chain.in == 0 ? chain.out : chain.in;
	program_begin(p, work);
	for (int i = 0; i < rounds; i++) {
		program_round(p, loop, i);
		program_copy(p, copies, WAY_IN, program_noise(p, chain.in, chain.noise));
		program_call(p, OP_STREAM_SYNC, copies);
		program_kernel(p, work, "work", program_noise(p, chain.kernel, chain.noise));
		if (chain.out > 0)
			program_copy(p, work, WAY_OUT, program_noise(p, chain.out, chain.noise));
		if (waits_at_end)
			program_call(p, OP_STREAM_SYNC, work);
	}
	program_outside(p);
	program_end(p, work);
	return p;
}

/* ---- several threads ---- */

static struct program *make_threads(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct chain chain = any_chain(p);
	int threads = (int)program_between(p, 2, 3), rounds = any_rounds(p) / 2;

	chain.wait = maybe(p, 0.8) ? WAIT_STREAM : WAIT_EVENT;
	for (int t = 0; t < threads; t++) {
		if (t > 0)
			program_thread(p);
		chain.stream = program_stream(p, STREAM_NON_BLOCKING, 0);
		chain.event = program_event(p);
		program_begin(p, chain.stream);
		program_chains(p, &chain, rounds);
	}
	return p;
}

/* The first thread copies in, the second computes: one buffer goes to and fro between them. */
static struct program *make_hand_over(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct chain chain = any_chain(p);
	int empty = program_semaphore(p, 1), full = program_semaphore(p, 0), rounds = any_rounds(p);

	chain.in = chain.in == 0 ? chain.out : chain.in;
	for (int t = 0; t < 2; t++) {
		int loop = program_loop(p), stream = program_stream(p, STREAM_NON_BLOCKING, 0);

		if (t > 0)
			program_thread(p);
		program_begin(p, stream);
		for (int i = 0; i < rounds; i++) {
			program_round(p, loop, i);
			program_on_event(p, OP_TAKE, NONE, t == 0 ? empty : full);
			if (t == 0)
				program_copy(p, stream, WAY_IN, program_noise(p, chain.in, chain.noise));
			else
				program_kernel(p, stream, "work", program_noise(p, chain.kernel, chain.noise));
			program_call(p, OP_STREAM_SYNC, stream);
			program_on_event(p, OP_POST, NONE, t == 0 ? full : empty);
		}
		program_outside(p);
	}
	return p;
}

/* The same with events: neither thread waits for the device, or the second does. */
static struct program *make_hand_over_events(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct chain chain = any_chain(p);
	int empty = program_semaphore(p, 1), full = program_semaphore(p, 0), rounds = any_rounds(p);
	int filled = program_event(p), read = program_event(p);
	bool waits = maybe(p, 0.4);

	chain.in = chain.in == 0 ? chain.out : chain.in;
	for (int t = 0; t < 2; t++) {
		int loop = program_loop(p), stream = program_stream(p, STREAM_NON_BLOCKING, 0);

		if (t > 0)
			program_thread(p);
		program_begin(p, stream);
		for (int i = 0; i < rounds; i++) {
			program_round(p, loop, i);
			program_on_event(p, OP_TAKE, NONE, t == 0 ? empty : full);
			program_on_event(p, OP_STREAM_WAIT, stream, t == 0 ? read : filled)->back = t == 0;
			if (t == 0)
				program_copy(p, stream, WAY_IN, program_noise(p, chain.in, chain.noise));
			else
				program_kernel(p, stream, "work", program_noise(p, chain.kernel, chain.noise));
			if (t == 1 && chain.out > 0)
				program_copy(p, stream, WAY_OUT, program_noise(p, chain.out, chain.noise));
			program_on_event(p, OP_RECORD, stream, t == 0 ? filled : read);
			if (t == 1 && waits)
				program_call(p, OP_STREAM_SYNC, stream);
			program_on_event(p, OP_POST, NONE, t == 0 ? full : empty);
		}
		program_outside(p);
	}
	return p;
}

/* ---- training ---- */

struct training {
	int stream, loop;
	int64_t in, kernel, load; /* load: the host's */
	int kernels;
	double noise;
	int item; /* a value is read back every so many steps; 0: never */
	bool pageable;
};

static void add_step(struct program *p, const struct training *training, int step, bool trains)
{
	static const char *const names[] = {"gemm", "elementwise_kernel", "reduce_kernel", "softmax", "cudnn_conv"};
	int kernels = trains ? training->kernels : training->kernels / 3 + 1;

	if (training->load > 0)
		program_host(p, program_noise(p, training->load, training->noise));
	for (int i = 0; i < 2; i++) {
		/* Images, then labels. */
		struct call *copy = program_copy(
			p, training->stream, WAY_IN, i == 0 ? program_noise(p, training->in, training->noise) : 2 * US);

		copy->pageable = training->pageable;
		copy->bytes = i == 1 ? 512 : training->pageable ? copy->ns * 8 : copy->bytes;
	}
	for (int i = 0; i < kernels; i++)
		program_kernel(p, training->stream, names[i % 5],
			program_noise(p, training->kernel * (1 + i % 3), training->noise));
	if (trains)
		program_memset(p, training->stream, 2 * US);
	if (training->item > 0 && step % training->item == 0) {
		struct call *copy = program_copy(p, training->stream, WAY_OUT, 2 * US);

		copy->pageable = true;
		copy->bytes = 4;
		program_call(p, OP_STREAM_SYNC, training->stream);
	}
}

static struct training any_training(struct program *p)
{
	struct training training = {.kernels = (int)program_between(p, 8, 60), .noise = any_noise(p)};

	training.stream = program_stream(p, STREAM_LEGACY, 0);
	training.kernel = any_time(p, 10 * US, 150 * US);
	training.in = any_time(p, 100 * US, 2 * training.kernel * training.kernels + 200 * US);
	training.load = maybe(p, 0.5) ? any_time(p, 20 * US, 2 * MS) : 0;
	training.pageable = maybe(p, 0.5);
	training.item = maybe(p, 0.3) ? 0 : maybe(p, 0.75) ? 1 : 10;
	return training;
}

static void add_phase(struct program *p, const struct training *training, int steps, bool trains)
{
	int loop = program_loop(p);

	for (int i = 0; i < steps; i++) {
		program_round(p, loop, i);
		program_range(p, trains ? "train" : "evaluate");
		add_step(p, training, i, trains);
		program_end_range(p);
	}
	program_outside(p);
	program_call(p, OP_DEVICE_SYNC, training->stream);
	program_host(p, 3 * MS);
}

static void upload_model(struct program *p, int stream)
{
	int tensors = (int)program_between(p, 20, 160);

	for (int i = 0; i < tensors; i++) {
		struct call *copy = program_copy(p, stream, WAY_IN, program_noise(p, 60 * US, 0.9));

		copy->pageable = true;
		copy->bytes = copy->ns * 8;
	}
	program_call(p, OP_DEVICE_SYNC, stream);
}

static struct program *make_training(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct training training = any_training(p);

	program_begin(p, training.stream);
	upload_model(p, training.stream);
	add_phase(p, &training, any_rounds(p), true);
	program_end(p, training.stream);
	return p;
}

static struct program *make_epochs(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct training training = any_training(p);
	int epochs = (int)program_between(p, 2, 4), steps = (int)program_between(p, 20, 50);

	program_begin(p, training.stream);
	upload_model(p, training.stream);
	for (int i = 0; i < epochs; i++) {
		add_phase(p, &training, steps, true);
		add_phase(p, &training, steps / 2, false);
	}
	program_end(p, training.stream);
	return p;
}

/* The backward pass is asked for by a thread of its own. */
static struct program *make_autograd(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct trainer trainer = {.kernels = (int)program_between(p, 2, 12),
		.noise = any_noise(p),
		.there = any_time(p, 20 * US, 300 * US),
		.back = any_time(p, 20 * US, 500 * US),
		.host = any_time(p, 50 * US, 2 * MS),
		.ahead = maybe(p, 0.4)};

	trainer.kernel = any_time(p, 20 * US, 400 * US);
	trainer.in = any_time(p, 200 * US, 2 * trainer.kernel * trainer.kernels + 300 * US);
	trainer.pageable = !trainer.ahead && maybe(p, 0.7);
	trainer.pinned = trainer.pageable && maybe(p, 0.5) ? trainer.in / 6 : 0;
	trainer.item = maybe(p, trainer.ahead ? 0.7 : 0.3);
	p->machine.early = maybe(p, 0.7) ? any_time(p, 2 * US, 15 * US) : 0;
	program_trainer(p, &trainer, any_rounds(p));
	return p;
}

struct worker {
	int own, comm, grads, summed;
	int64_t in, kernel, reduce;
	int kernels;
	double noise;
};

static void add_worker_step(struct program *p, const struct worker *worker)
{
	program_copy(p, worker->own, WAY_IN, program_noise(p, worker->in, worker->noise));
	for (int i = 0; i < worker->kernels; i++)
		program_kernel(
			p, worker->own, i % 2 ? "gemm" : "relu", program_noise(p, worker->kernel, worker->noise));
	program_on_event(p, OP_RECORD, worker->own, worker->grads);
	program_on_event(p, OP_STREAM_WAIT, worker->comm, worker->grads);
	program_kernel(p, worker->comm, "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
		program_noise(p, worker->reduce, worker->noise))
		->share = 0.1;
	program_on_event(p, OP_RECORD, worker->comm, worker->summed);
	program_on_event(p, OP_STREAM_WAIT, worker->own, worker->summed);
	program_kernel(p, worker->own, "adam", program_noise(p, worker->kernel / 2, worker->noise));
	program_call(p, OP_STREAM_SYNC, worker->own);
}

/* A thread to a GPU: data-parallel training. */
static struct program *make_gpus(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct worker worker = {.kernels = (int)program_between(p, 4, 20), .noise = any_noise(p)};
	int rounds = any_rounds(p) / 2;

	p->devices = (int)program_between(p, 2, 4);
	worker.kernel = any_time(p, 20 * US, 200 * US);
	worker.in = any_time(p, 50 * US, worker.kernel * worker.kernels);
	worker.reduce = any_time(p, 20 * US, 300 * US);
	for (int device = 0; device < p->devices; device++) {
		int loop = program_loop(p);

		if (device > 0)
			program_thread(p);
		worker.own = program_stream(p, STREAM_LEGACY, device);
		worker.comm = program_stream(p, STREAM_NON_BLOCKING, device);
		worker.grads = program_event(p);
		worker.summed = program_event(p);
		program_begin(p, worker.own);
		upload_model(p, worker.own);
		for (int i = 0; i < rounds; i++) {
			program_round(p, loop, i);
			add_worker_step(p, &worker);
		}
		program_outside(p);
		program_end(p, worker.own);
	}
	return p;
}

/* Gradients are added up, part by part, while the backward pass computes the next ones. */
static struct program *make_collectives(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct worker worker = {.kernels = (int)program_between(p, 3, 8), .noise = any_noise(p)};
	int loop = program_loop(p), rounds = any_rounds(p) / 2;

	worker.kernel = any_time(p, 100 * US, 400 * US);
	worker.in = any_time(p, 50 * US, worker.kernel * worker.kernels);
	worker.reduce = any_time(p, 20 * US, worker.kernel / 2);
	worker.own = program_stream(p, STREAM_LEGACY, 0);
	worker.comm = program_stream(p, STREAM_NON_BLOCKING, 0);
	worker.grads = program_event(p);
	program_begin(p, worker.own);
	for (int i = 0; i < rounds; i++) {
		program_round(p, loop, i);
		program_copy(p, worker.own, WAY_IN, program_noise(p, worker.in, worker.noise));
		for (int k = 0; k < worker.kernels; k++) {
			int64_t kernel = program_noise(p, worker.kernel, worker.noise);

			if (k > 0)
				program_on_event(p, OP_STREAM_WAIT, worker.comm, worker.grads);
			if (k > 0)
				program_kernel(p, worker.comm, "ncclDevKernel_AllReduce_Sum_f32_RING_LL",
					program_noise(p, worker.reduce, worker.noise))
					->share = 0.1;
			program_kernel(p, worker.own, k % 2 ? "gemm" : "relu", kernel)->share = 0.9;
			program_on_event(p, OP_RECORD, worker.own, worker.grads);
		}
	}
	program_outside(p);
	program_end(p, worker.own);
	return p;
}

/* Data-parallel training of several processes, whose collectives wait for each other. */
static struct program *make_parallel(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct parallel parallel = {.ranks = (int)program_between(p, 2, 4),
		.parts = (int)program_between(p, 1, 5),
		.kernel = any_time(p, 100 * US, MS),
		.host = any_time(p, 20 * US, 300 * US),
		.slower = maybe(p, 0.3) ? 1 + 0.3 * program_random(p) : 1,
		.pageable = maybe(p, 0.6),
		.part = maybe(p, 0.2) ? 0.3 + 0.7 * program_random(p) : 1,
		.first = maybe(p, 0.5),
		.waits = maybe(p, 0.2),
		.noise = any_noise(p)};

	parallel.in = any_time(p, parallel.kernel / 2, 3 * parallel.kernel * parallel.parts);
	parallel.pinned = parallel.pageable && maybe(p, 0.5) ? parallel.in / 6 : 0;
	parallel.reduce = any_time(p, parallel.kernel / 4, 2 * parallel.kernel);
	p->machine.early = maybe(p, 0.7) ? any_time(p, 2 * US, 15 * US) : 0;
	program_data_parallel(p, &parallel, any_rounds(p) / 2);
	return p;
}

/* ---- graphs ---- */

static struct program *make_graphs(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct chain chain = any_chain(p);
	int stream = program_stream(p, maybe(p, 0.5) ? STREAM_NON_BLOCKING : STREAM_BLOCKING, 0),
	    loop = program_loop(p);
	int rounds = any_rounds(p);
	bool waits = maybe(p, 0.5);

	program_begin(p, stream);
	for (int i = 0; i < rounds; i++) {
		program_round(p, loop, i);
		program_call(p, OP_GRAPH, stream);
		if (chain.in > 0)
			program_copy(p, stream, WAY_IN, program_noise(p, chain.in, chain.noise))->node = true;
		for (int k = 0; k < 3; k++)
			program_kernel(
				p, stream, k == 1 ? "second" : "first", program_noise(p, chain.kernel / 3, chain.noise))
				->node = true;
		if (chain.out > 0)
			program_copy(p, stream, WAY_OUT, program_noise(p, chain.out, chain.noise))->node = true;
		if (waits)
			program_call(p, OP_STREAM_SYNC, stream);
	}
	program_outside(p);
	program_end(p, stream);
	return p;
}

/* ---- a full queue ---- */

/* Many short kernels a round, and a host that is faster: it waits for room in the stream's queue. */
static struct program *make_queue(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	int kernels = (int)program_between(p, 20, 120), stream = program_stream(p, any_kind(p), 0), loop, rounds;
	int64_t kernel = any_time(p, 15 * US, 60 * US), in = any_time(p, kernel * kernels / 20, kernel * kernels);
	double noise = any_noise(p);
	bool back = maybe(p, 0.3);

	p->machine.depth = (int)any_time(p, 128, 1100);
	rounds = (int)((double)p->machine.depth / kernels * (2 + 3 * program_random(p))) + 12;
	program_begin(p, stream);
	loop = program_loop(p);
	for (int i = 0; i < rounds; i++) {
		program_round(p, loop, i);
		program_range(p, "step");
		program_copy(p, stream, WAY_IN, program_noise(p, in, noise));
		for (int k = 0; k < kernels; k++)
			program_kernel(p, stream, k % 3 ? "gemm" : "relu", program_noise(p, kernel, noise));
		if (back)
			program_copy(p, stream, WAY_OUT, program_noise(p, in / 4, noise));
		program_end_range(p);
	}
	program_outside(p);
	program_end(p, stream);
	return p;
}

/* ---- nothing to be gained ---- */

static struct program *make_kernels(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct chain chain = {.kernel = any_time(p, 150 * US, MS), .kernels = (int)program_between(p, 1, 8)};

	chain.kernel *= chain.kernels;
	chain.noise = any_noise(p);
	chain.wait = maybe(p, 0.7) ? WAIT_NONE : WAIT_STREAM;
	if (chain.wait == WAIT_STREAM)
		chain.kernel += 2 * MS;
	finish_chain(p, &chain, program_stream(p, any_kind(p), 0));
	return p;
}

/* Everything is copied in at once, or from time to time. */
static struct program *make_upload(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct chain chain = {.kernel = any_time(p, 150 * US, MS), .kernels = (int)program_between(p, 1, 8)};
	int stream = program_stream(p, any_kind(p), 0), copies = (int)program_between(p, 1, 30);
	bool pageable = maybe(p, 0.5);

	chain.kernel *= chain.kernels;
	chain.noise = any_noise(p);
	chain.stream = stream;
	program_begin(p, stream);
	for (int i = 0; i < copies; i++)
		program_copy(p, stream, WAY_IN, any_time(p, 100 * US, 3 * MS))->pageable = pageable;
	program_chains(p, &chain, any_rounds(p));
	program_copy(p, stream, WAY_OUT, any_time(p, 100 * US, 10 * MS))->synchronous = true;
	program_end(p, stream);
	return p;
}

static struct program *make_one_round(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct chain chain = any_chain(p);

	chain.in *= 20;
	chain.kernel *= 20;
	chain.out *= 20;
	chain.stream = program_stream(p, any_kind(p), 0);
	chain.synchronous = maybe(p, 0.5);
	program_begin(p, chain.stream);
	program_chain(p, &chain);
	program_end(p, chain.stream);
	return p;
}

const struct recipe random_programs[] = {
	{"chain", "random", make_chain, 0},
	{"around", "random", make_around, 0},
	{"copies", "random", make_copies, 0},
	{"host", "random", make_host, 0},
	{"jitter", "random", make_jitter, 0},
	{"sizes", "random", make_sizes, 0},
	{"pinned-rates", "random", make_pinned_rates, 0},
	{"phases", "random", make_phases, 0},
	{"paused", "random", make_paused, 0},
	{"irregular", "random", make_irregular, 0},
	{"parts", "random", make_parts, 0},
	{"middle-wait", "random", make_middle_wait, 0},
	{"multi-copy", "random", make_multi_copy, 0},
	{"pipeline", "random", make_pipeline, 0},
	{"buffered", "random", make_buffered, 0},
	{"beside", "random", make_beside, 0},
	{"groups", "random", make_groups, 0},
	{"threads", "random", make_threads, 0},
	{"hand-over", "random", make_hand_over, 0},
	{"hand-over-events", "random", make_hand_over_events, 0},
	{"training", "random", make_training, 0},
	{"epochs", "random", make_epochs, 0},
	{"autograd", "random", make_autograd, 0},
	{"gpus", "random", make_gpus, 0},
	{"collectives", "random", make_collectives, 0},
	{"data-parallel", "random", make_parallel, 0},
	{"graphs", "random", make_graphs, 0},
	{"queue", "random", make_queue, 0},
	{"kernels", "random", make_kernels, 0},
	{"upload", "random", make_upload, 0},
	{"one-round", "random", make_one_round, 0},
	{0},
};
