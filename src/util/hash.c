/* hash.c: see hash.h. */
#include "util/hash.h"

#include <string.h>

/* Takes eight bytes at a time, since names of C++ kernels are long. Each step can be undone: so data that differ in one
 * word have different hashes. */
uint64_t hash_bytes(uint64_t seed, const void *data, size_t size)
{
	const uint64_t factor = 0x9E3779B97F4A7C15; /* 2^64 over the golden ratio: odd, with mixed bits */
	const unsigned char *at = data;
	uint64_t hash = (seed ^ size) * factor, word;

	for (; size >= sizeof(word); at += sizeof(word), size -= sizeof(word)) {
		memcpy(&word, at, sizeof(word));
		hash = (hash ^ word) * factor;
		hash ^= hash >> 32;
	}
	word = 0;
	memcpy(&word, at, size);
	hash = (hash ^ word) * factor;
	return hash ^ hash >> 32;
}
