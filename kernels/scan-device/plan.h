/* plan.h: which kernel of scan-device runs and how: its block, its tile, and its stages, by the case and the size. */
#ifndef DBPROF_KERNELS_SCAN_DEVICE_PLAN_H
#define DBPROF_KERNELS_SCAN_DEVICE_PLAN_H

#include "scan-device/state.h"

/* Warps of a block, unless the case says how many. */
enum { SCAN_WARPS = 8 };

/* Warps that only add up tiles, where there are such. */
enum { SCAN_REDUCERS = 4 };

/* Which kernel a variant launches. */
enum scan_way { WAY_THREE_KERNELS, WAY_LOOK_BACK, WAY_PERSISTENT, WAY_ASYNC, WAY_TMA, WAY_PRODUCER, WAY_ROUNDS };

/* Arrays of fewer bytes have tiles of 8 KiB, so that more SMs have one; others have tiles of 32 KiB. */
static const size_t LONG_TILE_BYTES = 2 << 20;
enum { SHORT_TILE_VECTORS = 16 }; /* of a lane of all warps */

/* Whether there are kernels for 4 vectors a thread, too. */
static inline bool scan_device_has_few(enum scan_way way)
{
	return way == WAY_LOOK_BACK || way == WAY_ROUNDS;
}

static inline size_t scan_device_tile_bytes(int64_t warps, int64_t vectors)
{
	return (size_t)(warps * vectors) * SCAN_LANES * VECTOR_BYTES;
}

/* As many as find room in the shared memory. */
static inline int scan_device_rounds_stages(const struct scan_device_state *s, const struct scan_plan *plan)
{
	const size_t share = s->shared_sm / (size_t)plan->blocks - s->shared_reserved;
	const size_t room = share < s->shared_block ? share : s->shared_block;
	const size_t fit = room > ROUNDS_SHARED_MOST
				   ? (room - ROUNDS_SHARED_MOST) / scan_device_tile_bytes(plan->warps, plan->vectors)
				   : 0;

	return fit > ROUNDS_STAGES_MAX ? (int)ROUNDS_STAGES_MAX : fit > 0 ? (int)fit : 1;
}

/* What `rounds` has besides: 0 `stages` are as many as the case says or as fit. */
static inline void scan_device_plan_rounds(const struct scan_device_state *s, struct scan_plan *plan)
{
	const int reducers = s->reducers > 0 ? s->reducers : (int)SCAN_REDUCERS;

	plan->further = (reducers < plan->warps ? reducers : plan->warps) + ROUNDS_FURTHER;
	plan->together = true;
	if (plan->blocks == 0)
		plan->blocks = 1;
	if (plan->stages == 0)
		plan->stages = s->stages > 0 ? s->stages : scan_device_rounds_stages(s, plan);
}

/* How a way runs in a case. The parameters of the case decide; where they are 0, the size does. */
static inline struct scan_plan scan_device_plan(const struct scan_device_state *s, enum scan_way way, int stages)
{
	const bool is_short = scan_device_array_bytes(s->n, s->type) < LONG_TILE_BYTES;
	struct scan_plan plan = {
		SCAN_WARPS, VECTORS_MANY, stages, way == WAY_PRODUCER, s->blocks, way >= WAY_PERSISTENT, false};

	if (s->vectors > 0)
		plan.vectors = s->vectors;
	else if (is_short && scan_device_has_few(way))
		plan.vectors = VECTORS_FEW;
	if (s->warps > 0)
		plan.warps = s->warps;
	else if (is_short)
		plan.warps = SHORT_TILE_VECTORS / plan.vectors;
	if (way == WAY_ROUNDS)
		scan_device_plan_rounds(s, &plan);
	return plan;
}

static inline int scan_device_tiles(const struct scan_device_state *s, const struct scan_plan *plan)
{
	const size_t tile = scan_device_tile_bytes(plan->warps, plan->vectors);

	return (int)((scan_device_array_bytes(s->n, s->type) + tile - 1) / tile);
}

#endif
