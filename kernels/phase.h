/* phase.h: where the blocks of an instrumented launch leave their time stamps. See phase.cuh for how they are taken. */
#ifndef DBPROF_KERNELS_PHASE_H
#define DBPROF_KERNELS_PHASE_H

/*
 * Of every 2^shift blocks of a grid in two dimensions (numbered x first) the first takes a time stamp per warp at each
 * change of phase, and the one in the middle only when it begins and when it ends, for comparison; the others take
 * none. A stamp is the lower half of the SM's cycle counter: only differences within a block mean something, modulo
 * 2^32. Both arrays are device memory for ((blocks - 1) >> shift) + 1 blocks of each kind. What a launch does not write
 * stays as it was.
 */
struct phase_board {
	unsigned *stamps; /* [stamped block][warp][per_warp] */
	unsigned *ends;   /* [compared block][warp][2] */
	unsigned shift;   /* at least 1 */
	unsigned mask;    /* 2^(shift - 1) - 1 */
	unsigned warps;   /* of a block */
	unsigned per_warp;
};

#endif
