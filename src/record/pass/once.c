/* once.c: see once.h. */
#include "record/pass/once.h"

#include "record/pass/phase-memory.h"
#include "record/pass/role-memory.h"

static cudaError_t launch_part(struct worker *w, const struct variant *variant, void *state)
{
	struct enqueued done = {0};
	cudaError_t code = variant->launch(state, w->stream, &done);

	return code == cudaSuccess ? cudaStreamSynchronize(w->stream) : code;
}

static cudaError_t launch_on(
	struct worker *w, const struct variant *variant, void *state, const struct phase_memory *memory)
{
	struct kernel_config stamped = {0};
	cudaError_t code = phase_memory_clear(memory, w->stream);

	if (code == cudaSuccess)
		code = variant->launch_phases(state, w->stream, &memory->board, &stamped);
	return code == cudaSuccess ? cudaStreamSynchronize(w->stream) : code;
}

static cudaError_t once_launch_stamped(
	struct worker *w, const struct variant *variant, const struct size_case *size, void *state)
{
	struct kernel_config plain = {0};
	struct phase_memory memory;
	struct error err = {0};
	cudaError_t code = variant->config(state, &plain);

	if (code != cudaSuccess)
		return code;
	if (phase_memory_open(&memory, &plain, phase_plan_length(variant->phases, variant->phases->steps(state)),
		    phase_plan_segments(variant->phases, state), &err) < 0) {
		worker_problem(w, "%s/%s, case %s, with time stamps: %s", w->family->name, variant->name, size->label,
			err.text);
		return cudaSuccess;
	}
	code = launch_on(w, variant, state, &memory);
	phase_memory_close(&memory);
	return code;
}

static cudaError_t once_launch_metered(struct worker *w, const struct variant *variant, void *state)
{
	struct kernel_config plain = {0}, metered = {0};
	struct role_memory memory = {0};
	cudaError_t code = variant->config(state, &plain);

	if (code == cudaSuccess)
		code = role_memory_open(&memory, &plain);
	if (code == cudaSuccess)
		code = role_memory_clear(&memory, w->stream);
	if (code == cudaSuccess)
		code = variant->launch_roles(state, w->stream, &memory.board, &metered);
	if (code == cudaSuccess)
		code = cudaStreamSynchronize(w->stream);
	role_memory_close(&memory);
	return code;
}

void once_unchecked(struct worker *w, const struct variant *variant, const struct size_case *size, void *state)
{
	cudaError_t code = cudaSuccess;

	if (variant_is_part(variant->kind)) {
		code = launch_part(w, variant, state);
		/* Nothing is checked: it is enough that it ran. */
		if (code == cudaSuccess)
			worker_measured(w);
	} else if (variant->launch_phases) {
		code = once_launch_stamped(w, variant, size, state);
	}
	if (code == cudaSuccess && variant->launch_roles)
		code = once_launch_metered(w, variant, state);
	if (code != cudaSuccess)
		worker_cuda_problem(w, variant, size, code);
}
