/* graph.h: the loops of a kernel's machine code. Within the room. */
#ifndef DBPROF_ANALYZE_ASM_GRAPH_H
#define DBPROF_ANALYZE_ASM_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/asm/asm.h"
#include "analyze/asm/decode.h"

enum { ASM_NO_LOOP = -1 };

struct asm_loop {
	size_t header;       /* its first instruction in the order of execution */
	int parent;          /* the loop around it, which has a higher number; or ASM_NO_LOOP */
	bool is_irreducible; /* it can be entered elsewhere */
};

/* asm_graph_free() frees it. */
struct asm_graph {
	const struct asm_instruction *list; /* borrowed */
	size_t n;
	struct asm_op *ops;
	int *loop_of; /* by instruction: the innermost loop, or ASM_NO_LOOP */
	bool *is_reached;
	size_t *edges; /* targets; those of instruction i begin at edges_from[i] */
	size_t *edges_from;
	struct asm_loop *loops; /* inner ones first */
	size_t nloops;
};

/* Fills loop_of, is_reached and loops of a graph whose edges are known: loops.c. */
void asm_find_loops(struct asm_graph *graph);

void asm_graph_make(const struct asm_instruction *list, size_t n, struct asm_graph *out);
void asm_graph_free(struct asm_graph *graph);

/* By loop: whether it is `outer` or within it; for free(). */
bool *asm_loops_within(const struct asm_graph *graph, int outer);

#endif
