/* gpus.h: the GPUs that the sides of a contrast run on, told apart by UUID, each with one number in our recording. */
#ifndef DBPROF_CONTRAST_GPU_GPUS_H
#define DBPROF_CONTRAST_GPU_GPUS_H

#include <stdbool.h>
#include <stddef.h>

#include "contrast/measure/side.h"
#include "record/cupti/nvml.h"
#include "store/store.h"
#include "util/error.h"

/* A GPU that a traced run has told of. */
struct seen_gpu {
	char uuid[PROGRAM_UUID];      /* "" if it is not known; it is in no recording */
	struct value row[GPU_NUMBER]; /* of TARGET_INFO_GPU; its texts are owned */
	struct nvml *nvml;            /* for its clock and power; NULL: not opened, or not to be had */
	bool is_tried;
};

/* All of them, in the order in which they were seen. Begins as {0}. */
struct seen_gpus {
	struct seen_gpu *gpu;
	size_t n, room;
};

/* Adds the GPUs of a traced run's recording that are new. Those of the first run keep their numbers; a later one gets
 * its own number or the first that is free. numbers[] becomes for each GPU of that recording the number here, and the
 * same number for what the recording does not tell. A recording that cannot be read adds none. */
void seen_gpus_take(
	struct seen_gpus *gpus, const char *recording, const struct side_run *run, int numbers[PROGRAM_GPUS]);

/* The number here of the GPU that counts as a run's own: `before`, the one of the side's earlier runs, if kernels ran
 * on it for at least half as long as on the busiest, else the busiest. So two GPUs with the same work do not take
 * turns. -1 if it is unknown. */
int seen_gpus_own(const struct side_run *run, const int numbers[PROGRAM_GPUS], int before);

/* How many GPUs ran kernels in a traced run. */
size_t seen_gpus_busy(const struct side_run *run);

/* The row of the GPU with that number; of -1, that of the only GPU. NULL if there is none. */
const struct value *seen_gpus_row(const struct seen_gpus *gpus, int number);

/* For the clock and power of the GPU with that number: opened when it is asked for first; NULL if that is not to be
 * had. */
const struct nvml *seen_gpus_nvml(struct seen_gpus *gpus, int number);

/* Writes TARGET_INFO_GPU. */
int seen_gpus_write(const struct seen_gpus *gpus, struct recording *rec, struct error *err);

void seen_gpus_free(struct seen_gpus *gpus);

#endif
