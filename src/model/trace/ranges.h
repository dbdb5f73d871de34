/* ranges.h: the NVTX ranges of a recording. */
#ifndef DBPROF_MODEL_TRACE_RANGES_H
#define DBPROF_MODEL_TRACE_RANGES_H

#include "store/store.h"
#include "util/error.h"

struct trace;

/* Reads them, with depth and parent, behind the work, whose end is the end of ranges that were left open: 0, or -1 with
 * `err`. */
int trace_ranges(struct trace *trace, struct store *store, struct error *err);

#endif
