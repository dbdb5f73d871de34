/* phase-stamps.h: what the time stamps of a block say. No CUDA calls. */
#ifndef DBPROF_RECORD_PASS_PHASE_STAMPS_H
#define DBPROF_RECORD_PASS_PHASE_STAMPS_H

#include <stdbool.h>
#include <stdint.h>

#include "variant.h"

/* The stamps of one block: [warp][per_warp]. The first 1 + phases of each warp are used. */
struct phase_block {
	const uint32_t *stamps;
	unsigned warps, per_warp;
};

/* A phase of a warp. */
struct phase_event {
	int step; /* step of the loop, from 0; what comes before the loop belongs to the first step, what follows to the
		     last */
	enum phase phase;
	uint32_t start, end; /* cycles after the block's first stamp */
};

/* Phases of a warp that makes `steps` steps. */
unsigned phase_plan_length(const struct phase_plan *plan, int steps);

/* Step and phase of phase `n` of a warp; its times are 0. */
struct phase_event phase_plan_place(const struct phase_plan *plan, int steps, unsigned n);

/* Segments of a block's life in the case of `state` where stamps are spread over blocks (phase.h); else 0. */
unsigned phase_plan_segments(const struct phase_plan *plan, const void *state);

/* How many of them to keep if a warp may keep `room`: all, or the prologue and as many whole steps from the first on,
 * at least one. *kept is the number of steps. */
unsigned phase_plan_kept(const struct phase_plan *plan, int steps, unsigned room, int *kept);

/* Whether the plan is good: it has letters l w c s only, and something in the loop. */
bool phase_plan_valid(const struct phase_plan *plan);

/* Why the stamps cannot be right, or NULL: some are missing (0), or one is earlier than the one before it. */
const char *phase_block_wrong(const struct phase_block *block, unsigned phases);

/* Cycles from the first stamp of any warp to the last stamp of any warp. */
uint32_t phase_block_life(const struct phase_block *block, unsigned phases);

/* Phase `n` of a warp. */
void phase_block_event(const struct phase_block *block, const struct phase_plan *plan, int steps, unsigned warp,
	unsigned n, struct phase_event *out);

/* "load", "wait", "compute", "store" */
const char *phase_name(enum phase phase);

#endif
