/* options.h: what `dbprof contrast` is asked to do. */
#ifndef DBPROF_CONTRAST_OPTIONS_H
#define DBPROF_CONTRAST_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/machine.h"
#include "util/error.h"

/* What is loaded into a program whose range is timed; in $(pkglibdir). */
#define RANGE_LIBRARY "libdbprof-range.so"

/* What is loaded into a program whose kernels are counted or sampled; in the same folder. */
#define COUNT_LIBRARY "libdbprof-count.so"

/* A GPU, as small kernels and CUPTI tell of it. */
struct contrast_gpu {
	struct machine machine;
	char chip[64];
	uint8_t *availability; /* what CUPTI can count: PROFILER_AVAILABILITY_SIZE bytes, for free(); NULL: unknown */
};

/* A command to measure. All is borrowed. */
struct contrast_command {
	const char *name;   /* of its variant: "single", "other", "stages=3" */
	char **argv;        /* ended by NULL; argv[0] is searched as a shell does */
	char **environment; /* NAME=VALUE, added to ours, ended by NULL; NULL: none */
	const char *vary;   /* the name that `--vary` gives values, and this command's value; NULL both: none */
	const char *value;
};

/* How the outputs of the sides are held against the first side's. */
enum contrast_check { CONTRAST_CHECK_EXACT, CONTRAST_CHECK_NONE, CONTRAST_CHECK_COMMAND };

/* Strings are borrowed for the length of contrast_record(). */
struct contrast_options {
	const struct contrast_command *sides; /* the first is what the others are held against */
	size_t nsides;                        /* 2 or more; 1 for advise_record() */
	const char *range;                    /* NVTX range that is a step; NULL: the whole run is one */
	const char *kernel;                   /* extended regular expression: only these kernels count; NULL: all */
	uint64_t seed;                        /* draws the order of the sides; 0 for advise_record() */
	int64_t budget_ns;                    /* for all runs together */
	int64_t timeout_ns;                   /* for one run */
	enum contrast_check check;
	char **check_command;                           /* with CONTRAST_CHECK_COMMAND; two names of files are added */
	const char *injection, *range_library;          /* paths of libraries */
	const char *count_library;                      /* the same */
	bool wants_counters, wants_samples, wants_code; /* of the kernels that make up the difference */
	bool wants_curves;                              /* occupancy and traffic over time */
	size_t kernels; /* of one side: look at so many, CHOSEN_KERNELS_MOST at most, however small; 0: at those that
			   make up most of the time */
	/* Measures what a GPU can do, by its UUID, "" for the first one. NULL: nobody wants to know. */
	int (*calibrate)(void *user, const char *gpu, struct contrast_gpu *out, struct error *err);
	const struct contrast_gpu *gpu; /* what is known of it; NULL: a run asks what it counts */
	const char *command;            /* our command line, for the recording */
	const char *output;             /* the recording to write */
	bool keeps_older;               /* of contrast_record(): there is an older report, see there */
	bool (*interrupted)(void *user);
	/* What is being done: run number `done` of `all`. */
	void (*progress)(void *user, size_t done, size_t all, const char *what);
	void (*note)(void *user, const char *text); /* a remark, such as that an output differs */
	void *user;
};

#endif
