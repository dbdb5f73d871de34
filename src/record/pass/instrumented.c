/* instrumented.c: see instrumented.h. */
#include "record/pass/instrumented.h"

#include <string.h>

#include "analyze/analyze.h"
#include "record/machine/environment.h"
#include "record/worker/registry.h"

enum {
	TURNS = 11,      /* pairs of batches */
	MAX_BATCH = 100, /* launches */
};

/* ---- problems ---- */

int instrumented_problem(const struct instrumented *kernel, cudaError_t code)
{
	const struct launch *launch = &kernel->launch;

	return code == cudaSuccess ? 0 : worker_cuda_problem(launch->w, launch->variant, launch->size, code);
}

int instrumented_wrong(const struct instrumented *kernel, const char *what)
{
	const struct launch *launch = &kernel->launch;

	worker_problem(launch->w, "%s/%s, case %s, %s: %s", launch->w->family->name, launch->variant->name,
		launch->size->label, kernel->how, what);
	return -1;
}

/* ---- whether it does the same ---- */

static bool instrumented_same_blocks(const struct kernel_config *plain, const struct kernel_config *other)
{
	return memcmp(plain->grid, other->grid, sizeof(plain->grid)) == 0 &&
	       memcmp(plain->block, other->block, sizeof(plain->block)) == 0;
}

int instrumented_check(const struct instrumented *kernel)
{
	const struct launch *launch = &kernel->launch;
	const struct family *family = launch->w->family;
	struct check_result result;
	cudaError_t code = family->poison(launch->state, launch->w->stream);

	if (code == cudaSuccess)
		code = kernel->other(kernel->user);
	if (code == cudaSuccess && !instrumented_same_blocks(kernel->plain_config, kernel->other_config))
		return instrumented_wrong(kernel, "its grid or its blocks are not those of config()");
	if (code == cudaSuccess)
		code = family->check(launch->state, &result);
	if (code != cudaSuccess)
		return instrumented_problem(kernel, code);
	if (result.wrong == 0 || launch->variant->teaches_failure)
		return 0;
	return instrumented_wrong(kernel, "the result is wrong");
}

/* ---- what it costs ---- */

static cudaError_t instrumented_launch_plain(void *user)
{
	const struct instrumented *kernel = user;
	const struct launch *launch = &kernel->launch;
	struct enqueued done = {0};

	return launch->variant->launch(launch->state, launch->w->stream, &done);
}

static cudaError_t instrumented_launch_other(void *user)
{
	const struct instrumented *kernel = user;

	return kernel->other(kernel->user);
}

/* *ns: of a launch. */
static cudaError_t instrumented_batch(struct instrumented *kernel, bool plain, int launches, double *ns)
{
	const struct batch_work work = {plain ? instrumented_launch_plain : instrumented_launch_other, kernel,
		!environment_launches_block(), false};
	struct batch_result result;
	cudaError_t code = batch_run(kernel->batcher, &work, launches, &result);

	*ns = result.ns / launches;
	return code;
}

/* As many as take the time of a batch. */
static cudaError_t instrumented_batch_length(struct instrumented *kernel, int *launches)
{
	double ns = 0;
	cudaError_t code = instrumented_batch(kernel, true, 1, &ns);

	*launches = ns > 0 ? (int)(BATCH_NS / ns) + 1 : 1;
	if (*launches > MAX_BATCH)
		*launches = MAX_BATCH;
	return code;
}

static cudaError_t instrumented_take_turns(struct instrumented *kernel)
{
	double ns[2][TURNS];
	int launches;
	cudaError_t code = instrumented_batch_length(kernel, &launches);

	for (int i = 0; i < 2 * TURNS && code == cudaSuccess; i++) {
		bool plain = i % 4 == 0 || i % 4 == 3;

		code = instrumented_batch(kernel, plain, launches, &ns[plain][i / 2]);
	}
	if (code != cudaSuccess)
		return code;
	kernel->plain_ns = median_of(ns[true], TURNS);
	kernel->instrumented_ns = median_of(ns[false], TURNS);
	return code;
}

int instrumented_time(struct instrumented *kernel)
{
	if (launch_warm_up(&kernel->launch, NULL) < 0)
		return -1;
	return instrumented_problem(kernel, instrumented_take_turns(kernel));
}

int instrumented_registers(const struct instrumented *kernel, const void *function)
{
	const struct plugin_runtime *runtime = registry_runtime(kernel->launch.w->family);
	struct cudaFuncAttributes attributes;

	return runtime->attributes(&attributes, function) == cudaSuccess ? attributes.numRegs : 0;
}
