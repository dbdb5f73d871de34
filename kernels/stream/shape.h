/* shape.h: how the variants of stream.cu cut the arrays into chunks, and what a launch does with each of them.
 */
#ifndef DBPROF_KERNELS_STREAM_SHAPE_H
#define DBPROF_KERNELS_STREAM_SHAPE_H

#include "stream/state.h"

/* Elements of the first and the last chunk of a tapered schedule: copies of 1 MiB, which take about as long as it takes
 * to hand a chunk from stream to stream. */
enum { TAPERED_SMALLEST = 1 << 18 };

static inline int64_t least_of(int64_t x, int64_t y)
{
	return x < y ? x : y;
}

/* Length of the chunk at `at`: no longer than all before it together, nor than half of what is left. */
static inline int64_t tapered_length(int64_t n, int64_t chunk, int64_t at)
{
	const int64_t smallest = least_of(TAPERED_SMALLEST, chunk), left = n - at;
	int64_t length = least_of(at, left / 2 / smallest * smallest);

	length = length < smallest ? smallest : least_of(length, chunk);
	return least_of(length, left);
}

static inline int64_t tapered_chunks(int64_t n, int64_t chunk)
{
	int64_t chunks = 0;

	for (int64_t at = 0; at < n; at += tapered_length(n, chunk, at))
		chunks++;
	return chunks;
}

/* `chunks` chunks through `buffers` buffers in `forks` streams; their lengths are averages, since the last may be
 * shorter. */
static inline void stream_shape_pipeline(
	const struct size_case *size, int64_t chunks, int buffers, int forks, struct shape *out)
{
	const double chunk = (double)size->value[PARAM_N] / (double)chunks, word = sizeof(float);

	memset(out, 0, sizeof(*out));
	out->is_pipeline = true;
	out->pipeline.chunks = (double)chunks;
	out->pipeline.bytes_in = 2 * word * chunk;
	out->pipeline.bytes_out = word * chunk;
	out->pipeline.copies_in = 2;
	out->pipeline.copies_out = 1;
	out->pipeline.kernel_bytes = 3 * word * chunk;
	out->pipeline.forks = forks;
	out->pipeline.buffers = buffers;
}

static inline int64_t case_chunks(const struct size_case *size)
{
	return (size->value[PARAM_N] + size->value[PARAM_CHUNK] - 1) / size->value[PARAM_CHUNK];
}

static inline void shape_unchunked(const struct size_case *size, struct shape *out)
{
	stream_shape_pipeline(size, 1, 1, 0, out);
}

static inline void shape_one_buffer(const struct size_case *size, struct shape *out)
{
	stream_shape_pipeline(size, case_chunks(size), 1, 0, out);
}

static inline void shape_one_buffer_pageable(const struct size_case *size, struct shape *out)
{
	shape_one_buffer(size, out);
	out->pipeline.pageable = true;
}

static inline void shape_two_buffers(const struct size_case *size, struct shape *out)
{
	stream_shape_pipeline(size, case_chunks(size), 2, 2, out);
}

static inline void shape_three_buffers(const struct size_case *size, struct shape *out)
{
	stream_shape_pipeline(size, case_chunks(size), 3, 3, out);
}

static inline void shape_n_buffers(const struct size_case *size, struct shape *out)
{
	const int buffers = (int)size->value[PARAM_BUFFERS];

	stream_shape_pipeline(size, case_chunks(size), buffers, buffers, out);
}

/* Of each chunk: its inputs are loaded, they are added, the result is out. */
enum { ENGINE_EVENTS = 3 };

static inline void shape_engine_streams(const struct size_case *size, struct shape *out)
{
	stream_shape_pipeline(size, case_chunks(size), (int)size->value[PARAM_BUFFERS], 3, out);
	out->pipeline.events = ENGINE_EVENTS;
}

static inline void shape_tapered(const struct size_case *size, struct shape *out)
{
	const int64_t chunks = tapered_chunks(size->value[PARAM_N], size->value[PARAM_CHUNK]);

	stream_shape_pipeline(size, chunks, (int)size->value[PARAM_BUFFERS], 3, out);
	out->pipeline.events = ENGINE_EVENTS;
}

/* Without a buffer to wait for; as many chunks as an event takes turns among. */
static inline void shape_in_place(const struct size_case *size, struct shape *out)
{
	const int64_t chunks = tapered_chunks(size->value[PARAM_N], size->value[PARAM_CHUNK]);

	stream_shape_pipeline(size, chunks, BUFFERS_MAX, 3, out);
	out->pipeline.events = ENGINE_EVENTS - 1;
}

#endif
