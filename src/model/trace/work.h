/* work.h: the device work of a recording. */
#ifndef DBPROF_MODEL_TRACE_WORK_H
#define DBPROF_MODEL_TRACE_WORK_H

#include "store/store.h"
#include "util/error.h"

struct trace;

/* Reads it and sorts it by start: 0, or -1 with `err`. */
int trace_work(struct trace *trace, struct store *store, struct error *err);

#endif
