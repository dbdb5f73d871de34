/* overlap.h: how copies and kernels of one GPU overlap in time. docs/numbers.md has the definitions. */
#ifndef DBPROF_ANALYZE_OVERLAP_H
#define DBPROF_ANALYZE_OVERLAP_H

#include <stdbool.h>
#include <stdint.h>

enum work_class { WORK_H2D, WORK_D2H, WORK_KERNEL, WORK_OTHER, WORK_CLASSES };

struct device_work {
	int64_t start, end;
	enum work_class cls;
};

struct overlap {
	int64_t span, idle;               /* last end - first start; span - busy_all */
	int64_t busy[WORK_CLASSES];       /* B(h2d), B(d2h), B(kernel), B(other) */
	int64_t busy_copy, busy_all;      /* B(h2d and d2h), B(everything) */
	int64_t overlap, exposed_copy;    /* union of copies with union of kernels; B(copy) - overlap */
	int64_t exposed_h2d, exposed_d2h; /* the same of each direction by itself; together at least exposed_copy */
	int64_t duplex;                   /* union of h2d with union of d2h */
	int64_t serial, hideable;         /* B(h2d) + B(kernel) + B(d2h); serial minus the largest of the three */
	int64_t floor;                    /* the largest of the three: what is left if the rest hides behind it */
	double overlap_ratio;             /* overlap / B(copy) */
	double concurrency;               /* (serial - B(all)) / hideable */
};

/* A sweep over work that comes piece by piece, ordered by start. Zero it first. */
struct overlap_sweep {
	int64_t at, start;         /* where the sweep is; where the first piece starts */
	int64_t end[WORK_CLASSES]; /* the latest end of each class; valid if `begun` */
	/* Sums up to where the sweep is. No time counts twice in any of them, so none is beyond 2^64. */
	uint64_t busy[WORK_CLASSES], busy_copy, busy_all, overlap, duplex;
	uint64_t h2d_kernel, d2h_kernel; /* time of each direction in which a kernel runs */
	bool begun;
};

/* For overlap_add(): begin a sweep, and count the time up to `to`. */
void overlap_begin(struct overlap_sweep *sweep, int64_t start);
void overlap_advance(struct overlap_sweep *sweep, int64_t to);

/* Adds a piece. Work without length counts nowhere, so the span starts and ends with work that takes time. */
static inline void overlap_add(struct overlap_sweep *sweep, const struct device_work *work)
{
	if (work->end <= work->start)
		return;
	if (!sweep->begun)
		overlap_begin(sweep, work->start);
	if (work->start > sweep->at)
		overlap_advance(sweep, work->start);
	if (work->end > sweep->end[work->cls])
		sweep->end[work->cls] = work->end;
}

/* Ends the sweep: all 0 if nothing was added. Times that do not fit become INT64_MAX. */
void overlap_end(struct overlap_sweep *sweep, struct overlap *out);

/* (span of single - span of double) / hideable of single. */
double hidden_share(const struct overlap *single, const struct overlap *dbl);

/* B(h2d) + B(d2h) of double over the same of single: how much longer copies take when both directions run. The
 * directions are added, not united: their overlap is the gain, and a union would hide the stretch. */
double copy_stretch(const struct overlap *single, const struct overlap *dbl);

#endif
