/* around.h: the NVTX ranges around a piece of work. */
#ifndef DBPROF_MODEL_TRACE_COMM_AROUND_H
#define DBPROF_MODEL_TRACE_COMM_AROUND_H

#include <stdbool.h>
#include <stddef.h>

struct trace;

/* The innermost push/pop range in which the call lies that asked for piece `i`: its place in trace.ranges, or -1. The
 * ranges around that one are its parents. */
int range_around_work(const struct trace *trace, size_t i);

/* Whether no range around range `r` has its name. */
bool range_is_outermost_of_name(const struct trace *trace, int r);

#endif
