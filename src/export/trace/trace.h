/* trace.h: a trace in the JSON trace-event format, for the Perfetto UI and chrome://tracing. */
#ifndef DBPROF_EXPORT_TRACE_TRACE_H
#define DBPROF_EXPORT_TRACE_TRACE_H

#include "export/format.h"

extern const struct export_hooks export_trace_hooks;

#endif
