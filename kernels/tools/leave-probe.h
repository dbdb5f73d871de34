/* leave-probe.h: what a warp takes from an open barrier to its clock behind it (phase.cuh). */
#ifndef DBPROF_KERNELS_LEAVE_PROBE_H
#define DBPROF_KERNELS_LEAVE_PROBE_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LEAVE_READINGS = 25 };

/* Runs a block of one warp, which waits for nobody, and waits for it. The warp reads its clock in front of a barrier
 * and behind it, with the load that stamped blocks have there and without. *cycles: what the load adds, by the medians
 * of LEAVE_READINGS each. */
cudaError_t leave_probe(cudaStream_t stream, unsigned *cycles);

#ifdef __cplusplus
}
#endif

#endif
