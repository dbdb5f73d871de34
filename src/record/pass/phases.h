/* phases.h: a variant whose phases are measured. phases.c and phases-rows.c share it. */
#ifndef DBPROF_RECORD_PASS_PHASES_H
#define DBPROF_RECORD_PASS_PHASES_H

#include "record/pass/instrumented.h"
#include "record/pass/phase-memory.h"
#include "record/pass/phase-spread.h"
#include "tools/barrier-probe.h"

struct phased {
	struct instrumented kernel;
	const struct phase_plan *plan;
	int steps;
	unsigned phases; /* of a warp */
	struct kernel_config plain, stamped;
	struct phase_memory memory;
	struct barrier_cycles probed;
	double plain_cycles, stamped_cycles; /* medians of how long blocks ran (cycles) */
	double *bounds; /* of a block, [warps][phases + 1]: phase_block_bounds(), or phase_spread_bounds() of the mean
			   one */
	int64_t cut;    /* phases that are cut to nothing, of the mean block or of all */

	/* Where stamps are spread: */
	bool is_mean;
	struct phase_spread spread;
	int64_t used, unused; /* stamped blocks that it is made of, and those left out */
};

/* Writes the rows of a variant that was measured. */
void phases_write(struct phased *p);

#endif
