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

static void add_memory(struct program *p, const struct chain *chain, enum operation op)
{
	if (chain->memory > 0 && p->round % chain->memory == chain->memory - 1)
		program_call(p, op, chain->stream);
}

void program_chain(struct program *p, const struct chain *chain)
{
	static const char *const names[] = {"first", "second", "third", "fourth"};
	int kernels = chain->kernels > 0 ? chain->kernels : 1;

	add_host(p, chain, chain->host_before);
	add_memory(p, chain, OP_MALLOC);
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
	add_memory(p, chain, OP_FREE);
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

/* ---- training in two threads ---- */

enum { TRAINER_BUFFERS = 2 };

/* What a trainer uses. */
struct trainer_parts {
	int work, copies; /* streams */
	int forth, back;  /* semaphores */
	int filled[TRAINER_BUFFERS], freed[TRAINER_BUFFERS];
};

static void add_batch(struct program *p, const struct trainer *trainer, int stream)
{
	struct call *copy = program_copy(p, stream, WAY_IN, program_noise(p, trainer->in, trainer->noise));

	copy->pageable = trainer->pageable;
	copy->bytes = trainer->pageable ? trainer->in * 7 : copy->bytes;
	copy->pinned_ns = trainer->pageable ? trainer->pinned : 0;
	copy = program_copy(p, stream, WAY_IN, 2 * US);
	copy->pageable = trainer->pageable;
	copy->bytes = 16384;
}

static void begin_batch(struct program *p, const struct trainer *trainer, const struct trainer_parts *parts, int round)
{
	int i = round % TRAINER_BUFFERS;

	program_on_event(p, OP_STREAM_WAIT, parts->copies, parts->freed[i]);
	add_batch(p, trainer, parts->copies);
	program_on_event(p, OP_RECORD, parts->copies, parts->filled[i]);
}

static void add_pass(struct program *p, const struct trainer *trainer, int stream, const char *name)
{
	for (int i = 0; i < trainer->kernels; i++)
		program_kernel(
			p, stream, i % 2 ? "elementwise" : name, program_noise(p, trainer->kernel, trainer->noise));
}

static void add_trainer_step(
	struct program *p, const struct trainer *trainer, const struct trainer_parts *parts, bool is_last)
{
	int i = p->round % TRAINER_BUFFERS;

	if (trainer->ahead && !is_last)
		begin_batch(p, trainer, parts, p->round + 1);
	if (trainer->ahead)
		program_on_event(p, OP_STREAM_WAIT, parts->work, parts->filled[i]);
	else
		add_batch(p, trainer, parts->work);
	program_host(p, program_noise(p, trainer->host, trainer->noise));
	add_pass(p, trainer, parts->work, "forward");
	program_on_event(p, OP_POST, NONE, parts->forth);
	program_on_event(p, OP_TAKE, NONE, parts->back);
	program_host(p, program_noise(p, trainer->back, trainer->noise));
	program_kernel(p, parts->work, "optimizer", trainer->kernel);
	if (trainer->item) {
		struct call *copy = program_copy(p, parts->work, WAY_OUT, 2 * US);

		copy->pageable = true;
		copy->bytes = 4;
		program_call(p, OP_STREAM_SYNC, parts->work);
	}
	if (trainer->ahead)
		program_on_event(p, OP_RECORD, parts->work, parts->freed[i]);
}

/* The first thread's part. */
static void add_trainer(struct program *p, const struct trainer *trainer, const struct trainer_parts *parts, int rounds)
{
	int loop = program_loop(p);

	program_outside(p);
	program_begin(p, parts->work);
	for (int i = 0; i < 4 && trainer->pinned > 0; i++)
		program_copy(p, parts->work, WAY_IN, trainer->pinned)->bytes = trainer->in * 7;
	program_call(p, OP_DEVICE_SYNC, parts->work);
	if (trainer->ahead)
		begin_batch(p, trainer, parts, 0);
	for (int i = 0; i < rounds; i++) {
		program_round(p, loop, i);
		add_trainer_step(p, trainer, parts, i == rounds - 1);
	}
	program_outside(p);
	program_end(p, parts->work);
}

void program_trainer(struct program *p, const struct trainer *trainer, int rounds)
{
	struct trainer_parts parts = {.work = program_stream(p, STREAM_LEGACY, 0),
		.copies = program_stream(p, STREAM_NON_BLOCKING, 0),
		.forth = program_semaphore(p, 0),
		.back = program_semaphore(p, 0)};
	int loop;

	for (int i = 0; i < TRAINER_BUFFERS; i++) {
		parts.filled[i] = program_event(p);
		parts.freed[i] = program_event(p);
	}
	add_trainer(p, trainer, &parts, rounds);
	program_thread(p);
	loop = program_loop(p);
	for (int i = 0; i < rounds; i++) {
		program_round(p, loop, i);
		program_on_event(p, OP_TAKE, NONE, parts.forth);
		program_host(p, program_noise(p, trainer->there, trainer->noise));
		add_pass(p, trainer, parts.work, "backward");
		program_on_event(p, OP_POST, NONE, parts.back);
	}
	program_outside(p);
}

/* ---- training in several processes ---- */

enum { OPTIMIZER_KERNELS = 4 };

/* What a rank uses. */
struct rank {
	const struct parallel *parallel;
	int work, comm;       /* streams */
	int forth, back;      /* semaphores */
	int computed, summed; /* events */
	double factor;        /* of its kernels */
	int64_t in;
};

static void add_kernel(struct program *p, const struct rank *rank, const char *name, int64_t ns)
{
	program_kernel(
		p, rank->work, name, program_noise(p, (int64_t)((double)ns * rank->factor), rank->parallel->noise))
		->share = 0.9;
}

static void add_rank_step(struct program *p, const struct rank *rank)
{
	const struct parallel *parallel = rank->parallel;
	const struct trainer batch = {
		.in = rank->in, .pinned = parallel->pinned, .pageable = parallel->pageable, .noise = parallel->noise};

	add_batch(p, &batch, rank->work);
	program_host(p, program_noise(p, parallel->host, parallel->noise));
	for (int i = 0; i < parallel->parts; i++)
		add_kernel(p, rank, "forward", parallel->kernel);
	program_on_event(p, OP_POST, NONE, rank->forth);
	program_on_event(p, OP_TAKE, NONE, rank->back);
	if (p->round == 0 && parallel->first)
		add_kernel(p, rank, "state", 10 * US);
	for (int i = 0; i < OPTIMIZER_KERNELS; i++)
		add_kernel(p, rank, "optimizer", 20 * US);
	if (parallel->waits)
		program_call(p, OP_STREAM_SYNC, rank->work);
}

static void add_gradients(struct program *p, const struct rank *rank)
{
	const struct parallel *parallel = rank->parallel;

	program_on_event(p, OP_TAKE, NONE, rank->forth);
	for (int i = 0; i < parallel->parts; i++) {
		struct call *reduce;

		add_kernel(p, rank, "backward-data", parallel->kernel);
		add_kernel(p, rank, "backward-weights", parallel->kernel);
		program_on_event(p, OP_RECORD, rank->work, rank->computed);
		program_on_event(p, OP_STREAM_WAIT, rank->comm, rank->computed);
		reduce = program_kernel(p, rank->comm, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", parallel->reduce);
		reduce->share = 0.1;
		reduce->meeting = 1 + p->round * parallel->parts + i;
		p->meetings = reduce->meeting > p->meetings ? reduce->meeting : p->meetings;
		program_on_event(p, OP_RECORD, rank->comm, rank->summed);
	}
	program_on_event(p, OP_STREAM_WAIT, rank->work, rank->summed);
	program_on_event(p, OP_POST, NONE, rank->back);
}

static void add_rank(struct program *p, const struct rank *rank, int rounds)
{
	const struct parallel *parallel = rank->parallel;
	int loop = program_loop(p);

	program_begin(p, rank->work);
	for (int i = 0; i < 4 && parallel->pinned > 0; i++)
		program_copy(p, rank->work, WAY_IN, parallel->pinned)->bytes = parallel->in * 7;
	program_call(p, OP_DEVICE_SYNC, rank->work);
	for (int i = 0; i < rounds; i++) {
		program_round(p, loop, i);
		add_rank_step(p, rank);
	}
	program_outside(p);
	program_end(p, rank->work);
	program_thread(p);
	loop = program_loop(p);
	for (int i = 0; i < rounds; i++) {
		program_round(p, loop, i);
		add_gradients(p, rank);
	}
	program_outside(p);
}

void program_data_parallel(struct program *p, const struct parallel *parallel, int rounds)
{
	p->devices = parallel->ranks;
	for (int r = 0; r < parallel->ranks; r++) {
		bool last = r == parallel->ranks - 1;
		struct rank rank;

		if (r > 0)
			program_process(p);
		rank = (struct rank){.parallel = parallel,
			.work = program_stream(p, STREAM_LEGACY, r),
			.comm = program_stream(p, STREAM_NON_BLOCKING, r),
			.forth = program_semaphore(p, 0),
			.back = program_semaphore(p, 0),
			.computed = program_event(p),
			.summed = program_event(p),
			.factor = last ? parallel->slower : 1,
			.in = (int64_t)((double)parallel->in * (last ? parallel->part : 1))};
		add_rank(p, &rank, rounds);
	}
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
