/* pair.h: two recordings side by side, as numbers: per variant and case the ratio of the times, its interval, a
 * verdict, and the checks of the evidence. */
#ifndef DBPROF_MODEL_PAIR_PAIR_H
#define DBPROF_MODEL_PAIR_PAIR_H

#include <jansson.h>

#include "model/pair/options.h"
#include "util/error.h"

/*
 * The tree of a comparison of families (docs/compare.md), for words_comparison(), which puts its sentences in. Until
 * then, a check has no "text" and "failure", but what they are made of: "missing" (why it was not measured) and
 * "facts"; an advice, and a reason that dbprof gives itself, is an object with an "id".
 *
 * A new reference, or NULL with `err`: error_is_of_system() tells a failure from bad input (no recording, no times in
 * it, nothing in common).
 */
json_t *model_pair_build(const struct pair_options *options, struct error *err);

#endif
