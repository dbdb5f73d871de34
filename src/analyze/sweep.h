/* sweep.h: what a grid of speed-ups says: where it crosses 1, how good a prediction was, how much of the work was
 * hidden. */
#ifndef DBPROF_ANALYZE_SWEEP_H
#define DBPROF_ANALYZE_SWEEP_H

#include <stdbool.h>
#include <stddef.h>

#include "analyze/statistics/ratio.h"
#include "analyze/statistics/verdict.h"

/* ---- along a curve ---- */

/* A point of a curve of speed-ups. */
struct curve_point {
	double x;             /* the swept parameter; INFINITY where it is not limited */
	double ratio;         /* single over double; NaN if not measured */
	enum verdict verdict; /* unclear if not measured */
};

/* Two clear points of a curve, with no clear one between them, whose verdicts differ. */
struct crossover {
	size_t before, after; /* their indices */
	double level;         /* the ratio that the curve crosses: 1, or the band's end where one of them is "same" */
	double x;             /* where it crosses, linear in log(x); NaN where a neighbour's x has no logarithm */
};

/* The crossovers of a curve with x rising. The verdict turns somewhere between the ends of a bracket: points that are
 * unclear or not measured widen it. `out` has room for n. Returns how many there are. */
size_t crossovers_find(const struct curve_point *points, size_t n, double band, struct crossover *out);

/* ---- bytes under way ---- */

/* A point of a curve whose work is the same everywhere: what is under way, and the time it takes. */
struct supply {
	double bytes, ns; /* NaN if not known or not measured: such a point counts nowhere */
};

/* From how many bytes on a curve has enough under way. */
struct enough {
	double least, most; /* bytes, of the points that count */
	double from;        /* the least with which nothing that has more is faster by `band` or more; NaN if none is */
};

/* The points in any order. The one with most under way shows nothing: it may be enough, or too little. False if fewer
 * than two numbers of bytes were measured. */
bool enough_find(const struct supply *points, size_t n, double band, struct enough *out);

/* ---- prediction against measurement ---- */

/* A speed-up, predicted and measured. */
struct predicted_point {
	double predicted, measured; /* ratios, single over double */
	enum verdict verdict;       /* of the measured one */
};

/* An answer that is the same for all points, and for how many it would have been right. */
struct constant_answer {
	enum verdict answer;
	size_t right;
};

struct prediction_score {
	size_t points; /* points with a prediction and a measured ratio; the others count nowhere */

	/* Sign: of the points that are faster or slower, how many have a predicted ratio on the same side of 1. */
	size_t outside, right_sign;
	struct constant_answer best_sign; /* of "faster" and "slower" */

	/* Verdict: of the points that are faster, slower or the same, for how many the predicted ratio gives the same
	 * word by the same band. */
	size_t clear, right_verdict;
	struct constant_answer best_verdict; /* the best of the three words; ties: the first of the enum */

	double median_error; /* median of |predicted / measured - 1|; NaN without points */
};

void prediction_score(const struct predicted_point *points, size_t n, double band, struct prediction_score *out);

/* ---- parts of the work, each timed alone ---- */

/* Times. A part that the work does not have is 0, one that was not measured is NaN. */
struct work_parts {
	double loads, stores, compute;
};

/* The least time that the work can take: the shortest of the schedules that only move its bytes, or its computation if
 * that takes longer. NaN without a schedule; a `compute` that is NaN is left out. */
double floor_of_parts(const double *schedules, size_t n, double compute);

/* How much double buffering saved of what perfect overlap could save: (single - double) over the sum of the parts less
 * the longest. NaN if a part was not measured or nothing could be hidden. */
double hidden_from_parts(double single, double dbl, const struct work_parts *parts);

/* ---- a claim about one end of a curve ---- */

enum claim_rule {
	GAIN_IS_LARGE, /* faster, with at least half of the largest gain on the curve and more than at the other end */
	GAIN_IS_SMALL, /* not faster, or with less than half of the largest gain */
	GAIN_IS_LARGER /* the speed-up's interval is above the interval of the other end */
};
enum holds {
	HOLDS_YES,
	HOLDS_NO,
	HOLDS_UNCLEAR,
	HOLDS_ELSEWHERE, /* the curve does not reach the end that the claim is about; claim_holds() never says so */
	HOLDS_COUNT
};

/* A measured speed-up. */
struct judged {
	struct ratio ratio;
	enum verdict verdict;
};

/* `other`: the curve's other end; `best`: where its ratio is largest. Unclear if a verdict that the rule needs is
 * unclear, or if two intervals that it compares overlap. */
enum holds claim_holds(
	enum claim_rule rule, const struct judged *at, const struct judged *other, const struct judged *best);

/* ---- a tile's balance of compute to load ---- */

struct tile_balance {
	double compute_s, load_s; /* per tile */
	double ratio;             /* compute over load: 1 is balanced */
};

/*
 * For a product's square tiles: `fmas` per tile over the rate of the whole GPU, and the bytes of two tiles of floats, 2
 *
 * tile^2
 *
 * 4, over its bandwidth.
 */
void tile_balance(double tile, double fmas, double fma_per_s, double bytes_per_s, struct tile_balance *out);

#endif
