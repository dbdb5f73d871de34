/* order.h: comparison of numbers for qsort() and bsearch(), shared by the files of this room. */
#ifndef DBPROF_ANALYZE_ORDER_H
#define DBPROF_ANALYZE_ORDER_H

#include <stdlib.h>

/* Ascending; neither may be NaN. */
static inline int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

static inline int compare_ints(const void *left, const void *right)
{
	int a = *(const int *)left, b = *(const int *)right;

	return (a > b) - (a < b);
}

/* Sorts x[n] and leaves each number once; returns how many there are. */
static inline size_t sort_distinct(int *x, size_t n)
{
	size_t kept = 0;

	qsort(x, n, sizeof(*x), compare_ints);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || x[i] != x[kept - 1])
			x[kept++] = x[i];
	return kept;
}

#endif
