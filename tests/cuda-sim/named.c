/* named.c: programs in which an estimate is easily wrong, one by one: 40 rounds, copies of 1 ms, a kernel of 2 ms
 * unless said, and programs in which nothing is to be gained. */
#include "programs.h"

enum { ROUNDS = 40 };

static const struct chain usual = {.in = MS, .kernel = 2 * MS, .out = MS};

static struct program *begin(const struct recipe *recipe)
{
	return program_new(recipe->class, recipe->name, 0);
}

static struct program *with_chain(const struct recipe *recipe, enum stream_kind kind, struct chain chain)
{
	struct program *p = begin(recipe);

	chain.stream = program_stream(p, kind, 0);
	chain.event = program_event(p);
	program_begin(p, chain.stream);
	program_chains(p, &chain, ROUNDS);
	program_end(p, chain.stream);
	return p;
}

/* ---- something small around the copies ---- */

enum { PLAIN, MEMSET_BEFORE, MEMSET_BEHIND, KERNEL_BEFORE, KERNEL_BEHIND };

static struct chain around(int variant)
{
	struct chain chain = usual;

	chain.kernels_around = variant == KERNEL_BEFORE || variant == KERNEL_BEHIND;
	chain.before = variant == MEMSET_BEFORE || variant == KERNEL_BEFORE ? 5 * US : 0;
	chain.behind = variant == MEMSET_BEHIND || variant == KERNEL_BEHIND ? 5 * US : 0;
	return chain;
}

static struct program *make_around(const struct recipe *recipe, uint64_t seed)
{
	(void)seed;
	return with_chain(recipe, STREAM_BLOCKING, around(recipe->variant));
}

static struct program *make_around_legacy(const struct recipe *recipe, uint64_t seed)
{
	(void)seed;
	return with_chain(recipe, STREAM_LEGACY, around(recipe->variant));
}

static struct program *make_two_inputs(const struct recipe *recipe, uint64_t seed)
{
	struct chain chain = usual;

	(void)seed;
	chain.in = chain.second_in = MS / 2;
	chain.cast = 5 * US;
	return with_chain(recipe, STREAM_BLOCKING, chain);
}

/* ---- waits and the host ---- */

static struct program *make_waiting(const struct recipe *recipe, uint64_t seed)
{
	struct chain chain = usual;

	(void)seed;
	chain.wait = recipe->variant;
	return with_chain(recipe, STREAM_BLOCKING, chain);
}

static struct program *make_host_behind(const struct recipe *recipe, uint64_t seed)
{
	struct chain chain = usual;

	(void)seed;
	chain.wait = WAIT_STREAM;
	chain.host_behind = MS / 2;
	return with_chain(recipe, STREAM_BLOCKING, chain);
}

enum { SYNCHRONOUS = 1, PAGEABLE = 2 };

static struct program *make_copies(const struct recipe *recipe, uint64_t seed)
{
	struct chain chain = usual;

	(void)seed;
	chain.synchronous = recipe->variant & SYNCHRONOUS;
	chain.pageable = recipe->variant & PAGEABLE;
	return with_chain(recipe, STREAM_LEGACY, chain);
}

/* Memory that is made and freed in the rounds, behind a wait or not. */
static struct program *make_memory(const struct recipe *recipe, uint64_t seed)
{
	struct chain chain = usual;

	(void)seed;
	chain.memory = 1;
	chain.wait = recipe->variant;
	return with_chain(recipe, STREAM_BLOCKING, chain);
}

/* In some rounds, as a caching allocator does. */
static struct program *make_memory_each_tenth(const struct recipe *recipe, uint64_t seed)
{
	struct chain chain = usual;

	(void)seed;
	chain.memory = 10;
	return with_chain(recipe, STREAM_BLOCKING, chain);
}

/* Two threads, each with a GPU of its own: what one frees does not wait for the other one's GPU. */
static struct program *make_memory_two_gpus(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe);
	struct chain chain = usual;

	(void)seed;
	p->devices = 2;
	for (int device = 0; device < 2; device++) {
		if (device > 0)
			program_thread(p);
		chain.memory = recipe->variant;
		chain.kernel = (2 + device) * MS;
		chain.stream = program_stream(p, STREAM_BLOCKING, device);
		program_begin(p, chain.stream);
		program_chains(p, &chain, ROUNDS);
		program_end(p, chain.stream);
	}
	return p;
}

/* Calls that take the host longer than the GPU works, also in streams by turns. */
static struct program *make_memory_slow(const struct recipe *recipe, uint64_t seed)
{
	struct chain chain = {.in = 20 * US, .kernel = 40 * US, .out = 20 * US, .memory = 1};

	(void)seed;
	return with_chain(recipe, STREAM_LEGACY, chain);
}

static struct program *make_one_engine(const struct recipe *recipe, uint64_t seed)
{
	struct chain chain = usual;
	struct program *p;

	(void)seed;
	chain.kernel = recipe->variant * MS;
	p = with_chain(recipe, STREAM_BLOCKING, chain);
	p->machine.engines = 1;
	return p;
}

/* So many rounds of short pieces, for which the host never waits: it is ahead by as much as the stream's queue holds.
 */
static struct program *make_far_ahead(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe);
	struct chain chain = {.in = 10 * US, .kernel = 20 * US, .out = 10 * US};

	(void)seed;
	chain.stream = program_stream(p, STREAM_BLOCKING, 0);
	program_begin(p, chain.stream);
	program_chains(p, &chain, recipe->variant);
	program_end(p, chain.stream);
	return p;
}

/* ---- several streams ---- */

static struct program *make_default_beside(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe);
	int legacy = program_stream(p, STREAM_LEGACY, 0), loop = program_loop(p);
	int streams[] = {program_stream(p, STREAM_BLOCKING, 0), program_stream(p, STREAM_BLOCKING, 0)};

	(void)seed;
	program_begin(p, legacy);
	for (int i = 0; i < ROUNDS; i++) {
		struct chain chain = usual;

		chain.stream = streams[i % 2];
		program_round(p, loop, i);
		program_chain(p, &chain);
		program_kernel(p, legacy, "count", 5 * US);
	}
	program_outside(p);
	program_end(p, legacy);
	return p;
}

/* Copies in and kernels have a stream each, but there is one buffer. */
static struct program *make_events(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe);
	int in = program_stream(p, STREAM_NON_BLOCKING, 0), work = program_stream(p, STREAM_NON_BLOCKING, 0);
	int full = program_event(p), empty = program_event(p), loop = program_loop(p);

	(void)seed;
	program_begin(p, work);
	for (int i = 0; i < ROUNDS; i++) {
		program_round(p, loop, i);
		program_on_event(p, OP_STREAM_WAIT, in, empty);
		program_copy(p, in, WAY_IN, MS);
		program_on_event(p, OP_RECORD, in, full);
		program_on_event(p, OP_STREAM_WAIT, work, full);
		program_kernel(p, work, "work", 2 * MS);
		program_on_event(p, OP_RECORD, work, empty);
	}
	program_outside(p);
	program_end(p, work);
	p->shape.no_event_sync_id = recipe->variant;
	return p;
}

/* Two inputs come in a stream each, the kernel and the copy out have a third. There is one buffer, and the recording
 * has no records of events. */
static struct program *make_joined(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe);
	int work = program_stream(p, STREAM_NON_BLOCKING, 0), empty = program_event(p), loop = program_loop(p);
	int in[2], full[2];

	(void)seed;
	for (int i = 0; i < 2; i++) {
		in[i] = program_stream(p, STREAM_NON_BLOCKING, 0);
		full[i] = program_event(p);
	}
	program_begin(p, work);
	for (int i = 0; i < ROUNDS; i++) {
		program_round(p, loop, i);
		for (int k = 0; k < 2; k++) {
			program_on_event(p, OP_STREAM_WAIT, in[k], empty);
			program_copy(p, in[k], WAY_IN, MS / 2);
			program_on_event(p, OP_RECORD, in[k], full[k]);
		}
		for (int k = 0; k < 2; k++)
			program_on_event(p, OP_STREAM_WAIT, work, full[k]);
		program_kernel(p, work, "work", 2 * MS);
		program_copy(p, work, WAY_OUT, MS);
		program_on_event(p, OP_RECORD, work, empty);
	}
	program_outside(p);
	program_end(p, work);
	p->shape.no_events = true;
	return p;
}

/* 20 rounds in each of two threads. */
static struct program *make_threads(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe);

	(void)seed;
	for (int t = 0; t < 2; t++) {
		struct chain chain = usual;

		if (t > 0)
			program_thread(p);
		chain.stream = program_stream(p, STREAM_NON_BLOCKING, 0);
		chain.wait = recipe->variant;
		program_begin(p, chain.stream);
		program_chains(p, &chain, ROUNDS / 2);
	}
	return p;
}

/* A thread goes on while another one is made anew: first there are 12 rounds beside 12, then as many as ROUNDS beside
 * ROUNDS. The host looks at what comes out. */
static struct program *make_threads_anew(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe);
	static const int rounds[] = {12, ROUNDS};
	int streams[2], post = program_semaphore(p, 0), made = program_semaphore(p, 0);

	(void)seed;
	for (int i = 0; i < 2; i++)
		streams[i] = program_stream(p, STREAM_NON_BLOCKING, 0);
	program_begin(p, streams[0]);
	for (int i = 0; i < 2; i++) {
		struct chain chain = {.in = MS, .kernel = MS, .out = MS, .host_behind = MS};

		chain.stream = streams[0];
		chain.wait = WAIT_STREAM;
		if (i > 0) {
			program_on_event(p, OP_TAKE, NONE, post);
			program_on_event(p, OP_POST, NONE, made);
		}
		program_chains(p, &chain, rounds[i]);
	}
	for (int i = 0; i < 2; i++) {
		struct chain chain = {.in = MS, .kernel = MS, .out = MS, .host_behind = MS};

		program_thread(p);
		chain.stream = streams[1];
		chain.wait = WAIT_STREAM;
		if (i > 0)
			program_on_event(p, OP_TAKE, NONE, made);
		else
			program_begin(p, chain.stream);
		program_chains(p, &chain, rounds[i]);
		if (i == 0)
			program_on_event(p, OP_POST, NONE, post);
	}
	return p;
}

/* Two threads with a stream each, whose copies run beside each other at times. Copies in lose more of their speed by it
 * than copies out, as on an H100. */
static struct program *make_uneven(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe);

	(void)seed;
	p->machine.duplex_in = 0.6;
	p->machine.duplex_out = 0.95;
	for (int t = 0; t < 2; t++) {
		struct chain chain = {.in = MS, .kernel = MS / 2, .out = MS, .host_behind = (6 + t) * MS / 8};

		if (t > 0)
			program_thread(p);
		chain.stream = program_stream(p, STREAM_NON_BLOCKING, 0);
		chain.wait = WAIT_STREAM;
		program_begin(p, chain.stream);
		program_chains(p, &chain, ROUNDS);
	}
	return p;
}

/* One thread copies in, another computes: one buffer goes to and fro between them. */
static struct program *make_hand_over(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe);
	int empty = program_semaphore(p, 1), full = program_semaphore(p, 0);

	(void)seed;
	for (int t = 0; t < 2; t++) {
		int loop = program_loop(p), stream = program_stream(p, STREAM_NON_BLOCKING, 0);

		if (t > 0)
			program_thread(p);
		program_begin(p, stream);
		for (int i = 0; i < ROUNDS; i++) {
			program_round(p, loop, i);
			program_on_event(p, OP_TAKE, NONE, t == 0 ? empty : full);
			if (t == 0)
				program_copy(p, stream, WAY_IN, MS);
			else
				program_kernel(p, stream, "work", 2 * MS);
			program_call(p, OP_STREAM_SYNC, stream);
			program_on_event(p, OP_POST, NONE, t == 0 ? full : empty);
		}
		program_outside(p);
	}
	return p;
}

enum { GROUP = 4 };
enum { BREADTH_FIRST, DEPTH_FIRST };

static void add_group(struct program *p, const int *streams, int order)
{
	enum { IN, WORK, OUT, STEPS };

	for (int i = 0; i < GROUP * STEPS; i++) {
		int step = order == BREADTH_FIRST ? i / GROUP : i % STEPS;
		int stream = streams[order == BREADTH_FIRST ? i % GROUP : i / STEPS];

		if (step == WORK)
			program_kernel(p, stream, "work", MS / 4);
		else
			program_copy(p, stream, step == IN ? WAY_IN : WAY_OUT, MS / 4);
	}
}

static struct program *make_groups(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe);
	int streams[GROUP], loop = program_loop(p);

	(void)seed;
	for (int i = 0; i < GROUP; i++)
		streams[i] = program_stream(p, STREAM_NON_BLOCKING, 0);
	program_begin(p, streams[0]);
	for (int i = 0; i < ROUNDS; i++) {
		program_round(p, loop, i);
		add_group(p, streams, recipe->variant);
		program_call(p, OP_DEVICE_SYNC, streams[0]);
	}
	program_outside(p);
	program_end(p, streams[0]);
	return p;
}

/* As NVIDIA's simpleMultiCopy: ten rounds of a kernel, a copy in and a copy out, in a process that does other things
 * for ten times as long. */
static struct program *make_multi_copy(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe);
	int legacy = program_stream(p, STREAM_LEGACY, 0), loop = program_loop(p);

	(void)seed;
	program_begin(p, legacy);
	program_copy(p, legacy, WAY_IN, 300 * US);
	program_call(p, OP_DEVICE_SYNC, legacy);
	program_host(p, 40 * MS);
	for (int i = 0; i < 10; i++) {
		program_round(p, loop, i);
		program_kernel(p, legacy, "incKernel", 60 * US);
		program_copy(p, legacy, WAY_IN, 300 * US);
		program_copy(p, legacy, WAY_OUT, 300 * US);
	}
	program_outside(p);
	program_call(p, OP_DEVICE_SYNC, legacy);
	program_host(p, 20 * MS);
	program_end(p, legacy);
	return p;
}

/* ---- two GPUs ---- */

static void add_step(struct program *p, int own, int comm, int event)
{
	program_copy(p, own, WAY_IN, 200 * US);
	for (int i = 0; i < 12; i++)
		program_kernel(p, own, i % 2 ? "gemm" : "relu", 250 * US);
	program_on_event(p, OP_RECORD, own, event);
	program_on_event(p, OP_STREAM_WAIT, comm, event);
	program_kernel(p, comm, "ncclDevKernel_AllReduce_Sum_f32_RING_LL", 400 * US)->share = 0.1;
	program_on_event(p, OP_RECORD, comm, event + 1);
	program_on_event(p, OP_STREAM_WAIT, own, event + 1);
	program_kernel(p, own, "adam", 150 * US);
	program_call(p, OP_STREAM_SYNC, own);
}

/* A model of 166 tensors is copied from pageable memory; then come steps whose inputs are pinned. */
static struct program *make_two_gpus(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe);

	(void)seed;
	p->devices = 2;
	for (int device = 0; device < 2; device++) {
		int own = device == 0 ? program_stream(p, STREAM_LEGACY, 0)
				      : (program_thread(p), program_stream(p, STREAM_LEGACY, 1));
		int comm = program_stream(p, STREAM_NON_BLOCKING, device), event = program_event(p);
		int loop = program_loop(p);

		program_event(p);
		program_begin(p, own);
		for (int i = 0; i < 166; i++) {
			struct call *copy = program_copy(p, own, WAY_IN, 200 * US + i % 7 * 80 * US);

			copy->pageable = true;
			copy->bytes = copy->ns * 8;
		}
		for (int i = 0; i < 24; i++) {
			program_round(p, loop, i);
			add_step(p, own, comm, event);
		}
		program_outside(p);
		program_end(p, own);
	}
	return p;
}

/* A network whose step took 23.4 ms on an H100, and 20.0 ms when its inputs were copied ahead in a stream of their own:
 * images and labels from pinned memory, then kernels in the default stream. */
static struct program *make_network(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe);
	int legacy = program_stream(p, STREAM_LEGACY, 0), loop = program_loop(p);

	(void)seed;
	program_begin(p, legacy);
	for (int i = 0; i < ROUNDS; i++) {
		program_round(p, loop, i);
		program_copy(p, legacy, WAY_IN, 3500 * US);
		for (int label = 0; label < recipe->variant; label++)
			program_copy(p, legacy, WAY_IN, 2 * US)->bytes = 512;
		for (int k = 0; k < 120; k++)
			program_kernel(p, legacy, k % 3 ? "conv" : "relu", 164 * US);
	}
	program_outside(p);
	program_end(p, legacy);
	return p;
}

/* ---- pauses ---- */

enum { AFTER_FIRST, AFTER_WARM_UP, IN_THE_MIDDLE, EACH_TENTH };

static void add_pause(struct program *p, int64_t ns)
{
	program_outside(p);
	program_host(p, ns);
}

/* The host works for as long as 50 rounds: behind the first round, which loads what it needs; behind ten rounds of a
 * warm-up; in the middle of all rounds. Or it works for as long as 10 rounds each tenth round, which is part
 * of the loop. */
static struct program *make_paused(const struct recipe *recipe, uint64_t seed)
{
	static const int warm_ups[] = {[AFTER_FIRST] = 1, [AFTER_WARM_UP] = 10};
	struct program *p = begin(recipe);
	struct chain chain = usual;
	int warm_up = recipe->variant <= AFTER_WARM_UP ? warm_ups[recipe->variant] : 0, loop;

	(void)seed;
	chain.stream = program_stream(p, STREAM_LEGACY, 0);
	chain.wait = WAIT_STREAM;
	program_begin(p, chain.stream);
	for (int i = 0; i < warm_up; i++)
		program_chain(p, &chain);
	if (warm_up > 0)
		add_pause(p, 50 * 4 * MS);
	loop = program_loop(p);
	for (int i = 0; i < ROUNDS; i++) {
		if (i == ROUNDS / 2 && recipe->variant == IN_THE_MIDDLE) {
			add_pause(p, 50 * 4 * MS);
			loop = program_loop(p);
		}
		program_round(p, loop, i);
		program_chain(p, &chain);
		if (i % 10 == 9 && recipe->variant == EACH_TENTH)
			program_host(p, 10 * 4 * MS);
	}
	program_outside(p);
	program_end(p, chain.stream);
	return p;
}

/* ---- two threads, one stream ---- */

enum { FROM_PAGEABLE, FROM_PAGEABLE_RATE_KNOWN, WITH_ITEM, HOST_TOO_SLOW };

/* As PyTorch trains. With item() and batches that are copied ahead, the host comes too late each step; where its own
 * work takes as long as the GPU's, nothing is to be gained. */
static struct program *make_trainer(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe);
	struct trainer trainer = {.in = recipe->variant < WITH_ITEM ? 5 * MS : 600 * US,
		.pinned = recipe->variant == FROM_PAGEABLE_RATE_KNOWN ? 600 * US : 0,
		.kernel = 500 * US,
		.kernels = 6,
		.host = recipe->variant == HOST_TOO_SLOW ? 8 * MS : 400 * US,
		.there = 200 * US,
		.back = 400 * US,
		.pageable = recipe->variant < WITH_ITEM,
		.ahead = recipe->variant >= WITH_ITEM,
		.item = recipe->variant == WITH_ITEM};

	(void)seed;
	p->machine.early = 10 * US;
	program_trainer(p, &trainer, ROUNDS);
	return p;
}

/* As PyTorch trains on two GPUs. What one rank saves the other one saves too, and only what both do without. */
enum { ALIKE, ONE_COPIES_LESS, ONE_IS_SLOWER };

static struct program *make_ranks(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe);
	const struct parallel parallel = {.ranks = 2,
		.parts = 4,
		.in = 3 * MS,
		.part = recipe->variant == ONE_COPIES_LESS ? 0.2 : 1,
		.kernel = MS,
		.reduce = 500 * US,
		.host = 100 * US,
		.slower = recipe->variant == ONE_IS_SLOWER ? 1.2 : 1,
		.pageable = true};

	(void)seed;
	p->machine.early = 10 * US;
	program_data_parallel(p, &parallel, ROUNDS);
	return p;
}

/* ---- two processes ---- */

/* Each copies and computes by turns on the same GPU. While one waits, the other one keeps the engine busy. */
static struct program *make_processes(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe);
	struct chain chain = {.in = MS / 5, .kernel = MS, .out = MS / 5, .wait = WAIT_STREAM};

	(void)seed;
	for (int process = 0; process < 2; process++) {
		if (process > 0)
			program_process(p);
		chain.stream = program_stream(p, recipe->variant, 0);
		program_begin(p, chain.stream);
		program_chains(p, &chain, ROUNDS);
		program_end(p, chain.stream);
	}
	return p;
}

/* ---- nothing to be gained, or little ---- */

/* So many streams by turns; the host waits for the stream's round before it uses it again. */
static struct program *with_streams(const struct recipe *recipe, double noise)
{
	struct program *p = begin(recipe);
	int streams[3], events[3], loop = program_loop(p), n = recipe->variant;

	for (int i = 0; i < n; i++) {
		streams[i] = program_stream(p, STREAM_NON_BLOCKING, 0);
		events[i] = program_event(p);
	}
	program_begin(p, streams[0]);
	for (int i = 0; i < ROUNDS; i++) {
		struct chain chain = usual;

		chain.noise = noise;
		chain.stream = streams[i % n];
		program_round(p, loop, i);
		program_on_event(p, OP_EVENT_SYNC, chain.stream, events[i % n]);
		program_chain(p, &chain);
		program_on_event(p, OP_RECORD, chain.stream, events[i % n]);
	}
	program_outside(p);
	program_end(p, streams[0]);
	return p;
}

static struct program *make_buffered(const struct recipe *recipe, uint64_t seed)
{
	(void)seed;
	return with_streams(recipe, 0);
}

/* The rounds differ so much that two buffers are too few. */
static struct program *make_too_few(const struct recipe *recipe, uint64_t seed)
{
	(void)seed;
	return with_streams(recipe, 0.9);
}

static struct program *make_kernels(const struct recipe *recipe, uint64_t seed)
{
	(void)seed;
	return with_chain(recipe, STREAM_LEGACY, (struct chain){.kernel = 2 * MS, .kernels = 4});
}

static struct program *make_one_round(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe);
	struct chain chain = {.in = 20 * MS, .kernel = 40 * MS, .out = 20 * MS};

	(void)seed;
	chain.stream = program_stream(p, STREAM_LEGACY, 0);
	program_begin(p, chain.stream);
	program_chain(p, &chain);
	program_end(p, chain.stream);
	return p;
}

static struct program *make_upload_once(const struct recipe *recipe, uint64_t seed)
{
	struct program *p = begin(recipe);
	struct chain chain = {.kernel = 2 * MS, .kernels = 3};

	(void)seed;
	chain.stream = program_stream(p, STREAM_LEGACY, 0);
	program_begin(p, chain.stream);
	for (int i = 0; i < 20; i++)
		program_copy(p, chain.stream, WAY_IN, MS)->pageable = true;
	program_chains(p, &chain, ROUNDS);
	program_copy(p, chain.stream, WAY_OUT, 5 * MS);
	program_end(p, chain.stream);
	return p;
}

const struct recipe named_programs[] = {
	{"around", "plain", make_around, PLAIN},
	{"around", "memset-before", make_around, MEMSET_BEFORE},
	{"around", "memset-behind", make_around, MEMSET_BEHIND},
	{"around", "kernel-before", make_around, KERNEL_BEFORE},
	{"around", "kernel-behind", make_around, KERNEL_BEHIND},
	{"around", "memset-before-legacy", make_around_legacy, MEMSET_BEFORE},
	{"around", "kernel-behind-legacy", make_around_legacy, KERNEL_BEHIND},
	{"around", "two-inputs", make_two_inputs, 0},
	{"waits", "stream-sync", make_waiting, WAIT_STREAM},
	{"waits", "event-sync", make_waiting, WAIT_EVENT},
	{"waits", "device-sync", make_waiting, WAIT_DEVICE},
	{"waits", "host-behind", make_host_behind, 0},
	{"copies", "synchronous", make_copies, SYNCHRONOUS},
	{"copies", "pageable", make_copies, PAGEABLE},
	{"copies", "pageable-synchronous", make_copies, PAGEABLE | SYNCHRONOUS},
	{"memory", "memory-each-round", make_memory, WAIT_NONE},
	{"memory", "memory-behind-wait", make_memory, WAIT_STREAM},
	{"memory", "memory-each-tenth", make_memory_each_tenth, 0},
	{"memory", "memory-two-gpus", make_memory_two_gpus, 1},
	{"memory", "memory-two-gpus-each-fourth", make_memory_two_gpus, 4},
	{"memory", "memory-slow", make_memory_slow, 0},
	{"engines", "one-engine", make_one_engine, 2},
	{"engines", "one-engine-short-kernel", make_one_engine, 1},
	{"queue", "far-ahead", make_far_ahead, 4000},
	{"queue", "far-ahead-in-stretches", make_far_ahead, 25000},
	{"streams", "default-beside", make_default_beside, 0},
	{"streams", "events", make_events, false},
	{"streams", "events-without-id", make_events, true},
	{"streams", "joined-without-records", make_joined, 0},
	{"streams", "breadth-first", make_groups, BREADTH_FIRST},
	{"streams", "depth-first", make_groups, DEPTH_FIRST},
	{"streams", "multi-copy", make_multi_copy, 0},
	{"threads", "threads-stream-sync", make_threads, WAIT_STREAM},
	{"threads", "threads-no-wait", make_threads, WAIT_NONE},
	{"threads", "threads-anew", make_threads_anew, 0},
	{"threads", "threads-uneven-duplex", make_uneven, 0},
	{"threads", "threads-hand-over", make_hand_over, 0},
	{"processes", "two-processes", make_processes, STREAM_NON_BLOCKING},
	{"processes", "two-processes-legacy", make_processes, STREAM_LEGACY},
	{"gpus", "two-gpus", make_two_gpus, 0},
	{"data-parallel", "ranks-alike", make_ranks, ALIKE},
	{"data-parallel", "ranks-one-copies-less", make_ranks, ONE_COPIES_LESS},
	{"data-parallel", "ranks-one-is-slower", make_ranks, ONE_IS_SLOWER},
	{"training", "network", make_network, 1},
	{"training", "network-without-labels", make_network, 0},
	{"pauses", "paused-behind-first", make_paused, AFTER_FIRST},
	{"pauses", "paused-behind-warm-up", make_paused, AFTER_WARM_UP},
	{"pauses", "paused-in-the-middle", make_paused, IN_THE_MIDDLE},
	{"pauses", "paused-each-tenth", make_paused, EACH_TENTH},
	{"training", "threads-pageable", make_trainer, FROM_PAGEABLE},
	{"training", "threads-pageable-rate-known", make_trainer, FROM_PAGEABLE_RATE_KNOWN},
	{"training", "threads-item", make_trainer, WITH_ITEM},
	{"training", "threads-host-too-slow", make_trainer, HOST_TOO_SLOW},
	{"jitter", "two-buffers-too-few", make_too_few, 2},
	{"nothing", "two-buffers", make_buffered, 2},
	{"nothing", "three-buffers", make_buffered, 3},
	{"nothing", "kernels", make_kernels, 0},
	{"nothing", "one-round", make_one_round, 0},
	{"nothing", "upload-once", make_upload_once, 0},
	{0},
};
