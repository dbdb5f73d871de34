/* order.h: comparison of numbers for qsort() and bsearch(). Private to src/analyze. */
#ifndef DBPROF_ANALYZE_STATISTICS_ORDER_H
#define DBPROF_ANALYZE_STATISTICS_ORDER_H

#include <stddef.h>

/* Ascending; neither may be NaN. */
int compare_doubles(const void *left, const void *right);
int compare_ints(const void *left, const void *right);

/* Sorts x[n] and leaves each number once; returns how many there are. */
size_t sort_distinct(int *x, size_t n);

#endif
