/* step-copy.h: copies one step of a traced run into another recording. */
#ifndef DBPROF_CONTRAST_STEP_COPY_H
#define DBPROF_CONTRAST_STEP_COPY_H

#include <stdint.h>

#include "contrast/step/step-calls.h"
#include "store/store.h"
#include "util/error.h"

/* Where the rows go. */
struct step_place {
	struct recording *rec;
	int64_t at;         /* the time that the step's from becomes (CLOCK_REALTIME, ns) */
	int64_t first_call; /* the number that its first call gets: ids of several steps must differ */
	const int *gpus;    /* as of struct median_run */
};

/* Copies the step's kernels, graphs, copies, memsets and the calls that asked for them, the NVTX ranges of its
 * processes meanwhile, cut where the step is, and which stream is the default one. CUDA devices become the numbers that
 * GPUs have in a report, and these are renumbered by place->gpus. *nranges is how many ranges there are. With
 * place->rec NULL nothing is written. */
int step_copy(const char *path, const struct step_calls *calls, const struct step_place *place, size_t *nranges,
	struct error *err);

#endif
