/* phase-memory.c: see phase-memory.h. */
#include "record/pass/phase-memory.h"

#include <stdlib.h>

#include "record/cupti/cuda-error.h"
#include "util/alloc.h"

/* Of every 1 << MIN_SHIFT blocks or more, one is stamped and one compared. Fewer than MAX_STAMPED blocks are stamped,
 * or than MAX_SPREAD where each takes few stamps. */
enum { MIN_SHIFT = 3, MAX_STAMPED = 32, MAX_SPREAD = 512, WARP_SIZE = 32 };

static const size_t MAX_BYTES = (size_t)256 << 20;

static unsigned windows(const struct phase_memory *m)
{
	return ((m->grid - 1) >> m->board.shift) + 1;
}

static size_t stamps_bytes(const struct phase_memory *m)
{
	return (size_t)windows(m) * m->board.warps * m->board.stamps_per_warp * sizeof(*m->stamps);
}

static size_t ends_bytes(const struct phase_memory *m)
{
	return (size_t)windows(m) * m->board.warps * 2 * sizeof(*m->ends);
}

/* The block of window `n` for which number and skewed window add up to `rest`, modulo the window's size. */
static unsigned block_in_window(const struct phase_memory *m, unsigned n, unsigned rest)
{
	const unsigned size = 1u << m->board.shift;

	return n * size + ((rest - m->board.skew * n) & (size - 1));
}

/* The number of windows that have such a block: all, but the last one only if it is long enough. */
static unsigned count_blocks(const struct phase_memory *m, unsigned rest)
{
	unsigned n = windows(m);

	return block_in_window(m, n - 1, rest) < m->grid ? n : n - 1;
}

static void choose_blocks(struct phase_memory *m, unsigned most)
{
	unsigned shift = MIN_SHIFT;

	while (m->grid >> shift >= most)
		shift++;
	m->board.shift = shift;
	m->board.mask = (1u << (shift - 1)) - 1;
	m->board.skew = m->grid > m->width;
	m->stamped = count_blocks(m, 0);
	m->compared = count_blocks(m, 1u << (shift - 1));
}

/* Spread stamps are put together with the begin and the end of compared blocks. */
static void choose_stamps(struct phase_memory *m, unsigned stamps, unsigned segments)
{
	choose_blocks(m, segments > 0 ? MAX_SPREAD : MAX_STAMPED);
	m->board.segments = m->compared > 0 ? segments : 0;
	m->board.stamps_per_warp = m->board.segments > 0 ? SEGMENT_STAMPS : stamps;
}

unsigned phase_memory_segment(const struct phase_memory *memory, unsigned n)
{
	return (n + memory->board.turn) % memory->board.segments;
}

unsigned phase_memory_block(const struct phase_memory *memory, unsigned n)
{
	return block_in_window(memory, n, 0);
}

static cudaError_t phase_memory_allocate(struct phase_memory *m)
{
	cudaError_t code = cudaMalloc((void **)&m->board.stamps, stamps_bytes(m));

	return code == cudaSuccess ? cudaMalloc((void **)&m->board.ends, ends_bytes(m)) : code;
}

int phase_memory_open(struct phase_memory *memory, const struct kernel_config *config, unsigned stamps,
	unsigned segments, struct error *err)
{
	unsigned threads = config->block[0] * config->block[1] * config->block[2];
	cudaError_t code;

	*memory = (struct phase_memory){
		.board = {.warps = (threads + WARP_SIZE - 1) / WARP_SIZE},
		.width = config->grid[0],
		.grid = config->grid[0] * config->grid[1] * config->grid[2],
	};
	choose_stamps(memory, stamps, segments);
	if (stamps_bytes(memory) > MAX_BYTES)
		return error_set(err, "%u time stamps in each warp are too many", stamps);
	code = phase_memory_allocate(memory);
	if (code != cudaSuccess) {
		phase_memory_close(memory);
		return cuda_error(err, code, "no memory for time stamps");
	}
	memory->stamps = xmalloc(stamps_bytes(memory));
	memory->ends = xmalloc(ends_bytes(memory));
	return 0;
}

void phase_memory_close(struct phase_memory *memory)
{
	/* Freeing fails only after an earlier error, which was told when it came. */
	(void)cudaFree(memory->board.stamps);
	(void)cudaFree(memory->board.ends);
	free(memory->stamps);
	free(memory->ends);
	*memory = (struct phase_memory){0};
}

cudaError_t phase_memory_clear(const struct phase_memory *memory, cudaStream_t stream)
{
	cudaError_t code = cudaMemsetAsync(memory->board.stamps, 0, stamps_bytes(memory), stream);

	return code == cudaSuccess ? cudaMemsetAsync(memory->board.ends, 0, ends_bytes(memory), stream) : code;
}

cudaError_t phase_memory_fetch(struct phase_memory *memory, cudaStream_t stream)
{
	cudaError_t code = cudaStreamSynchronize(stream);

	if (code == cudaSuccess)
		code = cudaMemcpy(memory->stamps, memory->board.stamps, stamps_bytes(memory), cudaMemcpyDeviceToHost);
	if (code == cudaSuccess)
		code = cudaMemcpy(memory->ends, memory->board.ends, ends_bytes(memory), cudaMemcpyDeviceToHost);
	return code;
}

struct phase_block phase_memory_stamped(const struct phase_memory *memory, unsigned n)
{
	const struct phase_board *board = &memory->board;

	return (struct phase_block){memory->stamps + (size_t)n * board->warps * board->stamps_per_warp, board->warps,
		board->stamps_per_warp};
}

struct phase_block phase_memory_compared(const struct phase_memory *memory, unsigned n)
{
	const struct phase_board *board = &memory->board;

	return (struct phase_block){memory->ends + (size_t)n * board->warps * 2, board->warps, 2};
}
