/* finding.h: what a check of a comparison saw. */
#ifndef DBPROF_MODEL_PAIR_FINDING_H
#define DBPROF_MODEL_PAIR_FINDING_H

#include "analyze/thresholds.h"

enum { TEXT_SIZE = 320, BRIEF_SIZE = 160 };

enum { CHECK_FAILED = 0, CHECK_PASSED = 1, CHECK_NOT_MEASURED = -1, CHECK_DOES_NOT_APPLY = -2 };

struct finding {
	int ok;               /* one of the above */
	double figure, limit; /* what decides, and where it stops being good; NaN where nothing was measured */
	char text[TEXT_SIZE];
	char brief[BRIEF_SIZE]; /* why it failed, to stand beside the verdict */
};

/* Says why something was not measured. */
void not_measured(struct finding *out, const char *why);

#endif
