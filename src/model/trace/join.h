/* join.h: finds the device work that an API call asked for, by process and correlation id. */
#ifndef DBPROF_MODEL_TRACE_JOIN_H
#define DBPROF_MODEL_TRACE_JOIN_H

#include "model/trace/trace.h"

/* The work of one process by correlation id. Profilers count these ids: where they are dense a table holds them all,
 * else they are hashed. */
struct join_table {
	int64_t process;
	int64_t low, high; /* its correlation ids */
	size_t n;          /* pieces of work that have one */
	uint32_t *first;   /* a piece of work plus one; 0: none */
	size_t size;       /* of `first`; a power of two where it is hashed */
	bool dense;
};

struct join {
	const struct trace *trace;
	struct join_table *table; /* by process */
	size_t n;
	uint32_t *of_lane; /* by lane: its table */
	uint32_t *next;    /* by piece of work: the next one of the same place plus one; 0: none */
	size_t last;       /* the table that was asked for last */
};

/* Of all work of the trace, whose correlations are still there. For join_free(). */
void join_make(struct join *join, const struct trace *trace);
void join_free(struct join *join);

/* The first piece of work of a call, plus one, then join_next() of each; 0 where there is none. */
uint32_t join_first(struct join *join, int64_t process, int64_t correlation);
uint32_t join_next(const struct join *join, uint32_t item);

#endif
