/* limits.h: what a GPU allows. */
#ifndef DBPROF_CONTRAST_COUNT_LIMITS_H
#define DBPROF_CONTRAST_COUNT_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "analyze/analyze.h"
#include "store/store.h"

struct gpu_limits {
	struct sm_limits sm;
	int64_t shared_most; /* bytes that a block may have if it asks for them */
};

/* Those that a row of TARGET_INFO_GPU tells. False if it lacks one; `row` NULL is none. */
bool gpu_limits_of(const struct value *row, struct gpu_limits *limits);

#endif
