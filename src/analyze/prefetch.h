/* prefetch.h: what a thread that prepares rounds ahead of a GPU would hide. */
#ifndef DBPROF_ANALYZE_PREFETCH_H
#define DBPROF_ANALYZE_PREFETCH_H

#include <stddef.h>

enum { PREFETCH_DEEPEST = 8 };

struct prefetch {
	int depth;     /* the fewest rounds ahead that hide nearly as much as the most; 0: nothing can be hidden */
	int workers;   /* so many threads prepare as fast as the GPU works; 0: it does not work */
	double hidden; /* with one thread, at that depth (ns) */
};

/* Of `n` rounds: what the host takes for each before the GPU gets work, and what the GPU takes then (ns). */
void prefetch_rounds(const double *host, const double *gpu, size_t n, struct prefetch *out);

#endif
