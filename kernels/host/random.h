/* random.h: reproducible random inputs (splitmix64), the same on every machine for a given seed. */
#ifndef DBPROF_KERNELS_RANDOM_H
#define DBPROF_KERNELS_RANDOM_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

/* Integers are 0..RANDOM_INT_MAX: never negative, so that poison (-1) is no right sum, and small enough that the sum of
 * 2^28 of them still fits an int. */
enum { RANDOM_INT_MAX = 7 };

/* Longer arrays repeat this many random elements: a quarter of a billion of them would take seconds. It is prime, so
 * that chunks and blocks, whose lengths are powers of two, all differ. */
enum { RANDOM_PERIOD = (1 << 22) - 3 };

struct splitmix {
	uint64_t state;
};

static inline uint64_t splitmix_next(struct splitmix *r)
{
	uint64_t z = r->state += 0x9e3779b97f4a7c15u;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
	return z ^ (z >> 31);
}

/* How many of n elements are drawn. */
static inline size_t random_drawn(size_t n)
{
	return n < (size_t)RANDOM_PERIOD ? n : (size_t)RANDOM_PERIOD;
}

/* Fills the rest of `x`, n elements of `size` bytes, with copies of those that were drawn. */
static inline void random_repeat(void *x, size_t n, size_t size)
{
	char *bytes = (char *)x;
	size_t filled = random_drawn(n);

	while (filled < n) {
		const size_t more = filled < n - filled ? filled : n - filled; /* whole periods, but for the end */

		memcpy(bytes + filled * size, bytes, more * size);
		filled += more;
	}
}

/* Uniform in [-1, 1): sums stay small, so that a lost element is not hidden by rounding. */
static inline void random_floats(struct splitmix *r, float *x, size_t n)
{
	for (size_t i = 0; i < random_drawn(n); i++)
		x[i] = (float)(splitmix_next(r) >> 40) * 0x1p-23f - 1.0f;
	random_repeat(x, n, sizeof(*x));
}

/* Uniform in 0..RANDOM_INT_MAX. */
static inline void random_ints(struct splitmix *r, int *x, size_t n)
{
	for (size_t i = 0; i < random_drawn(n); i++)
		x[i] = (int)(splitmix_next(r) % (RANDOM_INT_MAX + 1u));
	random_repeat(x, n, sizeof(*x));
}

/* Uniform in 0..255. */
static inline void random_bytes(struct splitmix *r, uint8_t *x, size_t n)
{
	for (size_t i = 0; i < random_drawn(n); i++)
		x[i] = (uint8_t)(splitmix_next(r) >> 56);
	random_repeat(x, n, sizeof(*x));
}

#endif
