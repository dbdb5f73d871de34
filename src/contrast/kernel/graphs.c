/* graphs.c: CUDA graphs whose nodes were traced: what a launch of one does, and which launches do the same. */
#include "contrast/kernel/graphs-private.h"

#include <stdlib.h>
#include <string.h>

#include "analyze/communicates.h"
#include "store/texts.h"
#include "util/alloc.h"
#include "util/clip.h"
#include "util/hash.h"
#include "util/number.h"

enum { GRAPH_NAME = 160 };

void kernels_of_graphs(struct summing *summing)
{
	const struct gather *gather = summing->gather;

	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];
		uint32_t kernel = work->form == NO_FORM ? NO_FORM : summing->kernel_of_form[work->form];

		if (kernel != NO_FORM && work->node != 0 && work->step != NO_STEP &&
			summing->out->steps[work->step].left_out == LEFT_NOTHING)
			summing->out->kernels[kernel].in_graphs = true;
	}
}

/* ---- launches ---- */

/* The calls stand by process and correlation, and so do the launches until they are placed. */
static void launches_of_calls(struct graphing *graphing)
{
	const struct gather *gather = graphing->summing->gather;

	graphing->n = gather->ngraph_calls;
	graphing->launch = xcalloc(graphing->n + 1, sizeof(*graphing->launch));
	for (size_t i = 0; i < graphing->n; i++)
		graphing->launch[i] = (struct graph_launch){.process = gather->graph_calls[i].process,
			.correlation = gather->graph_calls[i].correlation,
			.call_start = gather->graph_calls[i].start,
			.thread = gather->graph_calls[i].thread,
			.kind = GRAPH_KINDS};
}

static int launches_by_correlation(const void *left, const void *right)
{
	const struct graph_launch *a = left, *b = right;

	return a->process != b->process ? int64_order(a->process, b->process)
					: int64_order(a->correlation, b->correlation);
}

/* NULL: the call is not known. */
static struct graph_launch *launch_of_node(const struct graphing *graphing, const struct gathered_work *work)
{
	const struct graph_launch key = {.process = work->process, .correlation = work->correlation};

	return bsearch(&key, graphing->launch, graphing->n, sizeof(key), launches_by_correlation);
}

static void add_kernel_node(
	const struct graphing *graphing, struct graph_launch *launch, const struct gathered_work *work)
{
	const struct gather *gather = graphing->summing->gather;
	const int64_t *field = gather->forms.form[work->form].field;
	const struct texts *texts = gather->out->texts;
	const char *base = texts_text(texts, (uint32_t)field[FORM_BASE]);
	const char *name = texts_text(texts, (uint32_t)(field[FORM_SYMBOL] ? field[FORM_SYMBOL] : field[FORM_NAME]));
	uint64_t shape = hash_bytes(0, name, strlen(name));

	shape = hash_bytes(shape, &field[FORM_GRID], (FORM_GRAPH - FORM_GRID) * sizeof(*field));
	shape = hash_bytes(shape, &field[FORM_DYNAMIC_SHARED], sizeof(field[FORM_DYNAMIC_SHARED]));
	launch->names += hash_bytes(0, base, strlen(base));
	launch->shapes += shape;
	launch->communicates |= kernel_communicates(base);
	launch->kernels++;
	launch->ns += (double)(work->end - work->start);
	if (launch->longest && work->end - work->start <= launch->longest_ns)
		return;
	launch->longest = base;
	launch->longest_ns = work->end - work->start;
}

static void add_node(const struct graphing *graphing, struct graph_launch *launch, const struct gathered_work *work)
{
	const struct launches *out = graphing->summing->out;

	if (!launch->has_work) {
		launch->start = work->start;
		launch->end = work->end;
		launch->gpu = work->gpu;
		launch->is_steady = work->step != NO_STEP && out->steps[work->step].left_out == LEFT_NOTHING;
		launch->has_work = true;
	}
	launch->start = work->start < launch->start ? work->start : launch->start;
	launch->end = work->end > launch->end ? work->end : launch->end;
	launch->several_gpus |= work->gpu != launch->gpu;
	if (work->form != NO_FORM)
		add_kernel_node(graphing, launch, work);
}

static void add_nodes(struct graphing *graphing)
{
	const struct gather *gather = graphing->summing->gather;

	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];
		struct graph_launch *launch = work->node != 0 ? launch_of_node(graphing, work) : NULL;

		if (launch)
			add_node(graphing, launch, work);
		graphing->lacks_calls |= work->node != 0 && !launch;
	}
}

/* ---- what runs beside them ---- */

/* The first kernel on the GPU that begins at that time or later. */
static size_t first_running_from(const struct summing *summing, int gpu, int64_t start)
{
	size_t low = 0, high = summing->nrunning;

	while (low < high) {
		size_t middle = low + (high - low) / 2;
		const struct running_kernel *kernel = &summing->running[middle];

		if (kernel->gpu < gpu || (kernel->gpu == gpu && kernel->start < start))
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* By running kernel: when all that began before it on its GPU have ended; INT64_MIN of the first. For free(). */
static int64_t *running_ends_before(const struct summing *summing)
{
	int64_t *ends = xcalloc(summing->nrunning + 1, sizeof(*ends)), last = INT64_MIN;

	for (size_t i = 0; i < summing->nrunning; i++) {
		const struct running_kernel *kernel = &summing->running[i];

		if (i > 0 && kernel->gpu != kernel[-1].gpu)
			last = INT64_MIN;
		ends[i] = last;
		last = kernel->end > last ? kernel->end : last;
	}
	return ends;
}

static bool is_own_node(const struct graph_launch *launch, const struct gathered_work *work)
{
	return work->node != 0 && work->process == launch->process && work->correlation == launch->correlation;
}

/* No more than all of its time: where all run at once, each would have to look at all others. */
static double time_beside_launch(const struct summing *summing, const struct graph_launch *launch, const int64_t *ends)
{
	double ns = 0, most = (double)(launch->end - launch->start);
	size_t i = first_running_from(summing, launch->gpu, launch->start);

	if (i < summing->nrunning && summing->running[i].gpu == launch->gpu && ends[i] > launch->start)
		ns += (double)((ends[i] < launch->end ? ends[i] : launch->end) - launch->start);
	for (; i < summing->nrunning && ns < most; i++) {
		const struct running_kernel *kernel = &summing->running[i];

		if (kernel->gpu != launch->gpu || kernel->start >= launch->end)
			break;
		if (!is_own_node(launch, &summing->gather->work[kernel->work]))
			ns += (double)((kernel->end < launch->end ? kernel->end : launch->end) - kernel->start);
	}
	return ns < most ? ns : most;
}

static void time_beside_launches(struct graphing *graphing)
{
	int64_t *ends = running_ends_before(graphing->summing);

	for (size_t i = 0; i < graphing->n; i++)
		if (graphing->launch[i].has_work)
			graphing->launch[i].beside = time_beside_launch(graphing->summing, &graphing->launch[i], ends);
	free(ends);
}

/* ---- kinds ---- */

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
		clip_print(name, sizeof(name), "CUDA graph of %s", launch->longest);
	else
		clip_print(name, sizeof(name), "CUDA graph of %zu kernels, the longest %s", launch->kernels,
			launch->longest);
	kernel.name = kernel.base = texts_text(texts, texts_number(texts, name));
	return kernel;
}

static size_t find_kind(const struct graphing *graphing, const struct graph_launch *launch)
{
	for (size_t kind = 0; kind < graphing->ngraphs; kind++)
		if (graphing->graphs[kind].kernel.hash == launch->shapes)
			return kind;
	return GRAPH_KINDS;
}

/* Only steady launches make kinds, so that warm-up does not take their room. */
static void add_kind(struct graphing *graphing, const struct graph_launch *launch)
{
	if (!launch->is_steady || launch->kernels == 0 || graphing->ngraphs == GRAPH_KINDS ||
		find_kind(graphing, launch) < GRAPH_KINDS)
		return;
	xgrow(&graphing->graphs, graphing->ngraphs, &graphing->graph_room, sizeof(*graphing->graphs));
	graphing->graphs[graphing->ngraphs++] = (struct launch_graph){
		.kernel = described_graph(graphing->summing->out->texts, launch), .names = launch->names};
}

static void add_to_kind(struct graphing *graphing, const struct graph_launch *launch)
{
	struct launch_graph *graph = &graphing->graphs[launch->kind];

	if (launch->communicates)
		graph->refusal = "it communicates between GPUs (NCCL or NVSHMEM)";
	else if (launch->several_gpus)
		graph->refusal = "it runs on several GPUs";
	if (!launch->is_steady)
		return;
	graph->launches++;
	graph->ns += launch->ns;
	graph->beside += launch->end > launch->start ? launch->beside / (double)(launch->end - launch->start) : 0;
}

static int by_process_and_call(const void *left, const void *right)
{
	const struct graph_launch *a = left, *b = right;

	if (a->process != b->process)
		return int64_order(a->process, b->process);
	return a->call_start != b->call_start ? int64_order(a->call_start, b->call_start)
					      : int64_order(a->correlation, b->correlation);
}

/* Launches stand by process, in the order of their calls, from here on. */
static void find_graph_kinds(struct graphing *graphing)
{
	if (graphing->n > 1)
		qsort(graphing->launch, graphing->n, sizeof(*graphing->launch), by_process_and_call);
	for (size_t i = 0; i < graphing->n; i++)
		add_kind(graphing, &graphing->launch[i]);
	for (size_t i = 0; i < graphing->n; i++) {
		struct graph_launch *launch = &graphing->launch[i];

		launch->kind = launch->kernels > 0 ? find_kind(graphing, launch) : GRAPH_KINDS;
		if (launch->kind < GRAPH_KINDS)
			add_to_kind(graphing, launch);
	}
}

/* ---- all of it ---- */

static void take_kinds(const struct graphing *graphing)
{
	struct launches *out = graphing->summing->out;

	for (size_t i = 0; i < graphing->ngraphs; i++) {
		struct launch_graph *graph = &graphing->graphs[i];

		if (graphing->lacks_calls && !graph->refusal)
			graph->refusal = "which call launched a graph is not known";
		graph->beside /= graph->launches;
		graph->ns /= graph->launches;
		graph->launches /= (double)out->nsteady;
	}
	out->graphs = graphing->graphs;
	out->ngraphs = graphing->ngraphs;
}

void graphs_place(struct summing *summing)
{
	struct graphing graphing = {.summing = summing};

	launches_of_calls(&graphing);
	add_nodes(&graphing);
	time_beside_launches(&graphing);
	find_graph_kinds(&graphing);
	graph_numbers_find(&graphing);
	take_kinds(&graphing);
	free(graphing.launch);
}
