/* clock-probe.cu: see clock-probe.h. */
#include "tools/clock-probe.h"

enum { PROBE_CYCLES = 36000 };

static __device__ __forceinline__ unsigned long long global_timer()
{
	unsigned long long now;

	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
	return now;
}

/* The timer ticks coarsely (32 ns on an H100, 1 us on older GPUs), so both ends are taken right behind a tick: the
 * error is then that of two turns of this loop. */
static __device__ __forceinline__ unsigned long long next_tick()
{
	const unsigned long long before = global_timer();
	unsigned long long now;

	do
		now = global_timer();
	while (now == before);
	return now;
}

static __global__ void probe(struct clock_reading *out)
{
	const unsigned long long ns = next_tick();
	const long long cycles = clock64();

	while (clock64() - cycles < PROBE_CYCLES)
		;
	out->ns = next_tick() - ns;
	out->cycles = (unsigned long long)(clock64() - cycles);
}

cudaError_t clock_probe(struct clock_reading *out, cudaStream_t stream)
{
	void *arguments[] = {&out};

	return cudaLaunchKernel((const void *)probe, dim3(1), dim3(1), arguments, 0, stream);
}
