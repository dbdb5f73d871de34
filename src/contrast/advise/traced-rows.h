/* traced-rows.h: a traced run as part of the recording of an advice, so that one report tells of copies and kernels. */
#ifndef DBPROF_CONTRAST_ADVISE_TRACED_ROWS_H
#define DBPROF_CONTRAST_ADVISE_TRACED_ROWS_H

#include "store/store.h"
#include "util/error.h"

/* Copies what the recording of a traced run tells of GPUs, work, calls and processes, at the time when it ran. */
int rows_of_traced_run(struct recording *rec, const char *traced, struct error *err);

#endif
