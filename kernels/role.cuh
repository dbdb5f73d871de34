/*
 * role.cuh: how long each warp waits, in kernels whose warps have different parts and so do not pass the same stamps.
 *
 * The body of such a kernel is a device function with a `meter`, which it tells of each tile, of each wait, of copies
 * that nobody runs ahead of, and of a part's end. The kernel that all other passes run has no_meter, which leaves
 * nothing in the code. A second one, for the phases pass, has warp_meter, in all of its blocks: two readings of the
 * clock for each wait of one tile in five, sums in registers, and one record a warp at its end. So a metered block
 * costs what the whole launch costs more, and a timed tile up to five times that.
 *
 * A wait at an mbarrier is a loop around a test, and the clock behind it is read when the test has been passed. Not so
 * with bar.sync, which __syncthreads() is too: a warp goes on behind it up to the first access to memory (phase.cuh).
 * So between such a barrier and the next clock stands behind_barrier(), which is one.
 */
#ifndef DBPROF_KERNELS_ROLE_CUH
#define DBPROF_KERNELS_ROLE_CUH

#include "phase.cuh"
#include "role.h"

struct no_meter {
	__device__ __forceinline__ void tile_begins(int)
	{
	}
	__device__ __forceinline__ void behind_barrier(const uint64_t *)
	{
	}
	__device__ __forceinline__ void wait_begins()
	{
	}
	__device__ __forceinline__ void wait_ends()
	{
	}
	__device__ __forceinline__ bool load_begins()
	{
		return false;
	}
	__device__ __forceinline__ void load_ends()
	{
	}
	__device__ __forceinline__ void forget_loads()
	{
	}
	__device__ __forceinline__ void leave(enum role)
	{
	}
};

/* Every lane keeps it; lane 0's is written. */
class warp_meter
{
	/* A warp's waits are timed in one of so many tiles. Blocks begin at different ones. The number is prime, and
	 * so meets all columns of tiles, unless there are a multiple of it. */
	static constexpr unsigned TIMED_TILE = 5;
	struct role_record *at;
	unsigned begun, untimed; // tiles until one is timed
	bool timing;
	unsigned waiting, loading;
	unsigned waits, timed, waited, loads, loaded;

      public:
	/* At the begin of a block. `block`: its number in the grid, x first. */
	__device__ __forceinline__ warp_meter(const struct role_board &board, unsigned block)
	    : at(board.records + (size_t)block * board.warps + phase_warp()), begun(phase_clock()),
	      untimed(block % TIMED_TILE), timing(false), waiting(0), loading(0), waits(0), timed(0), waited(0),
	      loads(0), loaded(0)
	{
	}
	/* A tile begins, in which the warp waits so often. */
	__device__ __forceinline__ void tile_begins(int number)
	{
		timing = untimed == 0;
		untimed = (timing ? TIMED_TILE : untimed) - 1;
		waits += number;
		timed += timing ? number : 0;
	}
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
		if (timing)
			waiting = phase_clock();
	}
	__device__ __forceinline__ void wait_ends()
	{
		if (timing)
			waited += phase_clock() - waiting;
	}
	/* Before the first copy into a stage is issued. Whether the load is timed: then load_ends() comes behind the
	 * wait for the stage to be full. */
	__device__ __forceinline__ bool load_begins()
	{
		if (timing)
			loading = phase_clock();
		return timing;
	}
	__device__ __forceinline__ void load_ends()
	{
		loaded += phase_clock() - loading;
		loads++;
	}
	/* Another warp issued them. */
	__device__ __forceinline__ void forget_loads()
	{
		loads = loaded = 0;
	}
	/* The warp has done its part. */
	__device__ __forceinline__ void leave(enum role role)
	{
		const struct role_record record = {
			(uint32_t)role, waits, timed, waited, loads, loaded, phase_clock() - begun};

		if (phase_thread() % 32 == 0)
			*at = record;
	}
};

#endif
