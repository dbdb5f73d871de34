/* sort.h: sorting what is nearly in order. */
#ifndef DBPROF_ANALYZE_SORT_H
#define DBPROF_ANALYZE_SORT_H

#include <stddef.h>

/* The same as qsort(), but equal items keep their order, and `n` items that stand in a few ascending runs, one behind
 * the other, take time in proportion to `n`. */
void sort_runs(void *items, size_t n, size_t size, int (*order)(const void *, const void *));

#endif
