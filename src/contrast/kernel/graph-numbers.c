/* graph-numbers.c: where the launches of a CUDA graph stand among all calls that launch graphs. */
#include "contrast/kernel/graphs-private.h"

#include <stdlib.h>

#include "util/alloc.h"

/* The numbers of so many launches are kept: all groups of metrics take some hundreds. */
enum { GRAPH_NUMBERS = 4096 };

/* The launches of a process. */
struct process_launches {
	struct graph_launch *launch; /* borrowed */
	size_t n;
};

/* Marks what may be counted: steady launches of a kind. Without a range the first one of a kind is warm-up. */
static void mark_countable(struct process_launches *of, bool has_range)
{
	bool met[GRAPH_KINDS] = {false};

	for (size_t i = 0; i < of->n; i++) {
		struct graph_launch *launch = &of->launch[i];

		if (launch->kind == GRAPH_KINDS)
			continue;
		launch->is_countable = launch->is_steady && (has_range || met[launch->kind]);
		met[launch->kind] = true;
	}
}

static bool is_countable(const struct process_launches *of, size_t number, size_t kind)
{
	return of->launch[number].kind == kind && of->launch[number].is_countable;
}

/* False if the process has none. */
static bool take_numbers(const struct process_launches *of, size_t kind, struct launch_graph *graph)
{
	for (size_t i = 0; i < of->n && graph->nnumbers < GRAPH_NUMBERS; i++) {
		if (!is_countable(of, i, kind))
			continue;
		if (!graph->numbers)
			graph->numbers = xcalloc(of->n < GRAPH_NUMBERS ? of->n : GRAPH_NUMBERS, sizeof(uint64_t));
		graph->numbers[graph->nnumbers++] = i;
	}
	return graph->nnumbers > 0;
}

/* Leaves out numbers under which the process launches something else, and those that it lacks if it launches the graph
 * at all. */
static void keep_numbers(const struct process_launches *of, size_t kind, struct launch_graph *graph)
{
	size_t kept = 0, any = 0;

	while (any < of->n && !is_countable(of, any, kind))
		any++;
	for (size_t i = 0; i < graph->nnumbers; i++) {
		size_t number = (size_t)graph->numbers[i];

		if (number < of->n ? is_countable(of, number, kind) : any == of->n)
			graph->numbers[kept++] = number;
	}
	graph->nnumbers = kept;
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

static void find_numbers(const struct graphing *graphing, size_t kind)
{
	struct launch_graph *graph = &graphing->graphs[kind];
	struct process_launches of = {0};

	while (next_process(graphing, &of) && !take_numbers(&of, kind, graph))
		;
	if (graph->nnumbers == 0) {
		graph->refusal = graph->refusal ? graph->refusal : "a process launches it only once, as warm-up";
		return;
	}
	for (of = (struct process_launches){0}; next_process(graphing, &of);)
		keep_numbers(&of, kind, graph);
	if (graph->nnumbers == 0 && !graph->refusal)
		graph->refusal = "its processes launch different graphs, or in another order";
}

void graph_numbers_find(struct graphing *graphing)
{
	const char *unordered = NULL;

	for (struct process_launches of = {0}; next_process(graphing, &of);) {
		mark_countable(&of, graphing->summing->out->has_range);
		if (is_unordered(&of))
			unordered = "several threads launch CUDA graphs";
	}
	for (size_t kind = 0; kind < graphing->ngraphs; kind++) {
		struct launch_graph *graph = &graphing->graphs[kind];

		graph->refusal = graph->refusal ? graph->refusal : unordered;
		find_numbers(graphing, kind);
	}
}
