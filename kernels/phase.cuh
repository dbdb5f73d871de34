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
 *
 * Where a block lives briefly, its stamps stretch it. with_spread_phases() spreads them: each stamped block takes those
 * of one barrier. It has a body for each barrier, so that the others leave no trace in the code. For that, the compiler
 * must count the barriers: loops around them are unrolled, and a loop of unknown length around all runs once there
 * (`spread`).
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
	static constexpr bool spread = false;

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

/*
 * A warp goes on behind a barrier (BAR.SYNC.DEFER_BLOCKING) up to the first access to memory before it waits, and
 * reading the clock is none. So it reads this word, which nobody needs.
 */
static __device__ __forceinline__ void phase_behind_barrier()
{
	__shared__ unsigned word;

	asm volatile("{\n"
		     ".reg .u32 ignored;\n"
		     "ld.volatile.shared.u32 ignored, [%0];\n"
		     "}" ::"r"((unsigned)__cvta_generic_to_shared(&word))
		     : "memory");
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
 * A stamp is stored when the next one is taken. So no warp waits for the clock to be read; and behind a barrier the
 * store goes before the clock, which is needed as phase_behind_barrier() is. A wait has no stamp: it ends when the last
 * warp has come, which their stamps in front of the barrier tell.
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
	static constexpr bool spread = false;

	__device__ __forceinline__ warp_stamps(const struct phase_board &board, unsigned block)
	    : at(board.stamps + (size_t)(block * board.warps + phase_warp()) * board.stamps_per_warp),
	      last(phase_clock())
	{
	}
	__device__ __forceinline__ void load()
	{
		take();
	}
	__device__ __forceinline__ void wait() const
	{
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

/* Begin, end, and the stamps of segment K, which stay in registers until the warp has ended. */
template <int K> class spread_stamps
{
	unsigned *at;
	unsigned first = 0, second = 0, third = 0; // an array would go to memory
	int taken = 0, waits = 0;                  // known to the compiler at each place

	__device__ __forceinline__ void take()
	{
		if (waits != K)
			return;
		(taken == 0 ? first : taken == 1 ? second : third) = phase_clock();
		taken++;
	}

      public:
	static constexpr bool spread = true;

	__device__ __forceinline__ spread_stamps(const struct phase_board &board, unsigned block)
	    : at(board.stamps + (size_t)(block * board.warps + phase_warp()) * SEGMENT_STAMPS)
	{
		phase_store(at, phase_clock());
	}
	__device__ __forceinline__ void load()
	{
		take();
	}
	__device__ __forceinline__ void wait()
	{
		if (waits == K)
			phase_behind_barrier();
		take();
		waits++;
	}
	__device__ __forceinline__ void compute()
	{
		take();
	}
	/* Ends the body. */
	__device__ __forceinline__ void store()
	{
		const unsigned end = phase_clock();

		phase_store(at + 1, taken > 0 ? first : end);
		phase_store(at + 2, taken > 1 ? second : end);
		phase_store(at + 3, taken > 2 ? third : end);
		phase_store(at + SEGMENT_STAMPS - 1, end);
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

/* Runs body(stamps) as the board wants it for block number `block` of the grid, x first; and stamped(window) in a block
 * that is to be stamped. `place`: the same number, plus board.skew times the block's window. */
template <class Body, class Stamped>
static __device__ __forceinline__ void with_phases(
	const struct phase_board &board, unsigned block, unsigned place, Body body, Stamped stamped)
{
	if (place & board.mask)
		body(no_stamps());
	else if (place & (board.mask + 1))
		body(end_stamps(board, block >> board.shift));
	else
		stamped(block >> board.shift);
}

template <class Body>
static __device__ __forceinline__ void with_phases(
	const struct phase_board &board, unsigned block, unsigned place, Body body)
{
	with_phases(board, block, place, body, [&](unsigned window) { body(warp_stamps(board, window)); });
}

/* Runs body() with the stamps of segment `segment`, which is K or a later one of SEGMENTS. */
template <int SEGMENTS, int K, class Body>
static __device__ __forceinline__ void with_segment(
	const struct phase_board &board, unsigned window, unsigned segment, Body body)
{
	if constexpr (K + 1 < SEGMENTS) {
		if (segment != K) {
			with_segment<SEGMENTS, K + 1>(board, window, segment, body);
			return;
		}
	}
	body(spread_stamps<K>(board, window));
}

/* As with_phases(), in a grid of one dimension, for a body that calls stamps.wait() WAITS times: it can spread its
 * stamps. */
template <int WAITS, class Body>
static __device__ __forceinline__ void with_spread_phases(const struct phase_board &board, Body body)
{
	with_phases(board, blockIdx.x, blockIdx.x, body, [&](unsigned window) {
		if (board.segments == 0)
			body(warp_stamps(board, window));
		else
			with_segment<WAITS + 1, 0>(board, window, (window + board.turn) % (WAITS + 1), body);
	});
}

#endif
