/* series.h: numbers of samples, with the block and run of each. */
#ifndef DBPROF_MODEL_FAMILY_SERIES_H
#define DBPROF_MODEL_FAMILY_SERIES_H

#include <math.h>
#include <stdbool.h>
#include <stddef.h>

#include "analyze/analyze.h"

struct rows;

/* Whether a sample is a time: NULL, 0, less and infinity are none. */
static inline bool is_time_of_sample(double ns)
{
	return ns > 0 && isfinite(ns);
}

/* One number per sample, and where each was taken. Owned. */
struct series {
	double *x;
	double *steps; /* or launches, that a number is the mean of */
	int *block, *run;
	size_t n;
};

/* Makes room for `n`. */
void series_room(struct series *series, size_t n);

void series_free(struct series *series);

/* Adds `x` for sample `i`. */
void series_add(struct series *series, double x, const struct rows *samples, size_t i);

struct blocked_samples series_samples(const struct series *series);

#endif
