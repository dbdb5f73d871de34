/* sgemm-state.h: what every variant of sgemm.cu works on: matrices, their set-up, the check against the reference. */
#ifndef DBPROF_KERNELS_SGEMM_STATE_H
#define DBPROF_KERNELS_SGEMM_STATE_H

#include "random.h"
#include "resources.h"
#include "rotate.h"
#include "sgemm-cublas.h"
#include "sgemm-reference.h"
#include "variant.h"

enum { PARAM_M, PARAM_N, PARAM_K };

struct sgemm_state {
	struct resources resources;
	int m, n, k;
	struct rotation rotation;
	struct rotated all_a, all_b, all_c; /* device: in all slots */
	float *a, *b, *c;                   /* of the slot of the last launch */
	float *host_a, *host_b, *host_c;
	struct reference reference; /* c is NULL until the first check */
	cublas_handle handle;       /* NULL until cuBLAS is launched */
};

/* The matrices once. */
static size_t sgemm_bytes(const struct size_case *size)
{
	const size_t m = (size_t)size->value[PARAM_M], n = (size_t)size->value[PARAM_N],
		     k = (size_t)size->value[PARAM_K];

	return sizeof(float) * (m * k + k * n + m * n);
}

static size_t sgemm_device_bytes(const struct size_case *size)
{
	return rotate_bytes(sgemm_bytes(size), 3);
}

/* Lets `a`, `b` and `c` be those of the next slot: every launch begins with it. */
static void sgemm_rotate(struct sgemm_state *s)
{
	rotate_next(&s->rotation);
	s->a = (float *)rotate_now(&s->rotation, &s->all_a);
	s->b = (float *)rotate_now(&s->rotation, &s->all_b);
	s->c = (float *)rotate_now(&s->rotation, &s->all_c);
}

static void sgemm_work(const struct size_case *size, struct work *out)
{
	out->elements = (double)size->value[PARAM_M] * (double)size->value[PARAM_N];
	out->flops = 2 * out->elements * (double)size->value[PARAM_K];
	out->bytes = (double)sgemm_bytes(size);
}

static void sgemm_fill(struct sgemm_state *s, uint64_t seed)
{
	const size_t a = (size_t)s->m * s->k, b = (size_t)s->k * s->n;
	struct splitmix random = {seed};

	if (s->resources.error != cudaSuccess)
		return;
	random_floats(&random, s->host_a, a);
	random_floats(&random, s->host_b, b);
	rotate_upload(&s->resources, &s->rotation, &s->all_a, s->host_a, sizeof(float) * a);
	rotate_upload(&s->resources, &s->rotation, &s->all_b, s->host_b, sizeof(float) * b);
	sgemm_rotate(s);
}

static cudaError_t sgemm_set_up(
	const struct size_case *size, uint64_t seed, void **state, char *message, size_t message_size)
{
	struct sgemm_state *s = (struct sgemm_state *)state_new(sizeof *s, message, message_size);
	const size_t m = (size_t)size->value[PARAM_M], n = (size_t)size->value[PARAM_N],
		     k = (size_t)size->value[PARAM_K];
	const size_t a = sizeof(float) * m * k, b = sizeof(float) * k * n, c = sizeof(float) * m * n;

	*state = NULL;
	if (!s)
		return cudaErrorMemoryAllocation;
	s->m = (int)m;
	s->n = (int)n;
	s->k = (int)k;
	s->host_a = (float *)resources_memory(&s->resources, RESOURCE_HOST, a);
	s->host_b = (float *)resources_memory(&s->resources, RESOURCE_HOST, b);
	s->host_c = (float *)resources_memory(&s->resources, RESOURCE_HOST, c);
	s->rotation = rotate_begin(&s->resources, rotate_stride(a) + rotate_stride(b) + rotate_stride(c));
	s->all_a = rotate_memory(&s->resources, &s->rotation, a);
	s->all_b = rotate_memory(&s->resources, &s->rotation, b);
	s->all_c = rotate_memory(&s->resources, &s->rotation, c);
	sgemm_fill(s, seed);
	return state_ready(s, state);
}

static void sgemm_tear_down(void *state)
{
	struct sgemm_state *s = (struct sgemm_state *)state;

	if (s && s->handle)
		(void)cublas_load()->destroy(s->handle);
	state_free(state);
}

static cudaError_t sgemm_poison(void *state, cudaStream_t stream)
{
	struct sgemm_state *s = (struct sgemm_state *)state;

	return rotate_poison(&s->rotation, &s->all_c, stream);
}

/* Makes the reference when it is first needed: a pass that only takes times does without it. */
static cudaError_t reference_ready(struct sgemm_state *s)
{
	struct reference r = {s->m, s->n, s->k, s->host_a, s->host_b, NULL, NULL, NULL};

	if (s->reference.c)
		return cudaSuccess;
	r.c = (double *)resources_memory(&s->resources, RESOURCE_HOST, sizeof(double) * (size_t)s->m * s->n);
	r.row_norm = (double *)resources_memory(&s->resources, RESOURCE_HOST, sizeof(double) * (size_t)s->m);
	r.col_norm = (double *)resources_memory(&s->resources, RESOURCE_HOST, sizeof(double) * (size_t)s->n);
	if (s->resources.error != cudaSuccess || !reference_compute(&r))
		return cudaErrorMemoryAllocation;
	s->reference = r;
	return cudaSuccess;
}

static cudaError_t sgemm_check(void *state, struct check_result *out)
{
	struct sgemm_state *s = (struct sgemm_state *)state;
	const size_t bytes = sizeof(float) * (size_t)s->m * s->n;
	cudaError_t error = cudaDeviceSynchronize();

	compare_begin(out);
	if (error == cudaSuccess)
		error = cudaMemcpy(s->host_c, s->c, bytes, cudaMemcpyDeviceToHost);
	if (error == cudaSuccess)
		error = reference_ready(s);
	if (error != cudaSuccess)
		return error;
	for (int row = 0; row < s->m; row++) {
		for (int col = 0; col < s->n; col++) {
			const size_t i = (size_t)row * s->n + col;

			compare_next(
				out, s->host_c[i], s->reference.c[i], reference_tolerance(&s->reference, row, col));
		}
	}
	return cudaSuccess;
}

#endif
