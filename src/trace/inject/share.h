/*
 * share.h: a traced program may bring a profiler of its own, as PyTorch does. CUPTI has one set of callbacks per
 * process: with ours in them, that profiler would see nothing. So its calls into CUPTI come past here, and while it
 * records it has CUPTI for itself; before and after, the records are ours.
 */
#ifndef DBPROF_TRACE_INJECT_SHARE_H
#define DBPROF_TRACE_INJECT_SHARE_H

#include "record/cupti/activity.h"

/* Looks for libraries that call the CUPTI of `a`, and leads their calls past here: those that are loaded now, and with
 * each further call those that came since. Nothing is changed where the process has several copies of CUPTI. */
void share_look(struct activity *a);

/* From time to time, from a thread of ours: looks again, and takes CUPTI back when it is no longer used. */
void share_tend(struct activity *a);

/* For good: nothing is recorded here from now on, and CUPTI is the program's. No share_tend() may follow. */
void share_retire(struct activity *a);

/* Time in which the records were not ours so far (ns). */
int64_t share_lent(void);

/* In the child of a fork(): CUPTI does not work there, and whoever calls it hears so. */
void share_forget(void);

#endif
