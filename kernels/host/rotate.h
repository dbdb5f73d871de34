/*
 * rotate.h: launches that take turns on several copies of the same arrays, so that the L2 cache does not answer.
 *
 * A small input that is read in every launch is soon read from the L2 cache only, which no program that reads it once
 * would see. So a family with small arrays has them several times, `slots` of them, which together are larger than
 * twice that cache: what a launch reads was last used so many launches ago that it has been pushed out. All slots hold
 * the same inputs. Each launch first moves on to the next slot; poison goes to all slots, the check to the last used.
 */
#ifndef DBPROF_KERNELS_ROTATE_H
#define DBPROF_KERNELS_ROTATE_H

#include "compare.h"
#include "resources.h"

/* The largest L2 cache that rotation works against (bytes), larger than any that there is (126 MiB in a B200); it
 * bounds the memory that rotation takes. Arrays lie at multiples of ROTATE_ALIGNMENT bytes, as cudaMalloc() has them.
 */
enum { ROTATE_L2_MAX = 128 << 20, ROTATE_ALIGNMENT = 256 };

struct rotation {
	int slots; /* at least 1 */
	int at;    /* the slot of the last launch */
};

/* An array in each slot: device memory, `stride` bytes apart. */
struct rotated {
	char *base;
	size_t stride;
};

static inline size_t rotate_stride(size_t bytes)
{
	return (bytes + ROTATE_ALIGNMENT - 1) / ROTATE_ALIGNMENT * ROTATE_ALIGNMENT;
}

/* Slots for arrays whose strides together are `bytes`, against a cache of `l2` bytes: at most twice the cache and one
 * more. */
static inline int rotate_slots(size_t bytes, size_t l2)
{
	return (int)(2 * l2 / bytes) + 1;
}

/* An upper bound of the device memory for arrays of `bytes` altogether, whatever the GPU. `arrays`: how many. */
static inline size_t rotate_bytes(size_t bytes, int arrays)
{
	return 2 * (size_t)ROTATE_L2_MAX + bytes + (size_t)arrays * ROTATE_ALIGNMENT;
}

/* As many slots as the current device's cache takes, for arrays whose strides together are `bytes`. */
static inline struct rotation rotate_begin(struct resources *r, size_t bytes)
{
	struct rotation rotation = {1, 0};
	int device = 0, l2 = 0;

	resources_check(r, cudaGetDevice(&device), "cannot ask for the device");
	resources_check(r, cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, device),
		"cannot ask for the size of the L2 cache");
	rotation.slots = rotate_slots(bytes, (size_t)(l2 < ROTATE_L2_MAX ? l2 : ROTATE_L2_MAX));
	return rotation;
}

/* An array of `bytes` in each slot, not filled. */
static inline struct rotated rotate_memory(struct resources *r, const struct rotation *rotation, size_t bytes)
{
	const size_t stride = rotate_stride(bytes);
	const struct rotated array = {
		(char *)resources_memory(r, RESOURCE_DEVICE, stride * (size_t)rotation->slots), stride};

	return array;
}

/* Copies `bytes` of an input into all slots and waits: once over the bus, the rest inside the device. */
static inline void rotate_upload(struct resources *r, const struct rotation *rotation, const struct rotated *array,
	const void *host, size_t bytes)
{
	const size_t all = array->stride * (size_t)rotation->slots;
	size_t filled = array->stride;

	resources_upload(r, array->base, host, bytes);
	while (filled < all && r->error == cudaSuccess) {
		const size_t more = filled < all - filled ? filled : all - filled;

		resources_check(r, cudaMemcpy(array->base + filled, array->base, more, cudaMemcpyDeviceToDevice),
			"cannot copy the inputs inside the device");
		filled += more;
	}
	if (r->error == cudaSuccess)
		resources_check(r, cudaDeviceSynchronize(), "cannot copy the inputs inside the device");
}

static inline void rotate_next(struct rotation *rotation)
{
	rotation->at = (rotation->at + 1) % rotation->slots;
}

/* The array in the slot of the last launch. */
static inline void *rotate_now(const struct rotation *rotation, const struct rotated *array)
{
	return array->base + array->stride * (size_t)rotation->at;
}

/* Poisons an output in all slots. */
static inline cudaError_t rotate_poison(
	const struct rotation *rotation, const struct rotated *array, cudaStream_t stream)
{
	return cudaMemsetAsync(array->base, POISON_BYTE, array->stride * (size_t)rotation->slots, stream);
}

#endif
