/* limits.c: see limits.h. */
#include "contrast/count/limits.h"

#include "store/store.h"

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
			.shared_most = cursor_int(row, GPU_maxShmemPerBlockOptin),
		};
	cursor_close(row);
	store_close(store);
	return known;
}
