/* side-graphs.c: see side-graphs.h. */
#include "contrast/kernel/side-graphs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "analyze/statistics/stats.h"
#include "analyze/thresholds.h"
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

/* Keeps those of `n` numbers that `from`, of `nfrom` of them, has as well; both rise. Returns how many. */
static size_t keep_common_numbers(uint64_t *numbers, size_t n, const uint64_t *from, size_t nfrom)
{
	size_t kept = 0;

	for (size_t i = 0, k = 0; i < n; i++) {
		while (k < nfrom && from[k] < numbers[i])
			k++;
		if (k < nfrom && from[k] == numbers[i])
			numbers[kept++] = numbers[i];
	}
	return kept;
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
		places->end = keep_common_numbers(graph->numbers, places->end, mine->numbers, mine->nnumbers);
		places->beside = fmax(places->beside, mine->beside);
		places->refusal = places->refusal ? places->refusal : mine->refusal;
		kernel->launches += mine->launches;
		ns[kernel->runs++] = mine->ns;
	}
	kernel->launches /= (double)kernel->runs;
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
	out->is_all = out->n == 1 && fabs(out->graphs[0].kernel.ns - kernels->ns) <= graphs_apart * kernels->ns;
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

static bool are_same_graph(const struct side_graph *a, const struct side_graph *b)
{
	return a->kernel.kernel.hash == b->kernel.kernel.hash;
}

static bool have_same_names(const struct side_graph *a, const struct side_graph *b)
{
	return a->names == b->names;
}

static void match_graphs_that(bool (*are)(const struct side_graph *a, const struct side_graph *b),
	const struct side_graphs *first, const struct side_graphs *other, bool *taken, size_t *match)
{
	for (size_t i = 0; i < first->n; i++) {
		for (size_t k = 0; k < other->n && match[i] == GRAPH_NONE; k++)
			if (!taken[k] && are(&first->graphs[i], &other->graphs[k]))
				match[i] = k;
		if (match[i] != GRAPH_NONE)
			taken[match[i]] = true;
	}
}

void match_graphs(const struct side_graphs *first, const struct side_graphs *other, size_t *match)
{
	bool *taken = xcalloc(other->n + 1, sizeof(*taken));

	for (size_t i = 0; i < first->n; i++)
		match[i] = GRAPH_NONE;
	match_graphs_that(are_same_graph, first, other, taken, match);
	match_graphs_that(have_same_names, first, other, taken, match);
	if (first->is_all && other->is_all)
		match[0] = 0;
	free(taken);
}
