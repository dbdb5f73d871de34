/* settle.c: whether there are samples enough. */
#include "analyze/blocks.h"
#include "analyze/spread.h"
#include "analyze/thresholds.h"

#include <math.h>
#include <stdlib.h>

/* The spread of 99 draws is known within 7 %, enough to stop by. */
enum { BLOCKS_AGO = 3, RESAMPLES_QUICK = 99 };

/* Chance makes the slow part of some series small, and looking again and again would find that moment: it counts as no
 * smaller than a little more than that of independent blocks, 1. */
static const double cautious_slowness = 1.25;

/* Half the width of the interval of the logarithm. */
static int half_width(const struct blocks *blocks, double *out)
{
	double logs[RESAMPLES_QUICK], slowness, error;
	int status = spread_slowness(blocks, &slowness);

	status |= blocks_resample(blocks, blocks->n, logs, RESAMPLES_QUICK);
	if (status == 0) {
		error = sqrt(squares_of(logs, RESAMPLES_QUICK) / (RESAMPLES_QUICK - 1));
		*out = spread_student(blocks->n) *
		       hypot(fmax(slowness, cautious_slowness) * error, blocks_resolution(blocks));
	}
	return status;
}

static int narrow(const struct blocks *blocks, double width, bool *is)
{
	double half;
	int status = half_width(blocks, &half);

	*is = status == 0 && exp(half) - exp(-half) < width;
	return status;
}

/* A narrow interval has to have been narrow some blocks ago. */
static int settled_before(const struct blocks *blocks, double width, bool *is)
{
	struct blocks before;
	int status = blocks_first(blocks, blocks->n - BLOCKS_AGO, &before);

	*is = false;
	if (status == 0)
		status = narrow(&before, width, is);
	blocks_free(&before);
	return status;
}

int ratio_settled(const struct blocked_samples *single, const struct blocked_samples *dbl, double width, bool *settled)
{
	struct blocks blocks;
	int status = blocks_fill(single, dbl, &blocks);

	*settled = false;
	if (status == 0 && blocks.n >= BLOCKS_NEEDED && samples_are_times(single) && samples_are_times(dbl)) {
		status = narrow(&blocks, width, settled);
		if (*settled)
			status = settled_before(&blocks, width, settled);
	}
	blocks_free(&blocks);
	return status;
}
