/* random-several.c: classes of random programs: several streams or threads, graphs, a full queue. */
#include "random.h"

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
struct program *make_pipeline(const struct recipe *recipe, uint64_t seed)
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
struct program *make_buffered(const struct recipe *recipe, uint64_t seed)
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
struct program *make_beside(const struct recipe *recipe, uint64_t seed)
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

struct program *make_groups(const struct recipe *recipe, uint64_t seed)
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
struct program *make_middle_wait(const struct recipe *recipe, uint64_t seed)
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

struct program *make_threads(const struct recipe *recipe, uint64_t seed)
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
struct program *make_hand_over(const struct recipe *recipe, uint64_t seed)
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
struct program *make_hand_over_events(const struct recipe *recipe, uint64_t seed)
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

/* ---- graphs ---- */

struct program *make_graphs(const struct recipe *recipe, uint64_t seed)
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
struct program *make_queue(const struct recipe *recipe, uint64_t seed)
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
