/* runs.c: do the processes that measured the same pair see the same speed-up? */
#include "analyze/statistics/ratio.h"
#include "analyze/statistics/stats.h"
#include "analyze/statistics/order.h"

#include <math.h>
#include <stdlib.h>

#include "util/alloc.h"

/* Copies of one run's samples. */
struct part {
	double *ns;
	int *block;
	size_t n;
};

/* A run's speed-up on a logarithmic scale, and how far its interval reaches below and above it. */
struct speedup {
	double value, below, above;
};

/* Sorted numbers of the runs, each once; the caller frees. */
static int *distinct_runs(const struct blocked_samples *of, size_t *n)
{
	int *runs = xcalloc(of->n, sizeof(*runs));

	for (size_t i = 0; i < of->n; i++)
		runs[i] = of->run ? of->run[i] : 0;
	*n = sort_distinct(runs, of->n);
	return runs;
}

static void runs_take(const struct blocked_samples *from, int run, struct part *out)
{
	*out = (struct part){xcalloc(from->n, sizeof(*out->ns)), xcalloc(from->n, sizeof(*out->block)), 0};
	for (size_t i = 0; i < from->n; i++) {
		if (from->run && from->run[i] != run)
			continue;
		out->ns[out->n] = from->ns[i];
		out->block[out->n++] = from->block[i];
	}
}

/* NaN if the run has too few samples. */
static void speedup_of_run(const struct blocked_samples *single, const struct blocked_samples *dbl, int run,
	uint64_t seed, struct speedup *out)
{
	struct part a, b;
	struct ratio ratio;

	runs_take(single, run, &a);
	runs_take(dbl, run, &b);
	ratio_bootstrap(&(struct blocked_samples){a.ns, a.block, a.n, NULL},
		&(struct blocked_samples){b.ns, b.block, b.n, NULL}, seed, &ratio);
	*out = (struct speedup){
		log(ratio.value), log(ratio.value) - log(ratio.low), log(ratio.high) - log(ratio.value)};
	free(a.ns);
	free(a.block);
	free(b.ns);
	free(b.block);
}

/* How much two runs differ, as a share of what they may differ by. Remembers the worst. */
static void compare_runs(const struct speedup *a, const struct speedup *b, double band, struct run_speedups *out)
{
	const struct speedup *less = a->value <= b->value ? a : b, *more = less == a ? b : a;
	double apart = expm1(more->value - less->value);
	double allowed = expm1(hypot(less->above, more->below) + log1p(band));

	if (!isnan(out->apart) && apart / allowed <= out->apart / out->allowed)
		return;
	out->apart = apart;
	out->allowed = allowed;
}

static void compare_all(const struct speedup *speedups, size_t n, double band, struct run_speedups *out)
{
	for (size_t i = 0; i < n; i++) {
		out->low = fmin(out->low, exp(speedups[i].value));
		out->high = fmax(out->high, exp(speedups[i].value));
		for (size_t k = 0; k < i; k++)
			compare_runs(&speedups[i], &speedups[k], band, out);
	}
	out->runs = n;
}

void ratio_runs(const struct blocked_samples *single, const struct blocked_samples *dbl, double band, uint64_t seed,
	struct run_speedups *out)
{
	size_t n, kept = 0;
	int *runs = distinct_runs(single, &n);
	struct speedup *speedups = xcalloc(n, sizeof(*speedups));

	*out = (struct run_speedups){0, NAN, NAN, NAN, NAN};
	for (size_t i = 0; i < n; i++) {
		speedup_of_run(single, dbl, runs[i], seed, &speedups[kept]);
		kept += isfinite(speedups[kept].value);
	}
	compare_all(speedups, kept, band, out);
	free(speedups);
	free(runs);
}

/* Widens out's range by the median of one run. */
static void add_median(const struct blocked_samples *of, int run, struct run_medians *out)
{
	struct part part;
	struct summary summary;

	runs_take(of, run, &part);
	summarize(part.ns, part.n, &summary);
	out->low = fmin(out->low, summary.median);
	out->high = fmax(out->high, summary.median);
	free(part.ns);
	free(part.block);
}

void run_medians(const struct blocked_samples *of, struct run_medians *out)
{
	int *runs = distinct_runs(of, &out->runs);

	out->low = out->high = NAN;
	for (size_t i = 0; i < out->runs; i++)
		add_median(of, runs[i], out);
	free(runs);
}
