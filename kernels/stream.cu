/* stream.cu: vector addition of host arrays, to the device and back, in chunks: how copies and kernels overlap. Here is
 * the kernel, what takes turns among buffers, and the table. Other ways are in stream-engines.cu, stream-pageable.cu
 * and stream-pinned.cu, parts of the work in stream-floors.cu. */
#include "families.h"
#include "stream/launch.h"
#include "stream/shape.h"

enum { ADD_BLOCK = 256 };

__global__ void vector_add(const float *a, const float *b, float *c, int n)
{
	const int i = blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		c[i] = a[i] + b[i];
}

void stream_add(struct queue *q, const struct arrays *device, int64_t length, cudaStream_t stream)
{
	const struct kernel_config config = config_linear((const void *)vector_add, length, ADD_BLOCK);
	struct arrays d = *device;
	int n = (int)length;
	void *arguments[] = {&d.a, &d.b, &d.c, &n};

	queue_kernel(q, &config, arguments, stream);
}

// begin unchunked
static cudaError_t launch_unchunked(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;
	struct queue q = {done, cudaSuccess};

	s->result = s->pinned.c;
	stream_copy_in(&q, &s->pinned, 0, s->n, &s->whole, stream);
	stream_add(&q, &s->whole, s->n, stream);
	stream_copy_out(&q, &s->pinned, 0, s->n, &s->whole, stream);
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

		stream_copy_in(&q, host, at, length, buffer, stream);
		stream_add(&q, buffer, length, stream);
		stream_copy_out(&q, host, at, length, buffer, stream);
	}
	return q.error;
}
// end one-buffer-pageable, one-buffer

static cudaError_t launch_one_buffer_pageable(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;
	const cudaError_t error = pageable_ready(s);

	return error == cudaSuccess ? one_buffer(s, &s->pageable, stream, done) : error;
}

static cudaError_t launch_one_buffer(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;

	return one_buffer(s, &s->pinned, stream, done);
}

// begin two-buffers, three-buffers, n-buffers, three-buffers-priority
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

		stream_copy_in(&q, host, at, length, buffer, streams[turn]);
		stream_add(&q, buffer, length, streams[turn]);
		stream_copy_out(&q, host, at, length, buffer, streams[turn]);
		turn = (turn + 1) % buffers;
	}
	join_streams(&q, s, stream, streams, buffers);
	return q.error;
}
// end two-buffers, three-buffers, n-buffers, three-buffers-priority

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

static cudaError_t launch_n_buffers(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;

	return several_buffers(s, s->stream, s->buffers, stream, done);
}

static cudaError_t launch_three_buffers_priority(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;

	return several_buffers(s, s->urgent, 3, stream, done);
}

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
cudaError_t stream_config_chunk(void *state, struct kernel_config *out)
{
	*out = config_linear((const void *)vector_add, chunk_length((const struct stream_state *)state, 0), ADD_BLOCK);
	return cudaSuccess;
}

static cudaError_t config_tapered(void *state, struct kernel_config *out)
{
	const struct stream_state *s = (const struct stream_state *)state;

	*out = config_linear((const void *)vector_add, tapered_length(s->n, s->chunk, 0), ADD_BLOCK);
	return cudaSuccess;
}

/* Of what has as many buffers as the case says. */
static int stream_buffers(const struct cudaDeviceProp *, const struct size_case *size)
{
	return (int)size->value[PARAM_BUFFERS];
}

static const struct param params[] = {
	{"n", "elements", "length of the arrays", 1, 1 << 28},
	{"chunk", "elements", "elements copied and added at a time", 16384, 1 << 28},
	{"buffers", "buffers", "device buffers of n-buffers and those above it; stages of pinned-ring", 1, BUFFERS_MAX},
};

static const struct size_case cases[] = {
	{"4m", {4000000, 1 << 20, 4}, false},
	{"16m", {(1 << 24) + 12345, 1 << 20, 4}, false},
	{"ragged", {7 * 16384 + 13, 16384, 5}, true},
	{"less-than-a-chunk", {999, 16384, 8}, true},
	{"one-of-n", {(1 << 20) + 77, 1 << 18, 1}, true},
};

/* Many thousands of tiny copies take long to enqueue and tell nothing new. A chunk longer than the array is wanted: it
 * tells what several buffers cost where there is nothing to overlap. */
static bool chunk_wanted(const struct size_case *size)
{
	return size->value[PARAM_N] / size->value[PARAM_CHUNK] <= 4096;
}

static const struct sweep sweeps[] = {
	{
		.name = "n-chunk",
		.title = "Chunk size and array length",
		.question = "How large must a chunk be, and how long the arrays, for copies in both directions to "
			    "overlap? And from where on are chunks too large?",
		.base = 1,
		.naxes = 2,
		.axis =
			{
				{PARAM_CHUNK, 7, {1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 22, 1 << 24, 1 << 26}},
				{PARAM_N, 7, {1 << 12, 1 << 14, 1 << 16, 1 << 18, 1 << 20, 1 << 24, 1 << 26}},
			},
		.every_candidate = true,
		.wanted = chunk_wanted,
	},
	{
		.name = "buffers",
		.title = "Number of buffers",
		.question = "How many device buffers are worth having, and does any one beyond the third still help?",
		.base = 1,
		.naxes = 1,
		.axis = {{PARAM_BUFFERS, BUFFERS_MAX, {1, 2, 3, 4, 5, 6, 7, 8}}},
		.single = "one-buffer",
		.double_ = "n-buffers",
	},
	{
		.name = "order",
		.title = "Number of buffers, depth first and breadth first",
		.question = "Does it pay to ask for the copies of all buffers first, and for how many buffers?",
		.base = 1,
		.naxes = 1,
		.axis = {{PARAM_BUFFERS, BUFFERS_MAX, {1, 2, 3, 4, 5, 6, 7, 8}}},
		.single = "n-buffers",
		.double_ = "breadth-first",
	},
};

static const struct variant variants[] = {
	{
		.name = "unchunked",
		.summary = "pinned memory, everything in one go: copy in, add, copy out",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = launch_unchunked,
		.config = config_whole,
		.shape = shape_unchunked,
	},
	{
		.name = "one-buffer-pageable",
		.summary = "in chunks through one device buffer, from ordinary (pageable) host memory",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.blocks_host = true,
		.launch = launch_one_buffer_pageable,
		.config = stream_config_chunk,
		.shape = shape_one_buffer_pageable,
		.rung = {.step = 1},
	},
	{
		.name = "pageable-copy-first",
		.summary = "two buffers in ordinary memory: the next chunk is copied in before the kernel is asked for",
		.kind = VARIANT_CANDIDATE,
		.buffers = 2,
		.blocks_host = true,
		.on_demand = true,
		.launch = stream_launch_pageable_copy_first,
		.config = stream_config_chunk,
		.rung = {2, "one-buffer-pageable", "second buffer"},
		.file = "stream-pageable.cu",
	},
	{
		.name = "pageable-kernel-first",
		.summary = "the same, but the kernel is asked for before the copy that keeps the host",
		.kind = VARIANT_CANDIDATE,
		.buffers = 2,
		.blocks_host = true,
		.on_demand = true,
		.launch = stream_launch_pageable_kernel_first,
		.config = stream_config_chunk,
		.rung = {3, "pageable-copy-first", "kernel before the next copy"},
		.file = "stream-pageable.cu",
	},
	{
		.name = "pinned-ring",
		.summary = "ordinary memory; the host copies chunks into and out of a ring of pinned stages",
		.kind = VARIANT_CANDIDATE,
		.buffers = 4,
		.blocks_host = true,
		.on_demand = true,
		.launch = stream_launch_pinned_ring,
		.buffers_of = stream_buffers,
		.config = stream_config_chunk,
		.rung = {4, "one-buffer-pageable", "ring of pinned stages"},
		.file = "stream-pageable.cu",
	},
	{
		.name = "pinned-ring-threads",
		.summary = "the same with two host threads: one fills stages, the other empties them",
		.kind = VARIANT_CANDIDATE,
		.buffers = 4,
		.blocks_host = true,
		.on_demand = true,
		.launch = stream_launch_pinned_ring_threads,
		.buffers_of = stream_buffers,
		.config = stream_config_chunk,
		.rung = {5, "pinned-ring", "second host thread"},
		.file = "stream-pageable.cu",
	},
	{
		.name = "one-buffer",
		.summary = "in chunks through one device buffer and one stream, from pinned host memory",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = launch_one_buffer,
		.config = stream_config_chunk,
		.shape = shape_one_buffer,
		.rung = {6, "one-buffer-pageable", "pinned arrays"},
	},
	{
		.name = "two-buffers",
		.summary = "two device buffers in turn, each with a stream of its own",
		.kind = VARIANT_CANDIDATE,
		.buffers = 2,
		.launch = launch_two_buffers,
		.config = stream_config_chunk,
		.shape = shape_two_buffers,
		.rung = {7, "one-buffer", "second buffer"},
	},
	{
		.name = "three-buffers",
		.summary = "three device buffers in turn, each with a stream of its own",
		.kind = VARIANT_CANDIDATE,
		.buffers = 3,
		.launch = launch_three_buffers,
		.config = stream_config_chunk,
		.shape = shape_three_buffers,
		.rung = {8, "two-buffers", "third buffer"},
	},
	{
		.name = "n-buffers",
		.summary = "as many device buffers as the parameter says, each with a stream of its own",
		.kind = VARIANT_CANDIDATE,
		.buffers = 4,
		.launch = launch_n_buffers,
		.buffers_of = stream_buffers,
		.config = stream_config_chunk,
		.shape = shape_n_buffers,
		.rung = {10, "three-buffers", "further buffers"},
	},
	{
		.name = "breadth-first",
		.summary = "as n-buffers, but all buffers are filled, then all added, then all copied out",
		.kind = VARIANT_CANDIDATE,
		.buffers = 4,
		.on_demand = true,
		.launch = stream_launch_breadth_first,
		.buffers_of = stream_buffers,
		.config = stream_config_chunk,
		.shape = shape_n_buffers,
		.rung = {11, "n-buffers", "breadth first"},
		.file = "stream-pinned.cu",
	},
	{
		.name = "three-buffers-priority",
		.summary = "as three-buffers, with streams of the highest priority",
		.kind = VARIANT_CANDIDATE,
		.buffers = 3,
		.launch = launch_three_buffers_priority,
		.unsupported = priority_unsupported,
		.config = stream_config_chunk,
		.shape = shape_three_buffers,
		.rung = {9, "three-buffers", "streams of the highest priority"},
	},
	{
		.name = "engine-streams",
		.summary = "as n-buffers, with one stream to copy in, one to add, one to copy out, chained by events",
		.kind = VARIANT_CANDIDATE,
		.buffers = 4,
		.launch = stream_launch_engine_streams,
		.buffers_of = stream_buffers,
		.config = stream_config_chunk,
		.shape = shape_engine_streams,
		.rung = {12, "n-buffers", "a stream for each engine"},
		.file = "stream-engines.cu",
	},
	{
		.name = "tapered",
		.summary = "as engine-streams, with chunks that grow at the beginning and shrink towards the end",
		.kind = VARIANT_CANDIDATE,
		.buffers = 4,
		.launch = stream_launch_tapered,
		.buffers_of = stream_buffers,
		.config = config_tapered,
		.shape = shape_tapered,
		.rung = {13, "engine-streams", "short chunks at both ends"},
		.file = "stream-engines.cu",
	},
	{
		.name = "write-combined",
		.summary = "as tapered, with inputs in write-combined host memory",
		.kind = VARIANT_CANDIDATE,
		.buffers = 4,
		.on_demand = true,
		.launch = stream_launch_write_combined,
		.buffers_of = stream_buffers,
		.config = config_tapered,
		.shape = shape_tapered,
		.rung = {14, "tapered", "write-combined inputs"},
		.file = "stream-engines.cu",
	},
	{
		.name = "in-place",
		.summary = "as tapered, over the whole arrays on the device: no chunk waits for a buffer",
		.kind = VARIANT_CANDIDATE,
		.buffers = BUFFERS_MAX,
		.on_demand = true,
		.launch = stream_launch_in_place,
		.config = config_tapered,
		.shape = shape_in_place,
		.rung = {15, "tapered", "no wait for a buffer"},
		.file = "stream-pinned.cu",
	},
	{
		.name = "batched",
		.summary = "as in-place, with both copies in of a chunk in one call (cuMemcpyBatchAsync)",
		.kind = VARIANT_CANDIDATE,
		.buffers = BUFFERS_MAX,
		.on_demand = true,
		.batches_copies = true,
		.launch = stream_launch_batched,
		.unsupported = stream_batched_unsupported,
		.config = config_tapered,
		.rung = {16, "in-place", "both copies in one call"},
		.file = "stream-pinned.cu",
	},
	{
		.name = "few-blocks",
		.summary = "as in-place, with a kernel of few blocks that leaves device memory to the copies",
		.kind = VARIANT_CANDIDATE,
		.buffers = BUFFERS_MAX,
		.on_demand = true,
		.launch = stream_launch_few_blocks,
		.unsupported = stream_vectors_unsupported,
		.config = stream_config_few_blocks,
		.shape = shape_in_place,
		.rung = {17, "in-place", "few blocks add", "a loop over 16 bytes at once in each thread"},
		.file = "stream-pinned.cu",
	},
	{
		.name = "copies-by-sm",
		.summary = "as few-blocks, but SMs copy in and out instead of copy engines",
		.kind = VARIANT_CANDIDATE,
		.buffers = BUFFERS_MAX,
		.on_demand = true,
		.launch = stream_launch_copies_by_sm,
		.unsupported = stream_by_sm_unsupported,
		.config = stream_config_copies_by_sm,
		.rung = {18, "few-blocks", "SMs copy"},
		.file = "stream-pinned.cu",
	},
	{
		.name = "direct-out",
		.summary = "as few-blocks, but the kernel stores its results in host memory itself",
		.kind = VARIANT_CANDIDATE,
		.buffers = BUFFERS_MAX,
		.on_demand = true,
		.launch = stream_launch_direct_out,
		.unsupported = stream_by_sm_unsupported,
		.config = stream_config_few_blocks,
		.rung = {19, "few-blocks", "kernel stores to the host"},
		.file = "stream-pinned.cu",
	},
	{
		.name = "zero-copy",
		.summary = "one kernel that loads from host memory and stores there: no buffer, and no copy",
		.kind = VARIANT_CANDIDATE,
		.on_demand = true,
		.launch = stream_launch_zero_copy,
		.unsupported = stream_mapped_unsupported,
		.config = stream_config_zero_copy,
		.rung = {20, "direct-out", "kernel loads from the host", "no chunks: one launch, of 64 blocks"},
		.file = "stream-pinned.cu",
	},
	{
		.name = "pieces",
		.summary = "as few-blocks, with no copy longer than 16 MiB, however long the chunk",
		.kind = VARIANT_CANDIDATE,
		.buffers = BUFFERS_MAX,
		.on_demand = true,
		.launch = stream_launch_pieces,
		.unsupported = stream_vectors_unsupported,
		.config = stream_config_few_blocks,
		.rung = {21, "few-blocks", "copies of 16 MiB"},
		.file = "stream-pinned.cu",
	},
	{
		.name = "graph",
		.summary = "as pieces, captured once as a CUDA graph, which one call launches",
		.kind = VARIANT_CANDIDATE,
		.buffers = BUFFERS_MAX,
		.on_demand = true,
		.launch = stream_launch_graph,
		.unsupported = stream_vectors_unsupported,
		.config = stream_config_few_blocks,
		.rung = {22, "pieces", "one graph"},
		.file = "stream-pinned.cu",
	},
	{
		.name = "floor-whole",
		.summary = "only copies: both inputs in, one after the other, and the result out, each in one go",
		.kind = VARIANT_FLOOR,
		.launch = stream_launch_floor_whole,
		.file = "stream-floors.cu",
	},
	{
		.name = "floor-chunks",
		.summary = "only copies: inputs in one stream, results in another, in chunks as the case has them",
		.kind = VARIANT_FLOOR,
		.launch = stream_launch_floor_chunks,
		.file = "stream-floors.cu",
	},
	{
		.name = "floor-large-chunks",
		.summary = "only copies: inputs in one stream, results in another, in chunks of 2^22 elements",
		.kind = VARIANT_FLOOR,
		.launch = stream_launch_floor_large_chunks,
		.file = "stream-floors.cu",
	},
	{
		.name = "floor-three-streams",
		.summary = "only copies: as floor-large-chunks, with a stream for each array",
		.kind = VARIANT_FLOOR,
		.launch = stream_launch_floor_three_streams,
		.file = "stream-floors.cu",
	},
	{
		.name = "floor-paced",
		.summary = "only copies: what goes out is spread over the whole time that the inputs take",
		.kind = VARIANT_FLOOR,
		.launch = stream_launch_floor_paced,
		.file = "stream-floors.cu",
	},
	{
		.name = "floor-paced-chunks",
		.summary = "only copies: as floor-paced, in chunks as long as the case has them",
		.kind = VARIANT_FLOOR,
		.on_demand = true,
		.launch = stream_launch_floor_paced_chunks,
		.file = "stream-floors.cu",
	},
	{
		.name = "floor-by-sm",
		.summary = "only copies, by SMs: inputs in one stream, results in another, in chunks of 2^22 elements",
		.kind = VARIANT_FLOOR,
		.on_demand = true,
		.launch = stream_launch_floor_by_sm,
		.unsupported = stream_by_sm_unsupported,
		.file = "stream-pinned.cu",
	},
	{
		.name = "copy-in",
		.summary = "only the copies to the device, in chunks, in one stream",
		.kind = VARIANT_LOADS,
		.launch = stream_launch_copy_in,
		.file = "stream-floors.cu",
	},
	{
		.name = "copy-out",
		.summary = "only the copies from the device, in chunks, in one stream",
		.kind = VARIANT_STORES,
		.launch = stream_launch_copy_out,
		.file = "stream-floors.cu",
	},
	{
		.name = "kernels-only",
		.summary = "only the additions, a kernel per chunk, in one stream",
		.kind = VARIANT_COMPUTE,
		.launch = stream_launch_kernels_only,
		.file = "stream-floors.cu",
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
		"takes separate copy engines for both directions, and pinned host memory. Copies from ordinary memory "
		"go through a staging area and make the host wait. An addition does so little with each byte that "
		"there is hardly any computation to hide. What can overlap is mostly the one direction of copying "
		"with the other. A third buffer lets the next chunk start while two are still under way. The floor is "
		"the shortest of several schedules that copy the same bytes both ways and do nothing else. Twice as "
		"much comes in as goes out, so the way in sets the pace, slowed down by the way out. A pipeline is "
		"longer than that by what it does when the last input has arrived: add and copy out the last chunk. A "
		"small chunk makes that short, but every copy costs a few microseconds beside its bytes. The variant "
		"tapered has both: large chunks in the middle, small ones at the ends.",
	.source = "\"Day 25: Double Buffering Technique\", a CUDA lesson, on a Nolebase site",
	.file = "stream.cu",
	.throughput = "GB/s",
	.bound_by = "PCIe",
	.params = params,
	.nparams = sizeof(params) / sizeof(params[0]),
	.cases = cases,
	.ncases = sizeof(cases) / sizeof(cases[0]),
	.variants = variants,
	.nvariants = sizeof(variants) / sizeof(variants[0]),
	.single = "one-buffer",
	.double_ = "two-buffers",
	.sweeps = sweeps,
	.nsweeps = sizeof(sweeps) / sizeof(sweeps[0]),
	.device_bytes = stream_device_bytes,
	.host_bytes = stream_host_bytes,
	.work = stream_work,
	.set_up = stream_set_up,
	.tear_down = stream_tear_down,
	.poison = stream_poison,
	.check = stream_check,
};
