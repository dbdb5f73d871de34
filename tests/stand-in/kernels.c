/*
 * kernels.c: a family for the stand-in GPU whose variants are told apart by the times of their kernels: each fills an
 * array of 4096 numbers in pieces. tests/counters.test counts them. KERNELS=NAME in the environment changes them:
 * - miscount: "third" launches a kernel that it does not tell
 * - alternate: "single" and "double" launch two kernels and three by turns, and tell it
 * - break: "third" fails as soon as another variant ran between its launches for the second time
 * - many: "library" launches ten kernels
 * - only-copy: "third" copies, and launches no kernel
 */
#include <stdlib.h>
#include <string.h>

#include "dbprof-variant.h"
#include "stand-in.h"

enum { N = 4096, QUARTER = N / 4, BLOCK = 128, PIECES = 4 };

struct state {
	struct resources resources;
	float *out, *host; /* on the device; pinned */
	const char *last;  /* variant that was launched */
	int launches, turns;
};

static void fill(const unsigned grid[3], const unsigned block[3], void **arguments)
{
	float *out = *(float **)arguments[0];
	unsigned n = grid[0] * block[0];

	for (unsigned i = 0; i < n; i++)
		out[i] = 1;
}

static const char fill_symbol;
static const struct stand_in_kernel fill_kernel = {"_Z4fillPf", fill, {sizeof(float *)}, 8, 0, 0};

__attribute__((constructor)) static void register_kernels(void)
{
	stand_in_kernel(&fill_symbol, &fill_kernel);
}

static bool misbehaves(const char *how)
{
	const char *asked = getenv("KERNELS");

	return asked != NULL && strstr(asked, how) != NULL;
}

/* ---- state ---- */

static size_t device_bytes(const struct size_case *size)
{
	(void)size;
	return sizeof(float) * N;
}

static void work(const struct size_case *size, struct work *out)
{
	(void)size;
	out->elements = N;
	out->bytes = sizeof(float) * N;
}

static cudaError_t set_up(const struct size_case *size, uint64_t seed, void **state, char *message, size_t message_size)
{
	struct state *s = state_new(sizeof *s, message, message_size);

	(void)size;
	(void)seed;
	*state = NULL;
	if (s == NULL)
		return cudaErrorMemoryAllocation;
	s->out = resources_memory(&s->resources, RESOURCE_DEVICE, sizeof(float) * N);
	s->host = resources_memory(&s->resources, RESOURCE_PINNED, sizeof(float) * N);
	s->last = "";
	return state_ready(s, state);
}

static cudaError_t poison(void *state, cudaStream_t stream)
{
	struct state *s = state;

	return cudaMemsetAsync(s->out, POISON_BYTE, sizeof(float) * N, stream);
}

static cudaError_t check(void *state, struct check_result *out)
{
	struct state *s = state;
	cudaError_t code = cudaMemcpy(s->host, s->out, sizeof(float) * N, cudaMemcpyDeviceToHost);

	compare_begin(out);
	for (int i = 0; i < N && code == cudaSuccess; i++)
		compare_next(out, s->host[i], 1, FLOAT_ROUNDOFF);
	return code;
}

/* ---- launches ---- */

/* Fills the array with kernels of so many quarters each: up to a 0, or backwards. */
static cudaError_t launch(
	struct state *s, const char *name, const int *quarters, cudaStream_t stream, struct enqueued *done)
{
	const bool backwards = strcmp(s->last, name) != 0;
	struct queue q = {done, cudaSuccess};
	float *out = s->out;
	int n = 0;

	s->turns = strcmp(name, "third") == 0 ? s->turns + backwards : s->turns;
	s->last = name;
	s->launches++;
	if (misbehaves("break") && strcmp(name, "third") == 0 && s->turns == 2)
		return cudaErrorLaunchOutOfResources;
	while (quarters[n] > 0)
		n++;
	for (int i = 0; i < n; i++) {
		int length = quarters[backwards ? n - 1 - i : i] * QUARTER;
		struct kernel_config filling = config_linear(&fill_symbol, length, BLOCK);

		queue_kernel(&q, &filling, (void *[]){&out}, stream);
		out += length;
	}
	return q.error;
}

static const int *pieces_of(const struct state *s, const int *usual)
{
	static const int two[] = {2, 2, 0}, three[] = {1, 1, 2, 0};

	if (!misbehaves("alternate"))
		return usual;
	return s->launches % 2 == 0 ? two : three;
}

/* A kernel that nobody is told of, of a quarter. */
static cudaError_t launch_untold(struct state *s, cudaStream_t stream, struct enqueued *done)
{
	static const int quarter[] = {1, 0};
	struct enqueued untold = *done;

	return launch(s, s->last, quarter, stream, &untold);
}

static cudaError_t launch_library(void *state, cudaStream_t stream, struct enqueued *done)
{
	static const int all[] = {4, 0};
	int more = misbehaves("many") ? 9 : 2;
	cudaError_t code = launch(state, "library", all, stream, done);

	for (int i = 0; i < more && code == cudaSuccess; i++)
		code = launch_untold(state, stream, done);
	return code;
}

static cudaError_t launch_single(void *state, cudaStream_t stream, struct enqueued *done)
{
	static const int all[] = {4, 0};

	return launch(state, "single", pieces_of(state, all), stream, done);
}

static cudaError_t launch_double(void *state, cudaStream_t stream, struct enqueued *done)
{
	static const int unequal[] = {1, 3, 0};

	return launch(state, "double", pieces_of(state, unequal), stream, done);
}

/* The whole result from the host. */
static cudaError_t launch_copy(struct state *s, cudaStream_t stream, struct enqueued *done)
{
	struct queue q = {done, cudaSuccess};

	for (int i = 0; i < N; i++)
		s->host[i] = 1;
	queue_copy(&q, s->out, s->host, sizeof(float) * N, cudaMemcpyHostToDevice, stream);
	return q.error;
}

static cudaError_t launch_third(void *state, cudaStream_t stream, struct enqueued *done)
{
	static const int unequal[] = {3, 1, 0};
	cudaError_t code;

	if (misbehaves("only-copy"))
		return launch_copy(state, stream, done);
	code = launch(state, "third", unequal, stream, done);
	return misbehaves("miscount") && code == cudaSuccess ? launch_untold(state, stream, done) : code;
}

static cudaError_t launch_copying(void *state, cudaStream_t stream, struct enqueued *done)
{
	static const int halves[] = {2, 2, 0};
	struct state *s = state;
	struct queue q = {done, cudaSuccess};

	queue_copy(&q, s->out, s->host, sizeof(float), cudaMemcpyHostToDevice, stream);
	return q.error == cudaSuccess ? launch(s, "copying", halves, stream, done) : q.error;
}

/* Tells of a copy that leaves no record. */
static cudaError_t launch_batching(void *state, cudaStream_t stream, struct enqueued *done)
{
	done->copies++;
	return launch_copying(state, stream, done);
}

/* ---- tables ---- */

static const struct variant variants[] = {
	{.name = "library",
		.summary = "launches more than it tells",
		.kind = VARIANT_REFERENCE,
		.opaque_launches = true,
		.launch = launch_library},
	{.name = "single",
		.summary = "one kernel",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = launch_single,
		.rung = {.step = 1}},
	{.name = "double",
		.summary = "two kernels, the second longer",
		.kind = VARIANT_CANDIDATE,
		.buffers = 3,
		.launch = launch_double},
	{.name = "third",
		.summary = "two kernels, the first longer",
		.kind = VARIANT_REFERENCE,
		.launch = launch_third},
	{.name = "copying", .summary = "a copy, too", .kind = VARIANT_REFERENCE, .launch = launch_copying},
	{.name = "batching",
		.summary = "copies by batches",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.batches_copies = true,
		.launch = launch_batching,
		.rung = {2, "single", "batches", NULL}},
};

static const struct param params[] = {{"n", "elements", "length", N, N, NULL}};
static const struct size_case cases[] = {{"all", {N}, false, NULL, 0, 0}};

static const struct family family = {
	.name = "kernels",
	.title = "Kernels on a GPU made of host memory",
	.question = "Whose counters are these?",
	.teaches = "Kernels that are counted together are told apart.",
	.source = "the tests of dbprof",
	.file = "kernels.c",
	.throughput = "GB/s",
	.bound_by = "device memory",
	.params = params,
	.nparams = sizeof params / sizeof params[0],
	.cases = cases,
	.ncases = sizeof cases / sizeof cases[0],
	.variants = variants,
	.nvariants = sizeof variants / sizeof variants[0],
	.single = "single",
	.double_ = "double",
	.device_bytes = device_bytes,
	.work = work,
	.set_up = set_up,
	.tear_down = state_free,
	.poison = poison,
	.check = check,
};

DBPROF_PLUGIN(&family);
