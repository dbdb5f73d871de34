/* stream.cu: vector addition of host arrays, to the device and back, in chunks: how copies and kernels overlap. */
#include "families.h"
#include "queue.h"
#include "stream-state.h"

enum { ADD_BLOCK = 256 };

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		c[i] = a[i] + b[i];
}

static int64_t chunk_length(const struct stream_state *s, int64_t at)
{
	return s->n - at < s->chunk ? s->n - at : s->chunk;
}

/* Both inputs from `at` on: host to device. */
static void copy_in(struct queue *q, const struct arrays *host, int64_t at, int64_t length, const struct arrays *device,
	cudaStream_t stream)
{
	const size_t bytes = sizeof(float) * (size_t)length;

	queue_copy(q, device->a, host->a + at, bytes, cudaMemcpyHostToDevice, stream);
	queue_copy(q, device->b, host->b + at, bytes, cudaMemcpyHostToDevice, stream);
}

static void add(struct queue *q, const struct arrays *device, int64_t length, cudaStream_t stream)
{
	const struct kernel_config config = config_linear((const void *)vector_add, length, ADD_BLOCK);
	struct arrays d = *device;
	int n = (int)length;
	void *arguments[] = {&d.a, &d.b, &d.c, &n};

	queue_kernel(q, &config, arguments, stream);
}

/* The result: device to host. */
static void copy_out(struct queue *q, const struct arrays *host, int64_t at, int64_t length,
	const struct arrays *device, cudaStream_t stream)
{
	queue_copy(q, host->c + at, device->c, sizeof(float) * (size_t)length, cudaMemcpyDeviceToHost, stream);
}

/* Lets `count` streams start after what is in `from`. */
static void fork_streams(
	struct queue *q, const struct stream_state *s, cudaStream_t from, const cudaStream_t *streams, int count)
{
	queue_record(q, s->fork, from);
	for (int i = 0; i < count; i++)
		queue_wait(q, streams[i], s->fork);
}

/* Lets later work in `to` wait for `count` streams. */
static void join_streams(
	struct queue *q, const struct stream_state *s, cudaStream_t to, const cudaStream_t *streams, int count)
{
	for (int i = 0; i < count; i++) {
		queue_record(q, s->join[i], streams[i]);
		queue_wait(q, to, s->join[i]);
	}
}

// begin unchunked
static cudaError_t launch_unchunked(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;
	struct queue q = {done, cudaSuccess};

	s->result = s->pinned.c;
	copy_in(&q, &s->pinned, 0, s->n, &s->whole, stream);
	add(&q, &s->whole, s->n, stream);
	copy_out(&q, &s->pinned, 0, s->n, &s->whole, stream);
	return q.error;
}
// end unchunked

// begin one-buffer-pageable, one-buffer
static cudaError_t one_buffer(
	struct stream_state *s, const struct arrays *host, cudaStream_t stream, struct enqueued *done)
{
	struct queue q = {done, cudaSuccess};

	s->result = host->c;
	for (int64_t at = 0; at < s->n; at += s->chunk) {
		const int64_t length = chunk_length(s, at);
		const struct arrays *buffer = &s->buffer[0];

		copy_in(&q, host, at, length, buffer, stream);
		add(&q, buffer, length, stream);
		copy_out(&q, host, at, length, buffer, stream);
	}
	return q.error;
}
// end one-buffer-pageable, one-buffer

static cudaError_t launch_one_buffer_pageable(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;

	return one_buffer(s, &s->pageable, stream, done);
}

static cudaError_t launch_one_buffer(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;

	return one_buffer(s, &s->pinned, stream, done);
}

// begin two-buffers, three-buffers, three-buffers-priority
static cudaError_t several_buffers(
	struct stream_state *s, const cudaStream_t *streams, int buffers, cudaStream_t stream, struct enqueued *done)
{
	const struct arrays *host = &s->pinned;
	struct queue q = {done, cudaSuccess};
	int turn = 0;

	s->result = host->c;
	fork_streams(&q, s, stream, streams, buffers);
	for (int64_t at = 0; at < s->n; at += s->chunk) {
		const int64_t length = chunk_length(s, at);
		const struct arrays *buffer = &s->buffer[turn]; // always in the same stream: used in order

		copy_in(&q, host, at, length, buffer, streams[turn]);
		add(&q, buffer, length, streams[turn]);
		copy_out(&q, host, at, length, buffer, streams[turn]);
		turn = (turn + 1) % buffers;
	}
	join_streams(&q, s, stream, streams, buffers);
	return q.error;
}
// end two-buffers, three-buffers, three-buffers-priority

static cudaError_t launch_two_buffers(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;

	return several_buffers(s, s->stream, 2, stream, done);
}

static cudaError_t launch_three_buffers(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;

	return several_buffers(s, s->stream, 3, stream, done);
}

static cudaError_t launch_three_buffers_priority(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;

	return several_buffers(s, s->urgent, 3, stream, done);
}

/* Waiting for an event that was never recorded does not block; one that an earlier launch recorded has passed. */
// begin engine-streams
static cudaError_t launch_engine_streams(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;
	const cudaStream_t in = s->stream[0], compute = s->stream[1], out = s->stream[2];
	struct queue q = {done, cudaSuccess};
	int turn = 0;

	s->result = s->pinned.c;
	fork_streams(&q, s, stream, s->stream, 3);
	for (int64_t at = 0; at < s->n; at += s->chunk) {
		const int64_t length = chunk_length(s, at);
		const struct arrays *buffer = &s->buffer[turn];

		queue_wait(&q, in, s->added[turn]); // the inputs of the chunk before in this buffer are used up
		copy_in(&q, &s->pinned, at, length, buffer, in);
		queue_record(&q, s->loaded[turn], in);

		queue_wait(&q, compute, s->loaded[turn]);
		queue_wait(&q, compute, s->drained[turn]); // and its result is out
		add(&q, buffer, length, compute);
		queue_record(&q, s->added[turn], compute);

		queue_wait(&q, out, s->added[turn]);
		copy_out(&q, &s->pinned, at, length, buffer, out);
		queue_record(&q, s->drained[turn], out);
		turn = (turn + 1) % 3;
	}
	join_streams(&q, s, stream, s->stream, 3);
	return q.error;
}
// end engine-streams

static const char *priority_unsupported(const struct cudaDeviceProp *device, const struct size_case *)
{
	return device->streamPrioritiesSupported ? NULL : "the device has no stream priorities";
}

static cudaError_t config_whole(void *state, struct kernel_config *out)
{
	*out = config_linear((const void *)vector_add, ((const struct stream_state *)state)->n, ADD_BLOCK);
	return cudaSuccess;
}

/* The configuration of every chunk but a ragged last one. */
static cudaError_t config_chunk(void *state, struct kernel_config *out)
{
	*out = config_linear((const void *)vector_add, chunk_length((const struct stream_state *)state, 0), ADD_BLOCK);
	return cudaSuccess;
}

static const struct param params[] = {
	{"n", "elements", "length of the arrays", 1, 1 << 28},
	{"chunk", "elements", "elements copied and added at a time", 16384, 1 << 28},
};

static const struct size_case cases[] = {
	{"4m", {4000000, 1 << 20}, false},
	{"16m", {(1 << 24) + 12345, 1 << 20}, false},
	{"ragged", {7 * 16384 + 13, 16384}, true},
	{"less-than-a-chunk", {999, 16384}, true},
};

static const struct variant variants[] = {
	{
		.name = "unchunked",
		.summary = "pinned memory, everything in one go: copy in, add, copy out",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = launch_unchunked,
		.config = config_whole,
	},
	{
		.name = "one-buffer-pageable",
		.summary = "in chunks through one device buffer, from ordinary (pageable) host memory",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = launch_one_buffer_pageable,
		.config = config_chunk,
	},
	{
		.name = "one-buffer",
		.summary = "in chunks through one device buffer and one stream, from pinned host memory",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = launch_one_buffer,
		.config = config_chunk,
	},
	{
		.name = "two-buffers",
		.summary = "two device buffers in turn, each with a stream of its own",
		.kind = VARIANT_CANDIDATE,
		.buffers = 2,
		.launch = launch_two_buffers,
		.config = config_chunk,
	},
	{
		.name = "three-buffers",
		.summary = "three device buffers in turn, each with a stream of its own",
		.kind = VARIANT_CANDIDATE,
		.buffers = 3,
		.launch = launch_three_buffers,
		.config = config_chunk,
	},
	{
		.name = "three-buffers-priority",
		.summary = "as three-buffers, with streams of the highest priority",
		.kind = VARIANT_CANDIDATE,
		.buffers = 3,
		.launch = launch_three_buffers_priority,
		.unsupported = priority_unsupported,
		.config = config_chunk,
	},
	{
		.name = "engine-streams",
		.summary = "one stream to copy in, one to add, one to copy out, chained by events over three buffers",
		.kind = VARIANT_CANDIDATE,
		.buffers = 3,
		.launch = launch_engine_streams,
		.config = config_chunk,
	},
};

extern "C" const struct family family_stream = {
	.name = "stream",
	.title = "Copy, add, copy back in chunks",
	.question =
		"A GPU can copy in, compute and copy out at the same time, but one buffer forces one after the other. "
		"How much of the time disappears when two or three buffers take turns?",
	.teaches =
		"With one device buffer, a chunk has to be back on the host before the next one may be copied in. "
		"With two buffers in two streams, one chunk is copied in while the other is added or copied out. It "
		"takes pinned host memory (copies from ordinary memory go through a staging area and make the host "
		"wait) and separate copy engines for both directions. An addition does so little with each byte that "
		"there is hardly any computation to hide: what can overlap is mostly the one direction of copying "
		"with the other. A third buffer lets the next chunk start while two are still under way.",
	.source = "\"Day 25: Double Buffering Technique\", a CUDA lesson, on a Nolebase site",
	.file = "stream.cu",
	.throughput = "GB/s",
	.bound_by = "PCIe",
	.params = params,
	.nparams = sizeof params / sizeof params[0],
	.cases = cases,
	.ncases = sizeof cases / sizeof cases[0],
	.variants = variants,
	.nvariants = sizeof variants / sizeof variants[0],
	.single = "one-buffer",
	.double_ = "two-buffers",
	.device_bytes = stream_device_bytes,
	.work = stream_work,
	.set_up = stream_set_up,
	.tear_down = state_free,
	.poison = stream_poison,
	.check = stream_check,
};
