/* sample-checks.h: what a comparison compares: right results of the same work, in samples and runs that are enough. */
#ifndef DBPROF_MODEL_PAIR_SAMPLE_CHECKS_H
#define DBPROF_MODEL_PAIR_SAMPLE_CHECKS_H

#include "model/pair/state-checks.h"

enum { RUNS_NEEDED = 2 }; /* on one of the two sides */

pair_check judge_results, judge_parameters, judge_samples, judge_runs;

/* Whether the ratio has no interval because neither recording has runs to learn the spread from. */
bool lacks_runs(const struct compared *compared);

#endif
