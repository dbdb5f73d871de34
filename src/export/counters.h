/* counters.h: what was measured against time, for an export. */
#ifndef DBPROF_EXPORT_COUNTERS_H
#define DBPROF_EXPORT_COUNTERS_H

struct export;

/* Gives readings of clocks, PM samples and the work beside them. 0, or -1 with ex->err. */
int export_counters(struct export *ex);

#endif
