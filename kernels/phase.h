/* phase.h: where the blocks of an instrumented launch leave their time stamps. See phase.cuh for how they are taken. */
#ifndef DBPROF_KERNELS_PHASE_H
#define DBPROF_KERNELS_PHASE_H

/*
 * A grid in one or two dimensions, numbered x first, is cut into windows of 2^shift blocks. In each window one block
 * takes a time stamp per warp when it begins and at the end of each phase but waits, and another only when it begins
 * and when it ends, for comparison; the others take none. In window w these are the blocks b with b + skew w = 0 and b
 * + skew w = 2^(shift - 1), modulo 2^shift: with a skew they move by one from window to window, so that they do not all
 * lie in one column of a grid. A stamp is the lower half of the SM's cycle counter: only differences within a block
 * mean something, modulo 2^32. Both arrays are device memory for all windows, ((blocks - 1) >> shift) + 1. What a
 * launch does not write stays as it was; in the last window, which may be short, that may be either block.
 *
 * Stamps can be spread over blocks. A block's life then has as many segments as it has barriers, and one more: each
 * ends when a barrier opens, the last with the block. The stamped block of window w takes the stamps of one segment
 * only, that of number (w + turn) modulo `segments`. A warp's stamps are then its begin, the ends of the segment's
 * phases, and its end, which also fills what is left of SEGMENT_STAMPS.
 */
enum { SEGMENT_PHASES = 3, SEGMENT_STAMPS = SEGMENT_PHASES + 2 };

struct phase_board {
	unsigned *stamps; /* [window][warp][stamps_per_warp] */
	unsigned *ends;   /* [window][warp][2] */
	unsigned shift;   /* at least 1 */
	unsigned mask;    /* 2^(shift - 1) - 1 */
	unsigned skew;    /* 1 in a grid of several rows, else 0 */
	unsigned warps;   /* of a block */
	unsigned stamps_per_warp;
	unsigned segments; /* 0: a stamped block takes all stamps */
	unsigned turn;
};

#endif
