/* cp-async.cuh: asynchronous copies from global to shared memory, the barriers of those that TMA makes, and whether
 * this device and build have cp.async. */
#ifndef DBPROF_KERNELS_CP_ASYNC_CUH
#define DBPROF_KERNELS_CP_ASYNC_CUH

#include <cuda.h>

#include "built-for.h"
#include "variant.h"

/* cp.async (compute capability 8.0): copies one float to shared memory without passing through a register; zero beyond
 * an edge. Older devices never come here, see cp_async_unsupported(). */
static __device__ __forceinline__ void copy_async(
	float *shared, const float *matrix, int rows, int cols, int row, int col)
{
#if __CUDA_ARCH__ >= 800
	const bool inside = row < rows && col < cols;
	const unsigned to = (unsigned)__cvta_generic_to_shared(shared);
	const float *from = matrix + (inside ? (size_t)row * cols + col : 0);

	asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(inside ? 4 : 0)
		     : "memory");
#else
	__trap();
#endif
}

/* Copies 16 bytes, aligned alike, past the L1 cache. */
static __device__ __forceinline__ void copy_async_16(void *shared, const void *from)
{
#if __CUDA_ARCH__ >= 800
	const unsigned to = (unsigned)__cvta_generic_to_shared(shared);

	asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
#else
	__trap();
#endif
}

/* The same of the first `bytes` (0 to 16), with zeros behind them. */
static __device__ __forceinline__ void copy_async_16_or_zeros(void *shared, const void *from, int bytes)
{
#if __CUDA_ARCH__ >= 800
	const unsigned to = (unsigned)__cvta_generic_to_shared(shared);

	asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
#else
	__trap();
#endif
}

/* Closes the group of copies that this thread has started. */
static __device__ __forceinline__ void copy_async_commit()
{
#if __CUDA_ARCH__ >= 800
	asm volatile("cp.async.commit_group;" ::: "memory");
#endif
}

/* Waits until at most PENDING groups of this thread are still under way. */
template <int PENDING> static __device__ __forceinline__ void copy_async_wait()
{
#if __CUDA_ARCH__ >= 800
	asm volatile("cp.async.wait_group %0;" ::"n"(PENDING) : "memory");
#endif
}

/* ---- barriers in shared memory that open when bytes have come, as TMA needs them: for code of sm_90 or later ---- */

static __device__ __forceinline__ unsigned shared_address(const void *shared)
{
	return (unsigned)__cvta_generic_to_shared(shared);
}

/* A phase of the barrier ends with so many arrivals, and when the bytes have come that full_expect() named. */
static __device__ __forceinline__ void barrier_init(uint64_t *barrier, int arrivals)
{
	asm volatile("mbarrier.init.shared.b64 [%0], %1;" ::"r"(shared_address(barrier)), "r"(arrivals) : "memory");
}

/* Whoever waits for the end of the phase comes behind all that this thread has done before, but not behind what other
 * lanes have done: so each lane that has read a stage arrives. One of them could do it for all behind __syncwarp(), but
 * racecheck does not follow that. */
static __device__ __forceinline__ void barrier_arrive(uint64_t *barrier)
{
	asm volatile("mbarrier.arrive.shared.b64 _, [%0];" ::"r"(shared_address(barrier)) : "memory");
}

/* What was done to shared memory until now, by this thread or before something that it has waited for, comes before
 * what copies of TMA do that it starts later. */
static __device__ __forceinline__ void tma_fence()
{
	asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
}

/* By one thread, before all others and TMA see them. */
static __device__ __forceinline__ void full_init_all(uint64_t *full, int stages)
{
	if (threadIdx.x == 0) {
		for (int s = 0; s < stages; s++)
			barrier_init(&full[s], 1);
		tma_fence();
	}
	__syncthreads();
}

/* Arrives at the barrier, which opens when so many bytes have come, too. */
static __device__ __forceinline__ void full_expect(uint64_t *full, int bytes)
{
	asm volatile("mbarrier.arrive.expect_tx.shared.b64 _, [%0], %1;" ::"r"(shared_address(full)), "r"(bytes)
		     : "memory");
}

/* Has TMA copy bytes that lie one behind the other from global to shared memory; the barrier is told of them. Both
 * places and `bytes` are multiples of 16. */
static __device__ __forceinline__ void copy_bulk(void *shared, const void *from, int bytes, uint64_t *full)
{
	asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(
			     shared_address(shared)),
		     "l"(from), "r"(bytes), "r"(shared_address(full))
		     : "memory");
}

/* Waits until at most PENDING groups of this thread's bulk stores have still to read shared memory. */
template <int PENDING> static __device__ __forceinline__ void bulk_wait_read()
{
	asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(PENDING) : "memory");
}

/* Waits until this thread's bulk stores are done. */
static __device__ __forceinline__ void bulk_wait_stored()
{
	asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
}

/* Copies a box of a matrix, whose first element is (row, col). Beyond an edge of the matrix there are zeros. */
static __device__ __forceinline__ void copy_box(
	void *shared, const CUtensorMap *matrix, int row, int col, uint64_t *full)
{
	asm volatile(
		"cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], "
		"[%4];" ::"r"(shared_address(shared)),
		"l"(matrix), "r"(col), "r"(row), "r"(shared_address(full))
		: "memory");
}

/* Waits until the phase of this parity is over: 0 for the first time that a barrier opens, then 1, 0, and so on. */
static __device__ __forceinline__ void full_wait(uint64_t *full, int phase)
{
	asm volatile("{\n"
		     ".reg .pred open;\n"
		     "again:\n"
		     "mbarrier.try_wait.parity.shared.b64 open, [%0], %1;\n"
		     "@!open bra again;\n"
		     "}" ::"r"(shared_address(full)),
		     "r"(phase)
		     : "memory");
}

/* Where a ring of stages stands: the stage, and the parity of its barriers' phase: one more round each time the ring
 * has been gone through. */
struct ring_place {
	int stage, phase;

	__device__ __forceinline__ void next(int stages)
	{
		stage = stage + 1 < stages ? stage + 1 : 0;
		phase ^= stage == 0;
	}
	/* The same so many times. */
	__device__ __forceinline__ void skip(int times, int stages)
	{
		stage += times;
		phase ^= stage / stages & 1;
		stage %= stages;
	}
};

/* ---- on the host ---- */

/* The architecture that the code was compiled for which a device of compute capability `capability` (90 for 9.0) runs.
 * dbprof's own build says what it is for; one of a plug-in tells no more than the architectures, of which it has PTX or
 * machine code. */
static inline int architecture_for(int capability)
{
#ifdef DBPROF_TARGETS
#define CP_ASYNC_TEXT(targets) #targets
#define CP_ASYNC_TARGETS(targets) CP_ASYNC_TEXT(targets)
	return built_for(CP_ASYNC_TARGETS(DBPROF_TARGETS), capability).arch;
#else
	static const int built[] = {__CUDA_ARCH_LIST__};
	int best = 0;

	for (size_t i = 0; i < sizeof(built) / sizeof(built[0]); i++) {
		if (built[i] / 10 <= capability && built[i] / 10 > best)
			best = built[i] / 10;
	}
	return best;
#endif
}

static inline const char *cp_async_unsupported(const struct cudaDeviceProp *device, const struct size_case *)
{
	if (device->major < 8)
		return "the device lacks cp.async, which came with compute capability 8.0";
	if (architecture_for(device->major * 10 + device->minor) < 80)
		return "this build of dbprof has no code for compute capability 8.0 or later, which cp.async needs";
	return NULL;
}

#endif
