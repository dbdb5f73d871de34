/* sgemm-ladder-k-major.cu: the rung of sgemm-ladder whose tile of A lies as A does, copied by cp.async: what the rung
 * with TMA is held against. It needs no Hopper. */
#include "families.h"
#include "queue.h"
#include "sgemm-ladder-k-major.cuh"

// begin k-major
/* By cp.async: 8 rows of A's tile, or of B's, for each warp's turn. */
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

cudaError_t sgemm_ladder_config_k_major(void *state, struct kernel_config *out)
{
	return k_major_configure(state, (const void *)sgemm_k_major<k_major_rung>, out);
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
