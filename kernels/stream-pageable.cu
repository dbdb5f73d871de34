/* stream-pageable.cu: variants of stream whose arrays lie in ordinary memory, which a copy engine cannot read: the
 * driver stages such copies while the host waits, or the host stages them itself. No kernel of their own. */
#include <pthread.h>
#include <semaphore.h>

#include "families.h"
#include "stream/launch.h"

/* ---- in which order copies and kernels are asked for ---- */

// begin pageable-copy-first, pageable-kernel-first
/* The chunk at `at` comes in. If there is none, nothing happens. */
static void pageable_in(struct queue *q, struct stream_state *s, int64_t at, int turn)
{
	if (at < s->n)
		stream_copy_in(q, &s->pageable, at, chunk_length(s, at), &s->buffer[turn], s->stream[turn]);
}

/* Two buffers, each in its own stream. A copy from pageable memory keeps the host until the driver has taken all of it:
 * what is asked for behind it waits as long, in whatever stream. */
static cudaError_t two_buffers_pageable(
	struct stream_state *s, bool kernel_first, cudaStream_t stream, struct enqueued *done)
{
	struct queue q = {done, cudaSuccess};
	int turn = 0;

	s->result = s->pageable.c;
	fork_streams(&q, s, stream, s->stream, 2);
	pageable_in(&q, s, 0, turn);
	for (int64_t at = 0; at < s->n; at += s->chunk, turn = 1 - turn) {
		const int64_t length = chunk_length(s, at);

		if (!kernel_first)
			pageable_in(&q, s, at + s->chunk, 1 - turn);
		stream_add(&q, &s->buffer[turn], length, s->stream[turn]);
		if (kernel_first)
			pageable_in(&q, s, at + s->chunk, 1 - turn);
		stream_copy_out(&q, &s->pageable, at, length, &s->buffer[turn], s->stream[turn]);
	}
	join_streams(&q, s, stream, s->stream, 2);
	return q.error;
}
// end pageable-copy-first, pageable-kernel-first

cudaError_t stream_launch_pageable_copy_first(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;
	const cudaError_t error = pageable_ready(s);

	return error == cudaSuccess ? two_buffers_pageable(s, false, stream, done) : error;
}

cudaError_t stream_launch_pageable_kernel_first(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;
	const cudaError_t error = pageable_ready(s);

	return error == cudaSuccess ? two_buffers_pageable(s, true, stream, done) : error;
}

/* ---- a ring of pinned stages ---- */

static cudaError_t ring_ready(struct stream_state *s)
{
	const cudaError_t error = pageable_ready(s);

	s->result = s->pageable.c;
	return error == cudaSuccess ? staged_ready(s) : error;
}

// begin pinned-ring, pinned-ring-threads
/* The chunk at `at` goes into the stage, and from there through the device's buffer back into it. The stage is free. */
static void ring_fill(struct queue *q, struct stream_state *s, int64_t at, int stage)
{
	const int64_t length = chunk_length(s, at);
	const size_t bytes = sizeof(float) * (size_t)length;

	if (q->error != cudaSuccess)
		return;
	memcpy(s->staged[stage].a, s->pageable.a + at, bytes);
	memcpy(s->staged[stage].b, s->pageable.b + at, bytes);
	stream_copy_in(q, &s->staged[stage], 0, length, &s->buffer[stage], s->stream[stage]);
	stream_add(q, &s->buffer[stage], length, s->stream[stage]);
	stream_copy_out(q, &s->staged[stage], 0, length, &s->buffer[stage], s->stream[stage]);
	queue_record(q, s->drained[stage], s->stream[stage]);
}

/* Waits until the result of the chunk at `at` lies in the stage, and takes it out. Then the stage is free. */
static cudaError_t ring_drain(struct stream_state *s, int64_t at, int stage)
{
	const cudaError_t error = cudaEventSynchronize(s->drained[stage]);

	if (error == cudaSuccess)
		memcpy(s->pageable.c + at, s->staged[stage].c, sizeof(float) * (size_t)chunk_length(s, at));
	return error;
}
// end pinned-ring, pinned-ring-threads

// begin pinned-ring
/* One thread does both: a stage is emptied when its turn to be filled has come again. */
cudaError_t stream_launch_pinned_ring(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;
	const int64_t around = s->chunk * s->buffers;
	struct queue q = {done, cudaSuccess};
	int stage = 0;

	queue_note(&q, ring_ready(s));
	fork_streams(&q, s, stream, s->stream, s->buffers);
	queue_note(&q, cudaEventSynchronize(s->fork)); // the host's copies, too, follow what is in `stream`
	for (int64_t at = 0; at < s->n + around && q.error == cudaSuccess; at += s->chunk) {
		if (at >= around && at - around < s->n)
			queue_note(&q, ring_drain(s, at - around, stage));
		if (at < s->n)
			ring_fill(&q, s, at, stage);
		stage = (stage + 1) % s->buffers;
	}
	join_streams(&q, s, stream, s->stream, s->buffers);
	return q.error;
}
// end pinned-ring

// begin pinned-ring-threads
/* What two threads share. A stage belongs to the filling one from `empty` to `filled`, else to the draining one. */
struct ring_of_threads {
	struct stream_state *s;
	int device;
	sem_t empty, filled;     /* stages */
	int64_t at[BUFFERS_MAX]; /* of each stage: its chunk; RING_END: there is none, nor will one follow */
	cudaError_t error;       /* of the draining thread, when it has ended */
};

enum { RING_END = -1 };

static void ring_wait(sem_t *semaphore)
{
	while (sem_wait(semaphore) < 0) /* a signal */
		;
}

/* After a failure it goes on to free stages, so that the other thread does not wait for ever. */
static void *ring_drain_all(void *user)
{
	struct ring_of_threads *ring = (struct ring_of_threads *)user;

	ring->error = cudaSetDevice(ring->device);
	for (int stage = 0;; stage = (stage + 1) % ring->s->buffers) {
		ring_wait(&ring->filled);
		if (ring->at[stage] == RING_END)
			return NULL;
		if (ring->error == cudaSuccess)
			ring->error = ring_drain(ring->s, ring->at[stage], stage);
		sem_post(&ring->empty);
	}
}

static void ring_fill_all(struct queue *q, struct ring_of_threads *ring)
{
	struct stream_state *s = ring->s;
	int stage = 0;

	for (int64_t at = 0; at < s->n && q->error == cudaSuccess; at += s->chunk) {
		ring_wait(&ring->empty);
		ring_fill(q, s, at, stage);
		ring->at[stage] = q->error == cudaSuccess ? at : (int64_t)RING_END;
		sem_post(&ring->filled);
		stage = (stage + 1) % s->buffers;
	}
	if (q->error != cudaSuccess)
		return;
	ring_wait(&ring->empty);
	ring->at[stage] = RING_END;
	sem_post(&ring->filled);
}

/* This thread fills stages, another one drains them. */
static void ring_in_threads(struct queue *q, struct ring_of_threads *ring)
{
	pthread_t drainer;

	if (q->error != cudaSuccess)
		return;
	if (pthread_create(&drainer, NULL, ring_drain_all, ring) != 0) {
		queue_note(q, cudaErrorOperatingSystem);
		return;
	}
	ring_fill_all(q, ring);
	pthread_join(drainer, NULL);
	queue_note(q, ring->error);
}

cudaError_t stream_launch_pinned_ring_threads(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct stream_state *s = (struct stream_state *)state;
	struct ring_of_threads ring = {.s = s};
	struct queue q = {done, cudaSuccess};

	queue_note(&q, ring_ready(s));
	queue_note(&q, cudaGetDevice(&ring.device));
	fork_streams(&q, s, stream, s->stream, s->buffers);
	queue_note(&q, cudaEventSynchronize(s->fork));  // as in pinned-ring
	sem_init(&ring.empty, 0, (unsigned)s->buffers); /* cannot fail with so few */
	sem_init(&ring.filled, 0, 0);
	ring_in_threads(&q, &ring);
	sem_destroy(&ring.empty);
	sem_destroy(&ring.filled);
	join_streams(&q, s, stream, s->stream, s->buffers);
	return q.error;
}
// end pinned-ring-threads
