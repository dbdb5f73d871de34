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

static enum phase phase_stamps_phase_of(char letter)
{
	return (enum phase)(strchr(letters, letter) - letters);
}

struct phase_event phase_plan_place(const struct phase_plan *plan, int steps, unsigned n)
{
	const size_t prologue = strlen(plan->prologue), loop = strlen(plan->loop), looped = loop * (size_t)steps;

	if (n < prologue)
		return (struct phase_event){.step = 0, .phase = phase_stamps_phase_of(plan->prologue[n])};
	if (n < prologue + looped)
		return (struct phase_event){.step = (int)((n - prologue) / loop),
			.phase = phase_stamps_phase_of(plan->loop[(n - prologue) % loop])};
	return (struct phase_event){.step = steps > 0 ? steps - 1 : 0,
		.phase = phase_stamps_phase_of(plan->epilogue[n - prologue - looped])};
}

unsigned phase_plan_segments(const struct phase_plan *plan, const void *state)
{
	unsigned waits = 0;
	int steps = plan->steps(state);

	if (!plan->spread || !plan->spread(state))
		return 0;
	for (unsigned n = 0; n < phase_plan_length(plan, steps); n++)
		waits += phase_plan_place(plan, steps, n).phase == PHASE_WAIT;
	return waits + 1;
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

bool phase_plan_valid(const struct phase_plan *plan)
{
	const char *const parts[] = {plan->prologue, plan->loop, plan->epilogue};

	for (size_t i = 0; i < sizeof(parts) / sizeof(parts[0]); i++)
		if (!parts[i] || parts[i][strspn(parts[i], letters)] != '\0')
			return false;
	return *plan->loop != '\0' && plan->steps;
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

const char *phase_block_wrong(const struct phase_block *block, unsigned phases)
{
	for (unsigned warp = 0; warp < block->warps; warp++) {
		for (unsigned n = 0; n <= phases; n++) {
			if (stamp(block, warp, n) == 0)
				return "a time stamp was not taken";
			if (n > 0 && phase_stamps_after(stamp(block, warp, n), stamp(block, warp, n - 1)) < 0)
				return "a time stamp lies before the one before it";
		}
	}
	return NULL;
}

uint32_t phase_block_life(const struct phase_block *block, unsigned phases)
{
	uint32_t first = first_stamp(block), last = first;

	for (unsigned warp = 0; warp < block->warps; warp++)
		if (phase_stamps_after(stamp(block, warp, phases), last) > 0)
			last = stamp(block, warp, phases);
	return last - first;
}

void phase_block_event(const struct phase_block *block, const struct phase_plan *plan, int steps, unsigned warp,
	unsigned n, struct phase_event *out)
{
	const uint32_t first = first_stamp(block);

	*out = phase_plan_place(plan, steps, n);
	out->start = stamp(block, warp, n) - first;
	out->end = stamp(block, warp, n + 1) - first;
}
