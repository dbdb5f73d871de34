/* sample-rows.h: cases, samples and kernels become rows of a recording. */
#ifndef DBPROF_CONTRAST_SAMPLE_ROWS_H
#define DBPROF_CONTRAST_SAMPLE_ROWS_H

#include "contrast/samples.h"
#include "store/store.h"
#include "util/error.h"

/* DBPROF_FAMILY.name of a contrast. */
#define CONTRAST_FAMILY "contrast"

/* What the samples' rows say of the sides. All is borrowed. */
struct contrast_sides {
	const char *const *names; /* of their variants */
	const double *mhz;        /* SM clock in each process; NaN if unknown. NULL: none was read */
	const char *step_time;    /* DBPROF_CASE.stepTime of the program; NULL without a range */
};

/* Writes cases, samples and matched kernels. */
int rows_of_samples(struct recording *rec, const struct contrast_sides *sides, const struct contrast_samples *samples,
	struct error *err);

#endif
