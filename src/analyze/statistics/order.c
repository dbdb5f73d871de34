/* order.c: see order.h. */
#include "analyze/statistics/order.h"

#include <stdlib.h>

int compare_doubles(const void *left, const void *right)
{
	double a = *(const double *)left, b = *(const double *)right;

	return (a > b) - (a < b);
}

int compare_ints(const void *left, const void *right)
{
	int a = *(const int *)left, b = *(const int *)right;

	return (a > b) - (a < b);
}

size_t sort_distinct(int *x, size_t n)
{
	size_t kept = 0;

	qsort(x, n, sizeof(*x), compare_ints);
	for (size_t i = 0; i < n; i++)
		if (i == 0 || x[i] != x[kept - 1])
			x[kept++] = x[i];
	return kept;
}
