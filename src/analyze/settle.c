/* settle.c: whether there are samples enough. */
#include "analyze/blocks.h"
#include "analyze/spread.h"

#include <math.h>

enum { BLOCKS_NEEDED = 12 };

int ratio_settled(const struct blocked_samples *single, const struct blocked_samples *dbl, double width, bool *settled)
{
	struct blocks blocks;
	struct spread spread;
	int status = blocks_fill(single, dbl, &blocks);

	*settled = false;
	if (status == 0 && blocks.n >= BLOCKS_NEEDED && samples_are_times(single) && samples_are_times(dbl)) {
		status = spread_of_blocks(&blocks, blocks.n, RESAMPLES_QUICK, &spread);
		*settled = status == 0 && exp(spread.high - spread.value) - exp(spread.low - spread.value) < width;
	}
	blocks_free(&blocks);
	return status;
}
