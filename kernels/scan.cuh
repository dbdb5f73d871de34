/*
 * scan.cuh: what the two families of block-local scans share: state, reference, launch, step-by-step picture.
 *
 * A variant of such a family is a type V with
 *     template <typename T, int BLOCK, class Probe> static const void *kernel();  its kernel (in, out, n, scans)
 *     template <typename T, int BLOCK> static const void *phases();  with time stamps (in, out, n, scans, board)
 *     static const bool ints;    whether the kernel exists for int as well as float
 *     static const bool races;   whether a thread reads elements that others overwrite in the same step
 *     static const int chain;    additions behind one result, one after another, at most: for the tolerance
 * phases() may be missing: the variant then has no launch_phases.
 */
#ifndef DBPROF_KERNELS_SCAN_CUH
#define DBPROF_KERNELS_SCAN_CUH

#include <math.h>

#include "block-limit.h"
#include "compare-parallel.h"
#include "phase.cuh"
#include "queue.h"
#include "random.h"
#include "resources.h"
#include "rotate.h"
#include "scan-shape.h"
#include "variant.h"

enum scan_type { SCAN_FLOAT, SCAN_INT };

/* Steps of a scan of the largest block by doubling strides, log2(1024): each adds once to an element at most. */
enum { SCAN_STEPS = 10 };

/* The blocks that there are kernels for, see scan_kernel_for(). */
static const int64_t scan_blocks[] = {128, 256, 512, 1024, 0};

/* What a case says. */
struct scan_setting {
	int64_t n, block, scans;
	enum scan_type type;
	int64_t blocks; /* per SM at most; 0: as many as fit */
};

struct scan_state {
	struct resources resources;
	struct block_limit limit;
	int64_t n;
	int block, scans;
	enum scan_type type;
	struct rotation rotation;
	struct rotated all_in, all_out; /* device: in all slots */
	void *in, *out;                 /* of the slot of the last launch */
	void *host_in, *host_out;       /* n elements each */
	bool copied;                    /* the last launch only copied its input */
	int chain;                      /* that of the last variant launched, unless it only copied */
};

/* ---- the eight-element picture ---- */

struct step_board {
	float in[STEP_ELEMENTS], out[STEP_ELEMENTS];
	double value[STEP_MAX_ROWS][STEP_ELEMENTS];
};

static __device__ struct step_board step_board;

/* The probe of the kernels that are timed: nothing. */
struct no_probe {
	static __device__ void after(int, double)
	{
	}
};

/* The probe of the picture: row 1 after stride 1, row 2 after stride 2, row 3 after stride 4. */
struct step_probe {
	static __device__ void after(int stride, double value)
	{
		step_board.value[32 - __clz(stride)][threadIdx.x] = value;
	}
};

/* ---- set-up, reference, check ---- */

/* What one launch reads and writes. */
static inline size_t scan_bytes(int64_t n)
{
	return 2 * sizeof(float) * (size_t)n;
}

static inline size_t scan_device_bytes(int64_t n)
{
	return rotate_bytes(scan_bytes(n), 2);
}

/* Lets `in` and `out` be those of the next slot: every launch begins with it. */
static inline void scan_rotate(struct scan_state *s)
{
	rotate_next(&s->rotation);
	s->in = rotate_now(&s->rotation, &s->all_in);
	s->out = rotate_now(&s->rotation, &s->all_out);
}

static inline void scan_fill(struct scan_state *s, uint64_t seed)
{
	struct splitmix random = {seed};

	if (s->resources.error != cudaSuccess)
		return;
	if (s->type == SCAN_INT)
		random_ints(&random, (int *)s->host_in, (size_t)s->n);
	else
		random_floats(&random, (float *)s->host_in, (size_t)s->n);
}

static inline cudaError_t scan_set_up(
	const struct scan_setting *setting, uint64_t seed, void **state, char *message, size_t message_size)
{
	struct scan_state *s = (struct scan_state *)state_new(sizeof(*s), message, message_size);
	const size_t bytes = sizeof(float) * (size_t)setting->n; /* an int is as long */

	*state = NULL;
	if (!s)
		return cudaErrorMemoryAllocation;
	s->n = setting->n;
	s->block = (int)setting->block;
	s->type = setting->type;
	s->scans = (int)setting->scans;
	s->limit.blocks = (int)setting->blocks;
	s->host_in = resources_memory(&s->resources, RESOURCE_HOST, bytes);
	s->host_out = resources_memory(&s->resources, RESOURCE_HOST, bytes);
	s->rotation = rotate_begin(&s->resources, 2 * rotate_stride(bytes));
	s->all_in = rotate_memory(&s->resources, &s->rotation, bytes);
	s->all_out = rotate_memory(&s->resources, &s->rotation, bytes);
	scan_fill(s, seed);
	rotate_upload(&s->resources, &s->rotation, &s->all_in, s->host_in, bytes);
	scan_rotate(s);
	return state_ready(s, state);
}

static inline cudaError_t scan_poison(void *state, cudaStream_t stream)
{
	struct scan_state *s = (struct scan_state *)state;

	return rotate_poison(&s->rotation, &s->all_out, stream);
}

/*
 * The reference is made here, in step with the comparison: a running sum in double precision that starts anew at each
 * block. The tolerance is the bound of the standard rounding model: a sum whose results pass through at most c
 * additions is off by at most c u sum|x| (u the unit roundoff, terms in u^2 left out).
 */
static void scan_compare_floats(const void *user, size_t first, size_t n, struct check_result *r)
{
	const struct scan_state *s = (const struct scan_state *)user;
	const float *in = (const float *)s->host_in, *out = (const float *)s->host_out;
	double sum = 0, magnitude = 0;

	for (size_t i = first; i < first + n; i++) {
		if (i % (size_t)s->block == 0)
			sum = magnitude = 0;
		sum += in[i];
		magnitude += fabs((double)in[i]);
		if (s->copied)
			compare_next(r, out[i], in[i], 0);
		else
			compare_next(r, out[i], sum, s->chain * FLOAT_ROUNDOFF * magnitude);
	}
}

static void scan_compare_ints(const void *user, size_t first, size_t n, struct check_result *r)
{
	const struct scan_state *s = (const struct scan_state *)user;
	const int *in = (const int *)s->host_in, *out = (const int *)s->host_out;
	int64_t sum = 0;

	for (size_t i = first; i < first + n; i++) {
		if (i % (size_t)s->block == 0)
			sum = 0;
		sum += in[i];
		compare_next(r, compare_int(out[i]), (double)(s->copied ? in[i] : sum), INT_TOLERANCE);
	}
}

static inline cudaError_t scan_check(void *state, struct check_result *out)
{
	struct scan_state *s = (struct scan_state *)state;
	cudaError_t error = cudaDeviceSynchronize();

	if (error == cudaSuccess)
		error = cudaMemcpy(s->host_out, s->out, sizeof(float) * (size_t)s->n, cudaMemcpyDeviceToHost);
	if (error != cudaSuccess)
		return error;
	compare_parallel(
		(size_t)s->n, (size_t)s->block, s->type == SCAN_INT ? scan_compare_ints : scan_compare_floats, s, out);
	return cudaSuccess;
}

/* ---- launch ---- */

template <class V, typename T> const void *scan_kernel_for(int block)
{
	switch (block) {
	case 128:
		return V::template kernel<T, 128, no_probe>();
	case 256:
		return V::template kernel<T, 256, no_probe>();
	case 512:
		return V::template kernel<T, 512, no_probe>();
	default:
		return V::template kernel<T, 1024, no_probe>();
	}
}

template <class V> const void *scan_kernel(const struct scan_state *s)
{
	if constexpr (V::ints) {
		if (s->type == SCAN_INT)
			return scan_kernel_for<V, int>(s->block);
	}
	return scan_kernel_for<V, float>(s->block);
}

/* `function` on all elements, with no more blocks on an SM than the case allows. */
static inline cudaError_t scan_configure(struct scan_state *s, const void *function, struct kernel_config *out)
{
	*out = config_linear(function, s->n, (unsigned)s->block);
	return block_limit_apply(&s->limit, out);
}

template <class V> cudaError_t scan_config(void *state, struct kernel_config *out)
{
	struct scan_state *s = (struct scan_state *)state;

	return scan_configure(s, scan_kernel<V>(s), out);
}

template <class V> cudaError_t scan_launch(void *state, cudaStream_t stream, struct enqueued *done)
{
	struct scan_state *s = (struct scan_state *)state;
	struct queue q = {done, cudaSuccess};
	struct kernel_config config;
	int n = (int)s->n;
	void *arguments[] = {&s->in, &s->out, &n, &s->scans};

	scan_rotate(s);
	s->copied = false;
	s->chain = V::chain;
	queue_note(&q, scan_config<V>(state, &config));
	queue_kernel(&q, &config, arguments, stream);
	return q.error;
}

/* ---- with time stamps ---- */

/* Steps of a scan of `block` elements by doubling strides. */
static __host__ __device__ constexpr int scan_steps_of(int block)
{
	return block > 1 ? 1 + scan_steps_of(block / 2) : 0;
}

template <class V, typename T> const void *scan_phases_for(int block)
{
	switch (block) {
	case 128:
		return V::template phases<T, 128>();
	case 256:
		return V::template phases<T, 256>();
	case 512:
		return V::template phases<T, 512>();
	default:
		return V::template phases<T, 1024>();
	}
}

template <class V> const void *scan_phases(const struct scan_state *s)
{
	if constexpr (V::ints) {
		if (s->type == SCAN_INT)
			return scan_phases_for<V, int>(s->block);
	}
	return scan_phases_for<V, float>(s->block);
}

/* A step per doubling of the stride. */
static inline int scan_phase_steps(const void *state)
{
	const struct scan_state *s = (const struct scan_state *)state;

	return scan_doublings(s->block) * s->scans;
}

/* The compiler sees how many barriers one scan has. */
static inline bool scan_spreads(const void *state)
{
	return ((const struct scan_state *)state)->scans == 1;
}

template <class V>
cudaError_t scan_launch_phases(
	void *state, cudaStream_t stream, const struct phase_board *board, struct kernel_config *config)
{
	struct scan_state *s = (struct scan_state *)state;
	struct phase_board copy = *board;
	struct enqueued done = {0, 0, 0};
	struct queue q = {&done, cudaSuccess};
	int n = (int)s->n;
	void *arguments[] = {&s->in, &s->out, &n, &s->scans, &copy};

	scan_rotate(s);
	s->copied = false;
	s->chain = V::chain;
	queue_note(&q, scan_configure(s, scan_phases<V>(s), config));
	queue_kernel(&q, config, arguments, stream);
	return q.error;
}

/* ---- step by step ---- */

static inline void step_board_reset(struct step_board *board)
{
	memset(board, POISON_BYTE, sizeof(*board));
	for (int i = 0; i < STEP_ELEMENTS; i++)
		board->in[i] = (float)(i + 1);
}

static inline void step_table_fill(const struct step_board *board, bool races, struct step_table *out)
{
	memset(out, 0, sizeof(*out));
	for (int i = 0; i < STEP_ELEMENTS; i++)
		out->value[0][i] = board->in[i];
	out->rows = 1;
	for (int stride = 1; stride < STEP_ELEMENTS; stride *= 2, out->rows++) {
		out->stride[out->rows] = stride;
		for (int i = 0; i < STEP_ELEMENTS; i++) {
			out->value[out->rows][i] = board->value[out->rows][i];
			/* its second operand, i - stride, is written in this step too, if that has one */
			out->racy[out->rows][i] = races && i >= 2 * stride;
		}
	}
}

template <class V> cudaError_t scan_steps(void *, struct step_table *out)
{
	struct kernel_config config =
		config_linear(V::template kernel<float, STEP_ELEMENTS, step_probe>(), STEP_ELEMENTS, STEP_ELEMENTS);
	struct enqueued done = {0, 0, 0};
	struct queue q = {&done, cudaSuccess};
	struct step_board board;
	char *device = NULL;
	int n = STEP_ELEMENTS, scans = 1;
	cudaError_t error = cudaGetSymbolAddress((void **)&device, (const void *)&step_board);

	if (error != cudaSuccess)
		return error;
	void *in = device + offsetof(struct step_board, in), *result = device + offsetof(struct step_board, out);
	void *arguments[] = {&in, &result, &n, &scans};

	step_board_reset(&board);
	queue_note(&q, cudaMemcpy(device, &board, sizeof(board), cudaMemcpyHostToDevice));
	queue_kernel(&q, &config, arguments, NULL);
	if (q.error == cudaSuccess)
		queue_note(&q, cudaMemcpy(&board, device, sizeof(board), cudaMemcpyDeviceToHost));
	if (q.error == cudaSuccess)
		step_table_fill(&board, V::races, out);
	return q.error;
}

#endif
