/* side.h: the samples of a variant at a point of a sweep. */
#ifndef DBPROF_MODEL_SWEEP_SIDE_H
#define DBPROF_MODEL_SWEEP_SIDE_H

#include <stdbool.h>

#include "model/family/series.h"

struct sweep;

/* A variant at a point, without the blocks that are set apart. */
struct point_side {
	const char *variant;
	struct series times, cycles; /* owned */
	double median;               /* of the times; NaN without any */
	bool wrong, verified;        /* at this point */
	bool alike;                  /* at the power limit: throttled_alike() */
};

/* Reads a variant's samples; none if it came out wrong and they are to be withheld. For side_free(). */
void side_read(
	const struct sweep *sweep, const char *label, const char *variant, bool withhold, struct point_side *side);

void side_free(struct point_side *side);

#endif
