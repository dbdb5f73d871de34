/* cuda-events.c: events. */
#include "cuda-parts.h"

#include <cupti_activity.h>
#include <pthread.h>
#include <stdlib.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct CUevent_st *events;

static bool is_event(cudaEvent_t event)
{
	struct CUevent_st *p;

	pthread_mutex_lock(&lock);
	for (p = events; p != NULL && p != event; p = p->next)
		;
	pthread_mutex_unlock(&lock);
	return p != NULL;
}

static cudaError_t create_event(cudaEvent_t *out, unsigned flags)
{
	cudaError_t code = cuda_start();
	struct CUevent_st *event = code == cudaSuccess ? calloc(1, sizeof *event) : NULL;

	if (event == NULL)
		return cuda_note(code == cudaSuccess ? cudaErrorMemoryAllocation : code);
	event->timed = (flags & cudaEventDisableTiming) == 0;
	pthread_mutex_lock(&lock);
	event->next = events;
	events = event;
	pthread_mutex_unlock(&lock);
	*out = event;
	return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *out, unsigned flags)
{
	cudaError_t code;
	uint32_t id;

	CUDA_CALL();
	id = stand_in_call_begin(__func__);
	code = create_event(out, flags);
	stand_in_call_end(id, (int)code);
	return code;
}

cudaError_t cudaEventCreate(cudaEvent_t *out)
{
	cudaError_t code;
	uint32_t id;

	CUDA_CALL();
	id = stand_in_call_begin(__func__);
	code = create_event(out, cudaEventDefault);
	stand_in_call_end(id, (int)code);
	return code;
}

/* False if it is none. */
static bool take_event(cudaEvent_t event)
{
	struct CUevent_st **p = &events;
	bool found;

	pthread_mutex_lock(&lock);
	while (*p != NULL && *p != event)
		p = &(*p)->next;
	found = *p != NULL;
	if (found)
		*p = event->next;
	pthread_mutex_unlock(&lock);
	return found;
}

cudaError_t cudaEventDestroy(cudaEvent_t event)
{
	uint32_t id;
	bool found;

	CUDA_CALL();
	id = stand_in_call_begin(__func__);
	queue_drain();
	found = take_event(event);
	if (found)
		free(event);
	stand_in_call_end(id, found ? cudaSuccess : cudaErrorInvalidResourceHandle);
	return found ? cudaSuccess : cuda_note(cudaErrorInvalidResourceHandle);
}

/* A stream that waits for what is being captured is captured too. A capture waits for nothing outside of it. */
static cudaError_t join_capture(cudaStream_t stream, cudaEvent_t event)
{
	cudaGraph_t graph = event->captured == 0 ? NULL : streams_capture(event->captured);

	if (event->captured != 0 && graph == NULL)
		return cudaErrorCapturedEvent;
	if (stream->is_captured && stream->graph != graph)
		return cudaErrorStreamCaptureIsolation;
	stream->is_captured = graph != NULL;
	stream->graph = graph;
	return cudaSuccess;
}

/* Enqueues what an event does in a stream. */
static cudaError_t enqueue(enum op_kind kind, cudaStream_t handle, cudaEvent_t event)
{
	cudaStream_t stream = stream_of(handle);
	struct op *op;
	cudaError_t code;

	if (stream == NULL || !is_event(event))
		return cuda_note(cudaErrorInvalidResourceHandle);
	code = kind == OP_WAIT ? join_capture(stream, event) : cudaSuccess;
	if (code != cudaSuccess)
		return cuda_note(code);
	if (kind == OP_RECORD)
		event->captured = graph_id(stream->graph);
	op = queue_op(kind, stream);
	if (op != NULL)
		op->event = event;
	return queue_add(op);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
	cudaError_t code;
	uint32_t id;

	CUDA_CALL();
	id = stand_in_call_begin(__func__);
	code = enqueue(OP_RECORD, stream, event);
	stand_in_call_end(id, (int)code);
	return code;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
	cudaError_t code;
	uint32_t id;

	(void)flags;
	CUDA_CALL();
	id = stand_in_call_begin(__func__);
	code = enqueue(OP_WAIT, stream, event);
	stand_in_call_end(id, (int)code);
	return code;
}

static uint64_t time_of_event(const void *event)
{
	return ((const struct CUevent_st *)event)->time;
}

cudaError_t cudaEventSynchronize(cudaEvent_t event)
{
	uint32_t id;

	CUDA_CALL();
	if (!is_event(event))
		return cuda_note(cudaErrorInvalidResourceHandle);
	id = stand_in_call_begin(__func__);
	wait_for(time_of_event, event, CUPTI_SYNCHRONIZATION_INVALID_VALUE,
		CUPTI_ACTIVITY_SYNCHRONIZATION_TYPE_EVENT_SYNCHRONIZE);
	stand_in_call_end(id, cudaSuccess);
	return cudaSuccess;
}

cudaError_t cudaEventQuery(cudaEvent_t event)
{
	cudaError_t code;
	uint32_t id;

	CUDA_CALL();
	if (!is_event(event))
		return cuda_note(cudaErrorInvalidResourceHandle);
	id = stand_in_call_begin(__func__);
	queue_drain();
	code = event->pending > 0 || event->time > stand_in_now() ? cudaErrorNotReady : cudaSuccess;
	stand_in_call_end(id, (int)code);
	return code;
}

cudaError_t cudaEventElapsedTime(float *ms, cudaEvent_t begin, cudaEvent_t end)
{
	CUDA_CALL();
	if (!is_event(begin) || !is_event(end) || !begin->timed || !end->timed || !begin->recorded || !end->recorded)
		return cuda_note(cudaErrorInvalidResourceHandle);
	if (begin->pending > 0 || end->pending > 0 || end->time > stand_in_now())
		return cuda_note(cudaErrorNotReady);
	*ms = (float)((double)(int64_t)(end->time - begin->time) / 1e6);
	return cudaSuccess;
}
