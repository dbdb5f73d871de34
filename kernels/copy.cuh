/* copy.cuh: what the kernels of the family copy share: what is done with an element, which tiles are a block's, and the
 * ring that they go through. */
#ifndef DBPROF_KERNELS_COPY_CUH
#define DBPROF_KERNELS_COPY_CUH

#include "copy/state.h"

/* Vectors that a thread loads before it stores the first of them. */
enum { COPY_UNROLL = 4 };

static __device__ __forceinline__ float copy_element(const struct copy_job &job, float x)
{
#pragma unroll 4
	for (int i = 0; i < job.fmas; i++)
		x = fmaf(x, job.factor, job.term);
	return x;
}

static __device__ __forceinline__ float4 copy_vector(const struct copy_job &job, float4 x)
{
#pragma unroll 4
	for (int i = 0; i < job.fmas; i++) {
		x.x = fmaf(x.x, job.factor, job.term);
		x.y = fmaf(x.y, job.factor, job.term);
		x.z = fmaf(x.z, job.factor, job.term);
		x.w = fmaf(x.w, job.factor, job.term);
	}
	return x;
}

/* A block copies `count` vectors. Thread t has vectors t, t + COPY_THREADS and so on. */
static __device__ __forceinline__ void copy_vectors(
	const struct copy_job &job, const float4 *from, float4 *to, int count)
{
#pragma unroll 1
	for (int first = threadIdx.x; first < count; first += COPY_UNROLL * COPY_THREADS) {
		float4 value[COPY_UNROLL];

#pragma unroll
		for (int i = 0; i < COPY_UNROLL; i++)
			if (first + i * COPY_THREADS < count)
				value[i] = from[first + i * COPY_THREADS];
#pragma unroll
		for (int i = 0; i < COPY_UNROLL; i++)
			if (first + i * COPY_THREADS < count)
				to[first + i * COPY_THREADS] = copy_vector(job, value[i]);
	}
}

/* What is behind the last whole vector, by the first block. */
static __device__ __forceinline__ void copy_rest(const struct copy_job &job)
{
	const int64_t i = job.n / COPY_VECTOR * COPY_VECTOR + threadIdx.x;

	if (blockIdx.x == 0 && i < job.n)
		job.out[i] = copy_element(job, job.in[i]);
}

/* ---- tiles: a block has its own number, and those that lie a grid's length apart from it ---- */

/* How many tiles this block copies. */
static __device__ __forceinline__ int copy_tiles(const struct copy_job &job)
{
	const int first = blockIdx.x, apart = gridDim.x;

	return first < job.tiles ? (job.tiles - 1 - first) / apart + 1 : 0;
}

/* The first vector of this block's i-th tile. */
static __device__ __forceinline__ int64_t copy_first(const struct copy_job &job, int i)
{
	return ((int64_t)blockIdx.x + (int64_t)i * gridDim.x) * job.tile;
}

/* The vectors of the tile that begins at `first`: one at least. */
static __device__ __forceinline__ int copy_count(const struct copy_job &job, int64_t first)
{
	const int64_t left = job.n / COPY_VECTOR - first;

	return left < job.tile ? (int)left : job.tile;
}

static __device__ __forceinline__ const float4 *copy_from(const struct copy_job &job, int64_t first)
{
	return (const float4 *)job.in + first;
}

static __device__ __forceinline__ float4 *copy_to(const struct copy_job &job, int64_t first)
{
	return (float4 *)job.out + first;
}

#endif
