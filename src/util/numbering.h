/* numbering.h: gives each distinct 64-bit number a place: 0, 1, 2 ... in the order of first sight. */
#ifndef DBPROF_UTIL_NUMBERING_H
#define DBPROF_UTIL_NUMBERING_H

#include <stddef.h>
#include <stdint.h>

/* Zero it first; numbering_free() ends it. */
struct numbering {
	int64_t *id; /* by place */
	size_t n, room;
	uint32_t *slots; /* hash table: a place plus one; 0: free */
	size_t nslots;
	size_t last; /* the place that was asked for last */
};

/* The place of `id`, which gets one if it has none. */
size_t numbering_place(struct numbering *numbering, int64_t id);

/* Sorts the numbers, and returns for each old place its new one, for free(). No number can be added then. */
uint32_t *numbering_sort(struct numbering *numbering);

void numbering_free(struct numbering *numbering);

#endif
