/* scan-kogge-stone.cu: inclusive scan inside each block: two barriers a step, or one barrier and a second buffer. */
/* Types that no scan has here: without their headers this file, the longest to compile, takes a seventh less time. */
#define CCCL_DISABLE_FP16_SUPPORT
#define CCCL_DISABLE_BF16_SUPPORT
#define CCCL_DISABLE_NVFP8_SUPPORT
#define CCCL_DISABLE_NVFP6_SUPPORT
#define CCCL_DISABLE_NVFP4_SUPPORT
#include <cub/block/block_scan.cuh>

#include "families.h"
#include "scan.cuh"

enum { PARAM_N, PARAM_BLOCK, PARAM_TYPE, PARAM_SCANS, PARAM_BLOCKS };

/* Each kernel scans the same input `scans` times: the shared memory is filled anew from the register that holds the
 * thread's element, so that the result stays that of one scan, while the barriers keep the repetition alive.
 * The bodies of kernels; `stamps` and SHARED: see phase.cuh. */

// begin two-barriers
template <typename T, int BLOCK, class Probe, class Stamps>
static __device__ __forceinline__ void two_barriers_body(const T *in, T *out, int n, int scans, Stamps stamps)
{
	SHARED(T, s, [BLOCK]);
	const int tid = threadIdx.x;
	const int i = blockIdx.x * BLOCK + tid;
	const T x = i < n ? in[i] : T(0);

	for (int scan = 0; scan < scans; scan++) {
		s[tid] = x;
		if (scan == 0)
			stamps.load();
		for (int stride = 1; stride < BLOCK; stride *= 2) {
			T sum = T(0);

			stamps.compute();
			__syncthreads(); // the step before is written
			stamps.wait();
			if (tid >= stride)
				sum = s[tid] + s[tid - stride];
			stamps.compute();
			__syncthreads(); // this step is read
			stamps.wait();
			if (tid >= stride)
				s[tid] = sum;
			Probe::after(stride, s[tid]);
		}
	}
	stamps.compute();
	if (i < n)
		out[i] = s[tid];
	stamps.store();
}
// end two-barriers

// begin one-barrier
template <typename T, int BLOCK, class Probe, class Stamps>
static __device__ __forceinline__ void one_barrier_body(const T *in, T *out, int n, int scans, Stamps stamps)
{
	SHARED(T, s, [2][BLOCK]);
	const int tid = threadIdx.x;
	const int i = blockIdx.x * BLOCK + tid;
	const T x = i < n ? in[i] : T(0);
	int from = 0;

	for (int scan = 0; scan < scans; scan++) {
		s[from][tid] = x;
		if (scan == 0)
			stamps.load();
		for (int stride = 1; stride < BLOCK; stride *= 2) {
			stamps.compute();
			__syncthreads(); // the step before is written, and nobody reads the other buffer any more
			stamps.wait();
			T sum = s[from][tid];
			if (tid >= stride)
				sum += s[from][tid - stride];
			s[1 - from][tid] = sum;
			from = 1 - from;
			Probe::after(stride, sum);
		}
	}
	stamps.compute();
	if (i < n)
		out[i] = s[from][tid];
	stamps.store();
}
// end one-barrier

template <typename T, int BLOCK, class Probe>
__global__ void kogge_stone_two_barriers(const T *in, T *out, int n, int scans)
{
	two_barriers_body<T, BLOCK, Probe>(in, out, n, scans, no_stamps());
}

template <typename T, int BLOCK, class Probe>
__global__ void kogge_stone_one_barrier(const T *in, T *out, int n, int scans)
{
	one_barrier_body<T, BLOCK, Probe>(in, out, n, scans, no_stamps());
}

template <typename T, int BLOCK>
__global__ void kogge_stone_two_barriers_phases(const T *in, T *out, int n, int scans, struct phase_board board)
{
	with_spread_phases<2 * scan_steps_of(BLOCK)>(board, [&](auto stamps) {
		two_barriers_body<T, BLOCK, no_probe>(in, out, n, stamps.spread ? 1 : scans, stamps);
	});
}

template <typename T, int BLOCK>
__global__ void kogge_stone_one_barrier_phases(const T *in, T *out, int n, int scans, struct phase_board board)
{
	with_spread_phases<scan_steps_of(BLOCK)>(board, [&](auto stamps) {
		one_barrier_body<T, BLOCK, no_probe>(in, out, n, stamps.spread ? 1 : scans, stamps);
	});
}

// begin cub-block-scan
template <typename T, int BLOCK> __global__ void kogge_stone_cub(const T *in, T *out, int n, int scans)
{
	using Scan = cub::BlockScan<T, BLOCK, cub::BLOCK_SCAN_WARP_SCANS>;
	__shared__ typename Scan::TempStorage storage;
	const int i = blockIdx.x * BLOCK + threadIdx.x;
	const T x = i < n ? in[i] : T(0);
	T sum = T(0);

	for (int scan = 0; scan < scans; scan++) {
		if (scan > 0)
			__syncthreads(); // the storage is used again
		Scan(storage).InclusiveSum(x, sum);
	}
	if (i < n)
		out[i] = sum;
}
// end cub-block-scan

/* Unnamed, because the linker would merge scan_launch<two_barriers> of this file with that of another family. */
namespace
{
struct two_barriers {
	static const bool ints = true, races = false;
	static const int chain = SCAN_STEPS;

	template <typename T, int BLOCK, class Probe> static const void *kernel()
	{
		return (const void *)kogge_stone_two_barriers<T, BLOCK, Probe>;
	}
	template <typename T, int BLOCK> static const void *phases()
	{
		return (const void *)kogge_stone_two_barriers_phases<T, BLOCK>;
	}
};

struct one_barrier {
	static const bool ints = true, races = false;
	static const int chain = SCAN_STEPS;

	template <typename T, int BLOCK, class Probe> static const void *kernel()
	{
		return (const void *)kogge_stone_one_barrier<T, BLOCK, Probe>;
	}
	template <typename T, int BLOCK> static const void *phases()
	{
		return (const void *)kogge_stone_one_barrier_phases<T, BLOCK>;
	}
};

struct cub_block_scan {
	static const bool ints = true;
	static const int chain = 5 + 31; // steps in a warp, then the totals of the warps to its left one by one

	template <typename T, int BLOCK, class Probe> static const void *kernel()
	{
		return (const void *)kogge_stone_cub<T, BLOCK>;
	}
};
} // namespace

// begin device-copy
static cudaError_t kogge_stone_launch_copy(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct scan_state *s = (struct scan_state *)state;
	struct queue q = {done, cudaSuccess};

	scan_rotate(s);
	s->copied = true; // the check then expects the input, not its sums
	queue_copy(&q, s->out, s->in, sizeof(float) * (size_t)s->n, cudaMemcpyDeviceToDevice, stream);
	return q.error;
}
// end device-copy

static size_t kogge_stone_device_bytes(const struct size_case *size)
{
	return scan_device_bytes(size->value[PARAM_N]);
}

static void kogge_stone_work(const struct size_case *size, struct work *out)
{
	out->flops = 0;
	out->bytes = (double)scan_bytes(size->value[PARAM_N]);
	out->elements = (double)size->value[PARAM_N] * (double)size->value[PARAM_SCANS];
}

static cudaError_t kogge_stone_set_up(
	const struct size_case *size, uint64_t seed, void **state, char *message, size_t message_size)
{
	const struct scan_setting setting = {size->value[PARAM_N], size->value[PARAM_BLOCK], size->value[PARAM_SCANS],
		size->value[PARAM_TYPE] ? SCAN_INT : SCAN_FLOAT, size->value[PARAM_BLOCKS]};

	return scan_set_up(&setting, seed, state, message, message_size);
}

static const char *kogge_stone_unsupported(const struct cudaDeviceProp *device, const struct size_case *size)
{
	return block_limit_unsupported(device, size->value[PARAM_BLOCKS]);
}

/* Both read two values and write one where they add. What one-barrier does not add it copies, and it chooses between
 * two arrays; two-barriers tests twice. */
static void kogge_stone_shape_two_barriers(const struct size_case *size, struct shape *out)
{
	const double adding = scan_shape(size->value[PARAM_BLOCK], size->value[PARAM_SCANS], 2, out);

	out->step.shared_loads += 2 * adding;
	out->step.shared_stores += adding;
	out->step.other += 1;
}

static void kogge_stone_shape_one_barrier(const struct size_case *size, struct shape *out)
{
	const double adding = scan_shape(size->value[PARAM_BLOCK], size->value[PARAM_SCANS], 1, out);

	out->step.shared_loads += 1 + adding;
	out->step.shared_stores += 1;
	out->step.other += 1;
}

static const struct param params[] = {
	{"n", "elements", "length of the array", 1, 1 << 28},
	{"block", "threads", "threads per block, and elements per scan: 128, 256, 512 or 1024", 128, 1024, scan_blocks},
	{"type", "", "element type: 0 float, 1 int", 0, 1},
	{"scans", "scans", "times each block scans its elements in one launch", 1, 1024},
	{"blocks", "blocks", "that share an SM at most, to lower the occupancy; 0: as many as fit", 0, BLOCK_LIMIT_MAX},
};

static const struct size_case cases[] = {
	{"float-1024", {1 << 24, 1024, SCAN_FLOAT, 1}, false},
	{"float-256", {1 << 24, 256, SCAN_FLOAT, 1}, false},
	{"int-1024", {1 << 24, 1024, SCAN_INT, 1}, false},
	{"int-256", {1 << 24, 256, SCAN_INT, 1}, false},
	{"ragged-float", {100003, 1024, SCAN_FLOAT, 1}, true},
	{"ragged-int", {100003, 256, SCAN_INT, 3}, true},
	{"part-of-a-block", {37, 512, SCAN_FLOAT, 3}, true},
	{"limited", {100003, 512, SCAN_FLOAT, 2, 1}, true},
};

/* Blocks that do not fit in any case: no SM has more than 2048 threads. */
static bool kogge_stone_occupancy_wanted(const struct size_case *size)
{
	return size->value[PARAM_BLOCKS] * size->value[PARAM_BLOCK] <= 2048;
}

static const struct sweep sweeps[] = {
	{
		.name = "n-block",
		.title = "Array length and block size",
		.question = "From which array length on does it matter how a block scans, and for which block sizes?",
		.base = 0,
		.naxes = 2,
		.axis =
			{
				{PARAM_N, 9,
					{1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26,
						1 << 28}},
				{PARAM_BLOCK, 4, {128, 256, 512, 1024}},
			},
	},
	{
		.name = "scans",
		.title = "Scans per launch",
		.question = "How many scans of an element does it take until the barriers set the pace, and no longer "
			    "device memory?",
		.base = 0,
		.naxes = 2,
		.axis = {{PARAM_SCANS, 7, {1, 2, 4, 8, 16, 32, 64}}, {PARAM_BLOCK, 2, {256, 1024}}},
	},
	{
		.name = "occupancy",
		.title = "Blocks on an SM",
		.question = "Does a barrier cost more when there are fewer other blocks to run while one waits?",
		.base = 0,
		.naxes = 2,
		.axis = {{PARAM_BLOCKS, 4, {1, 2, 4, 8}}, {PARAM_BLOCK, 2, {256, 1024}}},
		.wanted = kogge_stone_occupancy_wanted,
	},
};

/* A step: what it waits for is written, it reads, that is read, it writes. */
static const struct phase_plan two_barriers_phases = {"l", "cwcw", "cs", scan_phase_steps, scan_spreads};
static const struct phase_plan one_barrier_phases = {"l", "cw", "cs", scan_phase_steps, scan_spreads};

static const struct variant variants[] = {
	{
		.name = "two-barriers",
		.summary = "one array; a barrier before the reads of each step and another before its writes",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = scan_launch<two_barriers>,
		.unsupported = kogge_stone_unsupported,
		.config = scan_config<two_barriers>,
		.launch_phases = scan_launch_phases<two_barriers>,
		.phases = &two_barriers_phases,
		.shape = kogge_stone_shape_two_barriers,
		.steps = scan_steps<two_barriers>,
	},
	{
		.name = "one-barrier",
		.summary = "two arrays that swap roles: read one, write the other, one barrier a step",
		.kind = VARIANT_CANDIDATE,
		.buffers = 2,
		.launch = scan_launch<one_barrier>,
		.unsupported = kogge_stone_unsupported,
		.config = scan_config<one_barrier>,
		.launch_phases = scan_launch_phases<one_barrier>,
		.phases = &one_barrier_phases,
		.shape = kogge_stone_shape_one_barrier,
		.steps = scan_steps<one_barrier>,
	},
	{
		.name = "cub-block-scan",
		.summary =
			"cub::BlockScan with BLOCK_SCAN_WARP_SCANS, one item per thread: shuffles in each warp, then "
			"the totals of the warps",
		.kind = VARIANT_REFERENCE,
		.launch = scan_launch<cub_block_scan>,
		.unsupported = kogge_stone_unsupported,
		.config = scan_config<cub_block_scan>,
	},
	{
		.name = "device-copy",
		.summary = "copies the same bytes without scanning them: the time that memory alone takes",
		.kind = VARIANT_REFERENCE,
		.launch = kogge_stone_launch_copy,
	},
};

extern "C" const struct family family_scan_kogge_stone = {
	.name = "scan-kogge-stone",
	.title = "Kogge-Stone scan in one block",
	.question =
		"A scan step must not overwrite a value that another thread still has to read. Does a second array in "
		"shared memory, which saves one of the two barriers per step, make the scan faster?",
	.teaches =
		"Each step of a Kogge-Stone scan reads the results of the step before and replaces them. With one "
		"array this takes two barriers: one so that everybody reads finished values, one so that nobody "
		"overwrites a value too early. With two arrays the second hazard is gone: a step reads one array and "
		"writes the other, and a single barrier separates the steps. The price is twice the shared memory. "
		"The usual belief is that fewer barriers are always faster. What is left to gain depends on how long "
		"warps really wait there. It also depends on whether memory already sets the pace (compare the plain "
		"copy).",
	.source = "a post of the series \"CUDA Basics\" on double buffering as a way to save a barrier, with the "
		  "Kogge-Stone scan as its example",
	.file = "scan-kogge-stone.cu",
	.throughput = "Gelements/s",
	.bound_by = "device memory",
	.params = params,
	.nparams = sizeof(params) / sizeof(params[0]),
	.cases = cases,
	.ncases = sizeof(cases) / sizeof(cases[0]),
	.variants = variants,
	.nvariants = sizeof(variants) / sizeof(variants[0]),
	.single = "two-barriers",
	.double_ = "one-barrier",
	.sweeps = sweeps,
	.nsweeps = sizeof(sweeps) / sizeof(sweeps[0]),
	.device_bytes = kogge_stone_device_bytes,
	.work = kogge_stone_work,
	.set_up = kogge_stone_set_up,
	.tear_down = state_free,
	.poison = scan_poison,
	.check = scan_check,
};
