/* comparing.h: two recordings while they are compared. */
#ifndef DBPROF_MODEL_PAIR_COMPARING_H
#define DBPROF_MODEL_PAIR_COMPARING_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "analyze/analyze.h"
#include "model/pair/options.h"
#include "model/recording.h"

enum pair_side { SIDE_BASE, SIDE_NEW, SIDES };

struct comparing {
	const struct pair_options *options;
	struct model side[SIDES];
	bool comparable;       /* no check of the recordings as wholes failed */
	json_t *shared_failed; /* names of those that did */
	json_t *missing;       /* what only one of the recordings has times of */
	size_t verdicts[VERDICT_UNCLEAR + 1];
	size_t few_runs; /* comparisons without an interval, for want of runs */
	size_t wide;     /* comparisons whose evidence is sound and whose interval decides nothing */
	struct error *err;
};

#endif
