/*
 * count.h: what `dbprof contrast` and the library that it puts into programs to count their kernels agree on.
 * The same library takes PC samples of kernels: "counted" means both where the difference does not matter.
 *
 * The library is libdbprof-count.so. The CUDA driver loads it at the program's first CUDA call, because
 * CUDA_INJECTION64_PATH names it. It reads a plan (plan.h), counts launches with CUPTI's range profiler or samples
 * them, and appends what it found to a file (results.h). It records no activities, makes no threads, handles no
 * signals, prints nothing and never exits. An error makes counters missing.
 */
#ifndef DBPROF_CONTRAST_COUNT_COUNT_H
#define DBPROF_CONTRAST_COUNT_COUNT_H

#include <stddef.h>
#include <stdint.h>

/* Environment variable: the folder that has the plan, and in which each process makes its file. Without it the library
 * does nothing. */
#define COUNT_FOLDER "DBPROF_COUNT_FOLDER"

/* The plan's name in that folder. */
#define COUNT_PLAN "count.plan"

/* The name of a file with results is the process id, a number and this ending. */
#define COUNT_SUFFIX ".count"

/* A list of metrics that are collected together. Each launch that is counted is one of its passes. */
struct count_group {
	const char **metrics;
	size_t nmetrics;
	uint64_t passes;
	const uint8_t *image; /* configuration, as of metric_plan_image() */
	size_t image_size;
};

/* A kernel to count, or to sample: all launches with this name, shape and dynamic shared memory, by the order in which
 * a process asks for them. */
struct count_kernel {
	const char *symbol; /* mangled name */
	uint64_t grid[3], block[3];
	uint64_t shared;     /* dynamic, bytes per block */
	uint64_t first, end; /* launches number `first` to `end` - 1, from 0, may be counted */
	uint64_t launches;   /* so many of them are sampled; of no meaning where counters are wanted */
	uint64_t *groups;    /* places of the groups that are wanted, in this order */
	size_t ngroups;
};

#endif
