/* warp-scan-state.cuh: what every variant of warp-scan.cu shares: state, check, and combining the warps' sums. */
#ifndef DBPROF_KERNELS_WARP_SCAN_STATE_CUH
#define DBPROF_KERNELS_WARP_SCAN_STATE_CUH

#include "compare-parallel.h"
#include "queue.h"
#include "random.h"
#include "resources.h"
#include "rotate.h"
#include "variant.h"

enum { WARP_SHIFT = 5, COMBINE_SHIFT = 10, LEVELS_MAX = 4 };
enum { WARP = 1 << WARP_SHIFT, SCAN_BLOCK = 256, COMBINE_BLOCK = 1 << COMBINE_SHIFT };

enum { PARAM_N };

/* Scans each block of 1024 values in place and leaves each block's total in `sums`. */
__global__ void combine_scan(int *values, int *sums, int n)
{
	__shared__ int carry[COMBINE_BLOCK];
	const int i = blockIdx.x * COMBINE_BLOCK + threadIdx.x;

	carry[threadIdx.x] = i < n ? values[i] : 0;
	for (int distance = 1; distance < COMBINE_BLOCK; distance *= 2) {
		__syncthreads();
		const int left = (int)threadIdx.x >= distance ? carry[threadIdx.x - distance] : 0;
		__syncthreads();
		carry[threadIdx.x] += left;
	}
	if (i < n)
		values[i] = carry[threadIdx.x];
	if (threadIdx.x == COMBINE_BLOCK - 1)
		sums[blockIdx.x] = carry[threadIdx.x];
}

/* Adds to each group of 2^shift values the scanned total of the groups before it. */
__global__ void combine_add(int *values, const int *sums, int n, int shift)
{
	const int i = blockIdx.x * COMBINE_BLOCK + threadIdx.x, group = i >> shift;

	if (group > 0 && i < n)
		values[i] += sums[group - 1];
}

/* Totals of ever larger groups: of 32 elements, of 32 * 1024 and so on, until one block scans them all. */
struct level {
	int *values;
	int n;
};

struct warp_state {
	struct resources resources;
	int64_t n, padded; /* elements; the same in whole blocks */
	struct rotation rotation;
	struct rotated all_in, all_out; /* device: in all slots, `padded` long; zeros follow the input */
	int *in, *out;                  /* of the slot of the last launch */
	int *host_in, *host_out;        /* the same on the host */
	struct level level[LEVELS_MAX + 1];
	int levels; /* used; one more takes the grand total */
};

/* Lets `in` and `out` be those of the next slot: every launch begins with it. The sums of the warps, a 32nd of that,
 * have one place. */
static void warp_rotate(struct warp_state *s)
{
	rotate_next(&s->rotation);
	s->in = (int *)rotate_now(&s->rotation, &s->all_in);
	s->out = (int *)rotate_now(&s->rotation, &s->all_out);
}

static void combine(struct queue *q, struct warp_state *s, cudaStream_t stream)
{
	const struct level whole = {s->out, (int)s->n};

	for (int i = 0; i < s->levels; i++) {
		const struct kernel_config config =
			config_linear((const void *)combine_scan, s->level[i].n, COMBINE_BLOCK);
		void *arguments[] = {&s->level[i].values, &s->level[i + 1].values, &s->level[i].n};

		queue_kernel(q, &config, arguments, stream);
	}
	for (int i = s->levels - 1; i >= 0; i--) {
		struct level to = i > 0 ? s->level[i - 1] : whole;
		int shift = i > 0 ? COMBINE_SHIFT : WARP_SHIFT;
		const struct kernel_config config = config_linear((const void *)combine_add, to.n, COMBINE_BLOCK);
		void *arguments[] = {&to.values, &s->level[i].values, &to.n, &shift};

		queue_kernel(q, &config, arguments, stream);
	}
}

static int64_t warp_padded(int64_t n)
{
	return (n + SCAN_BLOCK - 1) / SCAN_BLOCK * SCAN_BLOCK;
}

/* Lengths of the levels for n elements, the grand total's included; returns how many there are without that. */
static int warp_levels(int64_t n, int length[LEVELS_MAX + 1])
{
	int levels = 0;

	length[0] = (int)(warp_padded(n) / WARP);
	do {
		length[levels + 1] = (length[levels] + COMBINE_BLOCK - 1) / COMBINE_BLOCK;
		levels++;
	} while (length[levels] > 1);
	return levels;
}

static size_t warp_device_bytes(const struct size_case *size)
{
	int length[LEVELS_MAX + 1];
	const int levels = warp_levels(size->value[PARAM_N], length);
	size_t elements = 0;

	for (int i = 0; i <= levels; i++)
		elements += (size_t)length[i];
	return sizeof(int) * elements + rotate_bytes(2 * sizeof(int) * (size_t)warp_padded(size->value[PARAM_N]), 2);
}

static void warp_work(const struct size_case *size, struct work *out)
{
	out->flops = 0;
	out->elements = (double)size->value[PARAM_N];
	out->bytes = 2 * sizeof(int) * out->elements;
}

static void warp_fill(struct warp_state *s, uint64_t seed)
{
	struct splitmix random = {seed};

	if (s->resources.error != cudaSuccess)
		return;
	random_ints(&random, s->host_in, (size_t)s->n);
	memset(s->host_in + s->n, 0, sizeof(int) * (size_t)(s->padded - s->n));
	rotate_upload(&s->resources, &s->rotation, &s->all_in, s->host_in, sizeof(int) * (size_t)s->padded);
	warp_rotate(s);
}

static cudaError_t warp_set_up(
	const struct size_case *size, uint64_t seed, void **state, char *message, size_t message_size)
{
	struct warp_state *s = (struct warp_state *)state_new(sizeof(*s), message, message_size);
	int length[LEVELS_MAX + 1];

	*state = NULL;
	if (!s)
		return cudaErrorMemoryAllocation;
	s->n = size->value[PARAM_N];
	s->padded = warp_padded(s->n);
	s->levels = warp_levels(s->n, length);
	const size_t bytes = sizeof(int) * (size_t)s->padded;
	s->host_in = (int *)resources_memory(&s->resources, RESOURCE_HOST, bytes);
	s->host_out = (int *)resources_memory(&s->resources, RESOURCE_HOST, bytes);
	s->rotation = rotate_begin(&s->resources, 2 * rotate_stride(bytes));
	s->all_in = rotate_memory(&s->resources, &s->rotation, bytes);
	s->all_out = rotate_memory(&s->resources, &s->rotation, bytes);
	for (int i = 0; i <= s->levels; i++) {
		s->level[i].n = length[i];
		s->level[i].values =
			(int *)resources_memory(&s->resources, RESOURCE_DEVICE, sizeof(int) * (size_t)length[i]);
	}
	warp_fill(s, seed);
	return state_ready(s, state);
}

/* Poisons the sums too, lest a variant lives on those of another. */
static cudaError_t warp_poison(void *state, cudaStream_t stream)
{
	struct warp_state *s = (struct warp_state *)state;
	cudaError_t error = rotate_poison(&s->rotation, &s->all_out, stream);

	for (int i = 0; i <= s->levels && error == cudaSuccess; i++)
		error = cudaMemsetAsync(s->level[i].values, POISON_BYTE, sizeof(int) * (size_t)s->level[i].n, stream);
	return error;
}

static void warp_compare(const void *user, size_t first, size_t n, struct check_result *r)
{
	const struct warp_state *s = (const struct warp_state *)user;
	int64_t sum = 0;

	for (size_t i = 0; i < first; i++)
		sum += s->host_in[i];
	for (size_t i = first; i < first + n; i++) {
		sum += s->host_in[i];
		compare_next(r, compare_int(s->host_out[i]), (double)sum, INT_TOLERANCE);
	}
}

static cudaError_t warp_check(void *state, struct check_result *out)
{
	struct warp_state *s = (struct warp_state *)state;
	cudaError_t error = cudaDeviceSynchronize();

	if (error == cudaSuccess)
		error = cudaMemcpy(s->host_out, s->out, sizeof(int) * (size_t)s->n, cudaMemcpyDeviceToHost);
	if (error == cudaSuccess)
		compare_parallel((size_t)s->n, 1, warp_compare, s, out);
	return error;
}

#endif
