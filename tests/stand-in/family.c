/*
 * family.c: a family for the stand-in GPU, whose kernels the CPU runs: a pipeline of copies, two kernels and a memset,
 * with one buffer and with two. All passes have something to do in it, and what each gives can be worked out:
 * tests/record.test does. `--load` takes it like any other.
 */
#include "dbprof-variant.h"
#include "stand-in.h"

enum { PARAM_N, PARAM_CHUNK, BLOCK = 128, BUFFERS = 2, WARPS = BLOCK / 32, STEPS = 4 };
enum { FIRST_CYCLE = 1000, PHASE_CYCLES = 100, PHASES = 3 * STEPS + 1, LOAD_CYCLES = 400, LIFE_CYCLES = 3200 };

struct state {
	struct resources resources;
	int n, chunk;
	float *in, *out; /* pinned */
	float *device_in[BUFFERS], *device_out[BUFFERS];
	cudaStream_t stream[BUFFERS];
	cudaEvent_t fork, join[BUFFERS];
};

/* ---- kernels ---- */

/* Threads of a grid, each of which has an element. */
static int threads(const unsigned grid[3], const unsigned block[3], int n)
{
	int all = (int)(grid[0] * block[0]);

	return all < n ? all : n;
}

/* out[i] = 2 in[i] */
static void scale(const unsigned grid[3], const unsigned block[3], void **arguments)
{
	float *out = *(float **)arguments[0];
	const float *in = *(const float **)arguments[1];
	int n = threads(grid, block, *(int *)arguments[2]);

	for (int i = 0; i < n; i++)
		out[i] = 2 * in[i];
}

/* out[i] += 1 */
static void add(const unsigned grid[3], const unsigned block[3], void **arguments)
{
	float *out = *(float **)arguments[0];
	int n = threads(grid, block, *(int *)arguments[1]);

	for (int i = 0; i < n; i++)
		out[i] += 1;
}

/* The stamps of a segment, as spread_stamps of phase.cuh has them; the first one comes from a block that is held up. */
static void spread(const struct phase_board *board, unsigned window, unsigned *stamps)
{
	unsigned segment = (window + board->turn) % board->segments;
	unsigned first = segment == 0 ? 0 : 3 * segment - 1, last = segment == STEPS ? PHASES : 3 * segment + 2;

	for (unsigned i = 0; i < SEGMENT_STAMPS; i++)
		stamps[i] = FIRST_CYCLE + (window + board->turn == 0 ? 10 : 1) * PHASES * PHASE_CYCLES;
	stamps[0] = FIRST_CYCLE;
	for (unsigned n = first + 1; n <= last; n++)
		stamps[n - first] = FIRST_CYCLE + n * PHASE_CYCLES;
	if (segment < STEPS)
		stamps[last - first] += STAND_IN_LEAVE_CYCLES;
}

/* The stamps of a warp that takes all: of its begin, and of the end of each phase that is no wait. */
static void all(const struct phase_board *board, unsigned *stamps)
{
	for (unsigned i = 0; i < board->stamps_per_warp; i++)
		stamps[i] = FIRST_CYCLE + (i / 2 * 3 + i % 2) * PHASE_CYCLES;
}

/* The stamps of a block, as with_phases() of phase.cuh has them: each phase takes as long. */
static void stamp(const struct phase_board *board, unsigned block)
{
	unsigned window = block >> board->shift, place = block + board->skew * window;

	for (unsigned warp = 0; (place & board->mask) == 0 && warp < board->warps; warp++) {
		unsigned row = window * board->warps + warp;

		if ((place & (board->mask + 1)) != 0) {
			board->ends[2 * row] = FIRST_CYCLE;
			board->ends[2 * row + 1] = FIRST_CYCLE + PHASES * PHASE_CYCLES;
		}
		if ((place & (board->mask + 1)) == 0 && board->segments > 0)
			spread(board, window, board->stamps + (size_t)row * board->stamps_per_warp);
		else if ((place & (board->mask + 1)) == 0)
			all(board, board->stamps + (size_t)row * board->stamps_per_warp);
	}
}

static void scale_phases(const unsigned grid[3], const unsigned block[3], void **arguments)
{
	scale(grid, block, arguments);
	for (unsigned i = 0; i < grid[0]; i++)
		stamp(arguments[3], i);
}

/* The records of a block, as warp_meter of role.cuh has them: the last warp is a producer. A wait of the others takes
 * as long as a load where nothing is loaded ahead, and a tenth of that elsewhere; every other one is timed. */
static void meter(const struct role_board *board, unsigned block, bool ahead)
{
	struct role_record *record = board->records + (size_t)block * board->warps;

	for (unsigned warp = 0; warp + 1 < board->warps; warp++)
		record[warp] = (struct role_record){ROLE_CONSUMER, STEPS, STEPS / 2,
			STEPS / 2 * (ahead ? LOAD_CYCLES / 10 : LOAD_CYCLES), 0, 0, LIFE_CYCLES};
	record[board->warps - 1] = (struct role_record){ROLE_PRODUCER, STEPS, STEPS, STEPS * PHASE_CYCLES,
		ahead ? 0 : STEPS, ahead ? 0 : STEPS * LOAD_CYCLES, LIFE_CYCLES};
}

static void scale_roles(const unsigned grid[3], const unsigned block[3], void **arguments)
{
	scale(grid, block, arguments);
	for (unsigned i = 0; i < grid[0]; i++)
		meter(arguments[3], i, *(int *)arguments[4]);
}

/* The addresses that kernels are launched by. */
static const char scale_symbol, scale_phases_symbol, scale_roles_symbol, add_symbol;

static const struct stand_in_kernel scale_kernel = {
	"_Z5scalePfPKfi", scale, {sizeof(float *), sizeof(float *), sizeof(int)}, 20, 1024, 0};
static const struct stand_in_kernel scale_phases_kernel = {"_Z12scale_phasesPfPKfi11phase_board", scale_phases,
	{sizeof(float *), sizeof(float *), sizeof(int), sizeof(struct phase_board)}, 24, 1024, 0};
static const struct stand_in_kernel scale_roles_kernel = {"_Z11scale_rolesPfPKfi10role_boardi", scale_roles,
	{sizeof(float *), sizeof(float *), sizeof(int), sizeof(struct role_board), sizeof(int)}, 22, 1024, 0};
static const struct stand_in_kernel add_kernel = {"_Z3addPfi", add, {sizeof(float *), sizeof(int)}, 10, 0, 0};

__attribute__((constructor)) static void register_kernels(void)
{
	stand_in_kernel(&scale_symbol, &scale_kernel);
	stand_in_kernel(&scale_phases_symbol, &scale_phases_kernel);
	stand_in_kernel(&scale_roles_symbol, &scale_roles_kernel);
	stand_in_kernel(&add_symbol, &add_kernel);
}

/* ---- state ---- */

static size_t device_bytes(const struct size_case *size)
{
	return sizeof(float) * 2 * BUFFERS * (size_t)size->value[PARAM_N];
}

/* The case that a test names is for a host that nobody has. */
static size_t host_bytes(const struct size_case *size)
{
	const char *lacks = getenv("STAND_IN_LACKS");

	return lacks && strcmp(lacks, size->label) == 0 ? (size_t)1 << 60 : device_bytes(size);
}

static void work(const struct size_case *size, struct work *out)
{
	out->elements = (double)size->value[PARAM_N];
	out->flops = 2 * out->elements;
	out->bytes = 2 * sizeof(float) * out->elements;
}

static void make_buffers(struct state *s)
{
	size_t bytes = sizeof(float) * (size_t)s->n;

	s->in = resources_memory(&s->resources, RESOURCE_PINNED, bytes);
	s->out = resources_memory(&s->resources, RESOURCE_PINNED, bytes);
	s->fork = resources_event(&s->resources);
	for (int i = 0; i < BUFFERS; i++) {
		s->device_in[i] = resources_memory(&s->resources, RESOURCE_DEVICE, bytes);
		s->device_out[i] = resources_memory(&s->resources, RESOURCE_DEVICE, bytes);
		s->stream[i] = resources_stream(&s->resources, 0);
		s->join[i] = resources_event(&s->resources);
	}
}

static cudaError_t set_up(const struct size_case *size, uint64_t seed, void **state, char *message, size_t message_size)
{
	struct state *s = state_new(sizeof *s, message, message_size);
	struct splitmix random = {seed};

	*state = NULL;
	if (s == NULL)
		return cudaErrorMemoryAllocation;
	s->n = (int)size->value[PARAM_N];
	s->chunk = (int)size->value[PARAM_CHUNK];
	make_buffers(s);
	if (s->in != NULL)
		random_floats(&random, s->in, (size_t)s->n);
	return state_ready(s, state);
}

static cudaError_t poison(void *state, cudaStream_t stream)
{
	struct state *s = state;

	return cudaMemsetAsync(s->out, POISON_BYTE, sizeof(float) * (size_t)s->n, stream);
}

static cudaError_t check(void *state, struct check_result *out)
{
	struct state *s = state;
	cudaError_t code = cudaDeviceSynchronize();

	compare_begin(out);
	for (int i = 0; i < s->n && code == cudaSuccess; i++) {
		double want = 2.0 * s->in[i] + 1;

		compare_next(out, s->out[i], want, FLOAT_ROUNDOFF * 2 * fabs(want) + FLOAT_ROUNDOFF);
	}
	return code;
}

// begin unchunked, single, double, forgetful
/* A chunk comes in, is scaled and added to, and goes out. */
static void enqueue_chunk(struct state *s, struct queue *q, int first, int n, int buffer, cudaStream_t stream)
{
	float *in = s->device_in[buffer], *out = s->device_out[buffer];
	struct kernel_config scaling = config_linear(&scale_symbol, n, BLOCK);
	struct kernel_config adding = config_linear(&add_symbol, n, BLOCK);

	queue_copy(q, in, s->in + first, sizeof(float) * (size_t)n, cudaMemcpyHostToDevice, stream);
	queue_kernel(q, &scaling, (void *[]){&out, &in, &n}, stream);
	queue_kernel(q, &adding, (void *[]){&out, &n}, stream);
	queue_copy(q, s->out + first, out, sizeof(float) * (size_t)n, cudaMemcpyDeviceToHost, stream);
}

static void clear(struct state *s, struct queue *q, cudaStream_t stream)
{
	queue_note(q, cudaMemsetAsync(s->device_out[0], 0, sizeof(float) * (size_t)s->n, stream));
	q->done->memsets += q->error == cudaSuccess;
}

static int length(const struct state *s, int first)
{
	return s->n - first < s->chunk ? s->n - first : s->chunk;
}
// end unchunked, single, double, forgetful

// begin unchunked
static cudaError_t launch_unchunked(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct state *s = state;
	struct queue q = {done, cudaSuccess};

	clear(s, &q, stream);
	enqueue_chunk(s, &q, 0, s->n, 0, stream);
	return q.error;
}
// end unchunked

// begin single
static cudaError_t launch_single(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct state *s = state;
	struct queue q = {done, cudaSuccess};

	clear(s, &q, stream);
	for (int first = 0; first < s->n; first += s->chunk)
		enqueue_chunk(s, &q, first, length(s, first), 0, stream);
	return q.error;
}
// end single

// begin double
static cudaError_t launch_double(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct state *s = state;
	struct queue q = {done, cudaSuccess};

	clear(s, &q, stream);
	queue_record(&q, s->fork, stream);
	for (int i = 0; i < BUFFERS; i++)
		queue_wait(&q, s->stream[i], s->fork);
	for (int first = 0, i = 0; first < s->n; first += s->chunk, i = (i + 1) % BUFFERS)
		enqueue_chunk(s, &q, first, length(s, first), i, s->stream[i]);
	for (int i = 0; i < BUFFERS; i++) {
		queue_record(&q, s->join[i], s->stream[i]);
		queue_wait(&q, stream, s->join[i]);
	}
	return q.error;
}
// end double

// begin forgetful
/* The last chunk is never made. */
static cudaError_t launch_forgetful(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct state *s = state;
	struct queue q = {done, cudaSuccess};

	clear(s, &q, stream);
	for (int first = 0; first + s->chunk < s->n; first += s->chunk)
		enqueue_chunk(s, &q, first, length(s, first), 0, stream);
	return q.error;
}
// end forgetful

/* ---- items: of the chunks of a launch, with times that depend on nothing ---- */

static int items(const void *state, struct item *out, int most)
{
	const struct state *s = state;
	int n = (s->n + s->chunk - 1) / s->chunk;

	for (int i = 0; i < n && i < most; i++)
		out[i] = (struct item){1000 * i, 1000 * i + 100, 1000 * i + 600 + 10 * i, 400, i % 2 == 1};
	return n;
}

/* ---- time stamps ---- */

static cudaError_t config(void *state, struct kernel_config *out)
{
	const struct state *s = state;

	*out = config_linear(&scale_symbol, length(s, 0), BLOCK);
	return cudaSuccess;
}

/* All of it in one piece. */
static cudaError_t launch_phases(
	void *state, cudaStream_t stream, const struct phase_board *board, struct kernel_config *configuration)
{
	struct state *s = state;
	struct queue q = {&(struct enqueued){0, 0, 0}, cudaSuccess};
	struct phase_board copy = *board;
	size_t bytes = sizeof(float) * (size_t)s->n;

	*configuration = config_linear(&scale_phases_symbol, s->n, BLOCK);
	queue_copy(&q, s->device_in[0], s->in, bytes, cudaMemcpyHostToDevice, stream);
	queue_kernel(&q, configuration, (void *[]){&s->device_out[0], &s->device_in[0], &s->n, &copy}, stream);
	configuration->function = &add_symbol;
	queue_kernel(&q, configuration, (void *[]){&s->device_out[0], &s->n}, stream);
	configuration->function = &scale_phases_symbol;
	queue_copy(&q, s->out, s->device_out[0], bytes, cudaMemcpyDeviceToHost, stream);
	return q.error;
}

/* ---- roles ---- */

/* As enqueue_chunk() does it, with the first chunk's kernel metered. */
static cudaError_t enqueue_metered(struct state *s, int chunk, cudaStream_t stream, const struct role_board *board,
	struct kernel_config *configuration)
{
	struct queue q = {&(struct enqueued){0, 0, 0}, cudaSuccess};
	struct role_board copy = *board;
	float *in = s->device_in[0], *out = s->device_out[0];
	int ahead = chunk == s->n;

	clear(s, &q, stream);
	for (int first = 0; first < s->n; first += chunk) {
		int n = s->n - first < chunk ? s->n - first : chunk;
		struct kernel_config scaling =
			config_linear(first == 0 ? &scale_roles_symbol : &scale_symbol, n, BLOCK);
		struct kernel_config adding = config_linear(&add_symbol, n, BLOCK);

		queue_copy(&q, in, s->in + first, sizeof(float) * (size_t)n, cudaMemcpyHostToDevice, stream);
		queue_kernel(&q, &scaling, (void *[]){&out, &in, &n, &copy, &ahead}, stream);
		queue_kernel(&q, &adding, (void *[]){&out, &n}, stream);
		queue_copy(&q, s->out + first, out, sizeof(float) * (size_t)n, cudaMemcpyDeviceToHost, stream);
		if (first == 0)
			*configuration = scaling;
	}
	return q.error;
}

static cudaError_t launch_roles_single(
	void *state, cudaStream_t stream, const struct role_board *board, struct kernel_config *configuration)
{
	struct state *s = state;

	return enqueue_metered(s, s->chunk, stream, board, configuration);
}

static cudaError_t launch_roles_unchunked(
	void *state, cudaStream_t stream, const struct role_board *board, struct kernel_config *configuration)
{
	struct state *s = state;

	return enqueue_metered(s, s->n, stream, board, configuration);
}

static const struct role_plan roles = {1024, "single"};

static cudaError_t config_unchunked(void *state, struct kernel_config *out)
{
	const struct state *s = state;

	*out = config_linear(&scale_symbol, s->n, BLOCK);
	return cudaSuccess;
}

static int steps(const void *state)
{
	(void)state;
	return STEPS;
}

static bool spreads(const void *state)
{
	(void)state;
	return getenv("STAND_IN_SPREAD") != NULL;
}

static const struct phase_plan plan = {"", "lwc", "s", steps, spreads};

/* ---- tables ---- */

/* A chunk that is alone needs no second one. */
static int buffers_of_double(const struct cudaDeviceProp *device, const struct size_case *size)
{
	(void)device;
	return size->value[PARAM_N] > size->value[PARAM_CHUNK] ? 2 : 1;
}

static const struct variant variants[] = {
	{
		.name = "unchunked",
		.summary = "all of it in one piece",
		.kind = VARIANT_REFERENCE,
		.launch = launch_unchunked,
		.config = config_unchunked,
		.launch_phases = launch_phases,
		.phases = &plan,
		.launch_roles = launch_roles_unchunked,
		.roles = &roles,
	},
	{
		.name = "single",
		.summary = "one buffer, one stream",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = launch_single,
		.config = config,
		.launch_roles = launch_roles_single,
		.roles = &roles,
		.items = items,
	},
	{
		.name = "double",
		.summary = "two buffers, two streams",
		.kind = VARIANT_CANDIDATE,
		.buffers = 2,
		.launch = launch_double,
		.buffers_of = buffers_of_double,
		.config = config,
		.items = items,
	},
	{
		.name = "forgetful",
		.summary = "one buffer, without the last chunk",
		.kind = VARIANT_CONTROL,
		.buffers = 1,
		.teaches_failure = true,
		.launch = launch_forgetful,
		.config = config,
	},
};

static const struct param params[] = {
	[PARAM_N] = {"n", "elements", "length", 1, 1 << 20, NULL},
	[PARAM_CHUNK] = {"chunk", "elements", "length of a chunk", 1, 1 << 20, NULL},
};

static const struct size_case cases[] = {
	{"headline", {4096, 1024}, false, NULL, 0, 0},
	{"ragged", {1001, 300}, true, NULL, 0, 0},
};

static const struct sweep sweeps[] = {
	{
		.name = "chunk",
		.title = "Length of a chunk",
		.question = "Do shorter chunks pay?",
		.naxes = 1,
		.axis = {{PARAM_CHUNK, 2, {512, 2048}}},
	},
};

static const struct family family = {
	.name = "pipeline",
	.title = "A pipeline on a GPU made of host memory",
	.question = "Does a second buffer pay where the times are known?",
	.teaches = "Kernels take longest here, and a second buffer hides all copies but the first and the last.",
	.source = "the tests of dbprof",
	.file = "family.c",
	.throughput = "GB/s",
	.bound_by = "PCIe",
	.params = params,
	.nparams = sizeof params / sizeof params[0],
	.cases = cases,
	.ncases = sizeof cases / sizeof cases[0],
	.variants = variants,
	.nvariants = sizeof variants / sizeof variants[0],
	.single = "single",
	.double_ = "double",
	.sweeps = sweeps,
	.nsweeps = sizeof sweeps / sizeof sweeps[0],
	.device_bytes = device_bytes,
	.host_bytes = host_bytes,
	.work = work,
	.set_up = set_up,
	.tear_down = state_free,
	.poison = poison,
	.check = check,
};

DBPROF_PLUGIN(&family);
