/*
 * loops.c: nested loops of a graph. Havlak's way ("Nesting of Reducible and Irreducible Loops", 1997): in the order of
 * a search in depth, from its end, the instructions from which a jump leads back to an instruction and those before
 * them are the body of its loop; a body that is found is one instruction from then on. Almost linear in the number of
 * instructions.
 */
#include "analyze/asm/graph.h"

#include <stdlib.h>

#include "util/alloc.h"

static const size_t nowhere = SIZE_MAX;

struct asm_search {
	struct asm_graph *graph;
	size_t *order; /* instructions in the order in which they were reached */
	size_t nreached;
	size_t *number;    /* by instruction: its place in `order`, or nowhere */
	size_t *last;      /* by number: the last number that was reached from there */
	size_t *same;      /* by number: the loop's header it is one with (union-find) */
	size_t *header_of; /* by number: header of the innermost loop around it, or nowhere */
	size_t *sources;   /* numbers of the edges' begins; those into number i begin at sources_from[i] */
	size_t *sources_from;
	size_t *pool; /* numbers of a body */
	size_t *seen; /* by number: 1 + the header whose pool it was put in */
	size_t room;
};

/* ---- search in depth ---- */

static void search_in_depth(struct asm_search *s)
{
	const struct asm_graph *graph = s->graph;
	size_t *stack = xcalloc(graph->n + 1, sizeof(*stack)), *next = xcalloc(graph->n + 1, sizeof(*next)), depth = 0;

	if (graph->n > 0) {
		stack[depth++] = 0;
		s->number[0] = s->nreached;
		s->order[s->nreached++] = 0;
		next[0] = graph->edges_from[0];
	}
	while (depth > 0) {
		size_t at = stack[depth - 1];

		if (next[at] < graph->edges_from[at + 1]) {
			size_t to = graph->edges[next[at]++];

			if (s->number[to] != nowhere)
				continue;
			s->number[to] = s->nreached;
			s->order[s->nreached++] = to;
			next[to] = graph->edges_from[to];
			stack[depth++] = to;
		} else {
			s->last[s->number[at]] = s->nreached - 1;
			depth--;
		}
	}
	free(stack);
	free(next);
}

static void turn_edges(struct asm_search *s)
{
	const struct asm_graph *graph = s->graph;
	size_t *fill;

	for (size_t i = 0; i < s->nreached; i++)
		for (size_t e = graph->edges_from[s->order[i]]; e < graph->edges_from[s->order[i] + 1]; e++)
			s->sources_from[s->number[graph->edges[e]] + 1]++;
	for (size_t i = 0; i < s->nreached; i++)
		s->sources_from[i + 1] += s->sources_from[i];
	fill = xmemdup(s->sources_from, (s->nreached + 1) * sizeof(*fill));
	for (size_t i = 0; i < s->nreached; i++)
		for (size_t e = graph->edges_from[s->order[i]]; e < graph->edges_from[s->order[i] + 1]; e++)
			s->sources[fill[s->number[graph->edges[e]]]++] = i;
	free(fill);
}

/* ---- bodies ---- */

static size_t find_same(struct asm_search *s, size_t i)
{
	size_t root = i;

	while (s->same[root] != root)
		root = s->same[root];
	while (s->same[i] != root) {
		size_t next = s->same[i];

		s->same[i] = root;
		i = next;
	}
	return root;
}

static bool comes_from(const struct asm_search *s, size_t header, size_t i)
{
	return header <= i && i <= s->last[header];
}

/* Adds what is one with number `i` to the pool of `header`. */
static void put_in_pool(struct asm_search *s, size_t header, size_t i, size_t *npool)
{
	size_t root = find_same(s, i);

	if (root == header || s->seen[root] == header + 1)
		return;
	s->seen[root] = header + 1;
	s->pool[(*npool)++] = root;
}

/* Number `w` and the loop of which it is the header, if it is one. */
static void find_body(struct asm_search *s, size_t w)
{
	struct asm_graph *graph = s->graph;
	bool is_header = false, is_irreducible = false;
	size_t npool = 0;

	for (size_t e = s->sources_from[w]; e < s->sources_from[w + 1]; e++)
		if (comes_from(s, w, s->sources[e])) {
			is_header = true;
			put_in_pool(s, w, s->sources[e], &npool);
		}
	if (!is_header)
		return;
	for (size_t i = 0; i < npool; i++)
		for (size_t e = s->sources_from[s->pool[i]]; e < s->sources_from[s->pool[i] + 1]; e++) {
			if (comes_from(s, w, find_same(s, s->sources[e])))
				put_in_pool(s, w, s->sources[e], &npool);
			else
				is_irreducible = true;
		}
	for (size_t i = 0; i < npool; i++) {
		s->header_of[s->pool[i]] = w;
		s->same[s->pool[i]] = w;
	}
	xgrow(&graph->loops, graph->nloops, &s->room, sizeof(*graph->loops));
	graph->loops[graph->nloops++] = (struct asm_loop){s->order[w], ASM_NO_LOOP, is_irreducible};
}

/* ---- all of it ---- */

static void name_loops(struct asm_search *s)
{
	struct asm_graph *graph = s->graph;
	int *loop = xcalloc(s->nreached + 1, sizeof(*loop)); /* by number: the loop whose header it is */

	for (size_t i = 0; i < s->nreached; i++)
		loop[i] = ASM_NO_LOOP;
	for (size_t i = 0; i < graph->nloops; i++)
		loop[s->number[graph->loops[i].header]] = (int)i;
	for (size_t i = 0; i < s->nreached; i++) {
		int around = s->header_of[i] == nowhere ? ASM_NO_LOOP : loop[s->header_of[i]];

		if (loop[i] != ASM_NO_LOOP)
			graph->loops[loop[i]].parent = around;
		graph->loop_of[s->order[i]] = loop[i] != ASM_NO_LOOP ? loop[i] : around;
	}
	free(loop);
}

static void begin_search(struct asm_search *s)
{
	struct asm_graph *graph = s->graph;
	size_t n = graph->n;

	s->order = xcalloc(n + 1, sizeof(*s->order));
	s->number = xcalloc(n + 1, sizeof(*s->number));
	s->last = xcalloc(n + 1, sizeof(*s->last));
	s->same = xcalloc(n + 1, sizeof(*s->same));
	s->header_of = xcalloc(n + 1, sizeof(*s->header_of));
	s->sources = xcalloc(graph->edges_from[n] + 1, sizeof(*s->sources));
	s->sources_from = xcalloc(n + 2, sizeof(*s->sources_from));
	s->pool = xcalloc(n + 1, sizeof(*s->pool));
	s->seen = xcalloc(n + 1, sizeof(*s->seen));
	graph->loop_of = xcalloc(n + 1, sizeof(*graph->loop_of));
	graph->is_reached = xcalloc(n + 1, sizeof(*graph->is_reached));
	for (size_t i = 0; i < n; i++) {
		s->number[i] = s->header_of[i] = nowhere;
		s->same[i] = i;
		graph->loop_of[i] = ASM_NO_LOOP;
	}
}

static void end_search(struct asm_search *s)
{
	free(s->order);
	free(s->number);
	free(s->last);
	free(s->same);
	free(s->header_of);
	free(s->sources);
	free(s->sources_from);
	free(s->pool);
	free(s->seen);
}

void asm_find_loops(struct asm_graph *graph)
{
	struct asm_search s = {.graph = graph};

	begin_search(&s);
	search_in_depth(&s);
	turn_edges(&s);
	for (size_t w = s.nreached; w-- > 0;)
		find_body(&s, w);
	name_loops(&s);
	for (size_t i = 0; i < s.nreached; i++)
		graph->is_reached[s.order[i]] = true;
	end_search(&s);
}
