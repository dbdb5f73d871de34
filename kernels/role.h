/* role.h: what the warps of a metered launch leave of their waiting. See role.cuh for how it is measured. */
#ifndef DBPROF_KERNELS_ROLE_H
#define DBPROF_KERNELS_ROLE_H

#include <stdint.h>

/* What a warp does in a kernel whose warps have different parts. */
enum role {
	ROLE_NONE,     /* nothing that is measured */
	ROLE_CONSUMER, /* computes what stages hold: waits until they are full */
	ROLE_PRODUCER, /* fills stages: waits until they are empty */
	ROLES_NUMBER
};

/* Of one warp, once it has done its part. Cycles are differences of the lower half of the SM's counter: right for what
 * takes less than 2^32. */
struct role_record {
	uint32_t role;   /* enum role */
	uint32_t waits;  /* how often it waited at a full barrier as a consumer, at an empty one as a producer */
	uint32_t timed;  /* of these waits, those that were timed */
	uint32_t waited; /* cycles of the timed waits */
	uint32_t loads;  /* stages that it filled and whose loads it timed, where nothing is loaded ahead; else 0 */
	uint32_t loaded; /* cycles of these loads, each from the first copy's issue until the stage was full */
	uint32_t life;   /* cycles from the begin of the block until it had done its part */
};

/* Where the blocks of a metered launch leave their records. They are zeros before it, and stay so for a warp without a
 * part. Device memory. */
struct role_board {
	struct role_record *records; /* [block, x first][warp] */
	uint32_t warps;              /* of a block */
};

#endif
