/* waits.h: what a kernel's warps do in its loop, from samples or counters. Within the room. */
#ifndef DBPROF_ANALYZE_ADVISE_WAITS_H
#define DBPROF_ANALYZE_ADVISE_WAITS_H

#include "analyze/advise/form.h"

/* Parts of the time of warps in the loop. */
struct advise_waits {
	double loop;    /* of all warp time: that in the loop; 1 if unknown */
	double tiles;   /* waiting for tiles */
	double barrier; /* at barriers */
	double queue;   /* for shared memory and its queue */
	double ready;   /* issuing, or kept from it by other warps */
};

/* Members are NaN if neither samples nor counters tell. */
void advise_waits_of(const struct advise_kernel *kernel, const struct advise_form *form, struct advise_waits *out);

/* NaN: not counted. */
double advise_counter_of(const struct advise_kernel *kernel, const char *key);

/* The same of a percentage, as a part of 1. */
double advise_part_of(const struct advise_kernel *kernel, const char *key);

#endif
