/* hash.h: a hash of bytes for tables of texts and for checksums. It does not resist people who want collisions. */
#ifndef DBPROF_UTIL_HASH_H
#define DBPROF_UTIL_HASH_H

#include <stddef.h>
#include <stdint.h>

/* Data that differ in just one word of eight bytes never have the same hash. Depends on the machine's byte order. */
uint64_t hash_bytes(uint64_t seed, const void *data, size_t size);

#endif
