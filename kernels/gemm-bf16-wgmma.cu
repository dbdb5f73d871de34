// arch: 90a
/* gemm-bf16-wgmma.cu: the rungs of gemm-bf16 whose tiles TMA loads and wgmma multiplies. */
#include <cuda/barrier>

#include "families.h"
#include "gemm-bf16/state.h"
#include "queue.h"
#include "role.cuh"
#include "tensor-map.h"
#include "wgmma.cuh"

// begin wgmma-1, wgmma-2, producer-2, producer-3, producer-4, producer-5, producer-6, producer-7, wide-2
// begin wide-3, wide-4, strips, persistent, store, cluster, without-strips, without-persistent, without-store
// begin setmaxnreg, store-waits, without-wide, ping-pong, cpp-barriers, two-stages, one-stage, store-one-stage
/* Two warpgroups make a tile of C of M x N, 64 rows each, in steps of 64 along K; in ping-pong each makes tiles of its
 * own. With setmaxnreg a thread of theirs has 232 registers, one of the producer's warpgroup 40. */
enum { GEMM_GROUPS = 2, GEMM_STRIP = 16, GEMM_BOX = 64, GEMM_REGISTERS = 232, GEMM_PRODUCER_REGISTERS = 40 };

template <int M, int N, int STAGES_, int FLAGS_> struct gemm_sizes {
	static constexpr int TILE_M = M, TILE_N = N, STAGES = STAGES_, FLAGS = FLAGS_;
	static constexpr int CLUSTER = FLAGS & GEMM_CLUSTER ? 2 : 1;
	static constexpr int STRIP = GEMM_STRIP / CLUSTER; /* units one below the other */
	/* Bands of 64 rows of a tile that a warpgroup makes. */
	static constexpr int BANDS = M / WGMMA_ROWS / (FLAGS & GEMM_PING_PONG ? 1 : GEMM_GROUPS);
	/* Warpgroups that give a stage back. */
	static constexpr int READERS = FLAGS & GEMM_PING_PONG ? 1 : GEMM_GROUPS;
	static constexpr int PRODUCERS = FLAGS & GEMM_SETMAXNREG ? WARPGROUP : FLAGS & GEMM_PRODUCER ? 32 : 0;
	static constexpr int THREADS = GEMM_GROUPS * WARPGROUP + PRODUCERS;
	static constexpr int A_BYTES = M * WGMMA_ROW_BYTES, B_BYTES = N * WGMMA_ROW_BYTES, BYTES = A_BYTES + B_BYTES;
	/* For TMA's stores: two boxes of 64 x 64 for each warpgroup. */
	static constexpr int BOX_BYTES = GEMM_BOX * WGMMA_ROW_BYTES, STORE_BYTES = 2 * BOX_BYTES;
	static constexpr int SHARED = STAGES * BYTES + (FLAGS & GEMM_STORE ? GEMM_GROUPS * STORE_BYTES : 0);
};

struct gemm_maps {
	CUtensorMap a, b, c;
};

/* Tiles are dealt out in units: a tile, or two of a cluster, one below the other. */
struct gemm_job {
	uint16_t *c;
	int m, n, row_n;
	int steps;            /* along K */
	int unit_rows, units; /* units one below the other, and in all */
};

/* A block's tile of C: its first element. */
struct gemm_place {
	int row, col;
};

template <class S> static __device__ __forceinline__ struct gemm_place gemm_place(const struct gemm_job &job, int unit)
{
	const int rank = blockIdx.x % S::CLUSTER, unit_cols = job.units / job.unit_rows;
	int down = unit / unit_cols, right = unit % unit_cols;

	if (S::FLAGS & GEMM_STRIPS) {
		const int first = unit / (S::STRIP * unit_cols) * S::STRIP, in = unit - first * unit_cols,
			  high = min(S::STRIP, job.unit_rows - first);

		down = first + in % high;
		right = in / high;
	}
	return {(down * S::CLUSTER + rank) * S::TILE_M, right * S::TILE_N};
}

/* ---- barriers of stages, by PTX or by C++ ---- */

typedef cuda::barrier<cuda::thread_scope_block> cpp_barrier;

static_assert(sizeof(cpp_barrier) == sizeof(uint64_t), "cuda::barrier is an mbarrier");

static __device__ __forceinline__ cpp_barrier *gemm_cpp(uint64_t *barrier)
{
	return reinterpret_cast<cpp_barrier *>(barrier);
}

template <class S> static __device__ __forceinline__ void gemm_init(uint64_t *barrier, int arrivals)
{
	if (S::FLAGS & GEMM_CPP_BARRIERS)
		init(gemm_cpp(barrier), arrivals);
	else
		barrier_init(barrier, arrivals);
}

template <class S> static __device__ __forceinline__ void gemm_expect(uint64_t *full)
{
	if (S::FLAGS & GEMM_CPP_BARRIERS)
		(void)cuda::device::barrier_arrive_tx(*gemm_cpp(full), 1, S::BYTES);
	else
		full_expect(full, S::BYTES);
}

template <class S> static __device__ __forceinline__ void gemm_wait(uint64_t *barrier, int phase)
{
	if (S::FLAGS & GEMM_CPP_BARRIERS)
		gemm_cpp(barrier)->wait_parity(phase);
	else
		full_wait(barrier, phase);
}

/* Waits and lets the timer know. */
template <class S, class TIMER>
static __device__ __forceinline__ void gemm_timed_wait(uint64_t *barrier, int phase, TIMER &timer)
{
	timer.wait_begins();
	gemm_wait<S>(barrier, phase);
	timer.wait_ends();
}

/* By one lane of each warp that has used up a stage: tells all blocks that load into it. */
template <class S> static __device__ __forceinline__ void gemm_release(uint64_t *empty)
{
	const int lane = threadIdx.x % 32;

	if (S::FLAGS & GEMM_CPP_BARRIERS) {
		if (lane == 0)
			(void)gemm_cpp(empty)->arrive();
	} else if (S::CLUSTER == 1) {
		if (lane == 0)
			barrier_arrive(empty);
	} else if (lane < S::CLUSTER) {
		barrier_arrive_in(empty, lane);
	}
}

/* ---- a tile ---- */

/* By one thread: has TMA load the tiles of A and B from `k` on. Each block of a cluster loads a half of B's for both.
 */
template <class S>
static __device__ __forceinline__ void gemm_load(
	const struct gemm_maps &maps, unsigned char *stage, struct gemm_place place, int k, uint64_t *full)
{
	const int rank = blockIdx.x % S::CLUSTER;

	gemm_expect<S>(full);
	copy_box(stage, &maps.a, place.row, k, full);
	if (S::CLUSTER == 1)
		copy_box(stage + S::A_BYTES, &maps.b, place.col, k, full);
	else
		copy_box_multicast(stage + S::A_BYTES + rank * S::B_BYTES / 2, &maps.b,
			place.col + rank * S::TILE_N / 2, k, full, 3);
}

/* The first row, in its tile, of one of the bands that this warpgroup makes. */
template <class S> static __device__ __forceinline__ int gemm_row(int band)
{
	return (S::FLAGS & GEMM_PING_PONG ? band : threadIdx.x / WARPGROUP) * WGMMA_ROWS;
}

/* Starts the products of a warpgroup's rows of A with the tile of B. */
template <class S>
static __device__ __forceinline__ void gemm_multiply(const unsigned char *stage, float (&sum)[S::BANDS][S::TILE_N / 2])
{
	const uint64_t b = wgmma_tile(stage + S::A_BYTES);

	wgmma_fence();
#pragma unroll
	for (int i = 0; i < WGMMA_K / WGMMA_STEP; i++)
#pragma unroll
		for (int band = 0; band < S::BANDS; band++) {
			const uint64_t a = wgmma_tile(stage + gemm_row<S>(band) * WGMMA_ROW_BYTES);

			wgmma_multiply(sum[band], wgmma_step(a, i), wgmma_step(b, i));
		}
	wgmma_commit();
}

/* Two neighbours as bf16, `low` first. */
static __device__ __forceinline__ unsigned gemm_pair(float low, float high)
{
	unsigned pair;

	asm("cvt.rn.bf16x2.f32 %0, %1, %2;" : "=r"(pair) : "f"(high), "f"(low));
	return pair;
}

/* A thread has pairs of neighbours, 8 columns apart, in two rows that are 8 apart. */
template <class S>
static __device__ __forceinline__ void gemm_store(
	const struct gemm_job &job, struct gemm_place place, const float (&sum)[S::TILE_N / 2], int band)
{
	const int lane = threadIdx.x % 32,
		  row = place.row + gemm_row<S>(band) + threadIdx.x % WARPGROUP / 32 * 16 + lane / 4,
		  col = place.col + lane % 4 * 2;

#pragma unroll
	for (int i = 0; i < S::TILE_N / 4; i++) {
		const int r = row + i % 2 * 8, c = col + i / 2 * 8;
		const unsigned pair = gemm_pair(sum[2 * i], sum[2 * i + 1]);
		uint16_t *const to = job.c + (size_t)r * job.row_n + c;

		if (r < job.m && c + 1 < job.n)
			*(unsigned *)to = pair;
		else if (r < job.m && c < job.n)
			*to = (uint16_t)pair;
	}
}

/* A box of C goes to shared memory, swizzled as TMA reads it. Lanes give the addresses of rows for stmatrix(). */
static __device__ __forceinline__ void gemm_fill_box(unsigned char *box, const float *sum)
{
	const int lane = threadIdx.x % 32, row = threadIdx.x % WARPGROUP / 32 * 16 + lane % 16;

#pragma unroll
	for (int i = 0; i < GEMM_BOX / 16; i++, sum += 8)
		stmatrix(box + row * WGMMA_ROW_BYTES + ((2 * i + lane / 16) ^ row % 8) * 16, gemm_pair(sum[0], sum[1]),
			gemm_pair(sum[2], sum[3]), gemm_pair(sum[4], sum[5]), gemm_pair(sum[6], sum[7]));
}

/* TMA stores a band of the tile of C box by box. Nobody waits for the last two: the next products come first. */
template <class S>
static __device__ __forceinline__ void gemm_store_tma(const struct gemm_maps &maps, unsigned char *shared,
	struct gemm_place place, const float (&sum)[S::TILE_N / 2], int band)
{
	const int group = threadIdx.x / WARPGROUP, thread = threadIdx.x % WARPGROUP;
	unsigned char *const boxes = shared + S::STAGES * S::BYTES + group * S::STORE_BYTES;

#pragma unroll
	for (int i = 0; i < S::TILE_N / GEMM_BOX; i++) {
		unsigned char *const box = boxes + i % 2 * S::BOX_BYTES;

		if (thread == 0)
			bulk_wait_read<1>();
		warpgroup_sync(1 + group); // the box is free
		gemm_fill_box(box, &sum[i * GEMM_BOX / 2]);
		tma_fence();
		warpgroup_sync(1 + group); // the box is full
		if (thread == 0) {
			tma_store(&maps.c, box, place.row + gemm_row<S>(band), place.col + i * GEMM_BOX);
			tma_store_commit();
		}
	}
}

/* TMA cuts a box off at C's last column, but writes 16 bytes at once: where a row ends within them, it would write into
 * the gap behind it (seen on an H100). */
template <class S>
static __device__ __forceinline__ bool gemm_tma_can_store(const struct gemm_job &job, struct gemm_place place)
{
	return job.n % GEMM_ALIGN == 0 || place.col + S::TILE_N <= job.n;
}

/* A warpgroup stores what it made of a tile. */
template <class S>
static __device__ __forceinline__ void gemm_finish(const struct gemm_maps &maps, const struct gemm_job &job,
	unsigned char *shared, struct gemm_place place, const float (&sum)[S::BANDS][S::TILE_N / 2])
{
#pragma unroll
	for (int band = 0; band < S::BANDS; band++)
		if (S::FLAGS & GEMM_STORE && gemm_tma_can_store<S>(job, place))
			gemm_store_tma<S>(maps, shared, place, sum[band], band);
		else
			gemm_store<S>(job, place, sum[band], band);
	if (S::FLAGS & GEMM_STORE_WAITS) {
		if (threadIdx.x % WARPGROUP == 0)
			bulk_wait_stored();
		warpgroup_sync(1 + threadIdx.x / WARPGROUP);
	}
}

/* ---- roles ---- */

/* Every thread's first and next unit. */
template <class S> static __device__ __forceinline__ int gemm_first()
{
	return blockIdx.x / S::CLUSTER;
}

template <class S> static __device__ __forceinline__ int gemm_next()
{
	return gridDim.x / S::CLUSTER;
}

/* The producer: one thread fills stages as they become empty. With a single stage it stays until a timed load is
 * done: the stage cannot be empty before. The tile's last load is not timed, since the next tile waits for it. */
template <class S, class TIMER>
static __device__ __forceinline__ void gemm_produce_tile(const struct gemm_maps &maps, unsigned char *shared,
	struct gemm_place place, int steps, uint64_t *full, uint64_t *empty, struct ring_place &now, TIMER &timer)
{
	for (int t = 0; t < steps; t++) {
		const bool stays = TIMER::TIMES && S::STAGES == 1 && t + 1 < steps;

		gemm_timed_wait<S>(&empty[now.stage], now.phase ^ 1, timer);
		if (stays)
			timer.load_begins();
		gemm_load<S>(maps, shared + now.stage * S::BYTES, place, t * WGMMA_K, &full[now.stage]);
		if (stays) {
			gemm_wait<S>(&full[now.stage], now.phase);
			timer.load_ends();
		}
		now.next(S::STAGES);
	}
}

template <class S, class METER>
static __device__ __forceinline__ void gemm_produce(const struct gemm_maps &maps, const struct gemm_job &job,
	unsigned char *shared, uint64_t *full, uint64_t *empty, METER &meter)
{
	struct ring_place now = {0, 0};

	for (int unit = gemm_first<S>(); unit < job.units; unit += gemm_next<S>()) {
		const struct gemm_place place = gemm_place<S>(job, unit);

		meter.tile(job.steps, full, [&](auto &timer) {
			gemm_produce_tile<S>(maps, shared, place, job.steps, full, empty, now, timer);
		});
	}
	meter.leave(ROLE_PRODUCER, full);
}

/* The consumers: they give a stage back when its products are done. The other warpgroup's keep the tensor cores busy
 * meanwhile. */
template <class S, class TIMER>
static __device__ __forceinline__ void gemm_consume_tile(unsigned char *shared, int steps, uint64_t *full,
	uint64_t *empty, struct ring_place &now, float (&sum)[S::BANDS][S::TILE_N / 2], TIMER &timer)
{
	for (int t = 0; t < steps; t++) {
		gemm_timed_wait<S>(&full[now.stage], now.phase, timer);
		gemm_multiply<S>(shared + now.stage * S::BYTES, sum);
		wgmma_wait<0>();
		gemm_release<S>(&empty[now.stage]);
		now.next(S::STAGES);
	}
}

template <class S, class METER>
static __device__ __forceinline__ void gemm_consume(const struct gemm_maps &maps, const struct gemm_job &job,
	unsigned char *shared, uint64_t *full, uint64_t *empty, METER &meter)
{
	struct ring_place now = {0, 0};

	for (int unit = gemm_first<S>(); unit < job.units; unit += gemm_next<S>()) {
		const struct gemm_place place = gemm_place<S>(job, unit);
		float sum[S::BANDS][S::TILE_N / 2] = {};

		meter.tile(job.steps, full,
			[&](auto &timer) { gemm_consume_tile<S>(shared, job.steps, full, empty, now, sum, timer); });
		gemm_finish<S>(maps, job, shared, place, sum);
	}
}

/* Whose turn it is has the tensor cores for itself, and starts the next products before it waits for the last ones.
 * When all of the tile's are started, it is the other's turn. */
template <class S, class TIMER>
static __device__ __forceinline__ void gemm_ping_pong_tile(unsigned char *shared, int steps, uint64_t *full,
	uint64_t *empty, uint64_t *others, struct ring_place &now, float (&sum)[S::BANDS][S::TILE_N / 2], TIMER &timer)
{
	int before = 0;

	for (int t = 0; t < steps; t++) {
		gemm_timed_wait<S>(&full[now.stage], now.phase, timer);
		gemm_multiply<S>(shared + now.stage * S::BYTES, sum);
		if (t > 0) {
			wgmma_wait<1>();
			gemm_release<S>(&empty[before]);
		}
		before = now.stage;
		now.next(S::STAGES);
	}
	if (threadIdx.x % 32 == 0)
		barrier_arrive(others);
	wgmma_wait<0>();
	gemm_release<S>(&empty[before]);
}

/* Consumers in ping-pong: one makes the block's tiles 0, 2, 4 and so on, the other 1, 3, 5. A tile is stored in the
 * other's turn. */
template <class S, class METER>
static __device__ __forceinline__ void gemm_ping_pong(const struct gemm_maps &maps, const struct gemm_job &job,
	unsigned char *shared, uint64_t *full, uint64_t *empty, uint64_t *turn, METER &meter)
{
	static_assert(S::STAGES > 1 || !(S::FLAGS & GEMM_PING_PONG), "a stage is given back when the next one is full");
	const int group = threadIdx.x / WARPGROUP;
	struct ring_place now = {0, 0};
	int tile = 0;

	for (int unit = gemm_first<S>(); unit < job.units; unit += gemm_next<S>(), tile++) {
		const struct gemm_place place = gemm_place<S>(job, unit);
		float sum[S::BANDS][S::TILE_N / 2] = {};

		if (tile % GEMM_GROUPS != group) {
			now.skip(job.steps, S::STAGES);
			continue;
		}
		full_wait(&turn[group], (tile / GEMM_GROUPS ^ (group == 0)) & 1);
		meter.tile(job.steps, full, [&](auto &timer) {
			gemm_ping_pong_tile<S>(shared, job.steps, full, empty, &turn[1 - group], now, sum, timer);
		});
		gemm_finish<S>(maps, job, shared, place, sum);
	}
}

/* Without a producer: the first thread loads the next tile into the stage that all have used up. */
template <class S, class TIMER>
static __device__ __forceinline__ void gemm_steps_in_turns(const struct gemm_maps &maps, unsigned char *shared,
	struct gemm_place place, int steps, uint64_t *full, float (&sum)[S::BANDS][S::TILE_N / 2], TIMER &timer)
{
	struct ring_place now = {0, 0};

	if (S::STAGES == 1)
		timer.load_begins();
	if (threadIdx.x == 0)
		for (int s = 0; s < S::STAGES && s < steps; s++)
			gemm_load<S>(maps, shared + s * S::BYTES, place, s * WGMMA_K, &full[s]);
	for (int t = 0; t < steps; t++) {
		gemm_timed_wait<S>(&full[now.stage], now.phase, timer);
		if (S::STAGES == 1)
			timer.load_ends();
		gemm_multiply<S>(shared + now.stage * S::BYTES, sum);
		wgmma_wait<0>();
		__syncthreads(); // the stage is used up
		timer.behind_barrier(full);
		if (S::STAGES == 1)
			timer.load_begins();
		if (threadIdx.x == 0 && t + S::STAGES < steps)
			gemm_load<S>(maps, shared + now.stage * S::BYTES, place, (t + S::STAGES) * WGMMA_K,
				&full[now.stage]);
		now.next(S::STAGES);
	}
}

template <class S, class METER>
static __device__ __forceinline__ void gemm_in_turns(
	const struct gemm_maps &maps, const struct gemm_job &job, unsigned char *shared, uint64_t *full, METER &meter)
{
	const struct gemm_place place = gemm_place<S>(job, gemm_first<S>());
	float sum[S::BANDS][S::TILE_N / 2] = {};

	meter.tile(job.steps, full,
		[&](auto &timer) { gemm_steps_in_turns<S>(maps, shared, place, job.steps, full, sum, timer); });
	gemm_finish<S>(maps, job, shared, place, sum);
	if (threadIdx.x >= 32)
		meter.forget_loads();
	meter.leave(ROLE_CONSUMER, full);
}

/*
 * Barriers. A stage is filled for the r-th time (from 0) in phase r of its `full`, and used up in phase r of its
 * `empty`; a role counts both by its own place in the ring. Parities tell a phase from its neighbours only, so nobody
 * may fall two phases behind:
 * - The producer fills a stage again when every warp has given it back, and each of them had waited for it to be full.
 *   For the first time it waits for the phase before the first, which counts as over.
 * - In ping-pong a warpgroup leaves out the stages of the other's tile. When it has its turn, the other has waited for
 *   all of these, so that the phase that it waits for is the current one. A turn is over when all four warps of the
 *   other say so, each of which had waited for its own turn, so a turn is never two phases ahead. The first tile's
 *   warpgroup waits for the phase before the first.
 * Without a tile nobody waits. A single step or tile leaves phases that nobody waits for: stages given back, and a
 * turn. In a cluster a stage is also filled by the other block: it does so when the warps of both have given it back.
 * Its bytes may come before this block expects them, which keeps the phase open all the same.
 */
template <class S, class METER>
static __device__ __forceinline__ void gemm_block(const struct gemm_maps &maps, const struct gemm_job &job, METER meter)
{
	extern __shared__ __align__(1024) unsigned char shared[];
	__shared__ uint64_t full[S::STAGES], empty[S::STAGES], turn[GEMM_GROUPS];

	if (threadIdx.x == 0) {
		for (int s = 0; s < S::STAGES; s++) {
			gemm_init<S>(&full[s], 1);
			gemm_init<S>(&empty[s], S::CLUSTER * S::READERS * WARPGROUP / 32);
		}
		for (int group = 0; group < GEMM_GROUPS && S::FLAGS & GEMM_PING_PONG; group++)
			barrier_init(&turn[group], WARPGROUP / 32);
		cluster_init_fence();
		tma_fence();
	}
	__syncwarp();
	if (S::CLUSTER > 1)
		cluster_sync();
	else
		__syncthreads();
	if (!(S::FLAGS & GEMM_PRODUCER)) {
		gemm_in_turns<S>(maps, job, shared, full, meter);
	} else if (threadIdx.x >= GEMM_GROUPS * WARPGROUP) {
		if (S::FLAGS & GEMM_SETMAXNREG)
			registers_give<GEMM_PRODUCER_REGISTERS>();
		if (threadIdx.x == GEMM_GROUPS * WARPGROUP)
			gemm_produce<S>(maps, job, shared, full, empty, meter);
		__syncwarp();
	} else {
		if (S::FLAGS & GEMM_SETMAXNREG)
			registers_take<GEMM_REGISTERS>();
		if (S::FLAGS & GEMM_PING_PONG)
			gemm_ping_pong<S>(maps, job, shared, full, empty, turn, meter);
		else
			gemm_consume<S>(maps, job, shared, full, empty, meter);
		if (S::FLAGS & GEMM_STORE && threadIdx.x % WARPGROUP == 0)
			bulk_wait_stored(); // shared memory lives as long as its block
		meter.leave(ROLE_CONSUMER, full);
	}
	if (S::CLUSTER > 1)
		cluster_sync(); // the other block may still arrive here
}

template <class S>
__global__ void __cluster_dims__(S::CLUSTER, 1, 1) __launch_bounds__(S::THREADS, 1)
	gemm_wgmma(const __grid_constant__ struct gemm_maps maps, const struct gemm_job job)
{
	gemm_block<S>(maps, job, no_meter());
}

template <class S>
__global__ void __cluster_dims__(S::CLUSTER, 1, 1) __launch_bounds__(S::THREADS, 1) gemm_wgmma_roles(
	const __grid_constant__ struct gemm_maps maps, const struct gemm_job job, const struct role_board board)
{
	gemm_block<S>(maps, job, warp_meter(board, blockIdx.x));
}
// end wgmma-1, wgmma-2, producer-2, producer-3, producer-4, producer-5, producer-6, producer-7, wide-2
// end wide-3, wide-4, strips, persistent, store, cluster, without-strips, without-persistent, without-store
// end setmaxnreg, store-waits, without-wide, ping-pong, cpp-barriers, two-stages, one-stage, store-one-stage

/* ---- on the host ---- */

struct gemm_kernel {
	const void *function, *metered;
	int tile_m, tile_n, flags, cluster;
	unsigned threads;
	size_t shared;
};

template <class S> static struct gemm_kernel gemm_kernel_of()
{
	static_assert(S::BYTES == GEMM_STAGE_BYTES(S::TILE_M, S::TILE_N), "role_plan.stage_bytes");
	return {(const void *)gemm_wgmma<S>, (const void *)gemm_wgmma_roles<S>, S::TILE_M, S::TILE_N, S::FLAGS,
		S::CLUSTER, S::THREADS, S::SHARED};
}

static struct gemm_kernel gemm_kernel(enum gemm_rung rung)
{
	switch (rung) {
#define RUNG(name, ...)                                                                                                \
	case GEMM_RUNG_##name:                                                                                         \
		return gemm_kernel_of<gemm_sizes<__VA_ARGS__>>();
		GEMM_RUNGS(RUNG)
#undef RUNG
	}
	return {};
}

static struct gemm_job gemm_job(const struct gemm_state *s, const struct gemm_kernel *k)
{
	const int high = k->tile_m * k->cluster, rows = (s->m + high - 1) / high,
		  cols = (s->n + k->tile_n - 1) / k->tile_n;

	return {s->c, s->m, s->n, s->row_n, (s->k + WGMMA_K - 1) / WGMMA_K, rows, rows * cols};
}

/* `function`: one of the kernel's two. */
static cudaError_t gemm_configure(
	const struct gemm_state *s, const struct gemm_kernel *k, const void *function, struct kernel_config *out)
{
	const int units = gemm_job(s, k).units, at_once = s->sms / k->cluster,
		  taken = k->flags & GEMM_PERSISTENT && units > at_once ? at_once : units;
	const struct kernel_config config = {
		function, {(unsigned)(taken * k->cluster), 1, 1}, {k->threads, 1, 1}, k->shared};

	*out = config;
	return cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)k->shared);
}

cudaError_t gemm_bf16_config_wgmma(void *state, enum gemm_rung rung, struct kernel_config *out)
{
	const struct gemm_kernel kernel = gemm_kernel(rung);

	return gemm_configure((const struct gemm_state *)state, &kernel, kernel.function, out);
}

/* Describes rows of bf16 for boxes of box_rows x 64. */
static cudaError_t gemm_describe(CUtensorMap *out, uint16_t *matrix, int rows, int cols, int row, int box_rows)
{
	const struct tensor_matrix of = {
		matrix, CU_TENSOR_MAP_DATA_TYPE_BFLOAT16, rows, cols, sizeof(uint16_t) * (size_t)row};

	return tensor_map(out, of, (unsigned)box_rows, WGMMA_K, CU_TENSOR_MAP_SWIZZLE_128B);
}

/* Enqueues a launch of one of the kernel's two functions; the metered one takes the board. */
static cudaError_t gemm_launch(struct gemm_state *s, const struct gemm_kernel *kernel, struct kernel_config *config,
	struct role_board *board, cudaStream_t stream, struct enqueued *done)
{
	struct queue q = {done, cudaSuccess};
	struct gemm_maps maps;

	gemm_rotate(s);
	struct gemm_job job = gemm_job(s, kernel);
	void *arguments[] = {&maps, &job, board};

	queue_note(&q, gemm_configure(s, kernel, board ? kernel->metered : kernel->function, config));
	queue_note(&q, gemm_describe(&maps.a, s->a, s->m, s->k, s->row_k, kernel->tile_m));
	queue_note(&q, gemm_describe(&maps.b, s->b, s->n, s->k, s->row_k, kernel->tile_n / kernel->cluster));
	queue_note(&q, gemm_describe(&maps.c, s->c, s->m, s->n, s->row_n, GEMM_BOX));
	queue_kernel(&q, config, arguments, stream);
	return q.error;
}

cudaError_t gemm_bf16_launch_wgmma(void *state, enum gemm_rung rung, cudaStream_t stream, struct enqueued *done)
{
	const struct gemm_kernel kernel = gemm_kernel(rung);
	struct kernel_config config;

	return gemm_launch((struct gemm_state *)state, &kernel, &config, NULL, stream, done);
}

cudaError_t gemm_bf16_launch_roles(void *state, enum gemm_rung rung, cudaStream_t stream,
	const struct role_board *board, struct kernel_config *config)
{
	const struct gemm_kernel kernel = gemm_kernel(rung);
	struct role_board copy = *board;
	struct enqueued done = {};

	return gemm_launch((struct gemm_state *)state, &kernel, config, &copy, stream, &done);
}
