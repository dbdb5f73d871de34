/* args.h: the arguments of trace events: what a viewer shows of the one that is selected. */
#ifndef DBPROF_EXPORT_TRACE_ARGS_H
#define DBPROF_EXPORT_TRACE_ARGS_H

#include "export/format.h"
#include "util/strbuf.h"

/* Both append to arguments that were begun; those of work lack the correlation id. */
void work_args(struct export *ex, struct strbuf *args, const struct export_work *work);
void range_args(struct export *ex, struct strbuf *args, const struct export_range *range);

#endif
