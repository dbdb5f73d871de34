/* share.h: a traced program may bring its own profiler, as PyTorch does. CUPTI has one set of callbacks in a process:
 * with ours in place, that profiler would see nothing. So its calls into CUPTI come past here. While it records it has
 * CUPTI for itself; before and after, the records are ours. */
#ifndef DBPROF_TRACE_INJECT_SHARE_H
#define DBPROF_TRACE_INJECT_SHARE_H

#include "record/cupti/activity.h"

/* From now on the calls into the CUPTI of `a` come past here, and the calls of _exit() and _Exit() go to `leave`, which
 * does not return. Neither happens in a process with several copies of CUPTI. */
void share_lead(struct activity *a, void (*leave)(int status));

/* One of our threads calls it from time to time: leads the calls of libraries that came since past here, and takes
 * CUPTI back when nobody else uses it any more. */
void share_tend(struct activity *a);

/* From now on nothing is recorded here, and CUPTI belongs to the program. No share_tend() may follow. */
void share_retire(struct activity *a);

/* How long the records have not been ours so far (ns). */
int64_t share_lent(void);

/* In the child of a fork(): CUPTI does not work there, and tells that to everybody who calls it. */
void share_forget(void);

#endif
