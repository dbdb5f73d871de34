/* flow.c: see flow.h. */
#include "analyze/asm/flow.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "util/alloc.h"

/* What a register holds. */
struct asm_held {
	size_t load; /* whose value it is, or SIZE_MAX */
	int turn;    /* in which it was loaded */
};

struct asm_following {
	const struct asm_graph *graph;
	struct asm_flow *out;
	struct asm_held held[ASM_REGISTERS];
	int *used; /* by load: 1 + the turn of the load whose value was used last */
	int turn;
};

static void hold_in_register(struct asm_following *f, int number, struct asm_held held)
{
	if (number < ASM_REGISTERS - 1)
		f->held[number] = held;
}

/* The first of the registers that are read at `at` and hold a loaded value. */
static struct asm_held first_held(const struct asm_following *f, const char *at)
{
	int number;

	while ((number = asm_next_register(&at)) != ASM_NO_REGISTER)
		if (f->held[number].load != SIZE_MAX)
			return f->held[number];
	return (struct asm_held){SIZE_MAX, 0};
}

/* What stands behind the register that is written. */
static const char *sources_of(const struct asm_op *op)
{
	const char *comma = op->to == ASM_NO_REGISTER ? NULL : strchr(op->operands, ',');

	return comma ? comma : op->operands;
}

static void note_uses(struct asm_following *f, const char *at)
{
	int number;

	while ((number = asm_next_register(&at)) != ASM_NO_REGISTER) {
		struct asm_held held = f->held[number];

		if (held.load == SIZE_MAX || f->used[held.load] == held.turn + 1)
			continue;
		f->used[held.load] = held.turn + 1;
		f->out->use_lag[held.load] = f->turn - held.turn;
	}
}

static void note_store(struct asm_following *f, size_t i)
{
	const char *data = strchr(f->graph->ops[i].operands, ']');
	struct asm_held held = {SIZE_MAX, 0};

	if (data)
		held = first_held(f, data);
	f->out->source[i] = held.load;
	f->out->store_lag[i] = held.load == SIZE_MAX ? ASM_NO_LAG : f->turn - held.turn;
}

static void follow(struct asm_following *f, size_t i)
{
	const struct asm_op *op = &f->graph->ops[i];
	struct asm_held held = {SIZE_MAX, 0};

	if (op->kind == ASM_NEVER)
		return;
	if (op->kind == ASM_SHARED_STORE)
		note_store(f, i);
	if (op->kind == ASM_MOVE)
		held = first_held(f, sources_of(op));
	else
		note_uses(f, sources_of(op));
	if (op->kind == ASM_LOAD)
		held = (struct asm_held){i, f->turn};
	for (int r = 0; r < op->to_registers && op->to != ASM_NO_REGISTER; r++)
		hold_in_register(f, op->to + r, held);
}

/* ---- instructions by their loop ---- */

/* Places in the order of loops, those outside of loops first; those of loop l begin at from[l + 1]. */
static size_t *places_by_loop(const struct asm_graph *graph, size_t *from)
{
	size_t *places = xcalloc(graph->n + 1, sizeof(*places)), *fill;

	for (size_t i = 0; i < graph->n; i++)
		from[graph->loop_of[i] + 2]++;
	for (size_t l = 0; l < graph->nloops + 1; l++)
		from[l + 1] += from[l];
	fill = xmemdup(from, (graph->nloops + 2) * sizeof(*fill));
	for (size_t i = 0; i < graph->n; i++)
		places[fill[graph->loop_of[i] + 1]++] = i;
	free(fill);
	return places;
}

static bool has_load(const struct asm_graph *graph, const size_t *places, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (graph->ops[places[i]].kind == ASM_LOAD)
			return true;
	return false;
}

static void follow_loop(struct asm_following *f, const size_t *places, size_t n, int turns)
{
	if (!has_load(f->graph, places, n))
		return;
	for (int r = 0; r < ASM_REGISTERS; r++)
		f->held[r].load = SIZE_MAX;
	for (f->turn = 0; f->turn < turns; f->turn++)
		for (size_t i = 0; i < n; i++)
			if (f->graph->is_reached[places[i]])
				follow(f, places[i]);
}

void asm_flow_make(const struct asm_graph *graph, struct asm_flow *out)
{
	struct asm_following f = {.graph = graph, .out = out};
	size_t *from = xcalloc(graph->nloops + 3, sizeof(*from)), *places = places_by_loop(graph, from);

	out->source = xcalloc(graph->n + 1, sizeof(*out->source));
	out->store_lag = xcalloc(graph->n + 1, sizeof(*out->store_lag));
	out->use_lag = xcalloc(graph->n + 1, sizeof(*out->use_lag));
	f.used = xcalloc(graph->n + 1, sizeof(*f.used));
	for (size_t i = 0; i < graph->n; i++) {
		out->source[i] = SIZE_MAX;
		out->store_lag[i] = out->use_lag[i] = ASM_NO_LAG;
	}
	for (size_t l = 0; l < graph->nloops + 1; l++)
		follow_loop(&f, places + from[l], from[l + 1] - from[l], l == 0 ? 1 : ASM_TURNS);
	free(f.used);
	free(places);
	free(from);
}

void asm_flow_free(struct asm_flow *flow)
{
	free(flow->source);
	free(flow->store_lag);
	free(flow->use_lag);
	*flow = (struct asm_flow){0};
}
