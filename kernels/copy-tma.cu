// arch: 90a
/* copy-tma.cu: the rungs of the family copy whose tiles TMA copies: bytes that lie one behind the other
 * (cp.async.bulk), by one thread. */
#include "copy.cuh"
#include "cp-async.cuh"
#include "families.h"

// begin bulk-1, bulk-2, bulk-3, bulk-4, bulk-n, store-1, store-2, store-3, store-4, store-n, persistent
// begin pieces-2, pieces-4
/* Copies from global to shared memory, and has the barrier open when all is there. */
static __device__ __forceinline__ void bulk_load(void *shared, const void *from, int bytes, uint64_t *full)
{
	full_expect(full, bytes);
	copy_bulk(shared, from, bytes, full);
}
// end pieces-2, pieces-4

/* By one thread: starts to load this block's i-th tile into a stage, if there is such a tile. */
static __device__ __forceinline__ void bulk_load_tile(
	const struct copy_job &job, float4 *ring, uint64_t *full, int i, int stage)
{
	if (i >= copy_tiles(job))
		return;
	const int64_t first = copy_first(job, i);

	bulk_load(&ring[stage * job.tile], copy_from(job, first), copy_count(job, first) * COPY_VECTOR_BYTES,
		&full[stage]);
}

/* Makes the barriers, and fills all stages. */
static __device__ __forceinline__ void bulk_begin(const struct copy_job &job, float4 *ring, uint64_t *full)
{
	full_init_all(full, job.stages);
	if (threadIdx.x == 0)
		for (int s = 0; s < job.stages; s++)
			bulk_load_tile(job, ring, full, s, s);
}
// end bulk-1, bulk-2, bulk-3, bulk-4, bulk-n, store-1, store-2, store-3, store-4, store-n, persistent

// begin bulk-1, bulk-2, bulk-3, bulk-4, bulk-n
/* TMA loads the tiles, the block's threads store them. */
__global__ void __launch_bounds__(COPY_THREADS) copy_bulk_loads(const struct copy_job job)
{
	extern __shared__ __align__(128) float4 ring[];
	__shared__ uint64_t full[COPY_STAGES_MAX];
	const int tiles = copy_tiles(job);
	struct ring_place now = {0, 0};

	bulk_begin(job, ring, full);
#pragma unroll 1
	for (int i = 0; i < tiles; i++) {
		const int64_t first = copy_first(job, i);

		full_wait(&full[now.stage], now.phase);
		copy_vectors(job, &ring[now.stage * job.tile], copy_to(job, first), copy_count(job, first));
		__syncthreads(); // the stage is used up
		if (threadIdx.x == 0) {
			tma_fence(); // these reads come before what TMA writes
			bulk_load_tile(job, ring, full, i + job.stages, now.stage);
		}
		now.next(job.stages);
	}
	copy_rest(job);
}
// end bulk-1, bulk-2, bulk-3, bulk-4, bulk-n

// begin store-1, store-2, store-3, store-4, store-n, persistent
// begin pieces-2, pieces-4
/* Copies from shared to global memory, as a group of its own; both places and `bytes` are multiples of 16. */
static __device__ __forceinline__ void bulk_store(void *to, const void *shared, int bytes)
{
	asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;\n"
		     "cp.async.bulk.commit_group;" ::"l"(to),
		     "r"(shared_address(shared)), "r"(bytes)
		     : "memory");
}
// end pieces-2, pieces-4

/* By one thread, which has just started to store this block's i-th tile from `stage`: loads the next tile into a stage
 * that has been read. With several stages it is the one of the store before, so that this store need not be waited for.
 */
static __device__ __forceinline__ void bulk_refill(
	const struct copy_job &job, float4 *ring, uint64_t *full, int i, int stage)
{
	if (job.stages == 1) {
		bulk_wait_read<0>();
		bulk_load_tile(job, ring, full, i + 1, 0);
		return;
	}
	bulk_wait_read<1>();
	if (i > 0)
		bulk_load_tile(job, ring, full, i - 1 + job.stages, stage > 0 ? stage - 1 : job.stages - 1);
}

/* TMA loads the tiles and stores them. Threads only come in between if there is something to compute. */
__global__ void __launch_bounds__(COPY_THREADS) copy_bulk_stores(const struct copy_job job)
{
	extern __shared__ __align__(128) float4 ring[];
	__shared__ uint64_t full[COPY_STAGES_MAX];
	const bool computes = job.fmas > 0;
	const int tiles = computes || threadIdx.x == 0 ? copy_tiles(job) : 0;
	struct ring_place now = {0, 0};

	bulk_begin(job, ring, full);
#pragma unroll 1
	for (int i = 0; i < tiles; i++) {
		const int64_t first = copy_first(job, i);
		const int count = copy_count(job, first);
		float4 *const tile = &ring[now.stage * job.tile];

		full_wait(&full[now.stage], now.phase);
		if (computes) {
			copy_vectors(job, tile, tile, count);
			tma_fence();
			__syncthreads(); // the tile is computed
		}
		if (threadIdx.x == 0) {
			bulk_store(copy_to(job, first), tile, count * COPY_VECTOR_BYTES);
			bulk_refill(job, ring, full, i, now.stage);
		}
		now.next(job.stages);
	}
	if (threadIdx.x == 0)
		bulk_wait_stored(); // shared memory lives as long as its block
	copy_rest(job);
}
// end store-1, store-2, store-3, store-4, store-n, persistent

// begin pieces-2, pieces-4
/* As many tiles as there are stages, one behind the other: TMA loads them all and stores each, and the block ends. So
 * what is under way at a time lies close together, since blocks begin in order. */
__global__ void __launch_bounds__(COPY_THREADS) copy_pieces(const struct copy_job job)
{
	extern __shared__ __align__(128) float4 ring[];
	__shared__ uint64_t full[COPY_STAGES_MAX];
	const bool computes = job.fmas > 0;
	const int before = blockIdx.x * job.stages;
	const int tiles = min(job.stages, job.tiles - before);
	const int steps = computes || threadIdx.x == 0 ? tiles : 0;

	full_init_all(full, job.stages);
	if (threadIdx.x == 0)
		for (int s = 0; s < tiles; s++) {
			const int64_t first = (int64_t)(before + s) * job.tile;

			bulk_load(&ring[s * job.tile], copy_from(job, first),
				copy_count(job, first) * COPY_VECTOR_BYTES, &full[s]);
		}
#pragma unroll 1
	for (int s = 0; s < steps; s++) {
		const int64_t first = (int64_t)(before + s) * job.tile;
		const int count = copy_count(job, first);
		float4 *const tile = &ring[s * job.tile];

		full_wait(&full[s], 0);
		if (computes) {
			copy_vectors(job, tile, tile, count);
			tma_fence();
			__syncthreads(); // the tile is computed
		}
		if (threadIdx.x == 0)
			bulk_store(copy_to(job, first), tile, count * COPY_VECTOR_BYTES);
	}
	if (threadIdx.x == 0)
		bulk_wait_stored(); // shared memory lives as long as its block
	copy_rest(job);
}
// end pieces-2, pieces-4

/* ---- on the host ---- */

cudaError_t copy_config_bulk(void *state, int stages, struct kernel_config *out)
{
	return copy_configure((struct copy_state *)state, (const void *)copy_bulk_loads, stages, out);
}

cudaError_t copy_config_store(void *state, int stages, struct kernel_config *out)
{
	return copy_configure((struct copy_state *)state, (const void *)copy_bulk_stores, stages, out);
}

cudaError_t copy_config_pieces(void *state, int stages, struct kernel_config *out)
{
	struct copy_state *s = (struct copy_state *)state;
	cudaError_t error = copy_configure(s, (const void *)copy_pieces, stages, out);

	if (error == cudaSuccess)
		out->grid[0] = copy_grid((s->job.tiles + (int64_t)stages - 1) / stages);
	return error;
}

/* Asks the device when it is first needed. */
static cudaError_t copy_blocks_at_once(struct copy_state *s, const struct kernel_config *config)
{
	int device = 0, sms = 0, resident = 0;
	cudaError_t error = s->once > 0 ? cudaSuccess : cudaGetDevice(&device);

	if (s->once > 0 || error != cudaSuccess)
		return error;
	error = cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
	if (error == cudaSuccess)
		error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(
			&resident, config->function, COPY_THREADS, config->dynamic_smem);
	if (error == cudaSuccess)
		s->once = copy_grid((int64_t)sms * resident);
	return error;
}

cudaError_t copy_config_persistent(void *state, struct kernel_config *out)
{
	struct copy_state *s = (struct copy_state *)state;
	cudaError_t error = copy_config_store(state, s->stages, out);

	if (error == cudaSuccess)
		error = copy_blocks_at_once(s, out);
	if (error == cudaSuccess)
		out->grid[0] = copy_grid((int64_t)s->once < s->job.tiles ? (int64_t)s->once : s->job.tiles);
	return error;
}

cudaError_t copy_launch_bulk(void *state, int stages, cudaStream_t stream, struct enqueued *done)
{
	struct queue q = {done, cudaSuccess};
	struct kernel_config config;

	queue_note(&q, copy_config_bulk(state, stages, &config));
	return copy_enqueue((struct copy_state *)state, &config, stages, stream, &q);
}

cudaError_t copy_launch_store(void *state, int stages, cudaStream_t stream, struct enqueued *done)
{
	struct queue q = {done, cudaSuccess};
	struct kernel_config config;

	queue_note(&q, copy_config_store(state, stages, &config));
	return copy_enqueue((struct copy_state *)state, &config, stages, stream, &q);
}

cudaError_t copy_launch_pieces(void *state, int stages, cudaStream_t stream, struct enqueued *done)
{
	struct queue q = {done, cudaSuccess};
	struct kernel_config config;

	queue_note(&q, copy_config_pieces(state, stages, &config));
	return copy_enqueue((struct copy_state *)state, &config, stages, stream, &q);
}

cudaError_t copy_launch_persistent(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct copy_state *s = (struct copy_state *)state;
	struct queue q = {done, cudaSuccess};
	struct kernel_config config;

	queue_note(&q, copy_config_persistent(state, &config));
	return copy_enqueue(s, &config, s->stages, stream, &q);
}
