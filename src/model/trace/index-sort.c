/* index-sort.c: in-place radix sort from the highest digit, as that of intervals, but the keys stay where they are. */
#include "model/trace/index-sort.h"

#include <stdbool.h>

enum { RADIX_BITS = 8, RADIX_BUCKETS = 1 << RADIX_BITS, SMALL_SORT = 48 };

static bool index_before(uint32_t a, uint32_t b, const int64_t *key)
{
	int64_t left = key[a], right = key[b];

	return left != right ? left < right : a < b;
}

static void index_sort_small(uint32_t *index, size_t n, const int64_t *key)
{
	for (size_t i = 1; i < n; i++) {
		uint32_t moving = index[i];
		size_t hole = i;

		for (; hole > 0 && index_before(moving, index[hole - 1], key); hole--)
			index[hole] = index[hole - 1];
		index[hole] = moving;
	}
}

/* Sorts what is nearly in order: a pass over the keys is most of the time. Gives up, with all numbers still there, if
 * that takes more moves than there are numbers. */
static bool index_sort_nearly(uint32_t *index, size_t n, const int64_t *key)
{
	size_t left = n;

	for (size_t i = 1; i < n; i++) {
		uint32_t moving = index[i];
		size_t hole = i;

		for (; hole > 0 && left > 0 && index_before(moving, index[hole - 1], key); hole--, left--)
			index[hole] = index[hole - 1];
		index[hole] = moving;
		if (left == 0)
			return false;
	}
	return true;
}

/* The digits to sort by: of the key, then of the index. Unsigned arithmetic: the difference of two int64_t may need 64
 * bits without a sign. */
struct digits {
	const int64_t *key;
	int64_t base; /* the smallest key */
};

static unsigned index_digit(const struct digits *digits, uint32_t i, int shift)
{
	uint64_t value = shift < 0 ? i : (uint64_t)digits->key[i] - (uint64_t)digits->base;
	int down = shift < 0 ? shift + 32 : shift;

	return (unsigned)(value >> down) & (RADIX_BUCKETS - 1);
}

/* Digits of the key have shifts from 56 to 0; those of the index, which decides between equal keys, from -8 to -32. */
static void index_sort_digit(uint32_t *index, size_t n, const struct digits *digits, int shift)
{
	size_t next[RADIX_BUCKETS], stop[RADIX_BUCKETS] = {0};
	size_t begin = 0;

	if (n <= SMALL_SORT) {
		index_sort_small(index, n, digits->key);
		return;
	}
	for (size_t i = 0; i < n; i++)
		stop[index_digit(digits, index[i], shift)]++;
	for (int b = 0; b < RADIX_BUCKETS; b++) {
		next[b] = begin;
		begin += stop[b];
		stop[b] = begin;
	}
	for (unsigned b = 0; b < RADIX_BUCKETS; b++) {
		while (next[b] < stop[b]) {
			uint32_t moving = index[next[b]];
			unsigned home = index_digit(digits, moving, shift);

			index[next[b]] = index[next[home]];
			index[next[home]++] = moving;
		}
	}
	if (shift == -32)
		return;
	begin = 0;
	for (int b = 0; b < RADIX_BUCKETS; b++) {
		index_sort_digit(index + begin, stop[b] - begin, digits, shift - RADIX_BITS);
		begin = stop[b];
	}
}

void index_sort(uint32_t *index, size_t n, const int64_t *key)
{
	struct digits digits = {.key = key, .base = INT64_MAX};
	int64_t high = INT64_MIN;
	int shift = 0;

	if (index_sort_nearly(index, n, key))
		return;
	for (size_t i = 0; i < n; i++) {
		int64_t here = key[index[i]];

		digits.base = here < digits.base ? here : digits.base;
		high = here > high ? here : high;
	}
	for (uint64_t range = (uint64_t)high - (uint64_t)digits.base; range >> shift >= RADIX_BUCKETS;)
		shift += RADIX_BITS;
	index_sort_digit(index, n, &digits, shift);
}
