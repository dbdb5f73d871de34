/* notes.h: what a trace lacks. */
#ifndef DBPROF_MODEL_TRACE_NOTES_H
#define DBPROF_MODEL_TRACE_NOTES_H

#include <jansson.h>

struct trace;

/* Warnings for the diagnostics, [text]. */
json_t *trace_notes(const struct trace *trace);

#endif
