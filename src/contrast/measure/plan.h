/* plan.h: how many blocks of runs fit into the budget, and who runs when. */
#ifndef DBPROF_CONTRAST_PLAN_H
#define DBPROF_CONTRAST_PLAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Commands or values: more take too long by turns. */
enum { PLAN_MOST_SIDES = 16 };

/* A half of a block, traced or not, has each side twice, forwards and backwards: A B B A or B A A B. A drift that is
 * linear in time then meets all sides alike. */
static inline size_t plan_runs_of_half(size_t nsides)
{
	return 2 * nsides;
}

/* Who runs in a half of a block. */
struct plan_half {
	size_t nsides;
	size_t order[PLAN_MOST_SIDES]; /* the sides, as they come first */
};

/* The order is drawn, so that what comes in every fourth run, say, does not always meet the same side. In as many
 * blocks as there are sides, from one that is a multiple of that, each side stands at each place once. The same seed
 * draws the same. */
struct plan_half plan_half_of(uint64_t seed, size_t nsides, size_t block, bool traced);

/* Which side runs at `position` of a half, from 0. */
size_t plan_side_at(const struct plan_half *half, size_t position);

/* More blocks narrow the interval by ever less. */
enum { PLAN_MOST_BLOCKS = 24 };

/* How many blocks fit into `left_ns` if one takes `block_ns`: PLAN_MOST_BLOCKS at most. */
size_t plan_blocks(int64_t left_ns, int64_t block_ns);

#endif
