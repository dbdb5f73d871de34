/* mbarrier.cuh: mbarriers and bulk copies (compute capability 9.0) for kernels of known depth. */
#ifndef DBPROF_DEPTH_MBARRIER_CUH
#define DBPROF_DEPTH_MBARRIER_CUH

#include <cuda.h>
#include <stdint.h>

__device__ __forceinline__ unsigned shared_address(const void *p)
{
	return (unsigned)__cvta_generic_to_shared(p);
}

/* Makes BARRIER await COUNT arrivals a phase. */
__device__ __forceinline__ void barrier_init(uint64_t *barrier, int count)
{
	asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(count) : "memory");
}

/* Barriers made by this thread are seen by the unit that copies. */
__device__ __forceinline__ void barrier_fence()
{
	asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory");
}

__device__ __forceinline__ void barrier_arrive(uint64_t *barrier)
{
	asm volatile("mbarrier.arrive.shared::cta.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}

/* Arrives, and has the phase await BYTES of copies too. */
__device__ __forceinline__ void barrier_expect(uint64_t *barrier, unsigned bytes)
{
	asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(shared_address(barrier)), "r"(bytes)
		     : "memory");
}

/* Waits for the end of the phase of PARITY. */
__device__ __forceinline__ void barrier_wait(uint64_t *barrier, unsigned parity)
{
	unsigned done = 0;

	while (!done)
		asm volatile("{ .reg .pred p;\n"
			     "mbarrier.try_wait.parity.shared::cta.b64 p, [%1], %2;\n"
			     "selp.u32 %0, 1, 0, p; }"
			     : "=r"(done)
			     : "r"(shared_address(barrier)), "r"(parity)
			     : "memory");
}

/* Copies BYTES bytes that lie together; BARRIER hears of them. */
__device__ __forceinline__ void bulk_copy(void *to, const void *from, unsigned bytes, uint64_t *barrier)
{
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
			     shared_address(to)),
		     "l"(from), "r"(bytes), "r"(shared_address(barrier))
		     : "memory");
}

/* Copies the box of MAP's matrix that begins at column X and row Y; BARRIER hears of it. */
__device__ __forceinline__ void box_copy(void *to, const CUtensorMap *map, int x, int y, uint64_t *barrier)
{
	asm volatile("cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes "
		     "[%0], [%1, {%2, %3}], [%4];" ::"r"(shared_address(to)),
		     "l"(map), "r"(x), "r"(y), "r"(shared_address(barrier))
		     : "memory");
}

#endif
