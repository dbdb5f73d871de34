/*
 * analyze.h: every number that dbprof derives. Arrays in, numbers out: no I/O, no SQL, no JSON, no globals.
 *
 * Times are int64_t nanoseconds. A ratio with a zero denominator is NaN, which the report prints as "n/a".
 */
#ifndef DBPROF_ANALYZE_ANALYZE_H
#define DBPROF_ANALYZE_ANALYZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* ---- intervals: half-open [start, end) ---- */

struct interval {
	int64_t start, end;
};

/* Sorts in place and merges overlapping and touching intervals; empty or backward ones are dropped. Returns how many
 * are left, sorted and disjoint. */
size_t intervals_union(struct interval *a, size_t n);

/* Sum of the lengths of sorted, disjoint intervals (the result of intervals_union); INT64_MAX if it is more. */
int64_t intervals_length(const struct interval *a, size_t n);

/* Length of the intersection of two sorted, disjoint sets. */
int64_t intervals_overlap(const struct interval *a, size_t na, const struct interval *b, size_t nb);

/* Busy share of each of `bins` equal slices of [from, to) by sorted, disjoint intervals: out[i] in 0..1. All 0 if
 * to <= from. */
void intervals_share(const struct interval *a, size_t n, int64_t from, int64_t to, double *out, size_t bins);

/* ---- overlap of copies and kernels on one GPU (definitions in docs/numbers.md) ---- */

enum work_class { WORK_H2D, WORK_D2H, WORK_KERNEL, WORK_OTHER, WORK_CLASSES };

struct device_work {
	int64_t start, end;
	enum work_class cls;
};

struct overlap {
	int64_t span, idle;               /* last end - first start; span - busy_all */
	int64_t busy[WORK_CLASSES];       /* B(h2d), B(d2h), B(kernel), B(other) */
	int64_t busy_copy, busy_all;      /* B(h2d and d2h), B(everything) */
	int64_t overlap, exposed_copy;    /* union of copies with union of kernels; B(copy) - overlap */
	int64_t exposed_h2d, exposed_d2h; /* the same of each direction by itself; together at least exposed_copy */
	int64_t duplex;                   /* union of h2d with union of d2h */
	int64_t serial, hideable;         /* B(h2d) + B(kernel) + B(d2h); serial minus the largest of the three */
	int64_t floor;                    /* the largest of the three: what is left if the rest hides behind it */
	double overlap_ratio;             /* overlap / B(copy) */
	double concurrency;               /* (serial - B(all)) / hideable */
};

/* A sweep over work that comes piece by piece, in the order of its starts. Zeroed at first. */
struct overlap_sweep {
	struct overlap sums;            /* as far as the sweep has come */
	int64_t at, start;              /* how far; where the first piece starts */
	int64_t end[WORK_CLASSES];      /* the latest of each class; valid if `begun` */
	int64_t h2d_kernel, d2h_kernel; /* time of each direction in which a kernel runs */
	bool begun;
};

/* Adds a piece. Work of no length counts nowhere, so the span starts and ends with work that takes time. */
void overlap_add(struct overlap_sweep *sweep, const struct device_work *work);

/* Ends the sweep: all 0 if nothing was added. Times that do not fit become INT64_MAX. */
void overlap_end(struct overlap_sweep *sweep, struct overlap *out);

/* (span of single - span of double) / hideable of single. */
double hidden_share(const struct overlap *single, const struct overlap *dbl);

/* B(h2d) + B(d2h) of double over the same of single: how much copies stretch when both directions run. The directions
 * are added, not united: their overlap is the gain, and would hide the stretch. */
double copy_stretch(const struct overlap *single, const struct overlap *dbl);

/* ---- which range a piece of device work belongs to ---- */

struct host_range {
	int64_t start, end;
	int64_t thread;
};

struct host_call {
	int64_t start;
	int64_t thread;
	int64_t correlation;
};

/* For each call, the index of the innermost range [start, end) of its thread that contains its start, or -1. Where
 * ranges do not nest, the one that started last; of two that are equal, the later in the array. */
void ranges_attribute(
	const struct host_range *ranges, size_t nranges, const struct host_call *calls, size_t ncalls, int *out);

/* For each range, the index of the range of its thread around it: the innermost that contains its start, or -1. Every
 * range that contains a call is reached from ranges_attribute()'s answer along these; where ranges do not nest, some on
 * the way do not contain it. The number of steps to -1 is the depth. */
void ranges_parents(const struct host_range *ranges, size_t n, int *out);

/* ---- values sampled over time ---- */

/* A value that holds from start to end. */
struct value_sample {
	double start, end, value;
};

/* Of samples in the order of time: means over each of `bins` equal slices of [from, to), each sample weighted by the
 * time that it has in the slice. NaN where no sample has any, and where one that has is NaN. */
void samples_mean(const struct value_sample *s, size_t n, double from, double to, double *out, size_t bins);

/* The largest value of the samples that have time in [from, to); NaN if none has. */
double samples_peak(const struct value_sample *s, size_t n, double from, double to);

/* ---- statistics ---- */

struct summary {
	size_t n;
	double median, q1, q3, min, max;
};

/* Sorts a copy. `x` holds no NaN. Quartiles are interpolated linearly. All NaN for n == 0. */
void summarize(const double *x, size_t n, struct summary *out);

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
 * looked at. False with fewer than twelve common blocks, or if a sample is not a positive number.
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

enum verdict { VERDICT_FASTER, VERDICT_SLOWER, VERDICT_SAME, VERDICT_UNCLEAR };

/* Same, if the whole interval lies inside [1 - band, 1 + band], ends included; faster or slower, if it lies wholly
 * outside; else unclear. NaN is unclear, and so is everything when `evidence_ok` is false. */
enum verdict verdict_of(const struct ratio *ratio, double band, bool evidence_ok);

/* What time and cycles (time x clock) say together, for work that is bound by the kernel and should take the same
 * cycles at any clock: a gap in time that is not the same gap in cycles may be the clock's, and is unclear. Same and
 * unclear in time stay what they are. */
enum verdict verdict_confirmed(enum verdict in_time, enum verdict in_cycles);
const char *verdict_name(enum verdict verdict); /* "faster" ... */
enum verdict verdict_named(const char *word);   /* the other way round; unclear for any other word */

/* ---- theoretical occupancy ---- */

struct sm_limits {
	int warps, blocks, threads_per_warp;
	int64_t registers, shared_bytes; /* per SM */
	int compute_major, compute_minor;
};

struct kernel_resources {
	int threads;          /* per block */
	int registers;        /* per thread */
	int64_t shared_bytes; /* per block, static and dynamic, without the system's share */
};

enum occupancy_limiter { LIMIT_WARPS, LIMIT_BLOCKS, LIMIT_REGISTERS, LIMIT_SHARED };

struct occupancy {
	int blocks_by[4];  /* resident blocks that each limiter alone would allow, by enum occupancy_limiter; INT_MAX:
			      any */
	int blocks, warps; /* resident per SM */
	double share;      /* warps / limit */
	enum occupancy_limiter limiter; /* the tightest; ties: the first of the enum */
};

/* Follows the CUDA occupancy rules: registers per warp in units of 256, each warp's from one of the SM's 4 partitions
 * (2 on 6.0), shared memory in units of 128 bytes (256 before 8.0) with 1 KiB per block taken by the system from 8.0
 * on. The whole shared memory of the SM is taken as available. 0 blocks and a NaN share if there is no thread or no
 * warp slot. */
void occupancy_compute(const struct sm_limits *sm, const struct kernel_resources *kernel, struct occupancy *out);
const char *occupancy_limiter_name(enum occupancy_limiter limiter); /* "warps" ... */

/* ---- barrier stall, three ways ---- */

/* A part of a whole: samples with a stall reason, cycles in a phase. */
struct labelled {
	const char *label; /* not NULL */
	double amount;
};

/* What the parts with this label amount to, of all parts together. NaN if all together are nothing. */
double labelled_share(const struct labelled *parts, size_t n, const char *label);

/* Counters: of warp-active cycles. PC samples: of samples. Phases: of the cycles of stamped warps. */
enum barrier_way { BARRIER_COUNTERS, BARRIER_SAMPLES, BARRIER_PHASES, BARRIER_WAYS };

struct disagreement {
	double share;                 /* largest minus smallest; NaN with fewer than two ways */
	enum barrier_way most, least; /* which ways these are; of equal ones the first */
};

/* share[i] is what way i gives, 0 to 1, or NaN. */
void barrier_disagreement(const double share[BARRIER_WAYS], struct disagreement *out);
const char *barrier_way_name(enum barrier_way way); /* "counters" ... */

/* ---- text: lines that differ, and instructions by kind ---- */

/* Two files' lines side by side. Lines that are the same (without leading and trailing white space) are matched by the
 * longest common subsequence; between two matches, the lines left over are paired one by one in order, so that a
 * changed line stands beside its old self. Each out entry: line numbers from 0, or -1 where one side has no
 * counterpart; both >= 0 with different text is a changed line. `out` must have room for na + nb; *nout is set. -1 if
 * na * nb is more than 64 Mi, else 0. */
struct line_pair {
	int a, b;
};
int lines_align(const char *const *a, int na, const char *const *b, int nb, struct line_pair *out, int *nout);

/* Instructions of one PTX entry, by kind. */
enum ptx_kind {
	PTX_LOAD_SHARED,
	PTX_STORE_SHARED,
	PTX_LOAD_GLOBAL,
	PTX_STORE_GLOBAL,
	PTX_SHUFFLE,
	PTX_BARRIER,
	PTX_ARITHMETIC,
	PTX_MOVE,
	PTX_PREDICATE,
	PTX_BRANCH,
	PTX_OTHER,
	PTX_KINDS
};
const char *ptx_kind_name(enum ptx_kind kind); /* "shared loads" ... */

/* The kind of one line of PTX, or -1 if it is no instruction (label, directive, comment, brace, blank). Copies between
 * global and shared memory (cp.async) count as global loads or stores; loads and stores elsewhere (param, local, const,
 * generic), atomics, fences and votes as other. */
int ptx_classify(const char *line);

#endif
