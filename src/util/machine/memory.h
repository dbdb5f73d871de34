/* memory.h: how much memory this process may still take. */
#ifndef DBPROF_UTIL_MACHINE_MEMORY_H
#define DBPROF_UTIL_MACHINE_MEMORY_H

#include <stdint.h>

/* Bytes that are free: of the machine, within the limits of the process's control groups and of its own (ulimit -v).
 * INT64_MAX where nothing tells. */
int64_t memory_free(void);

#endif
