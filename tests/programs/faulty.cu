/* faulty.cu: one fault for each tool of compute-sanitizer to find: one that finds nothing in this would find nothing
 * anywhere.
 *
 * usage: faulty memcheck|racecheck|synccheck */
#include "program.h"

enum { THREADS = 64 };

__global__ void out_of_bounds(int *values, int first)
{
	values[first + threadIdx.x] = 1;
}

/* Threads of the other warp may still have to write. */
__global__ void race(int *values)
{
	__shared__ int shared[THREADS];

	shared[threadIdx.x] = values[threadIdx.x];
	values[threadIdx.x] = shared[THREADS - 1 - threadIdx.x];
}

/* The threads from `n` on, some of a warp, do not come to the barrier. In PTX: __syncthreads() at the same place is not
 * found (H100, CUDA 13.0), nor in the example of the tool's manual. */
__global__ void divergent_barrier(int *values, int n)
{
	__shared__ int shared[THREADS];

	shared[threadIdx.x] = values[threadIdx.x];
	if ((int)threadIdx.x < n)
		asm volatile("barrier.sync.aligned 0;");
	values[threadIdx.x] = shared[THREADS - 1 - threadIdx.x];
}

int main(int argc, char **argv)
{
	const char *tool = argc == 2 ? argv[1] : "";
	int *values;

	CHECK(cudaMalloc(&values, THREADS * sizeof *values));
	CHECK(cudaMemset(values, 0, THREADS * sizeof *values));
	if (strcmp(tool, "memcheck") == 0)
		out_of_bounds<<<1, THREADS>>>(values, THREADS);
	else if (strcmp(tool, "racecheck") == 0)
		race<<<1, THREADS>>>(values);
	else if (strcmp(tool, "synccheck") == 0)
		divergent_barrier<<<1, THREADS>>>(values, THREADS - 16);
	else
		return 2;
	CHECK(cudaDeviceSynchronize());
	return 0;
}
