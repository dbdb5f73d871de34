/* warp-scan.cu: inclusive scan of ints, 32 at a time inside a warp, then combined into a scan of the whole array. */
#include "families.h"
#include "phase.cuh"
#include "warp-scan-state.cuh"

/* Each warp has 64 ints of shared memory: 32 zeros, then the values of its lanes, so that no lane needs a test for "is
 * there a lane d to my left". The arrays are padded to whole blocks, so that no lane leaves the others either. `sums`
 * gets the total of each warp. */

// begin no-volatile
template <class Stamps>
static __device__ __forceinline__ void no_volatile_body(const int *in, int *out, int *sums, Stamps stamps)
{
	SHARED(int, scratch, [SCAN_BLOCK / WARP][2 * WARP]);
	const int i = blockIdx.x * SCAN_BLOCK + threadIdx.x, lane = threadIdx.x % WARP;
	int *data = &scratch[threadIdx.x / WARP][lane];

	data[0] = 0;
	data[32] = in[i];
	stamps.load();
	data[32] += data[32 - 1]; // nothing tells the compiler that other threads write here
	data[32] += data[32 - 2];
	data[32] += data[32 - 4];
	data[32] += data[32 - 8];
	data[32] += data[32 - 16];
	const int sum = data[32];
	stamps.compute();
	out[i] = sum;
	if (lane == WARP - 1)
		sums[i / WARP] = sum;
	stamps.store();
}
// end no-volatile

// begin volatile-rmw
template <class Stamps>
static __device__ __forceinline__ void volatile_rmw_body(const int *in, int *out, int *sums, Stamps stamps)
{
	SHARED(int, scratch, [SCAN_BLOCK / WARP][2 * WARP]);
	const int i = blockIdx.x * SCAN_BLOCK + threadIdx.x, lane = threadIdx.x % WARP;
	volatile int *data = &scratch[threadIdx.x / WARP][lane];

	data[0] = 0;
	data[32] = in[i];
	stamps.load();
	data[32] += data[32 - 1]; // load, load, add, store
	data[32] += data[32 - 2];
	data[32] += data[32 - 4];
	data[32] += data[32 - 8];
	data[32] += data[32 - 16];
	const int sum = data[32];
	stamps.compute();
	out[i] = sum;
	if (lane == WARP - 1)
		sums[i / WARP] = sum;
	stamps.store();
}
// end volatile-rmw

// begin volatile-register
template <class Stamps>
static __device__ __forceinline__ void volatile_register_body(const int *in, int *out, int *sums, Stamps stamps)
{
	SHARED(int, scratch, [SCAN_BLOCK / WARP][2 * WARP]);
	const int i = blockIdx.x * SCAN_BLOCK + threadIdx.x, lane = threadIdx.x % WARP;
	volatile int *data = &scratch[threadIdx.x / WARP][lane];
	int sum = in[i];

	data[0] = 0;
	data[32] = sum;
	stamps.load();
	sum += data[32 - 1]; // load, add, store: its own value never leaves the register
	data[32] = sum;
	sum += data[32 - 2];
	data[32] = sum;
	sum += data[32 - 4];
	data[32] = sum;
	sum += data[32 - 8];
	data[32] = sum;
	sum += data[32 - 16];
	stamps.compute();
	out[i] = sum;
	if (lane == WARP - 1)
		sums[i / WARP] = sum;
	stamps.store();
}
// end volatile-register

// begin syncwarp
template <class Stamps>
static __device__ __forceinline__ void syncwarp_body(const int *in, int *out, int *sums, Stamps stamps)
{
	SHARED(int, scratch, [SCAN_BLOCK / WARP][2 * WARP]);
	const int i = blockIdx.x * SCAN_BLOCK + threadIdx.x, lane = threadIdx.x % WARP;
	int *data = &scratch[threadIdx.x / WARP][lane];
	int sum = in[i];

	data[0] = 0;
	for (int distance = 1; distance < WARP; distance *= 2) {
		data[32] = sum;
		if (distance == 1)
			stamps.load();
		__syncwarp(); // all have written
		sum += data[32 - distance];
		__syncwarp(); // all have read
	}
	stamps.compute();
	out[i] = sum;
	if (lane == WARP - 1)
		sums[i / WARP] = sum;
	stamps.store();
}
// end syncwarp

// begin shuffle
template <class Stamps>
static __device__ __forceinline__ void shuffle_body(const int *in, int *out, int *sums, Stamps stamps)
{
	const int i = blockIdx.x * SCAN_BLOCK + threadIdx.x, lane = threadIdx.x % WARP;
	int sum = in[i];

	for (int distance = 1; distance < WARP; distance *= 2) {
		const int left = __shfl_up_sync(0xffffffffu, sum, distance); // from register to register
		if (distance == 1)
			stamps.load();
		if (lane >= distance)
			sum += left;
	}
	stamps.compute();
	out[i] = sum;
	if (lane == WARP - 1)
		sums[i / WARP] = sum;
	stamps.store();
}
// end shuffle

/* The kernels: with the plain body, and with all three (phase.cuh). */
#define WARP_SCAN_KERNELS(name)                                                                                        \
	__global__ void warp_scan_##name(const int *in, int *out, int *sums)                                           \
	{                                                                                                              \
		name##_body(in, out, sums, no_stamps());                                                               \
	}                                                                                                              \
	__global__ void warp_scan_##name##_phases(const int *in, int *out, int *sums, struct phase_board board)        \
	{                                                                                                              \
		with_phases(board, blockIdx.x, blockIdx.x, [&](auto stamps) { name##_body(in, out, sums, stamps); });  \
	}

WARP_SCAN_KERNELS(no_volatile)
WARP_SCAN_KERNELS(volatile_rmw)
WARP_SCAN_KERNELS(volatile_register)
WARP_SCAN_KERNELS(syncwarp)
WARP_SCAN_KERNELS(shuffle)

typedef void warp_kernel(const int *in, int *out, int *sums);

template <warp_kernel *KERNEL> static cudaError_t warp_scan_config(void *state, struct kernel_config *out)
{
	*out = config_linear((const void *)KERNEL, ((const struct warp_state *)state)->n, SCAN_BLOCK);
	return cudaSuccess;
}

template <warp_kernel *KERNEL>
static cudaError_t warp_scan_launch(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct warp_state *s = (struct warp_state *)state;
	const struct kernel_config config = config_linear((const void *)KERNEL, s->n, SCAN_BLOCK);
	struct queue q = {done, cudaSuccess};

	warp_rotate(s);
	void *arguments[] = {&s->in, &s->out, &s->level[0].values};

	queue_kernel(&q, &config, arguments, stream);
	combine(&q, s, stream);
	return q.error;
}

typedef void warp_phases_kernel(const int *in, int *out, int *sums, struct phase_board board);

template <warp_phases_kernel *KERNEL>
static cudaError_t warp_scan_launch_phases(
	void *state, cudaStream_t stream, const struct phase_board *board, struct kernel_config *config)
{
	struct warp_state *s = (struct warp_state *)state;
	struct phase_board copy = *board;
	struct enqueued done = {0, 0, 0};
	struct queue q = {&done, cudaSuccess};

	warp_rotate(s);
	void *arguments[] = {&s->in, &s->out, &s->level[0].values, &copy};

	*config = config_linear((const void *)KERNEL, s->n, SCAN_BLOCK);
	queue_kernel(&q, config, arguments, stream);
	combine(&q, s, stream);
	return q.error;
}

/* The five additions are one phase. */
static int warp_scan_once(const void *)
{
	return 1;
}

static const struct phase_plan phases = {"l", "c", "s", warp_scan_once};

static const struct param params[] = {
	{"n", "elements", "length of the array", 1, 1 << 28},
};

static const struct size_case cases[] = {
	{"n-16777216", {1 << 24}, false},
	{"ragged", {100003}, true},
	{"part-of-a-warp", {19}, true},
};

/* The compiler is the lesser trouble of no-volatile; all three trust lock-step. */
#define LOCK_STEP                                                                                                      \
	"Lanes of a warp exchange values through shared memory without __syncwarp(): since Volta they may be "         \
	"scheduled "                                                                                                   \
	"independently, and a lane may read before its neighbour has written"

static const struct hazard no_volatile_hazards[] = {
	{"racecheck", LOCK_STEP ". Without volatile the compiler need not even let the neighbour write in time."},
};

static const struct hazard volatile_hazards[] = {
	{"racecheck", LOCK_STEP ". volatile makes every access happen, and orders nothing between lanes."},
};

static const struct variant variants[] = {
	{
		.name = "no-volatile",
		.summary = "shared memory without volatile: the compiler may keep every sum in a register, where no "
			   "other lane sees it",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.teaches_failure = true,
		.launch = warp_scan_launch<warp_scan_no_volatile>,
		.config = warp_scan_config<warp_scan_no_volatile>,
		.launch_phases = warp_scan_launch_phases<warp_scan_no_volatile_phases>,
		.phases = &phases,
		.hazards = no_volatile_hazards,
		.nhazards = sizeof(no_volatile_hazards) / sizeof(no_volatile_hazards[0]),
	},
	{
		.name = "volatile-rmw",
		.summary = "volatile shared memory, added to in place: each step loads twice and stores once",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = warp_scan_launch<warp_scan_volatile_rmw>,
		.config = warp_scan_config<warp_scan_volatile_rmw>,
		.launch_phases = warp_scan_launch_phases<warp_scan_volatile_rmw_phases>,
		.phases = &phases,
		.hazards = volatile_hazards,
		.nhazards = sizeof(volatile_hazards) / sizeof(volatile_hazards[0]),
	},
	{
		.name = "volatile-register",
		.summary =
			"volatile shared memory for the neighbours, a register for the own sum: each step loads once",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = warp_scan_launch<warp_scan_volatile_register>,
		.config = warp_scan_config<warp_scan_volatile_register>,
		.launch_phases = warp_scan_launch_phases<warp_scan_volatile_register_phases>,
		.phases = &phases,
		.hazards = volatile_hazards,
		.nhazards = sizeof(volatile_hazards) / sizeof(volatile_hazards[0]),
	},
	{
		.name = "syncwarp",
		.summary = "a register for the own sum and __syncwarp() around each exchange: right on every GPU",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = warp_scan_launch<warp_scan_syncwarp>,
		.config = warp_scan_config<warp_scan_syncwarp>,
		.launch_phases = warp_scan_launch_phases<warp_scan_syncwarp_phases>,
		.phases = &phases,
	},
	{
		.name = "shuffle",
		.summary = "__shfl_up_sync() hands values from register to register: no shared memory",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = warp_scan_launch<warp_scan_shuffle>,
		.config = warp_scan_config<warp_scan_shuffle>,
		.launch_phases = warp_scan_launch_phases<warp_scan_shuffle_phases>,
		.phases = &phases,
	},
};

extern "C" const struct family family_warp_scan = {
	.name = "warp-scan",
	.title = "Prefix sum of a warp",
	.question =
		"The 32 threads of a warp add up through a scratch array. What does volatile change in the code that "
		"the compiler makes, and does it help to keep the own sum in a register?",
	.teaches =
		"This is not double buffering. It is the same hazard: a value overwritten while a neighbour still has "
		"to read it. Trusting that the threads of a warp move in lock-step meets it. Without volatile the "
		"compiler sees one thread only, keeps its sums in registers, and the neighbours read what was never "
		"written: compare the PTX. With volatile, every access happens as written. Keeping the own sum in a "
		"register then saves a load in each step, so the longer source has the shorter code. But volatile "
		"orders nothing between threads. Since Volta the threads of a warp may be scheduled independently, "
		"and lock-step is a habit, not a promise. The call __syncwarp() makes the order explicit, and a "
		"shuffle needs no shared memory at all. The pair compared is in-place against register; both use one "
		"scratch array. Times are those of the whole array: the warp kernel and the kernels that combine the "
		"warps' sums, which are the same in all variants. Registers and occupancy are the warp kernel's.",
	.source = "\"Volatile\", a blog post on a scan that came out wrong in an assignment on parallel programming, "
		  "after Algorithmica's prefix sum in blocks of 32",
	.file = "warp-scan.cu",
	.throughput = "Gelements/s",
	.bound_by = "device memory",
	.params = params,
	.nparams = sizeof(params) / sizeof(params[0]),
	.cases = cases,
	.ncases = sizeof(cases) / sizeof(cases[0]),
	.variants = variants,
	.nvariants = sizeof(variants) / sizeof(variants[0]),
	.single = "volatile-rmw",
	.double_ = "volatile-register",
	.device_bytes = warp_device_bytes,
	.work = warp_work,
	.set_up = warp_set_up,
	.tear_down = state_free,
	.poison = warp_poison,
	.check = warp_check,
};
