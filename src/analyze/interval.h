/* interval.h: sets of intervals, half-open: [start, end). */
#ifndef DBPROF_ANALYZE_INTERVAL_H
#define DBPROF_ANALYZE_INTERVAL_H

#include <stddef.h>
#include <stdint.h>

struct interval {
	int64_t start, end;
};

/* Sorts in place and merges overlapping and touching intervals; empty or backward ones are dropped. Returns how many
 * are left, sorted and disjoint. */
size_t intervals_union(struct interval *a, size_t n);

/* Sorts in place by start, in linear time. Intervals that start together come in any order. */
void intervals_sort(struct interval *a, size_t n);

/* Sum of the lengths of sorted, disjoint intervals (the result of intervals_union); INT64_MAX if it is more. */
int64_t intervals_length(const struct interval *a, size_t n);

/* Length of the intersection of two sorted, disjoint sets. */
int64_t intervals_overlap(const struct interval *a, size_t na, const struct interval *b, size_t nb);

/* A list that grows. Zero it first; free(at) ends it. */
struct intervals {
	struct interval *at;
	size_t n, room;
};

/* Adds to `out` what of one sorted, disjoint set lies outside another one. */
void intervals_add_minus(
	struct intervals *out, const struct interval *a, size_t na, const struct interval *b, size_t nb);

/* Adds to each of `bins` equal slices of [from, to) how busy it is kept by one more interval: 0 to 1. Intervals of one
 * union add up to no more than 1, but for what rounding adds. Nothing if to <= from. */
void intervals_add_share(const struct interval *a, int64_t from, int64_t to, double *out, size_t bins);

#endif
