/* rates.h: how fast copies move their bytes in each direction, as counters of a GPU in a process. */
#ifndef DBPROF_EXPORT_TRACE_RATES_H
#define DBPROF_EXPORT_TRACE_RATES_H

#include "export/format.h"
#include "export/trace/tracks.h"

/* A copy began; they come in the order of their starts. */
void rates_copy(struct export *ex, struct group *group, const struct export_work *copy);

/* The end of the trace. */
void rates_end(struct export *ex, struct tracks *tracks);

#endif
