/* load.h: a trace from the tables of a recording. */
#ifndef DBPROF_MODEL_TRACE_LOAD_H
#define DBPROF_MODEL_TRACE_LOAD_H

#include "store/store.h"
#include "util/error.h"

struct trace;

/* Fills *trace, which is for trace_free() whatever comes back: 0, or -1 with `err`. */
int trace_load(struct trace *trace, struct store *store, struct error *err);

#endif
