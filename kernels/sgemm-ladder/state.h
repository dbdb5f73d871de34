/* state.h: what the files of the family sgemm-ladder share on the host. */
#ifndef DBPROF_KERNELS_SGEMM_LADDER_STATE_H
#define DBPROF_KERNELS_SGEMM_LADDER_STATE_H

#include "product.h"
#include "sgemm-cublas.h"

enum { LADDER_PARAM_M, LADDER_PARAM_N, LADDER_PARAM_K, LADDER_PARAM_SIZE };

struct sgemm_ladder_state {
	struct product product;
	cublas_handle handle; /* NULL until cuBLAS is prepared or launched */
};

#ifdef __cplusplus
extern "C" {
#endif

/* As struct variant has them, in sgemm-ladder-k-major.cu and sgemm-ladder-tma.cu. */
cudaError_t sgemm_ladder_launch_k_major(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t sgemm_ladder_config_k_major(void *state, struct kernel_config *out);
cudaError_t sgemm_ladder_launch_tma(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t sgemm_ladder_config_tma(void *state, struct kernel_config *out);

#ifdef __cplusplus
}
#endif

#endif
