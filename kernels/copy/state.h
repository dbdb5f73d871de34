/* state.h: the family copy on the host: its parameters, state and launches, set-up, the check against the CPU
 * reference, and what a step of its kernels does. */
#ifndef DBPROF_KERNELS_COPY_STATE_H
#define DBPROF_KERNELS_COPY_STATE_H

#include "block-limit.h"
#include "compare-parallel.h"
#include "queue.h"
#include "random.h"
#include "resources.h"
#include "rotate.h"

enum { COPY_PARAM_N, COPY_PARAM_TILE, COPY_PARAM_SHARE, COPY_PARAM_STAGES, COPY_PARAM_BLOCKS, COPY_PARAM_FMAS };

/* COPY_STAGES_MANY: of the rungs with as many stages as the parameter says, in the timed cases. */
enum { COPY_THREADS = 256, COPY_STAGES_MAX = 8, COPY_STAGES_MANY = 6 };

/* Four elements that are loaded or stored at once. */
enum { COPY_VECTOR = 4, COPY_VECTOR_BYTES = 16 };

/* The argument of every kernel: n elements go from `in` to `out`, each after `fmas` times x = factor x + term. Tiles
 * are of whole vectors; the last one may be shorter, and up to three elements behind it belong to no tile. */
struct copy_job {
	const float *in;
	float *out;
	int64_t n;
	int tile;   /* vectors of a tile */
	int tiles;  /* 0 for less than a vector */
	int stages; /* of kernels that let the host choose */
	int fmas;
	float factor, term;
};

struct copy_state {
	struct resources resources;
	struct copy_job job; /* its arrays are in the slot of the last launch */
	struct rotation rotation;
	struct rotated all_in, all_out; /* device: in all slots */
	float *host_in, *host_out;
	struct block_limit limit;
	int tiles_each; /* that a block copies one after another */
	int stages;     /* of the variants that let the case choose */
	unsigned once;  /* blocks that fit on the device at once, of persistent; 0: nobody has asked yet */
};

/* Shared memory of a block with so many stages (bytes). */
static inline size_t copy_ring_bytes(const struct copy_job *job, int stages)
{
	return (size_t)job->tile * COPY_VECTOR_BYTES * (size_t)stages;
}

/* Blocks for `parts` of the work; one has to copy what belongs to no tile. */
static inline unsigned copy_grid(int64_t parts)
{
	return parts > 0 ? (unsigned)parts : 1;
}

/* A launch in which a block copies tiles through a ring of `stages`, with no more blocks on an SM than the case
 * allows. */
static inline cudaError_t copy_configure(
	struct copy_state *s, const void *function, int stages, struct kernel_config *out)
{
	const struct kernel_config config = {function,
		{copy_grid((s->job.tiles + (int64_t)s->tiles_each - 1) / s->tiles_each), 1, 1}, {COPY_THREADS, 1, 1},
		copy_ring_bytes(&s->job, stages)};

	*out = config;
	return block_limit_apply(&s->limit, out);
}

/* Lets the job be that of the next slot: every launch begins with it. */
static inline void copy_rotate(struct copy_state *s)
{
	rotate_next(&s->rotation);
	s->job.in = (const float *)rotate_now(&s->rotation, &s->all_in);
	s->job.out = (float *)rotate_now(&s->rotation, &s->all_out);
}

/* Launches a kernel on the next slot; *config is not read after a failure. */
static inline cudaError_t copy_enqueue(
	struct copy_state *s, const struct kernel_config *config, int stages, cudaStream_t stream, struct queue *q)
{
	void *arguments[] = {&s->job};

	copy_rotate(s);
	s->job.stages = stages;
	queue_kernel(q, config, arguments, stream);
	return q->error;
}

#ifdef __cplusplus
extern "C" {
#endif

/* As struct variant has them, in copy-tma.cu, but that `stages` is told: TMA loads tiles, and threads store them; TMA
 * stores them too; the same in a grid of no more blocks than fit at once; the same by blocks that copy a tile for each
 * stage and end. */
cudaError_t copy_launch_bulk(void *state, int stages, cudaStream_t stream, struct enqueued *done);
cudaError_t copy_config_bulk(void *state, int stages, struct kernel_config *out);
cudaError_t copy_launch_store(void *state, int stages, cudaStream_t stream, struct enqueued *done);
cudaError_t copy_config_store(void *state, int stages, struct kernel_config *out);
cudaError_t copy_launch_persistent(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t copy_config_persistent(void *state, struct kernel_config *out);
cudaError_t copy_launch_pieces(void *state, int stages, cudaStream_t stream, struct enqueued *done);
cudaError_t copy_config_pieces(void *state, int stages, struct kernel_config *out);

#ifdef __cplusplus
}
#endif

/* ---- sizes, set-up and check ---- */

/* x = COPY_FACTOR x + COPY_TERM, both exact in a float. From x in [-1, 1) it rises towards 2, and so slowly that after
 * COPY_FMAS_MAX times one time less is still seen. */
#define COPY_FACTOR (1 - 0x1p-10f)
#define COPY_TERM 0x1p-9f

enum { COPY_FMAS_MAX = 1024, COPY_SHARE_MAX = 1 << 16, COPY_TILE_MAX = 64 };

static inline size_t copy_bytes(const struct size_case *size)
{
	return sizeof(float) * (size_t)size->value[COPY_PARAM_N];
}

static inline size_t copy_device_bytes(const struct size_case *size)
{
	return rotate_bytes(2 * copy_bytes(size), 2);
}

static inline size_t copy_host_bytes(const struct size_case *size)
{
	return 2 * copy_bytes(size);
}

static inline void copy_amount(const struct size_case *size, struct work *out)
{
	out->elements = (double)size->value[COPY_PARAM_N];
	out->flops = 2 * out->elements * (double)size->value[COPY_PARAM_FMAS];
	out->bytes = 2 * sizeof(float) * out->elements;
}

/* Vectors of a tile. */
static inline int copy_tile_length(const struct size_case *size)
{
	return (int)(size->value[COPY_PARAM_TILE] << 10) / COPY_VECTOR_BYTES;
}

/* Tiles that a block copies one after another: its share, and one at least. */
static inline int copy_tiles_each(const struct size_case *size)
{
	const int64_t tile = size->value[COPY_PARAM_TILE];

	return (int)((size->value[COPY_PARAM_SHARE] + tile - 1) / tile);
}

static inline struct copy_job copy_job_of(const struct size_case *size)
{
	const int64_t n = size->value[COPY_PARAM_N], tile = copy_tile_length(size);
	struct copy_job job = {NULL, NULL, n, (int)tile, (int)((n / COPY_VECTOR + tile - 1) / tile), 1,
		(int)size->value[COPY_PARAM_FMAS], COPY_FACTOR, COPY_TERM};

	return job;
}

static inline void copy_allocate(struct copy_state *s, size_t bytes, uint64_t seed)
{
	struct resources *r = &s->resources;
	struct splitmix random = {seed};

	s->host_in = (float *)resources_memory(r, RESOURCE_HOST, bytes);
	s->host_out = (float *)resources_memory(r, RESOURCE_HOST, bytes);
	s->rotation = rotate_begin(r, 2 * rotate_stride(bytes));
	s->all_in = rotate_memory(r, &s->rotation, bytes);
	s->all_out = rotate_memory(r, &s->rotation, bytes);
	if (r->error != cudaSuccess)
		return;
	random_floats(&random, s->host_in, (size_t)s->job.n);
	rotate_upload(r, &s->rotation, &s->all_in, s->host_in, bytes);
	copy_rotate(s);
}

static inline cudaError_t copy_set_up(
	const struct size_case *size, uint64_t seed, void **state, char *message, size_t message_size)
{
	struct copy_state *s = (struct copy_state *)state_new(sizeof(*s), message, message_size);

	*state = NULL;
	if (!s)
		return cudaErrorMemoryAllocation;
	s->job = copy_job_of(size);
	s->limit.blocks = (int)size->value[COPY_PARAM_BLOCKS];
	s->limit.most_shared = true;
	s->tiles_each = copy_tiles_each(size);
	s->stages = (int)size->value[COPY_PARAM_STAGES];
	copy_allocate(s, copy_bytes(size), seed);
	return state_ready(s, state);
}

static inline cudaError_t copy_poison(void *state, cudaStream_t stream)
{
	struct copy_state *s = (struct copy_state *)state;

	return rotate_poison(&s->rotation, &s->all_out, stream);
}

/* All multiply-adds together: x becomes scale x + offset. Each of them rounds once, a value of at most 2, by 2^-23 at
 * most, which later ones make no larger. Without any, a copy is exact. */
struct copy_reference {
	double scale, offset, tolerance;
};

static inline struct copy_reference copy_reference_of(const struct copy_job *job)
{
	struct copy_reference reference = {1, 0, job->fmas * 2 * FLOAT_ROUNDOFF};

	for (int i = 0; i < job->fmas; i++) {
		reference.scale *= job->factor;
		reference.offset = reference.offset * job->factor + job->term;
	}
	return reference;
}

static inline void copy_compare(const void *user, size_t first, size_t n, struct check_result *out)
{
	const struct copy_state *s = (const struct copy_state *)user;
	const struct copy_reference reference = copy_reference_of(&s->job);

	for (size_t i = first; i < first + n; i++)
		compare_next(
			out, s->host_out[i], reference.scale * s->host_in[i] + reference.offset, reference.tolerance);
}

static inline cudaError_t copy_check(void *state, struct check_result *out)
{
	struct copy_state *s = (struct copy_state *)state;
	const size_t n = (size_t)s->job.n;
	cudaError_t error = cudaDeviceSynchronize();

	compare_begin(out);
	if (error == cudaSuccess)
		error = cudaMemcpy(s->host_out, s->job.out, sizeof(float) * n, cudaMemcpyDeviceToHost);
	if (error == cudaSuccess)
		compare_parallel(n, 1, copy_compare, s, out);
	return error;
}

/* ---- shapes: a step is a tile that TMA loads and threads store ---- */

/* Other instructions of a thread. Of a tile: its place in the arrays and in the ring, its length, the wait at its
 * barrier, tests and branches. Of four vectors: four tests, loads and stores are one instruction for four words, so
 * that their number is in those of the words; addresses. Of four multiply-adds on four vectors: counter, test. */
enum { COPY_TILE_OTHER = 40, COPY_GROUP_OTHER = 16 };

static inline void copy_shape(const struct size_case *size, int stages, struct shape *out)
{
	const double tile = (double)size->value[COPY_PARAM_TILE] * 1024, fmas = (double)size->value[COPY_PARAM_FMAS];
	const double each = tile / sizeof(float) / COPY_THREADS; /* elements of a thread */
	struct step_shape *s = &out->step;

	memset(out, 0, sizeof(*out));
	s->steps = copy_tiles_each(size);
	s->load_bytes = tile;
	s->barriers = 1;
	s->shared_loads = each;
	s->shared_chain = each < 1 ? each : 1;
	s->fmas = each * fmas;
	s->fma_chain = each < 1 ? each * fmas : fmas;
	s->other = COPY_TILE_OTHER + each / (4 * COPY_VECTOR) * (COPY_GROUP_OTHER + fmas / 2);
	s->other_chain = 4;
	s->ahead = stages > 1 ? stages : 0; /* a stage is filled again as soon as it is used up */
	s->once_bytes = s->steps * tile;    /* what is stored */
	s->distinct_bytes = 2 * (double)copy_bytes(size);
}

#endif
