/* barrier.h: how much of their time warps wait at barriers, as three independent ways of measuring see it. */
#ifndef DBPROF_ANALYZE_BARRIER_H
#define DBPROF_ANALYZE_BARRIER_H

#include <stddef.h>

/* A part of a whole: samples with a stall reason, cycles in a phase. */
struct labelled {
	const char *label; /* not NULL */
	double amount;
};

/* The share that the parts with this label have in the sum of all parts. NaN if that sum is 0. */
double labelled_share(const struct labelled *parts, size_t n, const char *label);

/* What the shares are of. Counters: warp-active cycles. PC samples: samples. Phases: the cycles of stamped warps. */
enum barrier_way { BARRIER_COUNTERS, BARRIER_SAMPLES, BARRIER_PHASES, BARRIER_WAYS };

struct disagreement {
	double share;                 /* largest minus smallest; NaN with fewer than two ways */
	enum barrier_way most, least; /* which ways gave these; of equal ones the first */
};

/* share[i] is what way i says, 0 to 1, or NaN. */
void barrier_disagreement(const double share[BARRIER_WAYS], struct disagreement *out);
const char *barrier_way_name(enum barrier_way way); /* "counters" ... */

#endif
