/* program.h: what the CUDA programs in this folder share. They count what they ask CUDA for and print it, so that a
 * test can hold a recording against it; they know nothing of dbprof. */
#ifndef DBPROF_TESTS_PROGRAM_H
#define DBPROF_TESTS_PROGRAM_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cuda_runtime.h>

/* Ends the program with status 1 and a line on stderr if a CUDA call fails. */
#define CHECK(call) check((call), #call, __FILE__, __LINE__)

static inline void check(cudaError_t error, const char *call, const char *file, int line)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "%s:%d: %s: %s\n", file, line, call, cudaGetErrorString(error));
	exit(1);
}

/* Seconds of CLOCK_MONOTONIC. */
static inline double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* Device work that was asked for. */
struct work {
	long kernels, h2d, d2h, memsets;
	long long h2d_bytes, d2h_bytes;
};

#endif
