/* limits.h: what a GPU allows, as the recording of a traced run tells. */
#ifndef DBPROF_CONTRAST_COUNT_LIMITS_H
#define DBPROF_CONTRAST_COUNT_LIMITS_H

#include <stdbool.h>
#include <stdint.h>

#include "analyze/analyze.h"

struct gpu_limits {
	struct sm_limits sm;
	int64_t shared_most; /* bytes that a block may have if it asks for them */
};

/* Those of the first GPU. False if the recording does not tell them; `traced` NULL is none. */
bool gpu_limits_read(const char *traced, struct gpu_limits *limits);

#endif
