/* leave-probe.cu: see leave-probe.h. */
#include "tools/leave-probe.h"

#include <algorithm>

#include "phase.cuh"

static __global__ void leave(unsigned *out)
{
	unsigned taken[LEAVE_ROUNDS];

#pragma unroll
	for (int i = 0; i < LEAVE_ROUNDS; i++) {
		__syncthreads();
		__nanosleep(200);
		__syncthreads(); // now all warps go on together, as behind a barrier

		const unsigned before = phase_clock();

		phase_behind_barrier();
		taken[i] = phase_clock() - before;
	}
#pragma unroll
	for (int i = 0; i < LEAVE_ROUNDS; i++)
		phase_store(out + phase_warp() * LEAVE_ROUNDS + i, taken[i]);
}

static cudaError_t run_leave(unsigned *readings, cudaStream_t stream)
{
	void *arguments[] = {&readings};
	cudaError_t code = cudaLaunchKernel((const void *)leave, dim3(1), dim3(32 * LEAVE_WARPS), arguments, 0, stream);

	return code == cudaSuccess ? cudaStreamSynchronize(stream) : code;
}

cudaError_t leave_probe(cudaStream_t stream, unsigned *cycles)
{
	unsigned *readings;
	cudaError_t code = cudaMallocHost((void **)&readings, LEAVE_READINGS * sizeof(*readings));

	if (code != cudaSuccess)
		return code;
	code = run_leave(readings, stream);
	if (code == cudaSuccess) {
		std::nth_element(readings, readings + LEAVE_READINGS / 2, readings + LEAVE_READINGS);
		*cycles = readings[LEAVE_READINGS / 2];
	}
	(void)cudaFreeHost(readings);
	return code;
}
