/*
 * variant.c: one variant of dbprof's own families as a program of its own, as somebody else would have written it: no
 * CUPTI, and an NVTX range "step" around as many launches as are wanted, which waits for them.
 *
 * usage: variant FAMILY/VARIANT STEPS LAUNCHES [NAME=VALUE]...
 * The case is the family's first one, with parameters changed. Prints nothing: sides print the same then. */
#include <stdlib.h>

#include <nvtx3/nvToolsExt.h>

#include "programs/chosen.h"

static void take_steps(const struct variant *variant, void *state, long steps, long launches)
{
	struct enqueued done = {0};
	cudaStream_t stream;

	chosen_check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
	for (long i = 0; i < steps; i++) {
		nvtxRangePushA("step");
		for (long k = 0; k < launches; k++)
			chosen_check(variant->launch(state, stream, &done), "launch");
		chosen_check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
		nvtxRangePop();
	}
	chosen_check(cudaStreamDestroy(stream), "cudaStreamDestroy");
}

int main(int argc, char **argv)
{
	const struct family *family;
	const struct variant *variant;
	struct size_case size;
	void *state;

	if (argc < 4)
		chosen_quit("usage", "FAMILY/VARIANT STEPS LAUNCHES [NAME=VALUE]...");
	family = chosen_family(argv[1]);
	variant = chosen_variant(argv[1]);
	size = chosen_case(family, argv + 4, argc - 4);
	state = chosen_set_up(family, &size);
	if (variant->prepare)
		variant->prepare(state, cudaStreamPerThread);
	take_steps(variant, state, atol(argv[2]), atol(argv[3]));
	family->tear_down(state);
	return 0;
}
