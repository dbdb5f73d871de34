/* cuda-streams.c: streams, and waiting for them. */
#include "cuda-parts.h"

#include <cupti_activity.h>
#include <pthread.h>
#include <stdlib.h>

#include "cupti-records.h"

enum { DEFAULT_STREAM = 7, FIRST_STREAM = 13 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of the lists */
static struct CUstream_st *streams;
static struct CUstream_st defaults[MAX_DEVICES];
static uint32_t next_id = FIRST_STREAM;

/* ---- streams ---- */

cudaStream_t stream_of(cudaStream_t handle)
{
	int device = cuda_device();
	struct CUstream_st *found = NULL;

	pthread_mutex_lock(&lock);
	if (handle == NULL || handle == cudaStreamLegacy || handle == cudaStreamPerThread) {
		found = &defaults[device];
		found->id = DEFAULT_STREAM;
		found->context = cuda_context_id();
		found->device = device;
	}
	for (struct CUstream_st *s = streams; s != NULL && found == NULL; s = s->next)
		if (s == handle)
			found = s;
	pthread_mutex_unlock(&lock);
	return found;
}

static cudaError_t create(cudaStream_t *out)
{
	struct CUstream_st *stream = calloc(1, sizeof *stream);
	cudaError_t code = stream == NULL ? cudaErrorMemoryAllocation : cuda_start();

	if (code != cudaSuccess) {
		free(stream);
		return cuda_note(code);
	}
	stream->context = cuda_context_id();
	stream->device = cuda_device();
	pthread_mutex_lock(&lock);
	stream->id = next_id++;
	stream->next = streams;
	streams = stream;
	pthread_mutex_unlock(&lock);
	*out = stream;
	return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags)
{
	uint32_t id;
	cudaError_t code;

	(void)flags;
	CUDA_CALL();
	id = stand_in_call_begin(__func__);
	code = create(out);
	stand_in_call_end(id, (int)code);
	return code;
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *out, unsigned flags, int priority)
{
	uint32_t id;
	cudaError_t code;

	(void)flags;
	(void)priority;
	CUDA_CALL();
	id = stand_in_call_begin(__func__);
	code = create(out);
	stand_in_call_end(id, (int)code);
	return code;
}

/* False if it is none. */
static bool take_stream(cudaStream_t stream)
{
	struct CUstream_st **p = &streams;
	bool found;

	pthread_mutex_lock(&lock);
	while (*p != NULL && *p != stream)
		p = &(*p)->next;
	found = *p != NULL;
	if (found)
		*p = stream->next;
	pthread_mutex_unlock(&lock);
	return found;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
	uint32_t id;
	bool found;

	CUDA_CALL();
	id = stand_in_call_begin(__func__);
	queue_drain();
	found = take_stream(stream);
	if (found)
		free(stream);
	stand_in_call_end(id, found ? cudaSuccess : cudaErrorInvalidResourceHandle);
	return found ? cudaSuccess : cuda_note(cudaErrorInvalidResourceHandle);
}

/* ---- waiting ---- */

void wait_for(uint64_t (*until)(const void *what), const void *what, uint32_t stream, int type)
{
	uint64_t start = stand_in_now();

	queue_drain();
	wait_until(until(what));
	stand_in_waited(cuda_context_id(), stream, type, start, stand_in_now());
}

static uint64_t end_of_stream(const void *stream)
{
	return ((const struct CUstream_st *)stream)->end;
}

static uint64_t end_of_device(const void *device)
{
	int ordinal = *(const int *)device;
	uint64_t end = defaults[ordinal].end;

	pthread_mutex_lock(&lock);
	for (struct CUstream_st *s = streams; s != NULL; s = s->next)
		if (s->device == ordinal && s->end > end)
			end = s->end;
	pthread_mutex_unlock(&lock);
	return end;
}

bool streams_are_captured(void)
{
	bool any = false;

	pthread_mutex_lock(&lock);
	for (const struct CUstream_st *s = streams; s != NULL; s = s->next)
		any |= s->is_captured && s->device == cuda_device();
	pthread_mutex_unlock(&lock);
	return any;
}

cudaGraph_t streams_capture(int id)
{
	cudaGraph_t found = NULL;

	pthread_mutex_lock(&lock);
	for (const struct CUstream_st *s = streams; s != NULL && found == NULL; s = s->next)
		if (s->is_captured && graph_id(s->graph) == id)
			found = s->graph;
	pthread_mutex_unlock(&lock);
	return found;
}

void streams_end_capture(cudaGraph_t graph)
{
	pthread_mutex_lock(&lock);
	for (struct CUstream_st *s = streams; s != NULL; s = s->next) {
		if (s->graph != graph)
			continue;
		s->is_captured = false;
		s->graph = NULL;
	}
	pthread_mutex_unlock(&lock);
}

void device_wait(void)
{
	int device = cuda_device();

	queue_drain();
	wait_until(end_of_device(&device));
}

cudaError_t cudaStreamSynchronize(cudaStream_t handle)
{
	cudaStream_t stream;
	uint32_t id;

	CUDA_CALL();
	stream = stream_of(handle);
	if (stream == NULL)
		return cuda_note(cudaErrorInvalidResourceHandle);
	id = stand_in_call_begin(__func__);
	wait_for(end_of_stream, stream, stream->id, CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_STREAM_SYNCHRONIZE);
	stand_in_call_end(id, cudaSuccess);
	return cudaSuccess;
}

cudaError_t cudaDeviceSynchronize(void)
{
	int device = cuda_device();
	CUresult waited = CUDA_SUCCESS;
	cudaError_t code;
	uint32_t id;

	CUDA_CALL();
	code = cuda_start();
	if (code != cudaSuccess)
		return code;
	id = stand_in_call_begin(__func__);
	callbacks_driver(CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize, "cuCtxSynchronize", NULL, NULL, NULL);
	wait_for(end_of_device, &device, CUPTI_SYNCHRONIZATION_INVALID_VALUE,
		CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_CONTEXT_SYNCHRONIZE);
	callbacks_driver(CUPTI_DRIVER_TRACE_CBID_cuCtxSynchronize, "cuCtxSynchronize", NULL, NULL, &waited);
	stand_in_call_end(id, cudaSuccess);
	return cudaSuccess;
}
