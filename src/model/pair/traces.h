/* traces.h: two traced runs side by side. */
#ifndef DBPROF_MODEL_PAIR_TRACES_H
#define DBPROF_MODEL_PAIR_TRACES_H

#include <jansson.h>
#include <stdbool.h>

#include "model/pair/options.h"
#include "util/error.h"

/* What a recording is to a comparison. */
enum comparable { COMPARABLE_FAMILIES, COMPARABLE_TRACE, COMPARABLE_PROGRAMS };

/* 0, or -1 with `err` if the file cannot be read. */
int comparable_kind(const char *path, enum comparable *kind, struct error *err);

/* The tree of a comparison in the mode "programs", for words_comparison(). `held` is the recording in which both runs
 * are a family: see contrast/traces.h. `has_range`: steps of a range were compared, else whole runs. NULL with `err`.
 */
json_t *model_pair_traces(const struct pair_options *options, const char *held, bool has_range, struct error *err);

#endif
