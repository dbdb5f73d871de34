/* state.h: what every variant of tile-pipeline.cu works on, and what each of them does with a tile. */
#ifndef DBPROF_KERNELS_TILE_PIPELINE_STATE_H
#define DBPROF_KERNELS_TILE_PIPELINE_STATE_H

#include "block-limit.h"
#include "product.h"

enum { PARAM_N, PARAM_TILE, PARAM_STAGES, PARAM_INTENSITY, PARAM_BLOCKS, PARAM_FOOTPRINT };

enum { STAGES_MAX = 8, FOOTPRINT_MAX = 96 };

struct tile_state {
	struct product product; /* C is `intensity` times the product */
	struct block_limit limit;
	int tile, stages, intensity;
	size_t footprint; /* bytes of shared memory that a buffer takes besides its tiles */
};

/* Shared memory of a block with so many buffers (bytes). */
static size_t tile_shared(int tile, size_t footprint, int stages)
{
	return (2 * sizeof(float) * (size_t)(tile * tile) + footprint) * (size_t)stages;
}

static struct product_size tile_size(const struct size_case *size)
{
	const int n = (int)size->value[PARAM_N];
	const struct product_size p = {n, n, n};

	return p;
}

static size_t tile_device_bytes(const struct size_case *size)
{
	return product_device_bytes(tile_size(size));
}

static void tile_work(const struct size_case *size, struct work *out)
{
	const double n = (double)size->value[PARAM_N];

	out->elements = n * n;
	out->flops = 2 * n * n * n * (double)size->value[PARAM_INTENSITY];
	out->bytes = (double)product_bytes(tile_size(size));
}

static cudaError_t tile_set_up(
	const struct size_case *size, uint64_t seed, void **state, char *message, size_t message_size)
{
	struct tile_state *s = (struct tile_state *)state_new(sizeof(*s), message, message_size);

	*state = NULL;
	if (!s)
		return cudaErrorMemoryAllocation;
	s->tile = (int)size->value[PARAM_TILE];
	s->stages = (int)size->value[PARAM_STAGES];
	s->intensity = (int)size->value[PARAM_INTENSITY];
	s->footprint = (size_t)size->value[PARAM_FOOTPRINT] << 10;
	s->limit.blocks = (int)size->value[PARAM_BLOCKS];
	s->limit.most_shared = s->footprint > 0;
	product_set_up(&s->product, size, tile_size(size), s->intensity, seed);
	return state_ready(s, state);
}

/* ---- shapes: a step is a tile ---- */

/*
 * Other instructions of a thread, in the loops that the compiler makes for compute capability 9.0, the same for all
 * sizes of tiles. Of a tile: for each of two elements its index, two tests, their conjunction, three choices and three
 * for its address; three that the compiler puts in front of asynchronous copies, and do nothing; the group's end and
 * the wait for it; counters, comparison and branches. Of a turn of the inner product: counter, comparison, branch and
 * six for its addresses. A ring has all addresses anew for each tile, which a single buffer's loop only increments: 14
 * more; ten find and do the jump to the wait for the number of groups; five keep its two indices.
 */
enum { TILE_OTHER = 28, TURN_OTHER = 9, RING_OTHER = 29 };

/* Of these, how many wait for one another from one tile to the next one's copies: test, conjunction, choice, address in
 * two halves; in a ring first the jump's eight, and from its end to the first test four. */
enum { TILE_CHAIN = 6, RING_CHAIN = 12 };

enum { THREADS_OF_WARP = 32 };

/* The rows of As are read four elements at a time, the same for all threads of a row, those of Bs one by one. A turn's
 * loads are issued behind the sums of the turn before. A warp copies as many rows of a tile as it has threads for. */
static void shape_single(const struct size_case *size, struct shape *out)
{
	const double tile = (double)size->value[PARAM_TILE], turns = (double)size->value[PARAM_INTENSITY];
	struct step_shape *s = &out->step;

	memset(out, 0, sizeof(*out));
	s->steps = ceil((double)size->value[PARAM_N] / tile);
	s->load_bytes = 2 * sizeof(float) * tile * tile;
	s->barriers = 2;
	s->shared_loads = turns * tile;
	s->shared_wide = turns * tile / 4;
	s->shared_chain = turns;
	s->copies = 2;
	s->copy_lines = THREADS_OF_WARP / tile;
	s->fmas = s->fma_chain = turns * tile;
	s->other = TILE_OTHER + turns * TURN_OTHER;
	s->other_chain = TILE_CHAIN;
	s->once_bytes = sizeof(float) * tile * tile;
	s->distinct_bytes = (double)product_bytes(tile_size(size));
}

/* One stage is no pipeline: it runs single. */
static void tile_shape_pipeline(const struct size_case *size, struct shape *out)
{
	const int stages = (int)size->value[PARAM_STAGES];

	shape_single(size, out);
	if (stages == 1)
		return;
	out->step.barriers = 1;
	out->step.ahead = stages - 1;
	out->step.other += RING_OTHER;
	out->step.other_chain += RING_CHAIN;
}

#endif
