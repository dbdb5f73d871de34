/* ranges.h: the NVTX ranges of a recording. */
#ifndef DBPROF_MODEL_TRACE_RANGES_H
#define DBPROF_MODEL_TRACE_RANGES_H

#include <stdint.h>

#include "store/store.h"
#include "util/error.h"

struct numbering;
struct range_parts;
struct trace;

/* Reads them as they stand in the file. Threads are places in `threads`, which gets those that are new. Sets nranges.
 * The result is for trace_take_ranges() and range_parts_free(); NULL with `err`. */
struct range_parts *trace_read_ranges(
	struct trace *trace, struct numbering *threads, struct store *store, struct error *err);
void range_parts_free(struct range_parts *parts);

/* Moves them to trace.ranges by thread, in the order in which they were read, without depth and parent. `place` leads
 * from a thread's old place to that in trace.threads. The work was read before: a range that was left open ends with
 * the last of it. */
void trace_take_ranges(struct trace *trace, struct range_parts *parts, const uint32_t *place);

#endif
