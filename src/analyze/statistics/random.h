/* random.h: numbers for draws: those of src/analyze, and the order of runs. */
#ifndef DBPROF_ANALYZE_STATISTICS_RANDOM_H
#define DBPROF_ANALYZE_STATISTICS_RANDOM_H

#include <stddef.h>
#include <stdint.h>

/* SplitMix64 (Steele, Lea and Flood, 2014). */
static inline uint64_t random_next(uint64_t *state)
{
	uint64_t z = *state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
	return z ^ (z >> 31);
}

/* 0 to n - 1; n is at most 2^32. */
static inline size_t random_below(uint64_t *state, size_t n)
{
	return (size_t)(((random_next(state) & UINT32_MAX) * n) >> 32);
}

#endif
