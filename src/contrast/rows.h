/* rows.h: the commands that were run and their runs become rows of a recording. */
#ifndef DBPROF_CONTRAST_ROWS_H
#define DBPROF_CONTRAST_ROWS_H

#include "contrast/measure.h"
#include "contrast/options.h"
#include "store/store.h"
#include "util/error.h"

/* Writes the family, its variants and sides, and all runs. */
int rows_of_sides(struct recording *rec, const struct contrast_options *options, const struct measurement *measured,
	struct error *err);

#endif
