/* set-up.h: the family gemm-bf16 on the host: its parameters, set-up, inputs, and the check against the
 * CPU reference. */
#ifndef DBPROF_KERNELS_GEMM_BF16_SET_UP_H
#define DBPROF_KERNELS_GEMM_BF16_SET_UP_H

#include "gemm-bf16/state.h"

enum { GEMM_PARAM_M, GEMM_PARAM_N, GEMM_PARAM_K, GEMM_PARAM_ALIGN, GEMM_PARAM_INPUTS, GEMM_PARAM_SIZE };

/* POISON_BYTE twice. */
enum { GEMM_POISON = 0xffff };

/* Frees what lt.h has made for a state, or NULL. */
static void gemm_lt_destroy(struct gemm_lt *lt);

static inline int gemm_size_of(const struct size_case *size, int param)
{
	return product_side(size, param, GEMM_PARAM_SIZE);
}

/* Elements from one row to the next, of `length` elements. */
static inline int gemm_row(int length, int64_t align)
{
	return (int)((length + align - 1) / align * align);
}

/* Elements of the three matrices, gaps included. */
static inline size_t gemm_elements(const struct size_case *size)
{
	const int m = gemm_size_of(size, GEMM_PARAM_M), n = gemm_size_of(size, GEMM_PARAM_N),
		  k = gemm_size_of(size, GEMM_PARAM_K);
	const int64_t align = size->value[GEMM_PARAM_ALIGN];

	return ((size_t)m + (size_t)n) * (size_t)gemm_row(k, align) + (size_t)m * (size_t)gemm_row(n, align);
}

static size_t gemm_device_bytes(const struct size_case *size)
{
	return rotate_bytes(sizeof(uint16_t) * gemm_elements(size), 3) + GEMM_WORKSPACE;
}

/* A and B as floats, one of them packed or the result, and both references of the rows that are checked. */
static size_t gemm_host_bytes(const struct size_case *size)
{
	const int m = gemm_size_of(size, GEMM_PARAM_M), n = gemm_size_of(size, GEMM_PARAM_N),
		  k = gemm_size_of(size, GEMM_PARAM_K);
	const size_t rows = (size_t)rows_checked(m, n, k, size->sweep ? ROWS_ALL_OF_POINT : ROWS_ALL_OF_CASE);

	return sizeof(float) * ((size_t)m + (size_t)n) * (size_t)k + sizeof(uint16_t) * gemm_elements(size) +
	       rows * (2 * sizeof(double) * (size_t)n + sizeof(float) * (size_t)k);
}

static void gemm_work(const struct size_case *size, struct work *out)
{
	const double m = gemm_size_of(size, GEMM_PARAM_M), n = gemm_size_of(size, GEMM_PARAM_N),
		     k = gemm_size_of(size, GEMM_PARAM_K);

	out->elements = m * n;
	out->flops = 2 * m * n * k;
	out->bytes = sizeof(uint16_t) * (m * k + n * k + m * n);
}

/* ---- bf16: the upper half of a float ---- */

static inline float bf16_to_float(uint16_t value)
{
	const uint32_t bits = (uint32_t)value << 16;
	float x;

	memcpy(&x, &bits, sizeof(x));
	return x;
}

/* To the nearest, ties to even; not for NaN. */
static inline uint16_t bf16_from_float(float x)
{
	uint32_t bits;

	memcpy(&bits, &x, sizeof(bits));
	return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* ---- inputs ---- */

/* The sum of four uniform numbers, of mean 0 and variance 1: close to the normal distribution, and quick. */
static inline float gemm_normal(uint64_t random)
{
	const float sum = (float)(random & 0xffff) + (float)(random >> 16 & 0xffff) + (float)(random >> 32 & 0xffff) +
			  (float)(random >> 48);

	return (sum * 0x1p-16f - 2.0f) * 1.7320508f;
}

static float gemm_input(enum gemm_inputs inputs, struct splitmix *random)
{
	switch (inputs) {
	case GEMM_NORMAL:
		return bf16_to_float(bf16_from_float(gemm_normal(splitmix_next(random))));
	case GEMM_INTEGERS:
		return (float)(splitmix_next(random) % 5) - 2.0f;
	case GEMM_ZEROS:
		break;
	}
	return 0.0f;
}

/* Draws a matrix of rows x k in `host`, and fills all slots of `device` with it. Gaps between rows are NaN. */
static void gemm_fill(
	struct gemm_state *s, struct splitmix *random, float *host, int rows, const struct rotated *device)
{
	const size_t n = (size_t)rows * (size_t)s->k, bytes = sizeof(uint16_t) * (size_t)rows * (size_t)s->row_k;
	uint16_t *packed = s->resources.error == cudaSuccess ? (uint16_t *)malloc(bytes) : NULL;

	if (!packed) {
		resources_fail(&s->resources, cudaErrorMemoryAllocation, "out of memory");
		return;
	}
	for (size_t i = 0; i < random_drawn(n); i++)
		host[i] = gemm_input(s->inputs, random);
	random_repeat(host, n, sizeof(*host));
	memset(packed, POISON_BYTE, bytes);
	for (int row = 0; row < rows; row++)
		for (int k = 0; k < s->k; k++)
			packed[(size_t)row * (size_t)s->row_k + (size_t)k] =
				bf16_from_float(host[(size_t)row * (size_t)s->k + (size_t)k]);
	rotate_upload(&s->resources, &s->rotation, device, packed, bytes);
	free(packed);
}

static void gemm_sizes(struct gemm_state *s, const struct size_case *of)
{
	s->m = gemm_size_of(of, GEMM_PARAM_M);
	s->n = gemm_size_of(of, GEMM_PARAM_N);
	s->k = gemm_size_of(of, GEMM_PARAM_K);
	s->row_k = gemm_row(s->k, of->value[GEMM_PARAM_ALIGN]);
	s->row_n = gemm_row(s->n, of->value[GEMM_PARAM_ALIGN]);
	s->inputs = (enum gemm_inputs)of->value[GEMM_PARAM_INPUTS];
	s->all_rows = of->sweep ? ROWS_ALL_OF_POINT : ROWS_ALL_OF_CASE;
}

static cudaError_t gemm_set_up(
	const struct size_case *of, uint64_t seed, void **state, char *message, size_t message_size)
{
	struct gemm_state *s = (struct gemm_state *)state_new(sizeof(*s), message, message_size);
	struct splitmix random = {seed};
	size_t a, b, c;
	int device = 0;

	*state = NULL;
	if (!s)
		return cudaErrorMemoryAllocation;
	gemm_sizes(s, of);
	s->seed = seed;
	a = sizeof(uint16_t) * (size_t)s->m * (size_t)s->row_k;
	b = sizeof(uint16_t) * (size_t)s->n * (size_t)s->row_k;
	c = sizeof(uint16_t) * (size_t)s->m * (size_t)s->row_n;
	resources_check(&s->resources, cudaGetDevice(&device), "cannot ask for the device");
	resources_check(&s->resources, cudaDeviceGetAttribute(&s->sms, cudaDevAttrMultiProcessorCount, device),
		"cannot ask for the number of SMs");
	s->host_a =
		(float *)resources_memory(&s->resources, RESOURCE_HOST, sizeof(float) * (size_t)s->m * (size_t)s->k);
	s->host_b =
		(float *)resources_memory(&s->resources, RESOURCE_HOST, sizeof(float) * (size_t)s->n * (size_t)s->k);
	s->host_c = (uint16_t *)resources_memory(&s->resources, RESOURCE_HOST, c);
	s->rotation = rotate_begin(&s->resources, rotate_stride(a) + rotate_stride(b) + rotate_stride(c));
	s->all_a = rotate_memory(&s->resources, &s->rotation, a);
	s->all_b = rotate_memory(&s->resources, &s->rotation, b);
	s->all_c = rotate_memory(&s->resources, &s->rotation, c);
	gemm_fill(s, &random, s->host_a, s->m, &s->all_a);
	gemm_fill(s, &random, s->host_b, s->n, &s->all_b);
	if (s->resources.error == cudaSuccess)
		gemm_rotate(s);
	return state_ready(s, state);
}

static void gemm_tear_down(void *state)
{
	struct gemm_state *s = (struct gemm_state *)state;

	if (s)
		gemm_lt_destroy(s->lt);
	state_free(state);
}

static cudaError_t gemm_poison(void *state, cudaStream_t stream)
{
	struct gemm_state *s = (struct gemm_state *)state;

	return rotate_poison(&s->rotation, &s->all_c, stream);
}

/* ---- the check ---- */

/* Memory of the reference; rows of A that are checked stand one behind the other in *a. */
static cudaError_t gemm_reference_memory(struct gemm_state *s, struct reference *r, float **a)
{
	r->m = rows_checked(s->m, s->n, s->k, s->all_rows);
	r->n = s->n;
	r->k = s->k;
	r->b = s->host_b;
	r->b_k = 1;
	r->b_n = (size_t)s->k;
	r->row_norm = (double *)resources_memory(&s->resources, RESOURCE_HOST, sizeof(double) * (size_t)r->m);
	r->col_norm = (double *)resources_memory(&s->resources, RESOURCE_HOST, sizeof(double) * (size_t)r->n);
	r->c = (double *)resources_memory(&s->resources, RESOURCE_HOST, sizeof(double) * (size_t)r->m * (size_t)r->n);
	*a = (float *)resources_memory(&s->resources, RESOURCE_HOST, sizeof(float) * (size_t)r->m * (size_t)r->k);
	r->a = *a;
	return s->resources.error;
}

static void gemm_magnitudes(float *x, size_t n)
{
	for (size_t i = 0; i < n; i++)
		x[i] = fabsf(x[i]);
}

static cudaError_t gemm_reference_sums(struct gemm_state *s)
{
	struct reference sums = {0};

	if (gemm_reference_memory(s, &sums, &s->checked_a) != cudaSuccess)
		return cudaErrorMemoryAllocation;
	s->row = (int *)resources_memory(&s->resources, RESOURCE_HOST, sizeof(int) * (size_t)sums.m);
	if (!s->row)
		return cudaErrorMemoryAllocation;
	rows_choose(s->m, sums.m, s->seed, s->row);
	for (int i = 0; i < sums.m; i++)
		memcpy(s->checked_a + (size_t)i * (size_t)s->k, s->host_a + (size_t)s->row[i] * (size_t)s->k,
			sizeof(float) * (size_t)s->k);
	if (!reference_compute(&sums) || (sums.m < s->m && projection_make(&s->projection, &s->resources, &sums, s->m,
								   s->host_a, s->seed) != cudaSuccess))
		return cudaErrorMemoryAllocation;
	s->sums = sums;
	return cudaSuccess;
}

/* Behind that of the sums: the copied rows of A are no longer needed with their signs. */
static cudaError_t gemm_reference_magnitudes(struct gemm_state *s)
{
	struct reference magnitudes = s->sums;

	magnitudes.c = (double *)resources_memory(
		&s->resources, RESOURCE_HOST, sizeof(double) * (size_t)magnitudes.m * (size_t)magnitudes.n);
	if (!magnitudes.c)
		return cudaErrorMemoryAllocation;
	gemm_magnitudes(s->checked_a, (size_t)magnitudes.m * (size_t)s->k);
	magnitudes.b_magnitudes = true;
	if (!reference_compute(&magnitudes))
		return cudaErrorMemoryAllocation;
	s->magnitudes = magnitudes;
	return cudaSuccess;
}

/* Makes both references when they are first needed. */
static cudaError_t gemm_reference(struct gemm_state *s)
{
	cudaError_t error = s->sums.c ? cudaSuccess : gemm_reference_sums(s);

	return error != cudaSuccess || s->magnitudes.c ? error : gemm_reference_magnitudes(s);
}

/*
 * How far a right result may be from the exact one. Rounding it to bf16, which has 8 significant bits, is off by at
 * most 2^-8 of it. A sum of k products in float is off by some sqrt(k) roundings of what they come to without signs.
 * Four times that are allowed: tensor cores align products before they add them, and cut off what is left.
 */
static double gemm_growth(const struct gemm_state *s)
{
	return 4 * sqrt((double)s->k);
}

static double gemm_tolerance(const struct gemm_state *s, double sum, double magnitude)
{
	return 0x1p-8 * fabs(sum) + gemm_growth(s) * FLOAT_ROUNDOFF * magnitude;
}

static double gemm_got(const struct gemm_state *s, int row, int col)
{
	return bf16_to_float(s->host_c[(size_t)row * (size_t)s->row_n + (size_t)col]);
}

/* Compares row `row` of C with its sums and magnitudes. */
static void gemm_compare_row(
	const struct gemm_state *s, int row, const double *sums, const double *magnitudes, struct check_result *out)
{
	const size_t before = out->wrong, compared = out->elements;

	for (int col = 0; col < s->n; col++)
		compare_next(out, gemm_got(s, row, col), sums[col], gemm_tolerance(s, sums[col], magnitudes[col]));
	if (before == 0 && out->wrong > 0) /* counted among what was compared: where it is in C */
		out->first_wrong += (size_t)row * (size_t)s->n - compared;
}

static void gemm_fetch(const void *state, int row, double *out)
{
	const struct gemm_state *s = (const struct gemm_state *)state;

	for (int col = 0; col < s->n; col++)
		out[col] = gemm_got(s, row, col);
}

/* Checks one row more, which the references do not have. Room for its sums and its magnitudes (2 n), and for its row of
 * A. */
static cudaError_t gemm_compare_other(
	const struct gemm_state *s, int row, double *room, float *a, struct check_result *out)
{
	struct reference r = s->sums;
	double norm;

	memcpy(a, s->host_a + (size_t)row * (size_t)s->k, sizeof(*a) * (size_t)s->k);
	r.m = 1;
	r.a = a;
	r.row_norm = &norm;
	r.c = room;
	if (!reference_compute(&r))
		return cudaErrorMemoryAllocation;
	gemm_magnitudes(a, (size_t)s->k);
	r.b_magnitudes = true;
	r.c = room + s->n;
	if (!reference_compute(&r))
		return cudaErrorMemoryAllocation;
	gemm_compare_row(s, row, room, room + s->n, out);
	return cudaSuccess;
}

static cudaError_t gemm_compare_suspect(const struct gemm_state *s, int row, struct check_result *out)
{
	double *room = (double *)malloc(2 * sizeof(*room) * (size_t)s->n);
	float *a = (float *)malloc(sizeof(*a) * (size_t)s->k);
	cudaError_t error = room && a ? gemm_compare_other(s, row, room, a, out) : cudaErrorMemoryAllocation;

	free(a);
	free(room);
	return error;
}

static cudaError_t gemm_compare(const struct gemm_state *s, struct check_result *out)
{
	/* What is rounded is the sum, of which C has the rounded value: a little more is allowed for that. */
	const double rounding = 0x1.02p-8;
	cudaError_t error = cudaSuccess;
	int row = 0;

	for (int i = 0; i < s->sums.m; i++)
		gemm_compare_row(s, s->row[i], s->sums.c + (size_t)i * (size_t)s->n,
			s->magnitudes.c + (size_t)i * (size_t)s->n, out);
	while (out->wrong == 0 && error == cudaSuccess &&
		(row = projection_suspect(&s->projection, gemm_fetch, s, row, rounding, gemm_growth(s))) >= 0)
		error = gemm_compare_suspect(s, row++, out);
	return error;
}

/* C's rows have their gaps, too: nothing may be written there, so the poison stays. */
static void gemm_compare_gaps(const struct gemm_state *s, struct check_result *out)
{
	for (int row = 0; row < s->m; row++) {
		for (int col = s->n; col < s->row_n; col++) {
			const uint16_t got = s->host_c[(size_t)row * (size_t)s->row_n + (size_t)col];

			out->elements++;
			if (got == GEMM_POISON || out->wrong++ > 0)
				continue;
			out->first_wrong = (size_t)row * (size_t)s->n + (size_t)s->n - 1;
			out->got = bf16_to_float(got);
			out->want = NAN;
			out->max_error = HUGE_VAL;
			out->what = "the gap behind a row of C was written to";
		}
	}
}

static cudaError_t gemm_check(void *state, struct check_result *out)
{
	struct gemm_state *s = (struct gemm_state *)state;
	const size_t bytes = sizeof(uint16_t) * (size_t)s->m * (size_t)s->row_n;
	cudaError_t error = cudaDeviceSynchronize();

	compare_begin(out);
	if (error == cudaSuccess)
		error = cudaMemcpy(s->host_c, s->c, bytes, cudaMemcpyDeviceToHost);
	if (error == cudaSuccess)
		error = gemm_reference(s);
	if (error == cudaSuccess)
		error = gemm_compare(s, out);
	if (error == cudaSuccess)
		gemm_compare_gaps(s, out);
	return error;
}

#endif
