/* run.c: lets a graph happen: of the work that is ready, an engine takes what was asked for first. */
#include <math.h>
#include <stdlib.h>

#include "analyze/replay/graph.h"
#include "analyze/replay/replay.h"
#include "util/alloc.h"

/* The most pieces that an engine does at once. */
enum { AT_ONCE = 128 };

/* A piece of work, and when it becomes ready, or (in the queue of an engine) when it was asked for. */
struct waiting {
	double time;
	uint32_t work;
};

/* The earliest first. */
struct heap {
	struct waiting *item;
	size_t n, room;
};

struct running {
	uint32_t work;
	double left; /* ns of work alone */
};

struct engine {
	struct heap queue;
	struct running at[AT_ONCE];
	int n;
	double free_since; /* when the last piece ended */
};

struct run {
	struct replay_graph *graph;
	uint32_t *need;  /* by node: what it still waits for */
	uint32_t *first; /* by node, and the end: in `out` */
	struct graph_edge *out;
	struct heap ready; /* becomes ready at a time that is known */
	struct engine *engine;
	int *used, nused; /* the engines that have work */
	uint32_t *stack;  /* nodes that have happened, and have not told others */
	size_t depth, stack_room;
	double now;
};

static bool is_before(const struct waiting *a, const struct waiting *b)
{
	return a->time != b->time ? a->time < b->time : a->work < b->work;
}

static void heap_push(struct heap *heap, struct waiting item)
{
	size_t i = heap->n;

	xgrow(&heap->item, heap->n, &heap->room, sizeof(*heap->item));
	heap->n++;
	for (; i > 0 && is_before(&item, &heap->item[(i - 1) / 2]); i = (i - 1) / 2)
		heap->item[i] = heap->item[(i - 1) / 2];
	heap->item[i] = item;
}

static struct waiting heap_pop(struct heap *heap)
{
	struct waiting top = heap->item[0], last = heap->item[--heap->n];
	size_t i = 0;

	while (2 * i + 1 < heap->n) {
		size_t child = 2 * i + 1;

		if (child + 1 < heap->n && is_before(&heap->item[child + 1], &heap->item[child]))
			child++;
		if (!is_before(&heap->item[child], &last))
			break;
		heap->item[i] = heap->item[child];
		i = child;
	}
	if (heap->n)
		heap->item[i] = last;
	return top;
}

/* Edges by where they come from, and how many each node waits for. */
static void sort_edges(struct run *run)
{
	const struct replay_graph *graph = run->graph;
	uint32_t *next;

	run->need = xcalloc(graph->nnodes + 1, sizeof(*run->need));
	run->first = xcalloc(graph->nnodes + 2, sizeof(*run->first));
	run->out = xreallocarray(NULL, graph->nedges + 1, sizeof(*run->out));
	for (size_t e = 0; e < graph->nedges; e++) {
		run->need[graph->edge[e].to]++;
		run->first[graph->edge[e].from + 2]++;
	}
	for (size_t i = 2; i < graph->nnodes + 2; i++)
		run->first[i] += run->first[i - 1];
	next = run->first + 1;
	for (size_t e = 0; e < graph->nedges; e++)
		run->out[next[graph->edge[e].from]++] = graph->edge[e];
}

static void push_node(struct run *run, uint32_t node)
{
	xgrow(&run->stack, run->depth, &run->stack_room, sizeof(*run->stack));
	run->stack[run->depth++] = node;
}

/* All that a node waits for is known: a piece of work becomes ready, another node happens. */
static void settle_node(struct run *run, uint32_t node)
{
	if (node < run->graph->nwork)
		heap_push(&run->ready, (struct waiting){run->graph->time[node], node});
	else
		push_node(run, node);
}

/* Tells those that wait for a node that it happened, and so on. */
static void node_happened(struct run *run, uint32_t node)
{
	double *time = run->graph->time;

	push_node(run, node);
	while (run->depth > 0) {
		uint32_t from = run->stack[--run->depth];

		for (uint32_t e = run->first[from]; e < run->first[from + 1]; e++) {
			const struct graph_edge *edge = &run->out[e];

			time[edge->to] = fmax(time[edge->to], time[from] + edge->delay);
			if (--run->need[edge->to] == 0)
				settle_node(run, edge->to);
		}
	}
}

/* Whether an engine may begin a piece beside those that it does: only kinds that were seen to run at once, and
 * only as many. */
static bool has_room(const struct run *run, int e, const struct graph_work *work)
{
	const struct engine *engine = &run->engine[e];
	const struct replay_orders *orders = replay_orders_of(run->graph->orders, e / REPLAY_ENGINES);

	if (engine->n == 0 || e % REPLAY_ENGINES == REPLAY_APART)
		return engine->n < AT_ONCE;
	if (e % REPLAY_ENGINES != REPLAY_COMPUTE || engine->n == AT_ONCE || engine->n >= orders->at_once[work->kind])
		return false;
	for (int i = 0; i < engine->n; i++) {
		if (!(orders->beside[work->kind] >> run->graph->work[engine->at[i].work].kind & 1))
			return false;
	}
	return true;
}

/* When an engine may begin the first piece in its queue; INFINITY while it has none, or is busy. */
static double begins_at(const struct run *run, int e)
{
	const struct engine *engine = &run->engine[e];
	const struct graph_work *work;

	if (engine->queue.n == 0)
		return INFINITY;
	work = &run->graph->work[engine->queue.item[0].work];
	if (!has_room(run, e, work))
		return INFINITY;
	return engine->n == 0 ? engine->free_since + work->engine_latency : run->now;
}

static void begin_work(struct run *run, int e)
{
	struct engine *engine = &run->engine[e];
	uint32_t work = heap_pop(&engine->queue).work, start = work + (uint32_t)run->graph->nwork;

	engine->at[engine->n++] = (struct running){work, run->graph->work[work].length};
	if (run->graph->work[work].meeting)
		run->graph->missing[run->graph->work[work].meeting]--;
	run->graph->time[start] = run->now;
	node_happened(run, start);
}

/* Whether a GPU communicates (collectives, or copies between GPUs) and computes nothing meanwhile. */
static bool only_communicates(const struct run *run, int e)
{
	const struct engine *compute = &run->engine[e - e % REPLAY_ENGINES + REPLAY_COMPUTE];
	bool communicates = run->engine[e - e % REPLAY_ENGINES + REPLAY_APART].n > 0;

	for (int i = 0; i < compute->n; i++) {
		if (run->graph->work[compute->at[i].work].kind != REPLAY_COLLECTIVE)
			return false;
		communicates = true;
	}
	return communicates;
}

/* How fast an engine goes: copies in both directions are slower. */
static double speed_of(const struct run *run, int e)
{
	int in = e - e % REPLAY_ENGINES + REPLAY_IN, out = in - REPLAY_IN + REPLAY_OUT;
	const struct engine *engine = &run->engine[e];

	if (engine->n && run->graph->work[engine->at[0].work].beside_computing && only_communicates(run, e))
		return 0;
	if ((e == in || e == out) && run->engine[in].n && run->engine[out].n)
		return e == in ? run->graph->rate.in : run->graph->rate.out;
	return 1;
}

/* Whether a piece that an engine does only waits for collectives of other GPUs. */
static bool meets_nobody(const struct run *run, uint32_t work)
{
	uint32_t meeting = run->graph->work[work].meeting;

	return meeting && run->graph->missing[meeting] > 0;
}

/* The next moment at which something changes. */
static double next_time(const struct run *run)
{
	double next = run->ready.n ? run->ready.item[0].time : INFINITY;

	for (int u = 0; u < run->nused; u++) {
		int e = run->used[u];
		double speed = speed_of(run, e);

		next = fmin(next, begins_at(run, e));
		for (int i = 0; i < run->engine[e].n; i++) {
			if (!meets_nobody(run, run->engine[e].at[i].work))
				next = fmin(next, run->now + run->engine[e].at[i].left / speed);
		}
	}
	return fmax(next, run->now);
}

static void end_work(struct run *run, int e, int i)
{
	struct engine *engine = &run->engine[e];
	uint32_t work = engine->at[i].work;

	engine->at[i] = engine->at[--engine->n];
	engine->free_since = run->now;
	run->graph->time[work] = run->now;
	node_happened(run, work);
}

static void work_until(struct run *run, double time)
{
	for (int u = 0; u < run->nused; u++) {
		struct engine *engine = &run->engine[run->used[u]];
		double done = engine->n ? (time - run->now) * speed_of(run, run->used[u]) : 0;

		for (int i = 0; i < engine->n; i++)
			engine->at[i].left -= meets_nobody(run, engine->at[i].work) ? 0 : done;
	}
	run->now = time;
}

/* Ends what has no work left, then queues what is ready, then begins what can: all at one moment. */
static void change_engines(struct run *run)
{
	for (int u = 0; u < run->nused; u++) {
		for (int i = run->engine[run->used[u]].n; i-- > 0;) {
			const struct running *running = &run->engine[run->used[u]].at[i];

			if (running->left <= 1e-3 && !meets_nobody(run, running->work))
				end_work(run, run->used[u], i);
		}
	}
	while (run->ready.n && run->ready.item[0].time <= run->now) {
		const uint32_t ready = heap_pop(&run->ready).work;
		const struct graph_work *work = &run->graph->work[ready];

		heap_push(&run->engine[work->engine].queue, (struct waiting){run->graph->time[work->asked], ready});
	}
	for (int u = 0; u < run->nused; u++) {
		while (begins_at(run, run->used[u]) <= run->now)
			begin_work(run, run->used[u]);
	}
}

static void free_run(struct run *run)
{
	for (int e = 0; e < run->graph->nengines; e++)
		free(run->engine[e].queue.item);
	free(run->engine);
	free(run->used);
	free(run->need);
	free(run->first);
	free(run->out);
	free(run->ready.item);
	free(run->stack);
}

static void find_used(struct run *run)
{
	bool *has = xcalloc((size_t)run->graph->nengines + 1, sizeof(*has));

	run->used = xcalloc((size_t)run->graph->nengines + 1, sizeof(*run->used));
	for (size_t w = 0; w < run->graph->nwork; w++)
		has[run->graph->work[w].engine] = true;
	for (int e = 0; e < run->graph->nengines; e++) {
		if (has[e])
			run->used[run->nused++] = e;
	}
	free(has);
}

void graph_run(struct replay_graph *graph)
{
	struct run run = {.graph = graph};

	run.engine = xcalloc((size_t)graph->nengines + 1, sizeof(*run.engine));
	for (int e = 0; e < graph->nengines; e++)
		run.engine[e].free_since = graph->busy[e];
	find_used(&run);
	sort_edges(&run);
	for (uint32_t i = 0; i < graph->nnodes; i++) {
		if (run.need[i] > 0 || (i >= graph->nwork && i < 2 * graph->nwork))
			continue;
		if (i < graph->nwork)
			settle_node(&run, i);
		else
			run.need[i] = REPLAY_NONE;
	}
	for (uint32_t i = 0; i < graph->nnodes; i++) {
		if (i >= 2 * graph->nwork && run.need[i] == REPLAY_NONE)
			node_happened(&run, i);
	}
	for (;;) {
		double next = next_time(&run);

		if (isinf(next))
			break;
		work_until(&run, next);
		change_engines(&run);
	}
	for (size_t i = 0; i < graph->nnodes; i++) {
		if (run.need[i] > 0 && run.need[i] != REPLAY_NONE)
			graph->time[i] = INFINITY;
	}
	free_run(&run);
}
