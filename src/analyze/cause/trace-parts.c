/* trace-parts.c: what the trace of both sides tells of their difference. Its terms add up to the span exactly, so no
 * order of attribution changes them. */
#include "analyze/cause/ledger.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/statistics/order.h"
#include "analyze/statistics/random.h"
#include "analyze/statistics/spread.h"
#include "analyze/statistics/stats.h"
#include "analyze/thresholds.h"
#include "util/alloc.h"

/* Fewer launches tell nothing of their spread. */
enum { RUNS_NEEDED = 3 };

/* Many launches tell the median so well that fewer draws do. */
enum { MANY_RUNS = 200, FEW_RESAMPLES = 399 };

/* ---- one term ---- */

/* A launch's term, and which launch it is. */
struct launch_term {
	double ns;
	size_t launch;
};

/* The terms of one side in order, and the place of each launch in it: draws are counted there, and need no sorting. */
struct ordered_terms {
	struct launch_term *term;
	size_t n, *place, *drawn;
};

static struct ordered_terms order_terms(const struct cause_side *side, enum trace_term term)
{
	size_t n = side->nruns;
	struct ordered_terms out = {
		xcalloc(n, sizeof(*out.term)), n, xcalloc(n, sizeof(*out.place)), xcalloc(n, sizeof(*out.drawn))};

	for (size_t i = 0; i < n; i++)
		out.term[i] = (struct launch_term){trace_term_within(&side->run[i], term, side->median), i};
	/* The number comes first in it. */
	qsort(out.term, n, sizeof(*out.term), compare_doubles);
	for (size_t i = 0; i < n; i++)
		out.place[out.term[i].launch] = i;
	return out;
}

static void free_terms(struct ordered_terms *terms)
{
	free(terms->term);
	free(terms->place);
	free(terms->drawn);
}

static double median_of_draws(struct ordered_terms *terms, uint64_t *state)
{
	size_t n = terms->n, at = 0, seen;
	double lower;

	memset(terms->drawn, 0, n * sizeof(*terms->drawn));
	for (size_t i = 0; i < n; i++)
		terms->drawn[terms->place[random_below(state, n)]]++;
	seen = terms->drawn[0];
	while (seen <= (n - 1) / 2)
		seen += terms->drawn[++at];
	lower = terms->term[at].ns;
	while (seen <= n / 2)
		seen += terms->drawn[++at];
	return (lower + terms->term[at].ns) / 2;
}

/* The ends of the interval from drawn differences: 2.5 % of them lie beyond each. */
static void interval_of_draws(double *differences, size_t count, struct part_ns *out)
{
	size_t tail = (count + 1) / 40;

	qsort(differences, count, sizeof(*differences), compare_doubles);
	out->low = fmin(differences[tail - 1], out->value);
	out->high = fmax(differences[count - tail], out->value);
}

static void resample_difference(struct ordered_terms terms[2], uint64_t seed, struct part_ns *out)
{
	size_t count = terms[0].n + terms[1].n > MANY_RUNS ? FEW_RESAMPLES : RESAMPLES;
	double *differences = xcalloc(count, sizeof(*differences));

	for (size_t r = 0; r < count; r++) {
		differences[r] = median_of_draws(&terms[0], &seed);
		differences[r] -= median_of_draws(&terms[1], &seed);
	}
	interval_of_draws(differences, count, out);
	free(differences);
}

double side_term(const struct cause_side *side, enum trace_term term)
{
	double *ns = xcalloc(side->nruns + 1, sizeof(*ns)), median;

	for (size_t i = 0; i < side->nruns; i++)
		ns[i] = trace_term_within(&side->run[i], term, side->median);
	median = side->nruns ? median_of(ns, side->nruns) : NAN;
	free(ns);
	return median;
}

struct part_ns term_difference(
	const struct cause_side *single, const struct cause_side *dbl, enum trace_term term, uint64_t seed)
{
	struct part_ns out = {side_term(single, term) - side_term(dbl, term), NAN, NAN};
	struct ordered_terms terms[2];
	double allowance = fmax(single->allowance, dbl->allowance);

	if (single->nruns < RUNS_NEEDED || dbl->nruns < RUNS_NEEDED)
		return allowance > 0 ? (struct part_ns){out.value, out.value - allowance, out.value + allowance} : out;
	terms[0] = order_terms(single, term);
	terms[1] = order_terms(dbl, term);
	resample_difference(terms, seed, &out);
	free_terms(&terms[0]);
	free_terms(&terms[1]);
	return out;
}

/* ---- all of them ---- */

double trace_scale(const struct cause_side *single, const struct cause_side *dbl)
{
	double a = single->median / side_term(single, TERM_SPAN), b = dbl->median / side_term(dbl, TERM_SPAN);

	return fmin(1, fmin(a, b));
}

static const struct traced_run *middle_run(const struct cause_side *side)
{
	return &side->run[side->nruns / 2];
}

static double copied_times(const struct cause_side *side)
{
	return (double)middle_run(side)->copies;
}

static double copied_bytes(const struct cause_side *side)
{
	return (double)middle_run(side)->copy_bytes;
}

static bool differs(double a, double b, double share)
{
	return fabs(a - b) > share * fmax(a, b);
}

/* Why copies take longer on one side: every launch does the same ones. */
static enum cause_id copies_cause(const struct cause_side *single, const struct cause_side *dbl)
{
	if (single->run[0].pageable != dbl->run[0].pageable)
		return CAUSE_PAGEABLE;
	if (differs(copied_times(single), copied_times(dbl), notable_share) ||
		differs(copied_bytes(single), copied_bytes(dbl), notable_work_share))
		return CAUSE_COPY_COUNT;
	return CAUSE_COPY_RATE;
}

static struct part_ns scaled(struct part_ns ns, double scale)
{
	struct part_ns out = {ns.value * scale, ns.low * scale, ns.high * scale};

	return scale < 0 ? (struct part_ns){out.value, out.high, out.low} : out;
}

void ledger_add_trace(struct ledger *ledger, const struct cause_side *single, const struct cause_side *dbl,
	bool pipeline, uint64_t seed)
{
	const struct {
		enum trace_term term;
		enum cause_id id;
		int sign;
		bool any; /* also if a kernel bounds the pair */
	} terms[] = {
		{TERM_COPIES, copies_cause(single, dbl), 1, true},
		{TERM_OVERLAP, CAUSE_COPIES_BESIDE_KERNELS, -1, true},
		{TERM_DUPLEX, CAUSE_COPIES_BOTH_WAYS, -1, true},
		{TERM_OWN_KERNEL, CAUSE_KERNEL_TIME, 1, pipeline},
		{TERM_OTHER_KERNELS, CAUSE_KERNEL_TIME, 1, true},
		{TERM_OTHER, CAUSE_DEVICE_WORK, 1, true},
		{TERM_ELSEWHERE, CAUSE_GPUS_IN_TURN, 1, true},
		{TERM_IDLE, CAUSE_HOST_LATE, 1, true},
	};
	double scale = trace_scale(single, dbl);
	struct part_ns span = term_difference(single, dbl, TERM_SPAN, seed);

	for (size_t i = 0; i < sizeof(terms) / sizeof(terms[0]); i++) {
		if (terms[i].any)
			ledger_add(ledger, terms[i].id,
				scaled(term_difference(single, dbl, terms[i].term, seed), terms[i].sign * scale));
	}
	if (pipeline && isfinite(span.low))
		ledger->doubt = joined(ledger->doubt, scale * fmax(span.value - span.low, span.high - span.value));
}
