/* state-checks.h: the state of the GPU while the samples of a comparison were taken: clock, throttling, company. */
#ifndef DBPROF_MODEL_PAIR_STATE_CHECKS_H
#define DBPROF_MODEL_PAIR_STATE_CHECKS_H

#include "model/pair/compared.h"
#include "model/pair/finding.h"

typedef void pair_check(const struct compared *compared, struct pair_finding *out);
pair_check judge_clock, judge_cycles, judge_throttling, judge_neighbours;

/* Whether a side has no times that could be looked at; then *out says why. */
bool lacks_times(const struct compared *compared, struct pair_finding *out);

#endif
