/*
 * projection.h: looks at all rows of a product whose rows are too many to be checked one by one. In each row, the
 * elements of 256 columns with random signs must add up to what A and B give (Freivalds 1977). It only tells which row
 * to look at: elements decide.
 *
 * What is noticed: NaN always. At k = 8192 a row of bf16 is looked at if its sum is off by 0.8 of what an element is
 * (root mean square), one of float if by 0.5. So a single lost element is noticed in about half of all cases, eight
 * beside each other in eight of ten, a lost tile of 64 rows or more for certain.
 */
#ifndef DBPROF_KERNELS_PROJECTION_H
#define DBPROF_KERNELS_PROJECTION_H

#include "random.h"
#include "resources.h"
#include "sgemm-reference.h"

enum { PROJECTION_COLS = 256 };

/* Of C = A B, where C is m x n, in blocks of columns; the last one may be narrower. Memory is that of the resources. */
struct projection {
	int m, n, blocks;
	double *sign;       /* n: 1 or -1 */
	double *want;       /* m x blocks: A times the columns of B with their signs; NULL until it is made */
	double *row_norm;   /* m: Euclidean norms of the rows of A */
	double *block_norm; /* blocks: Frobenius norms of B's columns */
	double *row;        /* n: the row of C that is looked at */
};

/* Fills `out` with a row of C, as if C were the product once (n). */
typedef void projection_fetch(const void *state, int row, double *out);

/* The sums of B's rows over each block of columns into `out` (k x blocks), along the direction in which B lies in
 * memory. */
static inline void projection_of_b(struct projection *p, const struct reference *all, double *out)
{
	const bool by_rows = all->b_n == 1;
	const int outer = by_rows ? all->k : all->n, inner = by_rows ? all->n : all->k;

	memset(out, 0, sizeof(*out) * (size_t)all->k * (size_t)p->blocks);
	memset(p->block_norm, 0, sizeof(*p->block_norm) * (size_t)p->blocks);
	for (int i = 0; i < outer; i++) {
		for (int j = 0; j < inner; j++) {
			const int row = by_rows ? i : j, col = by_rows ? j : i, block = col / PROJECTION_COLS;
			const double value = all->b[(size_t)row * all->b_k + (size_t)col * all->b_n];

			out[(size_t)row * (size_t)p->blocks + (size_t)block] += p->sign[col] * value;
			p->block_norm[block] += value * value;
		}
	}
	for (int block = 0; block < p->blocks; block++)
		p->block_norm[block] = sqrt(p->block_norm[block]);
}

/* One row of A times `bx` (k x blocks) into `sum`. Returns the square of the row's norm. */
REFERENCE_CLONES static double projection_of_row(const float *a, const double *bx, int k, int blocks, double *sum)
{
	double squares = 0;

	memset(sum, 0, sizeof(*sum) * (size_t)blocks);
	for (int i = 0; i < k; i++) {
		const double value = a[i];

		for (int block = 0; block < blocks; block++)
			sum[block] += value * bx[(size_t)i * (size_t)blocks + (size_t)block];
		squares += value * value;
	}
	return squares;
}

/* Makes it of all m rows of A (`a`) and of B as `checked` has it, whose rows are fewer. Signs are others than those of
 * inputs made from the same seed. Returns the error of `resources`. */
static inline cudaError_t projection_make(struct projection *p, struct resources *resources,
	const struct reference *checked, int rows, const float *a, uint64_t seed)
{
	struct splitmix random = {seed ^ 0x5bf03635f0935ad1};
	const size_t m = (size_t)rows, n = (size_t)checked->n, k = (size_t)checked->k;
	const size_t blocks = (n + PROJECTION_COLS - 1) / PROJECTION_COLS;
	double *bx = (double *)resources_memory(resources, RESOURCE_HOST, sizeof(double) * k * blocks);
	double *want = (double *)resources_memory(resources, RESOURCE_HOST, sizeof(double) * m * blocks);

	p->m = rows;
	p->n = checked->n;
	p->row = (double *)resources_memory(resources, RESOURCE_HOST, sizeof(double) * n);
	p->blocks = (int)blocks;
	p->sign = (double *)resources_memory(resources, RESOURCE_HOST, sizeof(double) * n);
	p->row_norm = (double *)resources_memory(resources, RESOURCE_HOST, sizeof(double) * m);
	p->block_norm = (double *)resources_memory(resources, RESOURCE_HOST, sizeof(double) * blocks);
	if (resources->error != cudaSuccess)
		return resources->error;
	p->want = want;
	for (int col = 0; col < p->n; col++)
		p->sign[col] = splitmix_next(&random) >> 63 ? 1 : -1;
	projection_of_b(p, checked, bx);
	for (size_t row = 0; row < m; row++)
		p->row_norm[row] = sqrt(projection_of_row(a + row * k, bx, checked->k, p->blocks, want + row * blocks));
	return cudaSuccess;
}

/*
 * Whether the row that was fetched looks wrong in a block. An element may be off by `rounding` of itself and by
 * `growth` roundings of |a| |b|, as reference_tolerance() has it. Whatever these errors are, their sum with random
 * signs is beyond eight times the root of their squares by a chance below 3e-14 (Hoeffding's inequality), and that root
 * is not above the sum of both parts' roots (Minkowski's).
 */
static inline bool projection_off(const struct projection *p, int row, int block, double rounding, double growth)
{
	const int first = block * PROJECTION_COLS;
	const int end = p->n - first < PROJECTION_COLS ? p->n : first + PROJECTION_COLS;
	double sum = 0, squares = 0, limit;

	for (int col = first; col < end; col++) {
		sum += p->sign[col] * p->row[col];
		squares += p->row[col] * p->row[col];
	}
	limit = 8 * (rounding * sqrt(squares) + growth * FLOAT_ROUNDOFF * p->row_norm[row] * p->block_norm[block]);
	return !(fabs(sum - p->want[(size_t)row * (size_t)p->blocks + (size_t)block]) <= limit);
}

/* The first row of C from `row` on that looks wrong, or -1: none does, or the projection was not made. */
static inline int projection_suspect(
	const struct projection *p, projection_fetch *fetch, const void *state, int row, double rounding, double growth)
{
	for (; p->want && row < p->m; row++) {
		fetch(state, row, p->row);
		for (int block = 0; block < p->blocks; block++)
			if (projection_off(p, row, block, rounding, growth))
				return row;
	}
	return -1;
}

#endif
