/* supported.h: what a case of scan-device must be, and a device must have, for the variants to run. */
#ifndef DBPROF_KERNELS_SCAN_DEVICE_SUPPORTED_H
#define DBPROF_KERNELS_SCAN_DEVICE_SUPPORTED_H

#include "cp-async.cuh"
#include "scan-device/plan.h"

/* Shared memory that a kernel has besides its stages, at most (bytes). */
static const size_t SCAN_SHARED_MOST = 1024;

/* What a case says of a tile; else that of a long array. */
static inline size_t scan_device_tile_of(const struct size_case *size)
{
	const int64_t warps = size->value[SCAN_PARAM_WARPS], vectors = size->value[SCAN_PARAM_VECTORS];

	return scan_device_tile_bytes(
		warps > 0 ? warps : (int64_t)SCAN_WARPS, vectors > 0 ? vectors : (int64_t)VECTORS_MANY);
}

/* Stages of tiles, and what the kernel needs besides. */
static inline const char *scan_device_shared_unsupported(
	const struct cudaDeviceProp *device, const struct size_case *size, int64_t stages, size_t besides)
{
	return (size_t)stages * scan_device_tile_of(size) + besides > device->sharedMemPerBlockOptin
		       ? "a block cannot have that much shared memory on this device"
		       : NULL;
}

static inline const char *scan_device_few_unsupported(const struct cudaDeviceProp *, const struct size_case *size)
{
	const int64_t vectors = size->value[SCAN_PARAM_VECTORS];

	return vectors == 0 || vectors == VECTORS_FEW || vectors == VECTORS_MANY
		       ? NULL
		       : "there are kernels for 4 and 8 vectors a thread only";
}

template <int STAGES>
static const char *scan_device_unsupported(const struct cudaDeviceProp *device, const struct size_case *size)
{
	const int64_t vectors = size->value[SCAN_PARAM_VECTORS];

	if (vectors != 0 && vectors != VECTORS_MANY)
		return "its kernel is for 8 vectors a thread only";
	return scan_device_shared_unsupported(device, size, STAGES, SCAN_SHARED_MOST);
}

template <int STAGES>
static const char *scan_device_async_unsupported(const struct cudaDeviceProp *device, const struct size_case *size)
{
	const char *why = cp_async_unsupported(device, size);

	return why ? why : scan_device_unsupported<STAGES>(device, size);
}

template <int STAGES>
static const char *scan_device_producer_unsupported(const struct cudaDeviceProp *device, const struct size_case *size)
{
	return size->value[SCAN_PARAM_WARPS] == SCAN_WARPS_MAX
		       ? "a block has no room for a producer warp besides 16 others"
		       : scan_device_unsupported<STAGES>(device, size);
}

template <int STAGES>
static const char *scan_device_rounds_unsupported(const struct cudaDeviceProp *device, const struct size_case *size)
{
	const int64_t *const value = size->value;
	const int64_t warps = value[SCAN_PARAM_WARPS] > 0 ? value[SCAN_PARAM_WARPS] : (int64_t)SCAN_WARPS;
	const int64_t wanted = value[SCAN_PARAM_REDUCERS] > 0 ? value[SCAN_PARAM_REDUCERS] : (int64_t)SCAN_REDUCERS;
	const int64_t reducers = wanted < warps ? wanted : warps;
	const int64_t stages = STAGES > 0 ? STAGES : value[SCAN_PARAM_STAGES] > 0 ? value[SCAN_PARAM_STAGES] : 1;
	const char *why = scan_device_few_unsupported(device, size);

	if (!device->cooperativeLaunch)
		return "the device cannot launch a kernel so that all of its blocks run at once";
	if (warps + reducers + ROUNDS_FURTHER > ROUNDS_WARPS_MAX)
		return "a block has room for 18 warps that scan or reduce";
	return why ? why : scan_device_shared_unsupported(device, size, stages, ROUNDS_SHARED_MOST);
}

#endif
