/* results.h: what the library in the program has counted, as files: one for each process. */
#ifndef DBPROF_CONTRAST_COUNT_RESULTS_H
#define DBPROF_CONTRAST_COUNT_RESULTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "contrast/count/count.h"

enum count_result {
	COUNT_COUNTED = 1, /* bytes: the counter data image of a group of a kernel; it has one range */
	COUNT_MISSED,      /* bytes: why a launch of the kernel was not counted; told once for each reason */
	COUNT_REFUSED,     /* bytes: why nothing can be counted in the process */
	COUNT_CHIP, /* bytes: the name of the GPU's chip. It and the next are the answer to a plan without kernels */
	COUNT_AVAILABLE /* bytes: the image of what the GPU can count, as of metric_plan_new() */
};

/* The head of a record. `size` bytes follow, and nothing else before the next record. */
struct count_record {
	uint64_t magic;
	uint32_t kind;          /* enum count_result */
	uint32_t kernel, group; /* places in the plan; 0 where they mean nothing */
	uint32_t launches;      /* that were counted for it */
	uint64_t size;
};

#define COUNT_RECORD_MAGIC UINT64_C(0x3172636f72706264) /* "dbprocr1" */

/* ---- in the program (results-write.c) ---- */

/* From now on files are made in the folder. False if its name is too long. */
bool count_results_use(const char *folder);

/* Appends a record. Those that the disk does not take are missing. Any thread may call it. */
void count_results_append(const struct count_record *head, const void *bytes);

/* In a child of fork(): it makes a file of its own. */
void count_results_forget(void);

#endif
