/* evidence.h: the checks of the evidence, for the files model-evidence*.c. */
#ifndef DBPROF_MODEL_FAMILY_EVIDENCE_H
#define DBPROF_MODEL_FAMILY_EVIDENCE_H

#include "model/model.h"

enum { TEXT_SIZE = 320, BRIEF_SIZE = 160 };

enum { CHECK_FAILED = 0, CHECK_PASSED = 1, CHECK_NOT_MEASURED = -1, CHECK_DOES_NOT_APPLY = -2 };

/* Clocks further apart than this share make times incomparable; so many blocks may be throttled before the others are
 * no witnesses of an undisturbed GPU either. */
static const double clock_tolerance = 0.02, throttled_limit = 0.25;

/* What a check saw. */
struct finding {
	int ok;               /* one of the above */
	double figure, limit; /* what decides, and where it stops being good; NaN where nothing was measured */
	char text[TEXT_SIZE];
	char brief[BRIEF_SIZE]; /* why it failed, to stand beside the verdict */
};

/* Each fills *out, which comes as not measured, with NaN and no texts. -1 when memory has run out. */
typedef int check_function(const struct model *model, const struct contrast *contrast, struct finding *out);

/* model-evidence-gpu.c: the state of the GPU while the samples were taken. */
check_function check_clock, check_throttling, check_neighbours, check_cycles;

/* Says why something was not measured. Returns 0. */
int not_measured(struct finding *out, const char *why);

#endif
