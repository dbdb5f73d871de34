/* rule.h: what separates the points at which something holds from those at which it does not: a threshold on one
 * variable; and which variable goes with a number. */
#ifndef DBPROF_ANALYZE_RULE_H
#define DBPROF_ANALYZE_RULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* n points and what is known of each: value[v][i] is variable v at point i, never NaN. All borrowed. Variables come
 * in the order of preference: of two that tell equally much, the first is taken. */
struct variables {
	const double *const *value;
	size_t nvariables, n;
};

enum rule_relation { RULE_AT_LEAST, RULE_AT_MOST };

/* How many points there are, and at how many of them it holds. */
struct rule_side {
	size_t points, hits;
};

/* It holds where the variable is at least (or at most) the threshold, and does not hold elsewhere. */
struct threshold_rule {
	size_t variable;
	enum rule_relation relation;
	double threshold; /* a value of the variable: the one inside that is nearest to the outside */
	struct rule_side inside, outside;
	double chance; /* how often random hits, as many of them, are split as well as this. 0 to 1 */
};

/*
 * Of all splits with RULE_POINTS points or more on both sides, and with at most rule_exceptions of each side as
 * exceptions, the one by which the hits differ most. It is a rule if random hits are split as well in at most
 * rule_chance of all cases, by the best split on any of the variables: so many variables and thresholds make no rule
 * more likely.
 * Returns false if nothing is a rule. Deterministic for a given seed.
 */
bool rule_find(const struct variables *variables, const bool *hit, uint64_t seed, struct threshold_rule *out);

/* The variable that rises or falls most steadily with a number. */
struct companion {
	size_t variable;
	double correlation; /* Spearman's rank correlation, -1 to 1 */
	double chance;      /* how often random orders have a variable as strong as this. 0 to 1 */
};

/* False if there is none that is strong (strong_correlation) and more than chance (rule_chance), as with fewer than
 * CORRELATION_POINTS points. y[] holds no NaN. Deterministic for a given seed. */
bool companion_find(const struct variables *variables, const double *y, uint64_t seed, struct companion *out);

/* Spearman's rank correlation; NaN if all of one side is equal or n < 2. Neither holds NaN. */
double rank_correlation(const double *x, const double *y, size_t n);

#endif
