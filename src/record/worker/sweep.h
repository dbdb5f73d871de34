/* sweep.h: the points of a family's sweeps, as cases. No GPU needed. */
#ifndef DBPROF_RECORD_WORKER_SWEEP_H
#define DBPROF_RECORD_WORKER_SWEEP_H

#include "variant.h"

enum { SWEEP_LABEL = 96 };

/* How many points of the sweep are wanted. `base` gives the parameters that the sweep does not change. */
int sweep_count(const struct sweep *sweep, const struct size_case *base);

/* Fills out[] with these points, and labels[] with their labels, "SWEEP-X" or "SWEEP-X-Y". The first axis changes
 * slowest, so points that need much memory come last. Returns how many there are. */
int sweep_fill(
	const struct sweep *sweep, const struct size_case *base, struct size_case *out, char (*labels)[SWEEP_LABEL]);

/* The sweep that the case is a point of, or NULL. */
const struct sweep *sweep_of(const struct family *family, const struct size_case *size);

#endif
