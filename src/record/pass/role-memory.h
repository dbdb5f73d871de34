/* role-memory.h: memory for the records of a metered launch. */
#ifndef DBPROF_RECORD_PASS_ROLE_MEMORY_H
#define DBPROF_RECORD_PASS_ROLE_MEMORY_H

#include "variant.h"
#include "role.h"

struct role_memory {
	struct role_board board;     /* on the device */
	struct role_record *records; /* the same on the host, [block][warp] */
	size_t blocks;
};

/* Makes it for a launch of this grid. Close it, also after an error. */
cudaError_t role_memory_open(struct role_memory *memory, const struct kernel_config *config);
void role_memory_close(struct role_memory *memory);

/* Enqueues: all records are zeros before the next launch. */
cudaError_t role_memory_clear(const struct role_memory *memory, cudaStream_t stream);

/* Waits for the stream, and brings the records to the host. */
cudaError_t role_memory_fetch(struct role_memory *memory, cudaStream_t stream);

#endif
