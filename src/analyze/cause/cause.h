/*
 * cause.h: which causes make the difference between single and double, each with its part in ns. docs/causes.md has the
 * formulas, the order of attribution and what is known of their errors.
 */
#ifndef DBPROF_ANALYZE_CAUSE_CAUSE_H
#define DBPROF_ANALYZE_CAUSE_CAUSE_H

#include <stdbool.h>
#include <stdint.h>

#include "analyze/cause/parts.h"

/* What the difference of a pair consists of. `kernel_bound`: without copies, so counters tell why. With `judged` false,
 * the difference itself is not sure, and no cause is named. Deterministic for a given seed. */
void causes_of(const struct cause_side *single, const struct cause_side *dbl, bool kernel_bound,
	struct part_ns difference, bool judged, uint64_t seed, struct causes *out);

#endif
