/* parts.h: the parts of a difference, each with its cause, and what they are found from. */
#ifndef DBPROF_ANALYZE_CAUSE_PARTS_H
#define DBPROF_ANALYZE_CAUSE_PARTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/cause/counted.h"
#include "analyze/cause/traced.h"
#include "analyze/statistics/ratio.h"

enum cause_id {
	CAUSE_COPIES_BESIDE_KERNELS,
	CAUSE_COPIES_BOTH_WAYS,
	CAUSE_PAGEABLE,
	CAUSE_COPY_COUNT,
	CAUSE_COPY_RATE,
	CAUSE_KERNEL_TIME,
	CAUSE_DEVICE_WORK,
	CAUSE_GPUS_IN_TURN,
	CAUSE_HOST_LATE,
	CAUSE_SPILLS,
	CAUSE_BARRIER,
	CAUSE_MEMORY,
	CAUSE_QUEUE,
	CAUSE_INSTRUCTIONS,
	CAUSE_ISSUE,
	CAUSE_OTHER_WAITS,
	CAUSE_OCCUPANCY,
	CAUSE_WAVES,
	CAUSE_OTHER_KERNELS, /* of a step of several kernels: one that only one side has */
	CAUSE_SMALLER_PARTS, /* of a step: all that are too small for the list */
	CAUSE_UNEXPLAINED,
	CAUSES
};
const char *cause_id_name(enum cause_id id); /* "copies-beside-kernels" ... */

/* A number of ns with its 95 % interval, whose ends are NaN if it is not known. */
struct part_ns {
	double value, low, high;
};

/* A part of the difference: positive where double gains by it. */
struct cause {
	enum cause_id id;
	struct part_ns ns;
	bool named; /* sure, and large enough to be said */
	int kernel; /* of a step: which of its kernels it is in, the caller's number; else -1 */
};

struct causes {
	struct part_ns difference; /* single - double */
	struct cause item[CAUSES]; /* the largest first, the unexplained rest last */
	size_t n;
	bool explained; /* the rest is at most half of the difference */
	int first;      /* enum cause_id: the largest named cause that goes the way of the difference; -1 without one */
	bool stable;    /* in the reverse order of attribution, the first cause is the same */
};

/* What is known of one side. */
struct cause_side {
	double median;                /* of the timed launches that the counters tell of, ns */
	const struct traced_run *run; /* traced launches; borrowed */
	size_t nruns;
	double allowance; /* ns by which a term of one run may differ from that of another, half a 95 % interval; it
			     counts where there are too few runs to show it. 0: not known */
	struct counted counted;
};

/* The difference of two medians, with the interval of their ratio. */
struct part_ns difference_of(double single, double dbl, const struct ratio *ratio);

/* How long SMs have work in the timed launches of both sides, ns: what the states of warps are shares of. False without
 * counters of both. */
bool kernel_active_times(const struct cause_side *single, const struct cause_side *dbl, double active[2]);

#endif
