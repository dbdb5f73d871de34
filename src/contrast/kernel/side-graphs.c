/* side-graphs.c: see side-graphs.h. */
#include "contrast/kernel/side-graphs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/statistics/stats.h"
#include "util/alloc.h"

static const struct launch_graph *graph_of_run(const struct launches *run, uint64_t hash)
{
	for (size_t i = 0; i < run->ngraphs; i++)
		if (run->graphs[i].kernel.hash == hash)
			return &run->graphs[i];
	return NULL;
}

double side_graph_ns(const struct side_kernel *graph, const struct launches *run)
{
	const struct launch_graph *mine = graph_of_run(run, graph->kernel.hash);

	return mine ? mine->ns * mine->launches : NAN;
}

/* ---- one side ---- */

static struct side_graph begin_graph(const struct launch_graph *first)
{
	struct side_graph graph = {.kernel = {.kernel = first->kernel, .codes = CODES_NONE}, .names = first->names};
	struct launch_places *places = &graph.kernel.kernel.places;

	graph.numbers = xcalloc(first->nnumbers + 1, sizeof(*graph.numbers));
	if (first->nnumbers)
		memcpy(graph.numbers, first->numbers, first->nnumbers * sizeof(*graph.numbers));
	*places = (struct launch_places){.end = first->nnumbers, .beside = first->beside, .numbers = graph.numbers};
	return graph;
}

/* False if a run lacks it. `ns` has room for all runs. */
static bool join_graph(const struct launches *const *runs, size_t n, struct side_graph *graph, double *ns)
{
	struct side_kernel *kernel = &graph->kernel;
	struct launch_places *places = &kernel->kernel.places;

	for (size_t i = 0; i < n; i++) {
		const struct launch_graph *mine = graph_of_run(runs[i], kernel->kernel.hash);

		if (runs[i]->nsteady == 0)
			continue;
		if (!mine)
			return false;
		places->end = graph_numbers_keep(graph->numbers, places->end, mine->numbers, mine->nnumbers);
		places->beside = fmax(places->beside, mine->beside);
		places->refusal = places->refusal ? places->refusal : mine->refusal;
		kernel->launches += mine->launches;
		ns[kernel->runs++] = mine->ns;
	}
	kernel->launches /= (double)kernel->runs;
	kernel->all_launches = kernel->launches;
	kernel->launch_ns = median_of(ns, kernel->runs);
	kernel->ns = kernel->launch_ns * kernel->launches;
	return true;
}

static const struct launches *first_steady_run(const struct launches *const *runs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (runs[i]->nsteady > 0)
			return runs[i];
	return NULL;
}

void side_graphs_join(
	const struct launches *const *runs, size_t n, const struct side_kernels *kernels, struct side_graphs *out)
{
	const struct launches *first = first_steady_run(runs, n);
	double *ns = xcalloc(n + 1, sizeof(*ns));

	*out = (struct side_graphs){.graphs = xcalloc((first ? first->ngraphs : 0) + 1, sizeof(*out->graphs))};
	for (size_t i = 0; first && i < first->ngraphs; i++) {
		struct side_graph graph = begin_graph(&first->graphs[i]);

		if (!join_graph(runs, n, &graph, ns)) {
			free(graph.numbers);
			continue;
		}
		if (graph.kernel.kernel.places.end == 0 && !graph.kernel.kernel.places.refusal)
			graph.kernel.kernel.places.refusal = "its launches differ from run to run";
		graph.kernel.share = kernels->ns > 0 ? fmin(1, graph.kernel.ns / kernels->ns) : 0;
		out->graphs[out->n++] = graph;
	}
	free(ns);
}

void side_graphs_free(struct side_graphs *side)
{
	for (size_t i = 0; i < side->n; i++)
		free(side->graphs[i].numbers);
	free(side->graphs);
	*side = (struct side_graphs){0};
}

/* ---- two sides ---- */

static size_t find_by_names(const struct side_graphs *other, const bool *taken, uint64_t names)
{
	for (size_t i = 0; i < other->n; i++)
		if (!taken[i] && other->graphs[i].names == names)
			return i;
	return GRAPH_NONE;
}

/* The only one that is not taken, or GRAPH_NONE. */
static size_t only_one_left(const bool *taken, size_t n)
{
	size_t left = GRAPH_NONE;

	for (size_t i = 0; i < n; i++) {
		if (taken[i])
			continue;
		if (left != GRAPH_NONE)
			return GRAPH_NONE;
		left = i;
	}
	return left;
}

void match_graphs(const struct side_graphs *first, const struct side_graphs *other, size_t *match)
{
	bool *of_first = xcalloc(first->n + 1, sizeof(*of_first)), *of_other = xcalloc(other->n + 1, sizeof(*of_other));
	size_t a, b;

	for (size_t i = 0; i < first->n; i++) {
		match[i] = find_by_names(other, of_other, first->graphs[i].names);
		of_first[i] = match[i] != GRAPH_NONE;
		if (of_first[i])
			of_other[match[i]] = true;
	}
	a = only_one_left(of_first, first->n);
	b = only_one_left(of_other, other->n);
	if (a != GRAPH_NONE && b != GRAPH_NONE)
		match[a] = b;
	free(of_first);
	free(of_other);
}
