/* trace.h: a trace, for the Perfetto UI: in the JSON trace-event format, and in Perfetto's own. */
#ifndef DBPROF_EXPORT_TRACE_TRACE_H
#define DBPROF_EXPORT_TRACE_TRACE_H

#include "export/format.h"

extern const struct export_hooks export_trace_hooks;  /* JSON */
extern const struct export_hooks export_packet_hooks; /* Perfetto's own: TracePacket of its published .proto files */

#endif
