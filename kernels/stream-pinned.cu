/* stream-pinned.cu: further ways of stream from pinned memory: other orders of the same calls, other calls for the same
 * copies, and a pipeline over the whole arrays, in which no chunk waits for a buffer. */
#include <cuda.h>

#include "families.h"
#include "stream-launch.h"
#include "stream-shape.h"

// begin breadth-first
/* The next chunk of each buffer is copied in, then all of these are added, then all are copied out. */
cudaError_t stream_launch_breadth_first(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;
	const int64_t round = s->chunk * s->buffers;
	struct queue q = {done, cudaSuccess};

	s->result = s->pinned.c;
	fork_streams(&q, s, stream, s->stream, s->buffers);
	for (int64_t begin = 0; begin < s->n; begin += round) {
		const int64_t end = s->n - begin < round ? s->n : begin + round;

		for (int64_t at = begin, i = 0; at < end; at += s->chunk, i++)
			stream_copy_in(&q, &s->pinned, at, chunk_length(s, at), &s->buffer[i], s->stream[i]);
		for (int64_t at = begin, i = 0; at < end; at += s->chunk, i++)
			stream_add(&q, &s->buffer[i], chunk_length(s, at), s->stream[i]);
		for (int64_t at = begin, i = 0; at < end; at += s->chunk, i++)
			stream_copy_out(&q, &s->pinned, at, chunk_length(s, at), &s->buffer[i], s->stream[i]);
	}
	join_streams(&q, s, stream, s->stream, s->buffers);
	return q.error;
}
// end breadth-first

/* ---- over the whole arrays: no chunk waits for a buffer ---- */

enum { PLACE_INS_MAX = 2, PLACE_STREAMS = PLACE_INS_MAX + 2 };

typedef int64_t place_length(int64_t n, int64_t chunk, int64_t at);
typedef void place_copy(struct queue *q, const struct arrays *host, int64_t at, int64_t length,
	const struct arrays *device, cudaStream_t stream);
typedef void place_add(struct queue *q, const struct arrays *device, int64_t length, cudaStream_t stream);

/* How a pipeline over the whole arrays is made. */
struct place {
	place_length *length;
	place_copy *copy_in, *copy_out;
	place_add *add;
	int ins; /* streams that copy in, in turn */
};

// begin in-place, batched, few-blocks, short-end, pieces, two-ways-in, graph
/* An event may be recorded anew when the wait for it is enqueued. */
static void place_chunks(struct queue *q, struct stream_state *s, const struct place *place)
{
	const cudaStream_t compute = s->stream[PLACE_INS_MAX], out = s->stream[PLACE_INS_MAX + 1];
	int turn = 0;

	for (int64_t at = 0, length; at < s->n; at += length, turn = (turn + 1) % BUFFERS_MAX) {
		const struct arrays device = arrays_from(&s->whole, at);
		const cudaStream_t in = s->stream[turn % place->ins];

		length = place->length(s->n, s->chunk, at);
		place->copy_in(q, &s->pinned, at, length, &device, in);
		queue_record(q, s->loaded[turn], in);

		queue_wait(q, compute, s->loaded[turn]);
		place->add(q, &device, length, compute);
		queue_record(q, s->placed[turn], compute);

		queue_wait(q, out, s->placed[turn]);
		place->copy_out(q, &s->pinned, at, length, &device, out);
	}
}

static cudaError_t in_place(
	struct stream_state *s, const struct place *place, cudaStream_t stream, struct enqueued *done)
{
	struct queue q = {done, cudaSuccess};

	s->result = s->pinned.c;
	fork_streams(&q, s, stream, s->stream, PLACE_STREAMS);
	place_chunks(&q, s, place);
	join_streams(&q, s, stream, s->stream, PLACE_STREAMS);
	return q.error;
}
// end in-place, batched, few-blocks, short-end, pieces, two-ways-in, graph

// begin in-place
cudaError_t stream_launch_in_place(void *state, cudaStream_t stream, struct enqueued *done)
{
	static const struct place place = {tapered_length, stream_copy_in, stream_copy_out, stream_add, 1};

	return in_place((struct stream_state *)state, &place, stream, done);
}
// end in-place

// begin few-blocks
cudaError_t stream_launch_few_blocks(void *state, cudaStream_t stream, struct enqueued *done)
{
	static const struct place place = {tapered_length, stream_copy_in, stream_copy_out, stream_add_few, 1};

	return in_place((struct stream_state *)state, &place, stream, done);
}
// end few-blocks

// begin short-end
cudaError_t stream_launch_short_end(void *state, cudaStream_t stream, struct enqueued *done)
{
	static const struct place place = {ending_length, stream_copy_in, stream_copy_out, stream_add_few, 1};

	return in_place((struct stream_state *)state, &place, stream, done);
}
// end short-end

// begin pieces, two-ways-in, graph
/* No copy is longer than LARGE_CHUNK, so that a long chunk costs one hand-over, and both directions take turns often.
 */
static void copy_in_pieces(struct queue *q, const struct arrays *host, int64_t at, int64_t length,
	const struct arrays *device, cudaStream_t stream)
{
	for (int64_t done = 0; done < length; done += LARGE_CHUNK) {
		const struct arrays piece = arrays_from(device, done);

		stream_copy_in(q, host, at + done, least_of(length - done, LARGE_CHUNK), &piece, stream);
	}
}

static void copy_out_pieces(struct queue *q, const struct arrays *host, int64_t at, int64_t length,
	const struct arrays *device, cudaStream_t stream)
{
	for (int64_t done = 0; done < length; done += LARGE_CHUNK) {
		const struct arrays piece = arrays_from(device, done);

		stream_copy_out(q, host, at + done, least_of(length - done, LARGE_CHUNK), &piece, stream);
	}
}
// end pieces, two-ways-in, graph

// begin pieces
cudaError_t stream_launch_pieces(void *state, cudaStream_t stream, struct enqueued *done)
{
	static const struct place place = {ending_length, copy_in_pieces, copy_out_pieces, stream_add_few, 1};

	return in_place((struct stream_state *)state, &place, stream, done);
}
// end pieces

// begin two-ways-in, graph
static const struct place two_ways_in = {ending_length, copy_in_pieces, copy_out_pieces, stream_add_few, PLACE_INS_MAX};
// end two-ways-in, graph

// begin two-ways-in
cudaError_t stream_launch_two_ways_in(void *state, cudaStream_t stream, struct enqueued *done)
{
	return in_place((struct stream_state *)state, &two_ways_in, stream, done);
}
// end two-ways-in

/* ---- batches ---- */

/* cuMemcpyBatchAsync as CUDA 12.8 brought it. 13.0 left out `fail`; a driver keeps the older form for whoever asks for
 * it by its version. */
typedef CUresult copy_batch(CUdeviceptr *to, CUdeviceptr *from, size_t *bytes, size_t count, CUmemcpyAttributes *how,
	size_t *how_from, size_t hows, size_t *fail, CUstream stream);

enum { BATCH_VERSION = 12080, BATCH_INPUTS = 2 };

/* NULL if the driver has none. */
static copy_batch *copy_batch_of_driver(void)
{
	static void *found;
	enum cudaDriverEntryPointQueryResult result;

	if (!found && cudaGetDriverEntryPointByVersion(
			      "cuMemcpyBatchAsync", &found, BATCH_VERSION, cudaEnableDefault, &result) != cudaSuccess) {
		(void)cudaGetLastError();
		found = NULL;
	}
	return (copy_batch *)found;
}

// begin batched
/* Both inputs in one call. The copies of a batch have no order among themselves. */
static void batch_copy_in(struct queue *q, const struct arrays *host, int64_t at, int64_t length,
	const struct arrays *device, cudaStream_t stream)
{
	CUdeviceptr to[] = {(CUdeviceptr)device->a, (CUdeviceptr)device->b};
	CUdeviceptr from[] = {(CUdeviceptr)(host->a + at), (CUdeviceptr)(host->b + at)};
	size_t bytes[] = {sizeof(float) * (size_t)length, sizeof(float) * (size_t)length}, all = 0, fail = 0;
	CUmemcpyAttributes how = {CU_MEMCPY_SRC_ACCESS_ORDER_STREAM, {}, {}, CU_MEMCPY_FLAG_DEFAULT};
	copy_batch *copy = copy_batch_of_driver();
	CUresult result = CUDA_ERROR_NOT_SUPPORTED;

	if (q->error != cudaSuccess)
		return;
	if (copy)
		result = copy(to, from, bytes, BATCH_INPUTS, &how, &all, 1, &fail, stream);
	/* The runtime's errors have the driver's numbers. */
	queue_note(q, (cudaError_t)result);
	q->done->copies += result == CUDA_SUCCESS ? BATCH_INPUTS : 0;
}
// end batched

// begin batched
cudaError_t stream_launch_batched(void *state, cudaStream_t stream, struct enqueued *done)
{
	static const struct place place = {tapered_length, batch_copy_in, stream_copy_out, stream_add, 1};

	return in_place((struct stream_state *)state, &place, stream, done);
}
// end batched

const char *stream_batched_unsupported(const struct cudaDeviceProp *, const struct size_case *)
{
	return copy_batch_of_driver() ? NULL : "the driver has no batched copies: it takes that of CUDA 12.8 or later";
}

/* ---- a graph ---- */

// begin graph
/* Captures a launch of two-ways-in, and counts what it holds. */
static cudaError_t graph_capture(struct stream_state *s, cudaGraph_t *graph)
{
	const cudaStream_t origin = s->urgent[0]; // in use by nobody else here
	cudaError_t error = cudaStreamBeginCapture(origin, cudaStreamCaptureModeRelaxed), ended;

	if (error != cudaSuccess)
		return error;
	error = in_place(s, &two_ways_in, origin, &s->graph_holds);
	ended = cudaStreamEndCapture(origin, graph);
	return error == cudaSuccess ? ended : error;
}

/* Makes the graph when it is first needed. Asking for a kernel's attributes loads it, which is none of a capture's. */
static cudaError_t graph_ready(struct stream_state *s)
{
	struct cudaFuncAttributes attributes;
	struct kernel_config config;
	cudaGraph_t graph = NULL;
	cudaError_t error = s->graph ? cudaSuccess : stream_config_few_blocks(s, &config);

	if (error == cudaSuccess && !s->graph)
		error = cudaFuncGetAttributes(&attributes, config.function);
	if (error != cudaSuccess || s->graph)
		return error;
	s->graph_holds = (struct enqueued){0, 0, 0};
	error = graph_capture(s, &graph);
	if (error == cudaSuccess)
		error = cudaGraphInstantiate(&s->graph, graph, 0);
	if (graph)
		(void)cudaGraphDestroy(graph);
	if (error != cudaSuccess)
		s->graph = NULL;
	return error;
}

/* One call for all copies and kernels. */
cudaError_t stream_launch_graph(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;
	struct queue q = {done, cudaSuccess};

	s->result = s->pinned.c;
	queue_note(&q, graph_ready(s));
	if (q.error == cudaSuccess)
		queue_note(&q, cudaGraphLaunch(s->graph, stream));
	if (q.error != cudaSuccess)
		return q.error;
	done->kernels += s->graph_holds.kernels;
	done->copies += s->graph_holds.copies;
	return cudaSuccess;
}
// end graph
