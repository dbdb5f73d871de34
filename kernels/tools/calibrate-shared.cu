/* calibrate-shared.cu: what takes turns in the queue of the shared memory's accesses besides loads of words. */
#include "tools/calibrate-cycles.cuh"
#include "cp-async.cuh"

enum {
	COPIES = 2,       /* in a group */
	WORDS = UNROLLED, /* loaded from shared memory beside each group */
	COPY_REGION =
		1 << 18, /* words of global memory: half of the smallest L2 cache that there is with cp.async (2 MiB) */
	LINE_WORDS = 128 / sizeof(float),
};

/* All threads of a warp load the same 16 bytes. */
__global__ void calibrate_wide(long long *stamp, unsigned *sink)
{
	__shared__ __align__(16) unsigned cells[4 * UNROLLED];
	const unsigned at = (unsigned)__cvta_generic_to_shared(cells);
	unsigned sum = 0;

	for (int i = threadIdx.x; i < 4 * UNROLLED; i += blockDim.x)
		cells[i] = i;
	timed(stamp, [&] {
#pragma unroll 1
		for (int i = 0; i < ROUNDS; i++) {
#pragma unroll
			for (int j = 0; j < UNROLLED; j++) {
				unsigned x, y, z, w;

				asm volatile("ld.volatile.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
					     : "=r"(x), "=r"(y), "=r"(z), "=r"(w)
					     : "r"(at + j * 16)
					     : "memory");
				sum ^= x ^ y ^ z ^ w;
			}
		}
	});
	use(sum, sink);
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

/* Shared loads, WORDS at a time, with or without a group of asynchronous copies behind them, which nobody waits for. A
 * warp's copy touches LINES lines: all of one, or equal parts of several. The copies go through the region, so that the
 * L1 caches have few of their lines; they are so few that the L2 cache is not busy. */
template <int LINES> __global__ void calibrate_copies(long long *stamp, unsigned *sink, const float *from)
{
	__shared__ float to[COPIES][SMALL_BLOCK];
	__shared__ unsigned cells[WARP * WORDS];
	const unsigned at = (unsigned)__cvta_generic_to_shared(&cells[threadIdx.x % WARP]);
	const int share = WARP / (LINES > 0 ? LINES : 1), lane = threadIdx.x % WARP;
	const int warp = (blockIdx.x * SMALL_BLOCK + threadIdx.x) / WARP;
	int line = warp * ROUNDS * COPIES * LINES + lane / share;
	unsigned sum = 0;

	for (int i = threadIdx.x; i < WARP * WORDS; i += blockDim.x)
		cells[i] = i;
	timed(stamp, [&] {
#pragma unroll 1
		for (int i = 0; i < ROUNDS; i++) {
			sum += shared_loads<WORDS>(at);
			if constexpr (LINES > 0) {
#pragma unroll
				for (int j = 0; j < COPIES; j++, line += LINES)
					copy_async(&to[j][threadIdx.x], from, 1, COPY_REGION, 0,
						(line * LINE_WORDS + lane % share) % COPY_REGION);
				copy_async_commit();
			}
		}
	});
	copy_async_wait<0>();
	use(sum, sink);
}

/* ---- host ---- */

template <bool BARRIER> static double busy_cycles(struct bench *b, int grid)
{
	return mean_cycles(b, grid,
		[=] { calibrate_busy_barrier<BARRIER><<<grid, SMALL_BLOCK, 0, b->stream>>>(b->stamp, b->sink); });
}

static double barrier_slots(struct bench *b)
{
	const int grid = full_grid(b, calibrate_busy_barrier<true>);
	const double more = busy_cycles<true>(b, grid) - busy_cycles<false>(b, grid);
	const double warps = (double)grid / b->sms * SMALL_BLOCK / WARP;

	return at_least_zero(more) / (ROUNDS * UNROLLED / 4) / warps;
}

template <int LINES> static double copy_cycles(struct bench *b, int grid)
{
	return mean_cycles(b, grid, [=] {
		calibrate_copies<LINES>
			<<<grid, SMALL_BLOCK, 0, b->stream>>>(b->stamp, b->sink, (const float *)b->array[0]);
	});
}

static bool copies_possible(struct bench *b)
{
	struct cudaDeviceProp device;

	bench_note(b, cudaGetDeviceProperties(&device, b->device));
	return bench_ok(b) && !cp_async_unsupported(&device, NULL) && b->array[0] &&
	       b->array_bytes >= COPY_REGION * sizeof(float);
}

/* Each warp's copy, of one line and of four. */
static void measure_copies(struct bench *b, struct machine *out)
{
	if (!copies_possible(b))
		return;
	const int grid = full_grid(b, calibrate_copies<4>);
	const double copies = (double)ROUNDS * COPIES * grid / b->sms * SMALL_BLOCK / WARP;
	const double none = copy_cycles<0>(b, grid), one = copy_cycles<1>(b, grid), four = copy_cycles<4>(b, grid);

	out->copy_slots = at_least_zero(one - none) / copies;
	out->line_slots = at_least_zero(four - one) / copies / 3;
}

extern "C" void calibrate_shared(struct bench *b, struct machine *out)
{
	long long *const stamp = b->stamp;
	unsigned *const sink = b->sink;

	out->wide_slots = cycles(b, [=] { calibrate_wide<<<1, BLOCK, 0, b->stream>>>(stamp, sink); }) /
			  (ROUNDS * UNROLLED * BLOCK / WARP);
	out->barrier_slots = barrier_slots(b);
	measure_copies(b, out);
}
