/* graphs-private.h: what graphs.c and graph-numbers.c share. */
#ifndef DBPROF_CONTRAST_KERNEL_GRAPHS_PRIVATE_H
#define DBPROF_CONTRAST_KERNEL_GRAPHS_PRIVATE_H

#include "contrast/sum-up.h"

/* A program that captures another graph in each step has no like launches: of so many kinds the first ones are kept. */
enum { GRAPH_KINDS = 256 };

/* A call that launches a graph, and what its kernels, copies and memsets do. */
struct graph_launch {
	int64_t process, call_start, correlation, thread;
	bool has_work;      /* what follows is known; else it failed, or the graph is empty */
	int64_t start, end; /* of its work on the GPU */
	int gpu;            /* of the first of it */
	bool several_gpus;
	uint64_t shapes; /* of its kernels, in any order: names with grids, blocks and dynamic shared memory */
	uint64_t names;  /* base names, in any order */
	size_t kernels;
	double ns;           /* time of them all */
	int64_t longest_ns;  /* of the longest of them */
	const char *longest; /* base name of that one */
	double beside;       /* how long kernels of others ran meanwhile (ns) */
	bool communicates, is_steady;
	size_t kind;       /* place in graphs[]; GRAPH_KINDS: of none of them */
	bool is_countable; /* see mark_countable() */
};

struct graphing {
	const struct summing *summing;
	struct graph_launch *launch; /* owned */
	size_t n;
	struct launch_graph *graphs; /* by kind */
	size_t ngraphs, graph_room;
	bool lacks_calls; /* work of a graph has no known call */
};

/* graph-numbers.c: finds the numbers of the graphs' launches, which stand by process and in the order of their calls.
 * A graph without any gets a reason. */
void graph_numbers_find(struct graphing *graphing);

#endif
