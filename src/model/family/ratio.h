/* ratio.h: ratios of two measured times, and what draws their intervals. */
#ifndef DBPROF_MODEL_FAMILY_RATIO_H
#define DBPROF_MODEL_FAMILY_RATIO_H

#include <jansson.h>
#include <stdint.h>

#include "analyze/analyze.h"

struct measured;
struct model;

json_t *ratio_json(const struct ratio *ratio);

/* Time of `over` / time of `under`. */
void ratio_of(const struct model *model, const struct measured *over, const struct measured *under, struct ratio *out);

/* The recording's seed, which the bootstraps draw from; 0 if it has none. */
uint64_t seed_of(const struct model *model);

#endif
