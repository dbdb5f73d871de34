/* choose.c: see choose.h. */
#include "analyze/asm/choose.h"

#include "util/alloc.h"

/* A loop that only waits is not longer. */
enum { WAITING_SIZE = 64 };

size_t asm_copies_of(const struct asm_tally *tally)
{
	return tally->kinds[ASM_LDGSTS] + tally->kinds[ASM_UBLKCP] + tally->kinds[ASM_UTMALDG] + tally->tile_stores;
}

size_t asm_reads_of(const struct asm_tally *tally)
{
	return tally->kinds[ASM_SHARED_LOAD] + tally->kinds[ASM_MMA_SHARED];
}

/* ---- what a loop holds ---- */

static void tally_instruction(
	struct asm_tally *tally, const struct asm_graph *graph, const struct asm_flow *flow, size_t i)
{
	const struct asm_op *op = &graph->ops[i];

	tally->kinds[op->kind]++;
	tally->size++;
	tally->samples += graph->list[i].samples;
	tally->own_samples += graph->list[i].samples;
	if (op->kind == ASM_LOAD || op->kind == ASM_STORE)
		tally->bytes_moved += (size_t)op->bytes;
	if (op->kind == ASM_SHARED_STORE && flow->source[i] != SIZE_MAX) {
		tally->tile_stores++;
		tally->copied += (size_t)op->bytes;
	}
	if (op->kind == ASM_LDGSTS)
		tally->copied += (size_t)op->bytes;
	if (op->kind == ASM_UBLKCP || op->kind == ASM_UTMALDG)
		tally->copied++;
}

static bool only_waits(const struct asm_tally *t)
{
	static const enum asm_kind works[] = {
		ASM_LOAD, ASM_STORE, ASM_SHARED_STORE, ASM_BARRIER, ASM_FMA, ASM_MMA, ASM_MMA_SHARED};

	if (t->size > WAITING_SIZE || asm_copies_of(t) > 0)
		return false;
	for (size_t i = 0; i < sizeof(works) / sizeof(*works); i++)
		if (t->kinds[works[i]] > 0)
			return false;
	return t->kinds[ASM_CHECK] > 0 && asm_reads_of(t) == 0;
}

/* Tiles are brought and used; threads that only copy wait until they may. */
static bool is_over_tiles(const struct asm_tally *t)
{
	size_t waits = t->kinds[ASM_CHECK] + t->waits_within, bulk = t->kinds[ASM_UBLKCP] + t->kinds[ASM_UTMALDG];

	if (t->has_rounds || t->copied == 0)
		return false;
	if (bulk > 0 && waits > 0)
		return true;
	if (t->kinds[ASM_LDGSTS] > 0)
		return asm_reads_of(t) > 0 && (waits > 0 || t->kinds[ASM_WAIT] > 0);
	return asm_reads_of(t) > 0 && t->kinds[ASM_BARRIER] > 0;
}

static void add_to_parent(const struct asm_tally *t, struct asm_tally *parent)
{
	parent->samples += t->samples;
	if (t->is_waiting) {
		parent->waits_within++;
		return;
	}
	parent->has_inner = true;
	parent->has_inner_moves |= t->has_inner_moves || t->bytes_moved > 0;
	for (int kind = 0; kind < ASM_KINDS; kind++)
		parent->kinds[kind] += t->kinds[kind];
	parent->size += t->size;
	parent->tile_stores += t->tile_stores;
	parent->waits_within += t->waits_within;
	parent->has_rounds |= t->has_rounds;
	if (!t->has_rounds)
		parent->copied += t->copied;
}

struct asm_tally *asm_tally_loops(const struct asm_graph *graph, const struct asm_flow *flow)
{
	struct asm_tally *tallies = xcalloc(graph->nloops + 1, sizeof(*tallies));

	for (size_t i = 0; i < graph->n; i++)
		if (graph->is_reached[i]) {
			int loop = graph->loop_of[i];

			tally_instruction(&tallies[loop == ASM_NO_LOOP ? (int)graph->nloops : loop], graph, flow, i);
		}
	for (size_t l = 0; l < graph->nloops; l++) {
		struct asm_tally *t = &tallies[l];

		t->is_waiting = only_waits(t);
		t->is_round = !t->is_waiting && is_over_tiles(t);
		t->has_rounds |= t->is_round;
		if (graph->loops[l].parent != ASM_NO_LOOP)
			add_to_parent(t, &tallies[graph->loops[l].parent]);
	}
	return tallies;
}

/* ---- choosing ---- */

static bool brings_more(const struct asm_tally *t, const struct asm_tally *than)
{
	return t->samples != than->samples ? t->samples > than->samples : t->copied >= than->copied;
}

static bool moves_more(const struct asm_tally *t, const struct asm_tally *than)
{
	if (t->own_samples != than->own_samples)
		return t->own_samples > than->own_samples;
	return t->bytes_moved != than->bytes_moved ? t->bytes_moved > than->bytes_moved : t->size >= than->size;
}

int asm_choose_loop(const struct asm_graph *graph, const struct asm_tally *tallies)
{
	int rounds = ASM_NO_LOOP, plain = ASM_NO_LOOP;

	for (int l = 0; l < (int)graph->nloops; l++) {
		const struct asm_tally *t = &tallies[l];

		if (t->is_round && (rounds == ASM_NO_LOOP || brings_more(t, &tallies[rounds])))
			rounds = l;
		/* What fills a table, or holds the loops that work, is not where the time is. */
		if (t->is_waiting || t->has_rounds || t->tile_stores > 0 || t->has_inner_moves ||
			(t->bytes_moved == 0 && t->has_inner))
			continue;
		if (plain == ASM_NO_LOOP || moves_more(t, &tallies[plain]))
			plain = l;
	}
	if (rounds == ASM_NO_LOOP || plain == ASM_NO_LOOP)
		return rounds == ASM_NO_LOOP ? plain : rounds;
	return tallies[plain].own_samples > tallies[rounds].samples ? plain : rounds;
}
