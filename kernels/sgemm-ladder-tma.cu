// arch: 90a
/* sgemm-ladder-tma.cu: the rungs of sgemm-ladder whose tile of A lies as A does, which is how TMA copies it. */
#include "families.h"
#include "queue.h"
#include "sgemm-ladder.cuh"
#include "sgemm-ladder/state.h"
#include "tensor-map.h"

// begin k-major, tma
/* Rows of A's tile are as long as the step of K. Groups of 4 elements change places in their row as TMA does it. */
template <int TILE_K, int STAGES, int FLAGS, int UNROLL_>
struct k_major_sizes : ladder_sizes<128, 128, TILE_K, 8, 16, STAGES, FLAGS | LADDER_WARP_TILE, 1, 4, 2> {
	static constexpr int A_LENGTH = 128 * TILE_K, LENGTH = A_LENGTH + TILE_K * 128;
	static constexpr int GROUPS = TILE_K / 4, UNROLL = UNROLL_; /* steps of k in the loop's body */
};

/* By what the number of a group of 4 is changed in a row of A's tile: 8 rows in turn lie in different banks. */
template <class S> static __device__ __forceinline__ constexpr int k_major_swizzle(int row)
{
	return row / (8 / S::GROUPS) % S::GROUPS;
}

/* Where a thread finds the operands of a step of k; it loads four steps of A's rows at once. */
template <class S> struct k_major_fragments {
	int a_first, b_first;
	float a[S::THREAD_M][4], b[2][S::THREAD_N];

	__device__ __forceinline__ k_major_fragments()
	{
		const struct ladder_place place = ladder_place<S>();

		a_first = place.row * S::TILE_K + k_major_swizzle<S>(place.row) * 4;
		b_first = S::A_LENGTH + place.col;
	}
	__device__ __forceinline__ void load_a(const float *ring, int stage, int k, int i)
	{
		const int at = (stage + a_first) ^ ((k / 4 ^ k_major_swizzle<S>(ladder_row<S>(i))) * 4);

		load_4(a[i], &ring[at + ladder_row<S>(i) * S::TILE_K]);
	}
	__device__ __forceinline__ void load_b(const float *ring, int stage, int k, int to)
	{
#pragma unroll
		for (int j = 0; j < S::THREAD_N; j += 4)
			load_4(&b[to][j], &ring[stage + b_first + k * S::TILE_N + ladder_col<S>(j)]);
	}
	/* Of the first tile. */
	__device__ __forceinline__ void begin(const float *ring)
	{
#pragma unroll
		for (int i = 0; i < S::THREAD_M; i++)
			load_a(ring, 0, 0, i);
		load_b(ring, 0, 0, 0);
	}
	__device__ __forceinline__ void multiply_row(float (&sum)[S::THREAD_N], int i, int k)
	{
#pragma unroll
		for (int j = 0; j < S::THREAD_N; j++) {
			const int col = S::FLAGS & LADDER_SNAKE && i % 2 ? S::THREAD_N - 1 - j : j;

			sum[col] += a[i][k % 4] * b[k % 2][col];
		}
	}
};

/* Computes a tile; `next()` waits for the one behind it, and returns its stage, before the last step of k. */
template <class S, class Next>
static __device__ __forceinline__ void k_major_tile(
	const float *ring, int stage, struct k_major_fragments<S> &f, float (&sum)[S::THREAD_M][S::THREAD_N], Next next)
{
#pragma unroll 1
	for (int first = 0; first < S::TILE_K; first += S::UNROLL) {
#pragma unroll
		for (int x = 0; x < S::UNROLL; x++) {
			int k = first + x + 1;

			if (x == S::UNROLL - 1 && k == S::TILE_K) {
				stage = next();
				k = 0;
			}
			f.load_b(ring, stage, k, (x + 1) % 2);
#pragma unroll
			for (int i = 0; i < S::THREAD_M; i++) {
				f.multiply_row(sum[i], i, x);
				if (x % 4 == 3)
					f.load_a(ring, stage, k, i);
			}
		}
	}
}
// end k-major, tma

// begin tma
struct tma_matrices {
	CUtensorMap a, b;
};

template <class S>
__global__ void __launch_bounds__(S::THREADS, S::BLOCKS)
	sgemm_tma(const __grid_constant__ struct tma_matrices matrices, float *C, int M, int N, int K)
{
	extern __shared__ __align__(1024) float ring[];
	__shared__ uint64_t full[S::STAGES];
	const int row = blockIdx.y * S::TILE_M, col = blockIdx.x * S::TILE_N, tiles = (K + S::TILE_K - 1) / S::TILE_K;
	struct k_major_fragments<S> fragments;
	float sum[S::THREAD_M][S::THREAD_N] = {};
	int now = 0, spare = S::STAGES - 1, phase = 0, t = 0;
	const auto load = [&](int tile, int stage) { // by one thread
		full_expect(&full[stage], S::LENGTH * (int)sizeof(float));
		copy_box(&ring[stage * S::LENGTH], &matrices.a, row, tile * S::TILE_K, &full[stage]);
		copy_box(&ring[stage * S::LENGTH + S::A_LENGTH], &matrices.b, tile * S::TILE_K, col, &full[stage]);
	};
	const auto next = [&] {
		spare = now;
		now = now + 1 < S::STAGES ? now + 1 : 0;
		phase ^= now == 0;
		if (t + 1 < tiles)
			full_wait(&full[now], phase);
		__syncthreads(); // stage `spare` is used up
		return now * S::LENGTH;
	};

	full_init_all(full, S::STAGES);
	if (threadIdx.x == 0)
		for (int s = 0; s < S::STAGES && s < tiles; s++)
			load(s, s);
	full_wait(&full[0], 0);
	fragments.begin(ring);
#pragma unroll 1
	for (; t < tiles; t++) {
		if (threadIdx.x == 0 && t > 0 && t - 1 + S::STAGES < tiles) {
			tma_fence(); // what was read of the stage comes before what TMA writes
			load(t - 1 + S::STAGES, spare);
		}
		k_major_tile<S>(ring, now * S::LENGTH, fragments, sum, next);
	}
	const struct ladder_place place = ladder_place<S>();

	ladder_store<S>(C, M, N, row + place.row, col + place.col, sum);
}
// end tma

// begin k-major
/* The same with cp.async: 8 rows of A's tile, or of B's, for each warp's turn. */
template <class S> struct k_major_loads {
	static constexpr int A_ROWS = S::THREADS / S::GROUPS, B_ROWS = S::THREADS / (S::TILE_N / 4);
	static constexpr int A_LOADS = S::TILE_M / A_ROWS, B_LOADS = S::TILE_K / B_ROWS;
	const float *a, *b;
	int a_row[A_LOADS], b_row, left, a_k, b_k, a_to, b_to;

	__device__ __forceinline__ k_major_loads(const float *A, const float *B, int M, int N, int K)
	    : b_row(N), left(K), a_k(threadIdx.x % S::GROUPS * 4), b_k(threadIdx.x / (S::TILE_N / 4))
	{
		const int m = threadIdx.x / S::GROUPS, n = threadIdx.x % (S::TILE_N / 4) * 4;

		a = A + a_k;
		b = B + (size_t)b_k * N + min((int)blockIdx.x * S::TILE_N + n, N - 4);
		a_to = m * S::TILE_K + (a_k ^ k_major_swizzle<S>(m) * 4);
		b_to = S::A_LENGTH + b_k * S::TILE_N + n;
#pragma unroll
		for (int i = 0; i < A_LOADS; i++)
			a_row[i] = min((int)blockIdx.y * S::TILE_M + m + i * A_ROWS, M - 1) * K;
	}
	__device__ __forceinline__ void copy(float *stage)
	{
		if (left >= S::TILE_K) {
#pragma unroll
			for (int i = 0; i < A_LOADS; i++)
				copy_async_group<4>(&stage[a_to + i * A_ROWS * S::TILE_K], a + a_row[i]);
#pragma unroll
			for (int i = 0; i < B_LOADS; i++)
				copy_async_group<4>(
					&stage[b_to + i * B_ROWS * S::TILE_N], b + (size_t)i * B_ROWS * b_row);
		} else if (left > 0) {
			copy_last(stage);
		}
		copy_async_commit();
		a += S::TILE_K;
		b += (size_t)S::TILE_K * b_row;
		left -= S::TILE_K;
	}
	__device__ __forceinline__ void copy_last(float *stage)
	{
#pragma unroll
		for (int i = 0; i < A_LOADS; i++) {
			const bool inside = a_k < left;

			copy_async_group_or_zeros<4>(
				&stage[a_to + i * A_ROWS * S::TILE_K], a + a_row[i] - (inside ? 0 : a_k), inside);
		}
#pragma unroll
		for (int i = 0; i < B_LOADS; i++) {
			const bool inside = b_k + i * B_ROWS < left;

			copy_async_group_or_zeros<4>(&stage[b_to + i * B_ROWS * S::TILE_N],
				b + (size_t)(inside ? i * B_ROWS : -b_k) * b_row, inside);
		}
	}
};

template <class S>
__global__ void __launch_bounds__(S::THREADS, S::BLOCKS)
	sgemm_k_major(const float *A, const float *B, float *C, int M, int N, int K)
{
	extern __shared__ __align__(1024) float ring[];
	struct k_major_loads<S> loads(A, B, M, N, K);
	struct k_major_fragments<S> fragments;
	float sum[S::THREAD_M][S::THREAD_N] = {};
	int now = 0, spare = S::STAGES - 1;
	const auto next = [&] {
		copy_async_wait<S::STAGES - 2>();
		__syncthreads();
		spare = now;
		now = now + 1 < S::STAGES ? now + 1 : 0;
		return now * S::LENGTH;
	};

#pragma unroll
	for (int s = 0; s < S::STAGES - 1; s++)
		loads.copy(&ring[s * S::LENGTH]);
	copy_async_wait<S::STAGES - 2>();
	__syncthreads();
	fragments.begin(ring);
#pragma unroll 1
	for (int t = 0; t * S::TILE_K < K; t++) {
		loads.copy(&ring[spare * S::LENGTH]);
		k_major_tile<S>(ring, now * S::LENGTH, fragments, sum, next);
	}
	const struct ladder_place place = ladder_place<S>();

	ladder_store<S>(C, M, N, blockIdx.y * S::TILE_M + place.row, blockIdx.x * S::TILE_N + place.col, sum);
}
// end k-major

/* ---- on the host ---- */

typedef k_major_sizes<32, 3, LADDER_SNAKE, 8> k_major_rung;

static cudaError_t k_major_configure(const void *state, const void *function, struct kernel_config *out)
{
	const struct product *p = (const struct product *)state;
	const size_t dynamic = sizeof(float) * k_major_rung::LENGTH * k_major_rung::STAGES;
	const struct kernel_config config = {function,
		{(unsigned)((p->n + k_major_rung::TILE_N - 1) / k_major_rung::TILE_N),
			(unsigned)((p->m + k_major_rung::TILE_M - 1) / k_major_rung::TILE_M), 1},
		{k_major_rung::THREADS, 1, 1}, dynamic};

	*out = config;
	return cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)dynamic);
}

cudaError_t sgemm_ladder_config_k_major(void *state, struct kernel_config *out)
{
	return k_major_configure(state, (const void *)sgemm_k_major<k_major_rung>, out);
}

cudaError_t sgemm_ladder_config_tma(void *state, struct kernel_config *out)
{
	return k_major_configure(state, (const void *)sgemm_tma<k_major_rung>, out);
}

cudaError_t sgemm_ladder_launch_k_major(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct product *p = (struct product *)state;
	struct queue q = {done, cudaSuccess};
	struct kernel_config config;
	void *arguments[] = {&p->a, &p->b, &p->c, &p->m, &p->n, &p->k};

	product_rotate(p);
	queue_note(&q, sgemm_ladder_config_k_major(state, &config));
	queue_kernel(&q, &config, arguments, stream);
	return q.error;
}

/* Describes a matrix of rows x cols for boxes of box_rows x box_cols. */
static cudaError_t tma_describe(CUtensorMap *out, float *matrix, int rows, int cols, unsigned box_rows,
	unsigned box_cols, CUtensorMapSwizzle swizzle)
{
	const struct tensor_matrix of = {
		matrix, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, rows, cols, sizeof(float) * (size_t)cols};

	return tensor_map(out, of, box_rows, box_cols, swizzle);
}

/* Rows of 128 bytes are what the swizzle of 128 bytes takes. */
static_assert(k_major_rung::TILE_K * sizeof(float) == 128, "k_major_swizzle() is TMA's");

cudaError_t sgemm_ladder_launch_tma(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct product *p = (struct product *)state;
	struct queue q = {done, cudaSuccess};
	struct kernel_config config;
	struct tma_matrices matrices;
	void *arguments[] = {&matrices, &p->c, &p->m, &p->n, &p->k};

	product_rotate(p);
	queue_note(&q, sgemm_ladder_config_tma(state, &config));
	queue_note(&q, tma_describe(&matrices.a, p->a, p->m, p->k, k_major_rung::TILE_M, k_major_rung::TILE_K,
			       CU_TENSOR_MAP_SWIZZLE_128B));
	queue_note(&q, tma_describe(&matrices.b, p->b, p->k, p->n, k_major_rung::TILE_K, k_major_rung::TILE_N,
			       CU_TENSOR_MAP_SWIZZLE_NONE));
	queue_kernel(&q, &config, arguments, stream);
	return q.error;
}
