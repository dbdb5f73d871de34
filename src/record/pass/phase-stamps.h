/* phase-stamps.h: what the time stamps of a block say. No CUDA calls. */
#ifndef DBPROF_RECORD_PASS_PHASE_STAMPS_H
#define DBPROF_RECORD_PASS_PHASE_STAMPS_H

#include <stdbool.h>
#include <stdint.h>

#include "variant.h"

/* The stamps of one block: [warp][per_warp]. */
struct phase_block {
	const uint32_t *stamps;
	unsigned warps, per_warp;
};

/* What a phase of a warp is. */
struct phase_place {
	int step; /* step of the loop, from 0; what comes before the loop belongs to the first step, what follows to the
		     last */
	enum phase phase;
};

/* Phases of a warp that makes `steps` steps. */
unsigned phase_plan_length(const struct phase_plan *plan, int steps);

/* Time stamps of a warp that makes `steps` steps and takes all. */
unsigned phase_plan_stamps(const struct phase_plan *plan, int steps);

/* Step and phase of phase `n` of a warp. */
struct phase_place phase_plan_place(const struct phase_plan *plan, int steps, unsigned n);

/* Segments of a block's life in the case of `state` where stamps are spread over blocks (phase.h); else 0. */
unsigned phase_plan_segments(const struct phase_plan *plan, const void *state);

/* How many of them to keep if a warp may keep `room`: all, or the prologue and as many whole steps from the first on,
 * at least one. *kept is the number of steps. */
unsigned phase_plan_kept(const struct phase_plan *plan, int steps, unsigned room, int *kept);

/* Whether the plan is good: it has letters l w c s only, something in the loop, and no wait behind a wait. */
bool phase_plan_valid(const struct phase_plan *plan);

/* Why the stamps cannot be right, or NULL: some are missing (0), or one is earlier than the one before it. */
const char *phase_block_wrong(const struct phase_block *block);

/* Cycles from the first stamp of any warp to the last stamp of any warp. */
uint32_t phase_block_life(const struct phase_block *block);

/*
 * bounds[warps][phases + 1]: begin of a warp and the ends of its phases, in cycles after the block's first stamp, of a
 * block that takes all stamps.
 *
 * A wait ends when the barrier opens: `barrier` cycles after the last warp has come. What a warp's own clock would read
 * behind it also holds its way to the next access to memory, and the turns in which the warps of a scheduler go on. A
 * phase that would end before it begins ends where it begins. The number of these is returned: it is 0 where each clock
 * is read in its place.
 */
unsigned phase_block_bounds(
	const struct phase_block *block, const struct phase_plan *plan, int steps, unsigned barrier, double *bounds);

/* "load", "wait", "compute", "store" */
const char *phase_name(enum phase phase);

#endif
