/* chains.c: the parts of which programs are put together. */
#include "programs.h"

static void add_around(struct program *p, const struct chain *chain, int64_t ns)
{
	if (ns > 0 && chain->kernels_around)
		program_kernel(p, chain->stream, "prepare", program_noise(p, ns, chain->noise));
	else if (ns > 0)
		program_memset(p, chain->stream, program_noise(p, ns, chain->noise));
}

static void add_copy(struct program *p, const struct chain *chain, enum way way, int64_t ns)
{
	struct call *copy;

	if (ns == 0)
		return;
	copy = program_copy(p, chain->stream, way, program_noise(p, ns, chain->noise));
	copy->synchronous = chain->synchronous;
	copy->pageable = chain->pageable;
	if (chain->pageable)
		copy->bytes = copy->ns * 10;
}

static void add_wait(struct program *p, const struct chain *chain)
{
	if (chain->wait == WAIT_STREAM)
		program_call(p, OP_STREAM_SYNC, chain->stream);
	else if (chain->wait == WAIT_DEVICE)
		program_call(p, OP_DEVICE_SYNC, chain->stream);
	else if (chain->wait == WAIT_EVENT) {
		program_on_event(p, OP_RECORD, chain->stream, chain->event);
		program_on_event(p, OP_EVENT_SYNC, chain->stream, chain->event);
	}
}

static void add_host(struct program *p, const struct chain *chain, int64_t ns)
{
	if (ns > 0)
		program_host(p, program_noise(p, ns, chain->noise));
}

void program_chain(struct program *p, const struct chain *chain)
{
	static const char *const names[] = {"first", "second", "third", "fourth"};
	int kernels = chain->kernels > 0 ? chain->kernels : 1;

	add_host(p, chain, chain->host_before);
	add_around(p, chain, chain->before);
	add_copy(p, chain, WAY_IN, chain->in);
	if (chain->cast > 0)
		program_kernel(p, chain->stream, "cast", program_noise(p, chain->cast, chain->noise));
	add_copy(p, chain, WAY_IN, chain->second_in);
	for (int i = 0; i < kernels && chain->kernel > 0; i++)
		program_kernel(p, chain->stream, kernels == 1 ? "work" : names[i % 4],
			program_noise(p, chain->kernel / kernels, chain->noise));
	add_copy(p, chain, WAY_OUT, chain->out);
	add_around(p, chain, chain->behind);
	add_wait(p, chain);
	add_host(p, chain, chain->host_behind);
}

void program_chains(struct program *p, const struct chain *chain, int rounds)
{
	int loop = program_loop(p);

	for (int i = 0; i < rounds; i++) {
		program_round(p, loop, i);
		program_range(p, "step");
		program_chain(p, chain);
		program_end_range(p);
	}
	program_outside(p);
}

void program_begin(struct program *p, int stream)
{
	program_call(p, OP_MALLOC, stream);
	program_call(p, OP_MALLOC, stream);
	program_host(p, 2 * MS);
}

void program_end(struct program *p, int stream)
{
	program_call(p, OP_DEVICE_SYNC, stream);
	program_host(p, MS);
	program_call(p, OP_FREE, stream);
}
