/* role-records.h: what the records of a metered launch say. No CUDA calls. */
#ifndef DBPROF_RECORD_PASS_ROLE_RECORDS_H
#define DBPROF_RECORD_PASS_ROLE_RECORDS_H

#include <stddef.h>
#include <stdint.h>

#include "role.h"

/* Of all warps of a role. Cycles are sums over warps. */
struct role_sum {
	int64_t warps;
	int64_t waits, timed, waited;
	int64_t loads, loaded;
	int64_t life;
};

/* Adds up the records of a launch, [block][warp], by role. NULL, or why they cannot be right. */
const char *role_records_sum(
	const struct role_record *records, size_t blocks, unsigned warps, struct role_sum sums[ROLES_NUMBER]);

/* "consumer", "producer"; "none". */
const char *role_record_name(enum role role);

#endif
