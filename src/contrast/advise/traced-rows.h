/* traced-rows.h: a traced run as part of the recording of an advice, so that one report tells of copies and kernels. */
#ifndef DBPROF_CONTRAST_ADVISE_TRACED_ROWS_H
#define DBPROF_CONTRAST_ADVISE_TRACED_ROWS_H

#include <stdint.h>

#include "store/store.h"
#include "util/error.h"

/* Copies what the recording of a traced run tells of GPUs, work, calls and processes. `start` is when the run began
 * (CLOCK_REALTIME, ns). */
int rows_of_traced_run(struct recording *rec, const char *traced, int64_t start, struct error *err);

#endif
