/* cuda-memory.c: device memory, which is host memory that STAND_IN's `memory` bounds, and pinned host memory. */
#include "cuda-parts.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { ALIGNMENT = 512 };

struct block {
	struct block *next;
	char *memory;
	size_t bytes;
	int device; /* PINNED: of the host */
};

enum { PINNED = -1 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct block *blocks;
static size_t used[MAX_DEVICES];

static size_t total(void)
{
	return (size_t)stand_in()->memory << 20;
}

/* The block is in the list; device memory is counted. */
static cudaError_t add(struct block *block, size_t bytes, int device)
{
	size_t rounded = (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;

	if (device != PINNED && (rounded > total() || used[device] > total() - rounded))
		return cudaErrorMemoryAllocation;
	block->memory = aligned_alloc(ALIGNMENT, rounded == 0 ? ALIGNMENT : rounded);
	if (block->memory == NULL)
		return cudaErrorMemoryAllocation;
	block->bytes = rounded;
	block->device = device;
	if (device != PINNED)
		used[device] += rounded;
	block->next = blocks;
	blocks = block;
	return cudaSuccess;
}

static cudaError_t allocate(void **out, size_t bytes, int device)
{
	struct block *block = malloc(sizeof *block);
	cudaError_t code = block == NULL ? cudaErrorMemoryAllocation : cuda_start();

	*out = NULL;
	if (code == cudaSuccess) {
		pthread_mutex_lock(&lock);
		code = add(block, bytes, device);
		pthread_mutex_unlock(&lock);
	}
	if (code == cudaSuccess)
		*out = block->memory;
	else
		free(block);
	return cuda_note(code);
}

/* What is under way has to end first. */
static cudaError_t release(void *memory, bool pinned)
{
	struct block *found = NULL;

	queue_drain();
	pthread_mutex_lock(&lock);
	for (struct block **p = &blocks; found == NULL && *p != NULL;) {
		if ((*p)->memory == memory && ((*p)->device == PINNED) == pinned) {
			found = *p;
			*p = found->next;
		} else {
			p = &(*p)->next;
		}
	}
	if (found != NULL && !pinned)
		used[found->device] -= found->bytes;
	pthread_mutex_unlock(&lock);
	if (found == NULL)
		return cuda_note(cudaErrorInvalidValue);
	free(found->memory);
	free(found);
	return cudaSuccess;
}

static bool lies_in(const void *p, size_t bytes, bool pinned)
{
	bool found = false;

	pthread_mutex_lock(&lock);
	for (struct block *b = blocks; b != NULL && !found; b = b->next)
		found = (b->device == PINNED) == pinned && (const char *)p >= b->memory &&
			(const char *)p + bytes <= b->memory + b->bytes;
	pthread_mutex_unlock(&lock);
	return found;
}

/* Device memory that nobody allocates or frees. */
void memory_add_variable(void *p, size_t bytes)
{
	struct block *block = calloc(1, sizeof *block);

	if (block == NULL)
		abort();
	*block = (struct block){.memory = p, .bytes = bytes};
	pthread_mutex_lock(&lock);
	block->next = blocks;
	blocks = block;
	pthread_mutex_unlock(&lock);
}

bool memory_is_device(const void *p, size_t bytes)
{
	return lies_in(p, bytes, false);
}

bool memory_is_pinned(const void *p, size_t bytes)
{
	return lies_in(p, bytes, true);
}

cudaError_t cudaMalloc(void **out, size_t bytes)
{
	uint32_t id;
	cudaError_t code;

	CUDA_CALL();
	id = stand_in_call_begin(__func__);
	code = allocate(out, bytes, cuda_device());
	stand_in_call_end(id, (int)code);
	return code;
}

cudaError_t cudaMallocHost(void **out, size_t bytes)
{
	uint32_t id;
	cudaError_t code;

	CUDA_CALL();
	id = stand_in_call_begin(__func__);
	code = allocate(out, bytes, PINNED);
	stand_in_call_end(id, (int)code);
	return code;
}

/* Without caches or with them: here it is all the same. */
cudaError_t cudaHostAlloc(void **out, size_t bytes, unsigned flags)
{
	uint32_t id;
	cudaError_t code;

	(void)flags;
	CUDA_CALL();
	id = stand_in_call_begin(__func__);
	code = allocate(out, bytes, PINNED);
	stand_in_call_end(id, (int)code);
	return code;
}

cudaError_t cudaFree(void *memory)
{
	uint32_t id;
	cudaError_t code;

	CUDA_CALL();
	id = stand_in_call_begin(__func__);
	code = memory == NULL ? cuda_start() : release(memory, false);
	stand_in_call_end(id, (int)code);
	return code;
}

cudaError_t cudaFreeHost(void *memory)
{
	uint32_t id;
	cudaError_t code;

	CUDA_CALL();
	id = stand_in_call_begin(__func__);
	code = memory == NULL ? cuda_start() : release(memory, true);
	stand_in_call_end(id, (int)code);
	return code;
}

cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *all)
{
	cudaError_t code;

	CUDA_CALL();
	code = cuda_start();
	pthread_mutex_lock(&lock);
	*all = total();
	*free_bytes = total() - used[cuda_device()];
	pthread_mutex_unlock(&lock);
	return code;
}
