/* pair-model.h: what the files of the comparison's model (compare.c, compare-*.c) share; private to them. */
#ifndef DBPROF_MODEL_PAIR_PAIR_MODEL_H
#define DBPROF_MODEL_PAIR_PAIR_MODEL_H

#include <sys/types.h>

#include "analyze/analyze.h"
#include "compare/compare.h"
#include "model/family/measure.h"
#include "model/recording.h"
#include "store/rowset.h"

enum compare_side { SIDE_BASE, SIDE_NEW, SIDES };

const char *side_name(enum compare_side side); /* "base", "new" */

/* Two recordings being compared. */
struct comparing {
	const struct compare_options *options;
	struct model side[SIDES];
	bool comparable;       /* no check of the recordings as wholes failed */
	json_t *shared_failed; /* names of those that did */
	json_t *missing;       /* what only one of the recordings has times of */
	size_t verdicts[VERDICT_UNCLEAR + 1];
	size_t few_runs; /* comparisons without an interval, for want of runs */
	size_t wide;     /* comparisons whose evidence is sound and whose interval decides nothing */
	struct error *err;
};

/* The row of a slice with this text in a column, or -1. */
ssize_t find_row(const struct rows *rows, int column, const char *text);

/* Whether this was chosen; with a variant or label of NULL, whether anything in it was. */
bool compare_chosen(const struct compare_options *options, const char *family, const char *variant, const char *label);

/* ---- one recording's times of one variant in one case (compare-timing.c) ---- */

struct timing {
	struct measured m;          /* its times alone; `verify` is of every case: a variant that is wrong at a ragged
				       size is wrong */
	size_t nblocks, nruns;      /* that the samples come from; throttled blocks are set apart */
	bool by_block;              /* the GPU's state was read beside the case's blocks, not just now and then */
	size_t readings, throttled; /* readings that know about throttling, and those that saw it */
	int64_t processes;          /* most that were seen on the GPU, -1 if unknown */
};

/* Fills *out, which timing_free() frees also after an error. */
int timing_take(
	const struct model *model, const char *family, const char *variant, const char *label, struct timing *out);
void timing_free(struct timing *timing);

/* Of m's family, variant and label: whether there are timed samples, and if not why, as far as the recording says (else
 * NULL). */
bool timing_there(const struct model *model, const struct measured *m);
const char *timing_lacks(const struct model *model, const struct measured *m);

/* ---- one comparison (compare-pair.c) ---- */

struct compared {
	const struct comparing *in;
	const char *family, *variant, *label; /* borrowed */
	struct timing side[SIDES];
	struct between ratio;
	struct between cycles; /* the same in SM cycles; NaN if not kernel-bound, or not measured on both sides */
	bool kernel_bound;
	const char *single, *dbl; /* the family's contrast pair; borrowed */
	const char *kind, *sweep; /* sweep NULL if the case is no point of one; borrowed */
	bool headline;
};

/* Compares, and counts the verdict. The caller has set what is borrowed and zeroed all else. */
json_t *comparison_json(struct comparing *in, struct compared *compared);

/* The contrast pair in its headline case, in both recordings: did double's gain change? JSON null if one of the two
 * lacks a time. */
json_t *gain_json(struct comparing *in, const char *family, const char *single, const char *dbl, const char *label);

/* ---- evidence (compare-evidence.c) ---- */

/* Of the recordings as wholes: same GPU, same software, same way of timing. Fills in->comparable and in->shared_failed.
 */
json_t *shared_evidence_json(struct comparing *in);
/* Of one comparison. Appends the names of checks that failed. */
json_t *pair_evidence_json(const struct compared *compared, json_t *failed);
/* Whether the ratio has no interval because neither recording has runs to learn the spread from. */
bool lacks_runs(const struct compared *compared);

/* ---- families (compare-family.c) ---- */

json_t *compared_families_json(struct comparing *in);

#endif
