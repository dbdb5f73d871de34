/* finding.h: what a check of the evidence saw, as numbers. words/evidence.c makes the sentences. */
#ifndef DBPROF_MODEL_FAMILY_CONTRAST_FINDING_H
#define DBPROF_MODEL_FAMILY_CONTRAST_FINDING_H

#include <jansson.h>

struct contrast;
struct model;

enum { CHECK_FAILED = 0, CHECK_PASSED = 1, CHECK_NOT_MEASURED = -1, CHECK_DOES_NOT_APPLY = -2 };

struct finding {
	int ok;               /* one of the above */
	double figure, limit; /* what decides, and where it stops being good; NaN where nothing was measured */
	const char *missing;  /* why it was not measured: a word of docs/report-json.md; NULL if it was */
	json_t *facts;        /* what else was seen, by name; owned */
};

/* What a check is called, the unit of its figure, and how the limit bounds the figure (NULL: not at all). */
struct check_kind {
	const char *name, *unit, *bound;
};

/* E, without the sentences. */
json_t *finding_json(const struct check_kind *kind, const struct finding *finding);

/* Fills *out. It comes as not measured, with NaN, and with no facts in the object. */
typedef void check_function(const struct model *model, const struct contrast *contrast, struct finding *out);

/* The state of the GPU while the samples were taken (evidence-gpu.c). */
check_function check_clock, check_throttling, check_neighbours, check_cycles;

#endif
