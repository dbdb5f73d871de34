/* calibrate-sm.cu: the clock, what an SM's units do in a cycle, and what their results and barriers are waited for. */
#include "calibrate-bench.h"

enum {
	WARP = 32,
	BLOCK = 1024,
	ROUNDS = 64,   /* of a loop whose body is UNROLLED long */
	UNROLLED = 32, /* so that the loop's own instructions do not count */
	CHAINS = 8,    /* independent of each other, in each thread: enough to fill every unit */
	SMALL_BLOCK = 128,
	CLOCK_NS = 2000000,
	CLOCK_LEAST = 10, /* 20 ms: from an idle clock it takes that long to begin to rise */
	CLOCK_MOST = 30,
};

static __device__ __forceinline__ long long nanoseconds()
{
	long long now;

	asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
	return now;
}

static __device__ __forceinline__ long long cycles_now()
{
	long long now;

	asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
	return now;
}

/* The compiler must believe that `x` is used; it never is this value. */
static __device__ __forceinline__ void use(unsigned x, unsigned *sink)
{
	if (x == 0xdeadbeefu)
		*sink = x;
}

/* Times `work` between barriers that all threads of the block take part in; the cycles of block i go to stamp[i]. */
template <class Work> static __device__ __forceinline__ void timed(long long *stamp, Work work)
{
	__syncthreads();
	const long long from = cycles_now();
	work();
	__syncthreads();
	const long long to = cycles_now();
	if (threadIdx.x == 0)
		stamp[blockIdx.x] = to - from;
}

/* stamp[0]: cycles, stamp[1]: nanoseconds. */
__global__ void calibrate_clock(long long *stamp, long long ns)
{
	const long long from_ns = nanoseconds(), from = cycles_now();
	long long now;

	do
		now = nanoseconds();
	while (now - from_ns < ns);
	const long long to = cycles_now();
	if (blockIdx.x == 0 && threadIdx.x == 0) {
		stamp[0] = to - from;
		stamp[1] = now - from_ns;
	}
}

/* Each load gives the address of the next: its own. */
__global__ void calibrate_shared_latency(long long *stamp, unsigned *sink)
{
	__shared__ unsigned cell;
	unsigned at = (unsigned)__cvta_generic_to_shared(&cell);

	cell = at;
	timed(stamp, [&] {
#pragma unroll 1
		for (int i = 0; i < ROUNDS; i++) {
#pragma unroll
			for (int j = 0; j < UNROLLED; j++)
				asm volatile("ld.volatile.shared.u32 %0, [%0];" : "+r"(at)::"memory");
		}
	});
	use(at, sink);
}

template <int LOADS> static __device__ __forceinline__ unsigned shared_loads(unsigned at)
{
	unsigned sum = 0;

#pragma unroll
	for (int j = 0; j < LOADS; j++) {
		unsigned x;

		asm volatile("ld.volatile.shared.u32 %0, [%1];" : "=r"(x) : "r"(at + j * 4 * WARP) : "memory");
		sum ^= x;
	}
	return sum;
}

/* Neighbouring threads load neighbouring words: no two meet in a bank. */
__global__ void calibrate_shared_words(long long *stamp, unsigned *sink)
{
	__shared__ unsigned cells[WARP * UNROLLED];
	const unsigned at = (unsigned)__cvta_generic_to_shared(&cells[threadIdx.x % WARP]);
	unsigned sum = 0;

	for (int i = threadIdx.x; i < WARP * UNROLLED; i += blockDim.x)
		cells[i] = i;
	timed(stamp, [&] {
#pragma unroll 1
		for (int i = 0; i < ROUNDS; i++)
			sum += shared_loads<UNROLLED>(at);
	});
	use(sum, sink);
}

/* As many chains of FMAs as CHAINS, or one. */
template <int INDEPENDENT> __global__ void calibrate_fma(long long *stamp, unsigned *sink, float factor)
{
	float x[INDEPENDENT];

	for (int c = 0; c < INDEPENDENT; c++)
		x[c] = threadIdx.x + c;
	timed(stamp, [&] {
#pragma unroll 1
		for (int i = 0; i < ROUNDS; i++) {
#pragma unroll
			for (int j = 0; j < UNROLLED * INDEPENDENT; j++)
				asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[j % INDEPENDENT]) : "f"(factor));
		}
	});
	for (int c = 0; c < INDEPENDENT; c++)
		use(__float_as_uint(x[c]), sink);
}

/* Half FMAs, half integer instructions: an SM that has fewer lanes for one kind than a warp for each of its schedulers
 * can still issue one instruction from each. */
__global__ void calibrate_issue(long long *stamp, unsigned *sink, float factor, unsigned mask)
{
	float x[CHAINS];
	unsigned k[CHAINS];

	for (int c = 0; c < CHAINS; c++) {
		x[c] = threadIdx.x + c;
		k[c] = threadIdx.x * c;
	}
	timed(stamp, [&] {
#pragma unroll 1
		for (int i = 0; i < ROUNDS; i++) {
#pragma unroll
			for (int j = 0; j < UNROLLED * CHAINS / 2; j++) {
				asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[j % CHAINS]) : "f"(factor));
				asm volatile("lop3.b32 %0, %0, %1, %2, 0x6a;"
					     : "+r"(k[j % CHAINS])
					     : "r"(mask), "r"(k[(j + 1) % CHAINS]));
			}
		}
	});
	for (int c = 0; c < CHAINS; c++)
		use(__float_as_uint(x[c]) ^ k[c], sink);
}

__global__ void calibrate_barrier(long long *stamp)
{
	timed(stamp, [&] {
#pragma unroll 1
		for (int i = 0; i < ROUNDS; i++) {
#pragma unroll
			for (int j = 0; j < UNROLLED; j++)
				__syncthreads();
		}
	});
}

/* Shared loads, four at a time, with or without a barrier behind them. */
template <bool BARRIER> __global__ void calibrate_busy_barrier(long long *stamp, unsigned *sink)
{
	__shared__ unsigned cells[4 * WARP];
	const unsigned at = (unsigned)__cvta_generic_to_shared(&cells[threadIdx.x % WARP]);
	unsigned sum = 0;

	cells[threadIdx.x % (4 * WARP)] = threadIdx.x;
	timed(stamp, [&] {
#pragma unroll 1
		for (int i = 0; i < ROUNDS; i++) {
#pragma unroll
			for (int j = 0; j < UNROLLED / 4; j++) {
				sum += shared_loads<4>(at);
				if (BARRIER)
					__syncthreads();
			}
		}
	});
	use(sum, sink);
}

/* ---- host ---- */

static void read_stamps(struct bench *b, long long *stamps, int n)
{
	if (bench_ok(b))
		bench_note(b, cudaGetLastError()); /* of the launch */
	if (bench_ok(b))
		bench_note(b, cudaMemcpyAsync(stamps, b->stamp, n * sizeof *stamps, cudaMemcpyDeviceToHost, b->stream));
	if (bench_ok(b))
		bench_note(b, cudaStreamSynchronize(b->stream));
}

/* The SMs' clock rises while they work: measured until it stands still. */
static double clock_hz(struct bench *b)
{
	double hz = NAN;

	for (int i = 0; i < CLOCK_MOST && bench_ok(b); i++) {
		const double before = hz;
		long long stamps[2] = {0, 1};

		calibrate_clock<<<b->sms, BLOCK, 0, b->stream>>>(b->stamp, CLOCK_NS);
		read_stamps(b, stamps, 2);
		hz = (double)stamps[0] / (double)stamps[1] * 1e9;
		if (i >= CLOCK_LEAST && fabs(hz / before - 1) < 0.002)
			break;
	}
	return hz;
}

/* Cycles that one block takes; the shortest of a few runs, since the first one loads its code. */
template <class Launch> static double cycles(struct bench *b, Launch launch)
{
	double best = NAN;

	for (int i = 0; i < REPETITIONS && bench_ok(b); i++) {
		long long stamp = 0;

		launch();
		read_stamps(b, &stamp, 1);
		best = smaller(best, (double)stamp);
	}
	return best;
}

static double barrier_cycles(struct bench *b, int warps)
{
	return cycles(b, [=] { calibrate_barrier<<<1, warps * WARP, 0, b->stream>>>(b->stamp); }) / (ROUNDS * UNROLLED);
}

/* Mean cycles of a block while all SMs hold as many as they can. */
template <bool BARRIER> static double busy_cycles(struct bench *b, int blocks)
{
	long long stamps[STAMPS];
	const int grid = blocks * b->sms, n = grid < STAMPS ? grid : STAMPS;
	double best = NAN;

	for (int i = 0; i < REPETITIONS && bench_ok(b); i++) {
		double sum = 0;

		calibrate_busy_barrier<BARRIER><<<grid, SMALL_BLOCK, 0, b->stream>>>(b->stamp, b->sink);
		read_stamps(b, stamps, n);
		for (int j = 0; j < n; j++)
			sum += (double)stamps[j];
		best = smaller(best, sum / n);
	}
	return best;
}

static double barrier_slots(struct bench *b)
{
	int blocks = 0;

	bench_note(b, cudaOccupancyMaxActiveBlocksPerMultiprocessor(
			      &blocks, (const void *)calibrate_busy_barrier<true>, SMALL_BLOCK, 0));
	if (!bench_ok(b) || blocks * b->sms > STAMPS)
		return NAN;
	const double more = busy_cycles<true>(b, blocks) - busy_cycles<false>(b, blocks);
	return fmax(more, 0) / (ROUNDS * UNROLLED / 4) / (blocks * SMALL_BLOCK / WARP);
}

extern "C" void calibrate_sm(struct bench *b, struct machine *out)
{
	const double n = ROUNDS * UNROLLED, warps = BLOCK / WARP;
	const cudaStream_t s = b->stream;
	long long *const stamp = b->stamp;
	unsigned *const sink = b->sink;

	out->clock_hz = clock_hz(b);
	out->shared_latency = cycles(b, [=] { calibrate_shared_latency<<<1, 1, 0, s>>>(stamp, sink); }) / n;
	out->shared_words = n * BLOCK / cycles(b, [=] { calibrate_shared_words<<<1, BLOCK, 0, s>>>(stamp, sink); });
	out->fma_latency = cycles(b, [=] { calibrate_fma<1><<<1, 1, 0, s>>>(stamp, sink, 0.5f); }) / n;
	out->fma_lanes =
		n * CHAINS * BLOCK / cycles(b, [=] { calibrate_fma<CHAINS><<<1, BLOCK, 0, s>>>(stamp, sink, 0.5f); });
	out->issue = n * CHAINS * warps /
		     cycles(b, [=] { calibrate_issue<<<1, BLOCK, 0, s>>>(stamp, sink, 0.5f, 0x5a5a5a5au); });
	out->barrier_alone = barrier_cycles(b, 1);
	out->barrier_per_warp = (barrier_cycles(b, BLOCK / WARP) - out->barrier_alone) / (warps - 1);
	out->barrier_slots = barrier_slots(b);
}
