/* calibrate.h: measures what the prediction knows of a machine. */
#ifndef DBPROF_KERNELS_CALIBRATE_H
#define DBPROF_KERNELS_CALIBRATE_H

#include <cuda_runtime_api.h>

#include "analyze/machine.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fills *out with small kernels and copies on `device`, which becomes the current one; about 0.15 s. Nothing else may
 * run on it meanwhile. `stream` is idle before and after. What cannot be measured, for want of memory, is NaN. A CUDA
 * error is returned as it is, and all members are NaN then. */
cudaError_t calibrate(int device, cudaStream_t stream, struct machine *out);

#ifdef __cplusplus
}
#endif

#endif
