/* communicates.h: which kernels communicate between GPUs. */
#ifndef DBPROF_ANALYZE_COMMUNICATES_H
#define DBPROF_ANALYZE_COMMUNICATES_H

#include <stdbool.h>

/* Whether a kernel of this name, plain or with template arguments and parameters, communicates: one of NCCL or NVSHMEM.
 * Such kernels wait for other GPUs and compute little. */
bool kernel_communicates(const char *name);

#endif
