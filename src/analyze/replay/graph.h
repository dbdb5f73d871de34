/* graph.h: what happens in a replay, as nodes that wait for each other. Private to this folder. */
#ifndef DBPROF_ANALYZE_REPLAY_GRAPH_H
#define DBPROF_ANALYZE_REPLAY_GRAPH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "analyze/pays.h"

struct replay_orders;

/* A piece of work for an engine. */
struct graph_work {
	double length;         /* ns */
	float engine_latency;  /* ns between the piece before it on the engine and it, where it waited for the engine */
	uint32_t asked;        /* the node at which it is asked for */
	bool beside_computing; /* makes no progress while its GPU communicates */
	uint32_t meeting;      /* makes none before all work with this number has begun; 0: waits for no other */
	int16_t engine;
	uint16_t kind; /* 0 .. 63 */
};

struct graph_edge {
	uint32_t from, to;
	float delay;
};

/* Nodes 0 .. nwork - 1 are the ends of pieces of work; nwork .. 2 nwork - 1 their starts; the others happen when all
 * that they wait for has happened. */
struct replay_graph {
	size_t nwork, nnodes, nedges, edges_room, nodes_room, work_room;
	struct graph_work *work;
	double *time; /* by node: not before this; of a run, when it happened */
	struct graph_edge *edge;
	int nengines;                       /* REPLAY_ENGINES for each device */
	double *busy;                       /* by engine: it does other work until then. Owned */
	struct pays_duplex rate;            /* see struct replay_program */
	const struct replay_orders *orders; /* which kernels run at once. Borrowed */
	uint32_t *missing;                  /* by meeting: work that has not begun. Owned */
};

/* `nwork` pieces, and no other nodes yet; `nengines` that are free from the start. */
void graph_begin(struct replay_graph *graph, size_t nwork, int nengines);
void graph_free(struct replay_graph *graph);
/* A new node. */
uint32_t graph_node(struct replay_graph *graph);
/* `to` happens `delay` ns after `from`, or later; a piece of work becomes ready then. */
void graph_edge_add(struct replay_graph *graph, uint32_t from, uint32_t to, double delay);
/* Fills graph->time: INFINITY for what never happens, because it waits for itself. */
void graph_run(struct replay_graph *graph);

#endif
