/* row-sample.h: which rows of a matrix product are checked: all of a small one, some of every part of a large one. */
#ifndef DBPROF_KERNELS_ROW_SAMPLE_H
#define DBPROF_KERNELS_ROW_SAMPLE_H

#include <stdint.h>

#include "random.h"

/* Up to ROWS_ALL_PRODUCTS multiplications all rows are checked, which takes the CPU seconds. Beyond, ROWS_SAMPLED of
 * them: in double precision 4096^3 would take a minute. */
enum { ROWS_SAMPLED = 256 };
static const int64_t ROWS_ALL_PRODUCTS = (int64_t)2048 * 2048 * 2048;

/* How many rows of a product of m x k and k x n are checked. */
static inline int rows_checked(int m, int n, int k)
{
	const int64_t products = (int64_t)m * n * k;

	return products <= ROWS_ALL_PRODUCTS || m <= ROWS_SAMPLED ? m : ROWS_SAMPLED;
}

/* Chooses `count` of m rows, rising: one at random in each of `count` strips of the same height, so that every tile of
 * m / count rows or more is looked at. */
static inline void rows_choose(int m, int count, uint64_t seed, int *row)
{
	struct splitmix random = {seed};

	for (int i = 0; i < count; i++) {
		const int64_t first = (int64_t)i * m / count, next = (int64_t)(i + 1) * m / count;

		row[i] = (int)(first + (int64_t)(splitmix_next(&random) % (uint64_t)(next - first)));
	}
}

#endif
