/* change.h: how long a launch would take with another number of stages. Within the room. */
#ifndef DBPROF_ANALYZE_ADVISE_CHANGE_H
#define DBPROF_ANALYZE_ADVISE_CHANGE_H

#include "analyze/advise/now.h"

/* A way to run the kernel. */
struct advise_plan {
	double ahead;     /* tiles */
	double shared;    /* bytes of a block */
	double registers; /* of a thread */
	bool is_copied;   /* tiles came through registers, and come by asynchronous copies now */
};

struct advise_time {
	double ns;      /* of a launch; NaN: no block fits, or unknown */
	double free_ns; /* the same, if no unit had a limit */
	int resident;   /* blocks that fit on an SM */
	double l1; /* part of the time as run in which the L1 cache and shared memory are busy, of what they reach */
};

struct advise_plan advise_plan_of(const struct advise_kernel *kernel, const struct advise_now *now, int stages);

/* The plan that prefetches a tile into registers while another one is used; nothing else changes. */
struct advise_plan advise_plan_by_registers(const struct advise_kernel *kernel, const struct advise_now *now);
void advise_time_of(const struct advise_kernel *kernel, const struct advise_now *now, const struct advise_plan *plan,
	struct advise_time *out);

#endif
