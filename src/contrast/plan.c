/* plan.c: see plan.h. */
#include "contrast/plan.h"

size_t plan_side_at(size_t nsides, size_t position)
{
	return position < nsides ? position : 2 * nsides - 1 - position;
}

size_t plan_blocks(int64_t left_ns, int64_t block_ns)
{
	int64_t blocks = block_ns > 0 ? left_ns / block_ns : PLAN_MOST_BLOCKS;

	if (blocks < 0)
		return 0;
	return blocks > PLAN_MOST_BLOCKS ? PLAN_MOST_BLOCKS : (size_t)blocks;
}
