/* choose.h: which loop holds the rounds. Within the room. */
#ifndef DBPROF_ANALYZE_ASM_CHOOSE_H
#define DBPROF_ANALYZE_ASM_CHOOSE_H

#include "analyze/asm/flow.h"
#include "analyze/asm/graph.h"

/* What a loop holds with the loops within it, but for those that only wait. */
struct asm_tally {
	size_t kinds[ASM_KINDS];
	size_t size;         /* instructions */
	size_t tile_stores;  /* stores to shared memory of what was loaded in the same loop */
	size_t bytes_moved;  /* by loads and stores of global memory, in this loop alone */
	size_t copied;       /* bytes of LDGSTS and tile_stores, and for others 1 each, in this loop or in inner ones
				that are no rounds */
	size_t waits_within; /* loops that only wait */
	uint64_t samples;
	uint64_t own_samples; /* of this loop alone */
	bool has_inner;       /* a loop within it does not only wait */
	bool has_inner_moves; /* a loop within it loads or stores */
	bool is_waiting;      /* it only waits for an mbarrier */
	bool has_rounds;      /* it is a loop over tiles, or holds one */
	bool is_round;        /* it is the innermost loop that brings tiles and uses them */
};

/* By loop, and behind them that of what is in no loop; for free(). */
struct asm_tally *asm_tally_loops(const struct asm_graph *graph, const struct asm_flow *flow);

/* The loop where the time is: with samples, where the most are; else the one that brings the most tiles, that loads and
 * stores the most, or is the largest. ASM_NO_LOOP: there is none. */
int asm_choose_loop(const struct asm_graph *graph, const struct asm_tally *tallies);

/* Copies to shared memory of whatever way, of registers the stores. */
size_t asm_copies_of(const struct asm_tally *tally);

/* Reads of shared memory. */
size_t asm_reads_of(const struct asm_tally *tally);

#endif
