/* json.h: a trace in the JSON trace-event format, for the Perfetto UI and chrome://tracing. */
#ifndef DBPROF_EXPORT_TRACE_JSON_H
#define DBPROF_EXPORT_TRACE_JSON_H

#include "export/trace/form.h"

extern const struct trace_form trace_json;

#endif
