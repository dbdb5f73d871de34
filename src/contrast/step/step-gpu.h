/* step-gpu.h: which GPU of a run is looked at. */
#ifndef DBPROF_CONTRAST_STEP_GPU_H
#define DBPROF_CONTRAST_STEP_GPU_H

#include "contrast/launches-private.h"

/* Whether work belongs to a steady step. */
bool step_gpu_is_steady(const struct gather *gather, const struct gathered_work *work);

/* The GPU whose kernels take the most time in steady steps; of several the first. NO_GPU if there is none. */
int step_gpu_busiest(const struct gather *gather);

/* CUDA's number of it in a process that launches there; -1 if there is none. */
int64_t step_gpu_device(const struct gather *gather);

#endif
