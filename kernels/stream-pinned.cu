/* stream-pinned.cu: further ways of stream from pinned memory: kernels that reach into it, other orders of the same
 * calls, other calls for the same copies, and pipelines over the whole arrays, in which no chunk waits for a buffer. */
#include <cuda.h>

#include "families.h"
#include "stream/launch.h"
#include "stream/shape.h"

/* ---- kernels that reach into pinned memory, which has one address for host and device ---- */

enum { MAPPED_THREADS = 512, MAPPED_VECTOR = 4 };

/* Blocks of an addition in device memory, of a copy, and of an addition that does both ways over PCIe itself. Few
 * blocks leave device memory and SMs to others. A few hundred KiB under way are enough for PCIe. */
enum { FEW_BLOCKS = 16, COPY_BLOCKS = 16, ZERO_COPY_BLOCKS = 64 };

static __device__ __forceinline__ bool mapped_aligned(const void *p)
{
	return (uintptr_t)p % (MAPPED_VECTOR * sizeof(float)) == 0;
}

// begin few-blocks, pieces, graph, direct-out, zero-copy
/* All blocks go through the arrays together, 16 bytes a thread where the arrays begin at a multiple of that. */
__global__ void __launch_bounds__(MAPPED_THREADS) stream_add_by_vectors(
	const float *__restrict__ a, const float *__restrict__ b, float *__restrict__ c, int64_t n)
{
	const int64_t first = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, stride = (int64_t)gridDim.x * blockDim.x;
	int64_t done = 0;

	if (mapped_aligned(a) && mapped_aligned(b) && mapped_aligned(c)) {
		const float4 *from_a = (const float4 *)a, *from_b = (const float4 *)b;
		float4 *to = (float4 *)c;

		done = n / MAPPED_VECTOR * MAPPED_VECTOR;
#pragma unroll 2
		for (int64_t i = first; i < n / MAPPED_VECTOR; i += stride) {
			const float4 x = from_a[i], y = from_b[i];

			to[i] = make_float4(x.x + y.x, x.y + y.y, x.z + y.z, x.w + y.w);
		}
	}
	for (int64_t i = done + first; i < n; i += stride)
		c[i] = a[i] + b[i];
}
// end few-blocks, pieces, graph, direct-out, zero-copy

// begin copies-by-sm, floor-by-sm
__global__ void __launch_bounds__(MAPPED_THREADS)
	stream_copy_by_sm(float *__restrict__ to, const float *__restrict__ from, int64_t n)
{
	const int64_t first = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, stride = (int64_t)gridDim.x * blockDim.x;
	int64_t done = 0;

	if (mapped_aligned(to) && mapped_aligned(from)) {
		done = n / MAPPED_VECTOR * MAPPED_VECTOR;
#pragma unroll 4
		for (int64_t i = first; i < n / MAPPED_VECTOR; i += stride)
			((float4 *)to)[i] = ((const float4 *)from)[i];
	}
	for (int64_t i = done + first; i < n; i += stride)
		to[i] = from[i];
}
// end copies-by-sm, floor-by-sm

/* As many blocks as the vectors ask for, `most` at most. */
static struct kernel_config mapped_config(const void *function, int64_t n, unsigned most)
{
	struct kernel_config config = config_linear(function, (n + MAPPED_VECTOR - 1) / MAPPED_VECTOR, MAPPED_THREADS);

	if (config.grid[0] > most)
		config.grid[0] = most;
	return config;
}

static void mapped_add(struct queue *q, const struct arrays *on, int64_t n, unsigned blocks, cudaStream_t stream)
{
	const struct kernel_config config = mapped_config((const void *)stream_add_by_vectors, n, blocks);
	struct arrays arrays = *on;
	void *arguments[] = {&arrays.a, &arrays.b, &arrays.c, &n};

	queue_kernel(q, &config, arguments, stream);
}

void stream_add_few(struct queue *q, const struct arrays *device, int64_t length, cudaStream_t stream)
{
	mapped_add(q, device, length, FEW_BLOCKS, stream);
}

static void mapped_copy(struct queue *q, float *to, const float *from, int64_t n, cudaStream_t stream)
{
	const struct kernel_config config = mapped_config((const void *)stream_copy_by_sm, n, COPY_BLOCKS);
	void *arguments[] = {&to, &from, &n};

	queue_kernel(q, &config, arguments, stream);
}

// begin copies-by-sm
/* As in-place, and all three ways are kernels. */
cudaError_t stream_launch_copies_by_sm(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;
	const cudaStream_t in = s->stream[0], compute = s->stream[1], out = s->stream[2];
	struct queue q = {done, cudaSuccess};
	int turn = 0;

	s->result = s->pinned.c;
	fork_streams(&q, s, stream, s->stream, 3);
	for (int64_t at = 0, length; at < s->n; at += length, turn = (turn + 1) % BUFFERS_MAX) {
		const struct arrays device = arrays_from(&s->whole, at), host = arrays_from(&s->pinned, at);

		length = tapered_length(s->n, s->chunk, at);
		mapped_copy(&q, device.a, host.a, length, in);
		mapped_copy(&q, device.b, host.b, length, in);
		queue_record(&q, s->loaded[turn], in);
		queue_wait(&q, compute, s->loaded[turn]);
		stream_add_few(&q, &device, length, compute);
		queue_record(&q, s->added[turn], compute);
		queue_wait(&q, out, s->added[turn]);
		mapped_copy(&q, host.c, device.c, length, out);
	}
	join_streams(&q, s, stream, s->stream, 3);
	return q.error;
}
// end copies-by-sm

// begin direct-out
/* As few-blocks, but the kernel stores where copies out would have to bring it. */
cudaError_t stream_launch_direct_out(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;
	const cudaStream_t in = s->stream[0], compute = s->stream[1];
	struct queue q = {done, cudaSuccess};
	int turn = 0;

	s->result = s->pinned.c;
	fork_streams(&q, s, stream, s->stream, 2);
	for (int64_t at = 0, length; at < s->n; at += length, turn = (turn + 1) % BUFFERS_MAX) {
		const struct arrays device = arrays_from(&s->whole, at);
		const struct arrays added = {device.a, device.b, s->pinned.c + at};

		length = tapered_length(s->n, s->chunk, at);
		stream_copy_in(&q, &s->pinned, at, length, &device, in);
		queue_record(&q, s->loaded[turn], in);
		queue_wait(&q, compute, s->loaded[turn]);
		stream_add_few(&q, &added, length, compute);
	}
	join_streams(&q, s, stream, s->stream, 2);
	return q.error;
}
// end direct-out

// begin zero-copy
cudaError_t stream_launch_zero_copy(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;
	struct queue q = {done, cudaSuccess};

	s->result = s->pinned.c;
	mapped_add(&q, &s->pinned, s->n, ZERO_COPY_BLOCKS, stream);
	return q.error;
}
// end zero-copy

// begin floor-by-sm
cudaError_t stream_launch_floor_by_sm(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;
	struct queue q = {done, cudaSuccess};

	fork_streams(&q, s, stream, s->stream, 2);
	for (int64_t at = 0, length; at < s->n; at += length) {
		const struct arrays device = arrays_from(&s->whole, at), host = arrays_from(&s->pinned, at);

		length = least_of(s->n - at, LARGE_CHUNK);
		mapped_copy(&q, device.a, host.a, length, s->stream[0]);
		mapped_copy(&q, device.b, host.b, length, s->stream[0]);
		mapped_copy(&q, host.c, device.c, length, s->stream[1]);
	}
	join_streams(&q, s, stream, s->stream, 2);
	return q.error;
}
// end floor-by-sm

cudaError_t stream_config_few_blocks(void *state, struct kernel_config *out)
{
	*out = mapped_config(
		(const void *)stream_add_by_vectors, chunk_length((const struct stream_state *)state, 0), FEW_BLOCKS);
	return cudaSuccess;
}

cudaError_t stream_config_copies_by_sm(void *state, struct kernel_config *out)
{
	*out = mapped_config(
		(const void *)stream_copy_by_sm, chunk_length((const struct stream_state *)state, 0), COPY_BLOCKS);
	return cudaSuccess;
}

cudaError_t stream_config_zero_copy(void *state, struct kernel_config *out)
{
	*out = mapped_config(
		(const void *)stream_add_by_vectors, ((const struct stream_state *)state)->n, ZERO_COPY_BLOCKS);
	return cudaSuccess;
}

const char *stream_mapped_unsupported(const struct cudaDeviceProp *device, const struct size_case *)
{
	return device->canMapHostMemory && device->unifiedAddressing
		       ? NULL
		       : "kernels on this device cannot reach pinned memory at the host's address";
}

/* A kernel that falls back to single elements in most chunks is not what its rung says. */
const char *stream_vectors_unsupported(const struct cudaDeviceProp *, const struct size_case *size)
{
	return size->value[PARAM_CHUNK] % MAPPED_VECTOR == 0 || size->value[PARAM_CHUNK] >= size->value[PARAM_N]
		       ? NULL
		       : "chunks do not begin at multiples of 16 bytes: chunk has to be a multiple of 4";
}

const char *stream_by_sm_unsupported(const struct cudaDeviceProp *device, const struct size_case *size)
{
	const char *why = stream_mapped_unsupported(device, size);

	return why ? why : stream_vectors_unsupported(device, size);
}

/* ---- orders of the same calls ---- */

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

enum { PLACE_STREAMS = 3 };

typedef void place_copy(struct queue *q, const struct arrays *host, int64_t at, int64_t length,
	const struct arrays *device, cudaStream_t stream);
typedef void place_add(struct queue *q, const struct arrays *device, int64_t length, cudaStream_t stream);

/* How a pipeline over the whole arrays is made. */
struct place {
	place_copy *copy_in, *copy_out;
	place_add *add;
};

// begin in-place, batched, few-blocks, pieces, graph
/* An event may be recorded anew when the wait for it is enqueued. */
static void place_chunks(struct queue *q, struct stream_state *s, const struct place *place)
{
	const cudaStream_t in = s->stream[0], compute = s->stream[1], out = s->stream[2];
	int turn = 0;

	for (int64_t at = 0, length; at < s->n; at += length, turn = (turn + 1) % BUFFERS_MAX) {
		const struct arrays device = arrays_from(&s->whole, at);

		length = tapered_length(s->n, s->chunk, at);
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
// end in-place, batched, few-blocks, pieces, graph

// begin in-place
cudaError_t stream_launch_in_place(void *state, cudaStream_t stream, struct enqueued *done)
{
	static const struct place place = {stream_copy_in, stream_copy_out, stream_add};

	return in_place((struct stream_state *)state, &place, stream, done);
}
// end in-place

// begin few-blocks
cudaError_t stream_launch_few_blocks(void *state, cudaStream_t stream, struct enqueued *done)
{
	static const struct place place = {stream_copy_in, stream_copy_out, stream_add_few};

	return in_place((struct stream_state *)state, &place, stream, done);
}
// end few-blocks

// begin pieces, graph
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
// end pieces, graph

// begin pieces, graph
static const struct place pieces = {copy_in_pieces, copy_out_pieces, stream_add_few};
// end pieces, graph

// begin pieces
cudaError_t stream_launch_pieces(void *state, cudaStream_t stream, struct enqueued *done)
{
	return in_place((struct stream_state *)state, &pieces, stream, done);
}
// end pieces

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
	static const struct place place = {batch_copy_in, stream_copy_out, stream_add};

	return in_place((struct stream_state *)state, &place, stream, done);
}
// end batched

const char *stream_batched_unsupported(const struct cudaDeviceProp *, const struct size_case *)
{
	return copy_batch_of_driver() ? NULL : "the driver has no batched copies: it takes that of CUDA 12.8 or later";
}

/* ---- a graph ---- */

// begin graph
/* Captures a launch of pieces, and counts what it holds. */
static cudaError_t graph_capture(struct stream_state *s, cudaGraph_t *graph)
{
	const cudaStream_t origin = s->urgent[0]; // in use by nobody else here
	cudaError_t error = cudaStreamBeginCapture(origin, cudaStreamCaptureModeRelaxed), ended;

	if (error != cudaSuccess)
		return error;
	error = in_place(s, &pieces, origin, &s->graph_holds);
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
