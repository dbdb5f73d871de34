/* stream-engines.cu: variants of stream with a stream for each engine: one to copy in, one to add, one to copy out. No
 * kernel of their own. */
#include "families.h"
#include "stream/launch.h"
#include "stream/shape.h"

// begin engine-streams, tapered, write-combined
/* The chunk at `at`, through a buffer: copied in, added and copied out in three streams. Waiting for an event that was
 * never recorded does not block; one that an earlier launch recorded has passed. */
static void chunk_through_engines(
	struct queue *q, struct stream_state *s, const struct arrays *host, int64_t at, int64_t length, int turn)
{
	const cudaStream_t in = s->stream[0], compute = s->stream[1], out = s->stream[2];
	const struct arrays *buffer = &s->buffer[turn];

	queue_wait(q, in, s->added[turn]); // the inputs of the chunk before in this buffer are used up
	stream_copy_in(q, host, at, length, buffer, in);
	queue_record(q, s->loaded[turn], in);

	queue_wait(q, compute, s->loaded[turn]);
	queue_wait(q, compute, s->drained[turn]); // and its result is out
	stream_add(q, buffer, length, compute);
	queue_record(q, s->added[turn], compute);

	queue_wait(q, out, s->added[turn]);
	stream_copy_out(q, host, at, length, buffer, out);
	queue_record(q, s->drained[turn], out);
}
// end engine-streams, tapered, write-combined

// begin engine-streams
cudaError_t stream_launch_engine_streams(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;
	struct queue q = {done, cudaSuccess};
	int turn = 0;

	s->result = s->pinned.c;
	fork_streams(&q, s, stream, s->stream, 3);
	for (int64_t at = 0; at < s->n; at += s->chunk) {
		chunk_through_engines(&q, s, &s->pinned, at, chunk_length(s, at), turn);
		turn = (turn + 1) % s->buffers;
	}
	join_streams(&q, s, stream, s->stream, 3);
	return q.error;
}
// end engine-streams

/* Short chunks at both ends, tapered_length(): the way out starts early, and little is left to do when the last input
 * has arrived. */
// begin tapered, write-combined
static cudaError_t tapered(
	struct stream_state *s, const struct arrays *host, cudaStream_t stream, struct enqueued *done)
{
	struct queue q = {done, cudaSuccess};
	int turn = 0;

	s->result = host->c;
	fork_streams(&q, s, stream, s->stream, 3);
	for (int64_t at = 0, length; at < s->n; at += length) {
		length = tapered_length(s->n, s->chunk, at);
		chunk_through_engines(&q, s, host, at, length, turn);
		turn = (turn + 1) % s->buffers;
	}
	join_streams(&q, s, stream, s->stream, 3);
	return q.error;
}
// end tapered, write-combined

cudaError_t stream_launch_tapered(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;

	return tapered(s, &s->pinned, stream, done);
}

// begin write-combined
/* The host writes this memory without its caches, and the device reads it without asking them. */
cudaError_t stream_launch_write_combined(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;
	const cudaError_t error = combined_ready(s);

	return error == cudaSuccess ? tapered(s, &s->combined, stream, done) : error;
}
// end write-combined
