/* graph-numbers.c: where the launches of a CUDA graph stand among all calls that launch graphs. */
#include "contrast/kernel/graphs-private.h"

#include <stdlib.h>

#include "util/alloc.h"

/* The numbers of so many launches are kept: all groups of metrics take some hundreds. */
enum { GRAPH_NUMBERS = 4096 };

/* The launches of a process. */
struct process_launches {
	const struct graph_launch *launch;
	size_t n;
};

size_t graph_numbers_keep(uint64_t *numbers, size_t n, const uint64_t *from, size_t nfrom)
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

/* The steady launches of a kind, for free(). Without a range the first one is warm-up. */
static uint64_t *numbers_of_kind(const struct process_launches *of, size_t kind, bool has_range, size_t *n)
{
	uint64_t *numbers = xcalloc(of->n < GRAPH_NUMBERS ? of->n + 1 : GRAPH_NUMBERS, sizeof(*numbers));
	size_t all = 0;

	*n = 0;
	for (size_t i = 0; i < of->n && *n < GRAPH_NUMBERS; i++) {
		if (of->launch[i].kind != kind)
			continue;
		if (of->launch[i].is_steady && (has_range || all > 0))
			numbers[(*n)++] = i;
		all++;
	}
	return numbers;
}

/* Where processes that launch the graph differ, what all have. */
static void keep_common(struct launch_graph *graph, uint64_t *numbers, size_t n)
{
	if (n > 0 && !graph->numbers) {
		graph->numbers = numbers;
		graph->nnumbers = n;
		return;
	}
	if (n > 0)
		graph->nnumbers = graph_numbers_keep(graph->numbers, graph->nnumbers, numbers, n);
	free(numbers);
}

static bool has_numbers(const struct process_launches *of, size_t kind, bool has_range)
{
	size_t n;

	free(numbers_of_kind(of, kind, has_range, &n));
	return n > 0;
}

/* A process that does not launch the graph launches others under its numbers. */
static void leave_numbers_of_others(struct launch_graph *graph, const struct process_launches *of)
{
	size_t first = 0;

	while (first < graph->nnumbers && graph->numbers[first] < of->n)
		first++;
	for (size_t i = first; i < graph->nnumbers; i++)
		graph->numbers[i - first] = graph->numbers[i];
	graph->nnumbers -= first;
}

/* Several threads that launch different graphs do so in an order that changes. */
static bool is_unordered(const struct process_launches *of)
{
	bool threads = false, kinds = false;

	for (size_t i = 1; i < of->n; i++) {
		threads |= of->launch[i].thread != of->launch[0].thread;
		kinds |= of->launch[i].kind != of->launch[0].kind;
	}
	return threads && kinds;
}

static bool next_process(const struct graphing *graphing, struct process_launches *of)
{
	size_t from = of->launch ? (size_t)(of->launch - graphing->launch) + of->n : 0;

	*of = (struct process_launches){graphing->launch + from, 0};
	while (from + of->n < graphing->n && of->launch[of->n].process == of->launch->process)
		of->n++;
	return of->n > 0;
}

static void find_numbers(struct graphing *graphing, size_t kind)
{
	bool has_range = graphing->summing->out->has_range;
	struct launch_graph *graph = &graphing->graphs[kind];

	for (struct process_launches of = {0}; next_process(graphing, &of);) {
		size_t n;
		uint64_t *numbers = numbers_of_kind(&of, kind, has_range, &n);

		keep_common(graph, numbers, n);
	}
	if (!graph->numbers) {
		graph->refusal = graph->refusal ? graph->refusal : "a run has only one launch of it, which is warm-up";
		return;
	}
	for (struct process_launches of = {0}; next_process(graphing, &of);)
		if (!has_numbers(&of, kind, has_range))
			leave_numbers_of_others(graph, &of);
	if (graph->nnumbers == 0 && !graph->refusal)
		graph->refusal = "its processes launch different graphs, or in another order";
}

void graph_numbers_find(struct graphing *graphing)
{
	const char *unordered = NULL;

	for (struct process_launches of = {0}; next_process(graphing, &of);)
		if (is_unordered(&of))
			unordered = "several threads launch CUDA graphs";
	for (size_t kind = 0; kind < graphing->ngraphs; kind++) {
		struct launch_graph *graph = &graphing->graphs[kind];

		graph->refusal = graph->refusal ? graph->refusal : unordered;
		find_numbers(graphing, kind);
	}
}
