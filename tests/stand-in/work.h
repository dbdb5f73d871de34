/* work.h: work that a test makes up and the stand-in's CUPTI records, without a runtime and NVTX. */
#ifndef DBPROF_TESTS_STAND_IN_WORK_H
#define DBPROF_TESTS_STAND_IN_WORK_H

#include <stdbool.h>
#include <stdint.h>

/* A call of cudaLaunchKernel() and its kernel, which may never end. The name must live on. */
void stand_in_launch(const char *name, bool ends);

/* An NVTX range of the calling thread, with a colour. */
uint32_t stand_in_range_begin(const char *name);
void stand_in_range_end(uint32_t id);

/* The first call of the driver: takes its time, and calls the injection library with the lock of its start held, which
 * CUPTI needs too. */
void stand_in_start_cuda(int (*injection)(void));

#endif
