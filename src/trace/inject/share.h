/* share.h: a traced program may bring its own profiler, as PyTorch does. CUPTI has one set of callbacks in a process:
 * with ours in place, that profiler would see nothing. So its calls into CUPTI come past here. While it records it has
 * CUPTI for itself; before and after, the records are ours. */
#ifndef DBPROF_TRACE_INJECT_SHARE_H
#define DBPROF_TRACE_INJECT_SHARE_H

#include "record/cupti/activity.h"

/* Finds libraries that call the CUPTI of `a`, and leads their calls past here: the first time in those that are loaded,
 * later in those that came since. Changes nothing if the process has several copies of CUPTI. */
void share_look(struct activity *a);

/* One of our threads calls it from time to time: looks again, and takes CUPTI back when nobody else uses it any more.
 */
void share_tend(struct activity *a);

/* From now on nothing is recorded here, and CUPTI belongs to the program. No share_tend() may follow. */
void share_retire(struct activity *a);

/* How long the records have not been ours so far (ns). */
int64_t share_lent(void);

/* In the child of a fork(): CUPTI does not work there, and tells that to everybody who calls it. */
void share_forget(void);

#endif
