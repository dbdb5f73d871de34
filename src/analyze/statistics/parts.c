/* parts.c: two runs that were measured once each, by means: what a run takes is the sum of its steps, and a median does
 * not see what stalls every eighth of them. */
#include "analyze/statistics/ratio.h"
#include "analyze/statistics/order.h"
#include "analyze/statistics/spread.h"
#include "analyze/statistics/verdict.h"
#include "analyze/thresholds.h"

#include <math.h>
#include <stdlib.h>

#include "util/alloc.h"

struct part_time {
	double ns, steps;
};

static int part_times_compare(const void *left, const void *right)
{
	const struct part_time *a = left, *b = right;

	return compare_doubles(&a->ns, &b->ns);
}

/* How many parts at each end of the sorted ones are no part of the mean. */
static size_t parts_cut(const struct run_parts *run)
{
	return run->n / PARTS_OF_A_CUT;
}

/* Sorted by time; the caller frees. */
static struct part_time *sorted_parts(const struct run_parts *run)
{
	struct part_time *parts = xcalloc(run->n + 1, sizeof(*parts));

	for (size_t i = 0; i < run->n; i++)
		parts[i] = (struct part_time){run->ns[i], run->steps[i]};
	qsort(parts, run->n, sizeof(*parts), part_times_compare);
	return parts;
}

/* Without `cut` of the sorted parts at each end. */
static double mean_without(const struct part_time *parts, size_t n, size_t cut)
{
	double sum = 0, steps = 0;

	for (size_t i = cut; i + cut < n; i++) {
		sum += parts[i].steps * parts[i].ns;
		steps += parts[i].steps;
	}
	return steps > 0 ? sum / steps : NAN;
}

double mean_of_parts(const struct run_parts *run)
{
	struct part_time *parts = sorted_parts(run);
	double mean = mean_without(parts, run->n, parts_cut(run));

	free(parts);
	return mean;
}

double mean_of_all_parts(const struct run_parts *run)
{
	struct part_time *parts = sorted_parts(run);
	double mean = mean_without(parts, run->n, 0);

	free(parts);
	return mean;
}

/* The parts in their order, those that are cut off as long as the nearest that is not; the caller frees. Their mean is
 * taken off. */
static double *pulled_in(const struct run_parts *run, const struct part_time *sorted)
{
	double low = sorted[parts_cut(run)].ns, high = sorted[run->n - 1 - parts_cut(run)].ns, mean = 0;
	double *series = xcalloc(run->n, sizeof(*series));

	for (size_t i = 0; i < run->n; i++) {
		series[i] = fmin(fmax(run->ns[i], low), high);
		mean += series[i] / (double)run->n;
	}
	for (size_t i = 0; i < run->n; i++)
		series[i] -= mean;
	return series;
}

/* One run: its mean without the parts that are cut off, half the 95 % interval of its logarithm, and the mean of all.
 * NaN of what cannot be told. */
struct run_mean {
	double mean, half, all;
};

/* The error of a trimmed mean (Tukey and McLaughlin). What moves slowly widens it. Stalls at even distances would make
 * it narrower. But some parts do not tell these from stalls by chance: so it is never less than of independent parts.
 */
static double half_of_mean(const struct run_parts *run, const double *series, double mean)
{
	const double n = (double)run->n, kept = n - 2 * (double)parts_cut(run);
	double variance = fmax(squares_of(series, run->n) / (n - 1), spread_slow_variance(series, run->n));

	return spread_student(run->n) * sqrt(variance * n) / kept / mean;
}

static struct run_mean run_mean_of(const struct run_parts *run)
{
	struct part_time *parts = sorted_parts(run);
	struct run_mean out = {mean_without(parts, run->n, parts_cut(run)), NAN, mean_without(parts, run->n, 0)};

	if (run->n >= 2) {
		double *series = pulled_in(run, parts);

		out.half = half_of_mean(run, series, out.mean);
		free(series);
	}
	free(parts);
	return out;
}

void ratio_of_parts(const struct run_parts *base, const struct run_parts *fresh, double allowance, struct ratio *out)
{
	const struct run_mean b = run_mean_of(base), f = run_mean_of(fresh);
	const double half = hypot(hypot(b.half, f.half), allowance);

	*out = (struct ratio){.value = b.mean / f.mean,
		.low = NAN,
		.high = NAN,
		.runs = 2,
		.apart = NAN,
		.all = b.all / f.all,
		.allowance = allowance};
	out->blocks = base->n < fresh->n ? base->n : fresh->n;
	if (isnan(half))
		return;
	out->low = out->value * exp(-half);
	out->high = out->value * exp(half);
}

bool all_parts_apart(const struct ratio *ratio, double band)
{
	return fabs(ratio->all / ratio->value - 1) > fmax(band, ratio->allowance);
}

/* Whether what stalls a part or two comes again is not known, so that it must not decide the verdict by being left out.
 * Nor must it be passed over where there is none. */
bool all_parts_agree(const struct ratio *ratio, double band)
{
	switch (verdict_of(ratio, band, true)) {
	case VERDICT_FASTER:
		return ratio->all > 1;
	case VERDICT_SLOWER:
		return ratio->all < 1;
	case VERDICT_SAME:
		return fabs(ratio->all - 1) <= band;
	default:
		return !all_parts_apart(ratio, band);
	}
}
