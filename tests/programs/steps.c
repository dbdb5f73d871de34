/*
 * steps.c: a program for `dbprof contrast`, on the stand-in GPU: steps with a kernel each, in NVTX ranges named "step".
 *
 *   steps STEPS BLOCKS    each kernel has BLOCKS blocks of 1,024 threads, so it takes 20,000 + 64 BLOCKS ns
 *   code N                its machine code is the N-th from here on (0 at first)
 *   named NAME            the kernel is called so (add or scale) from here on; stands before `steps`
 *   bare STEPS BLOCKS     the same without ranges
 *   asks STEPS BLOCKS     the range ends before the work does
 *   warm STEPS MS         as many steps with two kernels each, in which the host is busy for MS
 *   say TEXT              prints it
 *   pid                   prints its process id: never the same twice
 *   exit STATUS, abort, sleep SECONDS
 *   child FILE            leaves a child that would write FILE an hour later */
#include <cuda_runtime_api.h>
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../stand-in/stand-in.h"

enum { THREADS = 1024 };

static const char add_symbol, scale_symbol;
static const void *chosen = &add_symbol;

static void nothing(const unsigned grid[3], const unsigned block[3], void **arguments)
{
	(void)grid;
	(void)block;
	(void)arguments;
}

static struct stand_in_kernel add_kernel = {"_Z3addPf", nothing, {sizeof(float *)}, 8, 0, 0};
static struct stand_in_kernel scale_kernel = {"_Z5scalePf", nothing, {sizeof(float *)}, 16, 0, 0};

static void launch(unsigned blocks)
{
	float *data = NULL;
	void *arguments[] = {&data};
	const dim3 grid = {blocks, 1, 1}, block = {THREADS, 1, 1};

	if (cudaLaunchKernel(chosen, grid, block, arguments, 0, NULL) != cudaSuccess)
		exit(98);
}

static void steps(long n, unsigned blocks, int ranges)
{
	for (long i = 0; i < n; i++) {
		if (ranges)
			nvtxRangePushA("step");
		launch(blocks);
		if (cudaDeviceSynchronize() != cudaSuccess)
			exit(97);
		if (ranges)
			nvtxRangePop();
	}
}

static void asks(long n, unsigned blocks)
{
	for (long i = 0; i < n; i++) {
		nvtxRangePushA("step");
		launch(blocks);
		nvtxRangePop();
		if (cudaDeviceSynchronize() != cudaSuccess)
			exit(97);
	}
}

static void warm(long n, useconds_t ms)
{
	for (long i = 0; i < n; i++) {
		nvtxRangePushA("step");
		launch(1);
		usleep(ms * 1000);
		launch(1);
		if (cudaDeviceSynchronize() != cudaSuccess)
			exit(97);
		nvtxRangePop();
	}
}

static void leave_child(const char *file)
{
	FILE *late;

	if (fork() != 0)
		return;
	sleep(3600);
	late = fopen(file, "w");
	if (late == NULL)
		_exit(1);
	_exit(0);
}

/* The kernels of both names. */
static void load_code(int code)
{
	add_kernel.code = scale_kernel.code = code;
	stand_in_kernel(&add_symbol, &add_kernel);
	stand_in_kernel(&scale_symbol, &scale_kernel);
}

/* Returns how many words it took. */
static int act(int left, char **words)
{
	const char *what = words[0];

	if (left >= 3 && (strcmp(what, "steps") == 0 || strcmp(what, "bare") == 0)) {
		steps(atol(words[1]), (unsigned)atol(words[2]), strcmp(what, "steps") == 0);
		return 3;
	}
	if (left >= 3 && strcmp(what, "asks") == 0) {
		asks(atol(words[1]), (unsigned)atol(words[2]));
		return 3;
	}
	if (left >= 3 && strcmp(what, "warm") == 0) {
		warm(atol(words[1]), (useconds_t)atol(words[2]));
		return 3;
	}
	if (strcmp(what, "abort") == 0)
		abort();
	if (strcmp(what, "pid") == 0) {
		printf("%d\n", (int)getpid());
		return 1;
	}
	if (left < 2)
		exit(99);
	if (strcmp(what, "named") == 0)
		chosen = strcmp(words[1], "add") == 0 ? &add_symbol : &scale_symbol;
	else if (strcmp(what, "code") == 0)
		load_code(atoi(words[1]));
	else if (strcmp(what, "say") == 0)
		puts(words[1]);
	else if (strcmp(what, "exit") == 0)
		exit(atoi(words[1]));
	else if (strcmp(what, "sleep") == 0)
		sleep((unsigned)atoi(words[1]));
	else if (strcmp(what, "child") == 0)
		leave_child(words[1]);
	else
		exit(99);
	return 2;
}

int main(int argc, char **argv)
{
	load_code(0);
	for (int i = 1; i < argc;)
		i += act(argc - i, argv + i);
	return 0;
}
