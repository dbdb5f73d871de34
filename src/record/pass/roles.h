/* roles.h: how long the warps of kernels with roles wait: producers for empty stages, consumers for full ones. */
#ifndef DBPROF_RECORD_PASS_ROLES_H
#define DBPROF_RECORD_PASS_ROLES_H

#include "record/pass/batch.h"
#include "record/pass/launch.h"

/* Whether the phases pass measures a variant's roles in a case: all cases that are timed, without points of sweeps. */
bool roles_wanted(const struct worker *w, const struct variant *variant, const struct size_case *size);

/* Measures them, and what it costs, and writes the rows. -1 with the problem noted. */
int roles_measure_variant(const struct launch *launch, struct batcher *batcher);

#endif
