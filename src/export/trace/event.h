/* event.h: what trace events of several kinds have: a place, and arguments after an opening brace or others. */
#ifndef DBPROF_EXPORT_TRACE_EVENT_H
#define DBPROF_EXPORT_TRACE_EVENT_H

#include "export/trace/track.h"
#include "util/strbuf.h"

/* Process, thread (0: the process as a whole) and time stamp of an event. */
void put_place(struct strbuf *text, int pid, int tid, int64_t ts);

/* A counter of a process: its value from a time on. */
void put_counter(
	struct strbuf *text, const struct group *group, const char *name, const char *unit, double value, int64_t ts);

/* Begins an argument, whose value is to follow. */
void arg_begin(struct strbuf *text, const char *key);
void arg_int(struct strbuf *text, const char *key, int64_t number);
void arg_real(struct strbuf *text, const char *key, double number);      /* left out if it is not finite */
void arg_text(struct strbuf *text, const char *key, const char *string); /* left out if NULL or empty */

#endif
