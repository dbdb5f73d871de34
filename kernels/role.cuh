/*
 * role.cuh: how long each warp waits, in kernels whose warps have different parts and so do not pass the same stamps.
 *
 * The body of such a kernel is a device function with a `meter`, which runs each tile with a timer: it is told of each
 * wait, and of copies that nobody runs ahead of. The kernel that all other passes run has no_meter, which leaves
 * nothing in the code. A second one, for the phases pass, has warp_meter, in all of its blocks. It runs one tile in
 * 19 with warp_timer, two readings of the clock for each wait and sums in registers, and all others with no_timer, as
 * the plain kernel does: it holds the code of a tile twice. One record a warp is written at its end.
 *
 * A wait at an mbarrier is a loop around a test, and the clock behind it is read when the test has been passed. Not so
 * with bar.sync, which __syncthreads() is too: a warp goes on behind it up to the first access to memory (phase.cuh).
 * So between such a barrier and the next clock stands behind_barrier(), which is one.
 */
#ifndef DBPROF_KERNELS_ROLE_CUH
#define DBPROF_KERNELS_ROLE_CUH

#include "phase.cuh"
#include "role.h"

/* Of a tile whose waits are not timed. */
struct no_timer {
	static constexpr bool TIMES = false;

	__device__ __forceinline__ void behind_barrier(const uint64_t *)
	{
	}
	__device__ __forceinline__ void wait_begins()
	{
	}
	__device__ __forceinline__ void wait_ends()
	{
	}
	__device__ __forceinline__ void load_begins()
	{
	}
	__device__ __forceinline__ void load_ends()
	{
	}
};

class warp_timer
{
	unsigned waiting, loading;

      public:
	static constexpr bool TIMES = true;
	unsigned waited = 0, loads = 0, loaded = 0;

	/* `shared`: anything in shared memory. */
	__device__ __forceinline__ void behind_barrier(const uint64_t *shared)
	{
		asm volatile("{\n"
			     ".reg .u32 ignored;\n"
			     "ld.volatile.shared.u32 ignored, [%0];\n"
			     "}" ::"r"((unsigned)__cvta_generic_to_shared(shared))
			     : "memory");
	}
	__device__ __forceinline__ void wait_begins()
	{
		waiting = phase_clock();
	}
	__device__ __forceinline__ void wait_ends()
	{
		waited += phase_clock() - waiting;
	}
	/* Before the first copy into a stage is issued. load_ends() comes behind the wait for it to be full. */
	__device__ __forceinline__ void load_begins()
	{
		loading = phase_clock();
	}
	__device__ __forceinline__ void load_ends()
	{
		loaded += phase_clock() - loading;
		loads++;
	}
};

struct no_meter {
	template <class Body> __device__ __forceinline__ void tile(int, const uint64_t *, Body body)
	{
		no_timer timer;

		body(timer);
	}
	__device__ __forceinline__ void forget_loads()
	{
	}
	__device__ __forceinline__ void leave(enum role, const uint64_t *)
	{
	}
};

/* Every lane keeps it; lane 0's is written. */
class warp_meter
{
	/* A warp's waits are timed in one of so many tiles. Blocks begin at different ones. The number is prime, and
	 * so meets all columns of tiles, unless there are a multiple of it. */
	static constexpr unsigned TIMED_TILE = 19;
	struct role_record *at;
	unsigned begun, untimed; // tiles until one is timed
	unsigned waits, timed;
	warp_timer timer;

      public:
	/* At the begin of a block. `block`: its number in the grid, x first. */
	__device__ __forceinline__ warp_meter(const struct role_board &board, unsigned block)
	    : at(board.records + (size_t)block * board.warps + phase_warp()), begun(phase_clock()),
	      untimed(block % TIMED_TILE), waits(0), timed(0)
	{
	}
	/* Runs body(timer): a tile, in which the warp waits so often. `shared`: anything in shared memory. */
	template <class Body> __device__ __forceinline__ void tile(int number, const uint64_t *shared, Body body)
	{
		waits += number;
		if (untimed > 0) {
			no_timer none;

			untimed--;
			body(none);
			return;
		}
		untimed = TIMED_TILE - 1;
		timed += number;
		timer.behind_barrier(shared); // of the block's begin, or of the last tile's store
		body(timer);
	}
	/* Another warp issued them. */
	__device__ __forceinline__ void forget_loads()
	{
		timer.loads = timer.loaded = 0;
	}
	/* The warp has done its part. `shared`: anything in shared memory. */
	__device__ __forceinline__ void leave(enum role role, const uint64_t *shared)
	{
		timer.behind_barrier(shared);
		const struct role_record record = {
			(uint32_t)role, waits, timed, timer.waited, timer.loads, timer.loaded, phase_clock() - begun};

		if (phase_thread() % 32 == 0)
			*at = record;
	}
};

#endif
