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
	COUNT_AVAILABLE, /* bytes: the image of what the GPU can count, as of metric_plan_new() */
	/* PC samples. The names of a process come before the samples that have their numbers. */
	COUNT_FUNCTION, /* bytes: struct count_function and the mangled name with its end of function `group` */
	COUNT_REASON,   /* bytes: the name of stall reason number `group` */
	COUNT_SAMPLES,  /* bytes: several struct count_sample of a kernel; `group` is the place of this part, from 0 */
	COUNT_SAMPLED,  /* bytes: struct count_samples, the sums of a kernel; parts without it behind them are void */
	/* PM samples: `group` is the group that was sampled. COUNT_MISSED has it, too. */
	COUNT_PIECE_NAME,  /* bytes: the mangled name of function number `group`, for pieces of work */
	COUNT_CURVE_WORK,  /* bytes: several struct count_piece that ran meanwhile */
	COUNT_CURVE_TIMES, /* bytes: struct pm_time of the samples in the image that follows; those before sample
			      `launches` are not whole */
	COUNT_CURVE_IMAGE, /* bytes: a counter data image */
	COUNT_CURVE,       /* bytes: struct count_curve; it comes behind all of these */
	COUNT_PROCESS      /* no bytes: all that follows is of another process, which has rank `group` (COUNT_NO_RANK:
			      none). It comes before all that a process has counted or sampled */
};

/* A piece of work of the GPU that was sampled. */
struct count_piece {
	int64_t start, end;      /* ns, CLOCK_REALTIME */
	uint32_t stream, cls;    /* cls: enum work_class */
	uint32_t function, none; /* function: number of a kernel's name; COUNT_NAMELESS: none, or there was no room */
};

#define COUNT_NAMELESS UINT32_MAX

enum { COUNT_PIECES_MOST = 4096 }; /* of a set */

/* The step in which a group was sampled, or what was sampled of a program without a range. */
struct count_curve {
	int64_t start, end; /* ns, CLOCK_REALTIME, on the host; the GPU was sampled in between. Work may end later */
	int64_t offset;     /* to be added to the times of samples for CLOCK_REALTIME (ns) */
	uint64_t step;      /* number of the step in its process, from 0 */
	uint64_t overflow;  /* not 0: samples were lost */
	uint64_t unnoted;   /* pieces of work for which there was no room */
};

/* Functions of one name in different modules may have other code, so they are different ones. */
struct count_function {
	uint64_t module; /* CUPTI's cubinCrc */
};

/* PC samples of a kernel at an instruction for one reason. */
struct count_sample {
	uint64_t offset;           /* of the instruction in its function (bytes) */
	uint64_t samples[2];       /* all; those of them in a cycle in which the scheduler issued nothing */
	uint32_t function, reason; /* numbers of names */
};

/* PC samples of all launches of a kernel. */
struct count_samples {
	uint64_t total, dropped, foreign; /* as in struct pc_session */
	uint64_t lost;                    /* for which the library had no room */
	uint64_t full;                    /* launches in which a hardware buffer ran over */
};

/* The head of a record. `size` bytes follow, and nothing else before the next record. */
struct count_record {
	uint64_t magic;
	uint32_t kind;          /* enum count_result */
	uint32_t kernel, group; /* places in the plan; 0 where they mean nothing */
	uint32_t launches;      /* that were counted, or sampled, for it */
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
