/* recording-checks.h: whether two recordings as wholes were made alike: same GPU, same software, same way of timing. */
#ifndef DBPROF_MODEL_PAIR_RECORDING_CHECKS_H
#define DBPROF_MODEL_PAIR_RECORDING_CHECKS_H

#include "model/pair/comparing.h"
#include "model/pair/finding.h"

typedef void recording_check(const struct comparing *in, struct pair_finding *out);
recording_check judge_gpu, judge_software, judge_method;

/* Whether the recordings say that they are of two models of GPU. */
bool gpus_differ(const struct comparing *in);

#endif
