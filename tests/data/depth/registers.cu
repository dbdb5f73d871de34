/* registers.cu: kernels that bring tiles to shared memory by plain loads and stores. */
#include "body.cuh"

/* One buffer: load, store, barrier, compute, barrier. */
template <class Body> __device__ __forceinline__ void single(const float *in, float *out, int tiles)
{
	__shared__ alignas(16) float tile[TILE];
	Body body;

#pragma unroll 1
	for (int t = 0; t < tiles; t++) {
		reinterpret_cast<float4 *>(tile)[threadIdx.x] =
			reinterpret_cast<const float4 *>(tile_at(in, tiles, t))[threadIdx.x];
		__syncthreads();
		body.add(tile);
		__syncthreads();
	}
	write(out, body);
}

/* One buffer, four loads of four bytes; the compiler may unroll the loop as it likes. */
template <class Body>
__device__ __forceinline__ void single_scalar(const float *__restrict__ in, float *__restrict__ out, int tiles)
{
	__shared__ float tile[TILE];
	Body body;

	for (int t = 0; t < tiles; t++) {
#pragma unroll
		for (int k = 0; k < PER; k++)
			tile[k * THREADS + threadIdx.x] = tile_at(in, tiles, t)[k * THREADS + threadIdx.x];
		__syncthreads();
		body.add(tile);
		__syncthreads();
	}
	write(out, body);
}

/* One buffer, and the next tile is under way to registers while a tile is computed. */
template <class Body> __device__ __forceinline__ void prefetch(const float *in, float *out, int tiles)
{
	__shared__ alignas(16) float tile[TILE];
	float4 next = reinterpret_cast<const float4 *>(tile_at(in, tiles, 0))[threadIdx.x];
	Body body;

#pragma unroll 1
	for (int t = 0; t < tiles; t++) {
		reinterpret_cast<float4 *>(tile)[threadIdx.x] = next;
		__syncthreads();
		if (t + 1 < tiles)
			next = reinterpret_cast<const float4 *>(tile_at(in, tiles, t + 1))[threadIdx.x];
		body.add(tile);
		__syncthreads();
	}
	write(out, body);
}

/* One buffer, and the next two tiles are under way to registers while a tile is computed. */
template <class Body> __device__ __forceinline__ void prefetch_two(const float *in, float *out, int tiles)
{
	__shared__ alignas(16) float tile[TILE];
	float4 next[2];
	Body body;

	for (int t = 0; t < 2; t++)
		next[t] = reinterpret_cast<const float4 *>(tile_at(in, tiles, t))[threadIdx.x];
#pragma unroll 1
	for (int t = 0; t < tiles; t += 2) {
#pragma unroll
		for (int u = 0; u < 2; u++) {
			reinterpret_cast<float4 *>(tile)[threadIdx.x] = next[u];
			__syncthreads();
			if (t + u + 2 < tiles)
				next[u] = reinterpret_cast<const float4 *>(tile_at(in, tiles, t + u + 2))[threadIdx.x];
			body.add(tile);
			__syncthreads();
		}
	}
	write(out, body);
}

/* Two buffers: the next tile is loaded before a tile is computed, and stored to the other buffer after it. */
template <class Body> __device__ __forceinline__ void two(const float *in, float *out, int tiles)
{
	__shared__ alignas(16) float ring[2][TILE];
	Body body;

	reinterpret_cast<float4 *>(ring[0])[threadIdx.x] =
		reinterpret_cast<const float4 *>(tile_at(in, tiles, 0))[threadIdx.x];
	__syncthreads();
#pragma unroll 1
	for (int t = 0; t < tiles; t++) {
		const bool more = t + 1 < tiles;
		float4 next;

		if (more)
			next = reinterpret_cast<const float4 *>(tile_at(in, tiles, t + 1))[threadIdx.x];
		body.add(ring[t % 2]);
		if (more)
			reinterpret_cast<float4 *>(ring[(t + 1) % 2])[threadIdx.x] = next;
		__syncthreads();
	}
	write(out, body);
}

/* Two buffers that only save a barrier: load, store, barrier, compute. */
template <class Body> __device__ __forceinline__ void two_late(const float *in, float *out, int tiles)
{
	__shared__ alignas(16) float ring[2][TILE];
	Body body;

#pragma unroll 1
	for (int t = 0; t < tiles; t++) {
		reinterpret_cast<float4 *>(ring[t % 2])[threadIdx.x] =
			reinterpret_cast<const float4 *>(tile_at(in, tiles, t))[threadIdx.x];
		__syncthreads();
		body.add(ring[t % 2]);
	}
	write(out, body);
}

/* A product of two matrices, 32 x 32 a block, with a buffer for each: the textbook's. */
extern "C" __global__ void reg_s1_matmul(const float *a, const float *b, float *c, int n)
{
	__shared__ float as[32][32], bs[32][33];
	const int col = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 32 + threadIdx.y;
	float sum = 0;

	for (int k = 0; k < n; k += 32) {
		as[threadIdx.y][threadIdx.x] = a[row * n + k + threadIdx.x];
		bs[threadIdx.y][threadIdx.x] = b[(k + threadIdx.y) * n + col];
		__syncthreads();
#pragma unroll
		for (int i = 0; i < 32; i++)
			sum = fmaf(as[threadIdx.y][i], bs[i][threadIdx.x], sum);
		__syncthreads();
	}
	c[row * n + col] = sum;
}

#define KERNEL(name, how, body)                                                                                        \
	extern "C" __global__ void name(const float *in, float *out, int tiles)                                        \
	{                                                                                                              \
		how<body>(in, out, tiles);                                                                             \
	}

KERNEL(reg_s1_product, single, Product)
KERNEL(reg_s1_stencil, single, Stencil)
KERNEL(reg_s1_reduction, single, Reduction)
KERNEL(reg_s1_tensor, single, Tensor)
KERNEL(reg_s1_shared, single, Shared)
KERNEL(reg_s1_scalar_product, single_scalar, Product)
KERNEL(reg_s1_scalar_stencil, single_scalar, Stencil)
KERNEL(reg_prefetch_product, prefetch, Product)
KERNEL(reg_prefetch_reduction, prefetch, Reduction)
KERNEL(reg_prefetch_tensor, prefetch, Tensor)
KERNEL(reg_prefetch2_product, prefetch_two, Product)
KERNEL(reg_b2_product, two, Product)
KERNEL(reg_b2_stencil, two, Stencil)
KERNEL(reg_b2_tensor, two, Tensor)
KERNEL(reg_b2_late_product, two_late, Product)

/* One tile and no loop. */
extern "C" __global__ void reg_noloop_stencil(const float *in, float *out)
{
	__shared__ float tile[TILE];
	Stencil body;

	for (int k = 0; k < PER; k++)
		tile[k * THREADS + threadIdx.x] = tile_at(in, 1, 0)[k * THREADS + threadIdx.x];
	__syncthreads();
	body.add(tile);
	write(out, body);
}

/* Six tiles, known to the compiler, which leaves no loop. */
extern "C" __global__ void reg_s1_unrolled_reduction(const float *in, float *out)
{
	__shared__ alignas(16) float tile[TILE];
	Reduction body;

#pragma unroll
	for (int t = 0; t < 6; t++) {
		reinterpret_cast<float4 *>(tile)[threadIdx.x] =
			reinterpret_cast<const float4 *>(tile_at(in, 6, t))[threadIdx.x];
		__syncthreads();
		body.add(tile);
		__syncthreads();
	}
	write(out, body);
}
