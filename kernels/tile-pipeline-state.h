/* tile-pipeline-state.h: what every variant of tile-pipeline.cu works on, and what each of them does with a tile. */
#ifndef DBPROF_KERNELS_TILE_PIPELINE_STATE_H
#define DBPROF_KERNELS_TILE_PIPELINE_STATE_H

#include "block-limit.h"
#include "product.h"

enum { PARAM_N, PARAM_TILE, PARAM_STAGES, PARAM_INTENSITY, PARAM_BLOCKS };

enum { STAGES_MAX = 8 };

struct tile_state {
	struct product product; /* C is `intensity` times the product */
	struct block_limit limit;
	int tile, stages, intensity;
};

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
	struct tile_state *s = (struct tile_state *)state_new(sizeof *s, message, message_size);

	*state = NULL;
	if (!s)
		return cudaErrorMemoryAllocation;
	s->tile = (int)size->value[PARAM_TILE];
	s->stages = (int)size->value[PARAM_STAGES];
	s->intensity = (int)size->value[PARAM_INTENSITY];
	s->limit.blocks = (int)size->value[PARAM_BLOCKS];
	product_set_up(&s->product, size, tile_size(size), s->intensity, seed);
	return state_ready(s, state);
}

/* ---- shapes: a step is a tile ---- */

/* Other instructions of a thread: for an element that it copies two tests, their conjunction, the choice of address and
 * size, and the copy; for a tile the group's end, the wait for it, counter and branch of the loop; for a turn of the
 * inner product counter, comparison, branch and four for its addresses; for a ring two indices and the choice of the
 * wait. */
enum { ELEMENT_OTHER = 6, TILE_OTHER = 4, TURN_OTHER = 7, RING_OTHER = 5 };

/* The rows of As are read four elements at a time, the same for all threads of a row, those of Bs one by one. A turn's
 * loads are issued behind the sums of the turn before. */
static void shape_single(const struct size_case *size, struct shape *out)
{
	const double tile = (double)size->value[PARAM_TILE], turns = (double)size->value[PARAM_INTENSITY];
	struct step_shape *s = &out->step;

	memset(out, 0, sizeof *out);
	s->steps = ceil((double)size->value[PARAM_N] / tile);
	s->load_bytes = 2 * sizeof(float) * tile * tile;
	s->barriers = 2;
	s->shared_loads = turns * (tile / 4 + tile);
	s->shared_stores = 2;
	s->shared_chain = turns;
	s->fmas = s->fma_chain = turns * tile;
	s->other = 2 * ELEMENT_OTHER + TILE_OTHER + turns * TURN_OTHER;
	s->once_bytes = sizeof(float) * tile * tile;
	s->distinct_bytes = (double)product_bytes(tile_size(size));
}

/* One stage is no pipeline: it runs single. */
static void shape_pipeline(const struct size_case *size, struct shape *out)
{
	const int stages = (int)size->value[PARAM_STAGES];

	shape_single(size, out);
	if (stages == 1)
		return;
	out->step.barriers = 1;
	out->step.ahead = stages - 1;
	out->step.other += RING_OTHER;
}

#endif
