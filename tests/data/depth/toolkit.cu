/* toolkit.cu: kernels that bring tiles to shared memory by cuda::pipeline and cuda::barrier of the toolkit. */
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>

#include "body.cuh"

#pragma nv_diag_suppress static_var_with_dynamic_init

/* STAGES buffers and a pipeline of each thread. */
template <class Body, int STAGES> __device__ __forceinline__ void ring(const float *in, float *out, int tiles)
{
	__shared__ alignas(16) float tile[STAGES][TILE];
	auto pipeline = cuda::make_pipeline();
	const int i = threadIdx.x * PER;
	Body body;

#pragma unroll 1
	for (int t = 1 - STAGES; t < tiles; t++) {
		const int next = t + STAGES - 1;

		pipeline.producer_acquire();
		if (next < tiles)
			cuda::memcpy_async(&tile[next % STAGES][i], tile_at(in, tiles, next) + i,
				cuda::aligned_size_t<16>(16), pipeline);
		pipeline.producer_commit();
		if (t >= 0) {
			cuda::pipeline_consumer_wait_prior<STAGES - 1>(pipeline);
			__syncthreads();
			body.add(tile[t % STAGES]);
			__syncthreads();
			pipeline.consumer_release();
		}
	}
	write(out, body);
}

/* STAGES buffers and a pipeline of the block, which stands on mbarriers. */
template <class Body, int STAGES> __device__ __forceinline__ void ring_of_block(const float *in, float *out, int tiles)
{
	__shared__ alignas(16) float tile[STAGES][TILE];
	__shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, STAGES> state;
	auto block = cooperative_groups::this_thread_block();
	auto pipeline = cuda::make_pipeline(block, &state);
	int next = 0;
	Body body;

#pragma unroll 1
	for (int t = 0; t < tiles; t++) {
		for (; next < tiles && next < t + STAGES; next++) {
			pipeline.producer_acquire();
			cuda::memcpy_async(block, tile[next % STAGES], tile_at(in, tiles, next),
				cuda::aligned_size_t<16>(TILE * 4), pipeline);
			pipeline.producer_commit();
		}
		pipeline.consumer_wait();
		body.add(tile[t % STAGES]);
		pipeline.consumer_release();
	}
	write(out, body);
}

/* One buffer, whose copy an object of cuda::barrier awaits. */
template <class Body> __device__ __forceinline__ void single(const float *in, float *out, int tiles)
{
	__shared__ alignas(16) float tile[TILE];
	__shared__ cuda::barrier<cuda::thread_scope_block> full;
	auto block = cooperative_groups::this_thread_block();
	Body body;

	if (threadIdx.x == 0)
		init(&full, THREADS);
	__syncthreads();
#pragma unroll 1
	for (int t = 0; t < tiles; t++) {
		cuda::memcpy_async(block, tile, tile_at(in, tiles, t), cuda::aligned_size_t<16>(TILE * 4), full);
		full.arrive_and_wait();
		body.add(tile);
		__syncthreads();
	}
	write(out, body);
}

#define KERNEL(name, how, ...)                                                                                         \
	extern "C" __global__ void __launch_bounds__(THREADS) name(const float *in, float *out, int tiles)             \
	{                                                                                                              \
		how<__VA_ARGS__>(in, out, tiles);                                                                      \
	}

KERNEL(toolkit_s2_thread_product, ring, Product, 2)
KERNEL(toolkit_s4_thread_stencil, ring, Stencil, 4)
KERNEL(toolkit_s2_block_stencil, ring_of_block, Stencil, 2)
KERNEL(toolkit_s1_barrier_stencil, single, Stencil)
