/* judging.h: one case of two programs, judged. Private to this folder. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_JUDGING_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_JUDGING_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "analyze/analyze.h"
#include "model/family/contrast/finding.h"
#include "model/family/series.h"
#include "store/rowset.h"

struct family_rows;
struct measured;

enum measures { MEASURES_KERNELS, MEASURES_KERNEL, MEASURES_GRAPH, MEASURES_PROGRAM, MEASURES_NOTHING };

/* What the samples of case `i` are. */
enum measures case_measures(const struct family_rows *f, size_t i);

/* The first case that measures this, or -1. */
ssize_t case_of(const struct family_rows *f, enum measures measures);

/* What one side gave: its whole blocks only. */
struct judged_side {
	const struct measured *measured;
	struct rows runs; /* of DBPROF_BLOCK */
	struct series ns, cycles;
	struct series busy; /* of all kernels: how long the GPU was busy with them; empty where that is not known */
	double median, mhz; /* NaN without; of a side of traces the mean of all steps stands for the median */
	double busy_median; /* the same of `busy` */
};

struct judging {
	const struct family_rows *f;
	size_t variant[2]; /* single, other */
	enum measures measures;
	const char *kind; /* the runs that the samples come from: traced, host or plain */
	struct judged_side side[2];
	size_t blocks; /* whole ones that both have */
	struct ratio ratio, cycles, busy;
	double band;                   /* ratios nearer to 1 count as the same */
	enum verdict in_time;          /* before any check */
	enum verdict alone;            /* after its own checks */
	enum verdict verdict;          /* after all of them */
	const struct judging *against; /* the program for the kernels, and the other way round; NULL: not held */
	const struct judging *kernels; /* what tracing is held against; NULL: no traced times */
	json_t *evidence, *reasons;    /* owned */
};

/* Takes the samples of case `i`. False, with nothing to free, unless both sides have some. */
bool judging_begin(const struct family_rows *f, size_t i, size_t single, size_t other, struct judging *out);
/* Looks at the evidence. `agreement`: also at the judging that it is against, which is judged but for that. */
void judging_judge(struct judging *judging, bool agreement);
void judging_free(struct judging *judging);

/* How much more the times of a side's kernels add up to than the GPU is busy with them: share; NaN where it is not
 * known how long it is. */
double kernels_at_once_part(const struct judged_side *side);

/* The median of each side's whole blocks in case `i`; NaN both, unless both have some. */
void judged_medians(const struct family_rows *f, size_t i, size_t single, size_t other, double median[2]);

/* How long the GPU is busy with a side's kernels in case `i`, median (ns), and in *part kernels_at_once_part(); NaN
 * both where it is not known. */
double judged_busy(const struct family_rows *f, size_t i, size_t v, double *part);

/* What runs of one program are assumed to differ by, where each side is one run: half the width of an interval that has
 * nothing else in it. 0 where runs tell. */
double judging_allowance(const struct judging *judging);

/* Of traces: the ratio if runs differed by nothing but what their parts tell. */
struct ratio ratio_without_allowance(const struct judging *judging);

/* Whether the times are those of the range in runs without CUPTI; else they are the whole process's. */
bool judging_has_range(const struct judging *judging);

/* checks.c: [E] and the names of the failed ones. */
void programs_check(const struct judging *judging, bool agreement, json_t *evidence, json_t *reasons);

/* Of traces: whether the means of all parts do not contradict the verdict by those without the slowest and the fastest
 * parts. */
void check_all_parts(const struct judging *judging, struct finding *out);

/* What sentences call the sides: {"single", "double"}. A new reference. */
json_t *judging_called_json(const struct judging *judging);

/* What tracing adds to the host time of a step (share), of side 0 or 1; NaN if it was not measured. */
double traced_change(const struct judging *judging, int side);

/* The budget for as many whole blocks as are needed (s); NaN if unknown, or if the runs did not end for want of time.
 */
double budget_needed(const struct family_rows *f);

#endif
