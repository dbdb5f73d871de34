/* state.h: the family scan-device on the host: its parameters, types, state, and plan of a launch; set-up,
 * inputs, and the check against the CPU reference. */
#ifndef DBPROF_KERNELS_SCAN_DEVICE_STATE_H
#define DBPROF_KERNELS_SCAN_DEVICE_STATE_H

#include <cuda_fp16.h>

#include "compare-parallel.h"
#include "random.h"
#include "resources.h"
#include "rotate.h"

enum {
	SCAN_PARAM_N,
	SCAN_PARAM_TYPE,
	SCAN_PARAM_COLD,
	SCAN_PARAM_WARPS,
	SCAN_PARAM_VECTORS,
	SCAN_PARAM_BLOCKS,
	SCAN_PARAM_STAGES,
	SCAN_PARAM_REDUCERS
};

/* What is added up, as the parameter type has it. F16 is summed as float. */
enum scan_device_type { SCAN_F32, SCAN_I32, SCAN_I64, SCAN_F16, SCAN_TYPES };

/* A thread moves vectors of 16 bytes, 4 or 8 of a tile. */
enum { VECTOR_BYTES = 16, VECTORS_FEW = 4, VECTORS_MANY = 8, SCAN_WARPS_MAX = 16, SCAN_STAGES_MAX = 4 };
enum { SCAN_LANES = 32, SCAN_THREADS_MAX = SCAN_WARPS_MAX * SCAN_LANES };

/* Of the kernel in scan-device-tma.cu: stages of a block, warps that only add up tiles, and further ones. */
enum { ROUNDS_STAGES_MAX = 14, ROUNDS_REDUCERS_MAX = 8, ROUNDS_FURTHER = 2, ROUNDS_WARPS_MAX = 20 };

/* Its shared memory besides the stages, at most (bytes). */
enum { ROUNDS_SHARED_MOST = 3072 };

/* In device memory. Blocks take tickets in the order in which they come: a ticket is a tile. The last block that takes
 * its last ticket makes all ready for the next launch. All zero at first; no two words share a cache line. */
struct scan_control {
	unsigned ticket, pad_ticket[31];
	unsigned left, pad_left[31];   /* blocks that take no more tickets */
	unsigned epoch, pad_epoch[31]; /* launches so far, modulo 2^31 */
};

struct scan_device_state {
	struct resources resources;
	uint64_t seed;
	int64_t n;
	enum scan_device_type type;
	int warps, vectors, blocks, stages, reducers; /* as the case says; 0: the variant's own choice */
	int sms;
	size_t shared_block, shared_sm, shared_reserved; /* bytes: that a block may have, that an SM has, and that the
							    system adds to each block */
	bool tma;    /* the device runs the code for 9.0 alone: scan-device-tma.cu and scan-device-cub.cu */
	bool copied; /* the last launch copied the input */
	struct rotation rotation;
	struct rotated all_in, all_out;
	void *in, *out; /* of the slot of the last launch */
	void *status, *sums;
	struct scan_control *control;
	void *cub;       /* its working memory; NULL where it cannot run */
	size_t cub_size; /* bytes */
	void *host_in, *host_out;
	double *before; /* the sum of all elements before each part of the result that is checked; NULL until then */
	const void *fitted;    /* the kernel of which `fit` blocks find room on an SM, with so many */
	unsigned fitted_block; /* threads and */
	size_t fitted_dynamic; /* bytes, lest each launch asks for it */
	int fit;
};

/* How a variant runs: blocks of `warps` warps, of which each thread has `vectors` of a tile in registers. */
struct scan_plan {
	int warps, vectors, stages;
	int further;     /* warps that do not scan: a producer, and those that only add up */
	int blocks;      /* on an SM at most; 0: as many as fit */
	bool persistent; /* blocks go on from tile to tile; else each has one */
	bool together;   /* all blocks have to run at once: they wait for one another in both directions */
};

#ifdef __cplusplus
extern "C" {
#endif

/* In scan-device-cub.cu: bytes of working memory that CUB asks for, on a device that runs the code there. */
cudaError_t scan_device_cub_size(const struct scan_device_state *s, size_t *size);

/* As struct variant has it, in scan-device-cub.cu. */
cudaError_t scan_device_launch_cub(void *state, cudaStream_t stream, struct enqueued *done);

/* The kernel in scan-device-tma.cu for a plan of the rungs tma and producer. */
const void *scan_device_tma_kernel(enum scan_device_type type, const struct scan_plan *plan);

/* The kernel in scan-device-tma.cu for a plan of rounds. */
const void *scan_device_rounds_kernel(enum scan_device_type type, const struct scan_plan *plan);

#ifdef __cplusplus
}
#endif

static inline size_t scan_device_size(enum scan_device_type type)
{
	static const size_t size[] = {4, 4, 8, 2};

	return size[type];
}

/* Lets `in` and `out` be those of the next slot: every launch begins with it. */
static inline void scan_device_rotate(struct scan_device_state *s)
{
	rotate_next(&s->rotation);
	s->in = rotate_now(&s->rotation, &s->all_in);
	s->out = rotate_now(&s->rotation, &s->all_out);
	s->copied = false;
}

/* ---- set-up ---- */

static inline size_t scan_device_array_bytes(int64_t n, int64_t type)
{
	return (size_t)n * scan_device_size((enum scan_device_type)type);
}

/* Tiles of the shortest kind, of one warp. */
static inline size_t scan_device_tiles_most(size_t bytes)
{
	return bytes / (VECTORS_FEW * SCAN_LANES * VECTOR_BYTES) + 1;
}

static inline size_t scan_device_status_bytes(size_t bytes)
{
	return scan_device_tiles_most(bytes) * 2 * sizeof(uint64_t);
}

static inline size_t scan_device_device_bytes(const struct size_case *size)
{
	const size_t bytes = scan_device_array_bytes(size->value[SCAN_PARAM_N], size->value[SCAN_PARAM_TYPE]);

	const size_t arrays = size->value[SCAN_PARAM_COLD] ? rotate_bytes(2 * bytes, 2) : 2 * rotate_stride(bytes);

	/* Status, sums, and CUB's working memory, which is less than a status and what is added. */
	return arrays + 3 * scan_device_status_bytes(bytes) + (1 << 20);
}

/* The input and the result; sums of parts are few. */
static inline size_t scan_device_host_bytes(const struct size_case *size)
{
	return 2 * scan_device_array_bytes(size->value[SCAN_PARAM_N], size->value[SCAN_PARAM_TYPE]);
}

static inline void scan_device_work(const struct size_case *size, struct work *out)
{
	memset(out, 0, sizeof(*out));
	out->elements = (double)size->value[SCAN_PARAM_N];
	out->bytes = 2 * (double)scan_device_array_bytes(size->value[SCAN_PARAM_N], size->value[SCAN_PARAM_TYPE]);
}

/* Steps to and fro, drawn at random: whole numbers from -step to step, of which the sum never leaves -bound to bound.
 * The walk ends where it began if so many steps are `left`: copies of it may follow one another. */
struct walk {
	struct splitmix random;
	int step, bound, at;
	int64_t left; /* steps */
};

static inline int walk_next(struct walk *w)
{
	int step = (int)(splitmix_next(&w->random) % (2u * (unsigned)w->step + 1)) - w->step;
	const int home = w->at > w->step ? w->step : w->at < -w->step ? -w->step : w->at;

	if (w->at + step > w->bound || w->at + step < -w->bound)
		step = -step;
	if (w->left-- * w->step <= (w->at < 0 ? -w->at : w->at) + 2 * w->step)
		step = -home;
	w->at += step;
	return step;
}

/* All sums of neighbours are exact in the type that CUB or a kernel here adds them in: the order of additions does not
 * matter, and a check can be exact. A float has all whole numbers up to 2^24, a half up to 2^11. */
static inline void scan_device_fill(struct scan_device_state *s)
{
	const size_t n = (size_t)s->n, drawn = random_drawn(n);
	struct splitmix random = {s->seed};
	const int64_t left = drawn < n ? (int64_t)drawn : 2 * RANDOM_PERIOD;
	struct walk far = {random, 128, 1 << 23, 0, left}, near = {random, 2, 1 << 10, 0, left};

	for (size_t i = 0; i < drawn; i++) {
		if (s->type == SCAN_F32)
			((float *)s->host_in)[i] = (float)walk_next(&far);
		else if (s->type == SCAN_F16)
			((__half *)s->host_in)[i] = __float2half((float)walk_next(&near));
		else if (s->type == SCAN_I64)
			((int64_t *)s->host_in)[i] = (int64_t)(splitmix_next(&random) >> 40);
	}
	if (s->type == SCAN_I32)
		random_ints(&random, (int *)s->host_in, n);
	else
		random_repeat(s->host_in, n, scan_device_size(s->type));
}

/* What a state knows of its case and its device: enough for scan_device_plan(). */
static inline void scan_device_know(
	struct scan_device_state *s, const struct cudaDeviceProp *device, const struct size_case *size)
{
	const int64_t *value = size->value;

	s->n = value[SCAN_PARAM_N];
	s->type = (enum scan_device_type)value[SCAN_PARAM_TYPE];
	s->warps = (int)value[SCAN_PARAM_WARPS];
	s->vectors = (int)value[SCAN_PARAM_VECTORS];
	s->blocks = (int)value[SCAN_PARAM_BLOCKS];
	s->stages = (int)value[SCAN_PARAM_STAGES];
	s->reducers = (int)value[SCAN_PARAM_REDUCERS];
	s->sms = device->multiProcessorCount;
	s->shared_block = device->sharedMemPerBlockOptin;
	s->shared_sm = device->sharedMemPerMultiprocessor;
	s->shared_reserved = device->reservedSharedMemPerBlock;
	s->tma = device->major == 9 && device->minor == 0;
}

/* Of the current device. */
static inline void scan_device_ask(struct scan_device_state *s, const struct size_case *size)
{
	struct cudaDeviceProp device;
	int now = 0;

	resources_check(&s->resources, cudaGetDevice(&now), "cannot ask for the device");
	resources_check(&s->resources, cudaGetDeviceProperties(&device, now), "cannot ask for the device");
	if (s->resources.error == cudaSuccess)
		scan_device_know(s, &device, size);
}

static inline void scan_device_allocate_cub(struct scan_device_state *s)
{
	if (!s->tma || s->resources.error != cudaSuccess)
		return;
	resources_check(&s->resources, scan_device_cub_size(s, &s->cub_size), "cannot ask CUB for its working memory");
	s->cub = resources_memory(&s->resources, RESOURCE_DEVICE, s->cub_size);
}

static inline void scan_device_allocate(struct scan_device_state *s)
{
	const size_t bytes = scan_device_array_bytes(s->n, s->type), status = scan_device_status_bytes(bytes);
	struct resources *const r = &s->resources;

	s->host_in = resources_memory(r, RESOURCE_HOST, bytes);
	s->host_out = resources_memory(r, RESOURCE_HOST, bytes);
	s->all_in = rotate_memory(r, &s->rotation, bytes);
	s->all_out = rotate_memory(r, &s->rotation, bytes);
	s->status = resources_memory(r, RESOURCE_DEVICE, status);
	s->sums = resources_memory(r, RESOURCE_DEVICE, status);
	s->control = (struct scan_control *)resources_memory(r, RESOURCE_DEVICE, sizeof(*s->control));
	scan_device_allocate_cub(s);
	if (r->error != cudaSuccess)
		return;
	resources_check(r, cudaMemset(s->status, 0, status), "cannot clear the status of tiles");
	resources_check(r, cudaMemset(s->control, 0, sizeof(*s->control)), "cannot clear the control of blocks");
}

static inline cudaError_t scan_device_set_up(
	const struct size_case *size, uint64_t seed, void **state, char *message, size_t message_size)
{
	struct scan_device_state *s = (struct scan_device_state *)state_new(sizeof(*s), message, message_size);
	const size_t bytes = scan_device_array_bytes(size->value[SCAN_PARAM_N], size->value[SCAN_PARAM_TYPE]);

	*state = NULL;
	if (!s)
		return cudaErrorMemoryAllocation;
	s->seed = seed;
	scan_device_ask(s, size);
	s->rotation.slots = 1;
	if (size->value[SCAN_PARAM_COLD])
		s->rotation = rotate_begin(&s->resources, 2 * rotate_stride(bytes));
	scan_device_allocate(s);
	if (s->resources.error == cudaSuccess) {
		scan_device_fill(s);
		rotate_upload(&s->resources, &s->rotation, &s->all_in, s->host_in, bytes);
		scan_device_rotate(s);
	}
	return state_ready(s, state);
}

static inline cudaError_t scan_device_poison(void *state, cudaStream_t stream)
{
	struct scan_device_state *s = (struct scan_device_state *)state;

	return rotate_poison(&s->rotation, &s->all_out, stream);
}

/* ---- check ---- */

/* Sums are exact in a double: they are whole numbers below 2^53. */
enum { SCAN_CHECKED_PART = 1 << 18 };

static inline double scan_device_value(const struct scan_device_state *s, const void *array, size_t i)
{
	switch (s->type) {
	case SCAN_F32:
		return ((const float *)array)[i];
	case SCAN_I32:
		return ((const int *)array)[i];
	case SCAN_I64:
		return (double)((const int64_t *)array)[i];
	default:
		return __half2float(((const __half *)array)[i]);
	}
}

/* Sums of integers are never negative, so what was never written, -1, is none. A half or a float is NaN then. */
static inline void scan_device_compare(const void *user, size_t first, size_t n, struct check_result *out)
{
	const struct scan_device_state *s = (const struct scan_device_state *)user;
	double sum = 0;

	for (size_t i = first; i < first + n; i++) {
		const double got = scan_device_value(s, s->host_out, i);

		if (i % SCAN_CHECKED_PART == 0)
			sum = s->before[i / SCAN_CHECKED_PART];
		sum = (s->copied ? 0 : sum) + scan_device_value(s, s->host_in, i);
		if (got == sum)
			out->elements++;
		else
			compare_next(out, got, sum, INT_TOLERANCE);
	}
}

static inline cudaError_t scan_device_reference(struct scan_device_state *s)
{
	const size_t n = (size_t)s->n;
	double sum = 0;

	if (s->before)
		return cudaSuccess;
	s->before =
		(double *)resources_memory(&s->resources, RESOURCE_HOST, sizeof(double) * (n / SCAN_CHECKED_PART + 1));
	if (!s->before)
		return s->resources.error;
	for (size_t i = 0; i < n; i++) {
		if (i % SCAN_CHECKED_PART == 0)
			s->before[i / SCAN_CHECKED_PART] = sum;
		sum += scan_device_value(s, s->host_in, i);
	}
	return cudaSuccess;
}

static inline cudaError_t scan_device_check(void *state, struct check_result *out)
{
	struct scan_device_state *s = (struct scan_device_state *)state;
	cudaError_t error = cudaDeviceSynchronize();

	compare_begin(out);
	if (error == cudaSuccess)
		error = cudaMemcpy(s->host_out, s->out, scan_device_array_bytes(s->n, s->type), cudaMemcpyDeviceToHost);
	if (error == cudaSuccess)
		error = scan_device_reference(s);
	if (error == cudaSuccess)
		compare_parallel((size_t)s->n, SCAN_CHECKED_PART, scan_device_compare, s, out);
	return error;
}

#endif
