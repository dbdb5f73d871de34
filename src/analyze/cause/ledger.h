/* ledger.h: parts of a difference while they are found. Private to this folder and its tests. */
#ifndef DBPROF_ANALYZE_CAUSE_LEDGER_H
#define DBPROF_ANALYZE_CAUSE_LEDGER_H

#include "analyze/cause/parts.h"

struct ledger {
	struct part_ns part[CAUSES];
	bool there[CAUSES];
	double doubt; /* half the interval of the parts' sum, ns */
};

/* Adds to a cause's part; intervals add as independent errors do. A part that is exactly 0 is none. */
void ledger_add(struct ledger *ledger, enum cause_id id, struct part_ns ns);

/* The same for a value with half its interval. */
void ledger_add_half(struct ledger *ledger, enum cause_id id, double value, double half);

/* The cause with the largest part that goes the way of the difference, named or not; -1 without one. */
int ledger_first(const struct ledger *ledger, double difference);

/* Sorts the parts, adds the rest, and judges. */
void ledger_close(const struct ledger *ledger, struct part_ns difference, bool judged, struct causes *out);

/* Whether a part is sure, and large enough to be said beside the difference. */
bool part_is_named(struct part_ns ns, struct part_ns difference);

/* Sorts the parts that are there and adds the rest. `doubt`: half the interval of their sum, ns. */
void causes_close(struct causes *causes, double doubt);

/* sqrt(a^2 + b^2): half the interval of a sum of independent errors. */
double joined(double a, double b);

/* The median of a term over a side's traced launches, by trace_term_within() its timed ones; NaN without any. */
double side_term(const struct cause_side *side, enum trace_term term);

/* What a trace gives of a pair's difference in one term, by the medians: single - double. The interval is from
 * resampled launches; its ends are NaN with fewer than three on a side. */
struct part_ns term_difference(
	const struct cause_side *single, const struct cause_side *dbl, enum trace_term term, uint64_t seed);

/* What traced times are multiplied with, so that no side's span exceeds its timed median. 1 if the trace is shorter:
 * the rest then lies between launches. */
double trace_scale(const struct cause_side *single, const struct cause_side *dbl);

/* The parts that are not inside kernels: copies, overlap, other work, idle. `pipeline`: kernels as a whole too. */
void ledger_add_trace(struct ledger *ledger, const struct cause_side *single, const struct cause_side *dbl,
	bool pipeline, uint64_t seed);

/* What counters tell of the own kernel: warp states and occupancy, one before the other or, symmetric, the mean of both
 * orders. States alone where one side's grid has so many more warps that each does other work. Nothing without counters
 * of both sides. */
enum kernel_order { ORDER_SYMMETRIC, ORDER_STATES_FIRST, ORDER_OCCUPANCY_FIRST };
void ledger_add_kernel(
	struct ledger *ledger, const struct cause_side *single, const struct cause_side *dbl, enum kernel_order order);

#endif
