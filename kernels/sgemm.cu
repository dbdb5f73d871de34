/* sgemm.cu: C = A B in tiles of 32 x 32 through shared memory; the variants differ in how a tile is buffered. */
#include "cp-async.cuh"
#include "families.h"
#include "phase.cuh"
#include "queue.h"
#include "sgemm/state.h"

/* Matrices are row-major: A is M x K, B is K x N, C is M x N. A block of TILE x TILE threads makes one tile of C, a
 * thread one element. Beyond an edge tiles are filled with zeros, so that the inner loop needs no test.
 * The bodies of kernels; `stamps` and SHARED: see phase.cuh. */
typedef void sgemm_kernel(const float *A, const float *B, float *C, int M, int N, int K);
typedef void sgemm_phases_kernel(
	const float *A, const float *B, float *C, int M, int N, int K, struct phase_board board);

static __device__ __forceinline__ float element_or_zero(const float *matrix, int rows, int cols, int row, int col)
{
	return row < rows && col < cols ? matrix[row * cols + col] : 0.0f;
}

// begin tile-unpadded
template <class Stamps>
static __device__ __forceinline__ void tile_unpadded_body(
	const float *A, const float *B, float *C, int M, int N, int K, Stamps stamps)
{
	SHARED(float, As, [TILE][TILE]);
	SHARED(float, Bs, [TILE][TILE]);
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
	float sum = 0.0f;

	for (int t = 0; t * TILE < K; t++) {
		const float a = element_or_zero(A, M, K, row, t * TILE + tx);
		const float b = element_or_zero(B, K, N, t * TILE + ty, col);

		As[ty][tx] = a;
		Bs[ty][tx] = b;
		stamps.load();
		__syncthreads(); // the tile is loaded
		stamps.wait();

		for (int k = 0; k < TILE; k++)
			sum += As[ty][k] * Bs[k][tx];
		stamps.compute();
		__syncthreads(); // the tile is used up
		stamps.wait();
	}
	if (row < M && col < N)
		C[row * N + col] = sum;
	stamps.store();
}
// end tile-unpadded

// begin tile-transposed-store
template <class Stamps>
static __device__ __forceinline__ void tile_transposed_store_body(
	const float *A, const float *B, float *C, int M, int N, int K, Stamps stamps)
{
	SHARED(float, As, [TILE][TILE]);
	SHARED(float, Bs, [TILE][TILE]);
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
	float sum = 0.0f;

	for (int t = 0; t * TILE < K; t++) {
		const float a = element_or_zero(A, M, K, row, t * TILE + tx);
		const float b = element_or_zero(B, K, N, t * TILE + ty, col);

		As[tx][ty] = a; // a warp writes a column: one bank, 32 times
		Bs[ty][tx] = b;
		stamps.load();
		__syncthreads(); // the tile is loaded
		stamps.wait();

		for (int k = 0; k < TILE; k++)
			sum += As[k][ty] * Bs[k][tx];
		stamps.compute();
		__syncthreads(); // the tile is used up
		stamps.wait();
	}
	if (row < M && col < N)
		C[row * N + col] = sum;
	stamps.store();
}
// end tile-transposed-store

// begin tile-padded, padded-same-footprint
template <class Stamps>
static __device__ __forceinline__ void tile_padded_body(
	const float *A, const float *B, float *C, int M, int N, int K, Stamps stamps)
{
	SHARED(float, As, [TILE][TILE + 1]);
	SHARED(float, Bs, [TILE][TILE + 1]);
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
	float sum = 0.0f;

	for (int t = 0; t * TILE < K; t++) {
		const float a = element_or_zero(A, M, K, row, t * TILE + tx);
		const float b = element_or_zero(B, K, N, t * TILE + ty, col);

		As[ty][tx] = a;
		Bs[ty][tx] = b;
		stamps.load();
		__syncthreads(); // the tile is loaded
		stamps.wait();

		for (int k = 0; k < TILE; k++)
			sum += As[ty][k] * Bs[k][tx];
		stamps.compute();
		__syncthreads(); // the tile is used up
		stamps.wait();
	}
	if (row < M && col < N)
		C[row * N + col] = sum;
	stamps.store();
}
// end tile-padded, padded-same-footprint

// begin double-buffer
template <class Stamps>
static __device__ __forceinline__ void double_buffer_body(
	const float *A, const float *B, float *C, int M, int N, int K, Stamps stamps)
{
	SHARED(float, As, [2][TILE][TILE + 1]);
	SHARED(float, Bs, [2][TILE][TILE + 1]);
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
	float sum = 0.0f;

	As[0][ty][tx] = element_or_zero(A, M, K, row, tx);
	Bs[0][ty][tx] = element_or_zero(B, K, N, ty, col);
	stamps.load();
	__syncthreads();
	stamps.wait();
	for (int t = 0; t * TILE < K; t++) {
		const int now = t % 2, next = 1 - now;
		const float a = element_or_zero(A, M, K, row, (t + 1) * TILE + tx); // beyond the last tile: zeros
		const float b = element_or_zero(B, K, N, (t + 1) * TILE + ty, col);

		As[next][ty][tx] = a; // waits for the load, and the computation behind it does too
		Bs[next][ty][tx] = b;
		stamps.load();
		for (int k = 0; k < TILE; k++)
			sum += As[now][ty][k] * Bs[now][k][tx];
		stamps.compute();
		__syncthreads(); // this tile is used up and the next one is loaded
		stamps.wait();
	}
	if (row < M && col < N)
		C[row * N + col] = sum;
	stamps.store();
}
// end double-buffer

// begin double-buffer-unpadded
template <class Stamps>
static __device__ __forceinline__ void double_buffer_unpadded_body(
	const float *A, const float *B, float *C, int M, int N, int K, Stamps stamps)
{
	SHARED(float, As, [2][TILE][TILE]);
	SHARED(float, Bs, [2][TILE][TILE]);
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
	float sum = 0.0f;

	As[0][ty][tx] = element_or_zero(A, M, K, row, tx);
	Bs[0][ty][tx] = element_or_zero(B, K, N, ty, col);
	stamps.load();
	__syncthreads();
	stamps.wait();
	for (int t = 0; t * TILE < K; t++) {
		const int now = t % 2, next = 1 - now;
		const float a = element_or_zero(A, M, K, row, (t + 1) * TILE + tx); // beyond the last tile: zeros
		const float b = element_or_zero(B, K, N, (t + 1) * TILE + ty, col);

		As[next][ty][tx] = a; // waits for the load, and the computation behind it does too
		Bs[next][ty][tx] = b;
		stamps.load();
		for (int k = 0; k < TILE; k++)
			sum += As[now][ty][k] * Bs[now][k][tx];
		stamps.compute();
		__syncthreads(); // this tile is used up and the next one is loaded
		stamps.wait();
	}
	if (row < M && col < N)
		C[row * N + col] = sum;
	stamps.store();
}
// end double-buffer-unpadded

// begin double-buffer-prefetch
template <class Stamps>
static __device__ __forceinline__ void double_buffer_prefetch_body(
	const float *A, const float *B, float *C, int M, int N, int K, Stamps stamps)
{
	SHARED(float, As, [2][TILE][TILE + 1]);
	SHARED(float, Bs, [2][TILE][TILE + 1]);
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
	float sum = 0.0f;

	As[0][ty][tx] = element_or_zero(A, M, K, row, tx);
	Bs[0][ty][tx] = element_or_zero(B, K, N, ty, col);
	stamps.load();
	__syncthreads();
	stamps.wait();
	for (int t = 0; t * TILE < K; t++) {
		const int now = t % 2, next = 1 - now;
		const float a = element_or_zero(A, M, K, row, (t + 1) * TILE + tx); // beyond the last tile: zeros
		const float b = element_or_zero(B, K, N, (t + 1) * TILE + ty, col);

		for (int k = 0; k < TILE; k++)
			sum += As[now][ty][k] * Bs[now][k][tx];
		stamps.compute();
		As[next][ty][tx] = a; // only here the load must have arrived
		Bs[next][ty][tx] = b;
		stamps.load();
		__syncthreads(); // this tile is used up and the next one is loaded
		stamps.wait();
	}
	if (row < M && col < N)
		C[row * N + col] = sum;
	stamps.store();
}
// end double-buffer-prefetch

// begin cp-async-2, cp-async-3, cp-async-4
template <int STAGES, class Stamps>
static __device__ __forceinline__ void cp_async_body(
	const float *A, const float *B, float *C, int M, int N, int K, Stamps stamps)
{
	SHARED(float, As, [STAGES][TILE][TILE + 1]);
	SHARED(float, Bs, [STAGES][TILE][TILE + 1]);
	const int tx = threadIdx.x, ty = threadIdx.y;
	const int row = blockIdx.y * TILE + ty, col = blockIdx.x * TILE + tx;
	int now = 0, spare = STAGES - 1;
	float sum = 0.0f;

	for (int t = 0; t < STAGES - 1; t++) { // fill all stages but one
		copy_async(&As[t][ty][tx], A, M, K, row, t * TILE + tx);
		copy_async(&Bs[t][ty][tx], B, K, N, t * TILE + ty, col);
		copy_async_commit();
	}
	for (int t = 0; t * TILE < K; t++) {
		const int ahead = t + STAGES - 1; // the tile for stage `spare`

		copy_async_wait<STAGES - 2>(); // my part of tile t has arrived
		stamps.load();
		__syncthreads(); // everybody's part has, and tile t - 1, in stage `spare`, is used up
		stamps.wait();
		copy_async(&As[spare][ty][tx], A, M, K, row, ahead * TILE + tx);
		copy_async(&Bs[spare][ty][tx], B, K, N, ahead * TILE + ty, col);
		copy_async_commit();
		for (int k = 0; k < TILE; k++)
			sum += As[now][ty][k] * Bs[now][k][tx];
		stamps.compute();
		spare = now;
		now = now + 1 < STAGES ? now + 1 : 0;
	}
	copy_async_wait<0>();
	if (row < M && col < N)
		C[row * N + col] = sum;
	stamps.store();
}
// end cp-async-2, cp-async-3, cp-async-4

template <class Body>
static __device__ __forceinline__ void with_sgemm_phases(const struct phase_board &board, Body body)
{
	const unsigned block = blockIdx.x + gridDim.x * blockIdx.y;

	with_phases(board, block, block + board.skew * (block >> board.shift), body);
}

/* The kernels: with the plain body, and with all three (phase.cuh). */
#define SGEMM_KERNELS(name)                                                                                            \
	__global__ void __launch_bounds__(THREADS)                                                                     \
		sgemm_##name(const float *A, const float *B, float *C, int M, int N, int K)                            \
	{                                                                                                              \
		name##_body(A, B, C, M, N, K, no_stamps());                                                            \
	}                                                                                                              \
	__global__ void __launch_bounds__(THREADS) sgemm_##name##_phases(                                              \
		const float *A, const float *B, float *C, int M, int N, int K, struct phase_board board)               \
	{                                                                                                              \
		with_sgemm_phases(board, [&](auto stamps) { name##_body(A, B, C, M, N, K, stamps); });                 \
	}

SGEMM_KERNELS(tile_unpadded)
SGEMM_KERNELS(tile_transposed_store)
SGEMM_KERNELS(tile_padded)
SGEMM_KERNELS(double_buffer)
SGEMM_KERNELS(double_buffer_unpadded)
SGEMM_KERNELS(double_buffer_prefetch)

template <int STAGES>
__global__ void __launch_bounds__(THREADS) sgemm_cp_async(const float *A, const float *B, float *C, int M, int N, int K)
{
	cp_async_body<STAGES>(A, B, C, M, N, K, no_stamps());
}

template <int STAGES>
__global__ void __launch_bounds__(THREADS)
	sgemm_cp_async_phases(const float *A, const float *B, float *C, int M, int N, int K, struct phase_board board)
{
	with_sgemm_phases(board, [&](auto stamps) { cp_async_body<STAGES>(A, B, C, M, N, K, stamps); });
}

static void config_grid(const struct product *s, size_t dynamic, struct kernel_config *out)
{
	out->grid[0] = (unsigned)(s->n + TILE - 1) / TILE;
	out->grid[1] = (unsigned)(s->m + TILE - 1) / TILE;
	out->grid[2] = out->block[2] = 1;
	out->block[0] = out->block[1] = TILE;
	out->dynamic_smem = dynamic;
}

template <sgemm_kernel *KERNEL, int DYNAMIC = 0> static cudaError_t config_tile(void *state, struct kernel_config *out)
{
	config_grid((const struct product *)state, DYNAMIC, out);
	out->function = (const void *)KERNEL;
	return cudaSuccess;
}

template <sgemm_kernel *KERNEL, int DYNAMIC = 0>
static cudaError_t launch_tile(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct product *s = (struct product *)state;
	struct queue q = {done, cudaSuccess};
	struct kernel_config config;

	product_rotate(s);
	void *arguments[] = {&s->a, &s->b, &s->c, &s->m, &s->n, &s->k};

	queue_note(&q, config_tile<KERNEL, DYNAMIC>(state, &config));
	queue_kernel(&q, &config, arguments, stream);
	return q.error;
}

template <sgemm_phases_kernel *KERNEL, int DYNAMIC = 0>
static cudaError_t launch_tile_phases(
	void *state, cudaStream_t stream, const struct phase_board *board, struct kernel_config *config)
{
	struct product *s = (struct product *)state;
	struct enqueued done = {0, 0, 0};
	struct queue q = {&done, cudaSuccess};
	struct phase_board copy = *board;

	product_rotate(s);
	void *arguments[] = {&s->a, &s->b, &s->c, &s->m, &s->n, &s->k, &copy};

	config_grid(s, DYNAMIC, config);
	config->function = (const void *)KERNEL;
	queue_kernel(&q, config, arguments, stream);
	return q.error;
}

/* A step per tile. */
static int tiles(const void *state)
{
	return (((const struct product *)state)->k + TILE - 1) / TILE;
}

static const struct phase_plan tile_phases = {"", "lwcw", "s", tiles};
static const struct phase_plan double_buffer_phases = {"lw", "lcw", "s", tiles};
static const struct phase_plan prefetch_phases = {"lw", "clw", "s", tiles};
static const struct phase_plan cp_async_phases = {"", "lwc", "s", tiles};

static void prepare_cublas(void *state, cudaStream_t)
{
	(void)cublas_ready(&((struct sgemm_state *)state)->handle);
}

// begin cublas
static cudaError_t launch_cublas(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct sgemm_state *s = (struct sgemm_state *)state;

	return cublas_multiply(&s->handle, CUBLAS_DEFAULT_MATH, &s->product, stream, done);
}
// end cublas

static const struct param params[] = {
	{"m", "rows", "rows of A and C", 1, 8192},
	{"n", "columns", "columns of B and C", 1, 8192},
	{"k", "elements", "columns of A, rows of B: the length of each sum", 1, 8192},
	{"size", "rows and columns", "those of m, n and k that are not set; 0: none", 0, 8192},
};

static const struct size_case cases[] = {
	{"1024", {1024, 1024, 1024}, false},
	{"2048", {2048, 2048, 2048}, false},
	{"ragged", {333, 517, 259}, true},
	{"less-than-a-tile", {5, 3, 7}, true},
	{"square", {1, 1, 1, 100}, true},
};

static const struct sweep sweeps[] = {
	{
		.name = "size",
		.title = "Size of the matrices",
		.question = "Does a second buffer help a product that is too small to fill the GPU, or a large one?",
		.base = 0,
		.naxes = 1,
		.axis = {{PARAM_SIZE, 7, {64, 128, 256, 512, 1024, 2048, 4096}}},
	},
};

static const struct variant variants[] = {
	{
		.name = "tile-unpadded",
		.summary = "one tile of A and one of B in shared memory, rows of 32 elements",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = launch_tile<sgemm_tile_unpadded>,
		.config = config_tile<sgemm_tile_unpadded>,
		.launch_phases = launch_tile_phases<sgemm_tile_unpadded_phases>,
		.phases = &tile_phases,
		.shape = shape_tile_unpadded,
	},
	{
		.name = "tile-transposed-store",
		.summary = "stores the tile of A transposed, without padding: all 32 stores of a warp meet in one bank",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = launch_tile<sgemm_tile_transposed_store>,
		.config = config_tile<sgemm_tile_transposed_store>,
		.launch_phases = launch_tile_phases<sgemm_tile_transposed_store_phases>,
		.phases = &tile_phases,
		.shape = shape_tile_transposed_store,
	},
	{
		.name = "tile-padded",
		.summary = "rows of 33 elements, padded against bank conflicts that this access pattern does not have; "
			   "load, barrier, compute, barrier",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = launch_tile<sgemm_tile_padded>,
		.config = config_tile<sgemm_tile_padded>,
		.launch_phases = launch_tile_phases<sgemm_tile_padded_phases>,
		.phases = &tile_phases,
		.shape = shape_tile_padded,
	},
	{
		.name = "double-buffer",
		.summary = "two tiles of each: stores the next one before it computes this one; one barrier a tile",
		.kind = VARIANT_CANDIDATE,
		.buffers = 2,
		.launch = launch_tile<sgemm_double_buffer>,
		.config = config_tile<sgemm_double_buffer>,
		.launch_phases = launch_tile_phases<sgemm_double_buffer_phases>,
		.phases = &double_buffer_phases,
		.shape = shape_double_buffer,
	},
	{
		.name = "double-buffer-prefetch",
		.summary =
			"loads the next tile into registers, computes this one, only then stores; one barrier a tile",
		.kind = VARIANT_CANDIDATE,
		.buffers = 2,
		.launch = launch_tile<sgemm_double_buffer_prefetch>,
		.config = config_tile<sgemm_double_buffer_prefetch>,
		.launch_phases = launch_tile_phases<sgemm_double_buffer_prefetch_phases>,
		.phases = &prefetch_phases,
		.shape = shape_double_buffer_prefetch,
	},
	{
		.name = "cp-async-2",
		.summary = "two stages filled by cp.async, which bypasses the registers; one tile ahead",
		.kind = VARIANT_CANDIDATE,
		.buffers = 2,
		.launch = launch_tile<sgemm_cp_async<2>>,
		.unsupported = cp_async_unsupported,
		.config = config_tile<sgemm_cp_async<2>>,
		.launch_phases = launch_tile_phases<sgemm_cp_async_phases<2>>,
		.phases = &cp_async_phases,
		.shape = shape_cp_async<2>,
	},
	{
		.name = "cp-async-3",
		.summary = "three stages filled by cp.async; two tiles ahead",
		.kind = VARIANT_CANDIDATE,
		.buffers = 3,
		.launch = launch_tile<sgemm_cp_async<3>>,
		.unsupported = cp_async_unsupported,
		.config = config_tile<sgemm_cp_async<3>>,
		.launch_phases = launch_tile_phases<sgemm_cp_async_phases<3>>,
		.phases = &cp_async_phases,
		.shape = shape_cp_async<3>,
	},
	{
		.name = "cp-async-4",
		.summary = "four stages filled by cp.async; three tiles ahead",
		.kind = VARIANT_CANDIDATE,
		.buffers = 4,
		.launch = launch_tile<sgemm_cp_async<4>>,
		.unsupported = cp_async_unsupported,
		.config = config_tile<sgemm_cp_async<4>>,
		.launch_phases = launch_tile_phases<sgemm_cp_async_phases<4>>,
		.phases = &cp_async_phases,
		.shape = shape_cp_async<4>,
	},
	{
		.name = "padded-same-footprint",
		.summary =
			"tile-padded, given as much shared memory as double-buffer takes and not using it: shows that "
			"no occupancy is lost here, or how much",
		.kind = VARIANT_CONTROL,
		.buffers = 1,
		.launch = launch_tile<sgemm_tile_padded, TILES_BYTES>,
		.config = config_tile<sgemm_tile_padded, TILES_BYTES>,
		.launch_phases = launch_tile_phases<sgemm_tile_padded_phases, TILES_BYTES>,
		.phases = &tile_phases,
		.shape = shape_tile_padded,
	},
	{
		.name = "double-buffer-unpadded",
		.summary = "the code of double-buffer with rows of 32 elements: to be compared with tile-unpadded",
		.kind = VARIANT_CONTROL,
		.buffers = 2,
		.launch = launch_tile<sgemm_double_buffer_unpadded>,
		.config = config_tile<sgemm_double_buffer_unpadded>,
		.launch_phases = launch_tile_phases<sgemm_double_buffer_unpadded_phases>,
		.phases = &double_buffer_phases,
		.shape = shape_double_buffer_unpadded,
	},
	{
		.name = "cublas",
		.summary = "the library's SGEMM (cublasSgemm) in its default math mode: float all the way",
		.kind = VARIANT_REFERENCE,
		.opaque_launches = true,
		.launch = launch_cublas,
		.prepare = prepare_cublas,
		.unsupported = cublas_unsupported,
		.kernel = "sgemm|f32f32_f32f32",
	},
};

extern "C" const struct family family_sgemm = {
	.name = "sgemm",
	.title = "Tiled matrix product (SGEMM)",
	.question = "A tiled matrix product loads a tile, waits, computes, waits. Does a second pair of tiles, loaded "
		    "while the first is in use, make it faster?",
	.teaches =
		"The picture in the textbook shows loads that hide behind arithmetic. Plain loads do not work like "
		"that by themselves. A value travels from global memory into a register and from there into shared "
		"memory, and the store waits for the load. The second buffer alone therefore saves a barrier, not the "
		"wait. To overlap, the store has to come after the computation (prefetch into registers), or the copy "
		"has to bypass the registers (cp.async). What a GPU hides anyway, by running other warps meanwhile, "
		"cannot be gained twice. The pair is the tutorial's, with padded tiles, as are the prefetch and the "
		"cp.async variants. The padding guards against bank conflicts that this access pattern does not have. "
		"The threads of a warp read one and the same As[ty][k], and neighbouring Bs[k][tx]. It costs vector "
		"loads. Rows of 33 floats break the 16-byte alignment, so the compiler reads As one float at a time. "
		"In unpadded rows it reads As[ty][k] to As[ty][k + 3] at once. With nvcc 13.0 for sm_75 and sm_90, "
		"padding makes 64 loads of 4 bytes per thread and tile. Without it there are 32 of 4 bytes and 8 of "
		"16 bytes. Compare tile-unpadded, and with it double-buffer-unpadded: the padding can matter more "
		"than the buffering. The other control, padded-same-footprint, has the second buffer's footprint "
		"without its use. It shows that no occupancy is lost here, or how much. Blocks of 1024 threads use up "
		"an SM's threads before its shared memory. cuBLAS shows how much larger tiles and more work per "
		"thread bring.",
	.source = "\"Kernel 4: Double Buffer\" (\"Overlapping memory loads with computation\"), a chapter of an SGEMM "
		  "tutorial",
	.file = "sgemm.cu",
	.throughput = "GFLOP/s",
	.bound_by = "device memory",
	.params = params,
	.nparams = sizeof(params) / sizeof(params[0]),
	.cases = cases,
	.ncases = sizeof(cases) / sizeof(cases[0]),
	.variants = variants,
	.nvariants = sizeof(variants) / sizeof(variants[0]),
	.single = "tile-padded",
	.double_ = "double-buffer",
	.sweeps = sweeps,
	.nsweeps = sizeof(sweeps) / sizeof(sweeps[0]),
	.device_bytes = sgemm_device_bytes,
	.host_bytes = sgemm_host_bytes,
	.work = sgemm_work,
	.set_up = sgemm_set_up,
	.tear_down = sgemm_tear_down,
	.poison = product_poison,
	.check = product_check,
};
