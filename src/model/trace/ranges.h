/* ranges.h: the NVTX ranges of a recording. */
#ifndef DBPROF_MODEL_TRACE_RANGES_H
#define DBPROF_MODEL_TRACE_RANGES_H

#include "store/store.h"
#include "util/error.h"

struct trace;

/* Reads them, with depth and parent: 0, or -1 with `err`. The work was read before: a range that was left open ends
 * with the last of it. */
int trace_ranges(struct trace *trace, struct store *store, struct error *err);

#endif
