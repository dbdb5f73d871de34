/* calibrate-cycles.cuh: how the calibration times a stretch of a kernel in cycles, and what its kernels share. */
#ifndef DBPROF_KERNELS_CALIBRATE_CYCLES_CUH
#define DBPROF_KERNELS_CALIBRATE_CYCLES_CUH

#include "tools/calibrate-bench.h"

enum {
	WARP = 32,
	BLOCK = 1024,
	SMALL_BLOCK = 128, /* of those that fill an SM */
	ROUNDS = 64,       /* of a loop whose body is UNROLLED long */
	UNROLLED = 32,     /* so that the loop's own instructions do not count */
};

static __device__ __forceinline__ long long cycles_now()
{
	long long now;

	asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
	return now;
}

/* The compiler must believe that `x` is used; it never is this value. */
static __device__ __forceinline__ void use(unsigned x, unsigned *sink)
{
	if (x == 0xdeadbeefu)
		*sink = x;
}

/* Times `work` between barriers that all threads of the block take part in; the cycles of block i go to stamp[i]. */
template <class Work> static __device__ __forceinline__ void timed(long long *stamp, Work work)
{
	__syncthreads();
	const long long from = cycles_now();
	work();
	__syncthreads();
	const long long to = cycles_now();
	if (threadIdx.x == 0)
		stamp[blockIdx.x] = to - from;
}

/* Neighbouring threads load neighbouring words: no two meet in a bank. */
template <int LOADS> static __device__ __forceinline__ unsigned shared_loads(unsigned at)
{
	unsigned sum = 0;

#pragma unroll
	for (int j = 0; j < LOADS; j++) {
		unsigned x;

		asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(x) : "r"(at + j * 4 * WARP) : "memory");
		sum ^= x;
	}
	return sum;
}

/* ---- host ---- */

static inline void read_stamps(struct bench *b, long long *stamps, int n)
{
	if (bench_ok(b))
		bench_note(b, cudaGetLastError()); /* of the launch */
	if (bench_ok(b))
		bench_note(
			b, cudaMemcpyAsync(stamps, b->stamp, n * sizeof(*stamps), cudaMemcpyDeviceToHost, b->stream));
	if (bench_ok(b))
		bench_note(b, cudaStreamSynchronize(b->stream));
}

/* Cycles that one block takes; the shortest of a few runs, since the first one loads its code. */
template <class Launch> static double cycles(struct bench *b, Launch launch)
{
	double best = NAN;

	for (int i = 0; i < REPETITIONS && bench_ok(b); i++) {
		long long stamp = 0;

		launch();
		read_stamps(b, &stamp, 1);
		best = smaller(best, (double)stamp);
	}
	return best;
}

/* Mean cycles of the `grid` blocks of a launch; the shortest of a few runs. NaN if there are too many blocks. */
template <class Launch> static double mean_cycles(struct bench *b, int grid, Launch launch)
{
	long long stamps[STAMPS];
	double best = NAN;

	for (int i = 0; i < REPETITIONS && bench_ok(b) && grid > 0 && grid <= STAMPS; i++) {
		double sum = 0;

		launch();
		read_stamps(b, stamps, grid);
		for (int j = 0; j < grid; j++)
			sum += (double)stamps[j];
		best = smaller(best, sum / grid);
	}
	return best;
}

/* Blocks of SMALL_BLOCK threads that fill all SMs at once. */
template <class Kernel> static int full_grid(struct bench *b, Kernel *kernel)
{
	int blocks = 0;

	bench_note(b, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, (const void *)kernel, SMALL_BLOCK, 0));
	return blocks * b->sms;
}

#endif
