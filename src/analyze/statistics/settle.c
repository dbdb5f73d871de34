/* settle.c: whether there are samples enough. */
#include "analyze/statistics/blocks.h"
#include "analyze/statistics/spread.h"
#include "analyze/thresholds.h"

#include <math.h>
#include <stdlib.h>

/* 99 draws tell their spread within 7 %, which is enough to stop. */
enum { BLOCKS_AGO = 3, RESAMPLES_QUICK = 99 };

/* Chance makes the slow part of some series small, and who looks again and again finds that moment. So the slow part
 * counts as at least a little more than 1, that of independent blocks. */
static const double cautious_slowness = 1.25;

/* Half the width of the interval of the logarithm. */
static double half_width(const struct blocks *blocks)
{
	double logs[RESAMPLES_QUICK], slowness = fmax(spread_slowness(blocks), cautious_slowness), error;

	blocks_resample(blocks, blocks->n, logs, RESAMPLES_QUICK);
	error = sqrt(squares_of(logs, RESAMPLES_QUICK) / (RESAMPLES_QUICK - 1));
	return spread_student(blocks->n) * hypot(slowness * error, blocks_resolution(blocks));
}

static bool is_narrow(const struct blocks *blocks, double width)
{
	double half = half_width(blocks);

	return exp(half) - exp(-half) < width;
}

/* A narrow interval must have been narrow some blocks ago. */
static bool was_narrow(const struct blocks *blocks, double width)
{
	struct blocks before;
	bool narrow;

	blocks_first(blocks, blocks->n - BLOCKS_AGO, &before);
	narrow = is_narrow(&before, width);
	blocks_free(&before);
	return narrow;
}

bool ratio_settled(const struct blocked_samples *single, const struct blocked_samples *dbl, double width)
{
	struct blocks blocks;
	bool settled;

	blocks_fill(single, dbl, &blocks);
	settled = blocks.n >= BLOCKS_NEEDED && samples_are_times(single) && samples_are_times(dbl) &&
		  is_narrow(&blocks, width) && was_narrow(&blocks, width);
	blocks_free(&blocks);
	return settled;
}
