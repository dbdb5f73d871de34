/* step-copy.h: copies one step of a traced run into another recording. */
#ifndef DBPROF_CONTRAST_STEP_COPY_H
#define DBPROF_CONTRAST_STEP_COPY_H

#include <stdint.h>

#include "contrast/step/step-calls.h"
#include "contrast/step/step-window.h"
#include "store/store.h"
#include "util/error.h"

/* Where the rows go. */
struct step_place {
	struct recording *rec;
	struct step_window window; /* what is copied */
	int64_t at;                /* the time that its begin becomes (CLOCK_REALTIME, ns) */
	int64_t first_call;        /* the number that its first call gets: ids of several steps must differ */
	const int *gpus;           /* as of struct median_run */
};

/* How much was copied. */
struct step_copied {
	size_t own, others; /* pieces of work of the step, and of what else ran on its GPUs or for its processes */
	size_t ranges;
};

/* Copies all kernels, graphs, copies and memsets that ran within the window on a GPU of the step's processes, or for
 * these; the calls that asked for work of the step; the NVTX ranges of its processes; and which stream is the default
 * one. All is cut where the window is. Only work of the step itself names its call. CUDA devices become the numbers
 * that GPUs have in a report, and these are renumbered by place->gpus. With place->rec NULL nothing is written. */
int step_copy(const char *path, const struct step_calls *calls, const struct step_place *place,
	struct step_copied *copied, struct error *err);

#endif
