/* ratio.h: how sure a speed-up is: what samples in blocks say about the ratio of two variants. See docs/statistics.md.
 */
#ifndef DBPROF_ANALYZE_STATISTICS_RATIO_H
#define DBPROF_ANALYZE_STATISTICS_RATIO_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Samples of one variant, grouped in the A B B A blocks in which they were taken. */
struct blocked_samples {
	const double *ns;
	const int *block; /* block number of each sample; both variants of a comparison have the same numbers */
	size_t n;
	const int *run; /* process that took each sample; a block belongs to one run. NULL: one process took them all */
};

struct ratio {
	double value;     /* median of single / median of double: > 1 means double is faster; of parts, of means */
	double low, high; /* 95 % interval, from resampled blocks and, with several runs, from the spread of the runs */
	size_t blocks;    /* blocks that have both */
	size_t runs;      /* processes that these blocks come from */
	double apart;     /* largest ratio of a run over the smallest, minus 1; NaN with fewer than two runs */
	double all;       /* of parts alone: the ratio of the means of all of them */
	double allowance; /* of parts alone: what the interval allows for */
};

/*
 * Draws whole blocks with replacement. The draws alone do not see that there are few blocks, nor noise that is slower
 * than a block: Student's t and a factor for slow noise move the ends away from the value. With two runs or more, the
 * interval holds the interval of the runs' mean as well (Student's t on the logarithms of the runs' own ratios). With
 * two runs it is wide, since two say little about how much runs differ. docs/statistics.md has the reasons, and how
 * often the interval holds the truth in simulations.
 *
 * Deterministic for a given seed, whatever the order of the samples; blocks are taken in the order of their numbers.
 * Only blocks that have samples of both variants are used, for the value too. value, low, high and apart are NaN with
 * fewer than two blocks, or if a sample is not a positive number; `low` <= `value` <= `high` otherwise.
 */
void ratio_bootstrap(
	const struct blocked_samples *single, const struct blocked_samples *dbl, uint64_t seed, struct ratio *out);

/* 95 % interval of the median, made in the same way. Whole blocks are drawn, because the samples of a block are not
 * independent: they share the clock and the caches of their moment. Deterministic for a given seed. NaN with fewer than
 * two blocks, or if a sample is not a positive number. */
void median_bootstrap(const struct blocked_samples *samples, uint64_t seed, double *low, double *high);

/* Whether sampling may stop: the 95 % interval of the ratio of medians is narrower than `width` times the ratio. This
 * takes about 50 us for 60 blocks, less than ratio_bootstrap(). A caller looks again and again, which must not spoil
 * the final interval's coverage: so the width is estimated with caution, and must have been small three blocks ago as
 * well. The final interval is narrower than `width` in all but a few cases of a hundred. It is meant for one run and
 * does not look at `run`. False with fewer than BLOCKS_NEEDED common blocks (thresholds.h), or if a sample is not a
 * positive number. */
bool ratio_settled(const struct blocked_samples *single, const struct blocked_samples *dbl, double width);

/* The same variant in two recordings. */
struct between {
	double value;     /* median in base / median in fresh: > 1 means fresh is faster */
	double low, high; /* 95 % interval, which includes the spread from run to run */
	/* Standard errors of log(value): the first as the samples alone make it, the second as the medians of the runs
	 * make it, which contains the first. NaN where they cannot be told. */
	double within, from_run_to_run;
	size_t base_runs, fresh_runs;
};

/*
 * Two recordings differ by more than the samples inside one do: each run (process) has its own memory and its own
 * moment, which move all of its samples. So the interval comes from the medians of the runs on both sides: Welch's t on
 * their logarithms, each side with its own spread. It is never narrower than the samples alone make it.
 *
 * A side with one run gets the spread of the other side. With one run on both sides, low, high and from_run_to_run are
 * NaN. With fewer than two blocks on a side, or a sample that is not a positive number, all but the number of runs is
 * NaN. Blocks without a process (!run) are one run.
 */
void ratio_between(
	const struct blocked_samples *base, const struct blocked_samples *fresh, uint64_t seed, struct between *out);

/* One run in parts, in the order in which they followed each other. */
struct run_parts {
	const double *ns;    /* mean time of a step */
	const double *steps; /* that it is the mean of; positive */
	size_t n;
};

/* Mean time of a step, without the slowest and the fastest one of PARTS_OF_A_CUT parts (thresholds.h); NaN without
 * parts. */
double mean_of_parts(const struct run_parts *run);

/* The same of all parts. */
double mean_of_all_parts(const struct run_parts *run);

/* Two runs that were measured once each, by these means. The interval comes from what the parts of each run differ by.
 * It may not hold `all`. `allowance` is for what runs differ by, which one of each does not tell: half the width of a
 * 95 % interval of the logarithm. low and high are NaN if a run has fewer than two parts. */
void ratio_of_parts(const struct run_parts *base, const struct run_parts *fresh, double allowance, struct ratio *out);

/* Whether the means of all parts do not contradict the verdict by the interval: faster and slower lie on the same side
 * of 1 by both, and the same is within the band by both. Of what is unclear, that they are not apart. */
bool all_parts_agree(const struct ratio *ratio, double band);

/* Whether the ratio of the means of all parts is another one: farther from `value` than the band, and than what runs
 * differ by anyway. */
bool all_parts_apart(const struct ratio *ratio, double band);

/* Lag-1 autocorrelation of the logarithm of the ratio of single to double (of their medians) from block to block, -1
 * to 1. Near 0, blocks are as good as independent; up to about 0.5 the interval of ratio_bootstrap() makes up for it.
 * Each run counts by itself: how far apart runs lie is no drift. NaN unless a run has six blocks: of fewer that climb
 * steadily it is below 0.5 anyhow. */
double ratio_drift(const struct blocked_samples *single, const struct blocked_samples *dbl);

/* Each sample of single held against each one of double in the same block. Where both are the same, and a block's
 * samples independent, double is faster in about half of these pairs: Wilcoxon's rank test inside of blocks. */
struct block_ranks {
	double faster; /* pairs in which double is; a tie counts half */
	size_t pairs;
	/* In fewer pairs one of the two is better by chance: those that the normal distribution gives for `quantile`,
	 * with its correction for whole numbers. It may be more than there are. */
	size_t needed;
};

/* What lasts for some blocks, or drifts, meets both variants alike. Takes the common blocks alone, whatever `run` says.
 * Nothing is counted of samples without a common block. */
struct block_ranks ratio_ranks(
	const struct blocked_samples *single, const struct blocked_samples *dbl, double quantile);

/* The speed-ups that single processes saw. Only those with two common blocks or more count. */
struct run_speedups {
	size_t runs;
	double low, high;      /* the smallest and the largest of them; NaN without any */
	double apart, allowed; /* The two runs that agree least: the larger speed-up over the smaller, less 1; and how
				  large that may be: half the widths of both 95 % intervals, added as independent errors
				  are, and the band. NaN with fewer than two runs. */
};

/* Do the processes agree? Both sides must have `run`. Deterministic for a given seed. */
void ratio_runs(const struct blocked_samples *single, const struct blocked_samples *dbl, double band, uint64_t seed,
	struct run_speedups *out);

/* Medians of single processes: how many there are, the smallest and the largest; NaN without samples. */
struct run_medians {
	size_t runs;
	double low, high;
};

/* How far apart are processes that measured the same thing? Without `run`, all samples are of one process. */
void run_medians(const struct blocked_samples *of, struct run_medians *out);

#endif
