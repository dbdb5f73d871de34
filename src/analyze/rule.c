/* rule.c: see rule.h. Chance is told by permutations: the same hits (or numbers) on other points, and the best that any
 * variable makes of them. */
#include "analyze/rule.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/thresholds.h"
#include "util/alloc.h"

enum { PERMUTATIONS = 1999, FEWEST_PERMUTATIONS = 199, MOST_STEPS = 20000000 };

/* Of two splits that differ by rounding only, the first is taken. */
static const double rounding = 1e-9;

/* ---- permutations ---- */

/* SplitMix64 (Steele, Lea and Flood, 2014): 0 to n - 1. */
static size_t permutation_draw(uint64_t *state, size_t n)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return (size_t)((((z ^ (z >> 31)) & UINT32_MAX) * n) >> 32);
}

static void permutation_shuffle(double *x, size_t n, uint64_t *state)
{
	for (size_t i = n; i > 1; i--) {
		size_t k = permutation_draw(state, i);
		double swap = x[i - 1];

		x[i - 1] = x[k];
		x[k] = swap;
	}
}

/* Fewer of them where points and variables are many: hostile files have any number. */
static size_t permutations_of(const struct variables *v)
{
	size_t steps = v->n * v->nvariables, most = MOST_STEPS / (steps ? steps : 1);

	return most > PERMUTATIONS ? PERMUTATIONS : most < FEWEST_PERMUTATIONS ? FEWEST_PERMUTATIONS : most;
}

/* ---- ranks ---- */

struct ranked {
	double value;
	size_t at;
};

static int by_ranked_value(const void *left, const void *right)
{
	const struct ranked *a = left, *b = right;

	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return (a->at > b->at) - (a->at < b->at);
}

/* The points in the order of a variable; owned by the caller. */
static struct ranked *ranked_by(const double *x, size_t n)
{
	struct ranked *order = xcalloc(n, sizeof(*order));

	for (size_t i = 0; i < n; i++)
		order[i] = (struct ranked){x[i], i};
	qsort(order, n, sizeof(*order), by_ranked_value);
	return order;
}

/* Ranks less their mean, in units that make the sum of their squares 1; all 0 if all values are equal. Equal values
 * share the mean of their ranks. */
static void rank_into(const double *x, size_t n, double *rank)
{
	struct ranked *order = ranked_by(x, n);
	double squares = 0;

	for (size_t first = 0, end; first < n; first = end) {
		for (end = first + 1; end < n && order[end].value == order[first].value; end++)
			;
		for (size_t i = first; i < end; i++)
			rank[order[i].at] = ((double)first + (double)end - 1) / 2 - ((double)n - 1) / 2;
	}
	for (size_t i = 0; i < n; i++)
		squares += rank[i] * rank[i];
	for (size_t i = 0; i < n && squares > 0; i++)
		rank[i] /= sqrt(squares);
	free(order);
}

static double rank_product(const double *a, const double *b, size_t n)
{
	double sum = 0;

	for (size_t i = 0; i < n; i++)
		sum += a[i] * b[i];
	return sum;
}

double rank_correlation(const double *x, const double *y, size_t n)
{
	double *ranks = xcalloc(2 * n, sizeof(*ranks)), correlation;

	rank_into(x, n, ranks);
	rank_into(y, n, ranks + n);
	correlation = rank_product(ranks, ranks + n, n);
	if (n < 2 || rank_product(ranks, ranks, n) == 0 || rank_product(ranks + n, ranks + n, n) == 0)
		correlation = NAN;
	free(ranks);
	return correlation;
}

/* ---- splits ---- */

/* Every variable's points in its order. */
struct orders {
	struct ranked **by; /* owned, as are what they point to */
	size_t nvariables, n;
};

static void orders_of(const struct variables *v, struct orders *out)
{
	*out = (struct orders){xcalloc(v->nvariables, sizeof(*out->by)), v->nvariables, v->n};
	for (size_t i = 0; i < v->nvariables; i++)
		out->by[i] = ranked_by(v->value[i], v->n);
}

static void orders_free(struct orders *orders)
{
	for (size_t i = 0; i < orders->nvariables; i++)
		free(orders->by[i]);
	free(orders->by);
}

/* The best split: by a variable, behind the first `below` points of its order, of which `hits` are hits. */
struct split {
	size_t variable, below, hits;
	double strength; /* the correlation of hits and sides, -1 to 1: above 0 the hits stand below */
};

static double split_strength(double below, double hits_below, double n, double hits)
{
	double rest = n - below, misses = n - hits;

	return (hits_below * rest - (hits - hits_below) * below) / sqrt(below * rest * hits * misses);
}

/* Whether the exceptions on both sides are few enough: points without a hit where the hits stand, and hits elsewhere.
 */
static bool split_holds(double strength, size_t below, size_t hits_below, size_t n, size_t hits)
{
	size_t inside = strength > 0 ? below : n - below, hits_inside = strength > 0 ? hits_below : hits - hits_below;

	return (double)(inside - hits_inside) <= rule_exceptions * (double)inside &&
	       (double)(hits - hits_inside) <= rule_exceptions * (double)(n - inside);
}

/* Improves `best` by what the order of one variable gives. */
static void split_one(
	const struct ranked *order, size_t variable, const double *hit, size_t n, size_t hits, struct split *best)
{
	size_t found = 0;

	for (size_t i = 0; i + 1 < n; i++) {
		double strength;

		found += hit[order[i].at] > 0;
		if (order[i].value == order[i + 1].value || i + 1 < RULE_POINTS || n - i - 1 < RULE_POINTS)
			continue;
		strength = split_strength((double)(i + 1), (double)found, (double)n, (double)hits);
		if (fabs(strength) > fabs(best->strength) + rounding && split_holds(strength, i + 1, found, n, hits))
			*best = (struct split){variable, i + 1, found, strength};
	}
}

static struct split split_best(const struct orders *orders, const double *hit, size_t hits)
{
	struct split best = {0};

	for (size_t v = 0; v < orders->nvariables; v++)
		split_one(orders->by[v], v, hit, orders->n, hits, &best);
	return best;
}

static struct threshold_rule rule_from(const struct orders *orders, const struct split *split, size_t hits)
{
	struct rule_side below = {split->below, split->hits};
	struct rule_side above = {orders->n - split->below, hits - split->hits};
	const struct ranked *order = orders->by[split->variable];

	if (split->strength > 0)
		return (struct threshold_rule){
			split->variable, RULE_AT_MOST, order[split->below - 1].value, below, above, NAN};
	return (struct threshold_rule){split->variable, RULE_AT_LEAST, order[split->below].value, above, below, NAN};
}

/* How often permuted hits are split as well. */
static double split_chance(
	const struct orders *orders, double *hit, size_t hits, double strength, size_t permutations, uint64_t seed)
{
	size_t as_well = 1;

	for (size_t i = 0; i < permutations; i++) {
		struct split split;

		permutation_shuffle(hit, orders->n, &seed);
		split = split_best(orders, hit, hits);
		as_well += fabs(split.strength) >= fabs(strength) - rounding;
	}
	return (double)as_well / (double)(permutations + 1);
}

bool rule_find(const struct variables *v, const bool *hit, uint64_t seed, struct threshold_rule *out)
{
	double *hits = xcalloc(v->n, sizeof(*hits));
	struct orders orders;
	struct split best;
	size_t nhits = 0;
	bool found = false;

	for (size_t i = 0; i < v->n; i++)
		nhits += hit[i];
	for (size_t i = 0; i < v->n; i++)
		hits[i] = hit[i];
	orders_of(v, &orders);
	best = split_best(&orders, hits, nhits);
	if (nhits > 0 && nhits < v->n && best.below > 0) {
		*out = rule_from(&orders, &best, nhits);
		out->chance = split_chance(&orders, hits, nhits, best.strength, permutations_of(v), seed);
		found = out->chance <= rule_chance;
	}
	orders_free(&orders);
	free(hits);
	return found;
}

/* ---- what goes with a number ---- */

/* The variable whose ranks go most with those of `y`; correlation 0 if none does. */
static struct companion companion_best(const double *ranks, size_t nvariables, const double *y, size_t n)
{
	struct companion best = {0};

	for (size_t v = 0; v < nvariables; v++) {
		double correlation = rank_product(ranks + v * n, y, n);

		if (fabs(correlation) > fabs(best.correlation) + rounding)
			best = (struct companion){.variable = v, .correlation = correlation};
	}
	return best;
}

bool companion_find(const struct variables *v, const double *y, uint64_t seed, struct companion *out)
{
	double *ranks = xcalloc((v->nvariables + 1) * v->n, sizeof(*ranks)), *of_y = ranks + v->nvariables * v->n;
	size_t permutations = permutations_of(v), as_strong = 1;

	for (size_t i = 0; i < v->nvariables; i++)
		rank_into(v->value[i], v->n, ranks + i * v->n);
	rank_into(y, v->n, of_y);
	*out = companion_best(ranks, v->nvariables, of_y, v->n);
	if (v->n >= CORRELATION_POINTS && fabs(out->correlation) >= strong_correlation) {
		for (size_t i = 0; i < permutations; i++) {
			permutation_shuffle(of_y, v->n, &seed);
			as_strong += fabs(companion_best(ranks, v->nvariables, of_y, v->n).correlation) >=
				     fabs(out->correlation) - rounding;
		}
	} else {
		as_strong = permutations + 1;
	}
	out->chance = (double)as_strong / (double)(permutations + 1);
	free(ranks);
	return out->chance <= rule_chance;
}
