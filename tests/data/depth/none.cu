/* none.cu: kernels that bring no tile to shared memory. Some use shared memory for other things. */
#include "body.cuh"

/* A sum of a long row, one load a round. */
extern "C" __global__ void none_sum(const float *in, float *out, int n)
{
	float sum = 0;

#pragma unroll 1
	for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
		sum += in[i];
	out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

/* As none_sum, eight loads a round. */
extern "C" __global__ void none_sum_unrolled(const float *__restrict__ in, float *__restrict__ out, int n)
{
	float sum = 0;

#pragma unroll 8
	for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
		sum += in[i];
	out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

/* As none_sum, and the next round's value is under way. */
extern "C" __global__ void none_sum_prefetch(const float4 *in, float *out, int rounds)
{
	const float4 *at = in + (size_t)blockIdx.x * THREADS * rounds + threadIdx.x;
	float4 next = at[0];
	float sum = 0;

#pragma unroll 1
	for (int t = 0; t < rounds; t++) {
		const float4 now = next;

		if (t + 1 < rounds)
			next = at[(t + 1) * THREADS];
		sum += sqrtf(now.x) + sqrtf(now.y) + sqrtf(now.z) + sqrtf(now.w);
	}
	out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

/* A copy. */
extern "C" __global__ void none_copy(const float4 *__restrict__ in, float4 *__restrict__ out, int n)
{
	for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
		out[i] = in[i];
}

/* No loop. */
extern "C" __global__ void none_noloop_axpy(float a, const float *x, float *y, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		y[i] = fmaf(a, x[i], y[i]);
}

/* Shared memory after the loop only. */
extern "C" __global__ void none_block_sum(const float *in, float *out, int n)
{
	__shared__ float sums[THREADS];
	float sum = 0;

#pragma unroll 1
	for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
		sum += in[i];
	sums[threadIdx.x] = sum;
	__syncthreads();
	for (int d = THREADS / 2; d; d /= 2) {
		if (threadIdx.x < d)
			sums[threadIdx.x] += sums[threadIdx.x + d];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = sums[0];
}

/* A table comes to shared memory once, before the loop. */
extern "C" __global__ void none_table(const float *table, const unsigned char *in, float *out, int n)
{
	__shared__ float entries[256];
	float sum = 0;

	for (int i = threadIdx.x; i < 256; i += THREADS)
		entries[i] = table[i];
	__syncthreads();
#pragma unroll 1
	for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
		sum += entries[in[i]];
	out[blockIdx.x * THREADS + threadIdx.x] = sum;
}

/* Counts in shared memory. */
extern "C" __global__ void none_histogram(const unsigned char *in, unsigned *out, int n)
{
	__shared__ unsigned counts[256];

	for (int i = threadIdx.x; i < 256; i += THREADS)
		counts[i] = 0;
	__syncthreads();
#pragma unroll 1
	for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += gridDim.x * THREADS)
		atomicAdd(&counts[in[i]], 1u);
	__syncthreads();
	for (int i = threadIdx.x; i < 256; i += THREADS)
		atomicAdd(&out[i], counts[i]);
}

/* A loop that computes and loads nothing. */
extern "C" __global__ void none_compute(float *out, int rounds)
{
	float x = threadIdx.x;

#pragma unroll 1
	for (int t = 0; t < rounds; t++)
		x = fmaf(x, 0.999f, __sinf(x));
	out[blockIdx.x * THREADS + threadIdx.x] = x;
}

/* Rows of a layer norm: two passes over a row, sums through shared memory in each round over rows. */
extern "C" __global__ void none_norm(const float *in, float *out, int rows, int cols)
{
	__shared__ float sums[2][THREADS / 32];

#pragma unroll 1
	for (int row = blockIdx.x; row < rows; row += gridDim.x) {
		float sum = 0, squares = 0;

		for (int c = threadIdx.x; c < cols; c += THREADS) {
			const float x = in[(size_t)row * cols + c];

			sum += x;
			squares += x * x;
		}
		for (int d = 16; d; d /= 2) {
			sum += __shfl_xor_sync(~0u, sum, d);
			squares += __shfl_xor_sync(~0u, squares, d);
		}
		if (threadIdx.x % 32 == 0) {
			sums[0][threadIdx.x / 32] = sum;
			sums[1][threadIdx.x / 32] = squares;
		}
		__syncthreads();
		sum = sums[0][0] + sums[0][1] + sums[0][2] + sums[0][3];
		squares = sums[1][0] + sums[1][1] + sums[1][2] + sums[1][3];
		__syncthreads();
		for (int c = threadIdx.x; c < cols; c += THREADS)
			out[(size_t)row * cols + c] =
				(in[(size_t)row * cols + c] - sum / cols) * rsqrtf(squares / cols + 1e-5f);
	}
}
