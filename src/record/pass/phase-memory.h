/* phase-memory.h: the memory for the blocks' time stamps, on the device and on the host. */
#ifndef DBPROF_RECORD_PASS_PHASE_MEMORY_H
#define DBPROF_RECORD_PASS_PHASE_MEMORY_H

#include <stdint.h>

#include "phase.h"
#include "variant.h"
#include "record/pass/phase-stamps.h"
#include "util/error.h"

struct phase_memory {
	struct phase_board board;   /* device */
	uint32_t *stamps, *ends;    /* host: what phase_memory_fetch() brought, in the layout of the board */
	unsigned stamped, compared; /* blocks of each kind in this grid */
	unsigned grid, width;       /* blocks in all, and in a row */
};

/* For a launch of `config` whose warps take `stamps` time stamps if they take all. `segments`: of a block's life, if
 * its stamps are to be spread over blocks, else 0. They are not (board.segments is 0) in a grid so small that no block
 * is compared. -1 with `err`. */
int phase_memory_open(struct phase_memory *memory, const struct kernel_config *config, unsigned stamps,
	unsigned segments, struct error *err);
void phase_memory_close(struct phase_memory *memory);

/* Clears the board before later work in `stream` begins. */
cudaError_t phase_memory_clear(const struct phase_memory *memory, cudaStream_t stream);

/* Waits for the stream and brings the stamps to the host. */
cudaError_t phase_memory_fetch(struct phase_memory *memory, cudaStream_t stream);

/* The segment whose stamps stamped block `n` took, if stamps are spread. */
unsigned phase_memory_segment(const struct phase_memory *memory, unsigned n);

/* The number that stamped block `n` has in the grid. */
unsigned phase_memory_block(const struct phase_memory *memory, unsigned n);

/* The stamps of stamped block `n`; and those of compared block `n`, which has two stamps a warp. Both point into the
 * memory. */
struct phase_block phase_memory_stamped(const struct phase_memory *memory, unsigned n);
struct phase_block phase_memory_compared(const struct phase_memory *memory, unsigned n);

#endif
