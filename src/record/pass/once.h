/* once.h: what a run for compute-sanitizer launches beside what is verified. */
#ifndef DBPROF_RECORD_PASS_ONCE_H
#define DBPROF_RECORD_PASS_ONCE_H

#include "record/work/worker.h"

/* Launches, once each and waiting for it, what no other pass has a result to check of: a variant that is a part of the
 * work, and the kernels with time stamps. An error is noted as a problem of the worker. */
void once_unchecked(struct worker *w, const struct variant *variant, const struct size_case *size, void *state);

#endif
