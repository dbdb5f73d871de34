/*
 * variant.c: one variant of dbprof's own families as a program of its own, as somebody else would have written it: no
 * CUPTI, and an NVTX range "step" around as many launches as are wanted, which waits for them.
 *
 * usage: variant FAMILY/VARIANT STEPS LAUNCHES [NAME=VALUE]...
 * The case is the family's first one, with parameters changed. Prints nothing: sides print the same then. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <nvtx3/nvToolsExt.h>

#include "families.h"

enum { SEED = 1, MESSAGE_SIZE = 256 };

static void quit_with(const char *what, const char *why)
{
	fprintf(stderr, "variant: %s: %s\n", what, why);
	exit(1);
}

static void variant_check(cudaError_t code, const char *what)
{
	if (code != cudaSuccess)
		quit_with(what, cudaGetErrorString(code));
}

/* The family whose name stands before the slash. */
static const struct family *named_family(const char *name, size_t length)
{
	for (int i = 0; i < families_count; i++)
		if (strlen(families[i]->name) == length && strncmp(families[i]->name, name, length) == 0)
			return families[i];
	quit_with(name, "there is no such family");
	return NULL;
}

static const struct variant *named_variant(const struct family *family, const char *name)
{
	for (int i = 0; i < family->nvariants; i++)
		if (strcmp(family->variants[i].name, name) == 0)
			return &family->variants[i];
	quit_with(name, "there is no such variant");
	return NULL;
}

static void set_parameter(const struct family *family, const char *setting, struct size_case *size)
{
	size_t length = strcspn(setting, "=");

	for (int i = 0; i < family->nparams; i++)
		if (strlen(family->params[i].name) == length && strncmp(family->params[i].name, setting, length) == 0 &&
			setting[length] == '=') {
			size->value[i] = strtoll(setting + length + 1, NULL, 10);
			return;
		}
	quit_with(setting, "there is no such parameter");
}

static void take_steps(const struct variant *variant, void *state, long steps, long launches)
{
	struct enqueued done = {0};
	cudaStream_t stream;

	variant_check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreate");
	for (long i = 0; i < steps; i++) {
		nvtxRangePushA("step");
		for (long k = 0; k < launches; k++)
			variant_check(variant->launch(state, stream, &done), "launch");
		variant_check(cudaStreamSynchronize(stream), "cudaStreamSynchronize");
		nvtxRangePop();
	}
	variant_check(cudaStreamDestroy(stream), "cudaStreamDestroy");
}

int main(int argc, char **argv)
{
	const char *slash = argc >= 4 ? strchr(argv[1], '/') : NULL;
	const struct family *family;
	const struct variant *variant;
	struct size_case size;
	char message[MESSAGE_SIZE] = "";
	void *state;

	if (!slash)
		quit_with("usage", "FAMILY/VARIANT STEPS LAUNCHES [NAME=VALUE]...");
	family = named_family(argv[1], (size_t)(slash - argv[1]));
	variant = named_variant(family, slash + 1);
	size = family->cases[0];
	for (int i = 4; i < argc; i++)
		set_parameter(family, argv[i], &size);
	if (family->set_up(&size, SEED, &state, message, sizeof(message)) != cudaSuccess)
		quit_with(argv[1], message);
	if (variant->prepare)
		variant->prepare(state, cudaStreamPerThread);
	take_steps(variant, state, atol(argv[2]), atol(argv[3]));
	family->tear_down(state);
	return 0;
}
