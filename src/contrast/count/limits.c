/* limits.c: see limits.h. */
#include "contrast/count/limits.h"

#include "store/store.h"

enum { SYSTEM_BYTES_OF_BLOCK = 1024 }; /* from compute capability 8.0 on */

/* A traced program's recording does not tell it: all of an SM's but what the system takes (CUDA's programming guide,
 * "Compute Capabilities"). */
static int64_t most_shared_of_block(struct cursor *row)
{
	if (!cursor_null(row, GPU_maxShmemPerBlockOptin))
		return cursor_int(row, GPU_maxShmemPerBlockOptin);
	return cursor_int(row, GPU_maxShmemPerSm) -
	       (cursor_int(row, GPU_computeMajor) >= 8 ? SYSTEM_BYTES_OF_BLOCK : 0);
}

bool gpu_limits_read(const char *traced, struct gpu_limits *limits)
{
	static const int columns[] = {GPU_maxWarpsPerSm, GPU_maxBlocksPerSm, GPU_threadsPerWarp, GPU_maxRegistersPerSm,
		GPU_maxShmemPerSm, GPU_computeMajor, GPU_computeMinor, GPU_maxShmemPerBlockOptin};
	enum { NCOLUMNS = sizeof(columns) / sizeof(columns[0]), NEEDED = NCOLUMNS - 1 };
	struct error unread = {0};
	struct store *store = traced ? store_open(traced, &unread) : NULL;
	struct cursor *row = store ? store_columns(store, TABLE_GPU, columns, NCOLUMNS, &unread) : NULL;
	bool known = row && cursor_next(row, &unread) > 0;

	for (int i = 0; i < NEEDED; i++)
		known = known && !cursor_null(row, columns[i]);
	if (known)
		*limits = (struct gpu_limits){
			.sm = {.warps = (int)cursor_int(row, GPU_maxWarpsPerSm),
				.blocks = (int)cursor_int(row, GPU_maxBlocksPerSm),
				.threads_per_warp = (int)cursor_int(row, GPU_threadsPerWarp),
				.registers = cursor_int(row, GPU_maxRegistersPerSm),
				.shared_bytes = cursor_int(row, GPU_maxShmemPerSm),
				.compute_major = (int)cursor_int(row, GPU_computeMajor),
				.compute_minor = (int)cursor_int(row, GPU_computeMinor)},
			.shared_most = most_shared_of_block(row),
		};
	cursor_close(row);
	store_close(store);
	return known;
}
