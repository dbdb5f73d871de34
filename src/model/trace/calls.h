/* calls.h: the API calls that asked for device work. */
#ifndef DBPROF_MODEL_TRACE_CALLS_H
#define DBPROF_MODEL_TRACE_CALLS_H

#include <stddef.h>

#include "store/store.h"
#include "util/error.h"

struct range;
struct trace;

/* Finds the call of each piece of work and fills by_call: 0, or -1 with `err`. */
int trace_calls(struct trace *trace, struct store *store, struct error *err);

/* The work that belongs to a range: by_call[first .. first + count). */
void range_work(const struct trace *trace, const struct range *range, size_t *first, size_t *count);

#endif
