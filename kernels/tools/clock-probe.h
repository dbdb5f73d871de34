/* clock-probe.h: the SM clock as it is now, measured on the GPU: cycles over nanoseconds. */
#ifndef DBPROF_KERNELS_CLOCK_PROBE_H
#define DBPROF_KERNELS_CLOCK_PROBE_H

#include <cuda_runtime_api.h>

#ifdef __cplusplus
extern "C" {
#endif

/* What the probe saw of one SM. */
struct clock_reading {
	unsigned long long cycles, ns;
};

/* Enqueues a kernel of one thread that runs for some 20 us and leaves the length of its run in *out, by the SM's cycle
 * counter and by the GPU's timer. `out` is memory that the GPU can write, such as pinned host memory. */
cudaError_t clock_probe(struct clock_reading *out, cudaStream_t stream);

#ifdef __cplusplus
}
#endif

#endif
