/*
 * causes.cu: families for `dbprof record --load`, each with a clean variant and one in which a cause of slowness is
 * planted: an extra barrier, extra instructions, lower occupancy, spills, a slower copy, a host that sleeps. Both make
 * the same results. `much` says how much is planted. The twins are the same code twice. tests/gpu/causes.test asks
 * which cause dbprof finds.
 *
 * All arithmetic is on unsigned integers, so results are exact.
 */
#include <dbprof-variant.h>

#include <string.h>
#include <time.h>

enum { BLOCK = 256, ACCUMULATORS = 48, CHASE = 1024, COMPARED = 2003 };

enum { PARAM_N, PARAM_STEPS, PARAM_MUCH };

enum kind { BARRIER, INSTRUCTIONS, OCCUPANCY, SPILLS, TWIN_KERNEL, COPY, HOST, TWIN_PIPELINE };

static constexpr bool is_pipeline(enum kind kind)
{
	return kind >= COPY;
}

/* ---- kernels ---- */

/* A step of barriers: each thread adds up its neighbour's value. */
static __device__ __forceinline__ unsigned exchange(unsigned x, unsigned *row)
{
	row[threadIdx.x] = x;
	__syncthreads();
	return 3 * x + row[(threadIdx.x + 1) % BLOCK];
}

/* PLANTED: three times `much` more barriers a step, which nobody needs. */
template <bool PLANTED>
__global__ void __launch_bounds__(BLOCK) barrier_kernel(const unsigned *in, unsigned *out, int steps, int much)
{
	__shared__ unsigned row[2][BLOCK];
	unsigned x = in[blockIdx.x * BLOCK + threadIdx.x];

#pragma unroll 1
	for (int t = 0; t < steps; t++) {
		x = exchange(x, row[t & 1]);
#pragma unroll 1
		for (int b = 0; PLANTED && b < much; b++) {
			__syncthreads();
			__syncthreads();
			__syncthreads();
		}
	}
	out[blockIdx.x * BLOCK + threadIdx.x] = x;
}

/* PLANTED: a chain of operations whose end is used only if it is a value that it never has. */
template <bool PLANTED>
__global__ void __launch_bounds__(BLOCK) instructions_kernel(const unsigned *in, unsigned *out, int steps, int much)
{
	__shared__ unsigned row[2][BLOCK];
	unsigned x = in[blockIdx.x * BLOCK + threadIdx.x], y = x | 1;

#pragma unroll 1
	for (int t = 0; t < steps; t++) {
		x = exchange(x, row[t & 1]);
#pragma unroll 4
		for (int k = 0; PLANTED && k < 4 * much; k++) {
			y ^= y << 13;
			y ^= y >> 17;
			y ^= y << 5;
		}
	}
	out[blockIdx.x * BLOCK + threadIdx.x] = y == 0 ? y : x; /* xorshift never gets to 0 */
}

/* The same code twice. */
template <int TAG>
__global__ void __launch_bounds__(BLOCK) twin_kernel(const unsigned *in, unsigned *out, int steps, int much)
{
	__shared__ unsigned row[2][BLOCK];
	unsigned x = in[blockIdx.x * BLOCK + threadIdx.x];

#pragma unroll 1
	for (int t = 0; t < steps; t++)
		x = exchange(x, row[t & 1]);
	out[blockIdx.x * BLOCK + threadIdx.x] = x + (unsigned)much * 0;
}

/* Each thread follows a chain through shared memory, always in its own bank: it waits for one value after another.
 * PLANTED: the launch asks for more shared memory, so that fewer blocks fit an SM. */
template <bool PLANTED>
__global__ void __launch_bounds__(BLOCK) occupancy_kernel(const unsigned *in, unsigned *out, int steps, int much)
{
	extern __shared__ unsigned chain[];
	unsigned at = threadIdx.x;

	for (int k = threadIdx.x; k < CHASE; k += BLOCK)
		chain[k] = (k + 32 * 5) % CHASE;
	__syncthreads();
	for (int t = 0; t < 16 * steps; t++)
		at = chain[at];
	out[blockIdx.x * BLOCK + threadIdx.x] = at + in[blockIdx.x * BLOCK + threadIdx.x] + (unsigned)much * 0;
}

static __device__ __forceinline__ unsigned accumulate(unsigned x, int steps)
{
	unsigned a[ACCUMULATORS], sum = 0;

#pragma unroll
	for (int k = 0; k < ACCUMULATORS; k++)
		a[k] = x + k;
#pragma unroll 1
	for (int t = 0; t < steps; t++) {
#pragma unroll
		for (int k = 0; k < ACCUMULATORS; k++)
			a[k] = a[k] * x + a[(k + 7) % ACCUMULATORS];
	}
#pragma unroll
	for (int k = 0; k < ACCUMULATORS; k++)
		sum ^= a[k];
	return sum;
}

__global__ void __launch_bounds__(BLOCK) registers_kernel(const unsigned *in, unsigned *out, int steps, int)
{
	out[blockIdx.x * BLOCK + threadIdx.x] = accumulate(in[blockIdx.x * BLOCK + threadIdx.x], steps);
}

/* A thread gets 32 registers; it needs more. */
__global__ void __maxnreg__(32) spills_kernel(const unsigned *in, unsigned *out, int steps, int)
{
	out[blockIdx.x * BLOCK + threadIdx.x] = accumulate(in[blockIdx.x * BLOCK + threadIdx.x], steps);
}

__global__ void __launch_bounds__(BLOCK) pipeline_kernel(const unsigned *in, unsigned *out, int steps, int)
{
	unsigned x = in[blockIdx.x * BLOCK + threadIdx.x];

	for (int t = 0; t < steps; t++)
		x = 3 * x + 1;
	out[blockIdx.x * BLOCK + threadIdx.x] = x;
}

/* ---- what a case works on ---- */

struct causes_state {
	struct resources resources;
	unsigned *in, *out;           /* device */
	unsigned *host_in, *host_out; /* pinned */
	unsigned *host_rows;          /* the input in rows of row_bytes(), as much space behind each */
	int n, steps, much;
	size_t shared_per_sm; /* bytes */
};

static size_t row_bytes(const struct causes_state *s)
{
	return 256 >> (s->much < 3 ? s->much : 3);
}

static size_t causes_bytes(const struct size_case *size)
{
	return sizeof(unsigned) * (size_t)size->value[PARAM_N];
}

static size_t device_bytes(const struct size_case *size)
{
	return 2 * causes_bytes(size);
}

static void work(const struct size_case *size, struct work *out)
{
	out->elements = (double)size->value[PARAM_N];
	out->bytes = 2.0 * (double)causes_bytes(size);
	out->flops = 0;
}

static void spread_rows(struct causes_state *s)
{
	const size_t row = row_bytes(s) / sizeof(unsigned);

	for (size_t i = 0; i < (size_t)s->n; i += row)
		memcpy(s->host_rows + 2 * i, s->host_in + i, row * sizeof(unsigned));
}

static cudaError_t set_up(const struct size_case *size, uint64_t seed, void **state, char *message, size_t message_size)
{
	struct causes_state *s = (struct causes_state *)state_new(sizeof *s, message, message_size);
	const size_t bytes = causes_bytes(size);
	struct splitmix random = {seed};
	int device = 0, shared = 0;

	*state = NULL;
	if (!s)
		return cudaErrorMemoryAllocation;
	s->n = (int)size->value[PARAM_N];
	s->steps = (int)size->value[PARAM_STEPS];
	s->much = (int)size->value[PARAM_MUCH];
	s->in = (unsigned *)resources_memory(&s->resources, RESOURCE_DEVICE, bytes);
	s->out = (unsigned *)resources_memory(&s->resources, RESOURCE_DEVICE, bytes);
	s->host_in = (unsigned *)resources_memory(&s->resources, RESOURCE_PINNED, bytes);
	s->host_out = (unsigned *)resources_memory(&s->resources, RESOURCE_PINNED, bytes);
	s->host_rows = (unsigned *)resources_memory(&s->resources, RESOURCE_PINNED, 2 * bytes);
	resources_check(&s->resources, cudaGetDevice(&device), "cudaGetDevice");
	resources_check(&s->resources,
		cudaDeviceGetAttribute(&shared, cudaDevAttrMaxSharedMemoryPerMultiprocessor, device),
		"cudaDeviceGetAttribute");
	s->shared_per_sm = (size_t)shared;
	for (int i = 0; s->resources.error == cudaSuccess && i < s->n; i++)
		s->host_in[i] = (unsigned)splitmix_next(&random);
	if (s->resources.error == cudaSuccess)
		spread_rows(s);
	if (s->resources.error == cudaSuccess)
		resources_check(
			&s->resources, cudaMemcpy(s->in, s->host_in, bytes, cudaMemcpyHostToDevice), "cudaMemcpy");
	return state_ready(s, state);
}

static cudaError_t poison(void *state, cudaStream_t stream)
{
	struct causes_state *s = (struct causes_state *)state;

	return cudaMemsetAsync(s->out, 0xa5, sizeof(unsigned) * (size_t)s->n, stream);
}

/* ---- the reference ---- */

/* The value of thread `i` of a block after the steps of exchange(). */
static unsigned exchanged(const unsigned *block, int steps, int i)
{
	unsigned row[BLOCK], next[BLOCK];

	memcpy(row, block, sizeof row);
	for (int t = 0; t < steps; t++) {
		for (int k = 0; k < BLOCK; k++)
			next[k] = 3 * row[k] + row[(k + 1) % BLOCK];
		memcpy(row, next, sizeof row);
	}
	return row[i];
}

static unsigned accumulated(unsigned x, int steps)
{
	unsigned a[ACCUMULATORS], sum = 0;

	for (unsigned k = 0; k < ACCUMULATORS; k++)
		a[k] = x + k;
	for (int t = 0; t < steps; t++)
		for (int k = 0; k < ACCUMULATORS; k++)
			a[k] = a[k] * x + a[(k + 7) % ACCUMULATORS];
	for (int k = 0; k < ACCUMULATORS; k++)
		sum ^= a[k];
	return sum;
}

static unsigned reference(const struct causes_state *s, enum kind kind, int i)
{
	unsigned x = s->host_in[i];

	if (kind == OCCUPANCY)
		return (unsigned)((i % BLOCK + 16L * s->steps * 32 * 5) % CHASE) + x;
	if (kind == SPILLS)
		return accumulated(x, s->steps);
	if (!is_pipeline(kind))
		return exchanged(s->host_in + i / BLOCK * BLOCK, s->steps, i % BLOCK);
	for (int t = 0; t < s->steps; t++)
		x = 3 * x + 1;
	return x;
}

/* Every COMPARED-th element, which is another thread of its block each time: the reference takes as long as a block. */
template <enum kind KIND> static cudaError_t check(void *state, struct check_result *out)
{
	struct causes_state *s = (struct causes_state *)state;
	cudaError_t error = cudaDeviceSynchronize();

	compare_begin(out);
	if (error == cudaSuccess && !is_pipeline(KIND))
		error = cudaMemcpy(s->host_out, s->out, sizeof(unsigned) * (size_t)s->n, cudaMemcpyDeviceToHost);
	for (int i = 0; i < s->n && error == cudaSuccess; i += COMPARED)
		compare_next(out, s->host_out[i], reference(s, KIND, i), 0.5);
	return error;
}

/* ---- launches ---- */

typedef void causes_kernel(const unsigned *in, unsigned *out, int steps, int much);

/* Dynamic shared memory with which so many blocks fit an SM. */
static size_t shared_for(const struct causes_state *s, int blocks)
{
	return s->shared_per_sm / (size_t)blocks / 1024 * 1024 - 4096; /* less the kernel's own and the system's */
}

/* Few blocks fit an SM, so that latency shows: with a full SM, one block's wait is another one's turn. Four fit where
 * occupancy is the question or more registers must not mean fewer warps, else two. */
static size_t dynamic_shared(const struct causes_state *s, enum kind kind, bool planted)
{
	int fewer = 4 / (1 + s->much);

	if (kind == OCCUPANCY && planted)
		return shared_for(s, fewer > 1 ? fewer : 1);
	return shared_for(s, kind == OCCUPANCY || kind == SPILLS ? 4 : 2);
}

template <enum kind KIND, bool PLANTED, causes_kernel *KERNEL>
static cudaError_t config(void *state, struct kernel_config *out)
{
	const struct causes_state *s = (const struct causes_state *)state;

	*out = config_linear((const void *)KERNEL, s->n, BLOCK);
	out->dynamic_smem = dynamic_shared(s, KIND, PLANTED);
	return cudaFuncSetAttribute(
		(const void *)KERNEL, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)out->dynamic_smem);
}

template <enum kind KIND, bool PLANTED, causes_kernel *KERNEL>
static cudaError_t launch(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct causes_state *s = (struct causes_state *)state;
	struct queue q = {done, cudaSuccess};
	struct kernel_config configuration;
	void *arguments[] = {&s->in, &s->out, &s->steps, &s->much};

	queue_note(&q, config<KIND, PLANTED, KERNEL>(state, &configuration));
	queue_kernel(&q, &configuration, arguments, stream);
	return q.error;
}

/* The same bytes in one copy, of rows of 32 to 128 bytes: each row is a transfer of its own on the bus. */
static void queue_slow_copy(struct queue *q, struct causes_state *s, cudaStream_t stream)
{
	const size_t row = row_bytes(s), bytes = sizeof(unsigned) * (size_t)s->n;

	if (q->error == cudaSuccess)
		queue_note(q, cudaMemcpy2DAsync(s->in, row, s->host_rows, 2 * row, row, bytes / row,
				      cudaMemcpyHostToDevice, stream));
	q->done->copies += q->error == cudaSuccess;
}

/* The GPU waits while the host does nothing for 40 us and more. */
static void CUDART_CB sleep_on_host(void *state)
{
	const struct causes_state *s = (const struct causes_state *)state;
	struct timespec begin, now;
	long long passed;

	clock_gettime(CLOCK_MONOTONIC, &begin);
	do {
		clock_gettime(CLOCK_MONOTONIC, &now);
		passed = (now.tv_sec - begin.tv_sec) * 1000000000LL + now.tv_nsec - begin.tv_nsec;
	} while (passed < 40000LL * s->much);
}

template <enum kind KIND, bool PLANTED>
static cudaError_t launch_pipeline(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct causes_state *s = (struct causes_state *)state;
	struct queue q = {done, cudaSuccess};
	struct kernel_config configuration = config_linear((const void *)pipeline_kernel, s->n, BLOCK);
	const size_t bytes = sizeof(unsigned) * (size_t)s->n;
	void *arguments[] = {&s->in, &s->out, &s->steps, &s->much};

	if (KIND == COPY && PLANTED)
		queue_slow_copy(&q, s, stream);
	else
		queue_copy(&q, s->in, s->host_in, bytes, cudaMemcpyHostToDevice, stream);
	if (KIND == HOST && PLANTED && q.error == cudaSuccess)
		queue_note(&q, cudaLaunchHostFunc(stream, sleep_on_host, s));
	queue_kernel(&q, &configuration, arguments, stream);
	queue_copy(&q, s->host_out, s->out, bytes, cudaMemcpyDeviceToHost, stream);
	return q.error;
}

static cudaError_t pipeline_config(void *state, struct kernel_config *out)
{
	*out = config_linear((const void *)pipeline_kernel, ((const struct causes_state *)state)->n, BLOCK);
	return cudaSuccess;
}

/* ---- the families ---- */

static const struct param params[] = {
	{"n", "elements", "length of the array, a multiple of 1024", 1024, 1 << 24},
	{"steps", "steps", "that each thread makes", 1, 4096},
	{"much", "", "how much is planted", 1, 5},
};

static const struct size_case cases[] = {{"headline", {1 << 20, 64, 1}}};

#define CAUSES_VARIANT(NAME, SUMMARY, BUFFERS, LAUNCH, CONFIG)                                                         \
	{                                                                                                              \
		.name = NAME, .summary = SUMMARY, .kind = VARIANT_CANDIDATE, .buffers = BUFFERS, .launch = LAUNCH,     \
		.config = CONFIG,                                                                                      \
	}

#define KERNEL_VARIANTS(KIND, CLEAN, PLANTED)                                                                          \
	{                                                                                                              \
		CAUSES_VARIANT("clean", "as it is", 1, (launch<KIND, false, CLEAN>), (config<KIND, false, CLEAN>)),    \
			CAUSES_VARIANT("planted", "with the cause in it", 2, (launch<KIND, true, PLANTED>),            \
				(config<KIND, true, PLANTED>)),                                                        \
	}

#define PIPELINE_VARIANTS(KIND)                                                                                        \
	{                                                                                                              \
		CAUSES_VARIANT("clean", "as it is", 1, (launch_pipeline<KIND, false>), pipeline_config),               \
			CAUSES_VARIANT(                                                                                \
				"planted", "with the cause in it", 2, (launch_pipeline<KIND, true>), pipeline_config), \
	}

static const struct variant barrier_variants[] = KERNEL_VARIANTS(BARRIER, barrier_kernel<false>, barrier_kernel<true>);
static const struct variant instructions_variants[] =
	KERNEL_VARIANTS(INSTRUCTIONS, instructions_kernel<false>, instructions_kernel<true>);
static const struct variant occupancy_variants[] =
	KERNEL_VARIANTS(OCCUPANCY, occupancy_kernel<false>, occupancy_kernel<true>);
static const struct variant spills_variants[] = KERNEL_VARIANTS(SPILLS, registers_kernel, spills_kernel);
static const struct variant twin_kernel_variants[] = KERNEL_VARIANTS(TWIN_KERNEL, twin_kernel<0>, twin_kernel<1>);
static const struct variant copy_variants[] = PIPELINE_VARIANTS(COPY);
static const struct variant host_variants[] = PIPELINE_VARIANTS(HOST);
static const struct variant twin_pipeline_variants[] = PIPELINE_VARIANTS(TWIN_PIPELINE);

#define CAUSES_FAMILY(VARIABLE, NAME, KIND, VARIANTS, BOUND)                                                           \
	static const struct family VARIABLE = {                                                                        \
		.name = "causes-" NAME,                                                                                \
		.title = "Planted: " NAME,                                                                             \
		.question = "Which cause is planted?",                                                                 \
		.teaches = "What dbprof finds is what was put there.",                                                 \
		.source = "the tests of dbprof",                                                                       \
		.file = "causes.cu",                                                                                   \
		.throughput = "Gelements/s",                                                                           \
		.bound_by = BOUND,                                                                                     \
		.params = params,                                                                                      \
		.nparams = sizeof params / sizeof params[0],                                                           \
		.cases = cases,                                                                                        \
		.ncases = sizeof cases / sizeof cases[0],                                                              \
		.variants = VARIANTS,                                                                                  \
		.nvariants = 2,                                                                                        \
		.single = "clean",                                                                                     \
		.double_ = "planted",                                                                                  \
		.device_bytes = device_bytes,                                                                          \
		.work = work,                                                                                          \
		.set_up = set_up,                                                                                      \
		.tear_down = state_free,                                                                               \
		.poison = poison,                                                                                      \
		.check = check<KIND>,                                                                                  \
	}

CAUSES_FAMILY(barrier_family, "barrier", BARRIER, barrier_variants, "SM");
CAUSES_FAMILY(instructions_family, "instructions", INSTRUCTIONS, instructions_variants, "SM");
CAUSES_FAMILY(occupancy_family, "occupancy", OCCUPANCY, occupancy_variants, "SM");
CAUSES_FAMILY(spills_family, "spills", SPILLS, spills_variants, "SM");
CAUSES_FAMILY(twin_kernel_family, "twin-kernel", TWIN_KERNEL, twin_kernel_variants, "SM");
CAUSES_FAMILY(copy_family, "copy", COPY, copy_variants, "PCIe");
CAUSES_FAMILY(host_family, "host", HOST, host_variants, "PCIe");
CAUSES_FAMILY(twin_pipeline_family, "twin-pipeline", TWIN_PIPELINE, twin_pipeline_variants, "PCIe");

DBPROF_PLUGIN(&barrier_family, &instructions_family, &occupancy_family, &spills_family, &copy_family, &host_family,
	&twin_kernel_family, &twin_pipeline_family);
