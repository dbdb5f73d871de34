/* spin.h: a kernel of a given length, for programs in C. */
#ifndef DBPROF_CUDA_SIM_SPIN_H
#define DBPROF_CUDA_SIM_SPIN_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Launches a kernel that takes about `ns` on so many blocks of 1024 threads, all of which the GPU can hold at once. */
cudaError_t spin(int blocks, long long ns, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
