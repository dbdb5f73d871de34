/* groups.c: tiles under way by LDGSTS, LDGDEPBAR and DEPBAR: see rounds.h. */
#include "analyze/asm/rounds.h"

/* What lies between a wait and the next one, in a turn. */
struct asm_stretch {
	size_t copies;       /* LDGSTS */
	size_t before_reads; /* of them, those that a read follows */
	size_t beside_reads; /* of them, those behind all reads, but without a barrier between */
	size_t during_mma;   /* of them, those behind all reads while products of matrices may still be under way */
	size_t reads;
};

/* The event `steps` behind number `from`, as a loop goes; of what is in no loop, NULL behind the end. */
static const struct asm_event *event_behind(const struct asm_rounds *rounds, size_t from, size_t steps)
{
	if (rounds->loop == ASM_NO_LOOP && from + steps >= rounds->n)
		return NULL;
	return &rounds->events[(from + steps) % rounds->n];
}

/* The last read of the stretch that begins at the wait `from`, as steps; 0: there is none. */
static size_t last_read(const struct asm_rounds *rounds, size_t from, size_t *length)
{
	const struct asm_event *event;
	size_t last = 0, step;

	for (step = 1; step <= rounds->n && (event = event_behind(rounds, from, step)); step++) {
		if (event->kind == ASM_WAIT)
			break;
		if (asm_is_read(event))
			last = step;
	}
	*length = step;
	return last;
}

static void read_stretch(const struct asm_rounds *rounds, size_t from, struct asm_stretch *out)
{
	size_t length, last = last_read(rounds, from, &length);
	bool is_behind_barrier = false, is_mma_under_way = false;

	*out = (struct asm_stretch){0};
	for (size_t step = 1; step < length; step++) {
		const struct asm_event *event = event_behind(rounds, from, step);

		if (event->kind == ASM_MMA_WAIT)
			is_mma_under_way = rounds->graph->ops[event->place].number > 0;
		if (event->kind == ASM_BARRIER && step > last)
			is_behind_barrier = true;
		out->reads += asm_is_read(event);
		if (event->kind != ASM_LDGSTS)
			continue;
		out->copies++;
		out->before_reads += step < last;
		out->beside_reads += step > last && !is_behind_barrier;
		out->during_mma += step > last && is_mma_under_way;
	}
}

/* All waits let the same number of groups under way: that number, or -1. */
static int common_depth(const struct asm_rounds *rounds)
{
	int depth = -1;

	for (size_t i = 0; i < rounds->n; i++) {
		int number = rounds->graph->ops[rounds->events[i].place].number;

		if (rounds->events[i].kind != ASM_WAIT)
			continue;
		if (number < 0 || (depth >= 0 && number != depth))
			return -1;
		depth = number;
	}
	return depth;
}

/* Whether a round asks for its tile so that it is under way while the round computes: 0 or 1. -1: rounds differ, or
 * nobody knows. */
static int asks_while_computing(const struct asm_rounds *rounds, bool *is_mma)
{
	int common = -1;

	for (size_t i = 0; i < rounds->n; i++) {
		struct asm_stretch stretch;
		int asks;

		if (rounds->events[i].kind != ASM_WAIT)
			continue;
		read_stretch(rounds, i, &stretch);
		/* The last rounds of an unrolled loop ask for nothing. */
		if (rounds->loop == ASM_NO_LOOP && stretch.copies == 0)
			continue;
		if (stretch.copies == 0 || stretch.reads == 0)
			return -1;
		*is_mma |= stretch.during_mma == stretch.copies;
		if (stretch.before_reads == stretch.copies || stretch.during_mma == stretch.copies)
			asks = 1;
		else if (stretch.before_reads == 0 && stretch.beside_reads == 0)
			asks = 0;
		else
			return -1;
		if (common >= 0 && asks != common)
			return -1;
		common = asks;
	}
	return common;
}

/* Groups that a turn, or what is in no loop from the first wait on, ends. */
static size_t groups_in_turn(const struct asm_rounds *rounds, size_t *before_wait)
{
	bool is_behind = false;
	size_t behind = 0;

	*before_wait = 0;
	for (size_t i = 0; i < rounds->n; i++) {
		if (rounds->events[i].kind == ASM_WAIT)
			is_behind = true;
		else if (rounds->events[i].kind == ASM_COMMIT && is_behind)
			behind++;
		else if (rounds->events[i].kind == ASM_COMMIT)
			(*before_wait)++;
	}
	return rounds->loop == ASM_NO_LOOP ? behind : behind + *before_wait;
}

static size_t first_wait(const struct asm_rounds *rounds)
{
	for (size_t i = 0; i < rounds->n; i++)
		if (rounds->events[i].kind == ASM_WAIT)
			return rounds->events[i].place;
	return 0;
}

/* Whether what is asked for before the first wait of all is at least what may stay under way. *how says whether that
 * was seen. */
static bool is_filled(const struct asm_rounds *rounds, size_t before_wait, int64_t depth, int64_t groups,
	struct asm_kernel *out, enum asm_how *how)
{
	size_t before = 0;
	bool is_known = rounds->loop == ASM_NO_LOOP || asm_count_before(rounds, ASM_COMMIT, &before);

	*how = ASM_INFERRED;
	if (!is_known || (rounds->loop != ASM_NO_LOOP && asm_is_skipped(rounds, first_wait(rounds))))
		return true;
	if (before % (size_t)groups == 0 && rounds->loop != ASM_NO_LOOP)
		out->prologue = (struct asm_fact){(int64_t)before / groups, ASM_SEEN};
	*how = ASM_SEEN;
	return (int64_t)(before + before_wait) - groups >= depth;
}

/* Of several waits in a turn nobody knows whether they are for tiles of one operand. */
static void tell_buffers(const struct asm_rounds *rounds, struct asm_kernel *out)
{
	bool stays = rounds->loop != ASM_NO_LOOP && out->unrolled.value == 1;

	for (size_t i = 0; i < rounds->n && stays; i++)
		if (rounds->events[i].kind == ASM_LDGSTS)
			stays = asm_address_stays(rounds, &rounds->events[i]);
	if (stays)
		out->buffers = (struct asm_fact){1, ASM_SEEN};
	else if (out->ahead.how != ASM_UNKNOWN && out->ahead.value > 0 && out->unrolled.value == 1)
		out->buffers = (struct asm_fact){out->ahead.value + 1, ASM_INFERRED};
}

void asm_read_groups(const struct asm_rounds *rounds, size_t rounds_in_turn, struct asm_kernel *out)
{
	size_t before_wait, turn = groups_in_turn(rounds, &before_wait);
	int depth = common_depth(rounds), asks;
	enum asm_how how;
	bool is_mma = false;

	if (depth >= 0)
		out->depth = (struct asm_fact){depth, rounds->waits == ASM_WAITS_MET ? ASM_INFERRED : ASM_SEEN};
	out->groups = asm_per_round(turn, rounds_in_turn);
	if (depth < 0 || out->groups.value < 1 || rounds->inner[ASM_COMMIT] > 0 || rounds->inner[ASM_WAIT] > 0)
		return;
	if (rounds->waits == ASM_WAITS_VARY)
		return;
	asks = asks_while_computing(rounds, &is_mma);
	if (asks < 0 || depth % out->groups.value != 0 ||
		!is_filled(rounds, before_wait, depth, out->groups.value, out, &how))
		return;
	out->ahead = (struct asm_fact){
		depth / out->groups.value + asks, is_mma || rounds->waits == ASM_WAITS_MET ? ASM_INFERRED : how};
	tell_buffers(rounds, out);
}
