/* barrier.h: how much of their time warps wait at barriers, as seen in three ways that do not know of each other. */
#ifndef DBPROF_ANALYZE_BARRIER_H
#define DBPROF_ANALYZE_BARRIER_H

#include <stddef.h>

/* A part of a whole: samples with a stall reason, cycles in a phase. */
struct labelled {
	const char *label; /* not NULL */
	double amount;
};

/* What the parts with this label amount to, of all parts together. NaN if all together are nothing. */
double labelled_share(const struct labelled *parts, size_t n, const char *label);

/* Counters: of warp-active cycles. PC samples: of samples. Phases: of the cycles of stamped warps. */
enum barrier_way { BARRIER_COUNTERS, BARRIER_SAMPLES, BARRIER_PHASES, BARRIER_WAYS };

struct disagreement {
	double share;                 /* largest minus smallest; NaN with fewer than two ways */
	enum barrier_way most, least; /* which ways these are; of equal ones the first */
};

/* share[i] is what way i gives, 0 to 1, or NaN. */
void barrier_disagreement(const double share[BARRIER_WAYS], struct disagreement *out);
const char *barrier_way_name(enum barrier_way way); /* "counters" ... */

#endif
