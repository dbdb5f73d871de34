/* finding.h: what a check of a comparison saw, as numbers; words/comparison-checks.c makes the sentences. */
#ifndef DBPROF_MODEL_PAIR_FINDING_H
#define DBPROF_MODEL_PAIR_FINDING_H

#include <jansson.h>

enum outcome { OUTCOME_NOT_APPLICABLE = -2, OUTCOME_NOT_MEASURED = -1, OUTCOME_FAILED = 0, OUTCOME_PASSED = 1 };

/* A check fills one that comes as not measured, with NaN and no facts. */
struct pair_finding {
	enum outcome ok;
	double figure, limit; /* what decides, and where it stops being good; NaN where nothing was measured */
	const char *missing;  /* why nothing was measured: an id; NULL otherwise */
	json_t *facts;        /* an object: what else was seen; owned */
};

#endif
