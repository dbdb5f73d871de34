/* sgemm-ladder.cu: from one element of C a thread to the speed of cuBLAS: one kernel, of which each technique can be
 * left out. The rungs with TMA are in sgemm-ladder-tma.cu. */
#include "families.h"
#include "queue.h"
#include "sgemm-ladder.cuh"
#include "sgemm-ladder/state.h"

/* Matrices are row-major: A is M x K, B is K x N, C is M x N. */

// begin one-element
enum { SQUARE = 32 };

/* A block of SQUARE x SQUARE threads makes as many elements of C, in steps of SQUARE. */
__global__ void __launch_bounds__(SQUARE *SQUARE)
	sgemm_one_element(const float *A, const float *B, float *C, int M, int N, int K)
{
	__shared__ float a[SQUARE][SQUARE], b[SQUARE][SQUARE];
	const int x = threadIdx.x % SQUARE, y = threadIdx.x / SQUARE;
	const int row = blockIdx.y * SQUARE + y, col = blockIdx.x * SQUARE + x;
	float sum = 0.0f;

	for (int t = 0; t < K; t += SQUARE) {
		a[y][x] = row < M && t + x < K ? A[row * K + t + x] : 0.0f;
		b[y][x] = t + y < K && col < N ? B[(t + y) * N + col] : 0.0f;
		__syncthreads(); // the tile is loaded
		for (int k = 0; k < SQUARE; k++)
			sum += a[y][k] * b[k][x];
		__syncthreads(); // the tile is used up
	}
	if (row < M && col < N)
		C[row * N + col] = sum;
}
// end one-element

// begin register-tile, vector-loads, swizzled-rows, padded-rows, warp-tile, two-buffers, wide-tile
// begin two-fragments, async-2, async-3, async-4, async-5, snake, wide-block, reordered, without-vectors
// begin without-padding, without-warp-tile, without-wide-tile, without-wide-block, without-fragments
// begin without-async, two-stages, one-stage
/* A's tile lies transposed in shared memory, so that a thread finds its rows of one k side by side. */
template <class S> struct ladder_kernel_sizes : S {
	static constexpr bool VECTORS = S::FLAGS & LADDER_VECTORS, ASYNC = S::FLAGS & LADDER_ASYNC;
	static constexpr int A_ROW = S::TILE_M + (S::FLAGS & LADDER_PADDED ? 4 : 0);
	static constexpr int A_LENGTH = S::TILE_K * A_ROW, LENGTH = A_LENGTH + S::TILE_K * S::TILE_N;
	/* Elements that a thread loads at once. cp.async cannot transpose, so it takes those of A one by one. */
	static constexpr int A_GROUP = VECTORS && !ASYNC ? 4 : 1, B_GROUP = VECTORS ? 4 : 1;
	static constexpr int A_ROWS = S::THREADS / (S::TILE_K / A_GROUP), B_ROWS = S::THREADS / (S::TILE_N / B_GROUP);
	static constexpr int A_LOADS = S::TILE_M / A_ROWS, B_LOADS = S::TILE_K / B_ROWS;
};

template <class S> static __device__ __forceinline__ int ladder_a_index(int k, int row)
{
	return k * S::A_ROW + (S::FLAGS & LADDER_SWIZZLED ? row ^ (k % 8 * 4) : row);
}

/* What a thread loads of the tiles, one after another. Beyond an edge of C it loads what it may, and nobody stores what
 * comes of that. Beyond the end of K there are zeros. */
template <class S> struct ladder_loads {
	const float *a, *b; /* its first elements of the next tile */
	int a_row[S::A_LOADS], b_row;
	int left; /* of K, from the next tile on */
	int a_k, a_m, b_k, b_n;
	float a_value[S::A_LOADS][S::A_GROUP], b_value[S::B_LOADS][S::B_GROUP];

	__device__ __forceinline__ ladder_loads(const float *A, const float *B, int M, int N, int K)
	    : b_row(N), left(K), a_k(threadIdx.x % (S::TILE_K / S::A_GROUP) * S::A_GROUP),
	      a_m(threadIdx.x / (S::TILE_K / S::A_GROUP)), b_k(threadIdx.x / (S::TILE_N / S::B_GROUP)),
	      b_n(threadIdx.x % (S::TILE_N / S::B_GROUP) * S::B_GROUP)
	{
		a = A + a_k;
		b = B + (size_t)b_k * N + min((int)blockIdx.x * S::TILE_N + b_n, N - S::B_GROUP);
#pragma unroll
		for (int i = 0; i < S::A_LOADS; i++)
			a_row[i] = min((int)blockIdx.y * S::TILE_M + a_m + i * S::A_ROWS, M - 1) * K;
	}
	__device__ __forceinline__ void next()
	{
		a += S::TILE_K;
		b += (size_t)S::TILE_K * b_row;
		left -= S::TILE_K;
	}
	/* Starts cp.async of the next tile, which lies within K. */
	__device__ __forceinline__ void copy_full(float *stage)
	{
#pragma unroll
		for (int i = 0; i < S::A_LOADS; i++)
			copy_async_group<S::A_GROUP>(to_a(stage, i, 0), a + a_row[i]);
#pragma unroll
		for (int i = 0; i < S::B_LOADS; i++)
			copy_async_group<S::B_GROUP>(to_b(stage, i), b + (size_t)i * S::B_ROWS * b_row);
	}
	/* The same for the last tile: what is outside comes from its first column or row, as zeros. */
	__device__ __forceinline__ void copy_last(float *stage)
	{
#pragma unroll
		for (int i = 0; i < S::A_LOADS; i++) {
			const bool inside = a_k < left;

			copy_async_group_or_zeros<S::A_GROUP>(
				to_a(stage, i, 0), a + a_row[i] - (inside ? 0 : a_k), inside);
		}
#pragma unroll
		for (int i = 0; i < S::B_LOADS; i++) {
			const int k = b_k + i * S::B_ROWS;
			const bool inside = k < left;

			copy_async_group_or_zeros<S::B_GROUP>(
				to_b(stage, i), b + (size_t)(inside ? i * S::B_ROWS : -b_k) * b_row, inside);
		}
	}
	__device__ __forceinline__ void copy(float *stage)
	{
		if (left >= S::TILE_K)
			copy_full(stage);
		else if (left > 0)
			copy_last(stage);
		copy_async_commit();
		next();
	}
	/* Loads the next tile into registers. */
	__device__ __forceinline__ void fetch()
	{
#pragma unroll
		for (int i = 0; i < S::A_LOADS; i++) {
			if (a_k < left)
				load_group<S::A_GROUP>(a_value[i], a + a_row[i]);
			else
				for (int x = 0; x < S::A_GROUP; x++)
					a_value[i][x] = 0.0f;
		}
#pragma unroll
		for (int i = 0; i < S::B_LOADS; i++) {
			if (b_k + i * S::B_ROWS < left)
				load_group<S::B_GROUP>(b_value[i], b + (size_t)i * S::B_ROWS * b_row);
			else
				for (int x = 0; x < S::B_GROUP; x++)
					b_value[i][x] = 0.0f;
		}
		next();
	}
	/* Stores what was fetched. */
	__device__ __forceinline__ void put(float *stage)
	{
#pragma unroll
		for (int i = 0; i < S::A_LOADS; i++)
#pragma unroll
			for (int x = 0; x < S::A_GROUP; x++)
				*to_a(stage, i, x) = a_value[i][x];
#pragma unroll
		for (int i = 0; i < S::B_LOADS; i++)
			store_group<S::B_GROUP>(to_b(stage, i), b_value[i]);
	}

      private:
	__device__ __forceinline__ float *to_a(float *stage, int i, int x) const
	{
		return &stage[ladder_a_index<S>(a_k + x, a_m + i * S::A_ROWS)];
	}
	__device__ __forceinline__ float *to_b(float *stage, int i) const
	{
		return &stage[S::A_LENGTH + (b_k + i * S::B_ROWS) * S::TILE_N + b_n];
	}
};

/* The ring of stages, each a tile of A and one of B. */
template <class S> struct ladder_ring {
	float *ring;
	struct ladder_loads<S> &loads;
	int now, spare; /* the stage that is computed, and the one that is filled meanwhile */

	__device__ __forceinline__ float *stage(int i) const
	{
		return &ring[i * S::LENGTH];
	}
	/* Fills all stages but one, or the only one, and waits for the first tile. */
	__device__ __forceinline__ void begin()
	{
		if (S::ASYNC) {
#pragma unroll
			for (int t = 0; t < (S::STAGES > 1 ? S::STAGES - 1 : 1); t++)
				loads.copy(stage(t));
			copy_async_wait<(S::STAGES > 1 ? S::STAGES - 2 : 0)>();
		} else {
			loads.fetch();
			loads.put(stage(0));
		}
		__syncthreads();
	}
	/* Starts to load the next tile that has none of the stages yet. */
	__device__ __forceinline__ void ahead()
	{
		if (S::STAGES > 1 && S::ASYNC)
			loads.copy(stage(spare));
		else if (S::STAGES > 1)
			loads.fetch();
	}
	/* The threads have used up a tile; the next one is there behind this. */
	__device__ __forceinline__ void turn()
	{
		if (S::STAGES == 1) {
			__syncthreads();
			if (S::ASYNC)
				loads.copy(ring);
			else
				loads.fetch();
		}
		if (S::ASYNC)
			copy_async_wait<(S::STAGES > 1 ? S::STAGES - 2 : 0)>();
		else
			loads.put(stage(spare));
		__syncthreads();
		spare = now;
		now = now + 1 < S::STAGES ? now + 1 : 0;
	}
};

/* What a thread multiplies in one step of k: its rows of A's tile and its columns of B's. */
template <class S> struct ladder_fragments {
	float a[S::THREAD_M], b[S::THREAD_N];

	__device__ __forceinline__ void load(const float *stage, struct ladder_place place, int k)
	{
		const float *const as = &stage[ladder_a_index<S>(k, place.row)];
		const float *const bs = &stage[S::A_LENGTH + k * S::TILE_N + place.col];

#pragma unroll
		for (int i = 0; i < S::THREAD_M; i += S::ROW_GROUP)
			load_group<S::ROW_GROUP>(&a[i], as + ladder_row<S>(i));
#pragma unroll
		for (int j = 0; j < S::THREAD_N; j += S::COL_GROUP)
			load_group<S::COL_GROUP>(&b[j], bs + ladder_col<S>(j));
	}
};

template <class S>
__global__ void __launch_bounds__(S::THREADS, S::BLOCKS)
	sgemm_ladder(const float *A, const float *B, float *C, int M, int N, int K)
{
	extern __shared__ __align__(16) float ring[];
	constexpr bool EARLY = S::FLAGS & LADDER_FRAGMENTS;
	constexpr int AHEAD = S::FLAGS & LADDER_COLUMNS ? 1 : 0; // the step of k at which copies are started
	const struct ladder_place place = ladder_place<S>();
	struct ladder_loads<S> loads(A, B, M, N, K);
	struct ladder_ring<S> tiles = {
		ring, loads, 0, S::STAGES - 1
	};
	struct ladder_fragments<S> fragments[2];
	float sum[S::THREAD_M][S::THREAD_N] = {};

	tiles.begin();
	if (EARLY)
		fragments[0].load(tiles.stage(0), place, 0);
#pragma unroll 1
	for (int t = 0; t * S::TILE_K < K; t++) {
#pragma unroll
		for (int k = 0; k < S::TILE_K; k++) {
			if (EARLY && k == S::TILE_K - 1)
				tiles.turn();
			if (k == AHEAD)
				tiles.ahead();
			if (EARLY)
				fragments[(k + 1) % 2].load(tiles.stage(tiles.now), place, (k + 1) % S::TILE_K);
			else
				fragments[k % 2].load(tiles.stage(tiles.now), place, k);
			ladder_multiply<S::FLAGS>(sum, fragments[k % 2].a, fragments[k % 2].b);
		}
		if (!EARLY)
			tiles.turn();
	}
	ladder_store<S>(C, M, N, blockIdx.y * S::TILE_M + place.row, blockIdx.x * S::TILE_N + place.col, sum);
}
// end register-tile, vector-loads, swizzled-rows, padded-rows, warp-tile, two-buffers, wide-tile
// end two-fragments, async-2, async-3, async-4, async-5, snake, wide-block, reordered, without-vectors
// end without-padding, without-warp-tile, without-wide-tile, without-wide-block, without-fragments
// end without-async, two-stages, one-stage

/* ---- on the host ---- */

typedef void ladder_kernel(const float *A, const float *B, float *C, int M, int N, int K);

static struct product_size sgemm_ladder_size(const struct size_case *size)
{
	const struct product_size p = {product_side(size, LADDER_PARAM_M, LADDER_PARAM_SIZE),
		product_side(size, LADDER_PARAM_N, LADDER_PARAM_SIZE),
		product_side(size, LADDER_PARAM_K, LADDER_PARAM_SIZE)};

	return p;
}

static size_t sgemm_ladder_device_bytes(const struct size_case *size)
{
	return product_device_bytes(sgemm_ladder_size(size));
}

/* The matrices: the rows of the reference are small beside them. */
static size_t sgemm_ladder_host_bytes(const struct size_case *size)
{
	return product_bytes(sgemm_ladder_size(size));
}

static void sgemm_ladder_work(const struct size_case *size, struct work *out)
{
	const struct product_size p = sgemm_ladder_size(size);

	out->elements = (double)p.m * p.n;
	out->flops = 2 * out->elements * p.k;
	out->bytes = (double)product_bytes(p);
}

static cudaError_t sgemm_ladder_set_up(
	const struct size_case *size, uint64_t seed, void **state, char *message, size_t message_size)
{
	struct sgemm_ladder_state *s = (struct sgemm_ladder_state *)state_new(sizeof(*s), message, message_size);

	*state = NULL;
	if (!s)
		return cudaErrorMemoryAllocation;
	product_set_up(&s->product, size, sgemm_ladder_size(size), 1, seed);
	return state_ready(s, state);
}

static void sgemm_ladder_tear_down(void *state)
{
	struct sgemm_ladder_state *s = (struct sgemm_ladder_state *)state;

	if (s && s->handle)
		(void)cublas_load()->destroy(s->handle);
	state_free(state);
}

/* A launch of `function` with blocks of `threads` that make tiles of C of rows x cols. */
static cudaError_t ladder_configure(const void *state, const void *function, int rows, int cols, int threads,
	size_t dynamic, struct kernel_config *out)
{
	const struct product *p = (const struct product *)state;
	const struct kernel_config config = {function,
		{(unsigned)((p->n + cols - 1) / cols), (unsigned)((p->m + rows - 1) / rows), 1},
		{(unsigned)threads, 1, 1}, dynamic};

	*out = config;
	return dynamic == 0 ? cudaSuccess
			    : cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, (int)dynamic);
}

typedef cudaError_t ladder_config(void *state, struct kernel_config *out);

template <ladder_config *CONFIG>
static cudaError_t ladder_launch(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct product *p = (struct product *)state;
	struct queue q = {done, cudaSuccess};
	struct kernel_config config;
	void *arguments[] = {&p->a, &p->b, &p->c, &p->m, &p->n, &p->k};

	product_rotate(p);
	queue_note(&q, CONFIG(state, &config));
	queue_kernel(&q, &config, arguments, stream);
	return q.error;
}

static cudaError_t config_one_element(void *state, struct kernel_config *out)
{
	return ladder_configure(state, (const void *)sgemm_one_element, SQUARE, SQUARE, SQUARE * SQUARE, 0, out);
}

/* Tiles of C of TILE_M x TILE_N, of a thread THREAD_M x THREAD_N; see struct ladder_sizes. */
template <int TILE_M, int TILE_N, int THREAD_M, int THREAD_N, int BLOCKS, int STAGES, int FLAGS>
static cudaError_t config_rung(void *state, struct kernel_config *out)
{
	enum { STEP = 8, GROUP = FLAGS & LADDER_VECTORS ? 4 : 1 };
	typedef ladder_kernel_sizes<
		ladder_sizes<TILE_M, TILE_N, STEP, THREAD_M, THREAD_N, STAGES, FLAGS, GROUP, GROUP, BLOCKS>>
		sizes;

	return ladder_configure(state, (const void *)(ladder_kernel *)sgemm_ladder<sizes>, TILE_M, TILE_N,
		sizes::THREADS, sizeof(float) * sizes::LENGTH * STAGES, out);
}

static const char *vectors_unsupported(const struct cudaDeviceProp *, const struct size_case *size)
{
	const struct product_size p = sgemm_ladder_size(size);

	return p.n % 4 == 0 && p.k % 4 == 0
		       ? NULL
		       : "rows of A and B do not begin at multiples of 16 bytes: n and k have to be multiples of 4";
}

static const char *async_vectors_unsupported(const struct cudaDeviceProp *device, const struct size_case *size)
{
	const char *why = cp_async_unsupported(device, size);

	return why ? why : vectors_unsupported(device, size);
}

static void prepare_pedantic_cublas(void *state, cudaStream_t)
{
	(void)cublas_ready(&((struct sgemm_ladder_state *)state)->handle);
}

// begin cublas
static cudaError_t launch_pedantic_cublas(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct sgemm_ladder_state *s = (struct sgemm_ladder_state *)state;

	return cublas_multiply(&s->handle, CUBLAS_PEDANTIC_MATH, &s->product, stream, done);
}
// end cublas

static const struct param params[] = {
	{"m", "rows", "rows of A and C", 1, 8192},
	{"n", "columns", "columns of B and C", 1, 8192},
	{"k", "elements", "columns of A, rows of B: the length of each sum", 1, 8192},
	{"size", "rows and columns", "those of m, n and k that are not set; 0: none", 0, 8192},
};

static const struct size_case cases[] = {
	{"4096", {4096, 4096, 4096}, false},
	{"1024", {1024, 1024, 1024}, false},
	{"ragged", {333, 517, 259}, true},
	{"ragged-by-4", {332, 516, 260}, true},
	{"less-than-a-tile", {5, 3, 7}, true},
	{"less-than-a-tile-by-4", {5, 8, 4}, true},
};

/* A rung by the text of sgemm_ladder(); what follows `unsupported_` is what config_rung() takes. */
#define RUNG(name_, buffers_, summary_, rung_, unsupported_, ...)                                                      \
	{                                                                                                              \
		.name = name_, .summary = summary_, .kind = VARIANT_CANDIDATE, .buffers = buffers_,                    \
		.launch = ladder_launch<config_rung<__VA_ARGS__>>, .unsupported = unsupported_,                        \
		.config = config_rung<__VA_ARGS__>, .rung = rung_,                                                     \
	}
#define STEP(...)                                                                                                      \
	{                                                                                                              \
		__VA_ARGS__                                                                                            \
	}

/* What the rungs are made of. */
enum {
	TILED = LADDER_VECTORS | LADDER_PADDED | LADDER_WARP_TILE,
	STAGED = TILED | LADDER_FRAGMENTS | LADDER_ASYNC,
	TOP = STAGED | LADDER_COLUMNS
};

static const struct variant variants[] = {
	{
		.name = "one-element",
		.summary = "one element of C a thread, in blocks of 32 x 32 threads and steps of 32",
		.kind = VARIANT_CANDIDATE,
		.buffers = 1,
		.launch = ladder_launch<config_one_element>,
		.config = config_one_element,
		.rung = {.step = 1},
	},
	RUNG("register-tile", 1, "8 x 8 elements a thread: blocks of 128 x 128, 256 threads, steps of 8",
		STEP(2, "one-element", "8 x 8 elements a thread"), NULL, 128, 128, 8, 8, 2, 1, 0),
	RUNG("vector-loads", 1, "global and shared memory are read 16 bytes at once",
		STEP(3, "register-tile", "16-byte loads"), vectors_unsupported, 128, 128, 8, 8, 2, 1, LADDER_VECTORS),
	RUNG("swizzled-rows", 1,
		"elements of A's tile change places in their row, against bank conflicts of the stores",
		STEP(4, "vector-loads", "swizzle"), vectors_unsupported, 128, 128, 8, 8, 2, 1,
		LADDER_VECTORS | LADDER_SWIZZLED),
	RUNG("padded-rows", 1, "rows of A's tile are padded by 4 elements, against the same conflicts",
		STEP(5, "vector-loads", "padding"), vectors_unsupported, 128, 128, 8, 8, 2, 1,
		LADDER_VECTORS | LADDER_PADDED),
	RUNG("warp-tile", 1, "a warp makes 64 x 32 elements rather than 16 x 128", STEP(6, "padded-rows", "warp tile"),
		vectors_unsupported, 128, 128, 8, 8, 2, 1, TILED),
	RUNG("two-buffers", 2, "the next tile goes into registers, then into a second buffer; one barrier a tile",
		STEP(7, "warp-tile", "second buffer"), vectors_unsupported, 128, 128, 8, 8, 2, 2, TILED),
	RUNG("wide-tile", 2, "8 x 16 elements a thread, and half the threads",
		STEP(8, "two-buffers", "8 x 16 elements a thread"), vectors_unsupported, 128, 128, 8, 16, 2, 2, TILED),
	RUNG("two-fragments", 2, "operands of the next step are loaded from shared memory during this one",
		STEP(9, "wide-tile", "second fragments"), vectors_unsupported, 128, 128, 8, 16, 2, 2,
		TILED | LADDER_FRAGMENTS),
	RUNG("async-2", 2, "cp.async instead of registers: of 16 bytes for B, of 4 for A, which it transposes",
		STEP(10, "two-fragments", "cp.async"), async_vectors_unsupported, 128, 128, 8, 16, 2, 2, STAGED),
	RUNG("async-3", 3, "three stages, two tiles ahead", STEP(11, "async-2", "third stage"),
		async_vectors_unsupported, 128, 128, 8, 16, 2, 3, STAGED),
	RUNG("async-4", 4, "four stages, three tiles ahead", STEP(12, "async-3", "fourth stage"),
		async_vectors_unsupported, 128, 128, 8, 16, 2, 4, STAGED),
	RUNG("async-5", 5, "five stages, four tiles ahead", STEP(13, "async-4", "fifth stage"),
		async_vectors_unsupported, 128, 128, 8, 16, 2, 5, STAGED),
	RUNG("snake", 4, "rows of the register tile are gone through forwards and backwards in turn",
		STEP(14, "async-4", "rows to and fro"), async_vectors_unsupported, 128, 128, 8, 16, 2, 4,
		STAGED | LADDER_SNAKE),
	{
		.name = "k-major",
		.summary = "A's tile as A lies, swizzled: cp.async of 16 bytes for A too, in steps of 32",
		.kind = VARIANT_CANDIDATE,
		.buffers = 3,
		.launch = sgemm_ladder_launch_k_major,
		.unsupported = async_vectors_unsupported,
		.config = sgemm_ladder_config_k_major,
		.rung = {15, "snake", "A not transposed", "steps of 32 instead of 8, three stages instead of four"},
		.file = "sgemm-ladder-k-major.cu",
	},
	{
		.name = "tma",
		.summary = "one thread has TMA copy both tiles, edges and swizzle included",
		.kind = VARIANT_CANDIDATE,
		.buffers = 3,
		.launch = sgemm_ladder_launch_tma,
		.unsupported = vectors_unsupported,
		.config = sgemm_ladder_config_tma,
		.rung = {16, "k-major", "TMA"},
		.file = "sgemm-ladder-tma.cu",
	},
	RUNG("wide-block", 4, "blocks of 128 x 256 and 256 threads", STEP(17, "async-4", "blocks twice as wide"),
		async_vectors_unsupported, 128, 256, 8, 16, 1, 4, STAGED),
	RUNG("reordered", 4,
		"products column by column, copies started one step later: other input for the compiler's scheduler",
		STEP(18, "wide-block", "order of instructions"), async_vectors_unsupported, 128, 256, 8, 16, 1, 4, TOP),
	RUNG("without-vectors", 4, "the top rung with loads and copies of 4 bytes",
		STEP(0, "reordered", "16-byte loads"), cp_async_unsupported, 128, 256, 8, 16, 1, 4,
		TOP & ~LADDER_VECTORS),
	RUNG("without-padding", 4, "the top rung with rows of A's tile that are not padded",
		STEP(0, "reordered", "padding"), async_vectors_unsupported, 128, 256, 8, 16, 1, 4,
		TOP & ~LADDER_PADDED),
	RUNG("without-warp-tile", 4, "the top rung with warps that make 16 x 256 elements",
		STEP(0, "reordered", "warp tile"), async_vectors_unsupported, 128, 256, 8, 16, 1, 4,
		TOP & ~LADDER_WARP_TILE),
	RUNG("without-wide-tile", 4, "the top rung with 8 x 8 elements a thread, and twice the threads",
		STEP(0, "reordered", "8 x 16 elements a thread"), async_vectors_unsupported, 128, 256, 8, 8, 1, 4, TOP),
	RUNG("without-wide-block", 4, "the top rung with blocks of 128 x 128 and 128 threads, two on an SM",
		STEP(0, "reordered", "blocks twice as wide"), async_vectors_unsupported, 128, 128, 8, 16, 2, 4, TOP),
	RUNG("without-fragments", 4, "the top rung, loading operands when they are needed",
		STEP(0, "reordered", "second fragments"), async_vectors_unsupported, 128, 256, 8, 16, 1, 4,
		TOP & ~LADDER_FRAGMENTS),
	RUNG("without-async", 2, "the top rung with tiles that come by way of registers",
		STEP(0, "reordered", "cp.async", "third and fourth stage"), vectors_unsupported, 128, 256, 8, 16, 1, 2,
		TOP & ~LADDER_ASYNC),
	RUNG("two-stages", 2, "the top rung with two stages", STEP(0, "reordered", "third and fourth stage"),
		async_vectors_unsupported, 128, 256, 8, 16, 1, 2, TOP),
	RUNG("one-stage", 1, "the top rung with a single buffer", STEP(0, "reordered", "all stages but one"),
		async_vectors_unsupported, 128, 256, 8, 16, 1, 1, TOP),
	{
		.name = "cublas",
		.summary = "the library's SGEMM (cublasSgemm) in pedantic math mode: float all the way",
		.kind = VARIANT_REFERENCE,
		.opaque_launches = true,
		.launch = launch_pedantic_cublas,
		.prepare = prepare_pedantic_cublas,
		.unsupported = cublas_unsupported,
		.kernel = "sgemm|f32f32_f32f32|gemv",
	},
};

extern "C" const struct family family_sgemm_ladder = {
	.name = "sgemm-ladder",
	.title = "Ladder to cuBLAS (SGEMM)",
	.question = "Between the tiled matrix product of the textbook and cuBLAS there is a factor of six. Which steps "
		    "bring it, and which of them are still worth something at the top?",
	.teaches =
		"Each rung changes one thing over a rung below it. The register tile brings most of it: a value from "
		"shared memory is used 8 or 16 times instead of once. From there on instructions count, not bytes. An "
		"SM issues at most four of them in a cycle, and each that is no product costs one. Hence 16-byte "
		"loads, "
		"wider register tiles, wider blocks. What is left then are products that wait for their registers: "
		"three "
		"operands from two banks. Nothing in CUDA C++ rules that, but another order of the same source makes "
		"the "
		"compiler choose other registers. Buffers help little where a second block on the SM computes "
		"meanwhile, and much where there is none. A gain depends on the rungs below it. So each technique is "
		"also "
		"taken away from the top rung alone. The pair is the ladder's first second buffer.",
	.source = "\"Efficient GEMM in CUDA\", a chapter of the documentation of CUTLASS",
	.file = "sgemm-ladder.cu",
	.throughput = "GFLOP/s",
	.bound_by = "device memory",
	.params = params,
	.nparams = sizeof(params) / sizeof(params[0]),
	.cases = cases,
	.ncases = sizeof(cases) / sizeof(cases[0]),
	.variants = variants,
	.nvariants = sizeof(variants) / sizeof(variants[0]),
	.single = "warp-tile",
	.double_ = "two-buffers",
	.on_demand = true,
	.device_bytes = sgemm_ladder_device_bytes,
	.host_bytes = sgemm_ladder_host_bytes,
	.work = sgemm_ladder_work,
	.set_up = sgemm_ladder_set_up,
	.tear_down = sgemm_ladder_tear_down,
	.poison = product_poison,
	.check = product_check,
};
