// arch: 90a
/* sgemm-ladder-tma.cu: the rung of sgemm-ladder that TMA feeds. Its tile of A lies as A does, which is how TMA copies
 * it. */
#include "families.h"
#include "queue.h"
#include "sgemm-ladder-k-major.cuh"
#include "tensor-map.h"

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

/* ---- on the host ---- */

cudaError_t sgemm_ladder_config_tma(void *state, struct kernel_config *out)
{
	return k_major_configure(state, (const void *)sgemm_tma<k_major_rung>, out);
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
