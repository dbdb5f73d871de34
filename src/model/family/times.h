/* times.h: samples, clocks, and what tracing costs. */
#ifndef DBPROF_MODEL_FAMILY_TIMES_H
#define DBPROF_MODEL_FAMILY_TIMES_H

#include "analyze/analyze.h"

struct measured;
struct model;
struct rows;

/* The times, and a series, as the functions of analyze.h take them; borrowed. */
struct blocked_samples samples_of(const struct measured *m);

/* Samples, clocks and what tracing costs (model-times.c), part of measure_case(). */
int take_times(const struct model *model, struct measured *m, const struct rows *traced);

void times_free(struct measured *m);

#endif
