/* sweep.h: the sweeps of a recording's families. */
#ifndef DBPROF_MODEL_SWEEP_SWEEP_H
#define DBPROF_MODEL_SWEEP_SWEEP_H

#include <jansson.h>

struct model;

/* Puts "sweeps", "holds" and "balance" into each of the families, which are those of families_json(). */
void sweeps_put(const struct model *model, json_t *families);

#endif
