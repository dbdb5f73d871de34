/* inside-run.h: one run of a side with our library in its program, which counts or samples launches, or the GPU. */
#ifndef DBPROF_CONTRAST_COUNT_INSIDE_RUN_H
#define DBPROF_CONTRAST_COUNT_INSIDE_RUN_H

#include "contrast/count/plan.h"
#include "contrast/count/results-read.h"
#include "contrast/measure/measure.h"

/* All is borrowed. */
struct inside_run {
	const struct contrast_options *options;
	const char *folder; /* ours, for plan and results */
	struct measurement *measured;
	size_t side;
	enum side_kind kind;  /* SIDE_COUNTED, SIDE_SAMPLED or SIDE_PM */
	struct error *reason; /* says how the run went wrong */
	struct error *err;
};

/* Runs the side once with a plan, adds the run to `measured`, and hands what was found to `take`. 0; 1 if the program
 * did not end well, or could not be run: `reason` says how, and what was found is dropped; -1 with `err` if
 * interrupted. */
int inside_run_once(const struct inside_run *r, const struct count_plan *plan, count_results_taker *take, void *user);

/* Calls plan(user), which plans with what the CUPTI of the side `name` has answered, in a child process: that may crash
 * dbprof's CUPTI where the program has another one. -1 with `reason` unless the call comes to its end there. */
int inside_run_try_plan(const char *name, void (*plan)(void *user), void *user, struct error *reason);

#endif
