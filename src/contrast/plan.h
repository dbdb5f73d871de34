/* plan.h: how many blocks of runs fit into the budget, and who runs when. */
#ifndef DBPROF_CONTRAST_PLAN_H
#define DBPROF_CONTRAST_PLAN_H

#include <stddef.h>
#include <stdint.h>

/* A block has each side twice, forwards and backwards: A B B A. A drift that is linear in time then meets all sides
 * alike. */
static inline size_t plan_runs_of_block(size_t nsides)
{
	return 2 * nsides;
}

/* Which side runs at `position` of a block, from 0. */
size_t plan_side_at(size_t nsides, size_t position);

/* More blocks narrow the interval by ever less. */
enum { PLAN_MOST_BLOCKS = 24 };

/* How many blocks fit into `left_ns` if one takes `block_ns`: PLAN_MOST_BLOCKS at most. */
size_t plan_blocks(int64_t left_ns, int64_t block_ns);

#endif
