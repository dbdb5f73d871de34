/* limits.c: see limits.h. */
#include "contrast/count/limits.h"

enum { SYSTEM_BYTES_OF_BLOCK = 1024 }; /* from compute capability 8.0 on */

/* A traced program's recording does not tell it: all of an SM's but what the system takes (CUDA's programming guide,
 * "Compute Capabilities"). */
static int64_t most_shared_of_block(const struct value *row)
{
	if (row[GPU_maxShmemPerBlockOptin].kind == VALUE_INT)
		return row[GPU_maxShmemPerBlockOptin].integer;
	return row[GPU_maxShmemPerSm].integer - (row[GPU_computeMajor].integer >= 8 ? SYSTEM_BYTES_OF_BLOCK : 0);
}

bool gpu_limits_of(const struct value *row, struct gpu_limits *limits)
{
	static const int needed[] = {GPU_maxWarpsPerSm, GPU_maxBlocksPerSm, GPU_threadsPerWarp, GPU_maxRegistersPerSm,
		GPU_maxShmemPerSm, GPU_computeMajor, GPU_computeMinor};
	bool known = row != NULL;

	for (size_t i = 0; known && i < sizeof(needed) / sizeof(needed[0]); i++)
		known = row[needed[i]].kind == VALUE_INT;
	if (known)
		*limits = (struct gpu_limits){
			.sm = {.warps = (int)row[GPU_maxWarpsPerSm].integer,
				.blocks = (int)row[GPU_maxBlocksPerSm].integer,
				.threads_per_warp = (int)row[GPU_threadsPerWarp].integer,
				.registers = row[GPU_maxRegistersPerSm].integer,
				.shared_bytes = row[GPU_maxShmemPerSm].integer,
				.compute_major = (int)row[GPU_computeMajor].integer,
				.compute_minor = (int)row[GPU_computeMinor].integer},
			.shared_most = most_shared_of_block(row),
		};
	return known;
}
