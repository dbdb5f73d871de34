/* device.c: device facts. See device.h and record.h. */
#include "config.h"

#include "record/machine/device.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "record/code/arch.h"
#include "record/cupti/cuda-error.h"
#include "record/cupti/nvml.h"
#include "record/cupti/version.h"
#include "record/record.h"
#include "record/worker/fits.h"
#include "record/worker/select.h"

/* Whether the device with that number, which is there, can be used. */
static enum device_state probe_one(int device, struct error *err)
{
	int major, minor, mode;
	cudaError_t code = cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);

	if (code == cudaSuccess)
		code = cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, device);
	if (code == cudaSuccess)
		code = cudaDeviceGetAttribute(&mode, cudaDevAttrComputeMode, device);
	if (code != cudaSuccess) {
		cuda_error(err, code, "the GPU cannot be asked");
		return DEVICE_BROKEN;
	}
	if (mode == cudaComputeModeProhibited) {
		error_set(err, "GPU %d is in compute mode 'prohibited': allow work with nvidia-smi -i %d -c DEFAULT",
			device, device);
		return DEVICE_BROKEN;
	}
	if (!arch_runs(CUDA_TARGETS, major * 10 + minor)) {
		error_set(err,
			"this dbprof has no code for GPU %d (compute capability %d.%d): configure with "
			"--with-cuda-arch=%d%d",
			device, major, minor, major, minor);
		return DEVICE_BROKEN;
	}
	return DEVICE_OK;
}

enum device_state device_probe(int device, struct error *err)
{
	int count = 0;
	cudaError_t code = cudaGetDeviceCount(&count);

	if (code != cudaSuccess || count == 0) {
		if (!device_present())
			return DEVICE_NONE;
		cuda_error(err, code == cudaSuccess ? cudaErrorNoDevice : code,
			"there is an NVIDIA GPU, but CUDA cannot use it");
		return DEVICE_BROKEN;
	}
	if (device < 0 || device >= count) {
		error_set(err, "there is no GPU number %d: choose --device from 0 to %d", device, count - 1);
		return DEVICE_BROKEN;
	}
	return probe_one(device, err);
}

void device_cuda_versions(char *runtime, char *driver, size_t size)
{
	int number = 0;

	if (cudaRuntimeGetVersion(&number) != cudaSuccess)
		number = 0;
	version_of_cuda(number, runtime, size);
	if (cudaDriverGetVersion(&number) != cudaSuccess)
		number = 0;
	version_of_cuda(number, driver, size);
}

void device_pci(int device, char out[PCI_TEXT])
{
	if (cudaDeviceGetPCIBusId(out, PCI_TEXT, device) != cudaSuccess)
		out[0] = '\0';
	/* CUDA writes the domain with four digits or with eight, in upper or lower case. NVML takes all forms. */
	for (char *p = out; *p != '\0'; p++)
		*p = (char)tolower((unsigned char)*p);
}

/* An attribute, or 0 where it cannot be had. */
static int64_t attribute(enum cudaDeviceAttr which, int device)
{
	int value;

	return cudaDeviceGetAttribute(&value, which, device) == cudaSuccess ? value : 0;
}

int device_capability(int device)
{
	return (int)(10 * attribute(cudaDevAttrComputeCapabilityMajor, device) +
		     attribute(cudaDevAttrComputeCapabilityMinor, device));
}

static void set_limits_of_sm(const struct cudaDeviceProp *p, struct value *row)
{
	row[GPU_maxRegistersPerBlock] = VALUE_OF_INT(p->regsPerBlock);
	row[GPU_maxShmemPerBlock] = VALUE_OF_INT(p->sharedMemPerBlock);
	row[GPU_maxShmemPerBlockOptin] = VALUE_OF_INT(p->sharedMemPerBlockOptin);
	row[GPU_maxShmemPerSm] = VALUE_OF_INT(p->sharedMemPerMultiprocessor);
	row[GPU_maxRegistersPerSm] = VALUE_OF_INT(p->regsPerMultiprocessor);
	row[GPU_threadsPerWarp] = VALUE_OF_INT(p->warpSize);
	row[GPU_maxWarpsPerSm] = VALUE_OF_INT(p->maxThreadsPerMultiProcessor / p->warpSize);
	row[GPU_maxBlocksPerSm] = VALUE_OF_INT(p->maxBlocksPerMultiProcessor);
}

static void set_limits_of_launch(const struct cudaDeviceProp *p, struct value *row)
{
	row[GPU_maxThreadsPerBlock] = VALUE_OF_INT(p->maxThreadsPerBlock);
	row[GPU_maxBlockDimX] = VALUE_OF_INT(p->maxThreadsDim[0]);
	row[GPU_maxBlockDimY] = VALUE_OF_INT(p->maxThreadsDim[1]);
	row[GPU_maxBlockDimZ] = VALUE_OF_INT(p->maxThreadsDim[2]);
	row[GPU_maxGridDimX] = VALUE_OF_INT(p->maxGridSize[0]);
	row[GPU_maxGridDimY] = VALUE_OF_INT(p->maxGridSize[1]);
	row[GPU_maxGridDimZ] = VALUE_OF_INT(p->maxGridSize[2]);
}

int device_write(struct recording *rec, int device, struct error *err)
{
	struct cudaDeviceProp p;
	char pci[PCI_TEXT];
	int64_t sm_khz = attribute(cudaDevAttrClockRate, device);
	int64_t memory_khz = attribute(cudaDevAttrMemoryClockRate, device);
	cudaError_t code = cudaGetDeviceProperties(&p, device);

	if (code != cudaSuccess)
		return cuda_error(err, code, "the GPU's properties cannot be read");
	device_pci(device, pci);
	struct value row[GPU_NUMBER] = {
		[GPU_vmId] = VALUE_OF_INT(0),
		[GPU_id] = VALUE_OF_INT(device),
		[GPU_name] = VALUE_OF_TEXT(p.name),
		[GPU_busLocation] = VALUE_OF_TEXT(pci),
		[GPU_isDiscrete] = VALUE_OF_INT(!p.integrated),
		[GPU_l2CacheSize] = VALUE_OF_INT(p.l2CacheSize),
		[GPU_totalMemory] = VALUE_OF_INT(p.totalGlobalMem),
		/* Two transfers a clock; bus width in bits. */
		[GPU_memoryBandwidth] = VALUE_OF_INT(2 * memory_khz * 1000 * p.memoryBusWidth / 8),
		[GPU_clockRate] = VALUE_OF_INT(sm_khz * 1000),
		[GPU_smCount] = VALUE_OF_INT(p.multiProcessorCount),
		[GPU_cuDevice] = VALUE_OF_INT(device),
		[GPU_constantMemory] = VALUE_OF_INT(p.totalConstMem),
		[GPU_asyncEngines] = VALUE_OF_INT(p.asyncEngineCount),
		[GPU_computeMajor] = VALUE_OF_INT(p.major),
		[GPU_computeMinor] = VALUE_OF_INT(p.minor),
		[GPU_smMajor] = VALUE_OF_INT(p.major),
		[GPU_smMinor] = VALUE_OF_INT(p.minor),
	};
	set_limits_of_sm(&p, row);
	set_limits_of_launch(&p, row);
	return recording_row(rec, TABLE_GPU, row, err);
}

const char *record_unsupported(const char *family, const char *variant, int device)
{
	struct cudaDeviceProp properties;
	const struct family *f = family_find(family);
	const struct variant *v = !f ? NULL : variant_find(f, variant);

	if (!v || cudaGetDeviceProperties(&properties, device) != cudaSuccess)
		return NULL;
	/* cppcheck-suppress returnDanglingLifetime ; a string that lasts, not a part of the properties */
	return fits_not(f, v, &properties, &f->cases[0]);
}
