/* tile-pipeline.cu: a tiled matrix product as an experiment: tile, computation per byte, buffers and occupancy vary one
 * by one. */
#include "cp-async.cuh"
#include "families.h"
#include "queue.h"
#include "tile-pipeline/state.h"

/* A, B and C are n x n and row-major. A block of TILE x TILE threads makes one tile of C, a thread one element. The
 * dynamic shared memory holds a ring of stages, each a tile of A and a tile of B. All variants load tiles in the same
 * way, by cp.async, so that they differ in nothing but when. */
typedef void tile_kernel(const float *A, const float *B, float *C, int n, int stages, int intensity);

// begin single, pipeline, loads-only, compute-only
/* Starts the copy of this thread's elements of tile `t` to a stage. */
template <int TILE>
static __device__ __forceinline__ void load_tile(float *stage, const float *A, const float *B, int n, int t)
{
	const int tx = threadIdx.x, ty = threadIdx.y;

	copy_async(&stage[ty * TILE + tx], A, n, n, blockIdx.y * TILE + ty, t * TILE + tx);
	copy_async(&stage[TILE * TILE + ty * TILE + tx], B, n, n, t * TILE + ty, blockIdx.x * TILE + tx);
	copy_async_commit();
}
// end single, pipeline, loads-only, compute-only

// begin single, pipeline, compute-only
/* Adds to `sum` the inner product over a stage, `intensity` times: that many times the work for the same bytes. */
template <int TILE> static __device__ __forceinline__ float compute_tile(const float *stage, int intensity, float sum)
{
#pragma unroll 1
	for (int turn = 0; turn < intensity; turn++) {
		// gridDim.z is 1, which the compiler cannot know: it must not keep what a turn has loaded for the next
		const float *again = &stage[4 * (turn & (gridDim.z - 1))];
		const float *row = &again[threadIdx.y * TILE], *col = &again[TILE * TILE + threadIdx.x];

#pragma unroll
		for (int k = 0; k < TILE; k++)
			sum += row[k] * col[k * TILE];
	}
	return sum;
}
// end single, pipeline, compute-only

template <int TILE> static __device__ __forceinline__ void store_sum(float *C, int n, float sum)
{
	const int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;

	if (row < n && col < n)
		C[row * n + col] = sum;
}

// begin pipeline, loads-only
/* Waits until at most `pending` groups of copies of this thread are under way: the instruction takes a constant. */
static __device__ __forceinline__ void wait_for_copies(int pending)
{
	switch (pending) {
	case 0:
		return copy_async_wait<0>();
	case 1:
		return copy_async_wait<1>();
	case 2:
		return copy_async_wait<2>();
	case 3:
		return copy_async_wait<3>();
	case 4:
		return copy_async_wait<4>();
	case 5:
		return copy_async_wait<5>();
	default:
		return copy_async_wait<STAGES_MAX - 2>();
	}
}
// end pipeline, loads-only

// begin single
template <int TILE>
__global__ void __launch_bounds__(TILE *TILE)
	tile_single(const float *A, const float *B, float *C, int n, int, int intensity)
{
	extern __shared__ __align__(16) float stage[];
	float sum = 0.0f;

	for (int t = 0; t * TILE < n; t++) {
		load_tile<TILE>(stage, A, B, n, t);
		copy_async_wait<0>();
		__syncthreads(); // the tile is loaded
		sum = compute_tile<TILE>(stage, intensity, sum);
		__syncthreads(); // the tile is used up
	}
	store_sum<TILE>(C, n, sum);
}
// end single

// begin pipeline
template <int TILE>
__global__ void __launch_bounds__(TILE *TILE)
	tile_pipeline(const float *A, const float *B, float *C, int n, int stages, int intensity)
{
	extern __shared__ __align__(16) float ring[];
	const int length = 2 * TILE * TILE; // of a stage
	int now = 0, spare = stages - 1;
	float sum = 0.0f;

	for (int t = 0; t < stages - 1; t++) // fill all stages but one
		load_tile<TILE>(&ring[t * length], A, B, n, t);
	for (int t = 0; t * TILE < n; t++) {
		wait_for_copies(stages - 2); // my part of tile t has arrived
		__syncthreads();             // everybody's part has, and tile t - 1, in stage `spare`, is used up
		load_tile<TILE>(&ring[spare * length], A, B, n, t + stages - 1);
		sum = compute_tile<TILE>(&ring[now * length], intensity, sum);
		spare = now;
		now = now + 1 < stages ? now + 1 : 0;
	}
	copy_async_wait<0>();
	store_sum<TILE>(C, n, sum);
}
// end pipeline

// begin loads-only
/* The tiles come in as in pipeline; of each a thread only uses what it has copied itself. */
template <int TILE>
__global__ void __launch_bounds__(TILE *TILE)
	tile_loads_only(const float *A, const float *B, float *C, int n, int stages, int)
{
	extern __shared__ __align__(16) float ring[];
	const int length = 2 * TILE * TILE, mine = threadIdx.y * TILE + threadIdx.x;
	int now = 0, spare = stages - 1;
	float sum = 0.0f;

	for (int t = 0; t < stages - 1; t++)
		load_tile<TILE>(&ring[t * length], A, B, n, t);
	for (int t = 0; t * TILE < n; t++) {
		wait_for_copies(stages - 2);
		__syncthreads();
		load_tile<TILE>(&ring[spare * length], A, B, n, t + stages - 1);
		sum += ring[now * length + mine] * ring[now * length + TILE * TILE + mine];
		spare = now;
		now = now + 1 < stages ? now + 1 : 0;
	}
	copy_async_wait<0>();
	store_sum<TILE>(C, n, sum);
}
// end loads-only

// begin compute-only
/* Only the first tile is loaded; it is used as often as there are tiles. */
template <int TILE>
__global__ void __launch_bounds__(TILE *TILE)
	tile_compute_only(const float *A, const float *B, float *C, int n, int, int intensity)
{
	extern __shared__ __align__(16) float stage[];
	float sum = 0.0f;

	load_tile<TILE>(stage, A, B, n, 0);
	copy_async_wait<0>();
	__syncthreads();
	for (int t = 0; t * TILE < n; t++)
		sum = compute_tile<TILE>(stage, intensity, sum);
	store_sum<TILE>(C, n, sum);
}
// end compute-only

/* The kernel of a variant for each size of tile. */
struct kernels {
	tile_kernel *tile_8, *tile_16, *tile_32;
};

#define TILE_KERNELS(name)                                                                                             \
	{                                                                                                              \
		name<8>, name<16>, name<32>                                                                            \
	}

static const struct kernels single = TILE_KERNELS(tile_single), pipeline = TILE_KERNELS(tile_pipeline),
			    loads_only = TILE_KERNELS(tile_loads_only), compute_only = TILE_KERNELS(tile_compute_only);

/* Grid, block and shared memory for `stages` stages, with no more blocks on an SM than the case allows. */
static cudaError_t tile_pipeline_configure(
	struct tile_state *s, const struct kernels *kernels, int stages, struct kernel_config *out)
{
	const unsigned tile = (unsigned)s->tile, tiles = ((unsigned)s->product.n + tile - 1) / tile;

	out->function = (const void *)(tile == 8 ? kernels->tile_8 : tile == 16 ? kernels->tile_16 : kernels->tile_32);
	out->grid[0] = out->grid[1] = tiles;
	out->block[0] = out->block[1] = tile;
	out->grid[2] = out->block[2] = 1;
	out->dynamic_smem = tile_shared(s->tile, s->footprint, stages);
	return block_limit_apply(&s->limit, out);
}

static cudaError_t tile_pipeline_config_single(void *state, struct kernel_config *out)
{
	return tile_pipeline_configure((struct tile_state *)state, &single, 1, out);
}

/* One stage is no pipeline: it is single. */
static cudaError_t tile_pipeline_config_pipeline(void *state, struct kernel_config *out)
{
	struct tile_state *s = (struct tile_state *)state;

	return tile_pipeline_configure(s, s->stages > 1 ? &pipeline : &single, s->stages, out);
}

/* Of the loads, which are never waited for if that can be avoided: two stages at least. */
static int stages_ahead(int stages)
{
	return stages > 1 ? stages : 2;
}

static cudaError_t tile_pipeline_config_loads_only(void *state, struct kernel_config *out)
{
	struct tile_state *s = (struct tile_state *)state;

	return tile_pipeline_configure(s, &loads_only, stages_ahead(s->stages), out);
}

static cudaError_t tile_pipeline_config_compute_only(void *state, struct kernel_config *out)
{
	return tile_pipeline_configure((struct tile_state *)state, &compute_only, 1, out);
}

template <cudaError_t (*CONFIG)(void *state, struct kernel_config *out)>
static cudaError_t tile_pipeline_launch(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct tile_state *s = (struct tile_state *)state;
	struct product *p = &s->product;
	struct queue q = {done, cudaSuccess};
	struct kernel_config config;
	int stages = stages_ahead(s->stages);
	void *arguments[] = {&p->a, &p->b, &p->c, &p->n, &stages, &s->intensity};

	product_rotate(p);
	queue_note(&q, CONFIG(state, &config));
	queue_kernel(&q, &config, arguments, stream);
	return q.error;
}

static const char *stages_unsupported(const struct cudaDeviceProp *device, const struct size_case *size, int stages)
{
	const char *why = cp_async_unsupported(device, size);
	const size_t most =
		tile_shared((int)size->value[PARAM_TILE], (size_t)size->value[PARAM_FOOTPRINT] << 10, stages);

	if (!why && most > device->sharedMemPerBlockOptin)
		why = "a block cannot have that much shared memory on this device";
	return why ? why : block_limit_unsupported(device, size->value[PARAM_BLOCKS]);
}

static const char *tile_pipeline_unsupported(const struct cudaDeviceProp *device, const struct size_case *size)
{
	return stages_unsupported(device, size, (int)size->value[PARAM_STAGES]);
}

static const char *loads_only_unsupported(const struct cudaDeviceProp *device, const struct size_case *size)
{
	return stages_unsupported(device, size, stages_ahead((int)size->value[PARAM_STAGES]));
}

static const int64_t tiles_allowed[] = {8, 16, 32, 0};

static const struct param params[] = {
	{"n", "rows", "rows and columns of the matrices", 1, 8192},
	{"tile", "elements", "rows and columns of a tile; a block has a thread for each element: 8, 16 or 32", 8, 32,
		tiles_allowed},
	{"stages", "stages", "buffers of pipeline", 1, STAGES_MAX},
	{"intensity", "times", "how often the inner product over a tile is added: computation per byte loaded", 1, 128},
	{"blocks", "blocks", "that share an SM at most, to lower the occupancy; 0: as many as fit", 0, BLOCK_LIMIT_MAX},
	{"footprint", "KiB", "shared memory that each buffer takes besides its tiles, as larger ones would", 0,
		FOOTPRINT_MAX},
};

static const struct size_case cases[] = {
	{"n-1024", {1024, 16, 2, 1, 0}, false},
	{"ragged-8", {333, 8, 8, 3, 0}, true},
	{"ragged-16", {259, 16, 3, 1, 2}, true},
	{"ragged-32", {333, 32, 4, 2, 1}, true},
	{"less-than-a-tile", {5, 16, 8, 1, 0}, true},
	{"one-stage", {100, 8, 1, 1, 0}, true},
};

/* Blocks that do not fit in any case: no SM has more than 2048 threads. */
static bool tile_pipeline_occupancy_wanted(const struct size_case *size)
{
	return size->value[PARAM_BLOCKS] * size->value[PARAM_TILE] * size->value[PARAM_TILE] <= 2048;
}

static const struct sweep sweeps[] = {
	{
		.name = "intensity-tile",
		.title = "Computation per byte and size of a tile",
		.question =
			"Where do loading and computing a tile take equally long, and does a second buffer help most "
			"there?",
		.base = 0,
		.naxes = 2,
		.axis = {{PARAM_INTENSITY, 6, {1, 2, 4, 8, 16, 32}}, {PARAM_TILE, 3, {8, 16, 32}}},
	},
	{
		.name = "stages",
		.title = "Number of stages",
		.question = "How many tiles ahead is it worth loading?",
		.base = 0,
		.naxes = 2,
		.axis = {{PARAM_STAGES, STAGES_MAX, {1, 2, 3, 4, 5, 6, 7, 8}}, {PARAM_INTENSITY, 2, {1, 8}}},
	},
	{
		.name = "occupancy",
		.title = "Blocks on an SM",
		.question = "Does a second buffer help more where fewer other blocks can run while one waits?",
		.base = 0,
		.naxes = 2,
		.axis = {{PARAM_BLOCKS, 4, {1, 2, 4, 8}}, {PARAM_INTENSITY, 2, {1, 8}}},
		.wanted = tile_pipeline_occupancy_wanted,
	},
	{
		.name = "footprint",
		.title = "Shared memory that a buffer takes",
		.question = "From which size on does a second buffer cost more occupancy than it hides waiting?",
		.base = 0,
		.naxes = 2,
		.axis = {{PARAM_FOOTPRINT, 9, {1, 4, 8, 16, 24, 32, 48, 64, FOOTPRINT_MAX}},
			{PARAM_INTENSITY, 2, {1, 8}}},
	},
};

static const struct variant variants[] = {
	{
		.name = "single",
		.summary = "one buffer: load a tile, wait, barrier, compute, barrier",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = tile_pipeline_launch<tile_pipeline_config_single>,
		.unsupported = tile_pipeline_unsupported,
		.config = tile_pipeline_config_single,
		.shape = shape_single,
	},
	{
		.name = "pipeline",
		.summary =
			"a ring of as many buffers as the parameter stages says: the tiles ahead are under way while "
			"one is computed; one barrier a tile",
		.kind = VARIANT_CANDIDATE,
		.buffers = 2,
		.launch = tile_pipeline_launch<tile_pipeline_config_pipeline>,
		.unsupported = tile_pipeline_unsupported,
		.config = tile_pipeline_config_pipeline,
		.shape = tile_shape_pipeline,
	},
	{
		.name = "loads-only",
		.summary = "loads the tiles as pipeline does and computes no inner product",
		.kind = VARIANT_LOADS,
		.launch = tile_pipeline_launch<tile_pipeline_config_loads_only>,
		.unsupported = loads_only_unsupported,
		.config = tile_pipeline_config_loads_only,
	},
	{
		.name = "compute-only",
		.summary = "loads one tile and computes its inner product as often as there are tiles",
		.kind = VARIANT_COMPUTE,
		.launch = tile_pipeline_launch<tile_pipeline_config_compute_only>,
		.unsupported = tile_pipeline_unsupported,
		.config = tile_pipeline_config_compute_only,
	},
};

extern "C" const struct family family_tile_pipeline = {
	.name = "tile-pipeline",
	.title = "When a tile's second buffer helps",
	.question = "The time to load a tile and the time to compute with it can be set against each other. At which "
		    "balance, with how many buffers and at which occupancy does loading ahead help most?",
	.teaches =
		"A tile of T x T takes T^3 multiply-adds and 2 T^2 loads. By the textbook, double buffering helps "
		"most where both take equally long. It cannot help where one of them is nearly all of the time. This "
		"product varies them one by one. Parameter intensity adds the same inner product several times, which "
		"is more computation for the same bytes. Parameter tile changes both, and the block with it. "
		"Parameter stages says how many tiles are under way. Parameter blocks keeps other blocks off the SM, "
		"which otherwise run while one waits. All else stays the same: both variants load by cp.async, and a "
		"pipeline of one stage is the single buffer. The parts loads-only and compute-only show what there is "
		"to overlap. No more than the shorter of the two can be hidden, and the warps of other blocks hide a "
		"part of it anyway. The ring also saves one of two barriers a tile. At a high intensity the loads do "
		"not matter any more, and that is what is left of its gain. The result is intensity times the product.",
	.source = "\"Kernel 4: Double Buffer\", a chapter of an SGEMM tutorial: its balance of computation and loads, "
		  "and "
		  "its table \"When Double Buffering Helps Most\"",
	.file = "tile-pipeline.cu",
	.throughput = "GFLOP/s",
	.bound_by = "device memory",
	.params = params,
	.nparams = sizeof(params) / sizeof(params[0]),
	.cases = cases,
	.ncases = sizeof(cases) / sizeof(cases[0]),
	.variants = variants,
	.nvariants = sizeof(variants) / sizeof(variants[0]),
	.single = "single",
	.double_ = "pipeline",
	.sweeps = sweeps,
	.nsweeps = sizeof(sweeps) / sizeof(sweeps[0]),
	.on_demand = true,
	.device_bytes = tile_device_bytes,
	.work = tile_work,
	.set_up = tile_set_up,
	.tear_down = state_free,
	.poison = product_poison,
	.check = product_check,
};
