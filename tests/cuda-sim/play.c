/* play.c: does on a GPU what a simulated program does: its kernels spin as long as they should, its copies have their
 * bytes, its threads make its calls. usage: play NAME [BUFFERS]
 *
 * Plays the named program, or the program that it becomes with so many buffers (change.h), and prints the time in ms
 * from the first call of its loops to their end, as the host sees it. Ends with 77 if the machine has not what it
 * needs. */
#include <pthread.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "change.h"
#include "programs.h"
#include "spin.h"

enum { CANNOT = 77, MOST_GPUS = 8, BLOCKS_OF_SM = 2 };

static struct {
	const struct program *p;
	cudaStream_t streams[MOST_STREAMS];
	cudaEvent_t *events, *pieces[MOST_THREADS]; /* of a piece that another one waits for, else NULL */
	bool *awaited[MOST_THREADS];
	sem_t semaphores[MOST_SEMAPHORES];
	int sms;
	size_t bytes; /* of the largest copy */
	char *pinned[MOST_THREADS], *pageable[MOST_THREADS];
	char *device[MOST_THREADS][MOST_GPUS];
	int64_t first[MOST_THREADS], last[MOST_THREADS]; /* when its loops began, and when they had ended; 0: not yet */
	pthread_barrier_t begin;
} stage;

#define CHECK(call) check((call), #call)

static void check(cudaError_t error, const char *call)
{
	if (error == cudaSuccess)
		return;
	fprintf(stderr, "play: %s: %s\n", call, cudaGetErrorString(error));
	exit(1);
}

static int64_t now_ns(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

/* A program waits for the host's own work without sleeping, as it would compute. */
static void work_on_host(int64_t ns)
{
	int64_t until = now_ns() + ns;

	while (now_ns() < until)
		;
}

static cudaStream_t stream_of(const struct call *call)
{
	return call->stream == NONE ? NULL : stage.streams[call->stream];
}

static int gpu_of(const struct call *call)
{
	return call->stream == NONE ? 0 : stage.p->streams[call->stream].device;
}

static void *room_for(size_t n, size_t size)
{
	void *all = calloc(n + 1, size);

	if (!all)
		abort();
	return all;
}

/* ---- calls ---- */

static void play_kernel(const struct call *call)
{
	int blocks = (int)(call->share * stage.sms * BLOCKS_OF_SM);

	CHECK(spin(blocks > 0 ? blocks : 1, call->ns, stream_of(call)));
}

static void play_copy(const struct call *call, int thread)
{
	char *host = call->pageable ? stage.pageable[thread] : stage.pinned[thread];
	char *device = stage.device[thread][gpu_of(call)];
	bool in = call->way == WAY_IN;
	void *to = in ? device : host;
	const void *from = in ? host : device;
	enum cudaMemcpyKind kind = in ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost;

	/* cudaMemcpy() knows the default stream only. */
	if (call->synchronous && stage.p->streams[call->stream].kind == STREAM_LEGACY) {
		CHECK(cudaMemcpy(to, from, (size_t)call->bytes, kind));
		return;
	}
	CHECK(cudaMemcpyAsync(to, from, (size_t)call->bytes, kind, stream_of(call)));
	if (call->synchronous)
		CHECK(cudaStreamSynchronize(stream_of(call)));
}

static void play_memset(const struct call *call, int thread)
{
	size_t bytes = (size_t)call->bytes < stage.bytes ? (size_t)call->bytes : stage.bytes;

	CHECK(cudaMemsetAsync(stage.device[thread][gpu_of(call)], 0, bytes, stream_of(call)));
}

/* What the program names beside its streams' own order. */
static void wait_for_pieces(const struct call *call)
{
	for (int i = 0; i < call->nafter; i++) {
		int thread = thread_of_number(call->after[i]), n = call_of_number(call->after[i]);

		if (call->op == OP_WAIT_FOR)
			CHECK(cudaEventSynchronize(stage.pieces[thread][n]));
		else
			CHECK(cudaStreamWaitEvent(stream_of(call), stage.pieces[thread][n], 0));
	}
}

static void play_call(const struct call *call, int thread)
{
	cudaEvent_t event =
		call->event == NONE || call->op == OP_POST || call->op == OP_TAKE ? NULL : stage.events[call->event];

	if (call->op == OP_KERNEL)
		play_kernel(call);
	else if (call->op == OP_COPY)
		play_copy(call, thread);
	else if (call->op == OP_MEMSET)
		play_memset(call, thread);
	else if (call->op == OP_RECORD && event)
		CHECK(cudaEventRecord(event, stream_of(call)));
	else if (call->op == OP_STREAM_WAIT && event)
		CHECK(cudaStreamWaitEvent(stream_of(call), event, 0));
	else if (call->op == OP_EVENT_SYNC && event)
		CHECK(cudaEventSynchronize(event));
	else if (call->op == OP_STREAM_SYNC)
		CHECK(cudaStreamSynchronize(stream_of(call)));
	else if (call->op == OP_DEVICE_SYNC)
		CHECK(cudaDeviceSynchronize());
	else if (call->op == OP_HOST)
		work_on_host(call->ns);
	else if (call->op == OP_POST)
		sem_post(&stage.semaphores[call->event]);
	else if (call->op == OP_TAKE)
		sem_wait(&stage.semaphores[call->event]);
}

/* A thread's loops begin with a call and have ended when the host has waited behind them. */
static void note_time(const struct call *call, int thread)
{
	bool waits = call->op == OP_DEVICE_SYNC || call->op == OP_STREAM_SYNC;

	if (call->loop != NONE)
		stage.last[thread] = 0;
	else if (waits && stage.first[thread] > 0 && stage.last[thread] == 0)
		stage.last[thread] = now_ns();
}

static void *play_thread(void *argument)
{
	int thread = (int)(intptr_t)argument, gpu = NONE;
	const struct thread *t = &stage.p->threads[thread];

	pthread_barrier_wait(&stage.begin);
	for (int i = 0; i < t->n; i++) {
		const struct call *call = &t->calls[i];

		if (gpu != gpu_of(call))
			CHECK(cudaSetDevice(gpu = gpu_of(call)));
		if (call->loop != NONE && call->op != OP_HOST && stage.first[thread] == 0)
			stage.first[thread] = now_ns();
		wait_for_pieces(call);
		play_call(call, thread);
		if (stage.awaited[thread][i])
			CHECK(cudaEventRecord(stage.pieces[thread][i], stream_of(call)));
		note_time(call, thread);
	}
	for (int i = 0; i < stage.p->devices; i++) {
		CHECK(cudaSetDevice(i));
		CHECK(cudaDeviceSynchronize());
	}
	if (stage.last[thread] == 0)
		stage.last[thread] = now_ns();
	return NULL;
}

/* ---- the stage ---- */

static void make_streams(void)
{
	for (int i = 0; i < stage.p->nstreams; i++) {
		const struct stream *stream = &stage.p->streams[i];

		CHECK(cudaSetDevice(stream->device));
		if (stream->kind == STREAM_LEGACY)
			stage.streams[i] = cudaStreamLegacy;
		else if (stream->kind == STREAM_PER_THREAD)
			stage.streams[i] = cudaStreamPerThread;
		else
			CHECK(cudaStreamCreateWithFlags(&stage.streams[i],
				stream->kind == STREAM_BLOCKING ? cudaStreamDefault : cudaStreamNonBlocking));
	}
}

static void make_events(void)
{
	stage.events = room_for((size_t)stage.p->nevents, sizeof(*stage.events));
	for (int i = 0; i < stage.p->nevents; i++)
		CHECK(cudaEventCreateWithFlags(&stage.events[i], cudaEventDisableTiming));
	for (int t = 0; t < stage.p->nthreads; t++) {
		stage.awaited[t] = room_for((size_t)stage.p->threads[t].n, sizeof(*stage.awaited[t]));
		stage.pieces[t] = room_for((size_t)stage.p->threads[t].n, sizeof(*stage.pieces[t]));
	}
	for (int t = 0; t < stage.p->nthreads; t++)
		for (int i = 0; i < stage.p->threads[t].n; i++)
			for (int k = 0; k < stage.p->threads[t].calls[i].nafter; k++) {
				int number = stage.p->threads[t].calls[i].after[k];
				int thread = thread_of_number(number), n = call_of_number(number);

				if (!stage.awaited[thread][n])
					CHECK(cudaEventCreateWithFlags(
						&stage.pieces[thread][n], cudaEventDisableTiming));
				stage.awaited[thread][n] = true;
			}
}

static void make_memory(void)
{
	for (int t = 0; t < stage.p->nthreads; t++)
		for (int i = 0; i < stage.p->threads[t].n; i++)
			if (stage.p->threads[t].calls[i].bytes > (int64_t)stage.bytes &&
				stage.p->threads[t].calls[i].op == OP_COPY)
				stage.bytes = (size_t)stage.p->threads[t].calls[i].bytes;
	stage.bytes += 4096;
	for (int t = 0; t < stage.p->nthreads; t++) {
		CHECK(cudaHostAlloc((void **)&stage.pinned[t], stage.bytes, cudaHostAllocPortable));
		stage.pageable[t] = room_for(stage.bytes, 1);
		memset(stage.pageable[t], 1, stage.bytes);
		for (int gpu = 0; gpu < stage.p->devices; gpu++) {
			CHECK(cudaSetDevice(gpu));
			CHECK(cudaMalloc((void **)&stage.device[t][gpu], stage.bytes));
		}
	}
}

/* The GPU's clocks rise, and what is loaded late is loaded. */
static void warm_up(void)
{
	for (int gpu = 0; gpu < stage.p->devices; gpu++) {
		CHECK(cudaSetDevice(gpu));
		for (int i = 0; i < 50; i++)
			CHECK(spin(stage.sms, MS, NULL));
		CHECK(cudaDeviceSynchronize());
	}
}

static void set_stage(const struct program *p)
{
	int gpus = 0;

	stage.p = p;
	if (cudaGetDeviceCount(&gpus) != cudaSuccess || gpus < p->devices || p->devices > MOST_GPUS) {
		fprintf(stderr, "play: the program needs %d GPUs, and there are %d\n", p->devices, gpus);
		exit(CANNOT);
	}
	CHECK(cudaDeviceGetAttribute(&stage.sms, cudaDevAttrMultiProcessorCount, 0));
	make_streams();
	make_events();
	make_memory();
	for (int i = 0; i < p->nsemaphores; i++)
		sem_init(&stage.semaphores[i], 0, (unsigned)p->posts[i]);
	pthread_barrier_init(&stage.begin, NULL, (unsigned)p->nthreads);
	warm_up();
}

static void play(void)
{
	pthread_t threads[MOST_THREADS];
	int64_t first = INT64_MAX, last = 0;

	for (int t = 0; t < stage.p->nthreads; t++)
		if (pthread_create(&threads[t], NULL, play_thread, (void *)(intptr_t)t) != 0)
			exit(1);
	for (int t = 0; t < stage.p->nthreads; t++) {
		pthread_join(threads[t], NULL);
		if (stage.first[t] > 0 && stage.first[t] < first)
			first = stage.first[t];
		if (stage.first[t] > 0 && stage.last[t] > last)
			last = stage.last[t];
	}
	printf("%.3f\n", last == 0 ? 0.0 : (double)(last - first) / MS);
}

int main(int argc, char **argv)
{
	int buffers = argc > 2 ? atoi(argv[2]) : 1;
	struct program *p = NULL;

	for (const struct recipe *recipe = named_programs; argc > 1 && recipe->class; recipe++)
		if (strcmp(recipe->name, argv[1]) == 0)
			p = recipe->make(recipe, 0);
	if (!p) {
		fprintf(stderr, "usage: play NAME [BUFFERS]\n");
		return 1;
	}
	set_stage(buffers < LEAST_BUFFERS ? p : change_buffers(p, buffers));
	play();
	return 0;
}
