/* gemm-bf16.cu: products of bf16 matrices on tensor cores, from one buffer to the speed of cuBLAS. The rungs with wgmma
 * are in gemm-bf16-wgmma.cu. */
#include <cuda_bf16.h>

#include "cp-async.cuh"
#include "families.h"
#include "gemm-bf16/lt.h"
#include "gemm-bf16/set-up.h"
#include "queue.h"

/* A is M x K, B is N x K: both lie along K, in rows that begin `row` elements apart. C is M x N. */

// begin mma-1, mma-2, mma-async-2, mma-async
/* A block of 8 warps makes 128 x 128 of C in steps of 32 along K, a warp 64 x 32 in products of 16 x 8 x 16. Rows in
 * shared memory are 8 elements longer than the step, against bank conflicts. */
enum {
	MMA_TILE = 128,
	MMA_K = 32,
	MMA_ROW = MMA_K + 8,
	MMA_THREADS = 256,
	MMA_GROUPS = MMA_K / GEMM_ALIGN,     /* of 16 bytes in a row */
	MMA_ROWS = MMA_THREADS / MMA_GROUPS, /* that the threads load at once */
	MMA_LOADS = MMA_TILE / MMA_ROWS,     /* groups of A, and of B, for a thread */
	MMA_STAGE = 2 * MMA_TILE * MMA_ROW,  /* elements of A's tile and B's */
	MMA_WARP_M = 64,
	MMA_WARP_N = 32
};

struct mma_job {
	const uint16_t *a, *b;
	uint16_t *c;
	int m, n, k, row_k, row_n;
};

/* Four blocks of 8 x 8 elements, as mma takes them; lane i gives the address of row i % 8 of block i / 8. */
static __device__ __forceinline__ void mma_load(unsigned (&to)[4], const uint16_t *row)
{
#if __CUDA_ARCH__ >= 800
	asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
		     : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
		     : "r"(shared_address(row))
		     : "memory");
#else
	__trap();
#endif
}

/* sum += a b for 16 x 8 elements of C and 16 of K. */
static __device__ __forceinline__ void mma_multiply(
	float (&sum)[4], const unsigned (&a)[4], unsigned b_first, unsigned b_second)
{
#if __CUDA_ARCH__ >= 800
	asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, "
		     "{%8, %9}, {%0, %1, %2, %3};"
		     : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
		     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b_first), "r"(b_second));
#else
	__trap();
#endif
}

/* 8 neighbours of a row, zeros beyond its end. */
static __device__ __forceinline__ uint4 mma_fetch_group(const uint16_t *row, int k, int length, bool aligned)
{
	unsigned pair[4] = {};

	if (aligned && k + GEMM_ALIGN <= length)
		return *(const uint4 *)&row[k];
#pragma unroll
	for (int i = 0; i < GEMM_ALIGN; i++)
		pair[i / 2] |= k + i < length ? (unsigned)row[k + i] << i % 2 * 16 : 0;
	return make_uint4(pair[0], pair[1], pair[2], pair[3]);
}

/* What a thread loads of the tiles of A and B. Beyond the last row it loads that one again, and nobody stores what
 * comes of it. */
struct mma_loads {
	const uint16_t *a[MMA_LOADS], *b[MMA_LOADS];
	uint4 a_value[MMA_LOADS], b_value[MMA_LOADS];
	int k, length, to;
	bool aligned;

	__device__ __forceinline__ mma_loads(const struct mma_job &job)
	    : k(threadIdx.x % MMA_GROUPS * GEMM_ALIGN), length(job.k),
	      to(threadIdx.x / MMA_GROUPS * MMA_ROW + threadIdx.x % MMA_GROUPS * GEMM_ALIGN),
	      aligned(job.row_k % GEMM_ALIGN == 0)
	{
#pragma unroll
		for (int i = 0; i < MMA_LOADS; i++) {
			const int row = threadIdx.x / MMA_GROUPS + i * MMA_ROWS;

			a[i] = job.a + (size_t)min((int)blockIdx.y * MMA_TILE + row, job.m - 1) * job.row_k;
			b[i] = job.b + (size_t)min((int)blockIdx.x * MMA_TILE + row, job.n - 1) * job.row_k;
		}
	}
	/* Loads the next tiles into registers. */
	__device__ __forceinline__ void fetch()
	{
#pragma unroll
		for (int i = 0; i < MMA_LOADS; i++) {
			a_value[i] = mma_fetch_group(a[i], k, length, aligned);
			b_value[i] = mma_fetch_group(b[i], k, length, aligned);
		}
		k += MMA_K;
	}
	/* Stores what was fetched. */
	__device__ __forceinline__ void put(uint16_t *stage) const
	{
#pragma unroll
		for (int i = 0; i < MMA_LOADS; i++) {
			*(uint4 *)&stage[to + i * MMA_ROWS * MMA_ROW] = a_value[i];
			*(uint4 *)&stage[to + (MMA_TILE + i * MMA_ROWS) * MMA_ROW] = b_value[i];
		}
	}
	/* Has cp.async copy the next tiles; rows begin at multiples of 16 bytes. */
	__device__ __forceinline__ void copy(uint16_t *stage)
	{
		const int bytes = min(max((length - k) * (int)sizeof(uint16_t), 0), 16);
		const int from = bytes > 0 ? k : 0;

#pragma unroll
		for (int i = 0; i < MMA_LOADS; i++) {
			copy_async_16_or_zeros(&stage[to + i * MMA_ROWS * MMA_ROW], a[i] + from, bytes);
			copy_async_16_or_zeros(&stage[to + (MMA_TILE + i * MMA_ROWS) * MMA_ROW], b[i] + from, bytes);
		}
		copy_async_commit();
		k += MMA_K;
	}
};

/* A warp's part of the tile of C. */
struct mma_sums {
	float sum[MMA_WARP_M / 16][MMA_WARP_N / 8][4];
	int row, col; /* in the block's tile */

	__device__ __forceinline__ mma_sums()
	    : sum{}, row(threadIdx.x / 32 / (MMA_TILE / MMA_WARP_N) * MMA_WARP_M),
	      col(threadIdx.x / 32 % (MMA_TILE / MMA_WARP_N) * MMA_WARP_N)
	{
	}
	__device__ __forceinline__ void multiply(const uint16_t *stage)
	{
		const int lane = threadIdx.x % 32;
		const uint16_t *const a_row = stage + (row + lane % 16) * MMA_ROW + lane / 16 * 8;
		const uint16_t *const b_row =
			stage + (MMA_TILE + col + lane / 16 * 8 + lane % 8) * MMA_ROW + lane / 8 % 2 * 8;

#pragma unroll
		for (int k = 0; k < MMA_K; k += 16) {
			unsigned a[MMA_WARP_M / 16][4], b[MMA_WARP_N / 16][4];

#pragma unroll
			for (int i = 0; i < MMA_WARP_M / 16; i++)
				mma_load(a[i], a_row + i * 16 * MMA_ROW + k);
#pragma unroll
			for (int j = 0; j < MMA_WARP_N / 16; j++)
				mma_load(b[j], b_row + j * 16 * MMA_ROW + k);
#pragma unroll
			for (int i = 0; i < MMA_WARP_M / 16; i++)
#pragma unroll
				for (int j = 0; j < MMA_WARP_N / 8; j++)
					mma_multiply(sum[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
		}
	}
	__device__ __forceinline__ void store(const struct mma_job &job) const
	{
		const int lane = threadIdx.x % 32;
		const int r_first = blockIdx.y * MMA_TILE + row + lane / 4,
			  c_first = blockIdx.x * MMA_TILE + col + lane % 4 * 2;

#pragma unroll
		for (int i = 0; i < MMA_WARP_M / 16; i++)
#pragma unroll
			for (int j = 0; j < MMA_WARP_N / 8; j++)
#pragma unroll
				for (int x = 0; x < 4; x++) {
					const int r = r_first + i * 16 + x / 2 * 8, c = c_first + j * 8 + x % 2;

					if (r < job.m && c < job.n)
						job.c[(size_t)r * job.row_n + c] =
							__bfloat16_as_ushort(__float2bfloat16_rn(sum[i][j][x]));
				}
	}
};
// end mma-1, mma-2, mma-async-2, mma-async

// begin mma-1
__global__ void __launch_bounds__(MMA_THREADS) gemm_mma_1(const struct mma_job job)
{
	__shared__ __align__(16) uint16_t stage[MMA_STAGE];
	struct mma_loads loads(job);
	struct mma_sums sums;

	for (int t = 0; t * MMA_K < job.k; t++) {
		loads.fetch();
		loads.put(stage);
		__syncthreads(); // the tiles are loaded
		sums.multiply(stage);
		__syncthreads(); // the tiles are used up
	}
	sums.store(job);
}
// end mma-1

// begin mma-2
__global__ void __launch_bounds__(MMA_THREADS) gemm_mma_2(const struct mma_job job)
{
	__shared__ __align__(16) uint16_t stage[2][MMA_STAGE];
	struct mma_loads loads(job);
	struct mma_sums sums;

	loads.fetch();
	loads.put(stage[0]);
	__syncthreads();
	for (int t = 0; t * MMA_K < job.k; t++) {
		loads.fetch(); // behind the last tile there are zeros
		sums.multiply(stage[t % 2]);
		loads.put(stage[(t + 1) % 2]);
		__syncthreads();
	}
	sums.store(job);
}
// end mma-2

// begin mma-async-2, mma-async
template <int STAGES> __global__ void __launch_bounds__(MMA_THREADS) gemm_mma_async(const struct mma_job job)
{
	extern __shared__ __align__(16) uint16_t ring[];
	struct mma_loads loads(job);
	struct mma_sums sums;
	int now = 0, spare = STAGES - 1;

	for (int s = 0; s < STAGES - 1; s++)
		loads.copy(&ring[s * MMA_STAGE]);
	for (int t = 0; t * MMA_K < job.k; t++) {
		copy_async_wait<STAGES - 2>();
		__syncthreads(); // tile t is there, and tile t - 1, in stage `spare`, is used up
		loads.copy(&ring[spare * MMA_STAGE]);
		sums.multiply(&ring[now * MMA_STAGE]);
		spare = now;
		now = now + 1 < STAGES ? now + 1 : 0;
	}
	copy_async_wait<0>(); // zeros behind the last tile may still be under way
	sums.store(job);
}
// end mma-async-2, mma-async

/* ---- on the host ---- */

typedef void mma_kernel(struct mma_job);

template <mma_kernel *KERNEL, int STAGES> static cudaError_t config_mma(void *state, struct kernel_config *out)
{
	const struct gemm_state *s = (const struct gemm_state *)state;
	const struct kernel_config config = {(const void *)KERNEL,
		{(unsigned)((s->n + MMA_TILE - 1) / MMA_TILE), (unsigned)((s->m + MMA_TILE - 1) / MMA_TILE), 1},
		{MMA_THREADS, 1, 1}, STAGES * sizeof(uint16_t) * MMA_STAGE};

	*out = config;
	return STAGES > 0 ? cudaFuncSetAttribute(config.function, cudaFuncAttributeMaxDynamicSharedMemorySize,
				    (int)config.dynamic_smem)
			  : cudaSuccess;
}

/* STAGES: those in dynamic shared memory. */
template <mma_kernel *KERNEL, int STAGES>
static cudaError_t launch_mma(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct gemm_state *s = (struct gemm_state *)state;
	struct queue q = {done, cudaSuccess};
	struct kernel_config config;

	gemm_rotate(s);
	struct mma_job job = {s->a, s->b, s->c, s->m, s->n, s->k, s->row_k, s->row_n};
	void *arguments[] = {&job};

	queue_note(&q, config_mma<KERNEL, STAGES>(state, &config));
	queue_kernel(&q, &config, arguments, stream);
	return q.error;
}

template <enum gemm_rung RUNG> static cudaError_t config_wgmma(void *state, struct kernel_config *out)
{
	return gemm_bf16_config_wgmma(state, RUNG, out);
}

template <enum gemm_rung RUNG> static cudaError_t launch_wgmma(void *state, cudaStream_t stream, struct enqueued *done)
{
	return gemm_bf16_launch_wgmma(state, RUNG, stream, done);
}

template <enum gemm_rung RUNG>
static cudaError_t launch_wgmma_roles(
	void *state, cudaStream_t stream, const struct role_board *board, struct kernel_config *config)
{
	return gemm_bf16_launch_roles(state, RUNG, stream, board, config);
}

/* Makes what cuBLAS needs for a state, if that is not there yet. */
static cudaError_t gemm_lt_make(struct gemm_state *s)
{
	const struct lt_library *lib = lt_load();
	cudaError_t error;

	if (s->lt)
		return cudaSuccess;
	if (!lib)
		return cudaErrorSharedObjectInitFailed;
	s->lt = (struct gemm_lt *)calloc(1, sizeof(*s->lt));
	if (!s->lt)
		return cudaErrorMemoryAllocation;
	s->lt->best = -1;
	error = cudaMalloc(&s->lt->workspace, GEMM_WORKSPACE);
	if (error == cudaSuccess)
		error = gemm_lt_error(gemm_lt_describe(lib, s, s->lt));
	if (error == cudaSuccess)
		error = gemm_lt_error(gemm_lt_ask(lib, s->lt));
	if (error != cudaSuccess) {
		(void)cudaGetLastError();
		gemm_lt_destroy(s->lt);
		s->lt = NULL;
	}
	return error;
}

// begin cublaslt, cublaslt-best
static cudaError_t launch_lt(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct gemm_state *s = (struct gemm_state *)state;
	cudaError_t error = gemm_lt_make(s);

	if (error != cudaSuccess)
		return error;
	gemm_rotate(s);
	error = gemm_lt_error(gemm_lt_multiply(s, 0, stream));
	done->kernels += error == cudaSuccess;
	return error;
}

/* The algorithm was chosen by prepare_lt_best(). */
static cudaError_t launch_lt_best(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct gemm_state *s = (struct gemm_state *)state;
	cudaError_t error;

	if (!s->lt || s->lt->best < 0)
		return s->lt_error != cudaSuccess ? s->lt_error : cudaErrorNotReady;
	gemm_rotate(s);
	error = gemm_lt_error(gemm_lt_multiply(s, s->lt->best, stream));
	done->kernels += error == cudaSuccess;
	return error;
}
// end cublaslt, cublaslt-best

static void prepare_lt(void *state, cudaStream_t)
{
	(void)gemm_lt_make((struct gemm_state *)state); // fails again when it is launched
}

/* Tries all algorithms, and waits for the GPU. */
static void prepare_lt_best(void *state, cudaStream_t stream)
{
	struct gemm_state *s = (struct gemm_state *)state;

	s->lt_error = gemm_lt_make(s);
	if (s->lt_error == cudaSuccess)
		s->lt_error = gemm_lt_find_best(s, stream);
}

/* ---- what cannot run ---- */

static const char *lt_unsupported(const struct cudaDeviceProp *device, const struct size_case *)
{
	if (device->major < 8)
		return "the device's tensor cores know no bf16, which came with compute capability 8.0";
	return lt_load() ? NULL
			 : "cuBLAS (libcublasLt.so) was not found by the loader, in $CUDA_HOME or in /usr/local/cuda";
}

static const char *mma_unsupported(const struct cudaDeviceProp *device, const struct size_case *)
{
	if (device->major < 8)
		return "the device's tensor cores know no bf16, which came with compute capability 8.0";
	if (architecture_for(device->major * 10 + device->minor) < 80)
		return "this build of dbprof has no code for compute capability 8.0 or later, which bf16 needs";
	return NULL;
}

/* Whether rows of so many elements begin at multiples of 16 bytes. */
static bool rows_aligned(const struct size_case *size, int param)
{
	return gemm_row(gemm_size_of(size, param), size->value[GEMM_PARAM_ALIGN]) % GEMM_ALIGN == 0;
}

static const char *rows_unsupported(const struct cudaDeviceProp *, const struct size_case *size)
{
	if (!rows_aligned(size, GEMM_PARAM_K) || !rows_aligned(size, GEMM_PARAM_N))
		return "rows do not begin at multiples of 16 bytes, which TMA needs (choose --set align=8)";
	return NULL;
}

static const char *mma_async_unsupported(const struct cudaDeviceProp *device, const struct size_case *size)
{
	const char *why = mma_unsupported(device, size);

	if (why || rows_aligned(size, GEMM_PARAM_K))
		return why;
	return "rows do not begin at multiples of 16 bytes, which cp.async needs (choose --set align=8)";
}

/* ---- the family ---- */

static const int64_t alignments[] = {1, GEMM_ALIGN, 0}, inputs[] = {GEMM_NORMAL, GEMM_INTEGERS, GEMM_ZEROS, 0};

static const struct param params[] = {
	{"m", "rows", "rows of A and C", 1, 16384},
	{"n", "columns", "rows of B, columns of C", 1, 16384},
	{"k", "elements", "columns of A and B: the length of each sum", 1, 16384},
	{"align", "elements", "each row of a matrix begins at a multiple of so many", 1, GEMM_ALIGN, alignments},
	{"inputs", "", "1: about N(0,1), 2: integers from -2 to 2, 3: zeros; a GPU's power depends on them", 1,
		GEMM_ZEROS, inputs},
	{"size", "rows and columns", "those of m, n and k that are not set; 0: none", 0, 16384},
};

static const struct size_case cases[] = {
	{"4096", {4096, 4096, 4096, GEMM_ALIGN, GEMM_NORMAL}, false},
	{"2048", {2048, 2048, 2048, GEMM_ALIGN, GEMM_NORMAL}, false},
	{"8192", {8192, 8192, 8192, GEMM_ALIGN, GEMM_NORMAL}, false},
	{"short-sums", {8192, 8192, 512, GEMM_ALIGN, GEMM_NORMAL}, false},
	{"padded-4099", {4099, 4099, 4099, GEMM_ALIGN, GEMM_NORMAL}, false},
	{"unpadded-4099", {4099, 4099, 4099, 1, GEMM_NORMAL}, false},
	{"ragged", {333, 517, 259, GEMM_ALIGN, GEMM_NORMAL}, true},
	{"ragged-unpadded", {333, 517, 259, 1, GEMM_NORMAL}, true},
	{"less-than-a-tile", {5, 3, 7, GEMM_ALIGN, GEMM_INTEGERS}, true},
};

static const struct sweep sweeps[] = {
	{
		.name = "size",
		.title = "Size of the matrices",
		.question = "From which size on does a second stage pay?",
		.base = 0,
		.naxes = 1,
		.axis = {{GEMM_PARAM_SIZE, 6, {256, 512, 1024, 2048, 4096, 8192}}},
	},
	{
		.name = "inputs",
		.title = "Values of the inputs",
		.question = "What do the values that are multiplied do to power, clock and time?",
		.base = 2,
		.naxes = 1,
		.axis = {{GEMM_PARAM_INPUTS, 3, {GEMM_NORMAL, GEMM_INTEGERS, GEMM_ZEROS}}},
		/* Those that the power limit holds down. */
		.single = "cublaslt",
		.double_ = "cluster",
	},
};

#define STEP(...)                                                                                                      \
	{                                                                                                              \
		__VA_ARGS__                                                                                            \
	}
/* The rung of the same tile, clusters and warps that compute which loads nothing ahead; NULL: there is none. */
static constexpr const char *gemm_exposed(int cols, int flags)
{
	const bool wide = cols == 256;

	if (flags & GEMM_PING_PONG || (flags & GEMM_CLUSTER && !wide))
		return NULL;
	if (flags & GEMM_CLUSTER)
		return "one-stage";
	return wide ? "store-one-stage" : "wgmma-1";
}

#define RUNG(name, rows, cols, stages, flags)                                                                          \
	static constexpr struct role_plan gemm_roles_##name = {GEMM_STAGE_BYTES(rows, cols), gemm_exposed(cols, flags)};
GEMM_RUNGS(RUNG)
#undef RUNG

#define WGMMA_RUNG(name_, rung_, buffers_, summary_, step_)                                                            \
	{                                                                                                              \
		.name = name_, .summary = summary_, .kind = VARIANT_CANDIDATE, .buffers = buffers_,                    \
		.launch = launch_wgmma<GEMM_RUNG_##rung_>, .unsupported = rows_unsupported,                            \
		.config = config_wgmma<GEMM_RUNG_##rung_>, .launch_roles = launch_wgmma_roles<GEMM_RUNG_##rung_>,      \
		.roles = &gemm_roles_##rung_, .rung = step_, .file = "gemm-bf16-wgmma.cu"                              \
	}

static const struct variant variants[] = {
	{
		.name = "mma-1",
		.summary = "mma of 16 x 8 x 16: load into registers, store to shared memory, barrier, compute, barrier",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = launch_mma<gemm_mma_1, 0>,
		.unsupported = mma_unsupported,
		.config = config_mma<gemm_mma_1, 0>,
		.rung = {.step = 1},
	},
	{
		.name = "mma-2",
		.summary = "loads the next tiles into registers, computes these, then stores to a second buffer",
		.kind = VARIANT_CANDIDATE,
		.buffers = 2,
		.launch = launch_mma<gemm_mma_2, 0>,
		.unsupported = mma_unsupported,
		.config = config_mma<gemm_mma_2, 0>,
		.rung = {2, "mma-1", "second buffer"},
	},
	{
		.name = "mma-async-2",
		.summary = "cp.async of 16 bytes fills one of two stages, instead of registers and stores",
		.kind = VARIANT_CANDIDATE,
		.buffers = 2,
		.launch = launch_mma<gemm_mma_async<2>, 2>,
		.unsupported = mma_async_unsupported,
		.config = config_mma<gemm_mma_async<2>, 2>,
		.rung = {3, "mma-2", "cp.async"},
	},
	{
		.name = "mma-async",
		.summary = "four stages filled by cp.async of 16 bytes, three tiles ahead",
		.kind = VARIANT_CANDIDATE,
		.buffers = 4,
		.launch = launch_mma<gemm_mma_async<4>, 4>,
		.unsupported = mma_async_unsupported,
		.config = config_mma<gemm_mma_async<4>, 4>,
		.rung = {4, "mma-async-2", "third and fourth stage"},
	},
	WGMMA_RUNG("wgmma-1", WGMMA_1, 1,
		"TMA loads 128 x 64 of A and of B, two warpgroups multiply them by wgmma; one stage: no overlap",
		STEP(5, "mma-1", "wgmma", "TMA and its swizzle, steps of 64 instead of 32")),
	WGMMA_RUNG("wgmma-2", WGMMA_2, 2, "the same with two stages: one is loaded while the other is computed",
		STEP(6, "wgmma-1", "second stage")),
	WGMMA_RUNG("producer-2", PRODUCER_2, 2, "a warp of its own starts the copies; stages go round by mbarriers",
		STEP(7, "wgmma-2", "producer warp")),
	WGMMA_RUNG("producer-3", PRODUCER_3, 3, "three stages", STEP(8, "producer-2", "third stage")),
	WGMMA_RUNG("producer-4", PRODUCER_4, 4, "four stages", STEP(9, "producer-3", "fourth stage")),
	WGMMA_RUNG("producer-5", PRODUCER_5, 5, "five stages", STEP(10, "producer-4", "fifth stage")),
	WGMMA_RUNG("producer-6", PRODUCER_6, 6, "six stages", STEP(11, "producer-5", "sixth stage")),
	WGMMA_RUNG("producer-7", PRODUCER_7, 7, "seven stages, which take all the shared memory that a block can have",
		STEP(12, "producer-6", "seventh stage")),
	WGMMA_RUNG("wide-2", WIDE_2, 2, "128 x 256 of C a block, two stages",
		STEP(13, "producer-2", "tiles twice as wide")),
	WGMMA_RUNG("wide-3", WIDE_3, 3, "128 x 256 of C a block, three stages", STEP(14, "wide-2", "third stage")),
	WGMMA_RUNG("wide-4", WIDE_4, 4, "128 x 256 of C a block, four stages, which is all that fits",
		STEP(15, "wide-3", "fourth stage")),
	WGMMA_RUNG("strips", STRIPS, 4,
		"blocks go through C in strips of 16 rows of tiles, so that they share tiles of B and A in L2",
		STEP(16, "wide-4", "order of tiles")),
	WGMMA_RUNG("persistent", PERSISTENT, 4,
		"a block an SM takes several tiles: the next one's loads begin while this one is stored",
		STEP(17, "strips", "persistent blocks")),
	WGMMA_RUNG("store", STORE, 4, "C goes through shared memory to TMA, which stores it behind the next products",
		STEP(18, "persistent", "TMA stores")),
	WGMMA_RUNG("setmaxnreg", SETMAXNREG, 4,
		"the producer is a warpgroup, whose threads keep 40 registers; those that multiply take 232",
		STEP(19, "store", "setmaxnreg", "a whole warpgroup that produces")),
	WGMMA_RUNG("cluster", CLUSTER, 4, "two blocks share the tile of B: each loads half of it for both",
		STEP(20, "store", "multicast in clusters of 2")),
	WGMMA_RUNG("without-strips", WITHOUT_STRIPS, 4, "the top rung with tiles row by row",
		STEP(0, "cluster", "order of tiles")),
	WGMMA_RUNG("without-persistent", WITHOUT_PERSISTENT, 4, "the top rung with a block for each tile",
		STEP(0, "cluster", "persistent blocks")),
	WGMMA_RUNG("without-store", WITHOUT_STORE, 4, "the top rung with threads that store what they computed",
		STEP(0, "cluster", "TMA stores")),
	WGMMA_RUNG("store-waits", STORE_WAITS, 4,
		"the top rung with TMA stores that are done before the next tile's products begin",
		STEP(0, "cluster", "stores beside the next products")),
	WGMMA_RUNG("without-wide", WITHOUT_WIDE, 6, "the top rung with tiles of 128 x 128, and six stages",
		STEP(0, "cluster", "tiles twice as wide", "four stages")),
	WGMMA_RUNG("ping-pong", PING_PONG, 6,
		"each warpgroup has a tile of 128 x 128: one stores while the other has the tensor cores, six stages",
		STEP(0, "cluster", "warpgroups that share a tile", "tiles twice as wide")),
	WGMMA_RUNG("cpp-barriers", CPP_BARRIERS, 4, "the rung store with cuda::barrier of C++, same waits and arrivals",
		STEP(0, "store", "mbarriers by PTX")),
	WGMMA_RUNG("two-stages", TWO_STAGES, 2, "the top rung with two stages",
		STEP(0, "cluster", "third and fourth stage")),
	WGMMA_RUNG("one-stage", ONE_STAGE, 1, "the top rung with a single stage",
		STEP(0, "cluster", "all stages but one")),
	WGMMA_RUNG("store-one-stage", STORE_ONE_STAGE, 1, "the rung store with a single stage",
		STEP(0, "store", "all stages but one")),
	{
		.name = "cublaslt",
		.summary = "the library's cublasLtMatmul with its own first choice of algorithm, 32 MiB of workspace",
		.kind = VARIANT_REFERENCE,
		.opaque_launches = true,
		.launch = launch_lt,
		.prepare = prepare_lt,
		.unsupported = lt_unsupported,
		.kernel = "bf16|_tst_",
	},
	{
		.name = "cublaslt-best",
		.summary = "the fastest of ten algorithms that cublasLtMatmul offers, tried before in seven rounds",
		.kind = VARIANT_REFERENCE,
		.opaque_launches = true,
		.launch = launch_lt_best,
		.prepare = prepare_lt_best,
		.unsupported = lt_unsupported,
		.kernel = "bf16|_tst_",
	},
};

extern "C" const struct family family_gemm_bf16 = {
	.name = "gemm-bf16",
	.title = "Tensor cores fed by stages (bf16 GEMM)",
	.question = "Tensor cores compute faster than one buffer can be filled. How many stages, and which roles of "
		    "warps, keep them busy?",
	.teaches =
		"A tensor core multiplies a tile in less time than it takes to load the next one. Here a second stage "
		"is no refinement, it is what the speed is made of. The pair is one stage against two of the same tile "
		"and the same warps. Further stages cost shared memory, of which a block has 227 KiB: seven stages of "
		"a 128 x 128 tile, four of 128 x 256. A producer warp lets the others wait for full stages only. Above "
		"that come the order of tiles, blocks that stay, and copies that two blocks share.",
	.source = "\"Efficient GEMM in CUDA\", a chapter of the documentation of CUTLASS",
	.file = "gemm-bf16.cu",
	.throughput = "GFLOP/s",
	.bound_by = "device memory",
	.params = params,
	.nparams = sizeof(params) / sizeof(params[0]),
	.cases = cases,
	.ncases = sizeof(cases) / sizeof(cases[0]),
	.variants = variants,
	.nvariants = sizeof(variants) / sizeof(variants[0]),
	.single = "wgmma-1",
	.double_ = "wgmma-2",
	.sweeps = sweeps,
	.nsweeps = sizeof(sweeps) / sizeof(sweeps[0]),
	.on_demand = true,
	.device_bytes = gemm_device_bytes,
	.host_bytes = gemm_host_bytes,
	.work = gemm_work,
	.set_up = gemm_set_up,
	.tear_down = gemm_tear_down,
	.poison = gemm_poison,
	.check = gemm_check,
};
