/* phase-spread.c: see phase-spread.h. */
#include "record/pass/phase-spread.h"

#include <stdlib.h>

#include "phase.h"
#include "util/alloc.h"

/* ---- segments ---- */

static void find_segments(struct phase_spread *s)
{
	unsigned segment = 0;

	for (unsigned n = 0; n < s->phases; n++)
		if (phase_plan_place(s->plan, s->steps, n).phase == PHASE_WAIT)
			s->first[++segment] = n + 1;
	s->first[s->segments] = s->phases;
}

static unsigned segment_phases(const struct phase_spread *s, unsigned segment)
{
	return s->first[segment + 1] - s->first[segment];
}

int phase_spread_open(struct phase_spread *spread, const struct phase_plan *plan, int steps, unsigned segments,
	unsigned warps, double leave, struct error *err)
{
	unsigned phases = phase_plan_length(plan, steps);

	*spread = (struct phase_spread){
		.plan = plan, .steps = steps, .phases = phases, .segments = segments, .warps = warps, .leave = leave};
	spread->first = xcalloc(segments + 1, sizeof(*spread->first));
	spread->blocks = xcalloc(segments, sizeof(*spread->blocks));
	spread->opening = xcalloc(segments, sizeof(*spread->opening));
	spread->ends = xcalloc((size_t)warps * phases, sizeof(*spread->ends));
	spread->life = xcalloc((size_t)warps * 2, sizeof(*spread->life));
	find_segments(spread);
	for (unsigned i = 0; i < segments; i++) {
		if (segment_phases(spread, i) <= SEGMENT_PHASES)
			continue;
		phase_spread_close(spread);
		return error_set(err, "more than %d phases follow one another without a barrier", SEGMENT_PHASES);
	}
	return 0;
}

void phase_spread_close(struct phase_spread *spread)
{
	free(spread->first);
	free(spread->blocks);
	free(spread->opening);
	free(spread->ends);
	free(spread->life);
	*spread = (struct phase_spread){0};
}

/* ---- adding ---- */

/* Cycles from stamp `n` of a warp to `end`; below 0 where it lies behind. */
static double before(const struct phase_block *block, unsigned warp, unsigned n, uint32_t end)
{
	return (int32_t)(end - block->stamps[(size_t)warp * block->per_warp + n]);
}

static uint32_t last_end(const struct phase_block *block)
{
	uint32_t end = block->stamps[block->per_warp - 1];

	for (unsigned warp = 1; warp < block->warps; warp++)
		if (before(block, warp, block->per_warp - 1, end) < 0)
			end = block->stamps[(size_t)warp * block->per_warp + block->per_warp - 1];
	return end;
}

/* When the barrier opened whose wait ends with stamp `n` and began with the one before: cycles before `end`. */
static double opening(const struct phase_spread *s, const struct phase_block *block, unsigned n, uint32_t end)
{
	double leave = before(block, 0, n, end), arrival = before(block, 0, n - 1, end);

	for (unsigned warp = 1; warp < block->warps; warp++) {
		double left = before(block, warp, n, end), arrived = before(block, warp, n - 1, end);

		leave = left > leave ? left : leave;
		arrival = arrived < arrival ? arrived : arrival;
	}
	return leave + s->leave < arrival ? leave + s->leave : arrival;
}

void phase_spread_add(struct phase_spread *spread, const struct phase_block *block, unsigned segment)
{
	const unsigned first = spread->first[segment], n = segment_phases(spread, segment);
	const uint32_t end = last_end(block);
	const double opened = segment + 1 < spread->segments ? opening(spread, block, n, end) : 0;

	spread->blocks[segment]++;
	spread->opening[segment] += opened;
	for (unsigned warp = 0; warp < block->warps; warp++) {
		for (unsigned i = 0; i + 1 < n; i++)
			spread->ends[(size_t)warp * spread->phases + first + i] +=
				before(block, warp, i + 1, end) - opened;
	}
}

void phase_spread_compare(struct phase_spread *spread, const struct phase_block *block)
{
	const uint32_t end = last_end(block);

	spread->compared++;
	for (unsigned warp = 0; warp < block->warps; warp++) {
		for (unsigned n = 0; n < 2; n++)
			spread->life[2 * warp + n] += before(block, warp, n, end);
	}
}

/* ---- the mean block ---- */

/* The first warp's begin, in cycles before the end. */
static double life(const struct phase_spread *s)
{
	double longest = 0;

	for (unsigned warp = 0; warp < s->warps; warp++)
		longest = s->life[2 * (size_t)warp] > longest ? s->life[2 * (size_t)warp] : longest;
	return longest / s->compared;
}

/* Cycles before the end at which phase `n` of a warp ends, which is the segment's number `segment`. */
static double phase_end(const struct phase_spread *s, unsigned warp, unsigned n, unsigned segment)
{
	if (n + 1 == s->phases)
		return s->life[2 * warp + 1] / s->compared;
	if (n + 1 == s->first[segment + 1])
		return s->opening[segment] / s->blocks[segment];
	return (s->opening[segment] + s->ends[(size_t)warp * s->phases + n]) / s->blocks[segment];
}

/* The number of phases that are cut. */
static unsigned warp_bounds(const struct phase_spread *s, unsigned warp, double begin, double *bounds)
{
	unsigned cut = 0, segment = 0;

	bounds[0] = begin - s->life[2 * (size_t)warp] / s->compared;
	for (unsigned n = 0; n < s->phases; n++) {
		while (n >= s->first[segment + 1])
			segment++;
		bounds[n + 1] = begin - phase_end(s, warp, n, segment);
		if (bounds[n + 1] < bounds[n]) {
			bounds[n + 1] = bounds[n];
			cut++;
		}
	}
	return cut;
}

bool phase_spread_bounds(const struct phase_spread *spread, double *bounds, int64_t *cut)
{
	*cut = 0;
	for (unsigned i = 0; i < spread->segments; i++)
		if (spread->blocks[i] == 0)
			return false;
	if (spread->compared == 0)
		return false;
	for (unsigned warp = 0; warp < spread->warps; warp++)
		*cut += warp_bounds(spread, warp, life(spread), bounds + (size_t)warp * (spread->phases + 1));
	return true;
}
