/* bulk.cu: kernels that bring tiles to shared memory by bulk copies (compute capability 9.0), of memory that lies
 * together or of boxes of a matrix. */
#include "body.cuh"
#include "mbarrier.cuh"

constexpr unsigned BYTES = TILE * sizeof(float);

/* Tiles that lie together. */
struct Bulk {
	const float *in;
	int tiles;

	__device__ __forceinline__ void copy(float *to, int t, uint64_t *full) const
	{
		barrier_expect(full, BYTES);
		bulk_copy(to, tile_at(in, tiles, t), BYTES, full);
	}
};

/* A tile as four pieces, one copy for each. */
struct Pieces {
	const float *in;
	int tiles;

	__device__ __forceinline__ void copy(float *to, int t, uint64_t *full) const
	{
		barrier_expect(full, BYTES);
#pragma unroll
		for (int k = 0; k < 4; k++)
			bulk_copy(to + k * (TILE / 4), tile_at(in, tiles, t) + k * (TILE / 4), BYTES / 4, full);
	}
};

/* Tiles that are boxes of a matrix, one below the other. */
struct Box {
	const CUtensorMap *map;
	int tiles;

	__device__ __forceinline__ void copy(float *to, int t, uint64_t *full) const
	{
		barrier_expect(full, BYTES);
		box_copy(to, map, blockIdx.x * 32, t * (TILE / 32), full);
	}
};

/* One buffer: copy, wait, compute, barrier. */
template <class Body, class Tiles> __device__ __forceinline__ void single(Tiles tiles, float *out)
{
	__shared__ alignas(128) float tile[TILE];
	__shared__ uint64_t full;
	Body body;

	if (threadIdx.x == 0) {
		barrier_init(&full, 1);
		barrier_fence();
	}
	__syncthreads();
#pragma unroll 1
	for (int t = 0; t < tiles.tiles; t++) {
		if (threadIdx.x == 0)
			tiles.copy(tile, t, &full);
		barrier_wait(&full, t & 1);
		body.add(tile);
		__syncthreads();
	}
	write(out, body);
}

/* STAGES buffers, one barrier: wait for the oldest, compute, barrier, refill the buffer just read. */
template <class Body, int STAGES, class Tiles> __device__ __forceinline__ void refill(Tiles tiles, float *out)
{
	__shared__ alignas(128) float ring[STAGES][TILE];
	__shared__ uint64_t full[STAGES];
	Body body;

	if (threadIdx.x == 0) {
		for (int s = 0; s < STAGES; s++)
			barrier_init(&full[s], 1);
		barrier_fence();
		for (int s = 0; s < STAGES; s++)
			tiles.copy(ring[s], s, &full[s]);
	}
	__syncthreads();
#pragma unroll 1
	for (int t = 0; t < tiles.tiles; t++) {
		const int s = t % STAGES;

		barrier_wait(&full[s], t / STAGES & 1);
		body.add(ring[s]);
		__syncthreads();
		if (threadIdx.x == 0 && t + STAGES < tiles.tiles)
			tiles.copy(ring[s], t + STAGES, &full[s]);
	}
	write(out, body);
}

/* STAGES buffers, one barrier: wait for the oldest, barrier, start the copy that takes the buffer that all have read,
 * compute. A phase bit and a counter instead of divisions. */
template <class Body, int STAGES, class Tiles> __device__ __forceinline__ void late(Tiles tiles, float *out)
{
	__shared__ alignas(128) float ring[STAGES][TILE];
	__shared__ uint64_t full[STAGES];
	int s = 0, to = STAGES - 1, phase = 0;
	Body body;

	if (threadIdx.x == 0) {
		for (int i = 0; i < STAGES; i++)
			barrier_init(&full[i], 1);
		barrier_fence();
		for (int i = 0; i < STAGES - 1; i++)
			tiles.copy(ring[i], i, &full[i]);
	}
	__syncthreads();
#pragma unroll 1
	for (int t = 0; t < tiles.tiles; t++) {
		barrier_wait(&full[s], phase);
		__syncthreads();
		if (threadIdx.x == 0 && t + STAGES - 1 < tiles.tiles)
			tiles.copy(ring[to], t + STAGES - 1, &full[to]);
		to = to + 1 == STAGES ? 0 : to + 1;
		body.add(ring[s]);
		if (++s == STAGES) {
			s = 0;
			phase ^= 1;
		}
	}
	write(out, body);
}

/* A warp of its own copies, the others compute: no barrier of the block in the loop. */
template <class Body, int STAGES, class Tiles> __device__ __forceinline__ void specialised(Tiles tiles, float *out)
{
	__shared__ alignas(128) float ring[STAGES][TILE];
	__shared__ uint64_t full[STAGES], empty[STAGES];

	if (threadIdx.x == 0) {
		for (int s = 0; s < STAGES; s++) {
			barrier_init(&full[s], 1);
			barrier_init(&empty[s], THREADS);
		}
		barrier_fence();
	}
	__syncthreads();
	if (threadIdx.x >= THREADS) {
		if (threadIdx.x != THREADS)
			return;
#pragma unroll 1
		for (int t = 0; t < tiles.tiles; t++) {
			barrier_wait(&empty[t % STAGES], (t / STAGES & 1) ^ 1);
			tiles.copy(ring[t % STAGES], t, &full[t % STAGES]);
		}
	} else {
		Body body;

#pragma unroll 1
		for (int t = 0; t < tiles.tiles; t++) {
			barrier_wait(&full[t % STAGES], t / STAGES & 1);
			body.add(ring[t % STAGES]);
			barrier_arrive(&empty[t % STAGES]);
		}
		write(out, body);
	}
}

#define BULK(name, how, tiles_of, ...)                                                                                 \
	extern "C" __global__ void name(const float *in, float *out, int tiles)                                        \
	{                                                                                                              \
		how<__VA_ARGS__>(tiles_of{in, tiles}, out);                                                            \
	}

#define BOX(name, how, ...)                                                                                            \
	extern "C" __global__ void name(const __grid_constant__ CUtensorMap map, float *out, int tiles)                \
	{                                                                                                              \
		how<__VA_ARGS__>(Box{&map, tiles}, out);                                                               \
	}

BULK(ublkcp_s1_product, single, Bulk, Product)
BULK(ublkcp_s1_reduction, single, Pieces, Reduction)
BULK(ublkcp_s2_refill_product, refill, Bulk, Product, 2)
BULK(ublkcp_s3_refill_stencil, refill, Bulk, Stencil, 3)
BULK(ublkcp_s4_refill_tensor, refill, Bulk, Tensor, 4)
BULK(ublkcp_s3_pieces_product, refill, Pieces, Product, 3)
BULK(ublkcp_s2_late_stencil, late, Bulk, Stencil, 2)
BULK(ublkcp_s3_late_product, late, Bulk, Product, 3)
BULK(ublkcp_s4_late_reduction, late, Bulk, Reduction, 4)
BULK(ublkcp_s2_warps_product, specialised, Bulk, Product, 2)
BULK(ublkcp_s4_warps_tensor, specialised, Bulk, Tensor, 4)
BULK(ublkcp_s3_warps_stencil, specialised, Bulk, Stencil, 3)

BOX(utmaldg_s1_product, single, Product)
BOX(utmaldg_s2_refill_product, refill, Product, 2)
BOX(utmaldg_s4_refill_stencil, refill, Stencil, 4)
BOX(utmaldg_s2_late_reduction, late, Reduction, 2)
BOX(utmaldg_s4_late_tensor, late, Tensor, 4)
BOX(utmaldg_s2_warps_tensor, specialised, Tensor, 2)
BOX(utmaldg_s4_warps_product, specialised, Product, 4)

/* Two matrices, each with a ring of three buffers, and one mbarrier for both. */
extern "C" __global__ void utmaldg_s3_pair_tensor(
	const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b, float *out, int tiles)
{
	__shared__ alignas(128) float as[3][TILE], bs[3][TILE];
	__shared__ uint64_t full[3];
	Tensor first, second;

	if (threadIdx.x == 0) {
		for (int s = 0; s < 3; s++)
			barrier_init(&full[s], 1);
		barrier_fence();
	}
	__syncthreads();
#pragma unroll 1
	for (int t = -2; t < tiles; t++) {
		const int next = t + 2;

		if (threadIdx.x == 0 && next < tiles) {
			barrier_expect(&full[next % 3], BYTES * 2);
			box_copy(as[next % 3], &a, next * 32, blockIdx.y * 16, &full[next % 3]);
			box_copy(bs[next % 3], &b, blockIdx.x * 32, next * 16, &full[next % 3]);
		}
		if (t >= 0) {
			barrier_wait(&full[t % 3], t / 3 & 1);
			first.add(as[t % 3]);
			second.add(bs[t % 3]);
			__syncthreads();
		}
	}
	first.sum[0] *= second.result();
	write(out, first);
}

/* The launch gives the shared memory of two buffers after the mbarriers. */
extern "C" __global__ void ublkcp_s2_dynamic_product(const float *in, float *out, int tiles)
{
	extern __shared__ __align__(128) unsigned char memory[];
	uint64_t *full = reinterpret_cast<uint64_t *>(memory);
	float *ring = reinterpret_cast<float *>(memory + 128);
	const Bulk bulk = {in, tiles};
	Product body;

	if (threadIdx.x == 0) {
		barrier_init(&full[0], 1);
		barrier_init(&full[1], 1);
		barrier_fence();
		bulk.copy(ring, 0, &full[0]);
		bulk.copy(ring + TILE, 1, &full[1]);
	}
	__syncthreads();
#pragma unroll 1
	for (int t = 0; t < tiles; t++) {
		barrier_wait(&full[t & 1], t >> 1 & 1);
		body.add(ring + (t & 1) * TILE);
		__syncthreads();
		if (threadIdx.x == 0 && t + 2 < tiles)
			bulk.copy(ring + (t & 1) * TILE, t + 2, &full[t & 1]);
	}
	write(out, body);
}

/* The depth is known only when it runs. */
extern "C" __global__ void ublkcp_runtime_stencil(const float *in, float *out, int tiles, int depth)
{
	extern __shared__ __align__(128) unsigned char memory[];
	uint64_t *full = reinterpret_cast<uint64_t *>(memory);
	float *ring = reinterpret_cast<float *>(memory + 128);
	const Bulk bulk = {in, tiles};
	int s = 0, phase = 0;
	Stencil body;

	if (threadIdx.x == 0) {
		for (int i = 0; i < depth; i++)
			barrier_init(&full[i], 1);
		barrier_fence();
		for (int i = 0; i < depth; i++)
			bulk.copy(ring + i * TILE, i, &full[i]);
	}
	__syncthreads();
#pragma unroll 1
	for (int t = 0; t < tiles; t++) {
		barrier_wait(&full[s], phase);
		body.add(ring + s * TILE);
		__syncthreads();
		if (threadIdx.x == 0 && t + depth < tiles)
			bulk.copy(ring + s * TILE, t + depth, &full[s]);
		if (++s == depth) {
			s = 0;
			phase ^= 1;
		}
	}
	write(out, body);
}

/* One tile and no loop over tiles: the only loop waits. */
extern "C" __global__ void ublkcp_noloop_product(const float *in, float *out)
{
	__shared__ alignas(128) float tile[TILE];
	__shared__ uint64_t full;
	const Bulk bulk = {in, 1};
	Product body;

	if (threadIdx.x == 0) {
		barrier_init(&full, 1);
		barrier_fence();
		bulk.copy(tile, 0, &full);
	}
	__syncthreads();
	barrier_wait(&full, 0);
	body.add(tile);
	write(out, body);
}
