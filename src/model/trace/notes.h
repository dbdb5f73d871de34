/* notes.h: what a trace lacks. */
#ifndef DBPROF_MODEL_TRACE_NOTES_H
#define DBPROF_MODEL_TRACE_NOTES_H

#include <jansson.h>

struct trace;

/* Adds warnings to the diagnostics: words/diagnostics.c makes their texts. */
void trace_notes(const struct trace *trace, json_t *list);

#endif
