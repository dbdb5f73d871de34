/*
 * ladder.c: a family for the stand-in GPU with a ladder: each rung launches its kernel a number of times, so that the
 * gains are known. Its top rung takes a GPU of one kind. One library computes as it was asked to, another, which is
 * faster, does not.
 */
#include "ladder.h"

enum { PARAM_N, BLOCK = 128 };

struct state {
	struct resources resources;
	int n;
	float *in, *out; /* pinned */
	float *device_in, *device_out;
};

/* ---- kernels ---- */

void ladder_kernel(const unsigned grid[3], const unsigned block[3], void **arguments)
{
	float *out = *(float **)arguments[0];
	const float *in = *(const float **)arguments[1];

	for (unsigned i = 0; i < grid[0] * block[0]; i++)
		out[i] = 2 * in[i] + 1;
}

static const char plain_symbol, float_symbol, tensor_symbol;

static void register_kernel(const char *symbol, struct stand_in_kernel *kernel, const char *name)
{
	*kernel = (struct stand_in_kernel){name, ladder_kernel, {sizeof(float *), sizeof(float *)}, 32, 0, 0};
	stand_in_kernel(symbol, kernel);
}

__attribute__((constructor)) static void register_kernels(void)
{
	static struct stand_in_kernel kernels[3];

	register_kernel(&plain_symbol, &kernels[0], "_Z5plainPfPKf");
	register_kernel(&float_symbol, &kernels[1], "_Z10simt_sgemmPfPKf");
	register_kernel(&tensor_symbol, &kernels[2], "_Z18tensorop_s1688tf32PfPKf");
}

/* ---- state ---- */

static size_t device_bytes(const struct size_case *size)
{
	return 2 * sizeof(float) * (size_t)size->value[PARAM_N];
}

static void work(const struct size_case *size, struct work *out)
{
	out->elements = (double)size->value[PARAM_N];
	out->flops = 1000 * out->elements;
	out->bytes = 2 * sizeof(float) * out->elements;
}

static cudaError_t set_up(const struct size_case *size, uint64_t seed, void **state, char *message, size_t message_size)
{
	struct state *s = state_new(sizeof *s, message, message_size);
	size_t bytes = sizeof(float) * (size_t)size->value[PARAM_N];
	struct splitmix random = {seed};

	*state = NULL;
	if (s == NULL)
		return cudaErrorMemoryAllocation;
	s->n = (int)size->value[PARAM_N];
	s->in = resources_memory(&s->resources, RESOURCE_PINNED, bytes);
	s->out = resources_memory(&s->resources, RESOURCE_PINNED, bytes);
	s->device_in = resources_memory(&s->resources, RESOURCE_DEVICE, bytes);
	s->device_out = resources_memory(&s->resources, RESOURCE_DEVICE, bytes);
	if (s->device_in != NULL && s->in != NULL) {
		random_floats(&random, s->in, (size_t)s->n);
		cudaMemcpy(s->device_in, s->in, bytes, cudaMemcpyHostToDevice);
	}
	return state_ready(s, state);
}

static cudaError_t poison(void *state, cudaStream_t stream)
{
	struct state *s = state;

	return cudaMemsetAsync(s->device_out, POISON_BYTE, sizeof(float) * (size_t)s->n, stream);
}

static cudaError_t check(void *state, struct check_result *out)
{
	struct state *s = state;
	cudaError_t code = cudaMemcpy(s->out, s->device_out, sizeof(float) * (size_t)s->n, cudaMemcpyDeviceToHost);

	compare_begin(out);
	for (int i = 0; i < s->n && code == cudaSuccess; i++) {
		double want = 2.0 * s->in[i] + 1;

		compare_next(out, s->out[i], want, FLOAT_ROUNDOFF * 2 * fabs(want) + FLOAT_ROUNDOFF);
	}
	return code;
}

cudaError_t ladder_launch(void *state, const void *symbol, int times, cudaStream_t stream, struct enqueued *done)
{
	struct state *s = state;
	struct queue q = {done, cudaSuccess};
	struct kernel_config config = config_linear(symbol, s->n, BLOCK);

	for (int i = 0; i < times; i++)
		queue_kernel(&q, &config, (void *[]){&s->device_out, &s->device_in}, stream);
	return q.error;
}

/* ---- variants ---- */

#define LAUNCH(name, symbol, times)                                                                                    \
	static cudaError_t launch_##name(void *state, cudaStream_t stream, struct enqueued *done)                      \
	{                                                                                                              \
		return ladder_launch(state, symbol, times, stream, done);                                              \
	}

// begin plain, vector, buffers, tma-scalar, library, library-tf32
LAUNCH(plain, &plain_symbol, 6)
LAUNCH(vector, &plain_symbol, 4)
LAUNCH(buffers, &plain_symbol, 3)
LAUNCH(scalar, &plain_symbol, 3)
LAUNCH(library, &float_symbol, 2)
LAUNCH(library_tf32, &tensor_symbol, 1)
// end plain, vector, buffers, tma-scalar, library, library-tf32

static cudaError_t config(void *state, struct kernel_config *out)
{
	const struct state *s = state;

	*out = config_linear(&plain_symbol, s->n, BLOCK);
	return cudaSuccess;
}

static const struct variant variants[] = {
	{
		.name = "plain",
		.summary = "the plainest kernel",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = launch_plain,
		.config = config,
		.rung = {.step = 1},
	},
	{
		.name = "vector",
		.summary = "loads four numbers at once",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = launch_vector,
		.config = config,
		.rung = {.step = 2, .over = "plain", .change = "16-byte loads"},
	},
	{
		.name = "buffers",
		.summary = "loads into a second buffer meanwhile",
		.kind = VARIANT_CANDIDATE,
		.buffers = 2,
		.launch = launch_buffers,
		.config = config,
		.rung = {.step = 3, .over = "vector", .change = "a second buffer"},
	},
	{
		.name = "tma",
		.summary = "has a unit of one kind of GPU load",
		.kind = VARIANT_CANDIDATE,
		.buffers = 2,
		.launch = ladder_top_launch,
		.config = ladder_top_config,
		.rung = {.step = 4, .over = "buffers", .change = "loads by TMA"},
		.file = "ladder-90a.c",
	},
	{
		.name = "tma-scalar",
		.summary = "the top without wide loads",
		.kind = VARIANT_CONTROL,
		.buffers = 2,
		.launch = launch_scalar,
		.config = config,
		.rung = {.over = "tma", .change = "16-byte loads", .along = "swizzle"},
	},
	{
		.name = "library",
		.summary = "a library, float all the way",
		.kind = VARIANT_REFERENCE,
		.launch = launch_library,
		.kernel = "sgemm|f32f32_f32f32",
	},
	{
		.name = "library-tf32",
		.summary = "a library that takes the liberty to round",
		.kind = VARIANT_REFERENCE,
		.launch = launch_library_tf32,
		.kernel = "sgemm|f32f32_f32f32",
	},
};

static const struct param params[] = {
	[PARAM_N] = {"n", "elements", "length", BLOCK, 1 << 20, NULL},
};

static const struct size_case cases[] = {
	{"headline", {1 << 16}, false, NULL, 0, 0},
	{"small", {1 << 10}, false, NULL, 0, 0},
};

static const struct family family = {
	.name = "climb",
	.title = "A ladder on a GPU made of host memory",
	.question = "How much does each rung of the ladder gain where the times are known?",
	.teaches = "Each rung launches fewer kernels than the one below it.",
	.source = "the tests of dbprof",
	.file = "ladder.c",
	.throughput = "GFLOP/s",
	.bound_by = "device memory",
	.params = params,
	.nparams = sizeof params / sizeof params[0],
	.cases = cases,
	.ncases = sizeof cases / sizeof cases[0],
	.variants = variants,
	.nvariants = sizeof variants / sizeof variants[0],
	.single = "vector",
	.double_ = "buffers",
	.device_bytes = device_bytes,
	.work = work,
	.set_up = set_up,
	.tear_down = state_free,
	.poison = poison,
	.check = check,
};

DBPROF_PLUGIN(&family);
