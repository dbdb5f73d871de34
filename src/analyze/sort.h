/* sort.h: sorting what is nearly in order, and what is only needed in part. */
#ifndef DBPROF_ANALYZE_SORT_H
#define DBPROF_ANALYZE_SORT_H

#include <stddef.h>

/* The same as qsort(), but equal items keep their order, and `n` items that stand in a few ascending runs, one behind
 * the other, take time in proportion to `n`. */
void sort_runs(void *items, size_t n, size_t size, int (*order)(const void *, const void *));

/* The same as qsort_r() for the first `most` of the order; the others follow in any order. Takes time in proportion to
 * `n` unless `most` is large. An item has at most 128 bytes. */
void sort_first(
	void *items, size_t n, size_t most, size_t size, int (*order)(const void *, const void *, void *), void *user);

#endif
