/*
 * bare-cupti.c: a library for CUDA_INJECTION64_PATH that has CUPTI record kernels, copies, memsets and runtime calls,
 * and throws the records away unread, in large buffers that are used again: CUPTI's own part in what tracing costs.
 */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "record/cupti/cupti.h"

enum { SIZE = 8 << 20, SPARE = 8 };

static struct cupti cupti;
static uint8_t *spare[SPARE];
static int nspare;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void CUPTIAPI requested(uint8_t **buffer, size_t *size, size_t *max_records)
{
	void *memory = NULL;

	pthread_mutex_lock(&lock);
	if (nspare > 0)
		memory = spare[--nspare];
	pthread_mutex_unlock(&lock);
	if (memory == NULL)
		memory = calloc(1, SIZE);
	*buffer = memory;
	*size = memory == NULL ? 0 : SIZE;
	*max_records = 0;
}

static void CUPTIAPI completed(CUcontext context, uint32_t stream, uint8_t *buffer, size_t size, size_t valid)
{
	(void)context;
	(void)stream;
	(void)size;
	if (buffer == NULL)
		return;
	memset(buffer, 0, valid);
	pthread_mutex_lock(&lock);
	if (nspare < SPARE) {
		spare[nspare++] = buffer;
		buffer = NULL;
	}
	pthread_mutex_unlock(&lock);
	free(buffer);
}

static void flush(void)
{
	(void)cupti.cuptiActivityFlushAll(CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
}

static void fill_spare(void)
{
	for (nspare = 0; nspare < SPARE; nspare++) {
		spare[nspare] = malloc(SIZE);
		if (spare[nspare] == NULL)
			return;
		memset(spare[nspare], 0, SIZE);
	}
}

__attribute__((visibility("default"))) int InitializeInjection(void);
int InitializeInjection(void)
{
	static const CUpti_ActivityKind kinds[] = {CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL, CUPTI_ACTIVITY_KIND_MEMCPY,
		CUPTI_ACTIVITY_KIND_MEMSET, CUPTI_ACTIVITY_KIND_RUNTIME};
	uint8_t zeroed = 1;
	size_t size = sizeof zeroed;
	struct error err;

	if (cupti_open(&cupti, &err) < 0)
		return 0;
	fill_spare();
	if (cupti.cuptiActivitySetAttribute != NULL)
		(void)cupti.cuptiActivitySetAttribute(CUPTI_ACTIVITY_ATTR_ZEROED_OUT_ACTIVITY_BUFFER, &size, &zeroed);
	if (cupti.cuptiActivityRegisterCallbacks(requested, completed) != CUPTI_SUCCESS)
		return 0;
	for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
		if (cupti.cuptiActivityEnable(kinds[i]) != CUPTI_SUCCESS)
			return 0;
	atexit(flush);
	return 1;
}
