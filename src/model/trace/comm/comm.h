/* comm.h: communication between GPUs in a traced program, and how much of it runs beside computation. */
#ifndef DBPROF_MODEL_TRACE_COMM_COMM_H
#define DBPROF_MODEL_TRACE_COMM_COMM_H

#include <jansson.h>
#include <stdbool.h>

struct model;

/* Whether a kernel of this name communicates: one of NCCL or NVSHMEM. Such kernels wait for other GPUs and compute
 * little. */
bool kernel_communicates(const char *name);

/* C of docs/report-json.md; null if the recording has no communication. */
json_t *communication_json(const struct model *model);

#endif
