/* side-graphs.h: the CUDA graphs of a side, from all its runs, and which graphs of two sides are each other's. */
#ifndef DBPROF_CONTRAST_KERNEL_SIDE_GRAPHS_H
#define DBPROF_CONTRAST_KERNEL_SIDE_GRAPHS_H

#include "contrast/match.h"

/* A graph that each run of a side launches in its steady steps. */
struct side_graph {
	/* What is told of it as of a kernel; its places are the launches that all runs have at the same numbers.
	 * launch_ns is the median over the runs of the time of a launch's kernels, ns that of a step's launches. */
	struct side_kernel kernel;
	uint64_t names;    /* as of its launch_graph */
	uint64_t *numbers; /* that kernel.kernel.places has; owned */
};

struct side_graphs {
	struct side_graph *graphs; /* as the first run has them; owned */
	size_t n;
	bool is_all; /* there is one, and it is all that steady steps launch */
};

/* Joins the graphs of `n` runs of a side whose kernels are joined as `kernels`. Runs without a steady step do not
 * count. The runs must live as long as `out`, which side_graphs_free() frees. */
void side_graphs_join(
	const struct launches *const *runs, size_t n, const struct side_kernels *kernels, struct side_graphs *out);
void side_graphs_free(struct side_graphs *side);

/* The time of the graph's launches in a steady step of a run (ns), mean over the steps; NaN where it has none. */
double side_graph_ns(const struct side_kernel *graph, const struct launches *run);

/* No graph. */
#define GRAPH_NONE SIZE_MAX

/* For each graph of `first` its match in `other`, or GRAPH_NONE: `match` has room for first->n. Graphs that are alike
 * match first, then those whose kernels have the same names, in their order. A graph that is all that its side's steps
 * launch also matches one of which the same holds. */
void match_graphs(const struct side_graphs *first, const struct side_graphs *other, size_t *match);

#endif
