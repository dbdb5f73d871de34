/* parallel.h: pieces of a computation in threads. */
#ifndef DBPROF_UTIL_MACHINE_PARALLEL_H
#define DBPROF_UTIL_MACHINE_PARALLEL_H

#include <stddef.h>

/* The processors that this process may use: `taskset` narrows them. At least 1. */
int processors_usable(void);

/* How many threads shall read and compute: DBPROF_THREADS (1 to 256), else as many as there are processors. */
int threads_wanted(void);

/* Calls work(user, i) once for each `i` below `n`, in at most `threads` threads, of which the caller's is one, and
 * returns when all calls have. A thread takes the next `i` when it is done with its last one. Where no further thread
 * can be had, those that are there do it all. */
void parallel_run(size_t threads, size_t n, void (*work)(void *user, size_t i), void *user);

#endif
