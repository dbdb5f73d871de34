/* state.h: what every variant of stream.cu works on: arrays, buffers, streams, events; set-up and check. */
#ifndef DBPROF_KERNELS_STREAM_STATE_H
#define DBPROF_KERNELS_STREAM_STATE_H

#include "compare-parallel.h"
#include "random.h"
#include "resources.h"
#include "variant.h"

enum { PARAM_N, PARAM_CHUNK, PARAM_BUFFERS };

enum { BUFFERS_MAX = 8, URGENT_MAX = 3 };

/* Elements of the longest chunks of a floor whose chunks are the same in every case: copies of 16 MiB, long enough for
 * what a copy costs beside its bytes to be little. */
enum { LARGE_CHUNK = 1 << 22 };

struct arrays {
	float *a, *b, *c;
};

struct stream_state {
	struct resources resources;
	int64_t n, chunk;
	int buffers;                       /* of the variants that let the case choose */
	struct arrays pinned, pageable;    /* host: the same inputs twice; `pageable` is NULL until it is first used */
	struct arrays combined;            /* host: the inputs in write-combined memory; NULL until then, too */
	struct arrays staged[BUFFERS_MAX]; /* host: pinned, one chunk each; NULL until then, too */
	struct arrays whole;               /* device: all n elements */
	struct arrays buffer[BUFFERS_MAX]; /* device: one chunk each */
	cudaStream_t stream[BUFFERS_MAX], urgent[URGENT_MAX];
	cudaEvent_t fork, join[BUFFERS_MAX];
	cudaEvent_t loaded[BUFFERS_MAX], added[BUFFERS_MAX], drained[BUFFERS_MAX]; /* of each buffer */
	cudaEvent_t placed[BUFFERS_MAX]; /* of chunks in place; a graph has them, so nobody waits for an old one */
	const float *result;             /* where the last launch left C */
	cudaGraphExec_t graph;           /* NULL until it is first launched */
	struct enqueued graph_holds;     /* what a launch of it enqueues */
};

/* Elements of a buffer: no more than there are. */
static inline int64_t stream_buffer(int64_t n, int64_t chunk)
{
	return n < chunk ? n : chunk;
}

static inline size_t stream_device_bytes(const struct size_case *size)
{
	const int64_t n = size->value[PARAM_N];

	return 3 * sizeof(float) * (size_t)(n + BUFFERS_MAX * stream_buffer(n, size->value[PARAM_CHUNK]));
}

/* Pinned arrays, ordinary and write-combined ones, and stages; the check needs none. */
static inline size_t stream_host_bytes(const struct size_case *size)
{
	const int64_t n = size->value[PARAM_N], staged = stream_buffer(n, size->value[PARAM_CHUNK]);

	return sizeof(float) * (size_t)(3 * n + 3 * n + 2 * n + 3 * size->value[PARAM_BUFFERS] * staged);
}

static inline void stream_work(const struct size_case *size, struct work *out)
{
	out->elements = (double)size->value[PARAM_N];
	out->flops = 0;
	out->bytes = 3 * sizeof(float) * out->elements;
}

static inline void arrays_allocate(struct stream_state *s, struct arrays *arrays, enum resource_kind kind, int64_t n)
{
	const size_t bytes = sizeof(float) * (size_t)n;

	arrays->a = (float *)resources_memory(&s->resources, kind, bytes);
	arrays->b = (float *)resources_memory(&s->resources, kind, bytes);
	arrays->c = (float *)resources_memory(&s->resources, kind, bytes);
}

static inline void stream_fill(struct stream_state *s, uint64_t seed)
{
	struct splitmix random = {seed};
	const size_t n = (size_t)s->n;

	if (s->resources.error != cudaSuccess)
		return;
	random_floats(&random, s->pinned.a, n);
	random_floats(&random, s->pinned.b, n);
	s->result = s->pinned.c;
}

/* Makes the pageable arrays when they are first needed: at the largest sizes they would double the host memory of
 * every variant. */
static inline cudaError_t pageable_ready(struct stream_state *s)
{
	const size_t bytes = sizeof(float) * (size_t)s->n;
	const int before = s->resources.count;
	cudaError_t error;

	if (s->pageable.c)
		return cudaSuccess;
	arrays_allocate(s, &s->pageable, RESOURCE_HOST, s->n);
	error = resources_settle(&s->resources, before);
	if (error != cudaSuccess)
		return error;
	memcpy(s->pageable.a, s->pinned.a, bytes);
	memcpy(s->pageable.b, s->pinned.b, bytes);
	memset(s->pageable.c, POISON_BYTE, bytes);
	return cudaSuccess;
}

/* The inputs in memory that the host had better not read: made when it is first needed. */
static inline cudaError_t combined_ready(struct stream_state *s)
{
	const size_t bytes = sizeof(float) * (size_t)s->n;
	const int before = s->resources.count;
	cudaError_t error;

	if (s->combined.c)
		return cudaSuccess;
	s->combined.a = (float *)resources_pinned(&s->resources, bytes, cudaHostAllocWriteCombined);
	s->combined.b = (float *)resources_pinned(&s->resources, bytes, cudaHostAllocWriteCombined);
	error = resources_settle(&s->resources, before);
	if (error != cudaSuccess)
		return error;
	memcpy(s->combined.a, s->pinned.a, bytes);
	memcpy(s->combined.b, s->pinned.b, bytes);
	s->combined.c = s->pinned.c; /* the host reads the result */
	return cudaSuccess;
}

/* Pinned memory of a chunk for each of the case's buffers: made when it is first needed. */
static inline cudaError_t staged_ready(struct stream_state *s)
{
	const int64_t length = stream_buffer(s->n, s->chunk);
	const int before = s->resources.count;
	cudaError_t error;

	if (s->staged[0].c)
		return cudaSuccess;
	for (int i = 0; i < s->buffers; i++)
		arrays_allocate(s, &s->staged[i], RESOURCE_PINNED, length);
	error = resources_settle(&s->resources, before);
	if (error != cudaSuccess)
		memset(s->staged, 0, sizeof(s->staged));
	return error;
}

static inline void create_streams(struct stream_state *s)
{
	int least = 0, greatest = 0;

	resources_check(
		&s->resources, cudaDeviceGetStreamPriorityRange(&least, &greatest), "cannot ask for stream priorities");
	s->fork = resources_event(&s->resources);
	for (int i = 0; i < URGENT_MAX; i++)
		s->urgent[i] = resources_stream(&s->resources, greatest);
	for (int i = 0; i < BUFFERS_MAX; i++) {
		s->stream[i] = resources_stream(&s->resources, least);
		s->join[i] = resources_event(&s->resources);
		s->loaded[i] = resources_event(&s->resources);
		s->added[i] = resources_event(&s->resources);
		s->drained[i] = resources_event(&s->resources);
		s->placed[i] = resources_event(&s->resources);
	}
}

static inline cudaError_t stream_set_up(
	const struct size_case *size, uint64_t seed, void **state, char *message, size_t message_size)
{
	struct stream_state *s = (struct stream_state *)state_new(sizeof(*s), message, message_size);

	*state = NULL;
	if (!s)
		return cudaErrorMemoryAllocation;
	s->n = size->value[PARAM_N];
	s->chunk = size->value[PARAM_CHUNK];
	s->buffers = (int)size->value[PARAM_BUFFERS];
	arrays_allocate(s, &s->pinned, RESOURCE_PINNED, s->n);
	arrays_allocate(s, &s->whole, RESOURCE_DEVICE, s->n);
	for (int i = 0; i < BUFFERS_MAX; i++)
		arrays_allocate(s, &s->buffer[i], RESOURCE_DEVICE, stream_buffer(s->n, s->chunk));
	create_streams(s);
	stream_fill(s, seed);
	return state_ready(s, state);
}

static inline cudaError_t poison_arrays(const struct arrays *device, int64_t n, cudaStream_t stream)
{
	float *const arrays[] = {device->a, device->b, device->c};
	cudaError_t error = cudaSuccess;

	for (int i = 0; i < 3 && error == cudaSuccess; i++)
		error = cudaMemsetAsync(arrays[i], POISON_BYTE, sizeof(float) * (size_t)n, stream);
	return error;
}

static inline void poison_staged(const struct arrays *staged, size_t bytes)
{
	memset(staged->a, POISON_BYTE, bytes);
	memset(staged->b, POISON_BYTE, bytes);
	memset(staged->c, POISON_BYTE, bytes);
}

/* Poisons the results and the stages on the host and everything on the device: what another variant left there must not
 * pass for work that this one has done. */
static inline cudaError_t stream_poison(void *state, cudaStream_t stream)
{
	struct stream_state *s = (struct stream_state *)state;
	cudaError_t error = poison_arrays(&s->whole, s->n, stream);

	for (int i = 0; i < BUFFERS_MAX && error == cudaSuccess; i++)
		error = poison_arrays(&s->buffer[i], stream_buffer(s->n, s->chunk), stream);
	if (error == cudaSuccess)
		error = cudaStreamSynchronize(stream); /* copies under way still write to the host */
	if (error != cudaSuccess)
		return error;
	memset(s->pinned.c, POISON_BYTE, sizeof(float) * (size_t)s->n);
	if (s->pageable.c)
		memset(s->pageable.c, POISON_BYTE, sizeof(float) * (size_t)s->n);
	for (int i = 0; i < BUFFERS_MAX && s->staged[i].c; i++)
		poison_staged(&s->staged[i], sizeof(float) * (size_t)stream_buffer(s->n, s->chunk));
	return cudaSuccess;
}

/* A float addition is rounded once: it is off by at most u of the exact sum. */
static inline void stream_compare(const void *user, size_t first, size_t n, struct check_result *out)
{
	const struct stream_state *s = (const struct stream_state *)user;

	for (size_t i = first; i < first + n; i++) {
		const double want = (double)s->pinned.a[i] + s->pinned.b[i];

		compare_next(out, s->result[i], want, FLOAT_ROUNDOFF * fabs(want));
	}
}

static inline cudaError_t stream_check(void *state, struct check_result *out)
{
	const struct stream_state *s = (const struct stream_state *)state;
	const cudaError_t error = cudaDeviceSynchronize();

	compare_begin(out);
	if (error == cudaSuccess)
		compare_parallel((size_t)s->n, 1, stream_compare, s, out);
	return error;
}

static inline void stream_tear_down(void *state)
{
	struct stream_state *s = (struct stream_state *)state;

	if (s && s->graph)
		(void)cudaGraphExecDestroy(s->graph);
	state_free(s);
}

#endif
