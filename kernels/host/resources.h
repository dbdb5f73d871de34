/*
 * resources.h: what a family's state owns (memory, streams, events), freed in one go.
 *
 * The first failure sticks: after it every call does nothing and returns NULL, so that a set-up asks once, at its end.
 * A state is a struct whose first member is `struct resources`.
 */
#ifndef DBPROF_KERNELS_RESOURCES_H
#define DBPROF_KERNELS_RESOURCES_H

#include <cuda_runtime_api.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

enum resource_kind { RESOURCE_HOST, RESOURCE_PINNED, RESOURCE_DEVICE, RESOURCE_STREAM, RESOURCE_EVENT };

enum { RESOURCES_MAX = 128 };

struct resources {
	int count;
	struct {
		void *handle;
		enum resource_kind kind;
	} item[RESOURCES_MAX];
	cudaError_t error; /* the first failure */
	char *message;     /* the caller's, during set-up only */
	size_t message_size;
};

/* Notes the first failure with its message. */
static inline void __attribute__((format(printf, 3, 4)))
resources_fail(struct resources *r, cudaError_t error, const char *format, ...)
{
	va_list args;

	if (r->error != cudaSuccess)
		return;
	r->error = error;
	if (!r->message)
		return;
	va_start(args, format);
	vsnprintf(r->message, r->message_size, format, args);
	va_end(args);
}

/* Notes the failure of a CUDA call, and takes it off CUDA's own list of pending errors. */
static inline void resources_check(struct resources *r, cudaError_t error, const char *what)
{
	if (error == cudaSuccess)
		return;
	(void)cudaGetLastError();
	resources_fail(r, error, "%s: %s", what, cudaGetErrorString(error));
}

static inline void *resources_add(struct resources *r, void *handle, enum resource_kind kind)
{
	r->item[r->count].handle = handle;
	r->item[r->count].kind = kind;
	r->count++;
	return handle;
}

static inline bool resources_usable(struct resources *r)
{
	if (r->count == RESOURCES_MAX)
		resources_fail(
			r, cudaErrorMemoryAllocation, "a kernel family owns more than %d resources", RESOURCES_MAX);
	return r->error == cudaSuccess;
}

/* Takes over memory that was just asked for; NULL if it was not had. */
static inline void *resources_took(
	struct resources *r, enum resource_kind kind, void *memory, size_t bytes, cudaError_t error)
{
	static const char *const where[] = {"host", "pinned host", "device"};

	if (error == cudaSuccess)
		return resources_add(r, memory, kind);
	(void)cudaGetLastError();
	resources_fail(r, error, "cannot allocate %zu bytes of %s memory: %s%s", bytes, where[kind],
		cudaGetErrorString(error), error == cudaErrorMemoryAllocation ? " (choose a smaller size)" : "");
	return NULL;
}

/* Allocates `bytes` of ordinary, pinned or device memory; NULL after a failure. */
static inline void *resources_memory(struct resources *r, enum resource_kind kind, size_t bytes)
{
	cudaError_t error = cudaSuccess;
	void *p = NULL;

	if (!resources_usable(r))
		return NULL;
	if (kind == RESOURCE_DEVICE)
		error = cudaMalloc(&p, bytes);
	else if (kind == RESOURCE_PINNED)
		error = cudaMallocHost(&p, bytes);
	else if (!(p = malloc(bytes)))
		error = cudaErrorMemoryAllocation;
	return resources_took(r, kind, p, bytes, error);
}

/* Allocates pinned memory with cudaHostAlloc's flags; NULL after a failure. */
static inline void *resources_pinned(struct resources *r, size_t bytes, unsigned flags)
{
	cudaError_t error;
	void *p = NULL;

	if (!resources_usable(r))
		return NULL;
	error = cudaHostAlloc(&p, bytes, flags);
	return resources_took(r, RESOURCE_PINNED, p, bytes, error);
}

/* A stream that does not wait for the legacy default stream; NULL after a failure. */
static inline cudaStream_t resources_stream(struct resources *r, int priority)
{
	cudaStream_t stream = NULL;

	if (!resources_usable(r))
		return NULL;
	resources_check(
		r, cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, priority), "cannot create a stream");
	return stream ? (cudaStream_t)resources_add(r, stream, RESOURCE_STREAM) : NULL;
}

/* An event with flags as cudaEventCreateWithFlags() takes them; NULL after a failure. */
static inline cudaEvent_t resources_event_with(struct resources *r, unsigned flags)
{
	cudaEvent_t event = NULL;

	if (!resources_usable(r))
		return NULL;
	resources_check(r, cudaEventCreateWithFlags(&event, flags), "cannot create an event");
	return event ? (cudaEvent_t)resources_add(r, event, RESOURCE_EVENT) : NULL;
}

/* An event for ordering only, without a time stamp; NULL after a failure. */
static inline cudaEvent_t resources_event(struct resources *r)
{
	return resources_event_with(r, cudaEventDisableTiming);
}

/* An event with a time stamp; NULL after a failure. */
static inline cudaEvent_t resources_timed_event(struct resources *r)
{
	return resources_event_with(r, cudaEventDefault);
}

/* Copies inputs to the device and waits: cudaMemcpy() returns when ordinary memory has been staged, and streams that do
 * not wait for the default stream could overtake what is still on its way. */
static inline void resources_upload(struct resources *r, void *device, const void *host, size_t bytes)
{
	if (r->error == cudaSuccess)
		resources_check(r, cudaMemcpy(device, host, bytes, cudaMemcpyHostToDevice),
			"cannot copy the inputs to the device");
	if (r->error == cudaSuccess)
		resources_check(r, cudaDeviceSynchronize(), "cannot copy the inputs to the device");
}

/* Gives back what came after the first `keep`. */
static inline void resources_free_from(struct resources *r, int keep)
{
	while (r->count > keep) {
		void *handle = r->item[--r->count].handle;

		switch (r->item[r->count].kind) {
		case RESOURCE_HOST:
			free(handle);
			break;
		case RESOURCE_PINNED:
			(void)cudaFreeHost(handle);
			break;
		case RESOURCE_DEVICE:
			(void)cudaFree(handle);
			break;
		case RESOURCE_STREAM:
			(void)cudaStreamDestroy((cudaStream_t)handle);
			break;
		case RESOURCE_EVENT:
			(void)cudaEventDestroy((cudaEvent_t)handle);
			break;
		}
	}
}

static inline void resources_free(struct resources *r)
{
	resources_free_from(r, 0);
}

/* Returns the error, if there is one, and then gives back what came after the first `keep`: what only one variant needs
 * and cannot have is no failure of others. */
static inline cudaError_t resources_settle(struct resources *r, int keep)
{
	const cudaError_t error = r->error;

	if (error != cudaSuccess)
		resources_free_from(r, keep);
	r->error = cudaSuccess;
	return error;
}

/* ---- a state that begins with its resources ---- */

/* Allocates a zeroed state of `size` bytes, or returns NULL with a message. */
static inline void *state_new(size_t size, char *message, size_t message_size)
{
	struct resources *r = (struct resources *)calloc(1, size);

	if (!r) {
		snprintf(message, message_size, "out of memory");
		return NULL;
	}
	r->message = message;
	r->message_size = message_size;
	return r;
}

/* tear_down of a family that owns nothing but its resources. */
static inline void state_free(void *state)
{
	if (!state)
		return;
	resources_free((struct resources *)state);
	free(state);
}

/* Ends a set-up: hands the state over, or frees it and returns the first failure. */
static inline cudaError_t state_ready(void *state, void **out)
{
	struct resources *r = (struct resources *)state;
	const cudaError_t error = r->error;

	r->message = NULL;
	*out = error == cudaSuccess ? state : NULL;
	if (error != cudaSuccess)
		state_free(state);
	return error;
}

#endif
