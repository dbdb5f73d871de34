/* calibrate-transfers.cu: what launches, copies and events cost, and the rates between host and device. */
#include <errno.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>

#include "calibrate-bench.h"

enum { LAUNCHES = 200, COPIES = 100, TURNS = 50, HOPS = 100, PATIENCE_S = 2 };

static const size_t SMALL_BYTES = 64 << 10, PAGEABLE_BYTES = (size_t)16 << 20;

__global__ void calibrate_nothing()
{
}

/* ---- a gate: what is enqueued behind it runs once all of it is enqueued, so the host's pace does not show ---- */

static void CUDART_CB wait_until_open(void *user)
{
	struct timespec until;

	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_sec += PATIENCE_S;
	while (sem_timedwait((sem_t *)user, &until) < 0 && errno == EINTR)
		;
}

/* Seconds that the GPU takes for what `enqueue` puts into bench.stream. */
template <class Enqueue> static double gated(struct bench *b, Enqueue enqueue)
{
	double best = NAN;
	sem_t open;

	if (sem_init(&open, 0, 0) < 0)
		return NAN;
	for (int i = 0; i < REPETITIONS && bench_ok(b); i++) {
		bench_note(b, cudaLaunchHostFunc(b->stream, wait_until_open, &open));
		if (!bench_ok(b))
			break;
		bench_begin(b);
		enqueue();
		bench_end(b);
		sem_post(&open);
		bench_note(b, cudaStreamSynchronize(b->stream)); /* also after a failure: the gate must be passed */
		best = smaller(best, bench_seconds(b));
	}
	sem_destroy(&open);
	return best;
}

static double host_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- launches ---- */

static void launch_nothing(struct bench *b)
{
	if (!bench_ok(b))
		return;
	calibrate_nothing<<<1, 32, 0, b->stream>>>();
	bench_note(b, cudaGetLastError());
}

/* The first launch loads the kernel, which must not happen behind the gate. */
static void measure_launches(struct bench *b, struct machine *out)
{
	double host = NAN;

	launch_nothing(b);
	if (bench_ok(b))
		bench_note(b, cudaStreamSynchronize(b->stream));
	out->launch_s = gated(b, [&] {
		const double from = host_seconds();

		for (int i = 0; i < LAUNCHES; i++)
			launch_nothing(b);
		host = smaller(host, host_seconds() - from);
	}) / LAUNCHES;
	out->enqueue_s = host / LAUNCHES;
}

/* ---- events ---- */

static void hop(struct bench *b, cudaEvent_t event, cudaStream_t from, cudaStream_t to)
{
	if (bench_ok(b))
		bench_note(b, cudaEventRecord(event, from));
	if (bench_ok(b))
		bench_note(b, cudaStreamWaitEvent(to, event, 0));
}

static void measure_events(struct bench *b, struct machine *out)
{
	out->event_s = gated(b, [=] {
		for (int i = 0; i < HOPS; i++) {
			hop(b, b->order[0], b->stream, b->other);
			hop(b, b->order[1], b->other, b->stream);
		}
	}) / (2 * HOPS);
}

/* ---- copies of pinned memory: in from its first half, out to its second ---- */

static void copy_in(struct bench *b, size_t bytes, cudaStream_t stream)
{
	if (bench_ok(b))
		bench_note(b, cudaMemcpyAsync(b->array[0], b->pinned, bytes, cudaMemcpyHostToDevice, stream));
}

static void copy_out(struct bench *b, size_t bytes, cudaStream_t stream)
{
	char *half = b->pinned + PINNED_BYTES / 2;

	if (bench_ok(b))
		bench_note(b, cudaMemcpyAsync(half, b->array[1], bytes, cudaMemcpyDeviceToHost, stream));
}

static void measure_rates(struct bench *b, struct machine *out)
{
	const size_t bytes = PINNED_BYTES / 2;

	out->in_bytes_s = (double)bytes / gated(b, [=] { copy_in(b, bytes, b->stream); });
	out->out_bytes_s = (double)bytes / gated(b, [=] { copy_out(b, bytes, b->stream); });
	out->both_bytes_s = 2.0 * (double)bytes / gated(b, [=] {
		hop(b, b->order[0], b->stream, b->other);
		copy_in(b, bytes, b->stream);
		copy_out(b, bytes, b->other);
		hop(b, b->order[1], b->other, b->stream);
	});
}

/* Small copies one behind another, and in turn with a kernel and with copies the other way. */
static void measure_small_copies(struct bench *b, struct machine *out)
{
	const double in = gated(b, [=] {
		for (int i = 0; i < COPIES; i++)
			copy_in(b, SMALL_BYTES, b->stream);
	}) / COPIES;
	const double back = gated(b, [=] {
		for (int i = 0; i < COPIES; i++)
			copy_out(b, SMALL_BYTES, b->stream);
	}) / COPIES;
	const double turns = gated(b, [=] {
		for (int i = 0; i < TURNS; i++) {
			copy_in(b, SMALL_BYTES, b->stream);
			launch_nothing(b);
			copy_out(b, SMALL_BYTES, b->stream);
		}
	}) / TURNS;
	const double moving = (double)SMALL_BYTES / out->in_bytes_s + (double)SMALL_BYTES / out->out_bytes_s;

	out->copy_s = fmax(in + back - moving, 0) / 2;
	out->turn_s = fmax(turns - in - back - out->launch_s, 0) / 3;
}

/* ---- copies of ordinary memory: the host takes part, so its clock counts ---- */

static double pageable_rate(struct bench *b, void *to, const void *from, enum cudaMemcpyKind kind)
{
	double best = NAN;

	for (int i = 0; i < REPETITIONS && bench_ok(b); i++) {
		const double begin = host_seconds();

		bench_note(b, cudaMemcpyAsync(to, from, PAGEABLE_BYTES, kind, b->stream));
		if (bench_ok(b))
			bench_note(b, cudaStreamSynchronize(b->stream));
		best = smaller(best, host_seconds() - begin);
	}
	return (double)PAGEABLE_BYTES / best;
}

static void measure_pageable(struct bench *b, struct machine *out)
{
	char *host = (char *)malloc(PAGEABLE_BYTES);

	if (!host)
		return;
	memset(host, 1, PAGEABLE_BYTES); /* the pages are there before they are copied */
	out->pageable_in_bytes_s = pageable_rate(b, b->array[0], host, cudaMemcpyHostToDevice);
	out->pageable_out_bytes_s = pageable_rate(b, host, b->array[1], cudaMemcpyDeviceToHost);
	free(host);
}

extern "C" void calibrate_transfers(struct bench *b, struct machine *out)
{
	measure_launches(b, out);
	measure_events(b, out);
	if (!b->array[0] || !b->array[1] || !bench_ok(b))
		return;
	measure_pageable(b, out);
	if (!b->pinned)
		return;
	measure_rates(b, out);
	measure_small_copies(b, out);
}
