/* between.c: the same variant in two recordings, each of one or more runs. */
#include "analyze/statistics/blocks.h"
#include "analyze/statistics/spread.h"
#include "analyze/statistics/student.h"

#include <math.h>
#include <stdlib.h>

#include "util/alloc.h"

/* One recording: its median, the interval that its samples alone give, and the spread of its runs. All are logarithms.
 */
struct recording {
	struct spread spread;
	size_t runs;
	double mean, squares; /* mean of the medians of the runs; sum of their squared distances from it */
};

static void measure_runs(const struct blocks *blocks, struct recording *out)
{
	double *medians = xcalloc(blocks->runs, sizeof(*medians));

	blocks_statistics(blocks, blocks->run, blocks->runs, medians);
	out->mean = mean_of(medians, blocks->runs);
	out->squares = squares_of(medians, blocks->runs);
	free(medians);
}

/* Without two blocks, or with a sample that is no time, all but the number of runs is NaN. */
static void between_measure(const struct blocked_samples *samples, uint64_t seed, struct recording *out)
{
	struct blocks blocks;

	blocks_fill(samples, NULL, &blocks);
	*out = (struct recording){{NAN, NAN, NAN}, blocks.runs, NAN, NAN};
	if (blocks.n >= 2 && samples_are_times(samples)) {
		spread_of_blocks(&blocks, seed, RESAMPLES, &out->spread);
		measure_runs(&blocks, out);
	}
	blocks_free(&blocks);
}

/* Half the interval that the medians of the runs give, and their standard error. With two runs or more on each side,
 * each side has its own spread (Welch's t). A single run gets the spread of the other side's runs. */
static double half_by_runs(const struct recording *base, const struct recording *fresh, double *error)
{
	double nb = (double)base->runs, nf = (double)fresh->runs, freedom = nb + nf - 2, b, f;

	if (base->runs == 1 || fresh->runs == 1) {
		*error = sqrt((base->squares + fresh->squares) / freedom * (1 / nb + 1 / nf));
		return student_quantile(freedom) * *error;
	}
	b = base->squares / (nb - 1) / nb;
	f = fresh->squares / (nf - 1) / nf;
	*error = sqrt(b + f);
	if (*error > 0)
		freedom = (b + f) * (b + f) / (b * b / (nb - 1) + f * f / (nf - 1));
	return student_quantile(freedom) * *error;
}

static void between_combine(const struct recording *base, const struct recording *fresh, struct between *out)
{
	double value = base->spread.value - fresh->spread.value, middle = base->mean - fresh->mean;
	double below = hypot(base->spread.value - base->spread.low, fresh->spread.high - fresh->spread.value);
	double above = hypot(base->spread.high - base->spread.value, fresh->spread.value - fresh->spread.low), half;

	out->value = exp(value);
	out->within = (below + above) / 2 / NORMAL_QUANTILE;
	if (base->runs + fresh->runs < 3 || isnan(value))
		return;
	half = half_by_runs(base, fresh, &out->from_run_to_run);
	out->low = exp(fmin(middle - half, value - below));
	out->high = exp(fmax(middle + half, value + above));
}

void ratio_between(
	const struct blocked_samples *base, const struct blocked_samples *fresh, uint64_t seed, struct between *out)
{
	struct recording b, f;

	between_measure(base, seed, &b);
	/* With the same seed, both sides would draw the same blocks. */
	between_measure(fresh, ~seed, &f);
	*out = (struct between){NAN, NAN, NAN, NAN, NAN, b.runs, f.runs};
	between_combine(&b, &f, out);
}
