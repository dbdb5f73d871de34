/* rows.h: the commands that were run and their runs become rows of a recording. */
#ifndef DBPROF_CONTRAST_ROWS_H
#define DBPROF_CONTRAST_ROWS_H

#include "contrast/measure/measure.h"
#include "contrast/options.h"
#include "contrast/samples.h"
#include "store/store.h"
#include "util/error.h"

/* Writes the family, its variants and sides, and all runs with what does not count of them. `samples` is NULL where
 * there is no whole block. */
int rows_of_sides(struct recording *rec, const struct contrast_options *options, const struct measurement *measured,
	const struct contrast_samples *samples, struct error *err);

/* How a pass that follows the runs went. */
struct pass_row {
	const char *pass, *status;
	const struct error *reason; /* empty: none */
	int64_t start, end;         /* ns, of the time of day */
};

/* Writes the row of a pass. */
int row_of_pass(struct recording *rec, const struct pass_row *pass, struct error *err);

#endif
