/* cuda-error.c: see cuda-error.h. */
#include "record/cupti/cuda-error.h"

#include <stddef.h>

static const struct {
	cudaError_t code;
	const char *text;
} advices[] = {
	{cudaErrorInsufficientDriver, "the NVIDIA driver is missing or older than this CUDA: install a newer driver "
				      "(nvidia-smi shows what it supports)"},
	{cudaErrorCallRequiresNewerDriver, "update the NVIDIA driver: it is older than this CUDA"},
	{cudaErrorUnsupportedPtxVersion, "update the NVIDIA driver, or configure with --with-cuda-arch=native"},
	{cudaErrorNoDevice,
		"check CUDA_VISIBLE_DEVICES, that nvidia-smi lists the GPU, and that you may open /dev/nvidia*"},
	{cudaErrorInvalidDevice, "choose an existing one with --device=N (nvidia-smi -L lists them)"},
	{cudaErrorInitializationError,
		"the driver did not start: run nvidia-smi, look at dmesg, and reload the driver or reboot"},
	{cudaErrorStubLibrary, "the stub libcuda.so of the toolkit was loaded: take its folder out of LD_LIBRARY_PATH"},
	{cudaErrorSystemDriverMismatch, "kernel module and libcuda.so are of different versions: reboot, or reload the "
					"module after the driver's update"},
	{cudaErrorCompatNotSupportedOnDevice,
		"the forward compatibility libcuda.so does not support this GPU: remove the cuda-compat package"},
	{cudaErrorSystemNotReady, "the system is not ready: start the nvidia-fabricmanager service"},
	{cudaErrorOperatingSystem, "the operating system refused: check the permissions of /dev/nvidia*, and dmesg"},
	{cudaErrorNotPermitted, "not permitted: check the permissions of /dev/nvidia* and the container's GPU access"},
	{cudaErrorDevicesUnavailable,
		"another process holds the GPU, or its compute mode forbids sharing (nvidia-smi -q -d COMPUTE)"},
	{cudaErrorDeviceAlreadyInUse, "another process holds the GPU: wait for it, or choose another with --device=N"},
	{cudaErrorNoKernelImageForDevice,
		"there is no code for this GPU: configure dbprof with --with-cuda-arch=native and build it again, or "
		"build the families that were loaded with nvcc -arch=native"},
	{cudaErrorMemoryAllocation,
		"the GPU or the host is out of memory: end other programs, or make it smaller with --set"},
	{cudaErrorLaunchTimeout, "the display watchdog ended the kernel: use a GPU without a display"},
	{cudaErrorECCUncorrectable, "the GPU has a memory fault: see nvidia-smi -q -d ECC, and reset or replace it"},
	{cudaErrorMpsConnectionFailed, "the MPS server does not answer: restart nvidia-cuda-mps-control, or stop it"},
};

const char *cuda_advice(cudaError_t code)
{
	for (size_t i = 0; i < sizeof(advices) / sizeof(advices[0]); i++)
		if (advices[i].code == code)
			return advices[i].text;
	return NULL;
}

int cuda_error(struct error *err, cudaError_t code, const char *what)
{
	const char *advice = cuda_advice(code);

	if (!advice)
		return error_set(err, "%s: %s (%s)", what, cudaGetErrorString(code), cudaGetErrorName(code));
	return error_set(err, "%s: %s (%s): %s", what, cudaGetErrorString(code), cudaGetErrorName(code), advice);
}
