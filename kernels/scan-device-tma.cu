// arch: 90a
/* scan-device-tma.cu: the rungs of scan-device whose tiles are copied by TMA. */
#include "cp-async.cuh"
#include "families.h"
#include "scan-device.cuh"

/* ---- stages: barriers in shared memory that warps open too, and bulk copies of tiles ---- */

static __device__ __forceinline__ bool stage_try(uint64_t *barrier, int phase)
{
	unsigned open;

	asm volatile("{\n"
		     ".reg .pred open;\n"
		     "mbarrier.try_wait.parity.shared.b64 open, [%1], %2;\n"
		     "selp.u32 %0, 1, 0, open;\n"
		     "}"
		     : "=r"(open)
		     : "r"(shared_address(barrier)), "r"(phase)
		     : "memory");
	return open != 0;
}

/* Waits no longer than TURNS_MAX tries. */
static __device__ __forceinline__ void stage_wait(uint64_t *barrier, int phase)
{
	unsigned turns = 0;

	while (!stage_try(barrier, phase))
		if (turns++ == TURNS_MAX)
			__trap();
}

/* By one thread: has TMA copy a tile's whole vectors; its last elements may be less than a vector, or all that it has.
 * `full` ends its phase when they are there. */
static __device__ __forceinline__ void copy_tile(
	const struct scan_arguments &scan, uint4 *to, int tile, int length, uint64_t *full)
{
	const int left = scan.vectors - tile * length, vectors = left < length ? left : length;

	if (vectors <= 0) {
		barrier_arrive(full);
		return;
	}
	tma_fence(); // what others have read of the stage with plain loads comes before what TMA writes to it
	full_expect(full, vectors * VECTOR_BYTES);
	copy_bulk(to, (const uint4 *)scan.in + (size_t)tile * length, vectors * VECTOR_BYTES, full);
}

// begin tma-2, tma-3, tma-4, producer-2
template <class S> struct tile_ring {
	struct scan_shared<S> shared;
	uint64_t full[SCAN_STAGES_MAX], empty[SCAN_STAGES_MAX];
};

/* By one thread: has TMA copy a tile into a stage, or says that there are no more tiles. */
template <class S>
static __device__ __forceinline__ void stage_fill(
	const struct scan_arguments &scan, struct tile_ring<S> &ring, uint4 *tiles, int stage, int tile, int length)
{
	ring.shared.tile[stage] = tile;
	copy_tile(scan, tiles + stage * length, tile, length, &ring.full[stage]);
}

template <class S>
static __device__ __forceinline__ void stages_init(
	const struct scan_arguments &scan, struct tile_ring<S> &ring, int warps)
{
	if (threadIdx.x == 0) {
		for (int s = 0; s < scan.stages; s++) {
			barrier_init(&ring.full[s], 1);
			barrier_init(&ring.empty[s], warps * SCAN_LANES);
		}
		tma_fence();
		ring.shared.tag = scan_tag(scan.control);
	}
	__syncthreads();
}
// end tma-2, tma-3, tma-4, producer-2

// begin tma-2, tma-3, tma-4
/* The block's first thread takes tickets and fills stages, besides its own part of the tile. */
template <class T, int VECTORS>
__global__ void __launch_bounds__(SCAN_THREADS_MAX) scan_device_tma(const __grid_constant__ struct scan_arguments scan)
{
	typedef typename scan_of<T>::sum sum;
	extern __shared__ __align__(128) uint4 tiles[];
	__shared__ struct tile_ring<sum> ring;
	const int warps = blockDim.x / SCAN_LANES, length = warps * VECTORS * SCAN_LANES;
	struct ring_place at = {0, 0};
	int taken = 0;

	stages_init(scan, ring, warps);
	if (threadIdx.x == 0)
		for (int s = 0; s < scan.stages; s++)
			stage_fill(scan, ring, tiles, s, take_ticket(scan.control), length);
	for (;; at.next(scan.stages)) {
		stage_wait(&ring.full[at.stage], at.phase);
		const int tile = ring.shared.tile[at.stage];

		if (tile >= scan.tiles)
			break;
		if (threadIdx.x == 0)
			taken = take_ticket(scan.control);
		struct scan_part<T, VECTORS> part(tile, warps);
		const uint4 *const mine = tiles + at.stage * length + part.first - tile * length;

		part.load(scan, [&](int row) { return mine + row * SCAN_LANES; });
		scan_tile(scan, ring.shared, part, tile, warps, [&] { // all have read the stage
			if (threadIdx.x == 0)
				stage_fill(scan, ring, tiles, at.stage, taken, length);
		});
	}
	if (threadIdx.x == 0)
		take_no_more_tickets(scan.control);
}
// end tma-2, tma-3, tma-4

// begin producer-2
/* By one thread of the last warp: takes tickets and fills stages as they become empty, up to the first ticket that is
 * no tile. */
template <class S>
static __device__ __forceinline__ void produce(
	const struct scan_arguments &scan, struct tile_ring<S> &ring, uint4 *tiles, int length)
{
	struct ring_place at = {0, 1}; // a stage that was never filled is empty
	int tile;

	do {
		tile = take_ticket(scan.control);
		stage_wait(&ring.empty[at.stage], at.phase);
		stage_fill(scan, ring, tiles, at.stage, tile, length);
		at.next(scan.stages);
	} while (tile < scan.tiles);
	take_no_more_tickets(scan.control);
}

template <class T, int VECTORS>
__global__ void __launch_bounds__(SCAN_THREADS_MAX)
	scan_device_producer(const __grid_constant__ struct scan_arguments scan)
{
	typedef typename scan_of<T>::sum sum;
	extern __shared__ __align__(128) uint4 tiles[];
	__shared__ struct tile_ring<sum> ring;
	const int warps = blockDim.x / SCAN_LANES - 1, length = warps * VECTORS * SCAN_LANES;
	struct ring_place at = {0, 0};

	stages_init(scan, ring, warps);
	if ((int)threadIdx.x >= warps * SCAN_LANES) {
		if (threadIdx.x % SCAN_LANES == 0)
			produce(scan, ring, tiles, length);
		return;
	}
	for (;; at.next(scan.stages)) {
		stage_wait(&ring.full[at.stage], at.phase);
		const int tile = ring.shared.tile[at.stage];

		if (tile >= scan.tiles)
			break;
		struct scan_part<T, VECTORS> part(tile, warps);
		const uint4 *const mine = tiles + at.stage * length + part.first - tile * length;

		part.load(scan, [&](int row) { return mine + row * SCAN_LANES; });
		barrier_arrive(&ring.empty[at.stage]); // this lane has read the stage
		scan_tile(scan, ring.shared, part, tile, warps, [] {});
	}
}
// end producer-2

// begin rounds-1, rounds-2, rounds
/*
 * All blocks run at once. In round r block b has tile r * blocks + b, so nobody takes tickets. Warps have roles:
 * - The producer has TMA fill stages, as they become empty.
 * - Reducing warps sum up a tile as soon as it is in its stage. The first of them stores the tile's sum, for all
 *   blocks. That depends on nothing but the load, so sums are ahead of the scan by as many tiles as there are stages.
 * - The prefix warp reads the sums of one round. With the sum of all before, which it has from the round before, they
 *   give that of all before the tile. It waits for a sum of this very round at worst, never for a sum of sums.
 * - Scanning warps take the tile into registers, wait for its base, and store the result.
 * The order of additions is always the same, so results are the same from launch to launch.
 *
 * Nobody waits for ever: a sum needs a stage, the stage needs the scan of an earlier tile of the block, that needs sums
 * of tiles before. So the earliest tile that is not done waits for nobody.
 */
enum { ROUNDS_SLOTS = 16 };

/* A stage is empty once its tile is in registers. What the warps tell one another of the tile is needed longer, while
 * reducing warps are `stages` tiles ahead, and the prefix warp one more: it has a slot, of which there are more. */
static_assert(ROUNDS_STAGES_MAX + 2 <= ROUNDS_SLOTS, "reducing warps and the prefix warp would wait for slots");

template <class S> struct rounds_shared {
	S sums[ROUNDS_SLOTS][1 + SCAN_WARPS_MAX]; /* of all before the tile, and of each scanning warp's part */
	uint64_t ready[ROUNDS_SLOTS];             /* sums are there */
	uint64_t used[ROUNDS_SLOTS];              /* scanning warps have read them */
	uint64_t full[ROUNDS_STAGES_MAX], empty[ROUNDS_STAGES_MAX];
	uint64_t known; /* whoever needs this launch's number has read it */
};

static_assert(sizeof(struct rounds_shared<long long>) <= ROUNDS_SHARED_MOST, "the stages would not fit");

/* The first reducing warp and the prefix warp. */
enum { ROUNDS_KNOWING = 2 };

template <class S>
static __device__ __forceinline__ void rounds_init(
	const struct scan_arguments &scan, struct rounds_shared<S> &shared, int reducers)
{
	if (threadIdx.x == 0) {
		for (int s = 0; s < scan.stages; s++) {
			barrier_init(&shared.full[s], 1);
			barrier_init(&shared.empty[s], (scan.warps + reducers) * SCAN_LANES);
		}
		for (int s = 0; s < ROUNDS_SLOTS; s++) {
			barrier_init(&shared.ready[s], reducers + 1);
			barrier_init(&shared.used[s], scan.warps * (scan.warps + 1) / 2);
		}
		barrier_init(&shared.known, ROUNDS_KNOWING);
		tma_fence();
	}
	__syncthreads();
}

/* The tag of this launch's sums, for a whole warp. It is read while the first tiles are on their way. */
template <class S>
static __device__ __forceinline__ unsigned rounds_tag(
	const struct scan_arguments &scan, struct rounds_shared<S> &shared)
{
	unsigned tag = 0;

	if (threadIdx.x % SCAN_LANES == 0) {
		tag = scan_tag(scan.control);
		barrier_arrive(&shared.known);
	}
	return __shfl_sync(ALL_LANES, tag, 0);
}

/* By one thread. */
template <class S>
static __device__ __forceinline__ void rounds_produce(
	const struct scan_arguments &scan, struct rounds_shared<S> &shared, uint4 *tiles, int length)
{
	struct ring_place at = {0, 1}; // a stage that was never filled is empty

	for (int tile = blockIdx.x; tile < scan.tiles; tile += gridDim.x) {
		stage_wait(&shared.empty[at.stage], at.phase);
		copy_tile(scan, tiles + at.stage * length, tile, length, &shared.full[at.stage]);
		at.next(scan.stages);
	}
	stage_wait(&shared.known, 0);
	take_no_more_tickets(scan.control); // the launch's number goes up once all blocks have read it
}

/* A warp's part of a tile from its stage, which the warp needs no more then. */
template <class T, int VECTORS>
static __device__ __forceinline__ void rounds_take(const struct scan_arguments &scan,
	struct scan_part<T, VECTORS> &part, const uint4 *stage, int tile, uint64_t *empty)
{
	const uint4 *const mine = stage + part.first - tile * scan.warps * VECTORS * SCAN_LANES;

	part.load(scan, [&](int row) { return mine + row * SCAN_LANES; });
	if (empty)
		barrier_arrive(empty);
}

/* By `reducers` warps, of which this is number `reducer`: each sums up the parts of some scanning warps. */
template <class T, int VECTORS>
static __device__ __forceinline__ void rounds_reduce(const struct scan_arguments &scan,
	struct rounds_shared<typename scan_of<T>::sum> &shared, const uint4 *tiles, int reducer, int reducers)
{
	typedef typename scan_of<T>::sum sum;
	const int length = scan.warps * VECTORS * SCAN_LANES, lane = threadIdx.x % SCAN_LANES;
	const unsigned tag = reducer == 0 ? rounds_tag(scan, shared) : 0;
	struct ring_place at = {0, 0}, slot = {0, 1}; // a slot that nobody has written to is used up

	for (int tile = blockIdx.x; tile < scan.tiles; tile += gridDim.x) {
		stage_wait(&shared.full[at.stage], at.phase);
		if (lane == 0)
			stage_wait(&shared.used[slot.stage], slot.phase);
		for (int warp = reducer; warp < scan.warps; warp += reducers) {
			const bool last = warp + reducers >= scan.warps;
			struct scan_part<T, VECTORS> part(tile, scan.warps, warp);

			rounds_take(scan, part, tiles + at.stage * length, tile, last ? &shared.empty[at.stage] : NULL);
			const sum total = part.total();

			if (lane == 0)
				shared.sums[slot.stage][1 + warp] = total;
		}
		if (lane == 0)
			barrier_arrive(&shared.ready[slot.stage]);
		warps_barrier(reducers); // the totals are there
		if (reducer == 0) {
			const sum all = warp_sum(lane < scan.warps ? shared.sums[slot.stage][1 + lane] : sum(0));

			if (lane == 0)
				scan_status<sum>::store(scan.status, tile, tag, all);
		}
		at.next(scan.stages);
		slot.next(ROUNDS_SLOTS);
	}
}

/* The sums of tiles that a lane asks for at once: of 160 blocks, where an H100 has 132. */
enum { ROUNDS_ASKED = 5 };

/* The lane's share of the sums of tiles `first` to `end` - 1: those are lane, lane + 32, ... */
template <class S>
static __device__ __forceinline__ S rounds_sums(const struct scan_arguments &scan, int first, int end, unsigned tag)
{
	S sum = 0;

	for (int tile = first + (int)(threadIdx.x % SCAN_LANES); tile < end; tile += ROUNDS_ASKED * SCAN_LANES) {
		struct scan_status<S> seen[ROUNDS_ASKED];
		unsigned turns = 0;
		bool missing;

		do { // without a branch between, so that all are on their way at once
			if (turns++ == TURNS_MAX)
				__trap();
			missing = false;
#pragma unroll
			for (int i = 0; i < ROUNDS_ASKED; i++)
				seen[i].load(scan.status, tile + i * SCAN_LANES < end ? tile + i * SCAN_LANES : tile);
#pragma unroll
			for (int i = 0; i < ROUNDS_ASKED; i++)
				missing |= seen[i].tag != tag;
		} while (missing);
#pragma unroll
		for (int i = 0; i < ROUNDS_ASKED; i++)
			if (tile + i * SCAN_LANES < end)
				sum += seen[i].sum;
	}
	return sum;
}

/* By one warp: the sum of all before each tile, which is that before the block's last tile and the sums from there. */
template <class S>
static __device__ __forceinline__ void rounds_prefix(const struct scan_arguments &scan, struct rounds_shared<S> &shared)
{
	const int blocks = gridDim.x;
	const unsigned tag = rounds_tag(scan, shared);
	struct ring_place slot = {0, 1};
	S before = 0;

	for (int tile = blockIdx.x; tile < scan.tiles; tile += blocks) {
		before += warp_sum(rounds_sums<S>(scan, tile < blocks ? 0 : tile - blocks, tile, tag));
		if (threadIdx.x % SCAN_LANES == 0) {
			stage_wait(&shared.used[slot.stage], slot.phase);
			shared.sums[slot.stage][0] = before;
			barrier_arrive(&shared.ready[slot.stage]);
		}
		slot.next(ROUNDS_SLOTS);
	}
}

/* By the block's first warps. */
template <class T, int VECTORS>
static __device__ __forceinline__ void rounds_scan(
	const struct scan_arguments &scan, struct rounds_shared<typename scan_of<T>::sum> &shared, const uint4 *tiles)
{
	typedef typename scan_of<T>::sum sum;
	const int length = scan.warps * VECTORS * SCAN_LANES;
	const int warp = threadIdx.x / SCAN_LANES, lane = threadIdx.x % SCAN_LANES;
	struct ring_place at = {0, 0}, slot = {0, 0};

	for (int tile = blockIdx.x; tile < scan.tiles; tile += gridDim.x) {
		struct scan_part<T, VECTORS> part(tile, scan.warps);
		sum before = 0;

		stage_wait(&shared.full[at.stage], at.phase);
		rounds_take(scan, part, tiles + at.stage * length, tile, &shared.empty[at.stage]);
		(void)part.add_up();
		stage_wait(&shared.ready[slot.stage], slot.phase);
		if (lane <= warp) { // the sum of all before the tile, and those of the warps before this one
			before = shared.sums[slot.stage][lane];
			barrier_arrive(&shared.used[slot.stage]);
		}
		part.store(scan, warp_sum(before));
		at.next(scan.stages);
		slot.next(ROUNDS_SLOTS);
	}
}

template <class T, int VECTORS>
__global__ void __launch_bounds__(ROUNDS_WARPS_MAX *SCAN_LANES)
	scan_device_rounds(const __grid_constant__ struct scan_arguments scan)
{
	extern __shared__ __align__(128) uint4 tiles[];
	__shared__ struct rounds_shared<typename scan_of<T>::sum> shared;
	const int warp = threadIdx.x / SCAN_LANES, reducers = blockDim.x / SCAN_LANES - scan.warps - ROUNDS_FURTHER;

	rounds_init(scan, shared, reducers);
	if (warp < scan.warps)
		rounds_scan<T, VECTORS>(scan, shared, tiles);
	else if (warp < scan.warps + reducers)
		rounds_reduce<T, VECTORS>(scan, shared, tiles, warp - scan.warps, reducers);
	else if (warp == scan.warps + reducers)
		rounds_prefix(scan, shared);
	else if (threadIdx.x % SCAN_LANES == 0)
		rounds_produce(scan, shared, tiles, scan.warps * VECTORS * SCAN_LANES);
}
// end rounds-1, rounds-2, rounds

/* ---- on the host ---- */

#define SCAN_TMA_KERNELS(type)                                                                                         \
	{                                                                                                              \
		(const void *)scan_device_tma<type, VECTORS_MANY>,                                                     \
			(const void *)scan_device_producer<type, VECTORS_MANY>                                         \
	}

const void *scan_device_tma_kernel(enum scan_device_type type, const struct scan_plan *plan)
{
	static const void *const kernels[SCAN_TYPES][2] = {
		SCAN_TMA_KERNELS(float), SCAN_TMA_KERNELS(int), SCAN_TMA_KERNELS(long long), SCAN_TMA_KERNELS(__half)};

	return kernels[type][plan->further > 0];
}

#define ROUNDS_KERNELS(type)                                                                                           \
	{                                                                                                              \
		(const void *)scan_device_rounds<type, VECTORS_FEW>,                                                   \
			(const void *)scan_device_rounds<type, VECTORS_MANY>                                           \
	}

const void *scan_device_rounds_kernel(enum scan_device_type type, const struct scan_plan *plan)
{
	static const void *const kernels[SCAN_TYPES][2] = {
		ROUNDS_KERNELS(float), ROUNDS_KERNELS(int), ROUNDS_KERNELS(long long), ROUNDS_KERNELS(__half)};

	return kernels[type][plan->vectors == VECTORS_MANY];
}
