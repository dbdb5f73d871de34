/* state.h: what every variant of frames.cu works on: frames on the host, buffers, streams, events, when each frame came
 * and went; set-up and check. */
#ifndef DBPROF_KERNELS_FRAMES_STATE_H
#define DBPROF_KERNELS_FRAMES_STATE_H

#include <time.h>

#include "compare-parallel.h"
#include "frames/reference.h"
#include "random.h"
#include "resources.h"
#include "variant.h"

enum { FRAMES_PARAM_WIDTH, FRAMES_PARAM_HEIGHT, FRAMES_PARAM_FRAMES, FRAMES_PARAM_RATE };

enum {
	FRAMES_MAX = 1024,
	FRAMES_BUFFERS_MAX = 3,
	FRAMES_BATCH = 8,                      /* frames that floor-batches copies at a time, and parts have room for */
	FRAMES_MARKS = FRAMES_BUFFERS_MAX + 1, /* frames whose events are kept: one more than can be under way */
};

/* Device memory of a frame under way: the image, blurred, its edges. */
struct frame_buffer {
	uint8_t *image, *blurred, *edges;
};

/* The first and the last work of a frame, by the GPU's clock. */
struct frame_marks {
	cudaEvent_t begin, end;
};

struct frames_state {
	struct resources resources;
	int width, height, frames;
	int64_t period;         /* ns from one arrival to the next; 0: a frame is there when the last one was taken */
	size_t pixels;          /* of a frame */
	uint8_t *image, *edges; /* all frames, one behind the other: pinned */
	uint8_t *want;          /* what `edges` has to be; NULL until it is first asked for */
	struct frame_buffer buffer[FRAMES_BUFFERS_MAX];
	uint8_t *batch_in, *batch_out; /* of the parts, FRAMES_BATCH frames each */
	cudaStream_t stream[FRAMES_BUFFERS_MAX + 1];
	cudaEvent_t fork, join[FRAMES_BUFFERS_MAX + 1];
	struct frame_marks marks[FRAMES_MARKS];
	struct item item[FRAMES_MAX]; /* of the last launch */
	int items;
};

static size_t frames_pixels(const struct size_case *size)
{
	return (size_t)size->value[FRAMES_PARAM_WIDTH] * (size_t)size->value[FRAMES_PARAM_HEIGHT];
}

static size_t frames_device_bytes(const struct size_case *size)
{
	return frames_pixels(size) * (3 * FRAMES_BUFFERS_MAX + 2 * FRAMES_BATCH);
}

/* What comes, what goes, and what the latter has to be. */
static size_t frames_host_bytes(const struct size_case *size)
{
	return 3 * frames_pixels(size) * (size_t)size->value[FRAMES_PARAM_FRAMES];
}

/* Each pixel goes in and comes out. */
static void frames_work(const struct size_case *size, struct work *out)
{
	out->elements = (double)size->value[FRAMES_PARAM_FRAMES];
	out->flops = 0;
	out->bytes = 2 * out->elements * (double)frames_pixels(size);
}

static void frames_allocate(struct frames_state *s)
{
	const size_t all = s->pixels * (size_t)s->frames;

	s->image = (uint8_t *)resources_memory(&s->resources, RESOURCE_PINNED, all);
	s->edges = (uint8_t *)resources_memory(&s->resources, RESOURCE_PINNED, all);
	s->batch_in = (uint8_t *)resources_memory(&s->resources, RESOURCE_DEVICE, s->pixels * FRAMES_BATCH);
	s->batch_out = (uint8_t *)resources_memory(&s->resources, RESOURCE_DEVICE, s->pixels * FRAMES_BATCH);
	for (int i = 0; i < FRAMES_BUFFERS_MAX; i++) {
		s->buffer[i].image = (uint8_t *)resources_memory(&s->resources, RESOURCE_DEVICE, s->pixels);
		s->buffer[i].blurred = (uint8_t *)resources_memory(&s->resources, RESOURCE_DEVICE, s->pixels);
		s->buffer[i].edges = (uint8_t *)resources_memory(&s->resources, RESOURCE_DEVICE, s->pixels);
	}
}

static void frames_create_streams(struct frames_state *s)
{
	s->fork = resources_event(&s->resources);
	for (int i = 0; i <= FRAMES_BUFFERS_MAX; i++) {
		s->stream[i] = resources_stream(&s->resources, 0);
		s->join[i] = resources_event(&s->resources);
	}
	for (int i = 0; i < FRAMES_MARKS; i++) {
		s->marks[i].begin = resources_timed_event(&s->resources);
		s->marks[i].end = resources_timed_event(&s->resources);
	}
}

static cudaError_t frames_set_up(
	const struct size_case *size, uint64_t seed, void **state, char *message, size_t message_size)
{
	struct frames_state *s = (struct frames_state *)state_new(sizeof(*s), message, message_size);
	struct splitmix random = {seed};

	*state = NULL;
	if (!s)
		return cudaErrorMemoryAllocation;
	s->width = (int)size->value[FRAMES_PARAM_WIDTH];
	s->height = (int)size->value[FRAMES_PARAM_HEIGHT];
	s->frames = (int)size->value[FRAMES_PARAM_FRAMES];
	s->period = size->value[FRAMES_PARAM_RATE] > 0 ? INT64_C(1000000000) / size->value[FRAMES_PARAM_RATE] : 0;
	s->pixels = frames_pixels(size);
	frames_allocate(s);
	frames_create_streams(s);
	if (s->resources.error == cudaSuccess)
		random_bytes(&random, s->image, s->pixels * (size_t)s->frames);
	return state_ready(s, state);
}

/* Poisons the results on the host and everything on the device, also what parts copy out. */
static cudaError_t frames_poison(void *state, cudaStream_t stream)
{
	struct frames_state *s = (struct frames_state *)state;
	cudaError_t error = cudaMemsetAsync(s->batch_out, POISON_BYTE, s->pixels * FRAMES_BATCH, stream);

	for (int i = 0; i < FRAMES_BUFFERS_MAX && error == cudaSuccess; i++) {
		uint8_t *const memory[] = {s->buffer[i].image, s->buffer[i].blurred, s->buffer[i].edges};

		for (int k = 0; k < 3 && error == cudaSuccess; k++)
			error = cudaMemsetAsync(memory[k], POISON_BYTE, s->pixels, stream);
	}
	if (error == cudaSuccess)
		error = cudaStreamSynchronize(stream); /* copies under way still write to the host */
	if (error == cudaSuccess)
		memset(s->edges, POISON_BYTE, s->pixels * (size_t)s->frames);
	return error;
}

/* ---- the check ---- */

/* A pixel is right or wrong; POISON_BYTE was never written. Frames that are right take no more than memcmp() does. */
static void frames_compare(const void *user, size_t first, size_t n, struct check_result *out)
{
	const struct frames_state *s = (const struct frames_state *)user;
	const uint8_t *got = s->edges + first, *want = s->want + first;

	if (memcmp(got, want, n) == 0) {
		out->elements += n;
		return;
	}
	for (size_t i = 0; i < n; i++)
		compare_next(out, got[i] == POISON_BYTE ? NAN : got[i], want[i], INT_TOLERANCE);
}

/* The frames of a thread that makes the reference. */
static void frames_refer(const void *user, size_t first, size_t n, struct check_result *)
{
	const struct frames_state *s = (const struct frames_state *)user;

	for (size_t at = first; at < first + n; at += s->pixels)
		frame_reference(s->image + at, s->width, s->height, s->want + at);
}

/* Integers: there is one right result. */
static cudaError_t frames_check(void *state, struct check_result *out)
{
	struct frames_state *s = (struct frames_state *)state;
	const size_t all = s->pixels * (size_t)s->frames;
	cudaError_t error = cudaDeviceSynchronize();

	compare_begin(out);
	if (error != cudaSuccess)
		return error;
	if (!s->want) {
		s->want = (uint8_t *)resources_memory(&s->resources, RESOURCE_HOST, all);
		if (!s->want)
			return s->resources.error;
		compare_parallel(all, s->pixels, frames_refer, s, out);
	}
	compare_parallel(all, s->pixels, frames_compare, s, out);
	return cudaSuccess;
}

/* ---- when frames came and went ---- */

static int64_t frames_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static int frames_items(const void *state, struct item *out, int most)
{
	const struct frames_state *s = (const struct frames_state *)state;

	for (int i = 0; i < s->items && i < most; i++)
		out[i] = s->item[i];
	return s->items;
}

#endif
