/* load.h: the parts that read a trace; private to them. */
#ifndef DBPROF_MODEL_TRACE_LOAD_H
#define DBPROF_MODEL_TRACE_LOAD_H

#include <jansson.h>

#include "store/store.h"
#include "util/error.h"

struct trace;

/* The text, stored once in the trace; equal texts give equal pointers. */
const char *trace_text(struct trace *trace, const char *text);

/* The same for the text of a column, or `otherwise` where it is NULL. */
const char *trace_name(struct trace *trace, const struct cursor *row, int column, const char *otherwise);

/* What the trace has to say in diagnostics, [text] (model-trace-notes.c). */
json_t *trace_notes(const struct trace *trace);

/* model-work.c: reads the device work, as it stands in the file. */
int trace_work(struct trace *trace, struct store *store, struct error *err);

/* model-calls.c: finds the API call of each piece of work and fills by_call. */
int trace_calls(struct trace *trace, struct store *store, struct error *err);

/* model-ranges.c: reads the NVTX ranges, with depth and parent. */
int trace_ranges(struct trace *trace, struct store *store, struct error *err);

/* model-nesting.c: sorts the ranges and gives them depth and parent. */
int trace_nest(struct trace *trace);

#endif
