/* attribute.h: which range of the host a piece of device work belongs to. */
#ifndef DBPROF_ANALYZE_ATTRIBUTE_H
#define DBPROF_ANALYZE_ATTRIBUTE_H

#include <stddef.h>
#include <stdint.h>

struct host_range {
	int64_t start, end;
	int64_t thread;
};

struct host_call {
	int64_t start;
	int64_t thread;
	int64_t correlation;
};

/* For each call, the index of the innermost range [start, end) of its thread that contains its start, or -1. Where
 * ranges do not nest, this is the one that started last; of two equal ones, it is the later in the array. */
void ranges_attribute(
	const struct host_range *ranges, size_t nranges, const struct host_call *calls, size_t ncalls, int *out);

/* For each range, its parent: the index of the innermost range of its thread that contains its start, or -1. Start at
 * ranges_attribute()'s answer and go from parent to parent: you meet every range that contains the call. Where ranges
 * do not nest, you meet some that do not contain it as well. The number of steps to -1 is the depth. */
void ranges_parents(const struct host_range *ranges, size_t n, int *out);

#endif
