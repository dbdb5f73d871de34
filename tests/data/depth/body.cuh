/* body.cuh: what kernels of known depth do with a tile in shared memory. The table of truth is truth.txt. */
#ifndef DBPROF_DEPTH_BODY_CUH
#define DBPROF_DEPTH_BODY_CUH

#include <cuda_fp16.h>
#include <stdint.h>

constexpr int THREADS = 128;        /* of a block that computes */
constexpr int PER = 4;              /* floats of a tile that one thread copies: 16 bytes */
constexpr int TILE = THREADS * PER; /* floats of a tile */

/* A small product of floats: the tile is a matrix of 16 columns, and each thread makes a column's sums. */
struct Product {
	float sum[4] = {};

	__device__ __forceinline__ void add(const float *tile)
	{
#pragma unroll
		for (int k = 0; k < 16; k++) {
			const float b = tile[k * 16 + threadIdx.x % 16];
#pragma unroll
			for (int i = 0; i < 4; i++)
				sum[i] = fmaf(tile[256 + i * 16 + k], b, sum[i]);
		}
	}
	__device__ __forceinline__ float result() const
	{
		return sum[0] + sum[1] * 2 + sum[2] * 3 + sum[3] * 4;
	}
};

/* A stencil of three points. */
struct Stencil {
	float sum = 0;

	__device__ __forceinline__ void add(const float *tile)
	{
		const int i = threadIdx.x % (TILE - 2) + 1;

		sum += 0.25f * tile[i - 1] + 0.5f * tile[i] + 0.25f * tile[i + 1];
	}
	__device__ __forceinline__ float result() const
	{
		return sum;
	}
};

/* The greatest and the sum of what other threads copied. */
struct Reduction {
	float sum = 0, most = -1e30f;

	__device__ __forceinline__ void add(const float *tile)
	{
#pragma unroll
		for (int k = 0; k < PER; k++) {
			const float x = tile[(threadIdx.x * 5 + k * THREADS) % TILE];

			sum += x;
			most = fmaxf(most, x);
		}
	}
	__device__ __forceinline__ float result() const
	{
		return sum + most;
	}
};

/* As Reduction, and warps tell each other their sums through shared memory in each round: two more barriers, and
 * stores to shared memory of what does not come from global memory. */
struct Shared {
	float sum = 0;

	__device__ __forceinline__ void add(const float *tile)
	{
		__shared__ float warps[THREADS / 32];
		float x = tile[(threadIdx.x * 5) % TILE];

		for (int d = 16; d; d /= 2)
			x += __shfl_xor_sync(~0u, x, d);
		if (threadIdx.x % 32 == 0)
			warps[threadIdx.x / 32] = x;
		__syncthreads();
		sum = sum * 0.5f + warps[0] + warps[1] + warps[2] + warps[3];
		__syncthreads();
	}
	__device__ __forceinline__ float result() const
	{
		return sum;
	}
};

/* Products of matrices of halves, 16 x 8 x 16, by the tensor cores. */
struct Tensor {
	float sum[4] = {};

	__device__ __forceinline__ void add(const float *tile)
	{
		const int lane = threadIdx.x % 32;
		const unsigned a_at = (unsigned)__cvta_generic_to_shared(tile + lane * 4);
		const unsigned b_at =
			(unsigned)__cvta_generic_to_shared(tile + 128 + threadIdx.x / 32 * 64 + lane % 16 * 4);
		unsigned a[4], b[2];

		asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
			     : "=r"(a[0]), "=r"(a[1]), "=r"(a[2]), "=r"(a[3])
			     : "r"(a_at)
			     : "memory");
		asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0, %1}, [%2];"
			     : "=r"(b[0]), "=r"(b[1])
			     : "r"(b_at)
			     : "memory");
		asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
			     "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
			     : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
			     : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
	}
	__device__ __forceinline__ float result() const
	{
		return sum[0] + sum[1] + sum[2] + sum[3];
	}
};

/* Where tile T of this block begins. */
__device__ __forceinline__ const float *tile_at(const float *in, int tiles, int t)
{
	return in + ((size_t)blockIdx.x * tiles + t) * TILE;
}

/* Writes what BODY found. */
template <class Body> __device__ __forceinline__ void write(float *out, const Body &body)
{
	out[blockIdx.x * THREADS + threadIdx.x % THREADS] = body.result();
}

#endif
