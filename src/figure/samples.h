/* samples.h: values that hold for a while, brought down to what a picture of limited width can show. */
#ifndef DBPROF_FIGURE_SAMPLES_H
#define DBPROF_FIGURE_SAMPLES_H

#include <stddef.h>

/* A value that holds from start to end. */
struct value_sample {
	double start, end, value;
};

/* Means of samples, which come in the order of time, over each of `bins` equal slices of [from, to). The weight of a
 * sample is the time that it has in the slice. NaN where no sample has any, and where one that has some is NaN. */
void samples_mean(const struct value_sample *s, size_t n, double from, double to, double *out, size_t bins);

/* The largest value of the samples that have time in [from, to); NaN if no sample has. */
double samples_peak(const struct value_sample *s, size_t n, double from, double to);

/* Sorts samples and makes one of those that overlap or touch, whatever their values. Returns how many are left. */
size_t samples_join(struct value_sample *s, size_t n);

#endif
