/*
 * variant.c: one variant of dbprof's own families as a program of its own, as somebody else would have written it: no
 * CUPTI, and an NVTX range "step" around as many launches as are wanted, which waits for them.
 *
 * usage: variant [graph] FAMILY/VARIANT STEPS LAUNCHES [NAME=VALUE]...
 * The case is the family's first one, with parameters changed. With "graph" the launches of a step are one CUDA graph.
 * Prints nothing: sides print the same then. */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <nvtx3/nvToolsExt.h>

#include "programs/chosen.h"

/* What a step does, again and again. */
struct step {
	const struct variant *variant;
	void *state;
	long launches;
	cudaStream_t stream;
	cudaGraphExec_t graph; /* NULL: launches one by one */
};

static void launch_all(const struct step *step)
{
	struct enqueued done = {0};

	for (long k = 0; k < step->launches; k++)
		chosen_check(step->variant->launch(step->state, step->stream, &done), "launch");
}

static void capture(struct step *step)
{
	cudaGraph_t graph;

	launch_all(step); /* what is done once is no part of it */
	chosen_check(cudaStreamSynchronize(step->stream), "cudaStreamSynchronize");
	chosen_check(cudaStreamBeginCapture(step->stream, cudaStreamCaptureModeRelaxed), "cudaStreamBeginCapture");
	launch_all(step);
	chosen_check(cudaStreamEndCapture(step->stream, &graph), "cudaStreamEndCapture");
	chosen_check(cudaGraphInstantiate(&step->graph, graph, 0), "cudaGraphInstantiate");
	chosen_check(cudaGraphDestroy(graph), "cudaGraphDestroy");
}

static void take_steps(struct step *step, long steps, bool as_graph)
{
	chosen_check(cudaStreamCreateWithFlags(&step->stream, cudaStreamNonBlocking), "cudaStreamCreate");
	if (as_graph)
		capture(step);
	for (long i = 0; i < steps; i++) {
		nvtxRangePushA("step");
		if (as_graph)
			chosen_check(cudaGraphLaunch(step->graph, step->stream), "cudaGraphLaunch");
		else
			launch_all(step);
		chosen_check(cudaStreamSynchronize(step->stream), "cudaStreamSynchronize");
		nvtxRangePop();
	}
	if (as_graph)
		chosen_check(cudaGraphExecDestroy(step->graph), "cudaGraphExecDestroy");
	chosen_check(cudaStreamDestroy(step->stream), "cudaStreamDestroy");
}

int main(int argc, char **argv)
{
	bool as_graph = argc > 1 && strcmp(argv[1], "graph") == 0;
	char **words = argv + as_graph;
	const struct family *family;
	struct size_case size;
	struct step step = {0};

	if (argc - as_graph < 4)
		chosen_quit("usage", "[graph] FAMILY/VARIANT STEPS LAUNCHES [NAME=VALUE]...");
	family = chosen_family(words[1]);
	step.variant = chosen_variant(words[1]);
	size = chosen_case(family, words + 4, argc - as_graph - 4);
	step.state = chosen_set_up(family, &size);
	step.launches = atol(words[3]);
	if (step.variant->prepare)
		step.variant->prepare(step.state, cudaStreamPerThread);
	take_steps(&step, atol(words[2]), as_graph);
	family->tear_down(step.state);
	return 0;
}
