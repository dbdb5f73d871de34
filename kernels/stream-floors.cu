/* stream-floors.cu: parts of what stream does, which are only timed: nothing is added but in kernels-only, and nothing
 * waits for anything but its own stream. No kernel of their own. */
#include "families.h"
#include "stream/launch.h"
#include "stream/shape.h"

/* Copies all inputs in and all results out, `chunk` elements at a time, in `streams`: a, b, c. */
// begin floor-whole, floor-chunks, floor-large-chunks, floor-three-streams
static cudaError_t both_ways(struct stream_state *s, const cudaStream_t streams[3], int64_t chunk, cudaStream_t stream,
	struct enqueued *done)
{
	struct queue q = {done, cudaSuccess};

	fork_streams(&q, s, stream, s->stream, 3);
	for (int64_t at = 0; at < s->n; at += chunk) {
		const size_t bytes = sizeof(float) * (size_t)(s->n - at < chunk ? s->n - at : chunk);
		const struct arrays host = arrays_from(&s->pinned, at), device = arrays_from(&s->whole, at);

		queue_copy(&q, device.a, host.a, bytes, cudaMemcpyHostToDevice, streams[0]);
		queue_copy(&q, device.b, host.b, bytes, cudaMemcpyHostToDevice, streams[1]);
		queue_copy(&q, host.c, device.c, bytes, cudaMemcpyDeviceToHost, streams[2]);
	}
	join_streams(&q, s, stream, s->stream, 3);
	return q.error;
}
// end floor-whole, floor-chunks, floor-large-chunks, floor-three-streams

// begin floor-whole
cudaError_t stream_launch_floor_whole(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;
	const cudaStream_t streams[] = {s->stream[0], s->stream[0], s->stream[1]};

	return both_ways(s, streams, s->n, stream, done);
}
// end floor-whole

// begin floor-chunks
cudaError_t stream_launch_floor_chunks(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;
	const cudaStream_t streams[] = {s->stream[0], s->stream[0], s->stream[1]};

	return both_ways(s, streams, s->chunk, stream, done);
}
// end floor-chunks

// begin floor-large-chunks
cudaError_t stream_launch_floor_large_chunks(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;
	const cudaStream_t streams[] = {s->stream[0], s->stream[0], s->stream[1]};

	return both_ways(s, streams, LARGE_CHUNK, stream, done);
}
// end floor-large-chunks

// begin floor-three-streams
cudaError_t stream_launch_floor_three_streams(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;

	return both_ways(s, s->stream, LARGE_CHUNK, stream, done);
}
// end floor-three-streams

/* Twice as much comes in as goes out, and the directions slow each other down: here both last until the end. */
// begin floor-paced, floor-paced-chunks
static cudaError_t both_ways_paced(struct stream_state *s, int64_t chunk, cudaStream_t stream, struct enqueued *done)
{
	const cudaStream_t in = s->stream[0], out = s->stream[1];
	struct queue q = {done, cudaSuccess};

	fork_streams(&q, s, stream, s->stream, 2);
	for (int64_t at = 0, length; at < s->n; at += length) {
		const struct arrays device = arrays_from(&s->whole, at);

		length = tapered_length(s->n, chunk, at);
		queue_record(&q, s->loaded[0], in); // what goes out leaves when its turn to come in has begun
		queue_wait(&q, out, s->loaded[0]);
		stream_copy_in(&q, &s->pinned, at, length, &device, in);
		stream_copy_out(&q, &s->pinned, at, length, &device, out);
	}
	join_streams(&q, s, stream, s->stream, 2);
	return q.error;
}
// end floor-paced, floor-paced-chunks

cudaError_t stream_launch_floor_paced(void *state, cudaStream_t stream, struct enqueued *done)
{
	return both_ways_paced((struct stream_state *)state, LARGE_CHUNK, stream, done);
}

cudaError_t stream_launch_floor_paced_chunks(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;

	return both_ways_paced(s, s->chunk, stream, done);
}

// begin copy-in
cudaError_t stream_launch_copy_in(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;
	struct queue q = {done, cudaSuccess};

	for (int64_t at = 0; at < s->n; at += s->chunk)
		stream_copy_in(&q, &s->pinned, at, chunk_length(s, at), &s->buffer[0], stream);
	return q.error;
}
// end copy-in

// begin copy-out
cudaError_t stream_launch_copy_out(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;
	struct queue q = {done, cudaSuccess};

	for (int64_t at = 0; at < s->n; at += s->chunk)
		stream_copy_out(&q, &s->pinned, at, chunk_length(s, at), &s->buffer[0], stream);
	return q.error;
}
// end copy-out

// begin kernels-only
cudaError_t stream_launch_kernels_only(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;
	struct queue q = {done, cudaSuccess};

	for (int64_t at = 0; at < s->n; at += s->chunk) {
		const struct arrays device = arrays_from(&s->whole, at); // not in the L2 cache from the chunk before

		stream_add(&q, &device, chunk_length(s, at), stream);
	}
	return q.error;
}
// end kernels-only
