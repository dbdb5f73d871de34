/* median-step.h: which steady step of a side's traced runs stands for all of them. */
#ifndef DBPROF_CONTRAST_MEDIAN_STEP_H
#define DBPROF_CONTRAST_MEDIAN_STEP_H

#include <stdbool.h>
#include <stddef.h>

#include "contrast/launches.h"

/* A traced run of a side. All is borrowed. */
struct median_run {
	const struct launches *launches; /* NULL: it has no steps */
	const char *recording;           /* NULL: it is no longer there, so none of its steps can be chosen */
	int block, position;             /* as of DBPROF_BLOCK; -1 both of a run outside of blocks */
	const int *gpus; /* the numbers that its GPUs get in our recording, by theirs, for each below PROGRAM_GPUS;
			    NULL: the same */
};

/* Of median_step.step: the only steady step of the run, which was split into parts. */
#define MEDIAN_STEP_ONLY SIZE_MAX

struct median_step {
	size_t run, step; /* places among the runs, and in launches.steps of that run */
	size_t steady;    /* steady steps of all runs */
	double ns;        /* GPU time of its kernels */
	double median_ns; /* of those that count in all runs */
};

/* Chooses the step that is nearest to the medians of all in its kernel time and in its time by the measure; of several
 * as near the one that ran first. Near is what is a small part of the median in both (as the hypotenuse). Only steps
 * are chosen that have a time by the measure, if any has. False if there is none. */
bool median_step_choose(const struct median_run *runs, size_t n, enum step_measure measure, struct median_step *out);

/* How far the run's nearest step is from the median kernel time (ns); INFINITY if it has none. */
double median_step_distance(const struct median_run *run, double median_ns);

#endif
