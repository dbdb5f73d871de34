/* self-test.cu: dbprof's own test on the user's GPU: a kernel against itself, and against one made slower on purpose.
 */
#include "compare.h"
#include "families.h"
#include "queue.h"
#include "random.h"
#include "resources.h"

enum { PARAM_N, PARAM_PERCENT, PARAM_TRIAL, PARAM_ROUND };

/* Nearly all of the time is in the loop, which takes as long as it has turns, so that 2 % more turns are 2 % more time
 * but for the launch and the two accesses to memory. TURNS is a multiple of 100: any percentage of it is whole. */
enum { BLOCK = 256, TURNS = 500, TURN_FMAS = 10 };

struct self_test_state {
	struct resources resources;
	int n, percent;
	float *in, *out; /* device */
	float *host_in, *host_out;
};

/* y = y / 2 + x comes closer to 2 x in each round, and after a few dozen it stays there: turns beyond those cost time
 * and change nothing. */
// begin base, again, slower
__global__ void __launch_bounds__(BLOCK) self_test(const float *in, float *out, int n, int turns)
{
	const int i = blockIdx.x * BLOCK + threadIdx.x;
	const float x = i < n ? in[i] : 0.0f;
	float y = 0.0f;

#pragma unroll 1
	for (int turn = 0; turn < turns; turn++) {
#pragma unroll
		for (int k = 0; k < TURN_FMAS; k++)
			y = fmaf(y, 0.5f, x); // each waits for the one before
	}
	if (i < n)
		out[i] = y;
}
// end base, again, slower

static cudaError_t self_test_config(void *state, struct kernel_config *out)
{
	*out = config_linear((const void *)self_test, ((const struct self_test_state *)state)->n, BLOCK);
	return cudaSuccess;
}

static cudaError_t self_test_launch_turns(
	struct self_test_state *s, int turns, cudaStream_t stream, struct enqueued *done)
{
	const struct kernel_config config = config_linear((const void *)self_test, s->n, BLOCK);
	struct queue q = {done, cudaSuccess};
	void *arguments[] = {&s->in, &s->out, &s->n, &turns};

	queue_kernel(&q, &config, arguments, stream);
	return q.error;
}

// begin base, again
static cudaError_t self_test_launch_base(void *state, cudaStream_t stream, struct enqueued *done)
{
	return self_test_launch_turns((struct self_test_state *)state, TURNS, stream, done);
}
// end base, again

static int self_test_slower_turns(int64_t percent)
{
	return TURNS + (int)(TURNS / 100 * percent);
}

// begin slower
static cudaError_t self_test_launch_slower(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct self_test_state *s = (struct self_test_state *)state;

	return self_test_launch_turns(s, self_test_slower_turns(s->percent), stream, done);
}
// end slower

/* A turn: its FMAs, and counter, comparison and branch of the loop. */
static void self_test_shape_turns(int turns, struct shape *out)
{
	memset(out, 0, sizeof(*out));
	out->step.steps = turns;
	out->step.fmas = out->step.fma_chain = TURN_FMAS;
	out->step.other = 3;
	out->step.once_bytes = 2 * sizeof(float) * BLOCK;
}

static void self_test_shape_base(const struct size_case *, struct shape *out)
{
	self_test_shape_turns(TURNS, out);
}

static void self_test_shape_slower(const struct size_case *size, struct shape *out)
{
	self_test_shape_turns(self_test_slower_turns(size->value[PARAM_PERCENT]), out);
}

static size_t self_test_device_bytes(const struct size_case *size)
{
	return 2 * sizeof(float) * (size_t)size->value[PARAM_N];
}

static void self_test_work(const struct size_case *size, struct work *out)
{
	out->elements = (double)size->value[PARAM_N];
	out->flops = 2.0 * TURNS * TURN_FMAS * out->elements;
	out->bytes = (double)self_test_device_bytes(size);
}

static cudaError_t self_test_set_up(
	const struct size_case *size, uint64_t seed, void **state, char *message, size_t message_size)
{
	struct self_test_state *s = (struct self_test_state *)state_new(sizeof(*s), message, message_size);
	const size_t n = (size_t)size->value[PARAM_N];
	struct splitmix random = {seed};

	*state = NULL;
	if (!s)
		return cudaErrorMemoryAllocation;
	s->n = (int)n;
	s->percent = (int)size->value[PARAM_PERCENT];
	s->host_in = (float *)resources_memory(&s->resources, RESOURCE_HOST, sizeof(float) * n);
	s->host_out = (float *)resources_memory(&s->resources, RESOURCE_HOST, sizeof(float) * n);
	s->in = (float *)resources_memory(&s->resources, RESOURCE_DEVICE, sizeof(float) * n);
	s->out = (float *)resources_memory(&s->resources, RESOURCE_DEVICE, sizeof(float) * n);
	if (s->resources.error == cudaSuccess)
		random_floats(&random, s->host_in, n);
	resources_upload(&s->resources, s->in, s->host_in, sizeof(float) * n);
	return state_ready(s, state);
}

static cudaError_t self_test_poison(void *state, cudaStream_t stream)
{
	struct self_test_state *s = (struct self_test_state *)state;

	return cudaMemsetAsync(s->out, POISON_BYTE, sizeof(float) * (size_t)s->n, stream);
}

/* Each FMA halves the error of y and adds that of one rounding, u |2 x| at most: together they stay below twice that.
 */
static cudaError_t self_test_check(void *state, struct check_result *out)
{
	struct self_test_state *s = (struct self_test_state *)state;
	cudaError_t error = cudaDeviceSynchronize();

	compare_begin(out);
	if (error == cudaSuccess)
		error = cudaMemcpy(s->host_out, s->out, sizeof(float) * (size_t)s->n, cudaMemcpyDeviceToHost);
	for (int i = 0; i < s->n && error == cudaSuccess; i++) {
		const double want = 2.0 * s->host_in[i];

		compare_next(out, s->host_out[i], want, 2 * FLOAT_ROUNDOFF * fabs(want));
	}
	return error;
}

static const struct param params[] = {
	{"n", "elements", "length of the array", 1, 1 << 24},
	{"percent", "%", "by how much slower is slower", 0, 100},
	{"trial", "", "no effect: tells repetitions apart", 1, 1000},
	{"round", "", "no effect: tells series of trials apart", 1, 1000},
};

static const struct size_case cases[] = {
	{"n-262144", {1 << 18, 5, 1, 1}, false},
	{"ragged", {100003, 2, 1, 1}, true},
	{"part-of-a-block", {37, 100, 1, 1}, true},
};

#define TRIALS                                                                                                         \
	{                                                                                                              \
		1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25              \
	}

static const struct sweep sweeps[] = {
	{
		.name = "same",
		.title = "A kernel against itself",
		.question = "How often is a kernel called faster or slower than itself?",
		.base = 0,
		.naxes = 2,
		.axis = {{PARAM_TRIAL, 25, TRIALS}, {PARAM_ROUND, 8, {1, 2, 3, 4, 5, 6, 7, 8}}},
		.single = "base",
		.double_ = "again",
	},
	{
		.name = "planted",
		.title = "A slow-down made on purpose",
		.question = "How often is a slow-down of 2, 5 and 20 % found?",
		.base = 0,
		.naxes = 2,
		.axis = {{PARAM_PERCENT, 3, {2, 5, 20}}, {PARAM_TRIAL, 25, TRIALS}},
		.single = "base",
		.double_ = "slower",
	},
};

static const struct variant variants[] = {
	{
		.name = "base",
		.summary = "reads an element, 5,000 multiply-adds one after another, writes the result",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = self_test_launch_base,
		.config = self_test_config,
		.shape = self_test_shape_base,
	},
	{
		.name = "again",
		.summary = "the very same kernel with the same arguments, under another name",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = self_test_launch_base,
		.config = self_test_config,
		.shape = self_test_shape_base,
	},
	{
		.name = "slower",
		.summary = "the same kernel with as many per cent more turns of its loop as the parameter says",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = self_test_launch_slower,
		.config = self_test_config,
		.shape = self_test_shape_slower,
	},
};

extern "C" const struct family family_self_test = {
	.name = "self-test",
	.title = "dbprof's own test",
	.question =
		"Does dbprof call two equal kernels equal on this GPU? And does it find a slow-down that was planted?",
	.teaches =
		"A verdict is worth as much as the tool that gives it. Two variants here run one and the same kernel: "
		"every verdict but 'same' on them is an error of the measurement. A third runs the kernel with a "
		"known share of more work, which has to be found. The sweep 'same' does the first 200 times, "
		"'planted' the second 25 times each for 2, 5 and 20 %. The planted share is that of the loop. "
		"Launching the kernel and its two accesses to memory take as long as before, so a little less is "
		"measured. Nothing is buffered here.",
	.source = "written for dbprof, after the null engine that fio has to test itself",
	.file = "self-test.cu",
	.throughput = "GFLOP/s",
	.bound_by = "device memory",
	.params = params,
	.nparams = sizeof(params) / sizeof(params[0]),
	.cases = cases,
	.ncases = sizeof(cases) / sizeof(cases[0]),
	.variants = variants,
	.nvariants = sizeof(variants) / sizeof(variants[0]),
	.single = "base",
	.double_ = "again",
	.sweeps = sweeps,
	.nsweeps = sizeof(sweeps) / sizeof(sweeps[0]),
	.on_demand = true,
	.device_bytes = self_test_device_bytes,
	.work = self_test_work,
	.set_up = self_test_set_up,
	.tear_down = state_free,
	.poison = self_test_poison,
	.check = self_test_check,
};
