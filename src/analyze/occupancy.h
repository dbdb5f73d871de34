/* occupancy.h: theoretical occupancy of an SM. */
#ifndef DBPROF_ANALYZE_OCCUPANCY_H
#define DBPROF_ANALYZE_OCCUPANCY_H

#include <stdint.h>

struct sm_limits {
	int warps, blocks, threads_per_warp;
	int64_t registers, shared_bytes; /* per SM */
	int compute_major, compute_minor;
};

struct kernel_resources {
	int threads;          /* per block */
	int registers;        /* per thread */
	int64_t shared_bytes; /* per block, static and dynamic, without the system's share */
};

enum occupancy_limiter { LIMIT_WARPS, LIMIT_BLOCKS, LIMIT_REGISTERS, LIMIT_SHARED };

struct occupancy {
	int blocks_by[4]; /* resident blocks that each limiter alone would allow, by enum occupancy_limiter; INT_MAX: no
			     limit */
	int blocks, warps;              /* resident per SM */
	double share;                   /* warps / limit */
	enum occupancy_limiter limiter; /* the tightest; ties: the first of the enum */
};

/* Follows CUDA's occupancy rules. A warp gets registers in units of 256, all from one of the SM's 4 partitions (2
 * on 6.0). A block gets shared memory in units of 128 bytes (256 before 8.0); from 8.0 on the system takes 1 KiB more
 * for each block. All of the SM's shared memory counts as available. Without a thread or a warp slot there are 0
 * blocks, and the share is NaN. */
void occupancy_compute(const struct sm_limits *sm, const struct kernel_resources *kernel, struct occupancy *out);
const char *occupancy_limiter_name(enum occupancy_limiter limiter); /* "warps" ... */

#endif
