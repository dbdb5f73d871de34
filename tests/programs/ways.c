/*
 * ways.c: a program for `dbprof contrast`, on the stand-in GPU: a kernel that is launched by cudaLaunchKernelExC(), in
 * NVTX ranges named "step".
 *
 *   ways STEPS BLOCKS CLUSTER...   a step launches it once for each CLUSTER: with so many blocks in a cluster, and the
 *                                  same grid, block and shared memory; 0: no cluster; "together": a cooperative launch
 */
#include <cuda_runtime_api.h>
#include <nvtx3/nvToolsExt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../stand-in/stand-in.h"

enum { THREADS = 1024 };

static const char add_symbol;

static void nothing(const unsigned grid[3], const unsigned block[3], void **arguments)
{
	(void)grid;
	(void)block;
	(void)arguments;
}

static struct stand_in_kernel add_kernel = {"_Z3addPf", nothing, {sizeof(float *)}, 8, 0, 0};

static void check(cudaError_t code)
{
	if (code == cudaSuccess)
		return;
	fprintf(stderr, "ways: CUDA error %d\n", (int)code);
	exit(97);
}

static cudaLaunchAttribute attribute_of(const char *way)
{
	cudaLaunchAttribute attribute = {.id = cudaLaunchAttributeCooperative};

	if (strcmp(way, "together") == 0) {
		attribute.val.cooperative = 1;
		return attribute;
	}
	attribute.id = cudaLaunchAttributeClusterDimension;
	attribute.val.clusterDim.x = (unsigned)atol(way);
	attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
	return attribute;
}

static void launch(unsigned blocks, const char *way)
{
	cudaLaunchAttribute attribute = attribute_of(way);
	float *data = NULL;
	void *arguments[] = {&data};
	const cudaLaunchConfig_t config = {.gridDim = {blocks, 1, 1},
		.blockDim = {THREADS, 1, 1},
		.attrs = &attribute,
		.numAttrs = strcmp(way, "0") != 0};

	check(cudaLaunchKernelExC(&config, &add_symbol, arguments));
}

int main(int argc, char **argv)
{
	if (argc < 4)
		exit(2);
	stand_in_kernel(&add_symbol, &add_kernel);
	for (long i = 0; i < atol(argv[1]); i++) {
		nvtxRangePushA("step");
		for (int k = 3; k < argc; k++)
			launch((unsigned)atol(argv[2]), argv[k]);
		check(cudaDeviceSynchronize());
		nvtxRangePop();
	}
	return 0;
}
