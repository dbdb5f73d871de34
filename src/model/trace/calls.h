/* calls.h: the API calls that asked for device work. */
#ifndef DBPROF_MODEL_TRACE_CALLS_H
#define DBPROF_MODEL_TRACE_CALLS_H

#include <stddef.h>

#include "store/store.h"
#include "util/error.h"

struct numbering;
struct range;
struct trace;
struct work_list;

/* Finds the call of each piece of work: fills called, thread, what copies know of their calls, and calls. Threads are
 * places in `threads`, which gets those that are new. 0, or -1 with `err`. */
int trace_calls(struct trace *trace, struct numbering *threads, struct store *store, struct error *err);

/* Fills by_call and first_call, once threads are places in trace.threads. */
void trace_order_calls(struct trace *trace);

/* Work in the order of calls: by_call[first .. first + count). */
struct called_work {
	size_t first, count;
};

/* The work that belongs to a range. It is found sooner if it begins where that of the range looked at before, which
 * *work is, begins or ends, and if it is as much. Zero *work for the first. */
void range_work(const struct trace *trace, const struct range *range, struct called_work *work);

/* The same as a list, for free(out->item). */
void range_work_list(const struct trace *trace, const struct range *range, struct work_list *out);

#endif
