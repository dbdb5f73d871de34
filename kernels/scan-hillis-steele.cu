/* scan-hillis-steele.cu: the same scan as it is often first written, with a race in it, and two ways to repair it. */
#include "families.h"
#include "scan.cuh"

enum { PARAM_N, PARAM_BLOCK, PARAM_BLOCKS };

// begin in-place-race
template <int BLOCK, class Probe, class Stamps>
static __device__ __forceinline__ void in_place_race_body(const float *in, float *out, int n, Stamps stamps)
{
	SHARED(float, temp, [BLOCK]);
	const int tid = threadIdx.x;
	const int i = blockIdx.x * BLOCK + tid;

	temp[tid] = i < n ? in[i] : 0.0f;
	stamps.load();
	__syncthreads();
	stamps.wait();
	for (int offset = 1; offset < BLOCK; offset *= 2) {
		if (tid >= offset)
			temp[tid] += temp[tid - offset]; // the race: thread tid - offset may have written already
		stamps.compute();
		__syncthreads();
		stamps.wait();
		Probe::after(offset, temp[tid]);
	}
	if (i < n)
		out[i] = temp[tid];
	stamps.store();
}
// end in-place-race

// begin two-barriers
template <int BLOCK, class Probe, class Stamps>
static __device__ __forceinline__ void two_barriers_body(const float *in, float *out, int n, Stamps stamps)
{
	SHARED(float, temp, [BLOCK]);
	const int tid = threadIdx.x;
	const int i = blockIdx.x * BLOCK + tid;

	temp[tid] = i < n ? in[i] : 0.0f;
	stamps.load();
	__syncthreads();
	stamps.wait();
	for (int offset = 1; offset < BLOCK; offset *= 2) {
		float sum = temp[tid];
		if (tid >= offset)
			sum += temp[tid - offset];
		stamps.compute();
		__syncthreads(); // all have read
		stamps.wait();
		temp[tid] = sum;
		stamps.compute();
		__syncthreads(); // all have written
		stamps.wait();
		Probe::after(offset, sum);
	}
	if (i < n)
		out[i] = temp[tid];
	stamps.store();
}
// end two-barriers

// begin two-arrays
template <int BLOCK, class Probe, class Stamps>
static __device__ __forceinline__ void two_arrays_body(const float *in, float *out, int n, Stamps stamps)
{
	SHARED(float, temp, [BLOCK]);
	SHARED(float, temp2, [BLOCK]);
	const int tid = threadIdx.x;
	const int i = blockIdx.x * BLOCK + tid;
	bool in_temp = true; // which array holds the values now

	temp[tid] = i < n ? in[i] : 0.0f;
	stamps.load();
	__syncthreads();
	stamps.wait();
	for (int offset = 1; offset < BLOCK; offset *= 2) {
		const float *from = in_temp ? temp : temp2;
		float *to = in_temp ? temp2 : temp;
		float sum = from[tid];
		if (tid >= offset)
			sum += from[tid - offset];
		to[tid] = sum; // also where nothing was added: the other array must be complete
		in_temp = !in_temp;
		stamps.compute();
		__syncthreads(); // all have written
		stamps.wait();
		Probe::after(offset, sum);
	}
	if (i < n)
		out[i] = in_temp ? temp[tid] : temp2[tid];
	stamps.store();
}
// end two-arrays

template <int BLOCK, class Probe> __global__ void hillis_steele_in_place_race(const float *in, float *out, int n)
{
	in_place_race_body<BLOCK, Probe>(in, out, n, no_stamps());
}

template <int BLOCK>
__global__ void hillis_steele_in_place_race_phases(const float *in, float *out, int n, int, struct phase_board board)
{
	with_spread_phases<1 + scan_steps_of(BLOCK)>(
		board, [&](auto stamps) { in_place_race_body<BLOCK, no_probe>(in, out, n, stamps); });
}

template <int BLOCK, class Probe> __global__ void hillis_steele_two_barriers(const float *in, float *out, int n)
{
	two_barriers_body<BLOCK, Probe>(in, out, n, no_stamps());
}

template <int BLOCK>
__global__ void hillis_steele_two_barriers_phases(const float *in, float *out, int n, int, struct phase_board board)
{
	with_spread_phases<1 + 2 * scan_steps_of(BLOCK)>(
		board, [&](auto stamps) { two_barriers_body<BLOCK, no_probe>(in, out, n, stamps); });
}

template <int BLOCK, class Probe> __global__ void hillis_steele_two_arrays(const float *in, float *out, int n)
{
	two_arrays_body<BLOCK, Probe>(in, out, n, no_stamps());
}

template <int BLOCK>
__global__ void hillis_steele_two_arrays_phases(const float *in, float *out, int n, int, struct phase_board board)
{
	with_spread_phases<1 + scan_steps_of(BLOCK)>(
		board, [&](auto stamps) { two_arrays_body<BLOCK, no_probe>(in, out, n, stamps); });
}

/* Unnamed, because the linker would merge scan_launch<two_barriers> of this file with that of another family. */
namespace
{
struct in_place_race {
	static const bool ints = false, races = true;
	static const int chain = SCAN_STEPS;

	template <typename T, int BLOCK, class Probe> static const void *kernel()
	{
		return (const void *)hillis_steele_in_place_race<BLOCK, Probe>;
	}
	template <typename T, int BLOCK> static const void *phases()
	{
		return (const void *)hillis_steele_in_place_race_phases<BLOCK>;
	}
};

struct two_barriers {
	static const bool ints = false, races = false;
	static const int chain = SCAN_STEPS;

	template <typename T, int BLOCK, class Probe> static const void *kernel()
	{
		return (const void *)hillis_steele_two_barriers<BLOCK, Probe>;
	}
	template <typename T, int BLOCK> static const void *phases()
	{
		return (const void *)hillis_steele_two_barriers_phases<BLOCK>;
	}
};

struct two_arrays {
	static const bool ints = false, races = false;
	static const int chain = SCAN_STEPS;

	template <typename T, int BLOCK, class Probe> static const void *kernel()
	{
		return (const void *)hillis_steele_two_arrays<BLOCK, Probe>;
	}
	template <typename T, int BLOCK> static const void *phases()
	{
		return (const void *)hillis_steele_two_arrays_phases<BLOCK>;
	}
};
} // namespace

static size_t hillis_steele_device_bytes(const struct size_case *size)
{
	return scan_device_bytes(size->value[PARAM_N]);
}

static void hillis_steele_work(const struct size_case *size, struct work *out)
{
	out->flops = 0;
	out->bytes = (double)scan_bytes(size->value[PARAM_N]);
	out->elements = (double)size->value[PARAM_N];
}

static cudaError_t hillis_steele_set_up(
	const struct size_case *size, uint64_t seed, void **state, char *message, size_t message_size)
{
	const struct scan_setting setting = {
		size->value[PARAM_N], size->value[PARAM_BLOCK], 1, SCAN_FLOAT, size->value[PARAM_BLOCKS]};

	return scan_set_up(&setting, seed, state, message, message_size);
}

static const char *hillis_steele_unsupported(const struct cudaDeviceProp *device, const struct size_case *size)
{
	return block_limit_unsupported(device, size->value[PARAM_BLOCKS]);
}

/* One scan, and a barrier before its first step. */
static double hillis_steele_shape_of(const struct size_case *size, double barriers, struct shape *out)
{
	const double adding = scan_shape(size->value[PARAM_BLOCK], 1, barriers, out);

	out->step.barriers += 1 / out->step.steps;
	return adding;
}

static void hillis_steele_shape_in_place_race(const struct size_case *size, struct shape *out)
{
	const double adding = hillis_steele_shape_of(size, 1, out);

	out->step.shared_loads += 2 * adding;
	out->step.shared_stores += adding;
}

/* Both keep the sum in a register from its loads to its store, and store it in all threads. */
static void hillis_steele_shape_two_barriers(const struct size_case *size, struct shape *out)
{
	const double adding = hillis_steele_shape_of(size, 2, out);

	out->step.shared_loads += 1 + adding;
	out->step.shared_stores += 1;
}

static void hillis_steele_shape_two_arrays(const struct size_case *size, struct shape *out)
{
	const double adding = hillis_steele_shape_of(size, 1, out);

	out->step.shared_loads += 1 + adding;
	out->step.shared_stores += 1;
	out->step.other += 1; /* which array */
}

static const struct param params[] = {
	{"n", "elements", "length of the array", 1, 1 << 28},
	{"block", "threads", "threads per block, and elements per scan: 128, 256, 512 or 1024", 128, 1024, scan_blocks},
	{"blocks", "blocks", "that share an SM at most, to lower the occupancy; 0: as many as fit", 0, BLOCK_LIMIT_MAX},
};

static const struct size_case cases[] = {
	{"n-25600", {25600, 1024}, false},
	{"n-16777216", {1 << 24, 1024}, false},
	{"ragged-1024", {25600 - 37, 1024}, true},
	{"ragged-256", {25600 - 37, 256}, true},
	{"part-of-a-block", {37, 128}, true},
	{"limited", {25600 - 37, 1024, 1}, true},
};

static const struct sweep sweeps[] = {
	{
		.name = "n-block",
		.title = "Array length and block size",
		.question = "From which array length on does it matter which repair is chosen, and for which block "
			    "sizes?",
		.base = 0,
		.naxes = 2,
		.axis =
			{
				{PARAM_N, 5, {1 << 12, 1 << 16, 1 << 20, 1 << 24, 1 << 28}},
				{PARAM_BLOCK, 4, {128, 256, 512, 1024}},
			},
	},
};

static const struct phase_plan two_barriers_phases = {"lw", "cwcw", "s", scan_phase_steps, scan_spreads};
static const struct phase_plan one_barrier_phases = {"lw", "cw", "s", scan_phase_steps, scan_spreads};

static const struct hazard hazards[] = {
	{"racecheck", "Reads and writes of one step meet in shared memory with no barrier between them: whether thread "
		      "t adds the "
		      "old or the new value of thread t - offset is decided by which warp runs first."},
};

static const struct variant variants[] = {
	{
		.name = "in-place-race",
		.summary = "one array, one barrier a step: reads and writes of one step meet in the same array",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.teaches_failure = true,
		.launch = scan_launch<in_place_race>,
		.unsupported = hillis_steele_unsupported,
		.config = scan_config<in_place_race>,
		.launch_phases = scan_launch_phases<in_place_race>,
		.phases = &one_barrier_phases,
		.shape = hillis_steele_shape_in_place_race,
		.steps = scan_steps<in_place_race>,
		.hazards = hazards,
		.nhazards = sizeof(hazards) / sizeof(hazards[0]),
	},
	{
		.name = "two-barriers",
		.summary = "one array; a barrier between the reads and the writes of a step, and one after it",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = scan_launch<two_barriers>,
		.unsupported = hillis_steele_unsupported,
		.config = scan_config<two_barriers>,
		.launch_phases = scan_launch_phases<two_barriers>,
		.phases = &two_barriers_phases,
		.shape = hillis_steele_shape_two_barriers,
		.steps = scan_steps<two_barriers>,
	},
	{
		.name = "two-arrays",
		.summary = "two arrays and a flag that says which one to read; one barrier a step",
		.kind = VARIANT_CANDIDATE,
		.buffers = 2,
		.launch = scan_launch<two_arrays>,
		.unsupported = hillis_steele_unsupported,
		.config = scan_config<two_arrays>,
		.launch_phases = scan_launch_phases<two_arrays>,
		.phases = &one_barrier_phases,
		.shape = hillis_steele_shape_two_arrays,
		.steps = scan_steps<two_arrays>,
	},
};

extern "C" const struct family family_scan_hillis_steele = {
	.name = "scan-hillis-steele",
	.title = "Hillis-Steele scan and its race",
	.question =
		"What goes wrong when all threads of a block add in place in one array? And which repair costs less: "
		"a second barrier in each step, or a second array?",
	.teaches =
		"In step one, thread 2 has to add its neighbour's 2 to its own 3. If thread 1 has already replaced "
		"that 2 by 1 + 2, thread 2 gets 6 instead of 5. That is a race between a read and a write of the same "
		"step. It need not show. Threads of one warp mostly read before any of them writes, so a small "
		"example comes out right and proves nothing. Warps that run at different speeds make it visible. Both "
		"repairs give the same sums: a barrier between reads and writes, or double buffering, which reads one "
		"array and writes the other. With two arrays, elements that take no part in a step must be copied too.",
	.source = "COM2039: Parallel Computing, Lab Class 5, \"Fixing the Race Condition in the Scan Kernel\"",
	.file = "scan-hillis-steele.cu",
	.throughput = "Gelements/s",
	.bound_by = "device memory",
	.params = params,
	.nparams = sizeof(params) / sizeof(params[0]),
	.cases = cases,
	.ncases = sizeof(cases) / sizeof(cases[0]),
	.variants = variants,
	.nvariants = sizeof(variants) / sizeof(variants[0]),
	.single = "two-barriers",
	.double_ = "two-arrays",
	.sweeps = sweeps,
	.nsweeps = sizeof(sweeps) / sizeof(sweeps[0]),
	.device_bytes = hillis_steele_device_bytes,
	.work = hillis_steele_work,
	.set_up = hillis_steele_set_up,
	.tear_down = state_free,
	.poison = scan_poison,
	.check = scan_check,
};
