/* number.h: order, sums and places of 64-bit integers. */
#ifndef DBPROF_UTIL_NUMBER_H
#define DBPROF_UTIL_NUMBER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Below, equal or above: -1, 0 or 1. */
static inline int int64_order(int64_t a, int64_t b)
{
	return (a > b) - (a < b);
}

/* INT64_MAX and INT64_MIN for sums beyond them. */
static inline int64_t int64_sum(int64_t a, int64_t b)
{
	int64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? (a < 0 ? INT64_MIN : INT64_MAX) : sum;
}

/* For FIRST_FROM(): items have `size` bytes and their number `offset` bytes behind their start. */
static inline size_t int64_first_from(const void *items, size_t n, size_t size, size_t offset, int64_t least)
{
	size_t low = 0, high = n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		int64_t here;

		memcpy(&here, (const char *)items + middle * size + offset, sizeof(here));
		if (here < least)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The place of the first of n structs whose member is `least` or more; n if there is none. The member is an int64_t,
 * and the structs are sorted by it. */
#ifdef __cppcheck__ /* it does not read _Generic */
#define FIRST_FROM(items, n, member, least)                                                                            \
	int64_first_from((items), (n), sizeof(*(items)),                                                               \
		(size_t)((const char *)&(items)->member - (const char *)(items)), (least))
#else
#define FIRST_FROM(items, n, member, least)                                                                            \
	int64_first_from((items), (n), sizeof(*(items)),                                                               \
		_Generic((items)->member, int64_t                                                                      \
			 : offsetof(__typeof__(*(items)), member)),                                                    \
		(least))
#endif

#endif
