/* timing.h: one recording's times of one variant in one case, and what was seen beside them. */
#ifndef DBPROF_MODEL_PAIR_TIMING_H
#define DBPROF_MODEL_PAIR_TIMING_H

#include "model/family/measured.h"

struct model;

struct timing {
	struct measured m;          /* its times alone; `verify` is of every case: a variant that is wrong at a ragged
				       size is wrong */
	size_t nblocks, nruns;      /* that the samples come from; throttled blocks are set apart */
	bool by_block;              /* the GPU's state was read beside the case's blocks, not just now and then */
	size_t readings, throttled; /* readings that know about throttling, and those that saw it */
	bool alike;                 /* the power limit throttled so many blocks that none is set apart (readings.h) */
	double watts;               /* at those readings, NaN if unknown */
	int64_t processes;          /* most that were seen on the GPU, -1 if unknown */
};

/* Fills *out, for timing_free(). The strings are borrowed. */
void timing_take(
	const struct model *model, const char *family, const char *variant, const char *label, struct timing *out);
void timing_free(struct timing *timing);

/* Whether there are timed samples of this variant and case. */
bool timing_there(const struct model *model, const char *family, const char *variant, const char *label);

/* Why there are none, as far as the recording says: a text of its own, an object with an "id", or null. */
json_t *timing_lacks(const struct model *model, const char *family, const char *variant, const char *label);

#endif
