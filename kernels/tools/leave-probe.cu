/* leave-probe.cu: see leave-probe.h. */
#include "tools/leave-probe.h"

#include <algorithm>

#include "phase.cuh"

/* What a barrier takes from clock to clock, with the load behind it or without: LEAVE_READINGS times. */
template <bool LOADS> static __device__ __forceinline__ void read_barriers(unsigned *out)
{
	unsigned taken[LEAVE_READINGS];

#pragma unroll
	for (int i = 0; i < LEAVE_READINGS; i++) {
		const unsigned before = phase_clock();

		__syncthreads();
		if (LOADS)
			phase_behind_barrier();
		taken[i] = phase_clock() - before;
	}
#pragma unroll
	for (int i = 0; i < LEAVE_READINGS; i++)
		phase_store(out + i, taken[i]);
}

static __global__ void leave(unsigned *out)
{
	read_barriers<false>(out);
	read_barriers<true>(out + LEAVE_READINGS);
}

static cudaError_t run_leave(unsigned *readings, cudaStream_t stream)
{
	void *arguments[] = {&readings};
	cudaError_t code = cudaLaunchKernel((const void *)leave, dim3(1), dim3(32), arguments, 0, stream);

	return code == cudaSuccess ? cudaStreamSynchronize(stream) : code;
}

static unsigned leave_median(unsigned *readings)
{
	std::nth_element(readings, readings + LEAVE_READINGS / 2, readings + LEAVE_READINGS);
	return readings[LEAVE_READINGS / 2];
}

cudaError_t leave_probe(cudaStream_t stream, unsigned *cycles)
{
	unsigned *readings;
	cudaError_t code = cudaMallocHost((void **)&readings, 2 * LEAVE_READINGS * sizeof(*readings));

	if (code != cudaSuccess)
		return code;
	code = run_leave(readings, stream);
	if (code == cudaSuccess) {
		const unsigned alone = leave_median(readings), loading = leave_median(readings + LEAVE_READINGS);

		*cycles = loading > alone ? loading - alone : 0;
	}
	(void)cudaFreeHost(readings);
	return code;
}
