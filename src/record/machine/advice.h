/* advice.h: what a person can do about a CUDA error. */
#ifndef DBPROF_RECORD_MACHINE_ADVICE_H
#define DBPROF_RECORD_MACHINE_ADVICE_H

#include <cuda_runtime_api.h>

/* One sentence without a full stop, or NULL where there is nothing better to say than the error's own text. */
const char *cuda_advice(cudaError_t code);

#endif
