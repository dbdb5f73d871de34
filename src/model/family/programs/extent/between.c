/* between.c: see between.h. */
#include "model/family/programs/extent/between.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/analyze.h"
#include "analyze/thresholds.h"
#include "model/family/family-rows.h"
#include "model/family/programs/runs.h"
#include "util/alloc.h"

/* Periods leave out long ones as pauses, and the last step has none: then they may be shorter than steps. */
size_t runs_neighbours_ns(const struct rows *runs, const char *kind, double *out)
{
	size_t n = runs_differences(runs, kind, BLOCK_periodNs, BLOCK_stepNs, out);

	for (size_t i = 0; i < n; i++)
		out[i] = fmax(out[i], 0);
	return n;
}

bool numbers_lie_apart(const double *a, size_t na, const double *b, size_t nb)
{
	size_t more = 0;

	for (size_t i = 0; i < na; i++)
		for (size_t k = 0; k < nb; k++)
			more += b[k] > a[i];
	return fabs((double)more / (double)(na * nb) - 0.5) >= program_pairs_apart - 0.5;
}

/* Older recordings do not tell: they have durations. */
static bool has_durations(const struct family_rows *f)
{
	ssize_t i = rows_with(&f->cases, CASE_measures, "program");
	const char *time = i >= 0 ? row_text(&f->cases, (size_t)i, CASE_stepTime) : NULL;

	return i >= 0 && (!time || strcmp(time, "duration") == 0);
}

/* Beside a step, and beside the time from its begin to the next one's. */
static bool matters(const double between[2], double step)
{
	double apart = fabs(between[1] - between[0]);

	return apart > program_left_part * step && apart > program_period_part * (step + fmin(between[0], between[1]));
}

bool neighbours_differ(const struct family_rows *f, const char *single, const char *other, double ns[2])
{
	const struct rows runs[] = {side_runs(f, single), side_runs(f, other)};
	double *x[2], step = INFINITY;
	size_t n[2];
	bool differ;

	for (int i = 0; i < 2; i++) {
		x[i] = xcalloc(runs[i].count + 1, sizeof(*x[i]));
		n[i] = runs_neighbours_ns(&runs[i], "host", x[i]);
		step = fmin(step, runs_median(&runs[i], "host", BLOCK_stepNs));
		ns[i] = NAN;
	}
	differ = has_durations(f) && n[0] > 0 && n[1] > 0 && numbers_lie_apart(x[0], n[0], x[1], n[1]);
	for (int i = 0; i < 2; i++) {
		if (n[i] > 0)
			ns[i] = median_of(x[i], n[i]);
		free(x[i]);
	}
	return differ && matters(ns, step);
}
