/* calibrate-memory.cu: bandwidth and latency of device memory and of the L2 cache. */
#include "tools/calibrate-bench.h"

enum { THREADS = 256, HOPS = 2000, L2_ROUNDS = 64, LINE = 256 };

/* Copies n float4s `rounds` times over, past the L1 caches. */
__global__ void calibrate_copy(const float4 *in, float4 *out, size_t n, int rounds)
{
	const size_t first = (size_t)blockIdx.x * blockDim.x + threadIdx.x, step = (size_t)gridDim.x * blockDim.x;

	for (int round = 0; round < rounds; round++) {
		for (size_t i = first; i < n; i += step)
			__stcg(&out[i], __ldcg(&in[i]));
	}
}

/* Links the lines of an array into a ring in a random order: a linear congruential generator of full period, since n is
 * a power of two, the factor 1 modulo 4 and the increment odd. */
__global__ void calibrate_link(char *array, size_t n)
{
	const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;

	if (i < n)
		*(char **)(array + i * LINE) = array + ((i * 1664525 + 1013904223) & (n - 1)) * LINE;
}

/* stamp[0]: nanoseconds of `hops` loads, each of which waits for the one before. */
__global__ void calibrate_chase(const char *at, int hops, long long *stamp, unsigned *sink)
{
	long long from, to;

	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(from)::"memory");
	for (int i = 0; i < hops; i++)
		at = (const char *)__ldcg((const unsigned long long *)at);
	if (!at)
		*sink = 1; /* never, but the compiler cannot know */
	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(to)::"memory");
	stamp[0] = to - from;
}

/* ---- host ---- */

static void copy(struct bench *b, size_t bytes, int rounds)
{
	const size_t n = bytes / sizeof(float4), wanted = (n + THREADS - 1) / THREADS;
	const size_t full = (size_t)b->sms * 2048 / THREADS; /* a block that stays is as good as many that follow */
	const unsigned grid = (unsigned)(rounds > 1 && wanted > full ? full : wanted);

	if (!bench_ok(b))
		return;
	calibrate_copy<<<grid, THREADS, 0, b->stream>>>((const float4 *)b->array[0], (float4 *)b->array[1], n, rounds);
	bench_note(b, cudaGetLastError());
}

/* Bytes read and written in a second by copying `bytes` `rounds` times. A copy that is not timed goes first: it keeps
 * the GPU busy until the other one is enqueued. */
static double copy_rate(struct bench *b, size_t bytes, int rounds)
{
	double best = NAN;

	for (int i = 0; i < REPETITIONS && bench_ok(b); i++) {
		copy(b, bytes, rounds);
		bench_begin(b);
		copy(b, bytes, rounds);
		bench_end(b);
		best = smaller(best, bench_seconds(b));
	}
	return 2.0 * (double)bytes * rounds / best;
}

static double chase(struct bench *b, int hops)
{
	long long ns = 0;

	calibrate_chase<<<1, 1, 0, b->stream>>>(b->array[0], hops, b->stamp, b->sink);
	bench_note(b, cudaGetLastError());
	if (bench_ok(b))
		bench_note(b, cudaMemcpyAsync(&ns, b->stamp, sizeof(ns), cudaMemcpyDeviceToHost, b->stream));
	if (bench_ok(b))
		bench_note(b, cudaStreamSynchronize(b->stream));
	return bench_ok(b) ? (double)ns * 1e-9 / hops : NAN;
}

/* Links as much of the first array as fits and is a power of two. */
static void link_lines(struct bench *b, size_t bytes)
{
	size_t n = 1;

	while (2 * n * LINE <= bytes)
		n *= 2;
	calibrate_link<<<(unsigned)((n + THREADS - 1) / THREADS), THREADS, 0, b->stream>>>(b->array[0], n);
}

/* The second array, larger than the L2 cache, is written in between, which leaves nothing of the first one there. */
static double dram_latency(struct bench *b)
{
	double best = NAN;

	link_lines(b, b->array_bytes);
	for (int i = 0; i < REPETITIONS && bench_ok(b); i++) {
		bench_note(b, cudaMemsetAsync(b->array[1], 0, b->array_bytes, b->stream));
		best = smaller(best, chase(b, HOPS));
	}
	return best;
}

/* Of a ring that the cache holds and the L1 cache does not. */
static double l2_latency(struct bench *b)
{
	const size_t largest = 1 << 20, bytes = b->l2_bytes / 4 < largest ? b->l2_bytes / 4 : largest;
	double best = NAN;

	link_lines(b, bytes);
	for (int i = 0; i < REPETITIONS && bench_ok(b); i++)
		best = smaller(best, chase(b, 2 * (int)(bytes / LINE)));
	return best;
}

extern "C" void calibrate_memory(struct bench *b, struct machine *out)
{
	if (!b->array[0] || !b->array[1] || !bench_ok(b))
		return;
	out->dram_latency_s = dram_latency(b);
	out->l2_latency_s = l2_latency(b);
	out->dram_bytes_s = copy_rate(b, b->array_bytes, 1);
	out->l2_bytes_s = copy_rate(b, b->l2_bytes / 8, L2_ROUNDS);
}
