/* role-memory.c: see role-memory.h. */
#include "record/pass/role-memory.h"

#include <stdlib.h>

#include "util/alloc.h"

enum { ROLE_WARP_SIZE = 32 };

static size_t role_memory_bytes(const struct role_memory *memory)
{
	return memory->blocks * memory->board.warps * sizeof(*memory->records);
}

cudaError_t role_memory_open(struct role_memory *memory, const struct kernel_config *config)
{
	const unsigned *const grid = config->grid, *const block = config->block;
	cudaError_t code;

	*memory = (struct role_memory){
		.board = {.warps = (block[0] * block[1] * block[2] + ROLE_WARP_SIZE - 1) / ROLE_WARP_SIZE},
		.blocks = (size_t)grid[0] * grid[1] * grid[2],
	};
	code = cudaMalloc((void **)&memory->board.records, role_memory_bytes(memory));
	if (code == cudaSuccess)
		memory->records = xmalloc(role_memory_bytes(memory));
	return code;
}

void role_memory_close(struct role_memory *memory)
{
	/* Freeing fails only after an earlier error, which was told when it came. */
	(void)cudaFree(memory->board.records);
	free(memory->records);
	*memory = (struct role_memory){0};
}

cudaError_t role_memory_clear(const struct role_memory *memory, cudaStream_t stream)
{
	return cudaMemsetAsync(memory->board.records, 0, role_memory_bytes(memory), stream);
}

cudaError_t role_memory_fetch(struct role_memory *memory, cudaStream_t stream)
{
	cudaError_t code = cudaStreamSynchronize(stream);

	return code == cudaSuccess ? cudaMemcpy(memory->records, memory->board.records, role_memory_bytes(memory),
					     cudaMemcpyDeviceToHost)
				   : code;
}
