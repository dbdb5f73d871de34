/*
 * phase.cuh: time stamps inside a kernel.
 *
 * The body of a kernel is a device function whose last parameter is `stamps`; it calls stamps.load(), .wait(),
 * .compute() or .store() where that phase ends. A kernel runs it with no_stamps, which leaves nothing in the code. A
 * second kernel, for the phases pass, holds the body three times: the few blocks that take stamps run the one with
 * them, a few others one that only takes the times of its begin and end, and all the rest the plain one, after one
 * test. So what is measured is one block among many that run as ever. The stamps do not say which phase ended: that is
 * the same in every warp, and struct phase_plan (variant.h) tells it once.
 *
 * A load ends where its value is first used: stand stamps.load() behind that, since a stamp right behind the load would
 * mark its issue.
 */
#ifndef DBPROF_KERNELS_PHASE_CUH
#define DBPROF_KERNELS_PHASE_CUH

#include "phase.h"
#include "variant.h"

/* Storage for SHARED(). */
template <class Array, int LINE> static __device__ __forceinline__ Array &shared_array()
{
	__shared__ Array array;

	return array;
}

/* `SHARED(float, a, [2][N]);` is `__shared__ float a[2][N];`, but one array for all bodies in a kernel. */
#define SHARED(type, name, dimensions) type(&name) dimensions = shared_array<type dimensions, __LINE__>()

struct no_stamps {
	__device__ __forceinline__ void load() const
	{
	}
	__device__ __forceinline__ void wait() const
	{
	}
	__device__ __forceinline__ void compute() const
	{
	}
	__device__ __forceinline__ void store() const
	{
	}
};

/* Clock and store are kept where they stand: by the compiler as volatile, and between accesses to memory and barriers
 * by the clobber. */
static __device__ __forceinline__ unsigned phase_clock()
{
	unsigned now;

	asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
	return now;
}

/* All lanes of a warp store the same value to the same place, which is one access. */
static __device__ __forceinline__ void phase_store(unsigned *at, unsigned clock)
{
	asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(clock) : "memory");
}

static __device__ __forceinline__ unsigned phase_thread()
{
	return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

static __device__ __forceinline__ unsigned phase_warp()
{
	return phase_thread() >> 5;
}

/*
 * A stamp is stored when the next one is taken. So no warp waits for the clock to be read; and at the end of a barrier
 * the store goes before the clock. That is needed: a warp goes on behind a barrier (BAR.SYNC.DEFER_BLOCKING) up to the
 * first access to memory before it waits, and the clock is none.
 */
class warp_stamps
{
	unsigned *at;
	unsigned last;

	__device__ __forceinline__ void take()
	{
		phase_store(at++, last);
		last = phase_clock();
	}

      public:
	__device__ __forceinline__ warp_stamps(const struct phase_board &board, unsigned block)
	    : at(board.stamps + (size_t)(block * board.warps + phase_warp()) * board.per_warp), last(phase_clock())
	{
	}
	__device__ __forceinline__ void load()
	{
		take();
	}
	__device__ __forceinline__ void wait()
	{
		take();
	}
	__device__ __forceinline__ void compute()
	{
		take();
	}
	/* Ends the body. */
	__device__ __forceinline__ void store()
	{
		take();
		phase_store(at, last);
	}
};

/* Begin and end only. */
class end_stamps : public no_stamps
{
	unsigned *at;

      public:
	__device__ __forceinline__ end_stamps(const struct phase_board &board, unsigned block)
	    : at(board.ends + 2 * (size_t)(block * board.warps + phase_warp()))
	{
		phase_store(at, phase_clock());
	}
	__device__ __forceinline__ void store()
	{
		phase_store(at + 1, phase_clock());
	}
};

/* Runs body(stamps) as the board wants it for block number `block` of the grid, x first. `place`: the same number, plus
 * board.skew times the block's window. */
template <class Body>
static __device__ __forceinline__ void with_phases(
	const struct phase_board &board, unsigned block, unsigned place, Body body)
{
	if (place & board.mask)
		body(no_stamps());
	else if (place & (board.mask + 1))
		body(end_stamps(board, block >> board.shift));
	else
		body(warp_stamps(board, block >> board.shift));
}

#endif
