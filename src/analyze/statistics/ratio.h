/* ratio.h: how sure a speed-up is: samples in blocks, and what they tell of the ratio of two variants. See
 * docs/statistics.md. */
#ifndef DBPROF_ANALYZE_STATISTICS_RATIO_H
#define DBPROF_ANALYZE_STATISTICS_RATIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Samples of one variant, grouped in the A B B A blocks in which they were taken. */
struct blocked_samples {
	const double *ns;
	const int *block; /* block number of each sample, the same numbering for both variants of a comparison */
	size_t n;
	const int *run; /* process that took each sample, blocks belong to one run each; NULL: all to one */
};

struct ratio {
	double value;     /* median of single / median of double: > 1 means double is faster */
	double low, high; /* 95 % interval: resampled blocks, and the spread from run to run if there are several */
	size_t blocks;    /* blocks that have both */
	size_t runs;      /* processes that these blocks come from */
	double apart;     /* largest ratio of a run over the smallest, minus 1; NaN with fewer than two runs */
};

/*
 * The interval resamples whole blocks with replacement; its ends are then moved away from the value as far as few
 * blocks (Student's t) and noise that is slower than a block ask for, which the draws alone do not see. With two runs
 * or more it holds the interval of their mean as well (Student's t on the logarithms of the runs' own ratios): it is
 * wide with two runs, since two tell little of how much runs differ. docs/statistics.md has the reasons and how often
 * the interval holds the truth in simulations.
 *
 * Deterministic for a given seed, whatever the order of the samples; the order of the blocks is that of their numbers.
 * Only blocks that have samples of both are used, for the value too. value, low, high and apart are NaN with fewer than
 * two blocks, or if a sample is not a positive number; `low` <= `value` <= `high` otherwise.
 */
void ratio_bootstrap(
	const struct blocked_samples *single, const struct blocked_samples *dbl, uint64_t seed, struct ratio *out);

/* 95 % interval of the median, made in the same way: the samples of one block share their moment's clock and caches and
 * are no independent witnesses, so whole blocks are drawn. Deterministic for a given seed. NaN with fewer than two
 * blocks, or if a sample is not a positive number. */
void median_bootstrap(const struct blocked_samples *samples, uint64_t seed, double *low, double *high);

/*
 * Whether sampling may stop: the 95 % interval of the ratio of medians is narrower than `width` times the ratio, by a
 * quicker calculation than ratio_bootstrap() (about 50 us for 60 blocks). Made so that looking again and again does not
 * spoil the final interval's coverage: the width is estimated with caution, and must have been small three blocks ago
 * as well. The final interval is narrower than `width` in all but a few cases of a hundred. For one run: `run` is not
 * looked at. False with fewer than BLOCKS_NEEDED common blocks (thresholds.h), or if a sample is not a positive number.
 */
bool ratio_settled(const struct blocked_samples *single, const struct blocked_samples *dbl, double width);

/* The same variant in two recordings. */
struct between {
	double value;     /* median in base / median in fresh: > 1 means fresh is faster */
	double low, high; /* 95 % interval, with the spread from run to run in it */
	/* Standard errors of log(value): as the samples alone make it; as the medians of the runs make it, in which the
	 * samples' part is contained. NaN where they cannot be told. */
	double within, from_run_to_run;
	size_t base_runs, fresh_runs;
};

/*
 * Two recordings differ by more than the samples inside one: each run (process) has its own memory and its own moment,
 * and a median for all of its samples. So the interval comes from the medians of the runs on both sides: Welch's t on
 * their logarithms, each side with its own spread. It is never narrower than the samples alone make it.
 *
 * A side with one run is taken to spread as the other does. With one run on both, low, high and from_run_to_run are
 * NaN. With fewer than two blocks on a side, or a sample that is not a positive number, everything but the number of
 * runs is. Blocks without a process (!run) are one run.
 */
void ratio_between(
	const struct blocked_samples *base, const struct blocked_samples *fresh, uint64_t seed, struct between *out);

/* Lag-1 autocorrelation of the ratio of single to double from block to block (logarithm of the ratio of their
 * medians), -1 to 1. Near 0, blocks are as good as independent; up to about 0.5 the interval of ratio_bootstrap() makes
 * up for it. Each run by itself: how far apart runs lie is no drift. NaN with fewer than three blocks. */
double ratio_drift(const struct blocked_samples *single, const struct blocked_samples *dbl);

/* Speed-ups that single processes saw, of those with two common blocks or more. */
struct run_speedups {
	size_t runs;
	double low, high;      /* the smallest and the largest of them; NaN without any */
	double apart, allowed; /* of the two runs that agree least: larger speed-up over smaller, less 1; and how large
				  that may be: half the widths of both 95 % intervals, added as independent errors are,
				  and the band. NaN with fewer than two runs */
};

/* Do the processes agree? `run` must be there in both. Deterministic for a given seed. */
void ratio_runs(const struct blocked_samples *single, const struct blocked_samples *dbl, double band, uint64_t seed,
	struct run_speedups *out);

/* Medians of single processes: how many there are, the smallest and the largest; NaN without samples. */
struct run_medians {
	size_t runs;
	double low, high;
};

/* How far do processes that measured the same thing lie apart? Without `run`, all samples are of one. */
void run_medians(const struct blocked_samples *of, struct run_medians *out);

#endif
