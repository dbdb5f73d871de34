/*
 * toy-kernels.h: kernels of the stand-in GPU for programs of tests. They do nothing. One of B blocks takes
 * 20,000 + 64 B ns, and 5 instructions for each thread.
 */
#ifndef DBPROF_TESTS_TOY_KERNELS_H
#define DBPROF_TESTS_TOY_KERNELS_H

#include <cuda_runtime_api.h>

enum { TOY_THREADS = 1024 }; /* of a block */

/* Their symbols: `add`, `scale`, `mul`, and one of NCCL. */
extern const char toy_add, toy_scale, toy_mul, toy_nccl;

/* Makes them known. `add` and `scale` have the machine code of this number: 0 at first. */
void toy_kernels(int code);

/* Ends the program with one line and status 97 if `code` is an error. */
void toy_check(cudaError_t code);

/* The arguments of any of them. */
void **toy_arguments(void);

void toy_launch(const void *kernel, unsigned blocks, cudaStream_t stream);

#endif
