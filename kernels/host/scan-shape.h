/* scan-shape.h: what the variants of both families of scans do in each step, counted in their source. */
#ifndef DBPROF_KERNELS_SCAN_SHAPE_H
#define DBPROF_KERNELS_SCAN_SHAPE_H

#include <string.h>

#include "variant.h"

/* Steps of one scan by doubling strides. */
static inline int scan_doublings(int64_t block)
{
	int steps = 0;

	for (int64_t stride = 1; stride < block; stride *= 2)
		steps++;
	return steps;
}

/*
 * `scans` scans of a block: the input is loaded once and the result stored once. In each step a thread that has a
 * neighbour at the step's distance adds that one's value to its own, as all threads but the first 1, 2, 4 ... do, and
 * tests whether it has one. A scan begins with a store to shared memory, and the launch ends with a load from there.
 * The loop over strides is unrolled: it counts nothing at run time. Returns the share of threads that add.
 */
static inline double scan_shape(int64_t block, int64_t scans, double barriers, struct shape *out)
{
	const double steps = scan_doublings(block), adding = 1 - (double)(block - 1) / (double)block / steps;
	struct step_shape *s = &out->step;

	memset(out, 0, sizeof(*out));
	s->steps = steps * (double)scans;
	s->barriers = barriers;
	s->shared_loads = 1 / s->steps;
	s->shared_stores = 1 / steps;
	s->shared_chain = 2; /* the sum is stored when both values have been loaded */
	s->fmas = s->fma_chain = adding;
	s->other = 1;
	s->once_bytes = 2 * sizeof(float) * (double)block;
	return adding;
}

#endif
