/*
 * fake-cuda.c: a GPU made of host memory: as much of the CUDA runtime as the verify pass of a family without kernels
 * takes. tests/fake-gpu is dbprof with these in the place of the real ones, so that set-up and worker can be tested
 * where there is no GPU. Nothing is measured with it.
 */
#include <cuda_runtime_api.h>
#include <stdlib.h>
#include <string.h>

enum { MEMORY = 1 << 20, MAJOR = 99, MINOR = 9 };

cudaError_t cudaGetDeviceCount(int *count)
{
	*count = 1;
	return cudaSuccess;
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device)
{
	(void)device;
	*value = attribute == cudaDevAttrComputeCapabilityMajor   ? MAJOR
		 : attribute == cudaDevAttrComputeCapabilityMinor ? MINOR
		 : attribute == cudaDevAttrComputeMode            ? (int)cudaComputeModeDefault
								  : 1;
	return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *out, int device)
{
	(void)device;
	memset(out, 0, sizeof *out);
	strcpy(out->name, "a GPU made of host memory");
	out->major = MAJOR;
	out->minor = MINOR;
	out->warpSize = 32;
	out->maxThreadsPerMultiProcessor = 2048;
	out->multiProcessorCount = 1;
	out->totalGlobalMem = MEMORY;
	return cudaSuccess;
}

cudaError_t cudaSetDevice(int device)
{
	(void)device;
	return cudaSuccess;
}

cudaError_t cudaGetLastError(void)
{
	return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
	return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags)
{
	(void)flags;
	*out = malloc(1);
	return *out == NULL ? cudaErrorMemoryAllocation : cudaSuccess;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
	free(stream);
	return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
	(void)stream;
	return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total)
{
	*free_bytes = *total = MEMORY;
	return cudaSuccess;
}

cudaError_t cudaMalloc(void **out, size_t size)
{
	*out = malloc(size);
	return *out == NULL ? cudaErrorMemoryAllocation : cudaSuccess;
}

cudaError_t cudaFree(void *memory)
{
	free(memory);
	return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *memory, int byte, size_t size, cudaStream_t stream)
{
	(void)stream;
	memset(memory, byte, size);
	return cudaSuccess;
}

cudaError_t cudaMallocHost(void **out, size_t size)
{
	return cudaMalloc(out, size);
}

cudaError_t cudaFreeHost(void *memory)
{
	return cudaFree(memory);
}

const char *cudaGetErrorString(cudaError_t code)
{
	return code == cudaSuccess ? "no error" : "an error";
}

/* ---- what shared objects refer to, but no family without kernels calls ---- */

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
	(void)event;
	return cudaErrorNotSupported;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *function)
{
	(void)out;
	(void)function;
	return cudaErrorNotSupported;
}

cudaError_t cudaFuncGetName(const char **out, const void *function)
{
	(void)out;
	(void)function;
	return cudaErrorNotSupported;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(
	int *out, const void *function, int threads, size_t dynamic_smem)
{
	(void)out;
	(void)function;
	(void)threads;
	(void)dynamic_smem;
	return cudaErrorNotSupported;
}
