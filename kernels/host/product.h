/*
 * product.h: the state of a family that multiplies matrices, C = A B: set-up, rotation, poison, and the check against
 * the CPU reference. A state is a struct whose first member is `struct product`, or that itself.
 */
#ifndef DBPROF_KERNELS_PRODUCT_H
#define DBPROF_KERNELS_PRODUCT_H

#include "projection.h"
#include "random.h"
#include "resources.h"
#include "rotate.h"
#include "row-sample.h"
#include "sgemm-reference.h"
#include "variant.h"

/* Row-major: A is m x k, B is k x n, C is m x n. */
struct product_size {
	int m, n, k;
};

/* A side of a case: what parameter `all` says of all sides, unless it is 0 or the side is set itself. In a sweep over
 * `all` that wins: else all points were of one size. */
static inline int product_side(const struct size_case *size, int param, int all)
{
	const bool own = size->set & 1u << param && !(size->swept & 1u << all);

	return (int)(size->value[all] && !own ? size->value[all] : size->value[param]);
}

struct product {
	struct resources resources;
	uint64_t seed;
	int m, n, k;
	int repeats;      /* C is so many times the product */
	int64_t all_rows; /* multiplications up to which all rows are checked */
	struct rotation rotation;
	struct rotated all_a, all_b, all_c; /* device: in all slots */
	float *a, *b, *c;                   /* of the slot of the last launch */
	float *host_a, *host_b, *host_c;
	struct reference reference;   /* of the rows that are checked; c is NULL until the first check */
	int *row;                     /* which these are */
	struct projection projection; /* of all rows, if only some are checked */
};

/* The matrices once. */
static inline size_t product_bytes(struct product_size p)
{
	const size_t m = (size_t)p.m, n = (size_t)p.n, k = (size_t)p.k;

	return sizeof(float) * (m * k + k * n + m * n);
}

static inline size_t product_device_bytes(struct product_size p)
{
	return rotate_bytes(product_bytes(p), 3);
}

/* Lets `a`, `b` and `c` be those of the next slot: every launch begins with it. */
static inline void product_rotate(struct product *p)
{
	rotate_next(&p->rotation);
	p->a = (float *)rotate_now(&p->rotation, &p->all_a);
	p->b = (float *)rotate_now(&p->rotation, &p->all_b);
	p->c = (float *)rotate_now(&p->rotation, &p->all_c);
}

static inline void product_fill(struct product *p)
{
	const size_t a = (size_t)p->m * p->k, b = (size_t)p->k * p->n;
	struct splitmix random = {p->seed};

	if (p->resources.error != cudaSuccess)
		return;
	random_floats(&random, p->host_a, a);
	random_floats(&random, p->host_b, b);
	rotate_upload(&p->resources, &p->rotation, &p->all_a, p->host_a, sizeof(float) * a);
	rotate_upload(&p->resources, &p->rotation, &p->all_b, p->host_b, sizeof(float) * b);
	product_rotate(p);
}

/* Sets up a zeroed state for the case `of`; failures are in p->resources. */
static inline void product_set_up(
	struct product *p, const struct size_case *of, struct product_size size, int repeats, uint64_t seed)
{
	const size_t m = (size_t)size.m, n = (size_t)size.n, k = (size_t)size.k;
	const size_t a = sizeof(float) * m * k, b = sizeof(float) * k * n, c = sizeof(float) * m * n;

	p->m = size.m;
	p->n = size.n;
	p->k = size.k;
	p->repeats = repeats;
	p->seed = seed;
	p->all_rows = of->sweep ? ROWS_ALL_OF_POINT : ROWS_ALL_OF_CASE;
	p->host_a = (float *)resources_memory(&p->resources, RESOURCE_HOST, a);
	p->host_b = (float *)resources_memory(&p->resources, RESOURCE_HOST, b);
	p->host_c = (float *)resources_memory(&p->resources, RESOURCE_HOST, c);
	p->rotation = rotate_begin(&p->resources, rotate_stride(a) + rotate_stride(b) + rotate_stride(c));
	p->all_a = rotate_memory(&p->resources, &p->rotation, a);
	p->all_b = rotate_memory(&p->resources, &p->rotation, b);
	p->all_c = rotate_memory(&p->resources, &p->rotation, c);
	product_fill(p);
}

static inline cudaError_t product_poison(void *state, cudaStream_t stream)
{
	struct product *p = (struct product *)state;

	return rotate_poison(&p->rotation, &p->all_c, stream);
}

/* Makes the reference when it is first needed: a pass that only takes times does without it. */
static inline cudaError_t product_reference(struct product *p)
{
	const int rows = rows_checked(p->m, p->n, p->k, p->all_rows);
	const size_t row_bytes = sizeof(float) * (size_t)p->k;
	struct reference r = {rows, p->n, p->k, NULL, p->host_b, (size_t)p->n, 1, false, NULL, NULL, NULL};
	float *a;

	if (p->reference.c)
		return cudaSuccess;
	p->row = (int *)resources_memory(&p->resources, RESOURCE_HOST, sizeof(int) * (size_t)rows);
	a = (float *)resources_memory(&p->resources, RESOURCE_HOST, row_bytes * (size_t)rows);
	r.c = (double *)resources_memory(&p->resources, RESOURCE_HOST, sizeof(double) * (size_t)rows * p->n);
	r.row_norm = (double *)resources_memory(&p->resources, RESOURCE_HOST, sizeof(double) * (size_t)rows);
	r.col_norm = (double *)resources_memory(&p->resources, RESOURCE_HOST, sizeof(double) * (size_t)p->n);
	if (p->resources.error != cudaSuccess)
		return cudaErrorMemoryAllocation;
	rows_choose(p->m, rows, p->seed, p->row);
	for (int i = 0; i < rows; i++)
		memcpy(a + (size_t)i * p->k, p->host_a + (size_t)p->row[i] * p->k, row_bytes);
	r.a = a;
	if (!reference_compute(&r) || (rows < p->m && projection_make(&p->projection, &p->resources, &r, p->m,
							      p->host_a, p->seed) != cudaSuccess))
		return cudaErrorMemoryAllocation;
	p->reference = r;
	return cudaSuccess;
}

/* Compares row `row` of C with row `i` of the reference. */
static inline void product_compare_row(
	const struct product *p, const struct reference *r, int i, int row, struct check_result *out)
{
	const size_t before = out->wrong, compared = out->elements;

	for (int col = 0; col < p->n; col++)
		compare_next(out, p->host_c[(size_t)row * p->n + col], p->repeats * r->c[(size_t)i * p->n + col],
			reference_tolerance(r, p->repeats, i, col));
	if (before == 0 && out->wrong > 0) /* counted among what was compared: where it is in C */
		out->first_wrong += (size_t)row * p->n - compared;
}

static inline void product_fetch(const void *state, int row, double *out)
{
	const struct product *p = (const struct product *)state;

	for (int col = 0; col < p->n; col++)
		out[col] = p->host_c[(size_t)row * p->n + col] / (double)p->repeats;
}

/* Checks one row more, which the reference does not have. */
static inline cudaError_t product_compare_suspect(const struct product *p, int row, struct check_result *out)
{
	struct reference r = p->reference;
	double norm;
	bool known;

	r.m = 1;
	r.a = p->host_a + (size_t)row * p->k;
	r.row_norm = &norm;
	r.c = (double *)malloc(sizeof(double) * (size_t)p->n);
	known = r.c && reference_compute(&r);
	if (known)
		product_compare_row(p, &r, 0, row, out);
	free(r.c);
	return known ? cudaSuccess : cudaErrorMemoryAllocation;
}

static inline cudaError_t product_compare(const struct product *p, struct check_result *out)
{
	cudaError_t error = cudaSuccess;
	const double growth = reference_growth(p->k, p->repeats);
	int row = 0;

	for (int i = 0; i < p->reference.m; i++)
		product_compare_row(p, &p->reference, i, p->row[i], out);
	while (out->wrong == 0 && error == cudaSuccess &&
		(row = projection_suspect(&p->projection, product_fetch, p, row, 0, growth)) >= 0)
		error = product_compare_suspect(p, row++, out);
	return error;
}

static inline cudaError_t product_check(void *state, struct check_result *out)
{
	struct product *p = (struct product *)state;
	const size_t bytes = sizeof(float) * (size_t)p->m * p->n;
	cudaError_t error = cudaDeviceSynchronize();

	compare_begin(out);
	if (error == cudaSuccess)
		error = cudaMemcpy(p->host_c, p->c, bytes, cudaMemcpyDeviceToHost);
	if (error == cudaSuccess)
		error = product_reference(p);
	if (error == cudaSuccess)
		error = product_compare(p, out);
	return error;
}

#endif
