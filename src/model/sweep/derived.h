/* derived.h: what a sweep's points depend on: variables derived from what is recorded of each, the rule that says where
 * the pair pays, and the variable that explains the gain. */
#ifndef DBPROF_MODEL_SWEEP_DERIVED_H
#define DBPROF_MODEL_SWEEP_DERIVED_H

#include <jansson.h>

struct sweep;

/* Puts W."derived", W."rule" and W."explains", and "derived" into each of W."points", which are those of the sweep and
 * have their verdicts. */
void derived_put(json_t *tree, const struct sweep *sweep);

#endif
