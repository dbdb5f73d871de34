/* cuda-error.h: errors of the CUDA runtime as messages. */
#ifndef DBPROF_RECORD_CUPTI_CUDA_ERROR_H
#define DBPROF_RECORD_CUPTI_CUDA_ERROR_H

#include <cuda_runtime_api.h>

#include "util/error.h"

/* Sets "what: error: advice". Returns -1. */
int cuda_error(struct error *err, cudaError_t code, const char *what);

/* What a person can do about it: one sentence without a full stop; NULL where the error's own text says enough. */
const char *cuda_advice(cudaError_t code);

#endif
