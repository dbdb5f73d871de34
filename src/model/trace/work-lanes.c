/* work-lanes.c: the lanes of device work: those of each part while it is read, then those of the trace. */
#include <stdlib.h>

#include "model/trace/work-parts.h"
#include "util/alloc.h"
#include "util/number.h"

static size_t lane_hash(const struct work_lane *lane, int64_t cuda)
{
	uint64_t hash = (uint64_t)lane->process * UINT64_C(0x9E3779B97F4A7C15);

	hash = (hash ^ (hash >> 32) ^ (uint64_t)cuda) * UINT64_C(0xBF58476D1CE4E5B9);
	hash = (hash ^ (hash >> 32) ^ lane->stream) * UINT64_C(0x94D049BB133111EB);
	return (size_t)((hash >> 32) + lane->cls);
}

static bool is_part_lane(const struct part_lanes *lanes, size_t i, const struct work_lane *lane, int64_t cuda)
{
	const struct work_lane *known = &lanes->lane[i];

	return known->stream == lane->stream && known->cls == lane->cls && known->process == lane->process &&
	       lanes->cuda[i] == cuda;
}

static size_t part_lane_slot(const struct part_lanes *lanes, const struct work_lane *lane, int64_t cuda)
{
	size_t slot = lane_hash(lane, cuda) & (lanes->nslots - 1);

	while (lanes->slots[slot] && !is_part_lane(lanes, lanes->slots[slot] - 1, lane, cuda))
		slot = (slot + 1) & (lanes->nslots - 1);
	return slot;
}

/* The table is at most half full. */
static void part_lanes_grow(struct part_lanes *lanes)
{
	free(lanes->slots);
	lanes->nslots = lanes->nslots ? lanes->nslots * 2 : 64;
	lanes->slots = xcalloc(lanes->nslots, sizeof(*lanes->slots));
	for (size_t i = 0; i < lanes->n; i++)
		lanes->slots[part_lane_slot(lanes, &lanes->lane[i], lanes->cuda[i])] = (uint32_t)i + 1;
}

static void part_lanes_add(
	struct part_lanes *lanes, const struct devices *devices, const struct work_lane *lane, int64_t cuda)
{
	xgrow(&lanes->lane, lanes->n, &lanes->room, sizeof(*lanes->lane));
	xgrow(&lanes->cuda, lanes->n, &lanes->cuda_room, sizeof(*lanes->cuda));
	lanes->lane[lanes->n] = *lane;
	lanes->lane[lanes->n].device = device_of(devices, lane->process, cuda);
	lanes->cuda[lanes->n++] = cuda;
}

uint32_t part_lane(struct part_lanes *lanes, const struct devices *devices, const struct work_lane *lane, int64_t cuda)
{
	size_t slot;

	if (lanes->last < lanes->n && is_part_lane(lanes, lanes->last, lane, cuda))
		return (uint32_t)lanes->last;
	if (lanes->n * 2 >= lanes->nslots)
		part_lanes_grow(lanes);
	slot = part_lane_slot(lanes, lane, cuda);
	if (!lanes->slots[slot]) {
		part_lanes_add(lanes, devices, lane, cuda);
		lanes->slots[slot] = (uint32_t)lanes->n;
	}
	lanes->last = lanes->slots[slot] - 1;
	return (uint32_t)lanes->last;
}

void part_lanes_free(struct part_lanes *lanes)
{
	free(lanes->lane);
	free(lanes->cuda);
	free(lanes->slots);
	free(lanes->place);
}

/* ---- the lanes of the trace ---- */

/* The order of lanes within a stream follows the data. */
static int class_rank(uint8_t cls)
{
	static const int rank[WORK_CLASSES] = {[WORK_H2D] = 0, [WORK_KERNEL] = 1, [WORK_D2H] = 2, [WORK_OTHER] = 3};

	return rank[cls];
}

static int lane_order(const void *left, const void *right)
{
	const struct work_lane *a = left, *b = right;

	if (a->device != b->device)
		return int64_order(a->device, b->device);
	if (a->process != b->process)
		return int64_order(a->process, b->process);
	if (a->stream != b->stream)
		return int64_order(a->stream, b->stream);
	return int64_order(class_rank(a->cls), class_rank(b->cls));
}

/* Places in a sorted list. */
static uint32_t gpu_place(const struct trace *trace, int device)
{
	size_t low = 0, high = trace->ngpus;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (trace->gpus[middle] < device)
			low = middle + 1;
		else
			high = middle;
	}
	return (uint32_t)low;
}

static uint32_t lane_place(const struct trace *trace, const struct work_lane *lane)
{
	const struct work_lane *found = bsearch(lane, trace->lanes, trace->nlanes, sizeof(*lane), lane_order);

	return (uint32_t)(found - trace->lanes);
}

static int by_device_number(const void *left, const void *right)
{
	int a = *(const int *)left, b = *(const int *)right;

	return (a > b) - (a < b);
}

/* The first GPUS_MOST devices that are met. */
static void find_gpus(struct trace *trace, const struct table_parts *parts)
{
	trace->gpus = xcalloc(GPUS_MOST, sizeof(*trace->gpus));
	for (size_t p = 0; p < parts->n; p++) {
		const struct part_lanes *lanes = &parts->part[p].lanes;

		for (size_t i = 0; i < lanes->n && trace->ngpus < GPUS_MOST; i++) {
			size_t at = 0;

			while (at < trace->ngpus && trace->gpus[at] != lanes->lane[i].device)
				at++;
			if (at == trace->ngpus)
				trace->gpus[trace->ngpus++] = lanes->lane[i].device;
		}
	}
	if (trace->ngpus > 1)
		qsort(trace->gpus, trace->ngpus, sizeof(*trace->gpus), by_device_number);
}

static bool gpu_is_told(const struct trace *trace, int device)
{
	uint32_t place = gpu_place(trace, device);

	return place < trace->ngpus && trace->gpus[place] == device;
}

static void collect_lanes(struct trace *trace, const struct table_parts *parts)
{
	size_t room = 0, kept = 0;

	for (size_t p = 0; p < parts->n; p++) {
		const struct part_lanes *lanes = &parts->part[p].lanes;

		for (size_t i = 0; i < lanes->n; i++) {
			if (!gpu_is_told(trace, lanes->lane[i].device))
				continue;
			xgrow(&trace->lanes, trace->nlanes, &room, sizeof(*trace->lanes));
			trace->lanes[trace->nlanes++] = lanes->lane[i];
		}
	}
	if (trace->nlanes > 1)
		qsort(trace->lanes, trace->nlanes, sizeof(*trace->lanes), lane_order);
	for (size_t i = 0; i < trace->nlanes; i++) {
		if (kept == 0 || lane_order(&trace->lanes[kept - 1], &trace->lanes[i]) != 0)
			trace->lanes[kept++] = trace->lanes[i];
	}
	trace->nlanes = kept;
}

void work_lanes_merge(struct trace *trace, struct table_parts *parts)
{
	find_gpus(trace, parts);
	collect_lanes(trace, parts);
	for (size_t i = 0; i < trace->nlanes; i++) {
		trace->lanes[i].gpu = gpu_place(trace, trace->lanes[i].device);
		trace->processes |= trace->lanes[i].process != 0;
	}
	for (size_t p = 0; p < parts->n; p++) {
		struct part_lanes *lanes = &parts->part[p].lanes;

		lanes->place = xcalloc(lanes->n + 1, sizeof(*lanes->place));
		for (size_t i = 0; i < lanes->n; i++)
			lanes->place[i] = gpu_is_told(trace, lanes->lane[i].device) ? lane_place(trace, &lanes->lane[i])
										    : LANE_BEYOND;
	}
}
