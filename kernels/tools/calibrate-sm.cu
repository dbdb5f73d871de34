/* calibrate-sm.cu: the clock, what an SM's units do in a cycle, and what their results and barriers are
 * waited for. */
#include "tools/calibrate-cycles.cuh"

enum {
	CHAINS = 8, /* independent of each other, in each thread: enough to fill every unit */
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

/* FMAS of CHAINS instructions are FMAs, the others are of integers: an SM that has fewer lanes for one kind than a warp
 * for each of its schedulers can still issue one instruction from each. */
template <int FMAS> __global__ void calibrate_issue(long long *stamp, unsigned *sink, float factor, unsigned mask)
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
			for (int j = 0; j < UNROLLED * CHAINS; j++) {
				const int c = j % CHAINS;

				if ((c + 1) * FMAS / CHAINS > c * FMAS / CHAINS)
					asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x[c]) : "f"(factor));
				else
					asm volatile("lop3.b32 %0, %0, %1, %2, 0x6a;"
						     : "+r"(k[c])
						     : "r"(mask), "r"(k[(c + CHAINS / 2) % CHAINS]));
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

/* ---- host ---- */

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

static double barrier_cycles(struct bench *b, int warps)
{
	return cycles(b, [=] { calibrate_barrier<<<1, warps * WARP, 0, b->stream>>>(b->stamp); }) / (ROUNDS * UNROLLED);
}

/* The fastest of several mixtures counts: each of them may be bound by the lanes for one kind. */
static double issue_rate(struct bench *b)
{
	const cudaStream_t s = b->stream;
	const unsigned mask = 0x5a5a5a5au;
	long long *const stamp = b->stamp;
	unsigned *const sink = b->sink;
	double best = cycles(b, [=] { calibrate_issue<8><<<1, BLOCK, 0, s>>>(stamp, sink, 0.5f, mask); });

	best = smaller(best, cycles(b, [=] { calibrate_issue<6><<<1, BLOCK, 0, s>>>(stamp, sink, 0.5f, mask); }));
	best = smaller(best, cycles(b, [=] { calibrate_issue<4><<<1, BLOCK, 0, s>>>(stamp, sink, 0.5f, mask); }));
	return (double)ROUNDS * UNROLLED * CHAINS * (BLOCK / WARP) / best;
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
	out->issue = issue_rate(b);
	out->barrier_alone = barrier_cycles(b, 1);
	out->barrier_per_warp = (barrier_cycles(b, BLOCK / WARP) - out->barrier_alone) / (warps - 1);
}
