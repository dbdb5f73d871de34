/* nesting.h: which NVTX range lies in which. */
#ifndef DBPROF_MODEL_TRACE_NESTING_H
#define DBPROF_MODEL_TRACE_NESTING_H

#include "util/error.h"

struct trace;

/* Sorts the ranges of each thread, and gives them depth and parent: 0, or -1 with `err`. They stand by thread. */
int trace_nest(struct trace *trace, struct error *err);

#endif
