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

/* What of two recordings is held against each other. */
enum pair_mode {
	PAIR_TIMES,    /* times of one code on one model of GPU */
	PAIR_GAINS,    /* of two models of GPU: what double buffering gains on each */
	PAIR_PROGRAMS, /* times of two traced runs */
	PAIR_NONE      /* nothing: it is one recording */
};

struct comparing {
	const struct pair_options *options;
	enum pair_mode mode;
	struct model side[SIDES];
	bool comparable;       /* no check of the recordings as wholes failed */
	json_t *shared_failed; /* names of those that did */
	json_t *missing;       /* what only one of the recordings has times of */
	size_t verdicts[VERDICT_UNCLEAR + 1];
	size_t one_process; /* points of sweeps that one process timed on each side, which can have no verdict */
	size_t few_runs;    /* other comparisons without an interval, for want of runs */
	size_t wide;        /* comparisons whose evidence is sound and whose interval decides nothing */
	struct error *err;
};

#endif
