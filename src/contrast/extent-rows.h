/* extent-rows.h: what a traced run has besides the times of the steps that count, as columns of DBPROF_BLOCK. */
#ifndef DBPROF_CONTRAST_EXTENT_ROWS_H
#define DBPROF_CONTRAST_EXTENT_ROWS_H

#include "contrast/launches.h"
#include "store/store.h"

enum { EXTENT_HASH_BYTES = 17 };

/* Fills BLOCK_graphs to BLOCK_emptyHostNs. All are NULL of another run; from BLOCK_allSteps on also without a range.
 * `hash` is room for a text of the row, and lives as long as it does. */
void put_extent(const struct launches *launches, char hash[EXTENT_HASH_BYTES], struct value row[BLOCK_NUMBER]);

/* Fills BLOCK_h2dNs and all columns behind it: where the host time of a step went, which is `step_ns` of as many first
 * steps in all runs. NULL where that is not known, or where all steps take another time than these. */
void put_step_work(const struct step_work *work, double step_ns, struct value row[BLOCK_NUMBER]);

#endif
