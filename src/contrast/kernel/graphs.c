/* graphs.c: CUDA graphs whose nodes were traced: what a launch of one does, which launches do the same, and where these
 * stand among all launches of graphs. */
#include "contrast/sum-up.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/communicates.h"
#include "store/texts.h"
#include "util/alloc.h"
#include "util/clip.h"
#include "util/hash.h"
#include "util/number.h"

/* A program that captures another graph in each step has no like launches: of so many kinds the first ones are kept. */
enum { GRAPH_KINDS = 256, GRAPH_NAME = 160 };

/* The numbers of so many launches are kept: all groups of metrics take some hundreds. */
enum { GRAPH_NUMBERS = 4096 };

/* One launch: all kernels, copies and memsets with one call. */
struct graph_launch {
	int64_t process, call_start, correlation, thread;
	int64_t start, end; /* of its work on the GPU */
	int gpu;
	uint64_t shapes, names; /* of its kernels, in any order: base names with grids and blocks; base names */
	size_t kernels;
	int64_t longest_ns;  /* of its kernels */
	const char *longest; /* base name of that kernel */
	double beside;       /* how long kernels of others ran meanwhile (ns) */
	bool communicates, is_steady;
	size_t kind; /* place in graphs[], or GRAPH_KINDS */
};

struct running_node {
	int64_t start, end;
	int gpu;
	size_t launch; /* place in launch[]; SIZE_MAX: no graph's */
};

struct graphing {
	const struct summing *summing;
	struct graph_launch *launch;
	size_t n, room;
	struct running_node *node; /* all kernels */
	size_t nnodes;
	struct launch_graph *graphs; /* by kind */
	size_t ngraphs, graph_room;
};

/* ---- launches ---- */

static void add_kernel_node(
	const struct graphing *graphing, struct graph_launch *launch, const struct gathered_work *work)
{
	const struct gather *gather = graphing->summing->gather;
	const int64_t *field = gather->forms.form[work->form].field;
	const char *base = texts_text(gather->out->texts, (uint32_t)field[FORM_BASE]);
	uint64_t name = hash_bytes(0, base, strlen(base));

	launch->names += name;
	launch->shapes += hash_bytes(name, &field[FORM_GRID], (FORM_GRAPH - FORM_GRID) * sizeof(*field));
	launch->communicates |= kernel_communicates(base);
	launch->kernels++;
	if (launch->longest && work->end - work->start <= launch->longest_ns)
		return;
	launch->longest = base;
	launch->longest_ns = work->end - work->start;
}

static bool is_of_launch(const struct graph_launch *launch, const struct gathered_work *work)
{
	return launch->process == work->process && launch->correlation == work->correlation;
}

static struct graph_launch *launch_of(struct graphing *graphing, const struct gathered_work *work)
{
	const struct launches *out = graphing->summing->out;

	if (graphing->n > 0 && is_of_launch(&graphing->launch[graphing->n - 1], work))
		return &graphing->launch[graphing->n - 1];
	xgrow(&graphing->launch, graphing->n, &graphing->room, sizeof(*graphing->launch));
	graphing->launch[graphing->n] = (struct graph_launch){
		.process = work->process,
		.call_start = work->call_start,
		.correlation = work->correlation,
		.thread = work->call_thread,
		.start = work->start,
		.end = work->end,
		.gpu = work->gpu,
		.is_steady = work->step != NO_STEP && out->steps[work->step].left_out == LEFT_NOTHING,
	};
	return &graphing->launch[graphing->n++];
}

static void add_node(struct graphing *graphing, const struct gathered_work *work)
{
	struct graph_launch *launch = work->node != 0 ? launch_of(graphing, work) : NULL;

	if (launch) {
		launch->start = work->start < launch->start ? work->start : launch->start;
		launch->end = work->end > launch->end ? work->end : launch->end;
	}
	if (work->form == NO_FORM)
		return;
	if (launch)
		add_kernel_node(graphing, launch, work);
	graphing->node[graphing->nnodes++] =
		(struct running_node){work->start, work->end, work->gpu, launch ? graphing->n - 1 : SIZE_MAX};
}

/* Work stands by step and call. False if the call of a launch is not known: then none has a place. */
static bool gather_launches(struct graphing *graphing)
{
	const struct gather *gather = graphing->summing->gather;

	graphing->node = xcalloc(gather->n + 1, sizeof(*graphing->node));
	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];

		if (work->node != 0 && (work->call_start == CALL_UNKNOWN || work->call_start == CALL_AMBIGUOUS))
			return false;
		add_node(graphing, work);
	}
	return graphing->n > 0;
}

/* ---- what runs beside them ---- */

static int node_order(const void *left, const void *right)
{
	const struct running_node *a = left, *b = right;

	if (a->gpu != b->gpu)
		return a->gpu < b->gpu ? -1 : 1;
	return a->start != b->start ? int64_order(a->start, b->start) : int64_order(a->end, b->end);
}

/* The first kernel on the GPU that begins at that time or later. */
static size_t first_node_from(const struct graphing *graphing, int gpu, int64_t start)
{
	size_t low = 0, high = graphing->nnodes;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct running_node *node = &graphing->node[middle];

		if (node->gpu < gpu || (node->gpu == gpu && node->start < start))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* By kernel: when all that began before it on its GPU have ended; INT64_MIN of the first. For free(). */
static int64_t *node_ends_before(const struct graphing *graphing)
{
	int64_t *ends = xcalloc(graphing->nnodes + 1, sizeof(*ends)), last = INT64_MIN;

	for (size_t i = 0; i < graphing->nnodes; i++) {
		if (i > 0 && graphing->node[i].gpu != graphing->node[i - 1].gpu)
			last = INT64_MIN;
		ends[i] = last;
		last = graphing->node[i].end > last ? graphing->node[i].end : last;
	}
	return ends;
}

static double time_beside_launch(const struct graphing *graphing, size_t number, const int64_t *ends)
{
	const struct graph_launch *launch = &graphing->launch[number];
	size_t i = first_node_from(graphing, launch->gpu, launch->start);
	double ns = 0;

	if (i < graphing->nnodes && ends[i] > launch->start)
		ns += (double)((ends[i] < launch->end ? ends[i] : launch->end) - launch->start);
	for (; i < graphing->nnodes; i++) {
		const struct running_node *node = &graphing->node[i];

		if (node->gpu != launch->gpu || node->start >= launch->end)
			break;
		if (node->launch != number)
			ns += (double)((node->end < launch->end ? node->end : launch->end) - node->start);
	}
	return ns;
}

static void time_beside_launches(struct graphing *graphing)
{
	int64_t *ends;

	if (graphing->nnodes > 1)
		qsort(graphing->node, graphing->nnodes, sizeof(*graphing->node), node_order);
	ends = node_ends_before(graphing);
	for (size_t i = 0; i < graphing->n; i++)
		graphing->launch[i].beside = time_beside_launch(graphing, i, ends);
	free(ends);
}

/* ---- kinds ---- */

static int launch_order(const void *left, const void *right)
{
	const struct graph_launch *a = left, *b = right;

	if (a->process != b->process)
		return int64_order(a->process, b->process);
	return a->call_start != b->call_start ? int64_order(a->call_start, b->call_start)
					      : int64_order(a->correlation, b->correlation);
}

static struct launch_kernel described_graph(struct texts *texts, const struct graph_launch *launch)
{
	struct launch_kernel kernel = {
		.is_graph = true,
		.registers = RESOURCE_UNKNOWN,
		.local_bytes = RESOURCE_UNKNOWN,
		.static_shared = RESOURCE_UNKNOWN,
		.dynamic_shared = RESOURCE_UNKNOWN,
		.forms = 1,
		.hash = launch->shapes,
	};
	char name[GRAPH_NAME];

	if (launch->kernels < 2)
		clip_print(name, sizeof(name), "CUDA graph of %s", launch->longest ? launch->longest : "no kernel");
	else
		clip_print(name, sizeof(name), "CUDA graph of %zu kernels, the longest %s", launch->kernels,
			launch->longest);
	kernel.name = kernel.base = texts_text(texts, texts_number(texts, name));
	return kernel;
}

static size_t kind_of_graph(struct graphing *graphing, const struct graph_launch *launch)
{
	size_t kind = 0;

	while (kind < graphing->ngraphs && graphing->graphs[kind].kernel.hash != launch->shapes)
		kind++;
	if (kind < graphing->ngraphs || kind == GRAPH_KINDS)
		return kind;
	xgrow(&graphing->graphs, graphing->ngraphs, &graphing->graph_room, sizeof(*graphing->graphs));
	graphing->graphs[graphing->ngraphs++] = (struct launch_graph){
		.kernel = described_graph(graphing->summing->out->texts, launch), .names = launch->names};
	return kind;
}

static void add_to_kind(struct graphing *graphing, const struct graph_launch *launch)
{
	struct launch_graph *graph = &graphing->graphs[launch->kind];

	if (launch->kind == GRAPH_KINDS)
		return;
	graph->kernel.launches++;
	if (launch->communicates)
		graph->refusal = "it communicates between GPUs (NCCL or NVSHMEM)";
	if (!launch->is_steady)
		return;
	graph->launches++;
	graph->ns += (double)(launch->end - launch->start);
	graph->beside += launch->beside;
}

/* ---- places ---- */

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

/* Which launches of a process, `n` of them, are of that kind and steady. Where processes differ, what all have. */
static void place_kind(struct graphing *graphing, const struct graph_launch *launch, size_t n, size_t kind)
{
	struct launch_graph *graph = &graphing->graphs[kind];
	uint64_t *numbers = xcalloc(n < GRAPH_NUMBERS ? n + 1 : GRAPH_NUMBERS, sizeof(*numbers));
	size_t found = 0, all = 0;
	bool has_range = graphing->summing->out->has_range;

	for (size_t i = 0; i < n && found < GRAPH_NUMBERS; i++) {
		if (launch[i].kind != kind)
			continue;
		/* Without a range the first one is warm-up. */
		if (launch[i].is_steady && (has_range || all > 0))
			numbers[found++] = i;
		all++;
	}
	if (found > 0 && !graph->numbers) {
		graph->numbers = numbers;
		graph->nnumbers = found;
		return;
	}
	if (found > 0)
		graph->nnumbers = graph_numbers_keep(graph->numbers, graph->nnumbers, numbers, found);
	free(numbers);
}

/* Several threads that launch different graphs do so in an order that changes. */
static bool is_unordered(const struct graph_launch *launch, size_t n)
{
	bool threads = false, kinds = false;

	for (size_t i = 1; i < n; i++) {
		threads |= launch[i].thread != launch[0].thread;
		kinds |= launch[i].kind != launch[0].kind;
	}
	return threads && kinds;
}

static void place_in_processes(struct graphing *graphing)
{
	for (size_t from = 0, to; from < graphing->n; from = to) {
		for (to = from; to < graphing->n && graphing->launch[to].process == graphing->launch[from].process;)
			to++;
		for (size_t kind = 0; kind < graphing->ngraphs; kind++) {
			place_kind(graphing, graphing->launch + from, to - from, kind);
			if (is_unordered(graphing->launch + from, to - from))
				graphing->graphs[kind].refusal = "several threads launch CUDA graphs";
		}
	}
}

/* ---- all of it ---- */

/* Those without a steady launch, or without a kernel, are left out. */
static void keep_steady(struct graphing *graphing)
{
	struct launches *out = graphing->summing->out;

	for (size_t i = 0; i < graphing->ngraphs; i++) {
		struct launch_graph *graph = &graphing->graphs[i];

		if (graph->launches > 0 && graph->names != 0) {
			graph->beside = graph->ns > 0 ? graph->beside / graph->ns : 0;
			graph->ns /= graph->launches;
			graph->launches /= (double)out->nsteady;
			out->graphs[out->ngraphs++] = *graph;
		} else {
			free(graph->numbers);
		}
	}
}

void graphs_place(struct summing *summing)
{
	struct graphing graphing = {.summing = summing};

	if (gather_launches(&graphing)) {
		time_beside_launches(&graphing);
		qsort(graphing.launch, graphing.n, sizeof(*graphing.launch), launch_order);
		for (size_t i = 0; i < graphing.n; i++) {
			graphing.launch[i].kind = kind_of_graph(&graphing, &graphing.launch[i]);
			add_to_kind(&graphing, &graphing.launch[i]);
		}
		place_in_processes(&graphing);
		summing->out->graphs = xcalloc(graphing.ngraphs + 1, sizeof(*summing->out->graphs));
		keep_steady(&graphing);
	}
	free(graphing.graphs);
	free(graphing.launch);
	free(graphing.node);
}
