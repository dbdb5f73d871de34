/* whole-run.h: two traces as wholes, where no range tells their steps. Private to this folder. */
#ifndef DBPROF_MODEL_FAMILY_PROGRAMS_WHOLE_RUN_H
#define DBPROF_MODEL_FAMILY_PROGRAMS_WHOLE_RUN_H

#include <jansson.h>
#include <stdbool.h>

#include "analyze/analyze.h"

struct judging;
struct program_pair;

struct whole_run {
	double ns[2];       /* from the begin of the first kernel to the end of the last one */
	struct ratio ratio; /* with an allowance for what runs differ by */
	enum verdict verdict;
};

/* Of the judging of all kernels of two traces without a range; false for another one. */
bool whole_run_of(const struct judging *kernels, struct whole_run *out);

/* Whether kernels alone and run are clear and say the opposite. */
bool whole_run_contradicts(const struct judging *kernels, const struct whole_run *run);

/* "whole_run"; null where there is none. */
json_t *whole_run_json(const struct program_pair *pair);

#endif
