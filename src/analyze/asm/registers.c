/* registers.c: tiles under way that go through registers: see rounds.h. */
#include "analyze/asm/rounds.h"

#include <stdlib.h>

#include "util/alloc.h"

/* Reads of shared memory between two phases of stores are a group: one tile's. */
struct asm_groups {
	size_t *begun;   /* by event: groups that have begun before it */
	size_t *ended;   /* by event: groups whose last read stands before it */
	bool *is_beside; /* by event: reads stand before it in the turn, and no barrier between */
	size_t total;
	bool is_torn; /* one group reaches over the end of the loop */
};

/* Marks behind the last read of each group, from the end. */
static void find_group_ends(const struct asm_rounds *rounds, struct asm_groups *out)
{
	bool is_open = false;
	size_t left = out->total;

	for (size_t i = rounds->n; i-- > 0;) {
		out->ended[i] = is_open ? left - 1 : left;
		if (asm_is_read(&rounds->events[i]) && !is_open) {
			is_open = true;
			out->ended[i] = left - 1;
		} else if (rounds->events[i].is_tile_store && is_open) {
			is_open = false;
			out->ended[i] = --left;
		}
	}
}

static void find_read_groups(const struct asm_rounds *rounds, struct asm_groups *out)
{
	bool is_open = false, has_store = false, begins_open = false;

	bool is_beside = false;

	*out = (struct asm_groups){xcalloc(rounds->n + 1, sizeof(*out->begun)),
		xcalloc(rounds->n + 1, sizeof(*out->ended)), xcalloc(rounds->n + 1, sizeof(*out->is_beside)), 0, false};
	for (size_t i = 0; i < rounds->n; i++) {
		const struct asm_event *event = &rounds->events[i];

		out->begun[i] = out->total;
		is_beside = event->kind != ASM_BARRIER && (is_beside || asm_is_read(event));
		out->is_beside[i] = is_beside;
		if (asm_is_read(event) && !is_open) {
			is_open = true;
			out->total++;
			begins_open |= !has_store;
		} else if (event->is_tile_store) {
			is_open = false;
			has_store = true;
		}
	}
	out->is_torn = is_open && begins_open && rounds->loop != ASM_NO_LOOP;
	find_group_ends(rounds, out);
}

/* By instruction: the event of that place, or n. */
static size_t event_at(const struct asm_rounds *rounds, size_t place)
{
	size_t low = 0, high = rounds->n;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (rounds->events[middle].place < place)
			low = middle + 1;
		else
			high = middle;
	}
	return low < rounds->n && rounds->events[low].place == place ? low : rounds->n;
}

/* Tiles' computations between load and store of event i; -1: unknown. */
static int64_t crossed_by(const struct asm_rounds *rounds, const struct asm_groups *groups, size_t i)
{
	size_t place = rounds->events[i].place, load = event_at(rounds, rounds->flow->source[place]);
	int lag = rounds->flow->store_lag[place];
	int64_t crossed;

	if (load == rounds->n || lag < 0)
		return -1;
	crossed = (int64_t)groups->begun[i] - (int64_t)groups->ended[load] + (int64_t)lag * (int64_t)groups->total;
	/* Behind the reads of its round, but not behind its barrier: the round still computes. */
	if (groups->is_beside[load] && groups->ended[load] > 0 && groups->ended[load] == groups->begun[load])
		return lag > 0 ? crossed + 1 : -1;
	return crossed < 0 || (crossed == 0 && lag > 0) ? -1 : crossed;
}

static bool stores_at_one_place(const struct asm_rounds *rounds)
{
	for (size_t i = 0; i < rounds->n; i++)
		if (rounds->events[i].is_tile_store && !asm_address_stays(rounds, &rounds->events[i]))
			return false;
	return rounds->loop != ASM_NO_LOOP;
}

void asm_read_registers(const struct asm_rounds *rounds, size_t rounds_in_turn, struct asm_kernel *out)
{
	struct asm_groups groups;
	int64_t common = -1;
	bool is_known = true;

	find_read_groups(rounds, &groups);
	for (size_t i = 0; i < rounds->n && is_known; i++) {
		int64_t crossed;

		if (!rounds->events[i].is_tile_store)
			continue;
		crossed = crossed_by(rounds, &groups, i);
		is_known = crossed >= 0 && (common < 0 || crossed == common);
		common = crossed;
	}
	if (is_known && common >= 0 && !groups.is_torn && groups.total == rounds_in_turn)
		out->ahead = (struct asm_fact){common, ASM_SEEN};
	if (stores_at_one_place(rounds) && rounds_in_turn == 1)
		out->buffers = (struct asm_fact){1, ASM_SEEN};
	free(groups.begun);
	free(groups.ended);
	free(groups.is_beside);
}

/* Loads that go to registers only: turns between load and use. */
void asm_read_plain(const struct asm_rounds *rounds, struct asm_kernel *out)
{
	int common = ASM_NO_LAG;

	for (size_t i = 0; i < rounds->n; i++) {
		int lag = rounds->flow->use_lag[rounds->events[i].place];

		if (rounds->events[i].kind != ASM_LOAD || !rounds->events[i].is_own)
			continue;
		if (lag < 0 || (common >= 0 && lag != common))
			return;
		common = lag;
	}
	out->ahead = (struct asm_fact){common > 0 ? common : 0, ASM_SEEN};
}
