/* counted-rows.h: what was counted, and the resources of the kernels, as rows of the recording. */
#ifndef DBPROF_CONTRAST_COUNT_COUNTED_ROWS_H
#define DBPROF_CONTRAST_COUNT_COUNTED_ROWS_H

#include "contrast/count/counted.h"
#include "store/store.h"

/* DBPROF_RESOURCE of each case of one kernel and side. How many blocks are resident follows from the limits of the GPU
 * that is the side's own; it is unknown where that GPU is. */
int rows_of_resources(struct recording *rec, const struct contrast_options *options,
	const struct contrast_samples *samples, const struct measurement *measured, struct error *err);

/* The pass, metrics, counters and DBPROF_COUNTER_RUN. `samples` may be NULL where nothing was counted. */
int rows_of_counted(struct recording *rec, const struct contrast_options *options,
	const struct contrast_samples *samples, const struct counted_kernels *counted, struct error *err);

#endif
