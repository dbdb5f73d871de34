/* once.h: the launches of a run for compute-sanitizer beside those that are verified. */
#ifndef DBPROF_RECORD_PASS_ONCE_H
#define DBPROF_RECORD_PASS_ONCE_H

#include "record/worker/worker.h"

/* Launches once, and waits for, what has no result that could be verified: a variant that is a part of the work, and
 * the kernels with time stamps or meters. An error is noted as a problem of the worker. */
void once_unchecked(struct worker *w, const struct variant *variant, const struct size_case *size, void *state);

#endif
