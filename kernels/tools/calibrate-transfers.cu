/* calibrate-transfers.cu: what launches, copies and events cost, and the rates between host and device. */
#include <errno.h>
#include <semaphore.h>
#include <string.h>
#include <time.h>

#include "tools/calibrate-bench.h"

enum { LAUNCHES = 200, COPIES = 60, TURNS = 50, HOPS = 50, PATIENCE_S = 2, TRIES = 7 };

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

static double median(double *values, int n)
{
	for (int i = 1; i < n; i++)
		for (int j = i; j > 0 && values[j] < values[j - 1]; j--) {
			const double swapped = values[j];

			values[j] = values[j - 1];
			values[j - 1] = swapped;
		}
	return values[n / 2];
}

/* Seconds that the GPU takes for what `enqueue` puts into bench.stream: the median, since launches, copies and events
 * are as often a bit slower as a bit faster, and what is timed later are medians too. */
template <class Enqueue> static double gated(struct bench *b, Enqueue enqueue)
{
	/* Never destroyed: where waiting for the stream fails, what waits for the gate may be there still. */
	static sem_t open;
	static const bool ready = sem_init(&open, 0, 0) == 0;
	double seconds[TRIES];

	if (!ready)
		return NAN;
	for (int i = 0; i < TRIES && bench_ok(b); i++) {
		while (sem_trywait(&open) == 0)
			; /* of a gate that ran out of patience */
		bench_note(b, cudaLaunchHostFunc(b->stream, wait_until_open, &open));
		if (!bench_ok(b))
			break;
		bench_begin(b);
		enqueue();
		bench_end(b);
		sem_post(&open);
		bench_note(b, cudaStreamSynchronize(b->stream)); /* also after a failure: the gate must be passed */
		seconds[i] = bench_seconds(b);
	}
	return bench_ok(b) ? median(seconds, TRIES) : NAN;
}

static double host_seconds(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

/* ---- launches ---- */

static void launch_nothing(struct bench *b, cudaStream_t stream)
{
	if (!bench_ok(b))
		return;
	calibrate_nothing<<<1, 32, 0, stream>>>();
	bench_note(b, cudaGetLastError());
}

/* The first launch loads the kernel, which must not happen behind the gate. */
static void measure_launches(struct bench *b, struct machine *out)
{
	double host = NAN;

	launch_nothing(b, b->stream);
	if (bench_ok(b))
		bench_note(b, cudaStreamSynchronize(b->stream));
	out->launch_s = gated(b, [&] {
		const double from = host_seconds();

		for (int i = 0; i < LAUNCHES; i++)
			launch_nothing(b, b->stream);
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

/* Kernels in two streams in turn, each of which waits for the one before, against as many in one stream. Events without
 * kernels between them would cost nothing: no stream has to wait for anything that runs. */
static void measure_events(struct bench *b, struct machine *out)
{
	double host = NAN;
	const double there_and_back = gated(b, [&] {
		double orders = 0;

		for (int i = 0; i < 2 * HOPS; i++) {
			const bool back = i % 2;

			launch_nothing(b, back ? b->other : b->stream);
			const double from = host_seconds();
			hop(b, b->order[back], back ? b->other : b->stream, back ? b->stream : b->other);
			orders += host_seconds() - from;
		}
		host = smaller(host, orders);
	}) / (2 * HOPS);

	out->event_s = at_least_zero(there_and_back - out->launch_s);
	out->order_s = host / (4 * HOPS);
}

/* ---- copies of pinned memory: in from its first half, out to its second ---- */

static void calibrate_copy_in(struct bench *b, size_t bytes, cudaStream_t stream)
{
	if (bench_ok(b))
		bench_note(b, cudaMemcpyAsync(b->array[0], b->pinned, bytes, cudaMemcpyHostToDevice, stream));
}

static void calibrate_copy_out(struct bench *b, size_t bytes, cudaStream_t stream)
{
	char *half = b->pinned + PINNED_BYTES / 2;

	if (bench_ok(b))
		bench_note(b, cudaMemcpyAsync(half, b->array[1], bytes, cudaMemcpyDeviceToHost, stream));
}

static void measure_rates(struct bench *b, struct machine *out)
{
	const size_t bytes = PINNED_BYTES / 2;

	out->in_bytes_s = (double)bytes / gated(b, [=] { calibrate_copy_in(b, bytes, b->stream); });
	out->out_bytes_s = (double)bytes / gated(b, [=] { calibrate_copy_out(b, bytes, b->stream); });
	out->both_bytes_s = 2.0 * (double)bytes / gated(b, [=] {
		hop(b, b->order[0], b->stream, b->other);
		calibrate_copy_in(b, bytes, b->stream);
		calibrate_copy_out(b, bytes, b->other);
		hop(b, b->order[1], b->other, b->stream);
	});
}

/* Small copies one behind another, and in turn with a kernel and with copies the other way. */
static void measure_small_copies(struct bench *b, struct machine *out)
{
	const double in = gated(b, [=] {
		for (int i = 0; i < COPIES; i++)
			calibrate_copy_in(b, SMALL_BYTES, b->stream);
	}) / COPIES;
	const double back = gated(b, [=] {
		for (int i = 0; i < COPIES; i++)
			calibrate_copy_out(b, SMALL_BYTES, b->stream);
	}) / COPIES;
	const double turns = gated(b, [=] {
		for (int i = 0; i < TURNS; i++) {
			calibrate_copy_in(b, SMALL_BYTES, b->stream);
			launch_nothing(b, b->stream);
			calibrate_copy_out(b, SMALL_BYTES, b->stream);
		}
	}) / TURNS;
	const double moving = (double)SMALL_BYTES / out->in_bytes_s + (double)SMALL_BYTES / out->out_bytes_s;

	out->copy_s = at_least_zero(in + back - moving) / 2;
	out->turn_s = at_least_zero(turns - in - back - out->launch_s) / 3;
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
