/* packets.h: a trace as TracePackets of Perfetto, in the format that its .proto files publish
 * (https://github.com/google/perfetto, protos/perfetto/trace). */
#ifndef DBPROF_EXPORT_TRACE_PACKETS_H
#define DBPROF_EXPORT_TRACE_PACKETS_H

#include "export/trace/form.h"

extern const struct trace_form trace_packets;

#endif
