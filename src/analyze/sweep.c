/* sweep.c: crossovers, scores of predictions, parts of the work; see sweep.h. */
#include "analyze/sweep.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/statistics/stats.h"
#include "util/alloc.h"

/* The ratio that lies between two verdicts. */
static double level_between(enum verdict a, enum verdict b, double band)
{
	if (a != VERDICT_SAME && b != VERDICT_SAME)
		return 1;
	return a == VERDICT_FASTER || b == VERDICT_FASTER ? 1 + band : 1 - band;
}

/* Where the line from one point to the next, over log(x), meets `level`. */
static double meet(const struct curve_point *a, const struct curve_point *b, double level)
{
	double share;

	if (!(a->x > 0) || !isfinite(b->x))
		return NAN;
	share = (level - a->ratio) / (b->ratio - a->ratio);
	return exp(log(a->x) + fmin(1, fmax(0, share)) * (log(b->x) - log(a->x)));
}

size_t crossovers_find(const struct curve_point *points, size_t n, double band, struct crossover *out)
{
	size_t found = 0, last = n;

	for (size_t i = 0; i < n; i++) {
		if (points[i].verdict == VERDICT_UNCLEAR)
			continue;
		if (last < n && points[last].verdict != points[i].verdict) {
			double level = level_between(points[last].verdict, points[i].verdict, band);
			double x = i == last + 1 ? meet(&points[last], &points[i], level) : NAN;

			out[found++] = (struct crossover){last, i, level, x};
		}
		last = i;
	}
	return found;
}

/* ---- bytes under way ---- */

static bool supply_counts(const struct supply *p)
{
	return isfinite(p->bytes) && isfinite(p->ns);
}

/* The shortest time with more under way; INFINITY if there is no such point. */
static double fastest_beyond(const struct supply *points, size_t n, double bytes)
{
	double ns = INFINITY;

	for (size_t i = 0; i < n; i++)
		if (supply_counts(&points[i]) && points[i].bytes > bytes)
			ns = fmin(ns, points[i].ns);
	return ns;
}

/* The most bytes that are not enough; -INFINITY if all are. */
static double most_wanting(const struct supply *points, size_t n, double band)
{
	double bytes = -INFINITY;

	for (size_t i = 0; i < n; i++)
		if (supply_counts(&points[i]) && points[i].ns / fastest_beyond(points, n, points[i].bytes) >= 1 + band)
			bytes = fmax(bytes, points[i].bytes);
	return bytes;
}

bool enough_find(const struct supply *points, size_t n, double band, struct enough *out)
{
	const double wanting = most_wanting(points, n, band);

	*out = (struct enough){INFINITY, -INFINITY, INFINITY};
	for (size_t i = 0; i < n; i++) {
		if (!supply_counts(&points[i]))
			continue;
		out->least = fmin(out->least, points[i].bytes);
		out->most = fmax(out->most, points[i].bytes);
		if (points[i].bytes > wanting && isfinite(fastest_beyond(points, n, points[i].bytes)))
			out->from = fmin(out->from, points[i].bytes);
	}
	if (!isfinite(out->from))
		out->from = NAN;
	return out->most > out->least;
}

/* ---- prediction against measurement ---- */

static enum verdict predicted_verdict(double ratio, double band)
{
	return ratio > 1 + band ? VERDICT_FASTER : ratio < 1 - band ? VERDICT_SLOWER : VERDICT_SAME;
}

static bool right_side(const struct predicted_point *p)
{
	return p->verdict == VERDICT_FASTER ? p->predicted > 1 : p->predicted < 1;
}

static void count_point(
	const struct predicted_point *p, double band, size_t count[VERDICT_UNCLEAR], struct prediction_score *out)
{
	if (p->verdict == VERDICT_UNCLEAR)
		return;
	count[p->verdict]++;
	out->clear++;
	out->right_verdict += predicted_verdict(p->predicted, band) == p->verdict;
	if (p->verdict == VERDICT_SAME)
		return;
	out->outside++;
	out->right_sign += right_side(p);
}

/* Of the first n verdicts, the one that most points have. */
static struct constant_answer most_common(const size_t *count, const enum verdict *words, size_t n)
{
	struct constant_answer best = {words[0], count[words[0]]};

	for (size_t i = 1; i < n; i++) {
		if (count[words[i]] > best.right)
			best = (struct constant_answer){words[i], count[words[i]]};
	}
	return best;
}

void prediction_score(const struct predicted_point *points, size_t n, double band, struct prediction_score *out)
{
	static const enum verdict words[] = {VERDICT_FASTER, VERDICT_SLOWER, VERDICT_SAME};
	size_t count[VERDICT_UNCLEAR] = {0};
	double *errors = xcalloc(n, sizeof(*errors));
	struct summary summary;

	*out = (struct prediction_score){0};
	for (size_t i = 0; i < n; i++) {
		const struct predicted_point *p = &points[i];

		if (!(p->predicted > 0) || !(p->measured > 0))
			continue;
		errors[out->points++] = fabs(p->predicted / p->measured - 1);
		count_point(p, band, count, out);
	}
	out->best_sign = most_common(count, words, 2);
	out->best_verdict = most_common(count, words, 3);
	summarize(errors, out->points, &summary);
	out->median_error = summary.median;
	free(errors);
}

double floor_of_parts(const double *schedules, size_t n, double compute)
{
	double shortest = NAN;

	for (size_t i = 0; i < n; i++)
		shortest = fmin(shortest, schedules[i]);
	return isnan(shortest) ? NAN : fmax(shortest, compute);
}

double hidden_from_parts(double single, double dbl, const struct work_parts *parts)
{
	double sum = parts->loads + parts->stores + parts->compute;
	double hideable = sum - fmax(parts->loads, fmax(parts->stores, parts->compute));

	return hideable > 0 ? (single - dbl) / hideable : NAN;
}

static enum holds is_larger(const struct judged *at, const struct judged *other)
{
	if (at->verdict == VERDICT_UNCLEAR || other->verdict == VERDICT_UNCLEAR)
		return HOLDS_UNCLEAR;
	if (at->ratio.low > other->ratio.high)
		return HOLDS_YES;
	return at->ratio.high < other->ratio.low ? HOLDS_NO : HOLDS_UNCLEAR;
}

enum holds claim_holds(
	enum claim_rule rule, const struct judged *at, const struct judged *other, const struct judged *best)
{
	bool large = at->verdict == VERDICT_FASTER && at->ratio.value - 1 >= (best->ratio.value - 1) / 2;

	if (rule == GAIN_IS_LARGER)
		return is_larger(at, other);
	if (at->verdict == VERDICT_UNCLEAR || best->verdict == VERDICT_UNCLEAR)
		return HOLDS_UNCLEAR;
	if (rule == GAIN_IS_SMALL)
		return large ? HOLDS_NO : HOLDS_YES;
	return large ? is_larger(at, other) : HOLDS_NO;
}

void tile_balance(double tile, double fmas, double fma_per_s, double bytes_per_s, struct tile_balance *out)
{
	out->compute_s = fma_per_s > 0 ? fmas / fma_per_s : NAN;
	out->load_s = bytes_per_s > 0 ? 2 * tile * tile * sizeof(float) / bytes_per_s : NAN;
	out->ratio = out->load_s > 0 ? out->compute_s / out->load_s : NAN;
}
