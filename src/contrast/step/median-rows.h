/* median-rows.h: writes the median steps of a pair of sides. */
#ifndef DBPROF_CONTRAST_MEDIAN_ROWS_H
#define DBPROF_CONTRAST_MEDIAN_ROWS_H

#include <stddef.h>
#include <stdint.h>

#include "contrast/step/median-step.h"
#include "store/store.h"

/* Of how many sides steps are shown: of the family's pair, see contrast_side_shown(). */
enum { MEDIAN_SIDES = 2 };

/* The traced runs of a side. All is borrowed. */
struct median_side {
	size_t side; /* its number */
	const char *variant;
	const struct median_run *runs;
	size_t n;
};

/* Chooses a step of each side and writes its row of DBPROF_MEDIAN_STEP, and its work, ranges and calls into the tables
 * of a trace. `options` are those that the runs were loaded with; `measure` is that of the steps of all runs;
 * `epoch_ns` is the start of the recording's session. A side without a steady step has no row. */
int rows_of_median_steps(struct recording *rec, const struct launches_options *options, enum step_measure measure,
	int64_t epoch_ns, const struct median_side sides[MEDIAN_SIDES], struct error *err);

#endif
