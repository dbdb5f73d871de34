/* barrier-probe.cu: see barrier-probe.h. */
#include "tools/barrier-probe.h"

#include <algorithm>

#include "phase.cuh"

/* What a barrier takes from clock to clock, with the load behind it or without: BARRIER_READINGS times. */
template <bool LOADS> static __device__ __forceinline__ void read_barriers(unsigned *out)
{
	unsigned taken[BARRIER_READINGS];

#pragma unroll
	for (int i = 0; i < BARRIER_READINGS; i++) {
		const unsigned before = phase_clock();

		__syncthreads();
		if (LOADS)
			phase_behind_barrier();
		taken[i] = phase_clock() - before;
	}
#pragma unroll
	for (int i = 0; i < BARRIER_READINGS; i++)
		phase_store(out + i, taken[i]);
}

static __global__ void lone_barriers(unsigned *out)
{
	read_barriers<false>(out);
	read_barriers<true>(out + BARRIER_READINGS);
}

static cudaError_t run_barriers(unsigned *readings, cudaStream_t stream)
{
	void *arguments[] = {&readings};
	cudaError_t code = cudaLaunchKernel((const void *)lone_barriers, dim3(1), dim3(32), arguments, 0, stream);

	return code == cudaSuccess ? cudaStreamSynchronize(stream) : code;
}

static unsigned barrier_median(unsigned *readings)
{
	std::nth_element(readings, readings + BARRIER_READINGS / 2, readings + BARRIER_READINGS);
	return readings[BARRIER_READINGS / 2];
}

cudaError_t barrier_probe(cudaStream_t stream, struct barrier_cycles *out)
{
	unsigned *readings;
	cudaError_t code = cudaMallocHost((void **)&readings, 2 * BARRIER_READINGS * sizeof(*readings));

	if (code != cudaSuccess)
		return code;
	code = run_barriers(readings, stream);
	if (code == cudaSuccess) {
		const unsigned alone = barrier_median(readings), loading = barrier_median(readings + BARRIER_READINGS);

		*out = (struct barrier_cycles){alone, loading > alone ? loading - alone : 0};
	}
	(void)cudaFreeHost(readings);
	return code;
}
