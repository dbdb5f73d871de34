/* phases.h: a variant whose phases are measured. phases.c and phases-rows.c share it. */
#ifndef DBPROF_RECORD_PASS_PHASES_H
#define DBPROF_RECORD_PASS_PHASES_H

#include "record/pass/instrumented.h"
#include "record/pass/phase-memory.h"

struct phased {
	struct instrumented kernel;
	const struct phase_plan *plan;
	int steps;
	unsigned phases; /* of a warp */
	struct kernel_config plain, stamped;
	struct phase_memory memory;
	double plain_cycles, stamped_cycles; /* medians of how long blocks ran (cycles) */
};

/* Writes the rows of a variant that was measured. */
void phases_write(const struct phased *p);

#endif
