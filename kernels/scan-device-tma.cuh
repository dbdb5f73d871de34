/* scan-device-tma.cuh: what the rungs of scan-device share whose tiles are copied by TMA: barriers, copies, a ring.
 */
#ifndef DBPROF_KERNELS_SCAN_DEVICE_TMA_CUH
#define DBPROF_KERNELS_SCAN_DEVICE_TMA_CUH

#include "scan-device.cuh"

/* ---- barriers in shared memory, and bulk copies ---- */

static __device__ __forceinline__ unsigned shared_place(const void *shared)
{
	return (unsigned)__cvta_generic_to_shared(shared);
}

static __device__ __forceinline__ void stage_init(uint64_t *barrier, int arrivals)
{
	asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_place(barrier)), "r"(arrivals) : "memory");
}

static __device__ __forceinline__ void stage_arrive(uint64_t *barrier)
{
	asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared_place(barrier)) : "memory");
}

/* Arrives; the barrier's phase ends when so many bytes have come, too. */
static __device__ __forceinline__ void stage_expect(uint64_t *barrier, int bytes)
{
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_place(barrier)), "r"(bytes)
		     : "memory");
}

static __device__ __forceinline__ bool stage_try(uint64_t *barrier, int phase)
{
	unsigned open;

	asm volatile("{\n"
		     ".reg .pred open;\n"
		     "mbarrier.try_wait.parity.shared.b64 open, [%1], %2;\n"
		     "selp.u32 %0, 1, 0, open;\n"
		     "}"
		     : "=r"(open)
		     : "r"(shared_place(barrier)), "r"(phase)
		     : "memory");
	return open != 0;
}

static __device__ __forceinline__ void stage_wait(uint64_t *barrier, int phase)
{
	unsigned turns = 0;

	while (!stage_try(barrier, phase))
		if (turns++ == TURNS_MAX)
			__trap();
}

/* Copies bytes, a multiple of 16, from and to multiples of 16. */
static __device__ __forceinline__ void copy_bulk(void *shared, const void *global, int bytes, uint64_t *full)
{
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
			     shared_place(shared)),
		     "l"(global), "r"(bytes), "r"(shared_place(full))
		     : "memory");
}

/* By one thread: has TMA copy a tile's whole pieces; its last elements may be less than a piece, or all that it has.
 * `full` ends its phase when they are there. */
static __device__ __forceinline__ void copy_tile(
	const struct scan_arguments &scan, uint4 *to, int tile, int length, uint64_t *full)
{
	const int left = scan.pieces - tile * length, pieces = left < length ? left : length;

	if (pieces <= 0) {
		stage_arrive(full);
		return;
	}
	stage_expect(full, pieces * PIECE_BYTES);
	copy_bulk(to, (const uint4 *)scan.in + (size_t)tile * length, pieces * PIECE_BYTES, full);
}

/* After stage_init(), by the same thread: copies by TMA see the barriers. */
static __device__ __forceinline__ void stages_begin()
{
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* Where a ring stands: the stage, and the phase of its barriers. */
struct ring_place {
	int stage, phase;

	__device__ __forceinline__ void next(int stages)
	{
		stage = stage + 1 < stages ? stage + 1 : 0;
		phase ^= stage == 0;
	}
};

#endif
