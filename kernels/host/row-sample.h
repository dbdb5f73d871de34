/* row-sample.h: which rows of a matrix product are checked: all of a small one, some of every part of a large one. */
#ifndef DBPROF_KERNELS_ROW_SAMPLE_H
#define DBPROF_KERNELS_ROW_SAMPLE_H

#include <stdint.h>

#include "random.h"

/* A product is checked in all rows up to so many multiplications, which take the CPU seconds, or a moment at a point of
 * a sweep, of which there are many. Beyond, ROWS_SAMPLED rows: in double precision 4096^3 would take a minute. */
enum { ROWS_SAMPLED = 256 };
static const int64_t ROWS_ALL_OF_CASE = (int64_t)2048 * 2048 * 2048, ROWS_ALL_OF_POINT = 512 * 512 * 512;

/* How many rows of a product of m x k and k x n are checked, where all are up to `all` multiplications. */
static inline int rows_checked(int m, int n, int k, int64_t all)
{
	const int64_t products = (int64_t)m * n * k;

	return products <= all || m <= ROWS_SAMPLED ? m : ROWS_SAMPLED;
}

/* Chooses `count` of m rows, rising: one at random in each of `count` strips of the same height. The first and the last
 * strip give the first and the last row, where kernels handle edges. projection.h looks at what lies between. */
static inline void rows_choose(int m, int count, uint64_t seed, int *row)
{
	struct splitmix random = {seed ^ 0x9ddfea08eb382d69};

	for (int i = 0; i < count; i++) {
		const int64_t first = (int64_t)i * m / count, next = (int64_t)(i + 1) * m / count;

		row[i] = (int)(first + (int64_t)(splitmix_next(&random) % (uint64_t)(next - first)));
	}
	row[0] = 0;
	row[count - 1] = m - 1;
}

#endif
