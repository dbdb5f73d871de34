/* sgemm-ladder.cuh: what the kernels of sgemm's ladder share: how a block's tile of C is divided among its threads, the
 * products of two fragments, the store of C, and copies of 16 bytes. */
#ifndef DBPROF_KERNELS_SGEMM_LADDER_CUH
#define DBPROF_KERNELS_SGEMM_LADDER_CUH

#include "cp-async.cuh"

/* What a rung does, besides its sizes. */
enum {
	LADDER_VECTORS = 1,    /* 16 bytes at once, from global and from shared memory; else 4 */
	LADDER_PADDED = 2,     /* rows of A's tile are 4 elements longer than the tile, against bank conflicts */
	LADDER_SWIZZLED = 4,   /* against the same conflicts, elements of A's tile change places in their row */
	LADDER_WARP_TILE = 8,  /* a warp makes a tile that is about square; else full rows of the block's */
	LADDER_FRAGMENTS = 16, /* a thread loads operands for the next step while it computes this one */
	LADDER_SNAKE = 32,     /* rows are gone through forwards and backwards in turn; else forwards */
	LADDER_ASYNC = 64,     /* tiles are loaded by cp.async; else by way of registers */
	LADDER_COLUMNS = 128   /* products go column by column, and the next copies start a step of k later */
};

/* A warp's 32 lanes lie in a grid over its tile of C. */
enum { WARP_ROWS = 8, WARP_COLS = 4 };

/*
 * The sizes of a kernel. A block makes a tile of C of TILE_M x TILE_N in steps of TILE_K, a thread THREAD_M x THREAD_N
 * of its elements, in groups of ROW_GROUP neighbouring rows and COL_GROUP neighbouring columns. Groups of one thread
 * are as far apart as the threads beside it take room.
 */
template <int M, int N, int K, int TM, int TN, int STAGES_, int FLAGS_, int ROW_GROUP_, int COL_GROUP_, int BLOCKS_>
struct ladder_sizes {
	static constexpr int TILE_M = M, TILE_N = N, TILE_K = K, THREAD_M = TM, THREAD_N = TN, STAGES = STAGES_;
	static constexpr int BLOCKS = BLOCKS_; /* of which the compiler shall let so many fit on an SM */
	static constexpr int FLAGS = FLAGS_, ROW_GROUP = ROW_GROUP_, COL_GROUP = COL_GROUP_;
	static constexpr int THREADS = M / TM * (N / TN);
	/* Threads side by side over the tile that is divided among them: a warp's, or the block's. */
	static constexpr int ROWS = FLAGS & LADDER_WARP_TILE ? WARP_ROWS : M / TM;
	static constexpr int COLS = FLAGS & LADDER_WARP_TILE ? WARP_COLS : N / TN;
	static constexpr int WARPS_N = FLAGS & LADDER_WARP_TILE ? N / (WARP_COLS * TN) : 1;
};

/* The first element of this thread in the block's tile of C. */
struct ladder_place {
	int row, col;
};

template <class S> static __device__ __forceinline__ struct ladder_place ladder_place()
{
	const int thread = threadIdx.x % (S::ROWS * S::COLS), part = threadIdx.x / (S::ROWS * S::COLS);
	const int row = thread / S::COLS * S::ROW_GROUP, col = thread % S::COLS * S::COL_GROUP;

	return {part / S::WARPS_N * S::ROWS * S::THREAD_M + row, part % S::WARPS_N * S::COLS * S::THREAD_N + col};
}

/* How far a thread's row i, or column j, is from its first. */
template <class S> static __device__ __forceinline__ constexpr int ladder_row(int i)
{
	return i / S::ROW_GROUP * S::ROWS * S::ROW_GROUP + i % S::ROW_GROUP;
}

template <class S> static __device__ __forceinline__ constexpr int ladder_col(int j)
{
	return j / S::COL_GROUP * S::COLS * S::COL_GROUP + j % S::COL_GROUP;
}

/* sum += a b, the outer product. The order decides which operands the registers' cache still has. */
template <int FLAGS, int TM, int TN>
static __device__ __forceinline__ void ladder_multiply(float (&sum)[TM][TN], const float (&a)[TM], const float (&b)[TN])
{
	constexpr bool COLUMNS = FLAGS & LADDER_COLUMNS, SNAKE = FLAGS & LADDER_SNAKE;
	constexpr int OUTER = COLUMNS ? TN : TM, INNER = COLUMNS ? TM : TN;

#pragma unroll
	for (int x = 0; x < OUTER; x++) {
#pragma unroll
		for (int y = 0; y < INNER; y++) {
			const int turned = SNAKE && x % 2 ? INNER - 1 - y : y;
			const int row = COLUMNS ? turned : x, col = COLUMNS ? x : turned;

			sum[row][col] += a[row] * b[col];
		}
	}
}

/* Four elements, 16-byte aligned. */
static __device__ __forceinline__ void load_4(float *to, const float *from)
{
	const float4 four = *(const float4 *)from;

	to[0] = four.x;
	to[1] = four.y;
	to[2] = four.z;
	to[3] = four.w;
}

/* `count` neighbours, one by one or four at once. */
template <int COUNT> static __device__ __forceinline__ void load_group(float *to, const float *from)
{
	if (COUNT == 4)
		load_4(to, from);
	else
		*to = *from;
}

template <int COUNT> static __device__ __forceinline__ void store_group(float *to, const float *from)
{
	if (COUNT == 4)
		*(float4 *)to = make_float4(from[0], from[1], from[2], from[3]);
	else
		*to = *from;
}

/* Stores what a thread has made of C; `row` and `col` are those of its first element. */
template <class S>
static __device__ __forceinline__ void ladder_store(
	float *C, int M, int N, int row, int col, const float (&sum)[S::THREAD_M][S::THREAD_N])
{
#pragma unroll
	for (int i = 0; i < S::THREAD_M; i++) {
		const int r = row + ladder_row<S>(i);

#pragma unroll
		for (int j = 0; j < S::THREAD_N; j += S::COL_GROUP) {
			const int c = col + ladder_col<S>(j);

			if (r < M && c < N)
				store_group<S::COL_GROUP>(&C[(size_t)r * N + c], &sum[i][j]);
		}
	}
}

/* cp.async of COUNT elements, 1 or 4, aligned alike. Copies of 16 bytes leave out the L1 cache. */
template <int COUNT> static __device__ __forceinline__ void copy_async_group(float *shared, const float *from)
{
#if __CUDA_ARCH__ >= 800
	const unsigned to = (unsigned)__cvta_generic_to_shared(shared);

	if (COUNT == 4)
		copy_async_16(shared, from);
	else
		asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(from) : "memory");
#else
	__trap();
#endif
}

/* The same, or zeros. */
template <int COUNT>
static __device__ __forceinline__ void copy_async_group_or_zeros(float *shared, const float *from, bool inside)
{
#if __CUDA_ARCH__ >= 800
	const unsigned to = (unsigned)__cvta_generic_to_shared(shared);

	if (COUNT == 4)
		asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(inside ? 16 : 0)
			     : "memory");
	else
		asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(to), "l"(from), "r"(inside ? 4 : 0)
			     : "memory");
#else
	__trap();
#endif
}

#endif
