/* earliest.h: where a trace begins. */
#ifndef DBPROF_EXPORT_TRACE_EARLIEST_H
#define DBPROF_EXPORT_TRACE_EARLIEST_H

#include <stdint.h>

struct store;
struct error;

/* How far before the session's start the earliest event of the recording lies, in ns; 0 if none does. Reads all times.
 * -1 with `err`. */
int64_t trace_before_session(struct store *store, struct error *err);

#endif
