/* ranges.h: the NVTX ranges of a recording. */
#ifndef DBPROF_MODEL_TRACE_RANGES_H
#define DBPROF_MODEL_TRACE_RANGES_H

#include "store/store.h"
#include "util/error.h"

struct numbering;
struct trace;

/* Reads them in any order, without depth and parent. Threads are places in `threads`, which gets those that are new. 0,
 * or -1 with `err`. The work was read before: a range that was left open ends with the last of it. */
int trace_ranges(struct trace *trace, struct numbering *threads, struct store *store, struct error *err);

#endif
