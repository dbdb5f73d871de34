/* phase-spread.h: one mean block from many, each of which took the stamps of one segment of its life (phase.h). No CUDA
 * calls. */
#ifndef DBPROF_RECORD_PASS_PHASE_SPREAD_H
#define DBPROF_RECORD_PASS_PHASE_SPREAD_H

#include "record/pass/phase-stamps.h"
#include "util/error.h"

/* Sums over blocks of cycles before the end of each block's last warp, unless they say otherwise. */
struct phase_spread {
	const struct phase_plan *plan;
	int steps;
	unsigned phases, segments, warps;
	double leave;    /* cycles from a barrier's opening to a warp's clock behind it */
	unsigned *first; /* [segments + 1]: a segment's first phase, from 0 */
	double *blocks;  /* [segments]: number of them */
	double *opening; /* [segments]: when the barrier opened that ends the segment */
	double *ends;    /* [warps][phases]: ends of phases, before the opening; of the last segment, before the end */
	double compared; /* number of blocks that took begin and end only */
	double *life;    /* [warps][2]: begin and end, of these */
};

/* `segments`: those of the plan in this case. `leave`: see above. -1 with `err` if a segment is too long: nothing has
 * to be closed then. */
int phase_spread_open(struct phase_spread *spread, const struct phase_plan *plan, int steps, unsigned segments,
	unsigned warps, double leave, struct error *err);
void phase_spread_close(struct phase_spread *spread);

/* Adds a block with the stamps of `segment`, and one with begin and end only. Their stamps are right. */
void phase_spread_add(struct phase_spread *spread, const struct phase_block *block, unsigned segment);
void phase_spread_compare(struct phase_spread *spread, const struct phase_block *block);

/*
 * bounds[warps][phases + 1]: begin of a warp and the ends of its phases, in cycles after the first warp's begin.
 *
 * A barrier opens when the first warp has gone on, less `leave`; no sooner than the last warp has come. The blocks are
 * laid beside each other at their ends. What came before it stands before its opening, begin and end are those of the
 * compared blocks. Means of different blocks stray, and a warp may read its clock in front of a barrier while it still
 * waits at the one before. Where a phase ends before it begins, it ends where it begins: *cut is the number of these.
 * False if a segment has no block, or none was compared.
 */
bool phase_spread_bounds(const struct phase_spread *spread, double *bounds, int64_t *cut);

#endif
