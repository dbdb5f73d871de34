/* ldgsts.cu: kernels that bring tiles to shared memory by cp.async. */
#include <cuda_pipeline_primitives.h>

#include "body.cuh"

/* Copies this thread's part of a tile in pieces of BYTES. */
template <int BYTES> __device__ __forceinline__ void copy(float *to, const float *from)
{
	constexpr int floats = BYTES / 4;

#pragma unroll
	for (int k = 0; k < PER / floats; k++) {
		const int i = (k * THREADS + threadIdx.x) * floats;
		const unsigned at = (unsigned)__cvta_generic_to_shared(to + i);

		if (BYTES == 16)
			asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(at), "l"(from + i) : "memory");
		else
			asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(at), "l"(from + i), "n"(BYTES)
				     : "memory");
	}
}

__device__ __forceinline__ void commit()
{
	asm volatile("cp.async.commit_group;" ::: "memory");
}

/* Waits until at most PENDING groups of this thread are under way. */
template <int PENDING> __device__ __forceinline__ void wait()
{
	asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
}

/* One buffer: copy, wait for all, barrier, compute, barrier. */
template <class Body, int BYTES> __device__ __forceinline__ void single(const float *in, float *out, int tiles)
{
	__shared__ alignas(16) float tile[TILE];
	Body body;

#pragma unroll 1
	for (int t = 0; t < tiles; t++) {
		copy<BYTES>(tile, tile_at(in, tiles, t));
		asm volatile("cp.async.wait_all;" ::: "memory");
		__syncthreads();
		body.add(tile);
		__syncthreads();
	}
	write(out, body);
}

/* STAGES buffers, one barrier: wait for the oldest, barrier, start the copy that takes the buffer that all have read,
 * compute. The usual form in libraries. */
template <class Body, int BYTES, int STAGES>
__device__ __forceinline__ void ring_late(const float *in, float *out, int tiles)
{
	__shared__ alignas(16) float ring[STAGES][TILE];
	Body body;

#pragma unroll
	for (int s = 0; s < STAGES - 1; s++) {
		if (s < tiles)
			copy<BYTES>(ring[s], tile_at(in, tiles, s));
		commit();
	}
#pragma unroll 1
	for (int t = 0; t < tiles; t++) {
		const int next = t + STAGES - 1;

		wait<STAGES - 2>();
		__syncthreads();
		if (next < tiles)
			copy<BYTES>(ring[next % STAGES], tile_at(in, tiles, next));
		commit();
		body.add(ring[t % STAGES]);
	}
	write(out, body);
}

/* STAGES buffers, two barriers: start a copy, wait for the oldest, barrier, compute, barrier. By the primitives of the
 * toolkit; buffers are counted without a division. */
template <class Body, int BYTES, int STAGES>
__device__ __forceinline__ void ring_early(const float *in, float *out, int tiles)
{
	__shared__ alignas(16) float ring[STAGES][TILE];
	int to = STAGES - 1, from = 0;
	Body body;

	for (int s = 0; s < STAGES - 1; s++) {
		__pipeline_memcpy_async(&ring[s][threadIdx.x * PER], tile_at(in, tiles, s) + threadIdx.x * PER, 16);
		__pipeline_commit();
	}
#pragma unroll 1
	for (int t = 0; t < tiles; t++) {
		if (t + STAGES - 1 < tiles)
			copy<BYTES>(ring[to], tile_at(in, tiles, t + STAGES - 1));
		__pipeline_commit();
		__pipeline_wait_prior(STAGES - 1);
		__syncthreads();
		body.add(ring[from]);
		__syncthreads();
		to = to + 1 == STAGES ? 0 : to + 1;
		from = from + 1 == STAGES ? 0 : from + 1;
	}
	write(out, body);
}

/* STAGES buffers, two barriers: wait for the oldest, barrier, compute, barrier, refill the buffer just read. */
template <class Body, int BYTES, int STAGES>
__device__ __forceinline__ void ring_refill(const float *in, float *out, int tiles)
{
	__shared__ alignas(16) float ring[STAGES][TILE];
	Body body;

#pragma unroll
	for (int s = 0; s < STAGES; s++) {
		copy<BYTES>(ring[s], tile_at(in, tiles, s));
		commit();
	}
#pragma unroll 1
	for (int t = 0; t < tiles; t++) {
		wait<STAGES - 1>();
		__syncthreads();
		body.add(ring[t % STAGES]);
		__syncthreads();
		if (t + STAGES < tiles)
			copy<BYTES>(ring[t % STAGES], tile_at(in, tiles, t + STAGES));
		commit();
	}
	write(out, body);
}

/* As ring_late(), and the loop is unrolled so that each buffer has a round of its own. */
template <class Body, int BYTES, int STAGES>
__device__ __forceinline__ void ring_named(const float *in, float *out, int tiles)
{
	__shared__ alignas(16) float ring[STAGES][TILE];
	Body body;

#pragma unroll
	for (int s = 0; s < STAGES - 1; s++) {
		copy<BYTES>(ring[s], tile_at(in, tiles, s));
		commit();
	}
#pragma unroll 1
	for (int t = 0; t < tiles; t += STAGES) {
#pragma unroll
		for (int u = 0; u < STAGES; u++) {
			wait<STAGES - 2>();
			__syncthreads();
			if (t + u + STAGES - 1 < tiles)
				copy<BYTES>(ring[(u + STAGES - 1) % STAGES], tile_at(in, tiles, t + u + STAGES - 1));
			commit();
			body.add(ring[u]);
		}
	}
	write(out, body);
}

/* STAGES buffers, each with an mbarrier that cp.async reports to: no group, no wait for groups. */
template <class Body, int BYTES, int STAGES>
__device__ __forceinline__ void ring_mbarrier(const float *in, float *out, int tiles)
{
	__shared__ alignas(16) float ring[STAGES][TILE];
	__shared__ uint64_t full[STAGES];
	Body body;

	if (threadIdx.x < STAGES) {
		const unsigned at = (unsigned)__cvta_generic_to_shared(&full[threadIdx.x]);

		asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(at), "n"(THREADS) : "memory");
	}
	__syncthreads();
#pragma unroll 1
	for (int t = 1 - STAGES; t < tiles; t++) {
		const int next = t + STAGES - 1;

		if (next < tiles) {
			const unsigned at = (unsigned)__cvta_generic_to_shared(&full[next % STAGES]);

			copy<BYTES>(ring[next % STAGES], tile_at(in, tiles, next));
			asm volatile("cp.async.mbarrier.arrive.noinc.shared.b64 [%0];" ::"r"(at) : "memory");
		}
		if (t >= 0) {
			const unsigned at = (unsigned)__cvta_generic_to_shared(&full[t % STAGES]);
			unsigned done = 0;

			while (!done)
				asm volatile("{ .reg .pred p;\n"
#if __CUDA_ARCH__ >= 900
					     "mbarrier.try_wait.parity.shared.b64 p, [%1], %2;\n"
#else
					     "mbarrier.test_wait.parity.shared.b64 p, [%1], %2;\n"
#endif
					     "selp.u32 %0, 1, 0, p; }"
					     : "=r"(done)
					     : "r"(at), "r"(t / STAGES % 2)
					     : "memory");
			body.add(ring[t % STAGES]);
			__syncthreads();
		}
	}
	write(out, body);
}

#define KERNEL(name, how, ...)                                                                                         \
	extern "C" __global__ void name(const float *in, float *out, int tiles)                                        \
	{                                                                                                              \
		how<__VA_ARGS__>(in, out, tiles);                                                                      \
	}

KERNEL(ldgsts16_s1_product, single, Product, 16)
KERNEL(ldgsts16_s1_tensor, single, Tensor, 16)
KERNEL(ldgsts4_s1_stencil, single, Stencil, 4)
KERNEL(ldgsts16_s2_late_product, ring_late, Product, 16, 2)
KERNEL(ldgsts16_s3_late_product, ring_late, Product, 16, 3)
KERNEL(ldgsts16_s4_late_tensor, ring_late, Tensor, 16, 4)
KERNEL(ldgsts16_s6_late_product, ring_late, Product, 16, 6)
KERNEL(ldgsts4_s2_late_stencil, ring_late, Stencil, 4, 2)
KERNEL(ldgsts4_s3_late_reduction, ring_late, Reduction, 4, 3)
KERNEL(ldgsts4_s4_late_product, ring_late, Product, 4, 4)
KERNEL(ldgsts4_s6_late_stencil, ring_late, Stencil, 4, 6)
KERNEL(ldgsts8_s3_late_stencil, ring_late, Stencil, 8, 3)
KERNEL(ldgsts16_s2_early_product, ring_early, Product, 16, 2)
KERNEL(ldgsts16_s3_early_reduction, ring_early, Reduction, 16, 3)
KERNEL(ldgsts16_s4_early_stencil, ring_early, Stencil, 16, 4)
KERNEL(ldgsts4_s2_early_product, ring_early, Product, 4, 2)
KERNEL(ldgsts16_s3_early_shared, ring_early, Shared, 16, 3)
KERNEL(ldgsts16_s2_refill_product, ring_refill, Product, 16, 2)
KERNEL(ldgsts16_s3_refill_tensor, ring_refill, Tensor, 16, 3)
KERNEL(ldgsts16_s4_named_product, ring_named, Product, 16, 4)
KERNEL(ldgsts16_s3_named_reduction, ring_named, Reduction, 16, 3)
KERNEL(ldgsts16_s2_mbarrier_product, ring_mbarrier, Product, 16, 2)
KERNEL(ldgsts16_s4_mbarrier_stencil, ring_mbarrier, Stencil, 16, 4)

/* The launch gives the shared memory of three buffers. */
extern "C" __global__ void ldgsts16_s3_dynamic_product(const float *in, float *out, int tiles)
{
	extern __shared__ float4 memory[];
	float *ring = reinterpret_cast<float *>(memory);
	Product body;

	for (int s = 0; s < 2; s++) {
		copy<16>(ring + s * TILE, tile_at(in, tiles, s));
		commit();
	}
#pragma unroll 1
	for (int t = 0; t < tiles; t++) {
		wait<1>();
		__syncthreads();
		if (t + 2 < tiles)
			copy<16>(ring + (t + 2) % 3 * TILE, tile_at(in, tiles, t + 2));
		commit();
		body.add(ring + t % 3 * TILE);
	}
	write(out, body);
}

/* A thread that may have DEPTH - 1 groups under way waits by a switch: the depth is known only when it runs. */
extern "C" __global__ void ldgsts16_runtime_product(const float *in, float *out, int tiles, int depth)
{
	extern __shared__ float4 memory[];
	float *ring = reinterpret_cast<float *>(memory);
	Product body;

	for (int s = 0; s < depth - 1; s++) {
		copy<16>(ring + s * TILE, tile_at(in, tiles, s));
		commit();
	}
#pragma unroll 1
	for (int t = 0; t < tiles; t++) {
		switch (depth) {
		case 2:
			wait<0>();
			break;
		case 3:
			wait<1>();
			break;
		case 4:
			wait<2>();
			break;
		default:
			wait<3>();
			break;
		}
		__syncthreads();
		if (t + depth - 1 < tiles)
			copy<16>(ring + (t + depth - 1) % depth * TILE, tile_at(in, tiles, t + depth - 1));
		commit();
		body.add(ring + t % depth * TILE);
	}
	write(out, body);
}

/* Two matrices, each with a ring of three buffers. */
extern "C" __global__ void ldgsts16_s3_pair_product(const float *a, const float *b, float *out, int tiles)
{
	__shared__ alignas(16) float as[3][TILE], bs[3][TILE];
	Product first, second;

	for (int s = 0; s < 2; s++) {
		copy<16>(as[s], tile_at(a, tiles, s));
		copy<16>(bs[s], tile_at(b, tiles, s));
		commit();
	}
#pragma unroll 1
	for (int t = 0; t < tiles; t++) {
		wait<1>();
		__syncthreads();
		if (t + 2 < tiles) {
			copy<16>(as[(t + 2) % 3], tile_at(a, tiles, t + 2));
			copy<16>(bs[(t + 2) % 3], tile_at(b, tiles, t + 2));
		}
		commit();
		first.add(as[t % 3]);
		second.add(bs[t % 3]);
	}
	first.sum[0] *= second.result();
	write(out, first);
}

/* Two matrices, and each copy is a group of its own: two groups a round, two buffers. */
extern "C" __global__ void ldgsts16_s2_groups_product(const float *a, const float *b, float *out, int tiles)
{
	__shared__ alignas(16) float as[2][TILE], bs[2][TILE];
	Product first, second;

	copy<16>(as[0], tile_at(a, tiles, 0));
	commit();
	copy<16>(bs[0], tile_at(b, tiles, 0));
	commit();
#pragma unroll 1
	for (int t = 0; t < tiles; t++) {
		if (t + 1 < tiles)
			copy<16>(as[(t + 1) % 2], tile_at(a, tiles, t + 1));
		commit();
		if (t + 1 < tiles)
			copy<16>(bs[(t + 1) % 2], tile_at(b, tiles, t + 1));
		commit();
		wait<2>();
		__syncthreads();
		first.add(as[t % 2]);
		second.add(bs[t % 2]);
		__syncthreads();
	}
	first.sum[0] *= second.result();
	write(out, first);
}

/* One tile and no loop. */
extern "C" __global__ void ldgsts16_noloop_product(const float *in, float *out)
{
	__shared__ alignas(16) float tile[TILE];
	Product body;

	copy<16>(tile, tile_at(in, 1, 0));
	commit();
	wait<0>();
	__syncthreads();
	body.add(tile);
	write(out, body);
}

/* Eight tiles, known to the compiler, which leaves no loop. */
extern "C" __global__ void ldgsts16_s3_unrolled_stencil(const float *in, float *out)
{
	__shared__ alignas(16) float ring[3][TILE];
	Stencil body;

#pragma unroll
	for (int s = 0; s < 2; s++) {
		copy<16>(ring[s], tile_at(in, 8, s));
		commit();
	}
#pragma unroll
	for (int t = 0; t < 8; t++) {
		wait<1>();
		__syncthreads();
		if (t + 2 < 8)
			copy<16>(ring[(t + 2) % 3], tile_at(in, 8, t + 2));
		commit();
		body.add(ring[t % 3]);
	}
	write(out, body);
}

/* Blocks that stay, and take row after row of tiles: the loop over tiles is within another. */
extern "C" __global__ void ldgsts16_s3_nested_product(const float *in, float *out, int rows, int tiles)
{
	__shared__ alignas(16) float ring[3][TILE];

#pragma unroll 1
	for (int row = blockIdx.x; row < rows; row += gridDim.x) {
		const float *from = in + (size_t)row * tiles * TILE;
		Product body;

		for (int s = 0; s < 2; s++) {
			copy<16>(ring[s], from + s * TILE);
			commit();
		}
#pragma unroll 1
		for (int t = 0; t < tiles; t++) {
			wait<1>();
			__syncthreads();
			if (t + 2 < tiles)
				copy<16>(ring[(t + 2) % 3], from + (t + 2) * TILE);
			commit();
			body.add(ring[t % 3]);
		}
		wait<0>();
		__syncthreads();
		out[row * THREADS + threadIdx.x] = body.result();
	}
}

/* Each warp has a ring of its own: no barrier of the block. */
extern "C" __global__ void ldgsts16_s4_warp_reduction(const float *in, float *out, int tiles)
{
	__shared__ alignas(16) float ring[4][TILE];
	const int lane = threadIdx.x % 32, first = threadIdx.x / 32 * 32 * PER;
	float sum = 0;

#pragma unroll
	for (int s = 0; s < 3; s++) {
		copy<16>(ring[s], tile_at(in, tiles, s));
		commit();
	}
#pragma unroll 1
	for (int t = 0; t < tiles; t++) {
		wait<2>();
		__syncwarp();
		if (t + 3 < tiles)
			copy<16>(ring[(t + 3) % 4], tile_at(in, tiles, t + 3));
		commit();
		for (int k = 0; k < PER; k++)
			sum += ring[t % 4][first + (lane * 5 + k * 32) % (32 * PER)];
	}
	out[blockIdx.x * THREADS + threadIdx.x] = sum;
}
