/* rounds.c: see rounds.h. */
#include "analyze/asm/rounds.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

bool asm_is_read(const struct asm_event *event)
{
	return event->kind == ASM_SHARED_LOAD || event->kind == ASM_MMA_SHARED;
}

/* ---- addresses ---- */

int asm_register_at(const char *text, int *file)
{
	char *end;
	long number;

	*file = *text == 'U';
	text += *file;
	if (*text != 'R' || !isdigit((unsigned char)text[1]))
		return -1;
	number = strtol(text + 1, &end, 10);
	return number < ASM_REGISTERS ? (int)number : -1;
}

static void note_written(struct asm_rounds *r, size_t i)
{
	const struct asm_op *op = &r->graph->ops[i];
	int file, number = asm_register_at(op->operands, &file);

	if (number < 0 || op->kind == ASM_NEVER)
		return;
	for (int more = 0; number + more < ASM_REGISTERS && more < (op->to_registers > 1 ? op->to_registers : 1);
		more++)
		r->is_written[file][number + more] = true;
}

bool asm_address_stays(const struct asm_rounds *rounds, const struct asm_event *event)
{
	const char *at = strchr(rounds->graph->ops[event->place].operands, '[');
	size_t length = at ? strcspn(at, "]") : 0;

	if (!at || rounds->loop == ASM_NO_LOOP)
		return false;
	for (size_t i = 1; i < length; i++) {
		int file, number = isalnum((unsigned char)at[i - 1]) ? -1 : asm_register_at(at + i, &file);

		if (number >= 0 && rounds->is_written[file][number])
			return false;
	}
	return true;
}

/* ---- making ---- */

static void add_event(struct asm_rounds *r, size_t i, bool is_own)
{
	const enum asm_kind kind = r->graph->ops[i].kind;
	struct asm_event event = {.kind = kind, .place = i, .is_own = is_own};

	event.is_tile_store = kind == ASM_SHARED_STORE && r->flow->source[i] != SIZE_MAX;
	r->kinds[kind]++;
	r->inner[kind] += !is_own;
	r->tile_stores += event.is_tile_store;
	r->events[r->n++] = event;
}

static void add_instruction(struct asm_rounds *r, size_t i)
{
	int loop = r->graph->loop_of[i];

	if (loop != r->loop && (loop == ASM_NO_LOOP || (r->within && !r->within[loop])))
		return;
	if (loop != ASM_NO_LOOP && r->tallies[loop].is_waiting) {
		if (r->graph->loops[loop].header == i) {
			r->events[r->n++] = (struct asm_event){.kind = ASM_CHECK, .place = i, .is_poll = true};
			r->polls++;
		}
		return;
	}
	note_written(r, i);
	add_event(r, i, loop == r->loop);
}

void asm_rounds_make(const struct asm_graph *graph, const struct asm_flow *flow, const struct asm_tally *tallies,
	int loop, struct asm_rounds *out)
{
	*out = (struct asm_rounds){.graph = graph, .flow = flow, .tallies = tallies, .loop = loop};
	out->within = loop == ASM_NO_LOOP ? NULL : asm_loops_within(graph, loop);
	out->events = xcalloc(graph->n + 1, sizeof(*out->events));
	for (size_t i = 0; i < graph->n; i++)
		if (graph->is_reached[i])
			add_instruction(out, i);
	asm_settle_waits(out);
}

void asm_rounds_free(struct asm_rounds *rounds)
{
	free(rounds->within);
	free(rounds->events);
	*rounds = (struct asm_rounds){0};
}

/* ---- counting ---- */

size_t asm_mbarrier_waits(const struct asm_rounds *rounds)
{
	size_t tried = rounds->kinds[ASM_CHECK];

	return tried > rounds->polls ? tried : rounds->polls;
}

size_t asm_store_phases(const struct asm_rounds *rounds)
{
	bool is_begun = false;
	size_t phases = 0;

	for (size_t i = 0; i < rounds->n; i++) {
		const struct asm_event *event = &rounds->events[i];

		if (event->is_tile_store && !is_begun) {
			is_begun = true;
			phases++;
		} else if (event->kind == ASM_BARRIER) {
			is_begun = false;
		}
	}
	return phases;
}

bool asm_count_before(const struct asm_rounds *rounds, enum asm_kind kind, size_t *out)
{
	const struct asm_graph *graph = rounds->graph;
	size_t header = graph->loops[rounds->loop].header, begin = 0;
	int parent = graph->loops[rounds->loop].parent;

	if (parent != ASM_NO_LOOP)
		begin = graph->loops[parent].header;
	*out = 0;
	for (size_t i = begin; i < header; i++) {
		if (!graph->is_reached[i] || graph->ops[i].kind != kind)
			continue;
		if (graph->loop_of[i] != parent)
			return false;
		(*out)++;
	}
	return true;
}

struct asm_fact asm_per_round(size_t total, size_t rounds)
{
	if (total == 0)
		return (struct asm_fact){0, ASM_SEEN};
	if (rounds == 0 || total % rounds != 0)
		return (struct asm_fact){0, ASM_UNKNOWN};
	return (struct asm_fact){(int64_t)(total / rounds), ASM_SEEN};
}

/* ---- jumps ---- */

bool asm_is_skipped(const struct asm_rounds *rounds, size_t place)
{
	const struct asm_graph *graph = rounds->graph;

	for (size_t i = 0; i < place; i++) {
		if (graph->loop_of[i] != rounds->loop || graph->ops[i].kind != ASM_BRANCH)
			continue;
		for (size_t e = graph->edges_from[i]; e < graph->edges_from[i + 1]; e++)
			if (graph->edges[e] > place && graph->loop_of[graph->edges[e]] == rounds->loop)
				return true;
	}
	return false;
}
