/* blocks.h: samples, sorted by the blocks in which they were taken and resampled block by block. Private to this folder
 * and its tests. */
#ifndef DBPROF_ANALYZE_STATISTICS_BLOCKS_H
#define DBPROF_ANALYZE_STATISTICS_BLOCKS_H

#include "analyze/statistics/ratio.h"

struct block_sample {
	double ns;
	size_t block; /* index into the common blocks */
};

/* Samples of one variant that lie in common blocks, sorted by time. */
struct pool {
	struct block_sample *samples;
	size_t n;
};

/* What one variant measured, or two in the blocks that they have in common, in the order of the blocks' numbers. */
struct blocks {
	struct pool side[2];
	size_t sides; /* 1 or 2 */
	size_t n, runs;
	size_t *run; /* of each block: index of its run in the order of first appearance */
};

/* Fills `out` with the blocks that have samples of both, or with those of `first` if `second` is NULL. If only one side
 * tells its processes, they count for both. Free with blocks_free(). */
void blocks_fill(const struct blocked_samples *first, const struct blocked_samples *second, struct blocks *out);
void blocks_free(struct blocks *blocks);

/* Only the first `n` of the blocks, as if the others had not been measured. There must be as many. Free with
 * blocks_free(). */
void blocks_first(const struct blocks *blocks, size_t n, struct blocks *out);

/* Whether all samples are finite and positive. */
bool samples_are_times(const struct blocked_samples *of);

/* For each group of blocks, the logarithm of the ratio of the medians, or with one side, of the median. group[i] is the
 * group of block i, 0 to ngroups - 1. NaN for a group without samples. */
void blocks_statistics(const struct blocks *blocks, const size_t *group, size_t ngroups, double *out);

/* The same of all blocks together, and of each block by itself: blocks->n numbers in the order of blocks. */
double blocks_statistic(const struct blocks *blocks);
void blocks_series(const struct blocks *blocks, double *out);

/* The part of that statistic's standard error that the clock's ticks alone make; 0 where they are finer than the noise.
 */
double blocks_resolution(const struct blocks *blocks);

/* The statistic of each of `count` resamples. Each draws as many whole blocks as there are, with replacement. Needs at
 * least one block. */
void blocks_resample(const struct blocks *blocks, uint64_t seed, double *out, size_t count);

#endif
