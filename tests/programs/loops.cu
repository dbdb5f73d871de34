/* loops.cu: one loop (copy in, kernel, copy out, chunk by chunk), written in the ways in which people write it. Each
 * way is an NVTX range of the default domain. Two of them are a question of time alone, one stream against two; each of
 * the others has two buffers and two streams, and one thing that keeps copies from overlapping all the same.
 *
 * usage: loops [CHUNKS [MIB]]: chunks in each loop (32) and MiB in a chunk (16). Prints a line per range:
 *     range NAME kernels N h2d N BYTES d2h N BYTES ms T
 * T is the program's own time from the first call to the end of the last work. The kernel's length is set in the first
 * range, "warm up", to that of a copy to the device. */
#include "program.h"

#include <nvtx3/nvToolsExt.h>

enum { BLOCK = 256, BUFFERS = 2 };

struct loop {
	int chunks, turns;
	size_t n; /* floats in a chunk */
	float *pinned, *pageable, *device[BUFFERS];
	cudaStream_t free_stream[BUFFERS];     /* do not wait for the default stream */
	cudaStream_t blocking_stream[BUFFERS]; /* do */
	cudaEvent_t done[BUFFERS];
	struct work work; /* of the range that is open */
};

__global__ void __launch_bounds__(BLOCK) halve(float *data, size_t n, int turns)
{
	const size_t i = (size_t)blockIdx.x * BLOCK + threadIdx.x;

	if (i >= n)
		return;
	float x = data[i];
#pragma unroll 1
	for (int turn = 0; turn < turns; turn++)
		x = fmaf(x, 0.5f, 1.0f);
	data[i] = x;
}

static float *chunk_of(const struct loop *l, float *host, int chunk)
{
	return host + (size_t)(chunk % BUFFERS) * l->n;
}

static void copy_in(struct loop *l, int chunk, float *host, cudaStream_t stream)
{
	CHECK(cudaMemcpyAsync(l->device[chunk % BUFFERS], chunk_of(l, host, chunk), l->n * sizeof(float),
		cudaMemcpyHostToDevice, stream));
	l->work.h2d++;
	l->work.h2d_bytes += (long long)(l->n * sizeof(float));
}

static void copy_out(struct loop *l, int chunk, float *host, cudaStream_t stream)
{
	CHECK(cudaMemcpyAsync(chunk_of(l, host, chunk), l->device[chunk % BUFFERS], l->n * sizeof(float),
		cudaMemcpyDeviceToHost, stream));
	l->work.d2h++;
	l->work.d2h_bytes += (long long)(l->n * sizeof(float));
}

static void compute(struct loop *l, int chunk, cudaStream_t stream)
{
	const unsigned blocks = (unsigned)((l->n + BLOCK - 1) / BLOCK);

	halve<<<blocks, BLOCK, 0, stream>>>(l->device[chunk % BUFFERS], l->n, l->turns);
	CHECK(cudaGetLastError());
	l->work.kernels++;
}

/* ---- the ways ---- */

static void one_stream(struct loop *l)
{
	for (int c = 0; c < l->chunks; c++) {
		copy_in(l, c, l->pinned, l->free_stream[0]);
		compute(l, c, l->free_stream[0]);
		copy_out(l, c, l->pinned, l->free_stream[0]);
	}
}

/* The host waits for a buffer before it would fill it again, as a program with data of its own must. */
static void two_streams(struct loop *l)
{
	for (int c = 0; c < l->chunks; c++) {
		cudaStream_t stream = l->free_stream[c % BUFFERS];

		if (c >= BUFFERS)
			CHECK(cudaEventSynchronize(l->done[c % BUFFERS]));
		copy_in(l, c, l->pinned, stream);
		compute(l, c, stream);
		copy_out(l, c, l->pinned, stream);
		CHECK(cudaEventRecord(l->done[c % BUFFERS], stream));
	}
}

static void pageable(struct loop *l)
{
	for (int c = 0; c < l->chunks; c++) {
		cudaStream_t stream = l->free_stream[c % BUFFERS];

		copy_in(l, c, l->pageable, stream);
		compute(l, c, stream);
		copy_out(l, c, l->pageable, stream);
	}
}

/* Copies in the default stream wait for the kernels of blocking streams, and the other way round. */
static void default_stream(struct loop *l)
{
	for (int c = 0; c < l->chunks; c++) {
		copy_in(l, c, l->pinned, nullptr);
		compute(l, c, l->blocking_stream[c % BUFFERS]);
		copy_out(l, c, l->pinned, nullptr);
	}
}

static void synchronous(struct loop *l)
{
	for (int c = 0; c < l->chunks; c++) {
		cudaStream_t stream = l->free_stream[c % BUFFERS];

		copy_in(l, c, l->pinned, stream);
		CHECK(cudaStreamSynchronize(stream));
		compute(l, c, stream);
		CHECK(cudaDeviceSynchronize());
		copy_out(l, c, l->pinned, stream);
		CHECK(cudaStreamSynchronize(stream));
	}
}

/* Copies in one stream, kernels in another, and each waits for the event of the one before. */
static void dependency(struct loop *l)
{
	cudaStream_t copies = l->free_stream[0], kernels = l->free_stream[1];

	for (int c = 0; c < l->chunks; c++) {
		copy_in(l, c, l->pinned, copies);
		CHECK(cudaEventRecord(l->done[0], copies));
		CHECK(cudaStreamWaitEvent(kernels, l->done[0], 0));
		compute(l, c, kernels);
		CHECK(cudaEventRecord(l->done[1], kernels));
		CHECK(cudaStreamWaitEvent(copies, l->done[1], 0));
		copy_out(l, c, l->pinned, copies);
	}
}

/* ---- ranges ---- */

static void in_range(struct loop *l, const char *name, void (*way)(struct loop *l))
{
	double start;

	memset(&l->work, 0, sizeof l->work);
	nvtxRangePushA(name);
	start = now();
	way(l);
	CHECK(cudaDeviceSynchronize());
	double ms = (now() - start) * 1e3;
	nvtxRangePop();
	printf("range %s kernels %ld h2d %ld %lld d2h %ld %lld ms %.3f\n", name, l->work.kernels, l->work.h2d,
		l->work.h2d_bytes, l->work.d2h, l->work.d2h_bytes, ms);
}

static double seconds_of(struct loop *l, void (*step)(struct loop *l))
{
	double best = 1e9;

	for (int i = 0; i < 5; i++) {
		double start = now();

		step(l);
		CHECK(cudaDeviceSynchronize());
		best = now() - start < best ? now() - start : best;
	}
	return best;
}

static void step_in(struct loop *l)
{
	copy_in(l, 0, l->pinned, l->free_stream[0]);
}

static void step_compute(struct loop *l)
{
	compute(l, 0, l->free_stream[0]);
}

/* A kernel that is long enough to outweigh what does not depend on its turns. */
static void warm_up(struct loop *l)
{
	double copy, kernel;

	l->turns = 4000;
	copy = seconds_of(l, step_in);
	kernel = seconds_of(l, step_compute);
	l->turns = (int)(l->turns * copy / kernel);
	if (l->turns < 1)
		l->turns = 1;
}

static void set_up(struct loop *l)
{
	const size_t bytes = l->n * sizeof(float);

	CHECK(cudaMallocHost(&l->pinned, BUFFERS * bytes));
	l->pageable = (float *)malloc(BUFFERS * bytes);
	if (l->pageable == nullptr)
		exit(1);
	memset(l->pinned, 0, BUFFERS * bytes);
	memset(l->pageable, 0, BUFFERS * bytes);
	for (int i = 0; i < BUFFERS; i++) {
		CHECK(cudaMalloc(&l->device[i], bytes));
		CHECK(cudaStreamCreateWithFlags(&l->free_stream[i], cudaStreamNonBlocking));
		CHECK(cudaStreamCreate(&l->blocking_stream[i]));
		CHECK(cudaEventCreateWithFlags(&l->done[i], cudaEventDisableTiming));
	}
}

static void tear_down(struct loop *l)
{
	for (int i = 0; i < BUFFERS; i++) {
		CHECK(cudaFree(l->device[i]));
		CHECK(cudaStreamDestroy(l->free_stream[i]));
		CHECK(cudaStreamDestroy(l->blocking_stream[i]));
		CHECK(cudaEventDestroy(l->done[i]));
	}
	CHECK(cudaFreeHost(l->pinned));
	free(l->pageable);
}

int main(int argc, char **argv)
{
	struct loop l = {};

	l.chunks = argc > 1 ? atoi(argv[1]) : 32;
	l.n = (size_t)(argc > 2 ? atoi(argv[2]) : 16) << 18;
	set_up(&l);
	in_range(&l, "warm up", warm_up);
	in_range(&l, "one stream", one_stream);
	in_range(&l, "two streams", two_streams);
	in_range(&l, "pageable", pageable);
	in_range(&l, "default stream", default_stream);
	in_range(&l, "synchronous", synchronous);
	in_range(&l, "dependency", dependency);
	tear_down(&l);
	return 0;
}
