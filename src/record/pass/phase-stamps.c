/* phase-stamps.c: see phase-stamps.h. */
#include "record/pass/phase-stamps.h"

#include <stddef.h>
#include <string.h>

static const char letters[] = "lwcs"; /* in the order of enum phase */

static const char *const names[PHASES_NUMBER] = {"load", "wait", "compute", "store"};

const char *phase_name(enum phase phase)
{
	return names[phase];
}

unsigned phase_plan_length(const struct phase_plan *plan, int steps)
{
	return (unsigned)(strlen(plan->prologue) + (size_t)steps * strlen(plan->loop) + strlen(plan->epilogue));
}

static size_t count_waits(const char *text)
{
	size_t n = 0;

	for (; *text; text++)
		n += *text == 'w';
	return n;
}

unsigned phase_plan_stamps(const struct phase_plan *plan, int steps)
{
	const size_t waits =
		count_waits(plan->prologue) + (size_t)steps * count_waits(plan->loop) + count_waits(plan->epilogue);

	return 1 + phase_plan_length(plan, steps) - (unsigned)waits;
}

static enum phase phase_stamps_phase_of(char letter)
{
	return (enum phase)(strchr(letters, letter) - letters);
}

struct phase_place phase_plan_place(const struct phase_plan *plan, int steps, unsigned n)
{
	const size_t prologue = strlen(plan->prologue), loop = strlen(plan->loop), looped = loop * (size_t)steps;

	if (n < prologue)
		return (struct phase_place){.step = 0, .phase = phase_stamps_phase_of(plan->prologue[n])};
	if (n < prologue + looped)
		return (struct phase_place){.step = (int)((n - prologue) / loop),
			.phase = phase_stamps_phase_of(plan->loop[(n - prologue) % loop])};
	return (struct phase_place){.step = steps > 0 ? steps - 1 : 0,
		.phase = phase_stamps_phase_of(plan->epilogue[n - prologue - looped])};
}

unsigned phase_plan_segments(const struct phase_plan *plan, const void *state)
{
	const int steps = plan->steps(state);

	if (!plan->spread || !plan->spread(state))
		return 0;
	return phase_plan_length(plan, steps) + 2 - phase_plan_stamps(plan, steps);
}

unsigned phase_plan_kept(const struct phase_plan *plan, int steps, unsigned room, int *kept)
{
	size_t prologue = strlen(plan->prologue), loop = strlen(plan->loop);

	*kept = steps;
	if (steps <= 1 || phase_plan_length(plan, steps) <= room)
		return phase_plan_length(plan, steps);
	*kept = room < prologue + loop ? 1 : (int)((room - prologue) / loop);
	if (*kept >= steps) /* the rest is the epilogue, which belongs to the last step */
		*kept = steps - 1;
	return (unsigned)(prologue + (size_t)*kept * loop);
}

/* "ww" in a warp's phases, whatever the number of steps. */
static bool has_wait_behind_wait(const struct phase_plan *plan)
{
	const char *const ways[][3] = {{plan->prologue, plan->loop, plan->loop}, {plan->loop, plan->epilogue, ""},
		{plan->prologue, plan->epilogue, ""}};
	char last;

	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		last = '\0';
		for (size_t part = 0; part < 3; part++) {
			for (const char *letter = ways[i][part]; *letter; letter++) {
				if (*letter == 'w' && last == 'w')
					return true;
				last = *letter;
			}
		}
	}
	return false;
}

bool phase_plan_valid(const struct phase_plan *plan)
{
	const char *const parts[] = {plan->prologue, plan->loop, plan->epilogue};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!parts[i] || parts[i][strspn(parts[i], letters)] != '\0')
			return false;
	return *plan->loop != '\0' && plan->steps && !has_wait_behind_wait(plan);
}

static uint32_t stamp(const struct phase_block *block, unsigned warp, unsigned n)
{
	return block->stamps[(size_t)warp * block->per_warp + n];
}

/* Stamps of a block lie within half the range of the counter, so differences are right even if it overflows. */
static int32_t phase_stamps_after(uint32_t a, uint32_t b)
{
	return (int32_t)(a - b);
}

static uint32_t first_stamp(const struct phase_block *block)
{
	uint32_t first = stamp(block, 0, 0);

	for (unsigned warp = 1; warp < block->warps; warp++)
		if (phase_stamps_after(stamp(block, warp, 0), first) < 0)
			first = stamp(block, warp, 0);
	return first;
}

/* When the last warp took stamp `n`. */
static uint32_t last_stamp(const struct phase_block *block, unsigned n)
{
	uint32_t last = stamp(block, 0, n);

	for (unsigned warp = 1; warp < block->warps; warp++)
		if (phase_stamps_after(stamp(block, warp, n), last) > 0)
			last = stamp(block, warp, n);
	return last;
}

const char *phase_block_wrong(const struct phase_block *block)
{
	for (unsigned warp = 0; warp < block->warps; warp++) {
		for (unsigned n = 0; n < block->per_warp; n++) {
			if (stamp(block, warp, n) == 0)
				return "a time stamp was not taken";
			if (n > 0 && phase_stamps_after(stamp(block, warp, n), stamp(block, warp, n - 1)) < 0)
				return "a time stamp lies before the one before it";
		}
	}
	return NULL;
}

uint32_t phase_block_life(const struct phase_block *block)
{
	return last_stamp(block, block->per_warp - 1) - first_stamp(block);
}

unsigned phase_block_bounds(
	const struct phase_block *block, const struct phase_plan *plan, int steps, unsigned barrier, double *bounds)
{
	const unsigned phases = phase_plan_length(plan, steps);
	const uint32_t first = first_stamp(block);
	unsigned cut = 0, taken = 0;

	for (unsigned warp = 0; warp < block->warps; warp++)
		bounds[(size_t)warp * (phases + 1)] = stamp(block, warp, 0) - first;
	for (unsigned n = 0; n < phases; n++) {
		const bool waits = phase_plan_place(plan, steps, n).phase == PHASE_WAIT;
		const double opening = last_stamp(block, taken) - first + barrier;

		taken += !waits;
		for (unsigned warp = 0; warp < block->warps; warp++) {
			double *bound = bounds + (size_t)warp * (phases + 1) + n;
			const double end = waits ? opening : stamp(block, warp, taken) - first;

			cut += end < bound[0];
			bound[1] = end < bound[0] ? bound[0] : end;
		}
	}
	return cut;
}
