/* graph.c: see graph.h. */
#include "analyze/replay/graph.h"

#include <math.h>
#include <stdlib.h>

#include "util/alloc.h"

void graph_begin(struct replay_graph *graph, size_t nwork, int nengines)
{
	*graph = (struct replay_graph){
		.nwork = nwork, .nnodes = 2 * nwork, .nodes_room = 2 * nwork + 64, .nengines = nengines};
	graph->busy = xcalloc((size_t)nengines + 1, sizeof(*graph->busy));
	for (int e = 0; e < nengines; e++)
		graph->busy[e] = -INFINITY;
	graph->work = xcalloc(nwork + 1, sizeof(*graph->work));
	graph->time = xcalloc(graph->nodes_room, sizeof(*graph->time));
}

void graph_free(struct replay_graph *graph)
{
	free(graph->busy);
	free(graph->missing);
	free(graph->work);
	free(graph->time);
	free(graph->edge);
}

uint32_t graph_node(struct replay_graph *graph)
{
	xgrow(&graph->time, graph->nnodes, &graph->nodes_room, sizeof(*graph->time));
	graph->time[graph->nnodes] = 0;
	return (uint32_t)graph->nnodes++;
}

void graph_edge_add(struct replay_graph *graph, uint32_t from, uint32_t to, double delay)
{
	xgrow(&graph->edge, graph->nedges, &graph->edges_room, sizeof(*graph->edge));
	graph->edge[graph->nedges++] = (struct graph_edge){from, to, (float)delay};
}
