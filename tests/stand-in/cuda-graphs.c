/* cuda-graphs.c: what a stream captured, and its launches. The work of a graph is done in the streams that captured it,
 * in the order in which it was captured; so these streams must still be there. A graph can be instantiated once. */
#include "cuda-parts.h"

#include <stdlib.h>

#include "cupti-records.h"

struct CUgraph_st {
	int id;
	cudaStream_t origin; /* the stream whose capture it is */
	struct op *first, **end;
};

struct CUgraphExec_st {
	cudaStream_t origin;
	cudaEvent_t begin, over;
	struct op *first;
};

static _Atomic int last_id;
static _Atomic uint64_t last_node;

cudaGraph_t graph_new(cudaStream_t origin)
{
	cudaGraph_t graph = calloc(1, sizeof *graph);

	if (graph == NULL)
		return NULL;
	graph->id = ++last_id;
	graph->origin = origin;
	graph->end = &graph->first;
	return graph;
}

int graph_id(cudaGraph_t graph)
{
	return graph == NULL ? 0 : graph->id;
}

void graph_add(cudaGraph_t graph, struct op *op)
{
	*graph->end = op;
	graph->end = &op->next;
}

static void free_ops(struct op *op)
{
	while (op != NULL) {
		struct op *next = op->next;

		free(op->arguments);
		free(op);
		op = next;
	}
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
	CUDA_CALL();
	free_ops(graph->first);
	free(graph);
	return cudaSuccess;
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *out, cudaGraph_t graph, unsigned long long flags)
{
	cudaGraphExec_t exec;
	cudaError_t code;

	(void)flags;
	CUDA_CALL();
	*out = NULL;
	exec = calloc(1, sizeof *exec);
	if (exec == NULL)
		return cuda_note(cudaErrorMemoryAllocation);
	code = cudaEventCreate(&exec->begin);
	if (code == cudaSuccess)
		code = cudaEventCreate(&exec->over);
	if (code != cudaSuccess) {
		free(exec);
		return code;
	}
	exec->origin = graph->origin;
	exec->first = graph->first;
	for (struct op *op = exec->first; op != NULL; op = op->next)
		op->work.node = ++last_node;
	graph->first = NULL;
	graph->end = &graph->first;
	*out = exec;
	return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t exec)
{
	CUDA_CALL();
	queue_drain();
	(void)cudaEventDestroy(exec->begin);
	(void)cudaEventDestroy(exec->over);
	free_ops(exec->first);
	free(exec);
	return cudaSuccess;
}

/* Does once more what was captured. */
static cudaError_t repeat(const struct op *op, uint32_t id)
{
	struct op *again = queue_op(op->kind, op->stream);

	if (again == NULL)
		return cuda_note(cudaErrorMemoryAllocation);
	again->length = op->length;
	again->work = op->work;
	again->work.correlation = id;
	again->engine = op->engine;
	again->to = op->to;
	again->from = op->from;
	again->byte = op->byte;
	again->kernel = op->kernel;
	again->call = op->call;
	again->user = op->user;
	again->event = op->event;
	if (op->kernel != NULL)
		again->arguments = kernel_arguments(op->kernel, op->arguments);
	return queue_add(again);
}

static cudaError_t order(enum op_kind kind, cudaStream_t stream, cudaEvent_t event)
{
	struct op *op = queue_op(kind, stream);

	if (op != NULL)
		op->event = event;
	return queue_add(op);
}

/* The stream in which it is launched comes before and after all of it. */
static cudaError_t launch_graph(cudaGraphExec_t exec, cudaStream_t stream, uint32_t id)
{
	cudaError_t code = order(OP_RECORD, stream, exec->begin);

	if (code == cudaSuccess)
		code = order(OP_WAIT, exec->origin, exec->begin);
	for (const struct op *op = exec->first; op != NULL && code == cudaSuccess; op = op->next)
		code = repeat(op, id);
	if (code == cudaSuccess)
		code = order(OP_RECORD, exec->origin, exec->over);
	return code == cudaSuccess ? order(OP_WAIT, stream, exec->over) : code;
}

/* The runtime's launch calls the driver's. */
cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t handle)
{
	const cuGraphLaunch_params params = {.hGraph = (CUgraphExec)exec, .hStream = (CUstream)handle};
	cudaStream_t stream;
	cudaError_t code;
	CUresult result;
	uint32_t id;

	CUDA_CALL();
	stream = stream_of(handle);
	if (stream == NULL)
		return cuda_note(cudaErrorInvalidResourceHandle);
	id = stand_in_call_begin(__func__);
	callbacks_driver(CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, "cuGraphLaunch", &params, NULL, NULL);
	code = launch_graph(exec, stream, id);
	result = (CUresult)code;
	callbacks_driver(CUPTI_DRIVER_TRACE_CBID_cuGraphLaunch, "cuGraphLaunch", &params, NULL, &result);
	stand_in_call_end(id, (int)code);
	return code;
}
