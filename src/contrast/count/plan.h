/* plan.h: what is to be counted or sampled, as a file: written by dbprof, read by the library in the program. */
#ifndef DBPROF_CONTRAST_COUNT_PLAN_H
#define DBPROF_CONTRAST_COUNT_PLAN_H

#include <stdbool.h>
#include <stdio.h>

#include "contrast/count/count.h"

/* Begins as {0}. A plan that was read owns all of it, one that is written owns nothing. */
struct count_plan {
	uint64_t period;  /* PC samples are taken, one of each SM every 2^period cycles; 0: counters */
	const char *chip; /* of the GPU that the images of the groups are for; "" or NULL: there is no image */
	struct count_curves curves; /* nothing else is done if they are wanted */
	struct count_group *groups;
	size_t ngroups;
	struct count_kernel *kernels;
	size_t nkernels;
	char *bytes; /* of the file, which texts and images point into; NULL if it was not read */
};

/* Errors of writing stay in the stream: see ferror(). */
void count_plan_write(const struct count_plan *plan, FILE *file);

/* False if the file cannot be read or is no plan, or without memory; then *plan is {0}. */
bool count_plan_read(const char *path, struct count_plan *plan);
void count_plan_free(struct count_plan *plan);

#endif
