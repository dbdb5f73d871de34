/* cuda-errors.c: codes, their names, and what stays of them. */
#include "cuda-parts.h"

#include <stdatomic.h>

static _Thread_local cudaError_t last;
static atomic_int stuck; /* of the context: each further call gives it */

static const struct {
	cudaError_t code;
	const char *name, *text;
} errors[] = {
#define ERROR(code, text)                                                                                              \
	{                                                                                                              \
		code, #code, text                                                                                      \
	}
	ERROR(cudaSuccess, "no error"),
	ERROR(cudaErrorInvalidValue, "invalid argument"),
	ERROR(cudaErrorMemoryAllocation, "out of memory"),
	ERROR(cudaErrorInitializationError, "initialization error"),
	ERROR(cudaErrorCudartUnloading, "driver shutting down"),
	ERROR(cudaErrorInvalidConfiguration, "invalid configuration argument"),
	ERROR(cudaErrorInsufficientDriver, "CUDA driver version is insufficient for CUDA runtime version"),
	ERROR(cudaErrorDevicesUnavailable, "CUDA-capable device(s) is/are busy or unavailable"),
	ERROR(cudaErrorInvalidDeviceFunction, "invalid device function"),
	ERROR(cudaErrorNoDevice, "no CUDA-capable device is detected"),
	ERROR(cudaErrorInvalidDevice, "invalid device ordinal"),
	ERROR(cudaErrorECCUncorrectable, "uncorrectable ECC error encountered"),
	ERROR(cudaErrorNoKernelImageForDevice, "no kernel image is available for execution on the device"),
	ERROR(cudaErrorOperatingSystem, "OS call failed or operation not supported on this OS"),
	ERROR(cudaErrorInvalidResourceHandle, "invalid resource handle"),
	ERROR(cudaErrorSymbolNotFound, "named symbol not found"),
	ERROR(cudaErrorNotReady, "device not ready"),
	ERROR(cudaErrorIllegalAddress, "an illegal memory access was encountered"),
	ERROR(cudaErrorLaunchOutOfResources, "too many resources requested for launch"),
	ERROR(cudaErrorLaunchTimeout, "the launch timed out and was terminated"),
	ERROR(cudaErrorAssert, "device-side assert triggered"),
	ERROR(cudaErrorMisalignedAddress, "misaligned address"),
	ERROR(cudaErrorLaunchFailure, "unspecified launch failure"),
	ERROR(cudaErrorNotPermitted, "operation not permitted"),
	ERROR(cudaErrorNotSupported, "operation not supported"),
	ERROR(cudaErrorSystemNotReady, "system not yet initialized"),
	ERROR(cudaErrorSystemDriverMismatch, "system has unsupported display driver / cuda driver combination"),
	ERROR(cudaErrorUnknown, "unknown error"),
#undef ERROR
};

enum { NERRORS = sizeof errors / sizeof errors[0] };

static bool sticks(cudaError_t code)
{
	return code == cudaErrorECCUncorrectable || code == cudaErrorIllegalAddress || code == cudaErrorLaunchTimeout ||
	       (code >= cudaErrorAssert && code <= cudaErrorLaunchFailure);
}

cudaError_t cuda_note(cudaError_t code)
{
	if (code != cudaSuccess)
		last = code;
	return code;
}

cudaError_t cuda_last(void)
{
	return last;
}

cudaError_t cuda_refusal(const char *function, const void *caller)
{
	cudaError_t code = (cudaError_t)stand_in_fault(function, caller);

	if (sticks(code))
		atomic_store(&stuck, code);
	if (code == cudaSuccess)
		code = (cudaError_t)atomic_load(&stuck);
	return cuda_note(code);
}

/* An error that sticks is not taken. */
cudaError_t cudaGetLastError(void)
{
	cudaError_t code = last;

	CUDA_CALL();
	last = cudaSuccess;
	return code;
}

cudaError_t cudaPeekAtLastError(void)
{
	CUDA_CALL();
	return last;
}

const char *cudaGetErrorName(cudaError_t code)
{
	for (int i = 0; i < NERRORS; i++)
		if (errors[i].code == code)
			return errors[i].name;
	return "unrecognized error code";
}

const char *cudaGetErrorString(cudaError_t code)
{
	for (int i = 0; i < NERRORS; i++)
		if (errors[i].code == code)
			return errors[i].text;
	return "unrecognized error code";
}
