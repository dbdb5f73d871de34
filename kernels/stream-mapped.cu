/* stream-mapped.cu: variants of stream whose kernels load from the host's memory or store to it, so that SMs do what
 * copy engines do elsewhere. Pinned memory has one address for host and device. */
#include "families.h"
#include "stream-launch.h"
#include "stream-shape.h"

enum { MAPPED_THREADS = 512, MAPPED_VECTOR = 4 };

/* Blocks of an addition in device memory, of a copy, and of an addition that does both ways over PCIe itself. Few
 * blocks leave device memory and SMs to others. A few hundred KiB under way are enough for PCIe. */
enum { FEW_BLOCKS = 16, COPY_BLOCKS = 16, ZERO_COPY_BLOCKS = 64 };

static __device__ __forceinline__ bool mapped_aligned(const void *p)
{
	return (uintptr_t)p % (MAPPED_VECTOR * sizeof(float)) == 0;
}

// begin few-blocks, short-end, pieces, two-ways-in, graph, direct-out, zero-copy
/* All blocks go through the arrays together, 16 bytes a thread where the arrays begin at a multiple of that. */
__global__ void __launch_bounds__(MAPPED_THREADS)
	stream_add_by_vectors(const float *a, const float *b, float *c, int64_t n)
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
// end few-blocks, short-end, pieces, two-ways-in, graph, direct-out, zero-copy

// begin copies-by-sm, floor-by-sm
__global__ void __launch_bounds__(MAPPED_THREADS) stream_copy_by_sm(float *to, const float *from, int64_t n)
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

/* ---- on the host ---- */

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
