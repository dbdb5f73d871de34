/* counted-private.h: what counted.c and counted-side.c share. */
#ifndef DBPROF_CONTRAST_COUNT_COUNTED_PRIVATE_H
#define DBPROF_CONTRAST_COUNT_COUNTED_PRIVATE_H

#include "contrast/count/counted.h"
#include "contrast/count/inside-run.h"

/* What is passed around while sides are counted. */
struct side_counting {
	const struct contrast_options *options;
	const char *folder;
	struct measurement *measured;
	const struct contrast_samples *samples;
	struct counted_kernels *out;
	int64_t begun; /* clock_monotonic() */
	size_t side;
	struct counted_case **planned; /* kernels of the plan, by their places */
	size_t nplanned;
	uint64_t rank; /* of the process whose results are being taken; COUNT_NO_RANK if it has none */
	char *chip;    /* the answer to the question */
	uint8_t *availability;
	struct error *err;
};

/* Sets out->status. Returns 0. */
int end_counting(const struct side_counting *c, const char *status);

/* Notes why nothing of this side's program can be counted; the first reason stays. */
void take_refusal(struct side_counting *c, const char *text);

/* As inside_run_once(), in a counting run of the side; `take` gets `c`. */
int count_once(struct side_counting *c, const struct count_plan *plan, count_results_taker *take);

/* Forgets what was counted of a group. */
void counted_group_clear(struct counted_group *counted);

/* Runs the side for what is missing of its cases, unless it is done. -1 with c->err if interrupted; else 0, also where
 * the run failed: then out->status and out->reason say so. */
int count_side(struct side_counting *c);

#endif
