/* copy.cu: an array is copied, from one element a thread to what TMA does: how much has to be under way? The rungs with
 * TMA are in copy-tma.cu. */
#include "copy/state.h"
#include "copy.cuh"
#include "cp-async.cuh"
#include "families.h"

// begin plain
__global__ void __launch_bounds__(COPY_THREADS) copy_plain(const struct copy_job job)
{
	const int64_t i = (int64_t)blockIdx.x * COPY_THREADS + threadIdx.x;

	if (i < job.n)
		job.out[i] = copy_element(job, job.in[i]);
}
// end plain

// begin vectors
__global__ void __launch_bounds__(COPY_THREADS) copy_by_vectors(const struct copy_job job)
{
	const int64_t i = (int64_t)blockIdx.x * COPY_THREADS + threadIdx.x;

	if (i < job.n / COPY_VECTOR)
		*copy_to(job, i) = copy_vector(job, *copy_from(job, i));
	copy_rest(job);
}
// end vectors

// begin unrolled, loop, few-blocks
/* A block copies its tiles. Two instantiations, since what few-blocks asks of the SM's memory stays with a kernel. */
template <bool FEW> __global__ void __launch_bounds__(COPY_THREADS) copy_by_tiles(const struct copy_job job)
{
	const int tiles = copy_tiles(job);

#pragma unroll 1
	for (int i = 0; i < tiles; i++) {
		const int64_t first = copy_first(job, i);

		copy_vectors(job, copy_from(job, first), copy_to(job, first), copy_count(job, first));
	}
	copy_rest(job);
}
// end unrolled, loop, few-blocks

// begin async-1, async-2, async-3, async-4
/* Starts the copy of this thread's vectors of the block's i-th tile, if there is such a tile. */
static __device__ __forceinline__ void copy_async_tile(const struct copy_job &job, float4 *stage, int i, int tiles)
{
	if (i < tiles) {
		const int64_t first = copy_first(job, i);
		const float4 *from = copy_from(job, first);
		const int count = copy_count(job, first);

#pragma unroll 4
		for (int v = threadIdx.x; v < count; v += COPY_THREADS)
			copy_async_16(&stage[v], &from[v]);
	}
	copy_async_commit();
}

/* A thread stores what it has copied itself, so no barrier is needed. */
template <int STAGES> __global__ void __launch_bounds__(COPY_THREADS) copy_by_stages(const struct copy_job job)
{
	extern __shared__ __align__(16) float4 ring[];
	const int tiles = copy_tiles(job);
	int stage = 0;

#pragma unroll
	for (int s = 0; s < STAGES; s++)
		copy_async_tile(job, &ring[s * job.tile], s, tiles);
#pragma unroll 1
	for (int i = 0; i < tiles; i++) {
		const int64_t first = copy_first(job, i);

		copy_async_wait<STAGES - 1>(); // the oldest group is that of tile i
		copy_vectors(job, &ring[stage * job.tile], copy_to(job, first), copy_count(job, first));
		copy_async_tile(job, &ring[stage * job.tile], i + STAGES, tiles);
		stage = stage + 1 < STAGES ? stage + 1 : 0;
	}
	copy_rest(job);
}
// end async-1, async-2, async-3, async-4

/* ---- on the host ---- */

static cudaError_t config_plain(void *state, struct kernel_config *out)
{
	*out = config_linear((const void *)copy_plain, ((struct copy_state *)state)->job.n, COPY_THREADS);
	return cudaSuccess;
}

static cudaError_t config_vectors(void *state, struct kernel_config *out)
{
	const int64_t vectors = ((struct copy_state *)state)->job.n / COPY_VECTOR;

	*out = config_linear((const void *)copy_by_vectors, vectors > 0 ? vectors : 1, COPY_THREADS);
	return cudaSuccess;
}

/* A block copies `each` tiles, and as many blocks as fit share an SM. */
static void config_tiles(const struct copy_state *s, int each, struct kernel_config *out)
{
	*out = config_linear((const void *)copy_by_tiles<false>, COPY_THREADS, COPY_THREADS);
	out->grid[0] = copy_grid((s->job.tiles + (int64_t)each - 1) / each);
}

static cudaError_t config_unrolled(void *state, struct kernel_config *out)
{
	config_tiles((struct copy_state *)state, 1, out);
	return cudaSuccess;
}

static cudaError_t config_loop(void *state, struct kernel_config *out)
{
	struct copy_state *s = (struct copy_state *)state;

	config_tiles(s, s->tiles_each, out);
	return cudaSuccess;
}

static cudaError_t config_few_blocks(void *state, struct kernel_config *out)
{
	return copy_configure((struct copy_state *)state, (const void *)copy_by_tiles<true>, 0, out);
}

template <int STAGES> static cudaError_t config_async(void *state, struct kernel_config *out)
{
	return copy_configure((struct copy_state *)state, (const void *)copy_by_stages<STAGES>, STAGES, out);
}

template <cudaError_t (*CONFIG)(void *state, struct kernel_config *out)>
static cudaError_t copy_launch(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct queue q = {done, cudaSuccess};
	struct kernel_config config;

	queue_note(&q, CONFIG(state, &config));
	return copy_enqueue((struct copy_state *)state, &config, 1, stream, &q);
}

/* Of TMA's kernels; STAGES 0: as many as the case says. */
template <int STAGES> static int copy_stages(const void *state)
{
	return STAGES > 0 ? STAGES : ((const struct copy_state *)state)->stages;
}

template <int STAGES> static cudaError_t config_bulk(void *state, struct kernel_config *out)
{
	return copy_config_bulk(state, copy_stages<STAGES>(state), out);
}

template <int STAGES> static cudaError_t launch_bulk(void *state, cudaStream_t stream, struct enqueued *done)
{
	return copy_launch_bulk(state, copy_stages<STAGES>(state), stream, done);
}

template <int STAGES> static cudaError_t config_store(void *state, struct kernel_config *out)
{
	return copy_config_store(state, copy_stages<STAGES>(state), out);
}

template <int STAGES> static cudaError_t launch_store(void *state, cudaStream_t stream, struct enqueued *done)
{
	return copy_launch_store(state, copy_stages<STAGES>(state), stream, done);
}

template <int STAGES> static cudaError_t config_pieces(void *state, struct kernel_config *out)
{
	return copy_config_pieces(state, STAGES, out);
}

template <int STAGES> static cudaError_t launch_pieces(void *state, cudaStream_t stream, struct enqueued *done)
{
	return copy_launch_pieces(state, STAGES, stream, done);
}

template <int STAGES> static void shape_bulk(const struct size_case *size, struct shape *out)
{
	copy_shape(size, STAGES > 0 ? STAGES : (int)size->value[COPY_PARAM_STAGES], out);
}

// begin device-copy
static cudaError_t launch_device_copy(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct copy_state *s = (struct copy_state *)state;
	struct queue q = {done, cudaSuccess};

	copy_rotate(s);
	queue_copy(&q, s->job.out, s->job.in, sizeof(float) * (size_t)s->job.n, cudaMemcpyDeviceToDevice, stream);
	return q.error;
}
// end device-copy

static const char *device_copy_unsupported(const struct cudaDeviceProp *, const struct size_case *size)
{
	return size->value[COPY_PARAM_FMAS] == 0 ? NULL : "a copy computes nothing: fmas has to be 0";
}

static const char *few_blocks_unsupported(const struct cudaDeviceProp *device, const struct size_case *size)
{
	return block_limit_unsupported(device, size->value[COPY_PARAM_BLOCKS]);
}

/* Rings of STAGES; 0: as many as the case says. */
template <int STAGES>
static const char *ring_unsupported(const struct cudaDeviceProp *device, const struct size_case *size)
{
	const int64_t stages = STAGES > 0 ? STAGES : size->value[COPY_PARAM_STAGES];
	const size_t barriers = sizeof(uint64_t) * COPY_STAGES_MAX;

	if ((size_t)(stages * size->value[COPY_PARAM_TILE] << 10) + barriers > device->sharedMemPerBlockOptin)
		return "a block cannot have that much shared memory on this device";
	return few_blocks_unsupported(device, size);
}

template <int STAGES>
static const char *async_unsupported(const struct cudaDeviceProp *device, const struct size_case *size)
{
	const char *why = cp_async_unsupported(device, size);

	return why ? why : ring_unsupported<STAGES>(device, size);
}

/* Of what has as many stages as the case says. */
static int copy_buffers(const struct cudaDeviceProp *, const struct size_case *size)
{
	return (int)size->value[COPY_PARAM_STAGES];
}

static const struct param params[] = {
	{"n", "elements", "elements (floats) of the array", 1, 1 << 30},
	{"tile", "KiB", "of a tile, which is loaded into one stage", 1, COPY_TILE_MAX},
	{"share", "KiB", "that a block copies, tile after tile", 1, COPY_SHARE_MAX},
	{"stages", "stages", "of bulk-n, store-n and persistent", 1, COPY_STAGES_MAX},
	{"blocks", "blocks", "that share an SM at most, from few-blocks on; 0: as many as fit", 0, BLOCK_LIMIT_MAX},
	{"fmas", "times", "multiply-adds on each element, one after another: arithmetic for the same bytes", 0,
		COPY_FMAS_MAX},
};

static const struct size_case cases[] = {
	{"128m", {1 << 27, 16, 512, COPY_STAGES_MANY, 2, 0}, false},
	{"one-block", {1 << 25, 16, 512, COPY_STAGES_MANY, 1, 0}, false},
	{"ragged", {1000003, 4, 64, 3, 2, 5}, true},
	{"ragged-copy", {333331, 3, 7, 6, 4, 0}, true},
	{"less-than-a-vector", {3, 16, 512, 8, 0, 0}, true},
	{"less-than-a-tile", {1021, 16, 512, 8, 0, 33}, true},
	{"one-vector-more", {(37 << 8) + 4, 1, 3, 5, 1, 0}, true},
	{"whole-tiles", {1 << 16, 2, 8, 4, 3, 1}, true},
};

/* Stages that do not fit beside each other in any SM's shared memory. */
static bool copy_blocks_wanted(const struct size_case *size)
{
	enum { STAGES_OF_PAIR = 2, KIB_OF_SM = 216 };

	return size->value[COPY_PARAM_BLOCKS] * STAGES_OF_PAIR * size->value[COPY_PARAM_TILE] <= KIB_OF_SM;
}

static const struct sweep sweeps[] = {
	{
		.name = "stages-tile",
		.title = "Stages and size of a tile",
		.question = "One block on an SM: from how many bytes under way on do more stages bring nothing?",
		.base = 1,
		.naxes = 2,
		.axis = {{COPY_PARAM_STAGES, 5, {2, 3, 4, 6, 8}}, {COPY_PARAM_TILE, 4, {2, 4, 8, 16}}},
		.single = "bulk-1",
		.double_ = "bulk-n",
	},
	{
		.name = "blocks-tile",
		.title = "Blocks on an SM and size of a tile",
		.question = "Do further blocks on the SM do what a second stage does?",
		.base = 0,
		.naxes = 2,
		.axis = {{COPY_PARAM_BLOCKS, 5, {1, 2, 3, 4, 6}}, {COPY_PARAM_TILE, 2, {4, 16}}},
		.wanted = copy_blocks_wanted,
	},
	{
		.name = "fmas-blocks",
		.title = "Arithmetic per byte and blocks on an SM",
		.question = "How much arithmetic on each element hides the loads, and is hidden by a second stage?",
		.base = 0,
		.naxes = 2,
		.axis = {{COPY_PARAM_FMAS, 8, {0, 16, 32, 64, 96, 128, 256, 512}}, {COPY_PARAM_BLOCKS, 2, {1, 4}}},
	},
};

/* A rung without TMA, by its config and what it needs. */
#define RUNG(name_, buffers_, summary_, rung_, unsupported_, config_)                                                  \
	{                                                                                                              \
		.name = name_, .summary = summary_, .kind = VARIANT_CANDIDATE, .buffers = buffers_,                    \
		.launch = copy_launch<config_>, .unsupported = unsupported_, .config = config_, .rung = rung_,         \
	}
/* One with TMA, with a ring of so many stages; `shape_` as struct variant has it. */
#define TMA_RUNG(name_, buffers_, summary_, rung_, how_, stages_, shape_)                                              \
	{                                                                                                              \
		.name = name_, .summary = summary_, .kind = VARIANT_CANDIDATE, .buffers = buffers_,                    \
		.launch = launch_##how_<stages_>, .unsupported = ring_unsupported<stages_>,                            \
		.buffers_of = stages_ == 0 ? copy_buffers : NULL, .config = config_##how_<stages_>, .shape = shape_,   \
		.rung = rung_, .file = "copy-tma.cu",                                                                  \
	}
#define STEP(...)                                                                                                      \
	{                                                                                                              \
		__VA_ARGS__                                                                                            \
	}

static const struct variant variants[] = {
	RUNG("plain", 1, "a thread loads one element and stores it", STEP(.step = 1), NULL, config_plain),
	RUNG("vectors", 1, "a thread loads 16 bytes and stores them", STEP(2, "plain", "16 bytes at once"), NULL,
		config_vectors),
	RUNG("unrolled", 1, "a block copies a tile: a thread issues four loads of 16 bytes before it stores",
		STEP(3, "vectors", "four loads under way a thread"), NULL, config_unrolled),
	RUNG("loop", 1, "a block copies its share, tile after tile", STEP(4, "unrolled", "tiles in a loop"), NULL,
		config_loop),
	RUNG("few-blocks", 1, "the same with no more blocks on an SM than the parameter blocks says",
		STEP(5, "loop", "few blocks on an SM"), few_blocks_unsupported, config_few_blocks),
	RUNG("async-1", 1, "tiles come by cp.async to shared memory: load, wait, store",
		STEP(6, "few-blocks", "cp.async"), async_unsupported<1>, config_async<1>),
	RUNG("async-2", 2, "two stages: one tile is under way while the other is stored",
		STEP(7, "async-1", "second stage"), async_unsupported<2>, config_async<2>),
	RUNG("async-3", 3, "three stages", STEP(8, "async-2", "third stage"), async_unsupported<3>, config_async<3>),
	RUNG("async-4", 4, "four stages", STEP(9, "async-3", "fourth stage"), async_unsupported<4>, config_async<4>),
	TMA_RUNG("bulk-1", 1, "one thread has TMA load the tile; all wait at its barrier, store, and meet",
		STEP(10, "async-1", "TMA loads"), bulk, 1, shape_bulk<1>),
	TMA_RUNG("bulk-2", 2, "two stages: TMA fills one while the other is stored", STEP(11, "bulk-1", "second stage"),
		bulk, 2, shape_bulk<2>),
	TMA_RUNG("bulk-3", 3, "three stages", STEP(12, "bulk-2", "third stage"), bulk, 3, shape_bulk<3>),
	TMA_RUNG("bulk-4", 4, "four stages", STEP(13, "bulk-3", "fourth stage"), bulk, 4, shape_bulk<4>),
	TMA_RUNG("bulk-n", COPY_STAGES_MANY, "as many stages as the parameter stages says",
		STEP(14, "bulk-4", "further stages"), bulk, 0, shape_bulk<0>),
	TMA_RUNG("store-1", 1, "TMA stores the tile too; then it is loaded anew", STEP(15, "bulk-1", "TMA stores"),
		store, 1, NULL),
	TMA_RUNG("store-2", 2, "two stages: one is loaded while the other is stored",
		STEP(16, "store-1", "second stage"), store, 2, NULL),
	TMA_RUNG("store-3", 3, "three stages", STEP(17, "store-2", "third stage"), store, 3, NULL),
	TMA_RUNG("store-4", 4, "four stages", STEP(18, "store-3", "fourth stage"), store, 4, NULL),
	TMA_RUNG("store-n", COPY_STAGES_MANY, "as many stages as the parameter stages says",
		STEP(19, "store-4", "further stages"), store, 0, NULL),
	{
		.name = "persistent",
		.summary = "no more blocks than fit at once: each has all the tiles that are a grid's length apart",
		.kind = VARIANT_CANDIDATE,
		.buffers = COPY_STAGES_MANY,
		.launch = copy_launch_persistent,
		.unsupported = ring_unsupported<0>,
		.buffers_of = copy_buffers,
		.config = copy_config_persistent,
		.rung = {20, "store-n", "as many blocks as fit"},
		.file = "copy-tma.cu",
	},
	TMA_RUNG("pieces-2", 2, "two tiles that lie together are a block's, one for each stage; then it ends",
		STEP(21, "store-2", "blocks end after two tiles"), pieces, 2, NULL),
	TMA_RUNG("pieces-4", 4, "four tiles", STEP(22, "store-4", "blocks end after four tiles"), pieces, 4, NULL),
	{
		.name = "device-copy",
		.summary = "the driver's copy inside the device (cudaMemcpyAsync)",
		.kind = VARIANT_REFERENCE,
		.launch = launch_device_copy,
		.unsupported = device_copy_unsupported,
	},
};

extern "C" const struct family family_copy = {
	.name = "copy",
	.title = "Copy within device memory",
	.question =
		"To keep device memory busy, each SM has to have bytes under way for a whole latency. How many stages "
		"does that take, and from when on do more of them bring nothing?",
	.teaches =
		"By Little's law the bytes under way are bandwidth times latency. Divided by the number of SMs, that "
		"is what each SM has to have asked for at any time. Blocks, stages and longer tiles all add to it. "
		"Threads that load plainly have it under way in their registers, as long as there are enough "
		"of them. A kernel with few blocks on an SM has not, and a ring of stages makes up for it. Once there "
		"is enough, neither stages nor blocks nor TMA make it faster. Then it counts how close together in "
		"memory the bytes under way are: blocks that stay drift apart, blocks that end after few tiles do "
		"not. The more arithmetic there is on each element, the longer a tile may take to come. "
		"The pair loads tiles by TMA into one stage and into two.",
	.source =
		"\"A Proof for the Queuing Formula L = lambda W\" (Little, 1961), and \"CUDA C++ Programming Guide\", "
		"chapter \"Asynchronous Data Copies\"",
	.file = "copy.cu",
	.throughput = "GB/s",
	.bound_by = "device memory",
	.params = params,
	.nparams = sizeof(params) / sizeof(params[0]),
	.cases = cases,
	.ncases = sizeof(cases) / sizeof(cases[0]),
	.variants = variants,
	.nvariants = sizeof(variants) / sizeof(variants[0]),
	.single = "bulk-1",
	.double_ = "bulk-2",
	.sweeps = sweeps,
	.nsweeps = sizeof(sweeps) / sizeof(sweeps[0]),
	.on_demand = true,
	.device_bytes = copy_device_bytes,
	.host_bytes = copy_host_bytes,
	.work = copy_amount,
	.set_up = copy_set_up,
	.tear_down = state_free,
	.poison = copy_poison,
	.check = copy_check,
};
