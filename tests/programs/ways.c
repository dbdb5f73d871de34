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

#include "toy-kernels.h"

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
	const cudaLaunchConfig_t config = {.gridDim = {blocks, 1, 1},
		.blockDim = {TOY_THREADS, 1, 1},
		.attrs = &attribute,
		.numAttrs = strcmp(way, "0") != 0};

	toy_check(cudaLaunchKernelExC(&config, &toy_add, toy_arguments()));
}

int main(int argc, char **argv)
{
	if (argc < 4)
		exit(2);
	toy_kernels(0);
	for (long i = 0; i < atol(argv[1]); i++) {
		nvtxRangePushA("step");
		for (int k = 3; k < argc; k++)
			launch((unsigned)atol(argv[2]), argv[k]);
		toy_check(cudaDeviceSynchronize());
		nvtxRangePop();
	}
	return 0;
}
