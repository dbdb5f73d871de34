/* barrier-probe.h: what a barrier takes, and what a warp takes from an open barrier to its clock behind it (phase.cuh).
 */
#ifndef DBPROF_KERNELS_BARRIER_PROBE_H
#define DBPROF_KERNELS_BARRIER_PROBE_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { BARRIER_READINGS = 25 };

/* SM cycles of a warp that waits for nobody. */
struct barrier_cycles {
	unsigned barrier; /* from its clock in front of a barrier to the one behind it */
	unsigned leave;   /* what the load adds that stamped blocks have behind a barrier, in front of the clock */
};

/* Runs a block of one warp, and waits for it. Medians of BARRIER_READINGS. */
cudaError_t barrier_probe(cudaStream_t stream, struct barrier_cycles *out);

#ifdef __cplusplus
}
#endif

#endif
