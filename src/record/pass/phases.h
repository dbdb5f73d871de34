/* phases.h: a variant whose phases are measured. phases.c and phases-rows.c share it. */
#ifndef DBPROF_RECORD_PASS_PHASES_H
#define DBPROF_RECORD_PASS_PHASES_H

#include "record/pass/instrumented.h"
#include "record/pass/phase-memory.h"
#include "record/pass/phase-spread.h"

struct phased {
	struct instrumented kernel;
	const struct phase_plan *plan;
	int steps;
	unsigned phases; /* of a warp */
	struct kernel_config plain, stamped;
	struct phase_memory memory;
	double plain_cycles, stamped_cycles; /* medians of how long blocks ran (cycles) */

	/* Where stamps are spread: */
	struct phase_spread spread;
	double *bounds;       /* of the mean block: phase_spread_bounds() */
	unsigned cut;         /* its phases that are cut to nothing */
	int64_t used, unused; /* stamped blocks that it is made of, and those left out */
};

/* Writes the rows of a variant that was measured. */
void phases_write(const struct phased *p);

#endif
