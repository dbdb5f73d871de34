/*
 * block-limit.h: fewer blocks on an SM than would fit, so that occupancy can be varied with the code and the block size
 * left as they are. A block is given so much dynamic shared memory that no more than `blocks` of them find room.
 */
#ifndef DBPROF_KERNELS_BLOCK_LIMIT_H
#define DBPROF_KERNELS_BLOCK_LIMIT_H

#include "variant.h"

/* No SM has room for more. */
enum { BLOCK_LIMIT_MAX = 32 };

/* Bytes: what shared memory is handed out in, at most. */
enum { SHARED_GRANULE = 256 };

/* Part of a family's state. */
struct block_limit {
	int blocks;           /* of a kernel on an SM at most; 0: as many as fit */
	bool most_shared;     /* the SM has as much shared memory as it can, for a kernel that takes much of it */
	const void *function; /* the kernel and its own dynamic shared memory that `dynamic` was found for, */
	size_t own, dynamic;  /* lest each launch asks for it */
};

/* Shared memory of an SM (bytes), and of a block: what it may have at most and what the system adds to it. */
struct shared_limits {
	size_t sm, block, reserved;
};

/* Shared memory, reserved bytes included, of a block of which just `blocks` fit on an SM. */
static inline size_t block_share(const struct shared_limits *limits, int blocks)
{
	return limits->sm / (size_t)blocks / SHARED_GRANULE * SHARED_GRANULE;
}

/* Whether a block may take so much shared memory that no more than `blocks` of them fit. */
static inline bool block_limit_possible(const struct shared_limits *limits, int blocks)
{
	const size_t most = limits->block + limits->reserved, share = block_share(limits, blocks);

	return limits->sm / (most < share ? most : share) <= (size_t)blocks;
}

/* Dynamic shared memory for the limit: `own` is what the kernel itself needs of it, `fixed` what it declares. */
static inline size_t block_limit_dynamic(const struct shared_limits *limits, int blocks, size_t fixed, size_t own)
{
	size_t share = block_share(limits, blocks);

	if (share > limits->block + limits->reserved)
		share = limits->block + limits->reserved;
	return share > own + fixed + limits->reserved ? share - fixed - limits->reserved : own;
}

static inline const char *block_limit_unsupported(const struct cudaDeviceProp *device, int64_t blocks)
{
	const struct shared_limits limits = {
		device->sharedMemPerMultiprocessor, device->sharedMemPerBlockOptin, device->reservedSharedMemPerBlock};

	return blocks == 0 || block_limit_possible(&limits, (int)blocks)
		       ? NULL
		       : "a block cannot have so much shared memory on this device that no more of them fit on an SM";
}

static inline cudaError_t shared_limits_ask(struct shared_limits *out)
{
	const enum cudaDeviceAttr attribute[] = {cudaDevAttrMaxSharedMemoryPerMultiprocessor,
		cudaDevAttrMaxSharedMemoryPerBlockOptin, cudaDevAttrReservedSharedMemoryPerBlock};
	size_t *const value[] = {&out->sm, &out->block, &out->reserved};
	int device = 0;
	cudaError_t error = cudaGetDevice(&device);

	for (int i = 0; i < 3 && error == cudaSuccess; i++) {
		int bytes = 0;

		error = cudaDeviceGetAttribute(&bytes, attribute[i], device);
		*value[i] = (size_t)bytes;
	}
	return error;
}

/* The kernel may use `dynamic` bytes (without asking, 48 KiB together with its static ones), and the SM splits its
 * memory between the L1 cache and shared memory for that. What is set here stays with the kernel, so every case sets
 * both. */
static inline cudaError_t block_limit_allow(const struct block_limit *limit, const void *function, size_t dynamic)
{
	const bool most = limit->blocks > 0 || limit->most_shared;
	const int carveout = most ? cudaSharedmemCarveoutMaxShared : cudaSharedmemCarveoutDefault;
	cudaError_t error = cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)dynamic);

	if (error == cudaSuccess)
		error = cudaFuncSetAttribute(function, cudaFuncAttributePreferredSharedMemoryCarveout, carveout);
	return error;
}

/* Puts the dynamic shared memory that keeps the limit into *config, which has the kernel's own there. */
static inline cudaError_t block_limit_apply(struct block_limit *limit, struct kernel_config *config)
{
	const size_t own = config->dynamic_smem;
	struct cudaFuncAttributes attributes;
	struct shared_limits limits;
	cudaError_t error = cudaSuccess;
	size_t dynamic = own;

	if (limit->function == config->function && limit->own == own) {
		config->dynamic_smem = limit->dynamic;
		return cudaSuccess;
	}
	if (limit->blocks > 0 && (error = shared_limits_ask(&limits)) == cudaSuccess &&
		(error = cudaFuncGetAttributes(&attributes, config->function)) == cudaSuccess)
		dynamic = block_limit_dynamic(&limits, limit->blocks, attributes.sharedSizeBytes, own);
	if (error == cudaSuccess)
		error = block_limit_allow(limit, config->function, dynamic);
	if (error != cudaSuccess)
		return error;
	limit->function = config->function;
	limit->own = own;
	limit->dynamic = config->dynamic_smem = dynamic;
	return cudaSuccess;
}

#endif
