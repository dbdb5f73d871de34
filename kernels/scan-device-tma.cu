// arch: 90a
/* scan-device-tma.cu: the rungs of scan-device whose tiles are copied by TMA. */
#include "families.h"
#include "scan-device-tma.cuh"

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
			stage_init(&ring.full[s], 1);
			stage_init(&ring.empty[s], warps);
		}
		stages_begin();
		ring.shared.tag = scan_tag(scan.control);
	}
	__syncthreads();
}
// end tma-2, tma-3, tma-4, producer-2

// begin tma-2, tma-3, tma-4
/* The block's first thread takes tickets and fills stages, besides its own part of the tile. */
template <class T, int PIECES>
__global__ void __launch_bounds__(SCAN_THREADS_MAX) scan_device_tma(const __grid_constant__ struct scan_arguments scan)
{
	typedef typename scan_of<T>::sum sum;
	extern __shared__ __align__(128) uint4 tiles[];
	__shared__ struct tile_ring<sum> ring;
	const int warps = blockDim.x / SCAN_LANES, length = warps * PIECES * SCAN_LANES;
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
		struct scan_part<T, PIECES> part(tile, warps);
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

template <class T, int PIECES>
__global__ void __launch_bounds__(SCAN_THREADS_MAX)
	scan_device_producer(const __grid_constant__ struct scan_arguments scan)
{
	typedef typename scan_of<T>::sum sum;
	extern __shared__ __align__(128) uint4 tiles[];
	__shared__ struct tile_ring<sum> ring;
	const int warps = blockDim.x / SCAN_LANES - 1, length = warps * PIECES * SCAN_LANES;
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
		struct scan_part<T, PIECES> part(tile, warps);
		const uint4 *const mine = tiles + at.stage * length + part.first - tile * length;

		part.load(scan, [&](int row) { return mine + row * SCAN_LANES; });
		__syncwarp();
		if (threadIdx.x % SCAN_LANES == 0)
			stage_arrive(&ring.empty[at.stage]); // this warp has read the stage
		scan_tile(scan, ring.shared, part, tile, warps, [] {});
	}
}
// end producer-2

/* ---- on the host ---- */

#define SCAN_TMA_KERNELS(type)                                                                                         \
	{                                                                                                              \
		(const void *)scan_device_tma<type, PIECES_MANY>,                                                      \
			(const void *)scan_device_producer<type, PIECES_MANY>                                          \
	}

const void *scan_device_tma_kernel(enum scan_device_type type, const struct scan_plan *plan)
{
	static const void *const kernels[SCAN_TYPES][2] = {
		SCAN_TMA_KERNELS(float), SCAN_TMA_KERNELS(int), SCAN_TMA_KERNELS(long long), SCAN_TMA_KERNELS(__half)};

	return kernels[type][plan->further > 0];
}
