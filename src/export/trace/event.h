/* event.h: arguments of a trace's events, in whichever form it is written. */
#ifndef DBPROF_EXPORT_TRACE_EVENT_H
#define DBPROF_EXPORT_TRACE_EVENT_H

#include <stdint.h>

#include "util/strbuf.h"

struct export;

void arg_int(struct export *ex, struct strbuf *args, const char *key, int64_t number);
void arg_real(struct export *ex, struct strbuf *args, const char *key, double number); /* left out if not finite */
void arg_text(
	struct export *ex, struct strbuf *args, const char *key, const char *string); /* left out if NULL or empty */

#endif
