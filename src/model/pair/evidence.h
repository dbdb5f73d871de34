/* evidence.h: the checks of a comparison, for the files compare-evidence*.c. */
#ifndef DBPROF_MODEL_PAIR_EVIDENCE_H
#define DBPROF_MODEL_PAIR_EVIDENCE_H

#include "model/family/checks.h"
#include "model/pair/pair-model.h"

/* A check fills *out, which comes as not measured, with NaN and no text: of the recordings as wholes, of one
 * comparison. */
typedef void shared_judge(const struct comparing *in, struct finding *out);
typedef void pair_judge(const struct compared *compared, struct finding *out);

/* compare-evidence-gpu.c: the same GPU, software, way of timing, clock; the same in cycles; not throttled; alone. */
shared_judge judge_gpu, judge_software, judge_method;
pair_judge judge_clock, judge_cycles, judge_throttling, judge_neighbours;

/* Whether a side has no times that could be looked at; then *out says why. */
bool lacks_times(const struct compared *compared, struct finding *out);

#endif
