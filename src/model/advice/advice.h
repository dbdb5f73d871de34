/* advice.h: what was judged of a program's kernels while it was recorded: docs/report-json.md. */
#ifndef DBPROF_MODEL_ADVICE_ADVICE_H
#define DBPROF_MODEL_ADVICE_ADVICE_H

#include <jansson.h>

struct model;

/* Puts "advice", a list of kernels, and "advised", the whole program: neither where nothing was advised. */
void advice_put(json_t *tree, const struct model *model);

#endif
