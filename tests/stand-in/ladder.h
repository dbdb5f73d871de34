/* ladder.h: what the files of the family with a ladder share. */
#ifndef DBPROF_TESTS_STAND_IN_LADDER_H
#define DBPROF_TESTS_STAND_IN_LADDER_H

#include "dbprof-variant.h"
#include "stand-in.h"

/* Enqueues the kernel of `symbol` so many times, over all elements. */
cudaError_t ladder_launch(void *state, const void *symbol, int times, cudaStream_t stream, struct enqueued *done);

/* out[i] = 2 in[i] + 1 */
void ladder_kernel(const unsigned grid[3], const unsigned block[3], void **arguments);

/* The top rung, in ladder-90a.c. */
cudaError_t ladder_top_launch(void *state, cudaStream_t stream, struct enqueued *done);
cudaError_t ladder_top_config(void *state, struct kernel_config *out);

#endif
