/* number.h: order and sums of 64-bit integers. */
#ifndef DBPROF_UTIL_NUMBER_H
#define DBPROF_UTIL_NUMBER_H

#include <stdint.h>

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

#endif
