/* pass.c: names of the passes, and whether another profiler is at work. */
#include <stdlib.h>
#include <string.h>

#include "record/record.h"

const char *pass_name(enum pass pass)
{
	static const char *const names[] = {
		[PASS_VERIFY] = "verify",
		[PASS_TIME] = "time",
		[PASS_TRACE] = "trace",
		[PASS_PM] = "pm",
		[PASS_COUNTERS] = "counters",
		[PASS_STALLS] = "stalls",
		[PASS_PHASES] = "phases",
	};

	return names[pass];
}

static bool names_nsys(const char *variable)
{
	const char *value = getenv(variable);

	return value && (strstr(value, "nsys") || strstr(value, "ToolsInjection"));
}

bool record_under_nsys(void)
{
	return getenv("NSYS_PROFILING_SESSION_ID") || names_nsys("CUDA_INJECTION64_PATH");
}
