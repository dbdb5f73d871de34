/* cuda-device.c: how many devices there are, what they are, and which one a thread uses. */
#include "cuda-parts.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cuda.h>

static _Thread_local int device;

/* As the driver does it for the library of a profiler. */
static void load_injection(void)
{
	const char *path = getenv("CUDA_INJECTION64_PATH");
	void *library = path == NULL || *path == '\0' ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
	int (*start)(void) = NULL;

	if (library != NULL)
		*(void **)&start = dlsym(library, "InitializeInjection");
	if (start != NULL)
		(void)start();
}

/* The runtime asks for a driver of its own major version or a later one. */
cudaError_t cuda_start(void)
{
	static pthread_once_t once = PTHREAD_ONCE_INIT;

	if (stand_in()->driver / 1000 < CUDART_VERSION / 1000)
		return cuda_note(cudaErrorInsufficientDriver);
	if (stand_in()->devices == 0)
		return cuda_note(cudaErrorNoDevice);
	pthread_once(&once, load_injection);
	return cudaSuccess;
}

int cuda_device(void)
{
	return device;
}

uint32_t cuda_context_id(void)
{
	return (uint32_t)device + 1;
}

static cudaError_t check(int ordinal)
{
	cudaError_t code = cuda_start();

	if (code != cudaSuccess)
		return code;
	return ordinal < 0 || ordinal >= stand_in()->devices ? cuda_note(cudaErrorInvalidDevice) : cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count)
{
	CUDA_CALL();
	*count = 0;
	if (cuda_start() != cudaSuccess)
		return cuda_start();
	*count = stand_in()->devices;
	return cudaSuccess;
}

cudaError_t cudaSetDevice(int ordinal)
{
	cudaError_t code;

	CUDA_CALL();
	code = check(ordinal);
	if (code == cudaSuccess)
		device = ordinal;
	return code;
}

cudaError_t cudaGetDevice(int *out)
{
	CUDA_CALL();
	*out = device;
	return cuda_start();
}

static int attribute(enum cudaDeviceAttr which)
{
	switch (which) {
	case cudaDevAttrComputeCapabilityMajor:
		return stand_in()->capability / 10;
	case cudaDevAttrComputeCapabilityMinor:
		return stand_in()->capability % 10;
	case cudaDevAttrComputeMode:
		return cudaComputeModeDefault;
	case cudaDevAttrClockRate:
		return GPU_SM_KHZ;
	case cudaDevAttrMemoryClockRate:
		return GPU_MEMORY_KHZ;
	case cudaDevAttrL2CacheSize:
		return GPU_L2;
	case cudaDevAttrMultiProcessorCount:
		return GPU_SMS;
	case cudaDevAttrMaxSharedMemoryPerBlock:
		return GPU_SMEM_BLOCK;
	case cudaDevAttrMaxSharedMemoryPerBlockOptin:
		return GPU_SMEM_OPTIN;
	case cudaDevAttrMaxSharedMemoryPerMultiprocessor:
		return GPU_SMEM_SM;
	case cudaDevAttrReservedSharedMemoryPerBlock:
		return 1024;
	case cudaDevAttrMaxThreadsPerMultiProcessor:
		return GPU_THREADS_SM;
	case cudaDevAttrMaxThreadsPerBlock:
		return GPU_THREADS_BLOCK;
	case cudaDevAttrMaxBlocksPerMultiprocessor:
		return GPU_BLOCKS_SM;
	case cudaDevAttrWarpSize:
		return GPU_WARP;
	default:
		return 0;
	}
}

cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr which, int ordinal)
{
	cudaError_t code;

	CUDA_CALL();
	code = check(ordinal);
	if (code == cudaSuccess)
		*value = attribute(which);
	return code;
}

static void fill(struct cudaDeviceProp *out, int ordinal)
{
	memset(out, 0, sizeof *out);
	snprintf(out->name, sizeof out->name, "%s", stand_in_gpu_name(ordinal));
	out->major = stand_in()->capability / 10;
	out->minor = stand_in()->capability % 10;
	out->totalGlobalMem = (size_t)stand_in()->memory << 20;
	out->multiProcessorCount = GPU_SMS;
	out->warpSize = GPU_WARP;
	out->l2CacheSize = GPU_L2;
	out->memoryBusWidth = GPU_BUS_BITS;
	out->totalConstMem = 65536;
	out->regsPerBlock = out->regsPerMultiprocessor = GPU_REGISTERS;
	out->sharedMemPerBlock = GPU_SMEM_BLOCK;
	out->sharedMemPerBlockOptin = GPU_SMEM_OPTIN;
	out->sharedMemPerMultiprocessor = GPU_SMEM_SM;
	out->reservedSharedMemPerBlock = 1024;
	out->maxThreadsPerMultiProcessor = GPU_THREADS_SM;
	out->maxBlocksPerMultiProcessor = GPU_BLOCKS_SM;
	out->maxThreadsPerBlock = GPU_THREADS_BLOCK;
	out->maxThreadsDim[0] = out->maxThreadsDim[1] = 1024;
	out->maxThreadsDim[2] = 64;
	out->maxGridSize[0] = 2147483647;
	out->maxGridSize[1] = out->maxGridSize[2] = 65535;
	out->asyncEngineCount = 2;
	out->concurrentKernels = out->unifiedAddressing = 1;
	out->pciBusID = stand_in()->base + ordinal + 1;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *out, int ordinal)
{
	cudaError_t code;

	CUDA_CALL();
	code = check(ordinal);
	if (code == cudaSuccess)
		fill(out, ordinal);
	return code;
}

cudaError_t cudaDeviceGetPCIBusId(char *out, int size, int ordinal)
{
	cudaError_t code;

	CUDA_CALL();
	code = check(ordinal);
	if (code == cudaSuccess)
		snprintf(out, (size_t)size, "0000:%02X:00.0", (unsigned)(stand_in()->base + ordinal) + 1);
	return code;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
	CUDA_CALL();
	*least = 0;
	*greatest = -5;
	return cuda_start();
}

cudaError_t cudaDriverGetVersion(int *version)
{
	CUDA_CALL();
	*version = stand_in()->driver;
	return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
	CUDA_CALL();
	*version = CUDART_VERSION;
	return cudaSuccess;
}

/* ---- of the driver ---- */

/* A handle that stands for the primary context of this thread's device. */
CUresult CUDAAPI cuCtxGetCurrent(CUcontext *out)
{
	STAND_IN_CALL(CUresult);
	*out = (CUcontext)(uintptr_t)cuda_context_id();
	return CUDA_SUCCESS;
}

cudaError_t cudaGetDriverEntryPointByVersion(const char *symbol, void **out, unsigned version, unsigned long long flags,
	enum cudaDriverEntryPointQueryResult *status)
{
	(void)version;
	(void)flags;
	CUDA_CALL();
	*out = strcmp(symbol, "cuCtxGetCurrent") == 0 ? (void *)(uintptr_t)cuCtxGetCurrent : NULL;
	if (status != NULL)
		*status = *out == NULL ? cudaDriverEntryPointSymbolNotFound : cudaDriverEntryPointSuccess;
	return *out == NULL ? cuda_note(cudaErrorSymbolNotFound) : cudaSuccess;
}
