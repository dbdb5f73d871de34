/* step-window.h: the time in which a step is shown. */
#ifndef DBPROF_CONTRAST_STEP_WINDOW_H
#define DBPROF_CONTRAST_STEP_WINDOW_H

#include <stdint.h>

#include "contrast/step/pace.h"

struct step_calls;

enum step_window_kind {
	WINDOW_DURATION, /* of its range */
	WINDOW_PERIOD,   /* from its begin to the begin of the next one of its process */
	WINDOW_KERNELS,  /* as long, from the begin of its first kernel */
	WINDOW_WORK,     /* from the begin of its first work to the end of its last */
	WINDOW_RUN,      /* the step is the whole run */
};

struct step_window {
	enum step_window_kind kind;
	int64_t from, to;
};

/* DBPROF_MEDIAN_STEP.window */
const char *step_window_word(enum step_window_kind kind);

/* As long as the step takes by the measure that the steps of all runs are compared by. Where its kernels end behind its
 * period, the GPU lags behind the host: then the window begins with the first of them, since at the step's begin all
 * may be work of earlier ones. Where the GPU works on behind the end of its duration, that is the time of submission
 * alone, and the window is as long as its work takes. So it is of a step without a period. */
struct step_window step_window_of(const struct step_calls *step, enum step_measure measure);

/* From the begin of its first work to the end of its last. The whole run stays that. */
struct step_window step_window_of_work(const struct step_calls *step);

#endif
