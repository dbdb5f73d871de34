/* enums.h: turns CUPTI's numbers into those of the recording's ENUM_* tables, which are Nsight Systems' numbers. */
#ifndef DBPROF_RECORD_CUPTI_ENUMS_H
#define DBPROF_RECORD_CUPTI_ENUMS_H

#include <cupti.h>

/* ENUM_CUDA_MEM_KIND: CUPTI has 1 for pageable, here it is 0; 7 is unknown. */
int enum_memory_kind(int cupti);

/* ENUM_CUDA_MEMCPY_OPER: 0 is unknown. */
int enum_copy_kind(int cupti);

/* ENUM_CUPTI_SYNC_TYPE: 0 is unknown. */
int enum_sync_type(int cupti);

/* ENUM_CUDA_KERNEL_LAUNCH_TYPE: 0 is unknown, a regular launch is 1. */
int enum_launch_type(int cupti);

/* What the profiler or the driver was doing, in words. */
const char *enum_overhead_name(int cupti);

#endif
