/* extent-rows.c: see extent-rows.h. */
#include "contrast/extent-rows.h"

#include <inttypes.h>
#include <stdio.h>

void put_extent(const struct launches *launches, char hash[EXTENT_HASH_BYTES], struct value row[BLOCK_NUMBER])
{
	for (int i = BLOCK_allSteps; i <= BLOCK_spanCopyNs; i++)
		row[i] = (struct value){.kind = VALUE_NULL};
	if (!launches || !launches->has_range)
		return;
	snprintf(hash, EXTENT_HASH_BYTES, "%016" PRIx64, launches->left_kernels);
	row[BLOCK_allSteps] = VALUE_OF_INT((int64_t)launches->nsteps);
	row[BLOCK_processes] = VALUE_OF_INT((int64_t)launches->step_processes);
	row[BLOCK_leftKernels] = VALUE_OF_TEXT(hash);
	row[BLOCK_spanSteps] = VALUE_OF_INT((int64_t)launches->span.steps);
	row[BLOCK_spanLeftSteps] = VALUE_OF_INT((int64_t)launches->span.left_steps);
	row[BLOCK_spanNs] = VALUE_OF_REAL(launches->span.ns);
	row[BLOCK_spanLeftNs] = VALUE_OF_REAL(launches->span.left_ns);
	row[BLOCK_spanHostNs] = VALUE_OF_REAL(launches->span.host_ns);
	row[BLOCK_spanCopyNs] = VALUE_OF_REAL(launches->span.outside_copy_ns);
}
