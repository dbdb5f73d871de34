/* fake-cupti.h: makes up the work that tests/fake/libcupti.so records. */
#ifndef DBPROF_TESTS_FAKE_CUPTI_H
#define DBPROF_TESTS_FAKE_CUPTI_H

#include <stdbool.h>
#include <stdint.h>

/* A call of cudaLaunchKernel() and its kernel, which may never end. The name must live on. */
void fake_launch(const char *name, bool ends);

/* An NVTX range of the calling thread. */
uint32_t fake_range_begin(const char *name);
void fake_range_end(uint32_t id);

/* The first call of the driver: takes its time, and calls the injection library with the lock of its start held, which
 * CUPTI needs too. */
void fake_start_cuda(int (*injection)(void));

#endif
