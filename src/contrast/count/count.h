/*
 * count.h: what `dbprof contrast` and the library that it puts into programs to count their kernels agree on.
 * The same library takes PC samples of kernels: "counted" means both where the difference does not matter.
 *
 * The library is libdbprof-count.so. The CUDA driver loads it at the program's first CUDA call, because
 * CUDA_INJECTION64_PATH names it. It reads a plan (plan.h), counts launches with CUPTI's range profiler or samples
 * them, and appends what it found to a file (results.h). It records no activities, makes no threads, handles no
 * signals, prints nothing and never exits. An error makes counters missing.
 *
 * With another plan it samples the whole GPU while a step runs (pm/sampler.h). Only then it records activities, those
 * of device work, and has a thread that asks CUPTI for them. NVTX loads it as well, to hear of steps.
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

/* The name of a file there with a struct count_wait. */
#define COUNT_WAIT "count.wait"

/* Of the process that has its turn. If it is killed while it waits, what it has said stays. */
struct count_wait {
	_Atomic int64_t since; /* when it began to wait for the GPU (CLOCK_MONOTONIC, ns); 0: it does not wait */
	int64_t pid;
};

/* The name of a file with results is the process id, a number and this ending. */
#define COUNT_SUFFIX ".count"

/* What is told of a kernel some of whose launches have another cluster than the first one that was met. */
#define COUNT_SEVERAL_CLUSTERS "its launches have clusters of several sizes: those of one size were counted"

/* A list of metrics that are collected together. Each launch that is counted is one of its passes. */
struct count_group {
	const char **metrics;
	size_t nmetrics;
	uint64_t passes;
	const uint8_t *image; /* configuration, as of metric_plan_image() */
	size_t image_size;
};

/* A process whose environment tells no rank, as it does where a launcher such as mpirun or torchrun starts several. */
#define COUNT_NO_RANK UINT32_MAX

/* A kernel to count, or to sample: all launches with this name, shape and dynamic shared memory, by the order in which
 * a process asks for them. Or a CUDA graph to count as a whole, whose launches are told by their numbers alone. */
struct count_kernel {
	const char *symbol; /* mangled name; "" of a graph */
	uint64_t grid[3], block[3];
	uint64_t shared;     /* dynamic, bytes per block */
	uint64_t first, end; /* launches number `first` to `end` - 1, from 0, may be counted */
	uint64_t launches;   /* so many of them are sampled; of no meaning where counters are wanted */
	uint64_t rank;       /* only in the process of this rank; COUNT_NO_RANK: in any */
	uint64_t *groups;    /* places of the groups that are wanted, in this order */
	size_t ngroups;
	/* Of a graph: the numbers of its launches among all calls of a process that launch graphs, from 0, rising.
	 * `first` and `end` are places in it. NULL of a kernel. */
	const uint64_t *numbers;
	size_t nnumbers;
};

/* A group of metrics over time is tried so often where a step gives nothing. */
enum { CURVE_TRIES = 3 };

/* What is wanted of occupancy and traffic over time. */
enum curves_wanted { CURVES_NONE, CURVES_ASKED, CURVES_SAMPLED }; /* ASKED: what can be sampled, and nothing else */

/* Steps of a program in which the GPU is sampled, one for each group of the plan. */
struct count_curves {
	uint64_t wanted;      /* enum curves_wanted */
	uint64_t device;      /* CUDA's number of the GPU in the program's process, where `gpu` is "" */
	uint64_t interval_ns; /* between samples */
	uint64_t samples;     /* so many of a step are expected */
	uint64_t warm;        /* steps that are left out between setting up and a step that is sampled */
	uint64_t *steps;  /* for each group: the number of the step in its process, from 0; a later one where that one
			     cannot be sampled */
	uint64_t nsteps;  /* 0: there is no range. From the first launch of a kernel of the plan on, or of any if it has
			     none */
	uint64_t most_ns; /* without a range: so long at most */
	const char *gpu;  /* UUID (gpu_uuid_text()) of the GPU, whatever its number in a process; "": see `device` */
};

#endif
