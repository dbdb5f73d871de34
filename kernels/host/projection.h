/*
 * projection.h: looks at all rows of a product whose rows are too many to be checked one by one: C x must be A (B x),
 * where x has a random sign for each column (Freivalds 1977). It only tells which row to look at: elements decide.
 */
#ifndef DBPROF_KERNELS_PROJECTION_H
#define DBPROF_KERNELS_PROJECTION_H

#include "random.h"
#include "resources.h"
#include "sgemm-reference.h"

/* Of C = A B, where C is m x n. Memory is that of the resources. */
struct projection {
	int m, n;
	double *sign;     /* n: x, of 1 and -1 */
	double *want;     /* m: A (B x); NULL until it is made */
	double *row_norm; /* m: Euclidean norms of the rows of A */
	double b_norm;    /* Frobenius norm of B */
};

/* B x into `out` (k), along the direction in which B lies in memory. */
static inline void projection_of_b(struct projection *p, const struct reference *all, double *out)
{
	const bool by_rows = all->b_n == 1;
	const int outer = by_rows ? all->k : all->n, inner = by_rows ? all->n : all->k;
	double squares = 0;

	memset(out, 0, sizeof(*out) * (size_t)all->k);
	for (int i = 0; i < outer; i++) {
		for (int j = 0; j < inner; j++) {
			const int row = by_rows ? i : j, col = by_rows ? j : i;
			const double value = all->b[(size_t)row * all->b_k + (size_t)col * all->b_n];

			out[row] += p->sign[col] * value;
			squares += value * value;
		}
	}
	p->b_norm = sqrt(squares);
}

static inline void projection_of_rows(struct projection *p, const struct reference *all, const double *bx)
{
	for (int row = 0; row < p->m; row++) {
		const float *a = all->a + (size_t)row * (size_t)all->k;
		double sum = 0, squares = 0;

		for (int k = 0; k < all->k; k++) {
			sum += (double)a[k] * bx[k];
			squares += (double)a[k] * a[k];
		}
		p->want[row] = sum;
		p->row_norm[row] = sqrt(squares);
	}
}

/* Makes it of all rows of A and all of B: of `all` only m, n, k, a, b and the distances in B are used. Returns the
 * error of `resources`. */
static inline cudaError_t projection_make(
	struct projection *p, struct resources *resources, const struct reference *all, uint64_t seed)
{
	struct splitmix random = {seed};
	double *bx = (double *)resources_memory(resources, RESOURCE_HOST, sizeof(double) * (size_t)all->k);
	double *want = (double *)resources_memory(resources, RESOURCE_HOST, sizeof(double) * (size_t)all->m);

	p->m = all->m;
	p->n = all->n;
	p->sign = (double *)resources_memory(resources, RESOURCE_HOST, sizeof(double) * (size_t)all->n);
	p->row_norm = (double *)resources_memory(resources, RESOURCE_HOST, sizeof(double) * (size_t)all->m);
	if (resources->error != cudaSuccess)
		return resources->error;
	p->want = want;
	for (int col = 0; col < p->n; col++)
		p->sign[col] = splitmix_next(&random) >> 63 ? 1 : -1;
	projection_of_b(p, all, bx);
	projection_of_rows(p, all, bx);
	return cudaSuccess;
}

/*
 * Whether a row of C looks wrong: `sum` is that of its elements with their signs, `squares` that of their squares. An
 * element may be off by `rounding` of itself and by `growth` roundings of |a| |b|, as reference_tolerance() has it.
 * Whatever these errors are, their sum with random signs is beyond eight times the root of their squares by a chance
 * below 3e-14 (Hoeffding's inequality), and that root is not above the sum of both parts' roots (Minkowski's).
 */
static inline bool projection_off(
	const struct projection *p, int row, double sum, double squares, double rounding, double growth)
{
	const double limit = 8 * (rounding * sqrt(squares) + growth * FLOAT_ROUNDOFF * p->row_norm[row] * p->b_norm);

	return !(fabs(sum - p->want[row]) <= limit);
}

#endif
