/* scan-device.cu: the prefix sum of a long array, from three kernels to one pass at the speed of a copy. The rungs with
 * TMA are in scan-device-tma.cu, CUB's is in scan-device-cub.cu; how a case chooses a kernel is in scan-device/. */
#include "cp-async.cuh"
#include "families.h"
#include "queue.h"
#include "scan-device.cuh"
#include "scan-device/plan.h"
#include "scan-device/supported.h"

// begin three-kernels
/* The sum of each tile. */
template <class T, int VECTORS>
__global__ void __launch_bounds__(SCAN_THREADS_MAX) scan_device_reduce(const struct scan_arguments scan)
{
	typedef typename scan_of<T>::sum sum;
	__shared__ struct scan_shared<sum> shared;
	const int warps = blockDim.x / SCAN_LANES;
	struct scan_part<T, VECTORS> part(blockIdx.x, warps);
	sum own, all;

	part.load_global(scan);
	own = part.total();
	if (threadIdx.x % SCAN_LANES == 0)
		shared.total[threadIdx.x / SCAN_LANES] = own;
	__syncthreads();
	if (threadIdx.x >= SCAN_LANES)
		return;
	(void)warps_before(shared, warps, &all);
	if (threadIdx.x == 0)
		((sum *)scan.sums)[blockIdx.x] = all;
}

/* Makes of each tile's sum that of all tiles before it, in one block. */
template <class S>
__global__ void __launch_bounds__(SCAN_THREADS_MAX) scan_device_sums(const struct scan_arguments scan)
{
	enum { EACH = 4 };
	__shared__ struct scan_shared<S> shared;
	const int lane = threadIdx.x % SCAN_LANES;
	S *const sums = (S *)scan.sums;
	S base = 0;

	for (int first = 0; first < scan.tiles; first += SCAN_THREADS_MAX * EACH) {
		const int mine = first + threadIdx.x * EACH;
		S value[EACH], own = 0, all, upto;

#pragma unroll
		for (int i = 0; i < EACH; i++)
			own += value[i] = mine + i < scan.tiles ? sums[mine + i] : S(0);
		upto = warp_scan(own, lane);
		if (lane == SCAN_LANES - 1)
			shared.total[threadIdx.x / SCAN_LANES] = upto;
		__syncthreads();
		own = warp_before(upto, lane) + warps_before(shared, SCAN_WARPS_MAX, &all) + base;
#pragma unroll
		for (int i = 0; i < EACH; i++) {
			if (mine + i < scan.tiles)
				sums[mine + i] = own;
			own += value[i];
		}
		base += all;
		__syncthreads(); // the totals are read
	}
}

/* Adds up each tile from there. */
template <class T, int VECTORS>
__global__ void __launch_bounds__(SCAN_THREADS_MAX) scan_device_apply(const struct scan_arguments scan)
{
	typedef typename scan_of<T>::sum sum;
	__shared__ struct scan_shared<sum> shared;
	const int warps = blockDim.x / SCAN_LANES;
	struct scan_part<T, VECTORS> part(blockIdx.x, warps);
	sum own, all;

	part.load_global(scan);
	own = part.add_up();
	if (threadIdx.x % SCAN_LANES == 0)
		shared.total[threadIdx.x / SCAN_LANES] = own;
	__syncthreads();
	part.store(scan, ((const sum *)scan.sums)[blockIdx.x] + warps_before(shared, warps, &all));
}
// end three-kernels

// begin look-back
/* One tile a block. Blocks take tiles in the order in which they start, so those before a block's own are under way. */
template <class T, int VECTORS>
__global__ void __launch_bounds__(SCAN_THREADS_MAX) scan_device_look_back(const struct scan_arguments scan)
{
	__shared__ struct scan_shared<typename scan_of<T>::sum> shared;
	const int warps = blockDim.x / SCAN_LANES;

	if (threadIdx.x == 0) {
		shared.tag = scan_tag(scan.control);
		shared.tile[0] = take_ticket(scan.control);
	}
	__syncthreads();
	const int tile = shared.tile[0];
	struct scan_part<T, VECTORS> part(tile, warps);

	part.load_global(scan);
	if (threadIdx.x == blockDim.x - 1)
		take_no_more_tickets(scan.control);
	scan_tile(scan, shared, part, tile, warps, [] {});
}
// end look-back

// begin persistent, async-1, async-2
/* As many blocks as fit, each of which goes on to further tiles. A thread copies the vectors that it will add up
 * itself: STAGES tiles ahead by cp.async, or into registers when their turn has come (0). */
template <class T, int VECTORS, int STAGES>
__global__ void __launch_bounds__(SCAN_THREADS_MAX) scan_device_persistent(const struct scan_arguments scan)
{
	constexpr int AHEAD = STAGES > 0 ? STAGES : 1;
	extern __shared__ uint4 ring[];
	__shared__ struct scan_shared<typename scan_of<T>::sum> shared;
	const int warps = blockDim.x / SCAN_LANES;
	const auto place = [&](int stage, int row) {
		return &ring[(stage * VECTORS + row) * blockDim.x + threadIdx.x];
	};
	const auto copy = [&](int stage, int tile) {
		const struct scan_part<T, VECTORS> part(tile, warps);

#pragma unroll
		for (int row = 0; row < VECTORS; row++)
			if (part.number(row) < scan.vectors)
				copy_async_16(place(stage, row), (const uint4 *)scan.in + part.number(row));
	};
	int tile[AHEAD], stage = 0, taken = 0;

	if (threadIdx.x == 0) {
		shared.tag = scan_tag(scan.control);
		for (int i = 0; i < AHEAD; i++)
			shared.tile[i] = take_ticket(scan.control);
	}
	__syncthreads();
#pragma unroll
	for (int i = 0; i < AHEAD; i++) {
		tile[i] = shared.tile[i];
		if (STAGES > 0) {
			if (tile[i] < scan.tiles)
				copy(i, tile[i]);
			copy_async_commit();
		}
	}
	__syncthreads(); // the numbers are read
	while (tile[0] < scan.tiles) {
		struct scan_part<T, VECTORS> part(tile[0], warps);
		int next = scan.tiles;

		if (threadIdx.x == 0)
			taken = take_ticket(scan.control);
		if (STAGES > 0) {
			copy_async_wait<AHEAD - 1>();
			part.load(scan, [&](int row) { return place(stage, row); });
		} else {
			part.load_global(scan);
		}
		if (threadIdx.x == 0)
			shared.tile[0] = taken;
		scan_tile(scan, shared, part, tile[0], warps, [&] {
			next = shared.tile[0];
			if (STAGES > 0) {
				if (next < scan.tiles)
					copy(stage, next);
				copy_async_commit();
			}
		});
#pragma unroll
		for (int i = 1; i < AHEAD; i++)
			tile[i - 1] = tile[i];
		tile[AHEAD - 1] = next;
		stage = stage + 1 < AHEAD ? stage + 1 : 0;
	}
	if (threadIdx.x == 0)
		take_no_more_tickets(scan.control);
}
// end persistent, async-1, async-2

/* ---- on the host ---- */

/* The kernel's symbols for the types. */
#define SCAN_KERNELS(name, ...)                                                                                        \
	{                                                                                                              \
		(const void *)name<float, __VA_ARGS__>, (const void *)name<int, __VA_ARGS__>,                          \
			(const void *)name<long long, __VA_ARGS__>, (const void *)name<__half, __VA_ARGS__>            \
	}

typedef const void *scan_kernels[SCAN_TYPES];

static const scan_kernels reduce_kernels = SCAN_KERNELS(scan_device_reduce, VECTORS_MANY);
static const scan_kernels apply_kernels = SCAN_KERNELS(scan_device_apply, VECTORS_MANY);
static const scan_kernels look_back_kernels[] = {
	SCAN_KERNELS(scan_device_look_back, VECTORS_FEW), SCAN_KERNELS(scan_device_look_back, VECTORS_MANY)};
static const scan_kernels persistent_kernels[] = {SCAN_KERNELS(scan_device_persistent, VECTORS_MANY, 0),
	SCAN_KERNELS(scan_device_persistent, VECTORS_MANY, 1), SCAN_KERNELS(scan_device_persistent, VECTORS_MANY, 2)};

static const void *const sums_kernels[] = {(const void *)scan_device_sums<float>, (const void *)scan_device_sums<int>,
	(const void *)scan_device_sums<long long>, (const void *)scan_device_sums<float>};

/* ---- launches ---- */

enum { SUMS_IN_ONE_BLOCK = SCAN_THREADS_MAX };

static const void *scan_device_kernel(enum scan_way way, enum scan_device_type type, const struct scan_plan *plan)
{
	switch (way) {
	case WAY_THREE_KERNELS:
		return reduce_kernels[type];
	case WAY_LOOK_BACK:
		return look_back_kernels[plan->vectors == VECTORS_MANY][type];
	case WAY_PERSISTENT:
	case WAY_ASYNC:
		return persistent_kernels[plan->stages][type];
	case WAY_ROUNDS:
		return scan_device_rounds_kernel(type, plan);
	default:
		return scan_device_tma_kernel(type, plan);
	}
}

/* Finds out how many blocks of a kernel fit on an SM. */
static cudaError_t scan_device_fit(struct scan_device_state *s, const struct kernel_config *config)
{
	const int threads = (int)config->block[0], dynamic = (int)config->dynamic_smem;
	cudaError_t error = cudaSuccess;

	if (s->fitted != config->function || s->fitted_block != config->block[0] ||
		s->fitted_dynamic != config->dynamic_smem) {
		error = cudaFuncSetAttribute(config->function, cudaFuncAttributeMaxDynamicSharedMemorySize, dynamic);
		/* What keeps no tiles in shared memory leaves it to the L1 cache, as look-back does. */
		if (error == cudaSuccess && dynamic > 0)
			error = cudaFuncSetAttribute(config->function, cudaFuncAttributePreferredSharedMemoryCarveout,
				cudaSharedmemCarveoutMaxShared);
		if (error == cudaSuccess)
			error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
				&s->fit, config->function, threads, config->dynamic_smem);
		if (error == cudaSuccess && s->fit == 0)
			error = cudaErrorLaunchOutOfResources;
		if (error != cudaSuccess)
			return error;
		s->fitted = config->function;
		s->fitted_block = config->block[0];
		s->fitted_dynamic = config->dynamic_smem;
	}
	return error;
}

static cudaError_t scan_device_configure(
	struct scan_device_state *s, enum scan_way way, const struct scan_plan *plan, struct kernel_config *out)
{
	const unsigned tiles = (unsigned)scan_device_tiles(s, plan);
	const size_t tile = scan_device_tile_bytes(plan->warps, plan->vectors);
	const struct kernel_config config = {scan_device_kernel(way, s->type, plan), {tiles, 1, 1},
		{(unsigned)(plan->warps + plan->further) * SCAN_LANES, 1, 1},
		plan->persistent ? tile * (size_t)plan->stages : 0};
	cudaError_t error = cudaSuccess;
	unsigned blocks;

	*out = config;
	if (!plan->persistent)
		return cudaSuccess;
	error = scan_device_fit(s, &config);
	blocks = (unsigned)((plan->blocks > 0 && plan->blocks < s->fit ? plan->blocks : s->fit) * s->sms);
	if (tiles > blocks)
		out->grid[0] = blocks;
	return error;
}

template <scan_way WAY, int STAGES> static cudaError_t scan_device_config(void *state, struct kernel_config *out)
{
	struct scan_device_state *s = (struct scan_device_state *)state;
	const struct scan_plan plan = scan_device_plan(s, WAY, STAGES);

	return scan_device_configure(s, WAY, &plan, out);
}

static struct scan_arguments scan_device_arguments(const struct scan_device_state *s, const struct scan_plan *plan)
{
	const int64_t length = VECTOR_BYTES / (int64_t)scan_device_size(s->type);
	const struct scan_arguments arguments = {s->in, s->out, s->status, s->sums, s->control, (int)(s->n / length),
		(int)(s->n % length), scan_device_tiles(s, plan), plan->stages, plan->warps};

	return arguments;
}

/* Behind the sums of tiles: their scan, and that of the tiles from there. */
static void scan_device_queue_rest(struct queue *q, const struct scan_device_state *s,
	const struct kernel_config *reduce, void **arguments, cudaStream_t stream)
{
	const struct kernel_config sums = {sums_kernels[s->type], {1, 1, 1}, {SUMS_IN_ONE_BLOCK, 1, 1}, 0};
	struct kernel_config apply = *reduce;

	apply.function = apply_kernels[s->type];
	queue_kernel(q, &sums, arguments, stream);
	queue_kernel(q, &apply, arguments, stream);
}

static cudaError_t scan_device_run(
	struct scan_device_state *s, enum scan_way way, int stages, cudaStream_t stream, struct enqueued *done)
{
	const struct scan_plan plan = scan_device_plan(s, way, stages);
	struct queue q = {done, cudaSuccess};
	struct scan_arguments scan;
	struct kernel_config config;
	void *arguments[] = {&scan};

	scan_device_rotate(s);
	scan = scan_device_arguments(s, &plan);
	queue_note(&q, scan_device_configure(s, way, &plan, &config));
	if (plan.together)
		queue_cooperative(&q, &config, arguments, stream);
	else
		queue_kernel(&q, &config, arguments, stream);
	if (way == WAY_THREE_KERNELS)
		scan_device_queue_rest(&q, s, &config, arguments, stream);
	return q.error;
}

template <scan_way WAY, int STAGES>
static cudaError_t scan_device_launch(void *state, cudaStream_t stream, struct enqueued *done)
{
	return scan_device_run((struct scan_device_state *)state, WAY, STAGES, stream, done);
}

// begin automatic
/* From so many bytes on, an array is long enough for blocks that go on from tile to tile. */
static const size_t ROUNDS_BYTES = 8 << 20;

static enum scan_way scan_device_choose(const struct scan_device_state *s)
{
	return s->tma && scan_device_array_bytes(s->n, s->type) >= ROUNDS_BYTES ? WAY_ROUNDS : WAY_LOOK_BACK;
}
// end automatic

/* The stages of rounds that fit, or that the case says. */
static int scan_device_buffers_rounds(const struct cudaDeviceProp *device, const struct size_case *size)
{
	struct scan_device_state s = {};

	scan_device_know(&s, device, size);
	return scan_device_plan(&s, WAY_ROUNDS, 0).stages;
}

static int scan_device_buffers_automatic(const struct cudaDeviceProp *device, const struct size_case *size)
{
	struct scan_device_state s = {};

	scan_device_know(&s, device, size);
	return scan_device_choose(&s) == WAY_ROUNDS ? scan_device_buffers_rounds(device, size) : 1;
}

static cudaError_t scan_device_launch_automatic(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct scan_device_state *s = (struct scan_device_state *)state;

	return scan_device_run(s, scan_device_choose(s), 0, stream, done);
}

static cudaError_t scan_device_config_automatic(void *state, struct kernel_config *out)
{
	struct scan_device_state *s = (struct scan_device_state *)state;
	const enum scan_way way = scan_device_choose(s);
	const struct scan_plan plan = scan_device_plan(s, way, 0);

	return scan_device_configure(s, way, &plan, out);
}

// begin copy
static cudaError_t scan_device_launch_copy(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct scan_device_state *s = (struct scan_device_state *)state;
	struct queue q = {done, cudaSuccess};

	scan_device_rotate(s);
	s->copied = true; // the check compares with the input
	queue_copy(&q, s->out, s->in, scan_device_array_bytes(s->n, s->type), cudaMemcpyDeviceToDevice, stream);
	return q.error;
}
// end copy

/* ---- what can run ---- */

/* What it chooses has to run. */
static const char *scan_device_automatic_unsupported(const struct cudaDeviceProp *device, const struct size_case *size)
{
	struct scan_device_state s = {};

	scan_device_know(&s, device, size);
	return scan_device_choose(&s) == WAY_ROUNDS ? scan_device_rounds_unsupported<0>(device, size)
						    : scan_device_few_unsupported(device, size);
}

static const struct param params[] = {
	{"n", "elements", "length of the array", 1, 1 << 28},
	{"type", "", "of the elements: 0 F32, 1 I32, 2 I64, 3 F16", 0, SCAN_TYPES - 1},
	{"cold", "", "1: the input was pushed out of the L2 cache before each launch; 0: it was read just before", 0,
		1},
	{"warps", "warps", "of a block that scan; 0: as the size asks for", 0, SCAN_WARPS_MAX},
	{"vectors", "vectors", "of 16 bytes that a thread has of a tile, 4 or 8; 0: as the size asks for", 0,
		VECTORS_MANY},
	{"blocks", "blocks", "on an SM, of those that go on from tile to tile; 0: one for rounds, else as many as fit",
		0, 32},
	{"stages", "stages", "of a block of the variant rounds; 0: as many as fit", 0, ROUNDS_STAGES_MAX},
	{"reducers", "warps", "of a block of rounds that only sum up tiles; 0: 4", 0, ROUNDS_REDUCERS_MAX},
};

static const struct size_case cases[] = {
	{"f32", {1 << 28, SCAN_F32, 1}, false},
	{"i32", {1 << 28, SCAN_I32, 1}, false},
	{"i64", {1 << 28, SCAN_I64, 1}, false},
	{"f16", {1 << 28, SCAN_F16, 1}, false},
	{"one-f32", {1, SCAN_F32, 1}, true},
	{"one-i64", {1, SCAN_I64, 0}, true},
	{"less-than-a-vector-f16", {7, SCAN_F16, 0}, true},
	{"ragged-f32", {(1 << 20) + 3, SCAN_F32, 1}, true},
	{"ragged-i32", {999983, SCAN_I32, 0}, true},
	{"ragged-i64", {777777, SCAN_I64, 1}, true},
	{"ragged-f16", {(1 << 22) + 13, SCAN_F16, 0}, true},
	{"a-tile-and-one-f32", {8193, SCAN_F32, 0, 8, 8}, true},
	{"a-tile-less-one-f16", {16383, SCAN_F16, 0, 8, 8}, true},
	{"three-warps-i32", {300001, SCAN_I32, 0, 3, 8, 1}, true},
	{"wide-i64", {500003, SCAN_I64, 0, 16, 8, 1, 2, 2}, true},
	{"many-tiles-f16", {20000003, SCAN_F16, 0, 1, 8}, true},
	{"few-vectors-i64", {3000001, SCAN_I64, 0, 5, 4, 2, 3, 3}, true},
	{"many-rounds-f32", {9000001, SCAN_F32, 0, 1, 4, 1, 14, 1}, true},
	{"round-and-one-i32", {132 * 2048 + 1, SCAN_I32, 0, 4, 4, 1, 1, 8}, true},
};

/* From 2^26 elements of 4 bytes on no cache keeps an array: one number is enough. */
static bool scan_device_wanted(const struct size_case *size)
{
	return size->value[SCAN_PARAM_COLD] || size->value[SCAN_PARAM_N] < 1 << 26;
}

#define SCAN_SWEEP(name_, type_, base_)                                                                                \
	{                                                                                                              \
		.name = name_, .title = "Length of the array, " type_,                                                 \
		.question = "Is the variant that the rule chooses as fast as CUB at every length?", .base = base_,     \
		.naxes = 2,                                                                                            \
		.axis = {{SCAN_PARAM_N, 13,                                                                            \
				 {1 << 16, 1 << 17, 1 << 18, 1 << 19, 1 << 20, 1 << 21, 1 << 22, 1 << 23, 1 << 24,     \
					 1 << 25, 1 << 26, 1 << 27, 1 << 28}},                                         \
			{SCAN_PARAM_COLD, 2, {0, 1}}},                                                                 \
		.single = "cub", .double_ = "automatic", .wanted = scan_device_wanted,                                 \
	}

static const struct sweep sweeps[] = {
	SCAN_SWEEP("n-f32", "F32", 0),
	SCAN_SWEEP("n-i32", "I32", 1),
	SCAN_SWEEP("n-i64", "I64", 2),
	SCAN_SWEEP("n-f16", "F16", 3),
};

/* A rung. */
#define SCAN_RUNG(name_, buffers_, summary_, rung_, way_, stages_, unsupported_)                                       \
	{                                                                                                              \
		.name = name_, .summary = summary_, .kind = VARIANT_CANDIDATE, .buffers = buffers_,                    \
		.launch = scan_device_launch<way_, stages_>, .unsupported = unsupported_,                              \
		.buffers_of = way_ == WAY_ROUNDS && stages_ == 0 ? scan_device_buffers_rounds : NULL,                  \
		.config = scan_device_config<way_, stages_>, .rung = rung_,                                            \
		.file = way_ >= WAY_TMA ? "scan-device-tma.cu" : NULL,                                                 \
	}
#define STEP(...)                                                                                                      \
	{                                                                                                              \
		__VA_ARGS__                                                                                            \
	}

static const struct variant variants[] = {
	SCAN_RUNG("three-kernels", 1, "sums of tiles, their scan, and the scan of the tiles: the input is read twice",
		STEP(.step = 1), WAY_THREE_KERNELS, 0, scan_device_unsupported<0>),
	SCAN_RUNG("look-back", 1,
		"one pass: a block adds up the sums of tiles before its own, back to one that knows the sum of all",
		STEP(2, "three-kernels", "one pass with look-back"), WAY_LOOK_BACK, 0, scan_device_few_unsupported),
	SCAN_RUNG("persistent", 1, "as many blocks as fit, each goes on from tile to tile",
		STEP(3, "look-back", "blocks go on"), WAY_PERSISTENT, 0, scan_device_unsupported<0>),
	SCAN_RUNG("async-1", 1, "the next tile comes by cp.async once this one is in registers, during the look-back",
		STEP(4, "persistent", "cp.async"), WAY_ASYNC, 1, scan_device_async_unsupported<1>),
	SCAN_RUNG("async-2", 2, "two buffers: the tile after the next one is under way, too",
		STEP(5, "async-1", "second buffer"), WAY_ASYNC, 2, scan_device_async_unsupported<2>),
	SCAN_RUNG("tma-2", 2, "one thread has TMA copy a whole tile, two stages", STEP(6, "async-2", "TMA"), WAY_TMA, 2,
		scan_device_unsupported<2>),
	SCAN_RUNG("tma-3", 3, "TMA, three stages", STEP(7, "tma-2", "third stage"), WAY_TMA, 3,
		scan_device_unsupported<3>),
	SCAN_RUNG("tma-4", 4, "TMA, four stages", STEP(8, "tma-3", "fourth stage"), WAY_TMA, 4,
		scan_device_unsupported<4>),
	SCAN_RUNG("producer-2", 2, "a warp of its own takes tiles and has TMA copy them, two stages",
		STEP(9, "tma-2", "producer warp"), WAY_PRODUCER, 2, scan_device_producer_unsupported<2>),
	SCAN_RUNG("rounds-2", 2,
		"further warps sum up tiles ahead of the scan, nobody waits for a sum of sums; two stages",
		STEP(10, "producer-2", "sums ahead of the scan",
			"tiles dealt out in turn to blocks that all run at once"),
		WAY_ROUNDS, 2, scan_device_rounds_unsupported<2>),
	SCAN_RUNG("rounds", 7, "as many stages as fit", STEP(11, "rounds-2", "all stages that fit"), WAY_ROUNDS, 0,
		scan_device_rounds_unsupported<0>),
	SCAN_RUNG("rounds-1", 1, "the top rung with a single buffer", STEP(0, "rounds", "all stages but one"),
		WAY_ROUNDS, 1, scan_device_rounds_unsupported<1>),
	{
		.name = "automatic",
		.summary = "look-back for less than 8 MiB of input, rounds from there on; look-back alone on GPUs "
			   "other than Hopper",
		.kind = VARIANT_CANDIDATE,
		.buffers = 7,
		.launch = scan_device_launch_automatic,
		.unsupported = scan_device_automatic_unsupported,
		.buffers_of = scan_device_buffers_automatic,
		.config = scan_device_config_automatic,
	},
	{
		.name = "cub",
		.summary = "the toolkit's cub::DeviceScan::InclusiveSum, with the kernel that prepares it; F16 is "
			   "summed as F16",
		.kind = VARIANT_REFERENCE,
		.launch = scan_device_launch_cub,
		.file = "scan-device-cub.cu",
		.kernel = "DeviceScanKernel",
	},
	{
		.name = "copy",
		.summary = "a plain copy inside the device, of as many bytes: what no scan can be faster than",
		.kind = VARIANT_REFERENCE,
		.launch = scan_device_launch_copy,
	},
};

extern "C" const struct family family_scan_device = {
	.name = "scan-device",
	.title = "Prefix sum of a long array",
	.question =
		"A prefix sum reads and writes each element once, as a copy does, but CUB's takes longer than a copy. "
		"How much of the rest do look-back, buffers and TMA save?",
	.teaches =
		"Three kernels read the array twice. One pass reads it once, but a tile's result has to wait for the "
		"sums of all tiles before it. Blocks that look back wait for one another, in a chain. A block that "
		"only waits loads nothing, and more buffers do not help it: what the next tile waits for is the chain. "
		"So the sums have to go out ahead of the scan, which takes buffers and warps of their own.",
	.source = "\"Single-pass Parallel Prefix Scan with Decoupled Look-back\", by Merrill and Garland",
	.file = "scan-device.cu",
	.throughput = "GB/s",
	.bound_by = "device memory",
	.params = params,
	.nparams = sizeof(params) / sizeof(params[0]),
	.cases = cases,
	.ncases = sizeof(cases) / sizeof(cases[0]),
	.variants = variants,
	.nvariants = sizeof(variants) / sizeof(variants[0]),
	.single = "rounds-1",
	.double_ = "rounds-2",
	.sweeps = sweeps,
	.nsweeps = sizeof(sweeps) / sizeof(sweeps[0]),
	.on_demand = true,
	.device_bytes = scan_device_device_bytes,
	.host_bytes = scan_device_host_bytes,
	.work = scan_device_work,
	.set_up = scan_device_set_up,
	.tear_down = state_free,
	.poison = scan_device_poison,
	.check = scan_device_check,
};
