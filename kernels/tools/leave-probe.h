/* leave-probe.h: what a warp takes from the opening of a barrier to its clock behind it (phase.cuh). */
#ifndef DBPROF_KERNELS_LEAVE_PROBE_H
#define DBPROF_KERNELS_LEAVE_PROBE_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { LEAVE_WARPS = 4, LEAVE_ROUNDS = 12, LEAVE_READINGS = LEAVE_WARPS * LEAVE_ROUNDS };

/* Runs a block with a warp for each scheduler of an SM, and waits for it. Each warp reads its clock, loads and reads
 * its clock again, as behind a barrier, but with none between. *cycles: the median of LEAVE_READINGS. */
cudaError_t leave_probe(cudaStream_t stream, unsigned *cycles);

#ifdef __cplusplus
}
#endif

#endif
