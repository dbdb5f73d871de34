/*
 * my-family.cu: a family of your own for dbprof, to copy and change. It builds with one line and runs without building
 * dbprof again:
 *
 *     nvcc -shared -Xcompiler -fPIC -O3 -lineinfo --no-compress -arch=sm_90 $(pkg-config --cflags dbprof) \
 *             -o my-family.so my-family.cu
 *     dbprof run --load ./my-family.so
 *
 * sm_90 stands for your GPU's compute capability (`nvidia-smi --query-gpu=compute_cap --format=csv`).
 *
 * A family is one question, a variant is one answer to it. This one asks whether a moving average gets faster if a
 * block loads its next tile while it computes the current one. Replace kernels, sizes and check by yours, keep the
 * rest. docs/plug-ins.md says what happens with it; variant.h, beside dbprof-variant.h, describes each member.
 */
#include <dbprof-variant.h>

/* ---- the kernels ---- */

/* out[i] is the mean of in[i - radius] to in[i + radius]; outside of the array there are zeros. A block makes `tiles`
 * tiles of BLOCK results, one after another, a thread one result of each. The inputs of a tile, `radius` more on either
 * side, come into shared memory first, since each of them is used by up to 2 radius + 1 threads. */
constexpr int BLOCK = 256, RADIUS_MAX = 64, SPAN = BLOCK + 2 * RADIUS_MAX;

// What stands between `begin NAME` and `end NAME` is what the report shows as the code of variant NAME; several names
// may share lines. Keep set-up and measuring outside.

// begin single, double
static __device__ __forceinline__ float load(const float *in, int n, int i)
{
	return i >= 0 && i < n ? in[i] : 0.0f;
}

static __device__ __forceinline__ float mean(const float *tile, int radius)
{
	float sum = 0.0f;

	for (int k = 0; k <= 2 * radius; k++)
		sum += tile[threadIdx.x + k];
	return sum / (2 * radius + 1);
}
// end single, double

// The body of a kernel is a function with a last parameter `stamps`, so that there can be two kernels with the same
// body: a plain one, and one that takes the time at the end of each phase (docs/phases.md). In the plain one stamps.*()
// is nothing at all. SHARED(type, name, [dimensions]) is `__shared__ type name[dimensions]` for both. If you need no
// phases, write ordinary kernels and leave out everything here that has `phases` in its name.

// begin single
template <class Stamps>
static __device__ __forceinline__ void single_body(
	const float *in, float *out, int n, int radius, int tiles, Stamps stamps)
{
	SHARED(float, tile, [SPAN]);

	for (int t = 0; t < tiles; t++) {
		const int first = (blockIdx.x * tiles + t) * BLOCK, i = first + threadIdx.x;

		for (int k = threadIdx.x; k < BLOCK + 2 * radius; k += BLOCK)
			tile[k] = load(in, n, first - radius + k);
		stamps.load();
		__syncthreads(); // the tile is loaded
		stamps.wait();
		if (i < n)
			out[i] = mean(tile, radius);
		stamps.compute();
		__syncthreads(); // the tile is used up
		stamps.wait();
	}
	stamps.store();
}
// end single

// begin double
/* The next tile is under way, in registers, while the current one is computed; it is put into the other buffer, which
 * nobody reads any more: one barrier a tile instead of two. */
template <class Stamps>
static __device__ __forceinline__ void double_body(
	const float *in, float *out, int n, int radius, int tiles, Stamps stamps)
{
	SHARED(float, tile, [2][SPAN]);
	const int begin = blockIdx.x * tiles * BLOCK;

	for (int k = threadIdx.x; k < BLOCK + 2 * radius; k += BLOCK)
		tile[0][k] = load(in, n, begin - radius + k);
	stamps.load();
	__syncthreads();
	stamps.wait();
	for (int t = 0; t < tiles; t++) {
		const int next = begin + (t + 1) * BLOCK - radius + threadIdx.x, i = begin + t * BLOCK + threadIdx.x;
		const bool more = t + 1 < tiles, edge = threadIdx.x < 2 * radius;
		const float a = more ? load(in, n, next) : 0.0f;
		const float b = more && edge ? load(in, n, next + BLOCK) : 0.0f;

		if (i < n)
			out[i] = mean(tile[t & 1], radius);
		stamps.compute();
		tile[~t & 1][threadIdx.x] = a;
		if (edge)
			tile[~t & 1][threadIdx.x + BLOCK] = b;
		stamps.load();
		__syncthreads(); // the next tile is loaded, this one used up
		stamps.wait();
	}
	stamps.store();
}
// end double

// begin single
__global__ void __launch_bounds__(BLOCK) mean_single(const float *in, float *out, int n, int radius, int tiles)
{
	single_body(in, out, n, radius, tiles, no_stamps());
}
// end single

// begin double
__global__ void __launch_bounds__(BLOCK) mean_double(const float *in, float *out, int n, int radius, int tiles)
{
	double_body(in, out, n, radius, tiles, no_stamps());
}
// end double

__global__ void __launch_bounds__(BLOCK)
	mean_single_phases(const float *in, float *out, int n, int radius, int tiles, struct phase_board board)
{
	with_phases(
		board, blockIdx.x, blockIdx.x, [&](auto stamps) { single_body(in, out, n, radius, tiles, stamps); });
}

__global__ void __launch_bounds__(BLOCK)
	mean_double_phases(const float *in, float *out, int n, int radius, int tiles, struct phase_board board)
{
	with_phases(
		board, blockIdx.x, blockIdx.x, [&](auto stamps) { double_body(in, out, n, radius, tiles, stamps); });
}

/* ---- what a case works on ---- */

enum { PARAM_N, PARAM_RADIUS, PARAM_TILES }; // the order of params[] below

/* Made by set_up() for one case. `resources` comes first: it owns all memory, and state_free() gives it back. The
 * arrays lie in device memory several times, and each launch takes the next ones (rotate.h): otherwise the L2 cache
 * would answer from the second launch on, which no program that reads its data once would see. */
struct my_state {
	struct resources resources;
	struct rotation rotation;
	struct rotated in, out;
	const float *now_in; // of the latest launch
	float *now_out;
	int n, radius, tiles;
	float *host_in, *host_out;
};

static size_t array_bytes(const struct size_case *size)
{
	return sizeof(float) * (size_t)size->value[PARAM_N];
}

/* An upper bound of the device memory that set_up() takes: a GPU that is too small is refused beforehand. */
static size_t device_bytes(const struct size_case *size)
{
	return rotate_bytes(2 * array_bytes(size), 2);
}

/* Allocates, and fills the inputs from the seed. Calls after the first failure do nothing, so one question at the end
 * is enough. The message is for a person; state_ready() hands the state over or cleans up. */
static cudaError_t set_up(const struct size_case *size, uint64_t seed, void **state, char *message, size_t message_size)
{
	struct my_state *s = (struct my_state *)state_new(sizeof *s, message, message_size);
	const size_t bytes = array_bytes(size);
	struct splitmix random = {seed};

	*state = NULL;
	if (!s)
		return cudaErrorMemoryAllocation;
	s->n = (int)size->value[PARAM_N];
	s->radius = (int)size->value[PARAM_RADIUS];
	s->tiles = (int)size->value[PARAM_TILES];
	s->host_in = (float *)resources_memory(&s->resources, RESOURCE_HOST, bytes);
	s->host_out = (float *)resources_memory(&s->resources, RESOURCE_HOST, bytes);
	s->rotation = rotate_begin(&s->resources, 2 * rotate_stride(bytes));
	s->in = rotate_memory(&s->resources, &s->rotation, bytes);
	s->out = rotate_memory(&s->resources, &s->rotation, bytes);
	if (s->resources.error == cudaSuccess)
		random_floats(&random, s->host_in, (size_t)s->n);
	rotate_upload(&s->resources, &s->rotation, &s->in, s->host_in, bytes);
	return state_ready(s, state);
}

static void next_arrays(struct my_state *s)
{
	rotate_next(&s->rotation);
	s->now_in = (const float *)rotate_now(&s->rotation, &s->in);
	s->now_out = (float *)rotate_now(&s->rotation, &s->out);
}

/* Before each verified launch: a value that no right result has (NaN), so that an element never written is noticed. */
static cudaError_t poison(void *state, cudaStream_t stream)
{
	struct my_state *s = (struct my_state *)state;

	return rotate_poison(&s->rotation, &s->out, stream);
}

static double reference(const struct my_state *s, int i, double *magnitude)
{
	const int from = i > s->radius ? i - s->radius : 0, to = s->n - 1 - i > s->radius ? i + s->radius : s->n - 1;
	double sum = 0;

	*magnitude = 0;
	for (int k = from; k <= to; k++) {
		sum += s->host_in[k];
		*magnitude += fabs((double)s->host_in[k]);
	}
	return sum / (2 * s->radius + 1);
}

/* Compares with a reference in double precision. The tolerance is derived from the arithmetic: m = 2 radius + 1 terms
 * are added with m - 1 roundings and divided with one, each off by at most one unit roundoff of the sum of magnitudes.
 */
static cudaError_t check(void *state, struct check_result *out)
{
	struct my_state *s = (struct my_state *)state;
	const int terms = 2 * s->radius + 1;
	cudaError_t error = cudaDeviceSynchronize();

	compare_begin(out);
	if (error == cudaSuccess)
		error = cudaMemcpy(s->host_out, rotate_now(&s->rotation, &s->out), sizeof(float) * (size_t)s->n,
			cudaMemcpyDeviceToHost);
	for (int i = 0; i < s->n && error == cudaSuccess; i++) {
		double magnitude;
		const double want = reference(s, i, &magnitude);

		compare_next(out, s->host_out[i], want, (terms + 1) * FLOAT_ROUNDOFF * magnitude / terms);
	}
	return error;
}

/* What any right variant has to do at least; throughput is this over the measured time. */
static void work(const struct size_case *size, struct work *out)
{
	out->elements = (double)size->value[PARAM_N];
	out->bytes = 2.0 * (double)array_bytes(size);
	out->flops = out->elements * (2.0 * (double)size->value[PARAM_RADIUS] + 2);
}

/* ---- the variants ---- */

typedef void plain_kernel(const float *in, float *out, int n, int radius, int tiles);
typedef void phases_kernel(const float *in, float *out, int n, int radius, int tiles, struct phase_board board);

static void configure(const struct my_state *s, const void *function, struct kernel_config *out)
{
	const unsigned results = (unsigned)(BLOCK * s->tiles);

	*out = config_linear(function, ((int64_t)s->n + results - 1) / results * BLOCK, BLOCK);
}

/* Grid, block and symbol of the kernel: for registers, shared memory and occupancy. */
template <plain_kernel *KERNEL> static cudaError_t config(void *state, struct kernel_config *out)
{
	configure((const struct my_state *)state, (const void *)KERNEL, out);
	return cudaSuccess;
}

/* Enqueues one iteration in `stream` and counts what it enqueued, which the trace pass compares with what the profiler
 * saw. It neither waits nor takes times. Other streams are forked from `stream` and joined to it by events
 * (queue_record(), queue_wait()). */
template <plain_kernel *KERNEL> static cudaError_t launch(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct my_state *s = (struct my_state *)state;
	struct queue q = {done, cudaSuccess};
	struct kernel_config configuration;

	next_arrays(s);
	configure(s, (const void *)KERNEL, &configuration);
	void *arguments[] = {&s->now_in, &s->now_out, &s->n, &s->radius, &s->tiles};

	queue_kernel(&q, &configuration, arguments, stream);
	return q.error;
}

/* The same with the kernel that takes time stamps. */
template <phases_kernel *KERNEL>
static cudaError_t launch_phases(
	void *state, cudaStream_t stream, const struct phase_board *board, struct kernel_config *configuration)
{
	struct my_state *s = (struct my_state *)state;
	struct enqueued ignored = {0, 0, 0};
	struct queue q = {&ignored, cudaSuccess};
	struct phase_board copy = *board;

	next_arrays(s);
	configure(s, (const void *)KERNEL, configuration);
	void *arguments[] = {&s->now_in, &s->now_out, &s->n, &s->radius, &s->tiles, &copy};

	queue_kernel(&q, configuration, arguments, stream);
	return q.error;
}

static int steps(const void *state)
{
	return ((const struct my_state *)state)->tiles;
}

/* The order of the stamps in the code above: l load, w wait at a barrier, c compute, s store; once before the loop,
 * once a turn, once behind it. */
static const struct phase_plan single_phases = {"", "lwcw", "s", steps};
static const struct phase_plan double_phases = {"lw", "clw", "s", steps};

/* What a launch does, counted in the code: dbprof predicts the times from it before it measures. Leave `shape` NULL and
 * there is no prediction. */
static void count(const struct size_case *size, int barriers, int ahead, struct shape *out)
{
	const double terms = 2.0 * (double)size->value[PARAM_RADIUS] + 1;
	struct step_shape *step = &out->step;

	memset(out, 0, sizeof *out);
	step->steps = (double)size->value[PARAM_TILES];
	step->load_bytes = sizeof(float) * (BLOCK + terms - 1);
	step->barriers = barriers;
	step->shared_loads = terms;
	step->shared_stores = (BLOCK + terms - 1) / BLOCK;
	step->shared_chain = 2; // a store, and behind the barrier the loads, which do not wait for one another
	step->fmas = step->fma_chain = terms;
	step->other = 20; // the division, addresses and tests
	step->ahead = ahead;
	step->once_bytes = sizeof(float) * BLOCK * step->steps;
}

static void shape_single(const struct size_case *size, struct shape *out)
{
	count(size, 2, 0, out);
}

static void shape_double(const struct size_case *size, struct shape *out)
{
	count(size, 1, 1, out);
}

/* In the order in which they teach. `unsupported` may say why a variant cannot run on a device; without it, it always
 * can. A variant of kind VARIANT_REFERENCE, such as a library's routine, draws the line to reach. */
static const struct variant variants[] = {
	{
		.name = "single",
		.summary = "one buffer: load a tile, barrier, compute, barrier",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = launch<mean_single>,
		.config = config<mean_single>,
		.launch_phases = launch_phases<mean_single_phases>,
		.phases = &single_phases,
		.shape = shape_single,
	},
	{
		.name = "double",
		.summary = "two buffers: the next tile is loaded while this one is computed; one barrier a tile",
		.kind = VARIANT_CANDIDATE,
		.buffers = 2,
		.launch = launch<mean_double>,
		.config = config<mean_double>,
		.launch_phases = launch_phases<mean_double_phases>,
		.phases = &double_phases,
		.shape = shape_double,
	},
};

/* ---- sizes and sweeps ---- */

/* Name, unit, summary, smallest and largest value: what --set can change. */
static const struct param params[] = {
	{"n", "elements", "length of the array", 1, 1 << 26},
	{"radius", "elements", "neighbours on either side that the mean includes", 1, RADIUS_MAX},
	{"tiles", "tiles", "that a block makes one after another", 1, 256},
};

/* Label, a value for each parameter, whether it is only checked. The first is the headline. Sizes that are no multiple
 * of anything belong to it, since kernels are wrong at their edges. */
static const struct size_case cases[] = {
	{"headline", {1 << 22, 8, 8}},
	{"ragged", {100003, 5, 3}, true},
	{"less-than-a-tile", {37, RADIUS_MAX, 4}, true},
};

/* `dbprof run --sweep` measures these grids too. No label of a case may begin with a sweep's name. */
static const struct sweep sweeps[] = {
	{
		.name = "radius",
		.title = "Computation per element",
		.question = "Does loading ahead help most where loading and computing take equally long?",
		.base = 0, // the case that gives the other parameters
		.naxes = 1,
		.axis = {{PARAM_RADIUS, 7, {1, 2, 4, 8, 16, 32, 64}}},
	},
	{
		.name = "tiles",
		.title = "Tiles of a block",
		.question = "How many tiles must a block have for the first one, which nothing hides, not to matter?",
		.base = 0,
		.naxes = 1,
		.axis = {{PARAM_TILES, 6, {1, 2, 4, 8, 16, 32}}},
	},
};

/* ---- the family ---- */

static const struct family my_family = {
	.name = "my-family", // for the command line: dbprof run --load ./my-family.so my-family/double
	.title = "A moving average, tile by tile",
	.question = "Does a block that makes several tiles of a moving average gain from loading the next tile ahead?",
	.teaches =
		"Loading ahead can hide the latency of memory behind the computation of the same block. But an SM has "
		"many blocks, and while one waits another computes. The more of them fit, the less there is left to "
		"hide, and a second buffer takes room from them.",
	.source = "the example that comes with dbprof",
	.file = "my-family.cu",      // this file's name
	.throughput = "GB/s",        // or GFLOP/s, Gelements/s, frames/s
	.bound_by = "device memory", // whose bytes work() counts
	.params = params,
	.nparams = sizeof params / sizeof params[0],
	.cases = cases,
	.ncases = sizeof cases / sizeof cases[0],
	.variants = variants,
	.nvariants = sizeof variants / sizeof variants[0],
	.single = "single", // the two variants that are held against each other
	.double_ = "double",
	.sweeps = sweeps,
	.nsweeps = sizeof sweeps / sizeof sweeps[0],
	.device_bytes = device_bytes,
	.work = work,
	.set_up = set_up,
	.tear_down = state_free,
	.poison = poison,
	.check = check,
};

/* Once in a shared object, with the addresses of all its families. */
DBPROF_PLUGIN(&my_family);
