/* curves-private.h: what curves.c and curves-take.c share. */
#ifndef DBPROF_CONTRAST_PM_CURVES_PRIVATE_H
#define DBPROF_CONTRAST_PM_CURVES_PRIVATE_H

#include "contrast/count/inside-run.h"
#include "contrast/count/results.h"
#include "contrast/pm/curves.h"
#include "contrast/step/step-calls.h"

enum { CURVE_NAMES = 512 };

/* What a process has told of a group so far. */
struct told_curve {
	struct pm_time *times; /* of the next image; owned */
	size_t ntimes, first;
	struct pm_sample *samples; /* owned */
	size_t nsamples, room;
	struct curve_piece *work; /* owned */
	size_t nwork;
};

/* What is passed around while sides are sampled. */
struct curving {
	const struct contrast_options *options;
	const struct contrast_samples *samples;
	struct curves *out;
	struct inside_run run; /* its side is the one at work */
	size_t at;             /* the place of that side in the pair */
	struct step_calls steps[MEDIAN_SIDES];
	bool has_step[MEDIAN_SIDES];
	char gpu[MEDIAN_SIDES][PROGRAM_UUID]; /* whose work is looked at, where several are at work; else "" */
	char *chip;                           /* the answer to the question */
	uint8_t *availability;
	size_t *planned; /* places of the sets that the run samples, by group */
	size_t nplanned;
	size_t taken;                       /* sets that the run has given */
	const char *functions[CURVE_NAMES]; /* of the process whose results are being taken */
	struct told_curve told;
	struct kernel_names kernels;
};

/* Takes a record of a run: a count_results_taker whose user is a struct curving. */
void curves_take_record(void *user, const struct count_record *head, const char *bytes);

/* Frees what was told and not taken. */
void told_curve_free(struct told_curve *told);

#endif
