/* kinds.h: the kinds of steps that a traced run has: by the names of their kernels, and with grids and blocks. */
#ifndef DBPROF_CONTRAST_KINDS_H
#define DBPROF_CONTRAST_KINDS_H

#include <stdint.h>

#include "contrast/launches.h"
#include "store/store.h"
#include "util/error.h"

/* Fills kinds, shapes and empty steps of a run with a range, once it is known which steps are steady. `lists` is that
 * of each step. Names are those of the kernels, and live as long. */
void step_kinds_sum_up(struct launches *launches, const uint64_t *lists);

/* Writes a row of DBPROF_STEP_KIND for each kind and shape of a traced run. `run`: a row that has the family, the
 * variant and, of a run of a block, its place. */
int rows_of_step_kinds(struct recording *rec, const struct launches *launches, const struct value run[STEPKIND_NUMBER],
	struct error *err);

#endif
