/* launch.h: what the launches of the family stream are made of, and what its files offer one another. */
#ifndef DBPROF_KERNELS_STREAM_LAUNCH_H
#define DBPROF_KERNELS_STREAM_LAUNCH_H

#include "queue.h"
#include "stream/state.h"

/* Length of the chunk at `at`, of the case's chunks. */
static inline int64_t chunk_length(const struct stream_state *s, int64_t at)
{
	return s->n - at < s->chunk ? s->n - at : s->chunk;
}

/* `arrays` from element `at` on. */
static inline struct arrays arrays_from(const struct arrays *arrays, int64_t at)
{
	const struct arrays from = {arrays->a + at, arrays->b + at, arrays->c + at};

	return from;
}

/* Both inputs from `at` on: host to device. */
static inline void stream_copy_in(struct queue *q, const struct arrays *host, int64_t at, int64_t length,
	const struct arrays *device, cudaStream_t stream)
{
	const size_t bytes = sizeof(float) * (size_t)length;

	queue_copy(q, device->a, host->a + at, bytes, cudaMemcpyHostToDevice, stream);
	queue_copy(q, device->b, host->b + at, bytes, cudaMemcpyHostToDevice, stream);
}

/* The result: device to host. */
static inline void stream_copy_out(struct queue *q, const struct arrays *host, int64_t at, int64_t length,
	const struct arrays *device, cudaStream_t stream)
{
	queue_copy(q, host->c + at, device->c, sizeof(float) * (size_t)length, cudaMemcpyDeviceToHost, stream);
}

/* Lets `count` streams start after what is in `from`. */
static inline void fork_streams(
	struct queue *q, const struct stream_state *s, cudaStream_t from, const cudaStream_t *streams, int count)
{
	queue_record(q, s->fork, from);
	for (int i = 0; i < count; i++)
		queue_wait(q, streams[i], s->fork);
}

/* Lets later work in `to` wait for `count` streams. */
static inline void join_streams(
	struct queue *q, const struct stream_state *s, cudaStream_t to, const cudaStream_t *streams, int count)
{
	for (int i = 0; i < count; i++) {
		queue_record(q, s->join[i], streams[i]);
		queue_wait(q, to, s->join[i]);
	}
}

#ifdef __cplusplus
extern "C" {
#endif

/* ---- stream.cu ---- */

/* The addition that most variants launch: a thread for each element. */
void stream_add(struct queue *q, const struct arrays *device, int64_t length, cudaStream_t stream);

/* Its configuration for every chunk but a ragged last one, as struct variant has it. */
cudaError_t stream_config_chunk(void *state, struct kernel_config *out);

/* ---- stream-engines.cu: launches as struct variant has them ---- */

cudaError_t stream_launch_engine_streams(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t stream_launch_tapered(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t stream_launch_write_combined(void *state, cudaStream_t stream, struct enqueued *done);

/* ---- stream-floors.cu: launches of parts of the work ---- */

cudaError_t stream_launch_floor_whole(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t stream_launch_floor_chunks(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t stream_launch_floor_large_chunks(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t stream_launch_floor_three_streams(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t stream_launch_floor_paced(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t stream_launch_floor_paced_chunks(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t stream_launch_copy_in(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t stream_launch_copy_out(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t stream_launch_kernels_only(void *state, cudaStream_t stream, struct enqueued *done);

/* ---- stream-pinned.cu: launches as struct variant has them ---- */

cudaError_t stream_launch_breadth_first(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t stream_launch_in_place(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t stream_launch_batched(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t stream_launch_few_blocks(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t stream_launch_pieces(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t stream_launch_graph(void *state, cudaStream_t stream, struct enqueued *done);
const char *stream_batched_unsupported(const struct cudaDeviceProp *device, const struct size_case *size);

cudaError_t stream_launch_copies_by_sm(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t stream_launch_direct_out(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t stream_launch_zero_copy(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t stream_launch_floor_by_sm(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t stream_config_few_blocks(void *state, struct kernel_config *out);
cudaError_t stream_config_copies_by_sm(void *state, struct kernel_config *out);
cudaError_t stream_config_zero_copy(void *state, struct kernel_config *out);
const char *stream_mapped_unsupported(const struct cudaDeviceProp *device, const struct size_case *size);
const char *stream_vectors_unsupported(const struct cudaDeviceProp *device, const struct size_case *size);
const char *stream_by_sm_unsupported(const struct cudaDeviceProp *device, const struct size_case *size);

/* The addition by a few blocks that go through the chunk together; the result may lie on the host. */
void stream_add_few(struct queue *q, const struct arrays *device, int64_t length, cudaStream_t stream);

/* ---- stream-pageable.cu: launches that keep the host busy until they are over ---- */

cudaError_t stream_launch_pageable_copy_first(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t stream_launch_pageable_kernel_first(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t stream_launch_pinned_ring(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t stream_launch_pinned_ring_threads(void *state, cudaStream_t stream, struct enqueued *done);

#ifdef __cplusplus
}
#endif

#endif
