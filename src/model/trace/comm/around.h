/* around.h: the NVTX ranges around a piece of work. */
#ifndef DBPROF_MODEL_TRACE_COMM_AROUND_H
#define DBPROF_MODEL_TRACE_COMM_AROUND_H

#include <stddef.h>

struct trace;

/* The push/pop ranges in which the call lies that asked for a piece of work, the innermost first: places in
 * trace.ranges, without those that lie in another one of their name. Zero it first. */
struct ranges_around {
	int *range; /* owned */
	size_t n, room;
	int innermost; /* of the piece that was looked at last, plus one: most others there have the same ranges */
};

/* Fills it for piece `i`. */
void ranges_around_work(struct ranges_around *around, const struct trace *trace, size_t i);

void ranges_around_free(struct ranges_around *around);

#endif
