/* index-sort.h: sorts numbers of pieces of work by a column. */
#ifndef DBPROF_MODEL_TRACE_INDEX_SORT_H
#define DBPROF_MODEL_TRACE_INDEX_SORT_H

#include <stddef.h>
#include <stdint.h>

/* Sorts index[n] by key[index[i]], then by index[i]: in place, in linear time. */
void index_sort(uint32_t *index, size_t n, const int64_t *key);

#endif
