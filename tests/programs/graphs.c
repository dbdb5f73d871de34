/*
 * graphs.c: a program for `dbprof contrast`, on the stand-in GPU: steps that launch CUDA graphs, in NVTX ranges named
 * "step". A graph of N kernels has `scale` once and `add` behind it; each has blocks of 1,024 threads.
 *
 *   steps STEPS BLOCKS    each step launches a graph of two kernels with BLOCKS blocks each
 *   pairs STEPS BLOCKS    each step launches that, and before it a graph of three kernels with BLOCKS blocks each
 *   afresh STEPS BLOCKS   the same as `steps`, and each step captures its graph anew
 *   beside STEPS BLOCKS   the same as `steps`, and a kernel of another stream runs meanwhile
 *   nccl STEPS BLOCKS     the same as `steps`, and one of the kernels is one of NCCL
 *   threads STEPS BLOCKS  the same as `pairs`, and another thread launches graphs of five kernels
 *   warm N                launches a graph of four kernels so often
 *   more FILE             the same, once more in each run: FILE keeps how often
 */
#include <cuda_runtime_api.h>
#include <nvtx3/nvToolsExt.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../stand-in/stand-in.h"

enum { THREADS = 1024 };

static const char add_symbol, scale_symbol, nccl_symbol;

static void nothing(const unsigned grid[3], const unsigned block[3], void **arguments)
{
	(void)grid;
	(void)block;
	(void)arguments;
}

static struct stand_in_kernel add_kernel = {"_Z3addPf", nothing, {sizeof(float *)}, 8, 0, 0};
static struct stand_in_kernel scale_kernel = {"_Z5scalePf", nothing, {sizeof(float *)}, 16, 0, 0};
static struct stand_in_kernel nccl_kernel = {"_Z23ncclDevKernel_AllReducePf", nothing, {sizeof(float *)}, 8, 0, 0};

static void check(cudaError_t code)
{
	if (code == cudaSuccess)
		return;
	fprintf(stderr, "graphs: CUDA error %d\n", (int)code);
	exit(97);
}

static void launch(const void *kernel, unsigned blocks, cudaStream_t stream)
{
	float *data = NULL;
	void *arguments[] = {&data};

	check(cudaLaunchKernel(kernel, (dim3){blocks, 1, 1}, (dim3){THREADS, 1, 1}, arguments, 0, stream));
}

static cudaStream_t new_stream(void)
{
	cudaStream_t stream;

	check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	return stream;
}

static cudaGraphExec_t capture(cudaStream_t stream, const void *first, int kernels, unsigned blocks)
{
	cudaGraphExec_t exec;
	cudaGraph_t graph;

	check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
	for (int i = 0; i < kernels; i++)
		launch(i == 0 ? first : &add_symbol, blocks, stream);
	check(cudaStreamEndCapture(stream, &graph));
	check(cudaGraphInstantiate(&exec, graph, 0));
	check(cudaGraphDestroy(graph));
	return exec;
}

/* ---- steps ---- */

enum manner { STEPS, PAIRS, AFRESH, BESIDE, NCCL, IN_THREADS, MANNERS };

static const char *const manners[MANNERS] = {[STEPS] = "steps",
	[PAIRS] = "pairs",
	[AFRESH] = "afresh",
	[BESIDE] = "beside",
	[NCCL] = "nccl",
	[IN_THREADS] = "threads"};

enum { OTHER_LAUNCHES = 50 };

static void *launch_others(void *blocks)
{
	cudaStream_t stream = new_stream();
	cudaGraphExec_t exec = capture(stream, &scale_symbol, 5, *(const unsigned *)blocks);

	for (int i = 0; i < OTHER_LAUNCHES; i++) {
		check(cudaGraphLaunch(exec, stream));
		check(cudaStreamSynchronize(stream));
	}
	return NULL;
}

static void take_step(enum manner manner, cudaGraphExec_t exec, cudaGraphExec_t before, cudaStream_t stream)
{
	nvtxRangePushA("step");
	if (before)
		check(cudaGraphLaunch(before, stream));
	check(cudaGraphLaunch(exec, stream));
	if (manner == BESIDE)
		launch(&add_symbol, 64, NULL);
	check(cudaDeviceSynchronize());
	nvtxRangePop();
}

static void steps(enum manner manner, long n, unsigned blocks)
{
	cudaStream_t stream = new_stream();
	const void *first = manner == NCCL ? &nccl_symbol : &scale_symbol;
	bool has_two = manner == PAIRS || manner == IN_THREADS;
	cudaGraphExec_t before = has_two ? capture(stream, &scale_symbol, 3, blocks) : NULL;
	cudaGraphExec_t exec = capture(stream, first, 2, blocks);
	pthread_t other;

	if (manner == IN_THREADS && pthread_create(&other, NULL, launch_others, &blocks) != 0)
		exit(95);
	for (long i = 0; i < n; i++) {
		if (manner == AFRESH) {
			check(cudaGraphExecDestroy(exec));
			exec = capture(stream, first, 2, blocks);
		}
		take_step(manner, exec, before, stream);
	}
	if (manner == IN_THREADS)
		pthread_join(other, NULL);
}

/* ---- before them ---- */

static void warm(long n)
{
	cudaStream_t stream = new_stream();
	cudaGraphExec_t exec = capture(stream, &scale_symbol, 4, 1);

	for (long i = 0; i < n; i++)
		check(cudaGraphLaunch(exec, stream));
	check(cudaDeviceSynchronize());
}

static long one_more(const char *path)
{
	FILE *file = fopen(path, "a+");
	long n = -1;

	if (file && fputc('x', file) != EOF)
		n = ftell(file);
	if (n < 0 || fclose(file) != 0)
		exit(96);
	return n;
}

static int manner_of(const char *word)
{
	int manner = 0;

	while (manner < MANNERS && strcmp(manners[manner], word) != 0)
		manner++;
	return manner;
}

/* Returns the arguments that were taken. */
static int take_words(char **words, int left)
{
	int manner = manner_of(words[0]);

	if (manner < MANNERS && left > 2) {
		steps((enum manner)manner, atol(words[1]), (unsigned)atol(words[2]));
		return 3;
	}
	if (strcmp(words[0], "warm") == 0 && left > 1)
		warm(atol(words[1]));
	else if (strcmp(words[0], "more") == 0 && left > 1)
		warm(one_more(words[1]));
	else
		exit(2);
	return 2;
}

int main(int argc, char **argv)
{
	stand_in_kernel(&add_symbol, &add_kernel);
	stand_in_kernel(&scale_symbol, &scale_kernel);
	stand_in_kernel(&nccl_symbol, &nccl_kernel);
	for (int i = 1; i < argc;)
		i += take_words(argv + i, argc - i);
	return 0;
}
