/* calls.c: see calls.h. */
#include "export/calls.h"

struct export_call export_call_of(const struct cursor *row)
{
	const char *name = cursor_text(row, RUNTIME_nameId);

	return (struct export_call){
		.start = cursor_time(row, RUNTIME_start),
		.end = cursor_time(row, RUNTIME_end),
		.thread = cursor_int(row, RUNTIME_globalTid),
		.correlation = cursor_int(row, RUNTIME_correlationId),
		.result = cursor_int(row, RUNTIME_returnValue),
		.name = name ? name : "CUDA call",
		.driver = cursor_int(row, RUNTIME_eventClass) == 1,
	};
}
