/* sgemm-ladder-k-major.cuh: what the rungs of sgemm-ladder share whose tile of A lies as A does: its swizzle, a
 * thread's operands, the products of a tile, and the launch's sizes. */
#ifndef DBPROF_KERNELS_SGEMM_LADDER_K_MAJOR_CUH
#define DBPROF_KERNELS_SGEMM_LADDER_K_MAJOR_CUH

#include "sgemm-ladder.cuh"
#include "sgemm-ladder/state.h"

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

#endif
