/* random-one-stream.c: classes of random programs: all goes through one stream, or nothing can be gained. */
#include "random.h"

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

struct program *make_chain(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct chain chain = any_chain(p);

	chain.wait = (int)program_between(p, WAIT_NONE, WAIT_DEVICE);
	finish_chain(p, &chain, program_stream(p, any_kind(p), 0));
	return p;
}

struct program *make_around(const struct recipe *recipe, uint64_t seed)
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

struct program *make_copies(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe, seed);
	struct chain chain = any_chain(p);

	chain.synchronous = maybe(p, 0.6);
	chain.pageable = !chain.synchronous || maybe(p, 0.6);
	finish_chain(p, &chain, program_stream(p, maybe(p, 0.8) ? STREAM_LEGACY : STREAM_BLOCKING, 0));
	return p;
}

struct program *make_host(const struct recipe *recipe, uint64_t seed)
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

struct program *make_jitter(const struct recipe *recipe, uint64_t seed)
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
struct program *make_pinned_rates(const struct recipe *recipe, uint64_t seed)
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
struct program *make_phases(const struct recipe *recipe, uint64_t seed)
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
struct program *make_sizes(const struct recipe *recipe, uint64_t seed)
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
struct program *make_paused(const struct recipe *recipe, uint64_t seed)
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
struct program *make_irregular(const struct recipe *recipe, uint64_t seed)
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
struct program *make_parts(const struct recipe *recipe, uint64_t seed)
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

struct program *make_multi_copy(const struct recipe *recipe, uint64_t seed)
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

/* ---- nothing to be gained ---- */

struct program *make_kernels(const struct recipe *recipe, uint64_t seed)
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
struct program *make_upload(const struct recipe *recipe, uint64_t seed)
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

struct program *make_one_round(const struct recipe *recipe, uint64_t seed)
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
