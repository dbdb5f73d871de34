/* spin.cu: see spin.h. The GPU's own clock of nanoseconds ticks in steps of about 1 us at worst. */
#include "spin.h"

enum { THREADS = 1024 };

__device__ static unsigned long long gpu_ns(void)
{
	unsigned long long ns;

	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns));
	return ns;
}

__global__ void __launch_bounds__(THREADS) spin_for(unsigned long long ns)
{
	const unsigned long long start = gpu_ns();

	while (gpu_ns() - start < ns)
		;
}

extern "C" cudaError_t spin(int blocks, long long ns, cudaStream_t stream)
{
	/* What a kernel takes that does nothing. */
	const long long least = 2000;

	spin_for<<<blocks, THREADS, 0, stream>>>(ns > least ? (unsigned long long)(ns - least) : 0);
	return cudaGetLastError();
}
