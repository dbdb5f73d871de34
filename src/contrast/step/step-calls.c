/* step-calls.c: see step-calls.h. */
#include "contrast/step/step-calls.h"

#include <stdlib.h>

#include "contrast/launches-private.h"
#include "contrast/step/step-gpu.h"
#include "store/event.h"
#include "util/alloc.h"
#include "util/number.h"

static int by_step_call(const void *left, const void *right)
{
	const struct step_call *a = left, *b = right;

	return a->process != b->process ? int64_order(a->process, b->process)
					: int64_order(a->correlation, b->correlation);
}

static void keep_each_once(struct step_calls *calls)
{
	size_t kept = 0;

	if (calls->n > 1)
		qsort(calls->call, calls->n, sizeof(*calls->call), by_step_call);
	for (size_t i = 0; i < calls->n; i++)
		if (kept == 0 || by_step_call(&calls->call[kept - 1], &calls->call[i]) != 0)
			calls->call[kept++] = calls->call[i];
	calls->n = kept;
}

static size_t first_steady(const struct launches *run)
{
	size_t step = 0;

	while (step + 1 < run->nsteps && run->steps[step].left_out != LEFT_NOTHING)
		step++;
	return step;
}

static void take_step_times(const struct launch_step *step, struct step_calls *out)
{
	bool has_work = step->gpu_start != TIME_NONE;

	out->from = has_work && step->gpu_start < step->start ? step->gpu_start : step->start;
	out->to = has_work && step->gpu_end > step->end ? step->gpu_end : step->end;
	out->start = step->start;
	out->end = step->end;
	out->gpu_start = step->gpu_start;
	out->gpu_end = step->gpu_end;
	for (enum step_measure m = 0; m < STEP_MEASURES; m++)
		out->host_ns[m] = step->host_ns[m];
	out->process = process_of(step->thread);
}

static void widen_kernels(const struct gathered_work *work, struct step_calls *out)
{
	if (work->form == NO_FORM)
		return;
	if (out->kernels_to == 0 || work->start < out->kernels_from)
		out->kernels_from = work->start;
	out->kernels_to = work->end > out->kernels_to ? work->end : out->kernels_to;
}

/* Counts the steps of its process. Those of other processes stand between them. */
static void take_step_places(const struct launches *run, struct step_calls *out)
{
	size_t n = 0;

	out->steady = xcalloc(run->nsteps + 1, sizeof(*out->steady));
	for (size_t i = 0; i < run->nsteps; i++) {
		if (process_of(run->steps[i].thread) != out->process)
			continue;
		if (i == out->step)
			out->number = n;
		if (run->steps[i].left_out == LEFT_NOTHING)
			out->steady[out->nsteady++] = n;
		n++;
	}
}

/* Once the calls are in order. */
static void take_step_gpus(const struct gather *gather, struct step_calls *out)
{
	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];

		if (work->gpu >= 0 && work->gpu < PROGRAM_GPUS && step_calls_has_process(out, work->process))
			out->gpus[work->gpu] = true;
	}
}

void step_calls_take(const struct gather *gather, struct step_calls *out)
{
	const struct launches *run = gather->out;

	if (out->step >= run->nsteps)
		out->step = first_steady(run);
	out->steps = run->nsteps;
	out->whole = !run->has_range;
	out->call = xcalloc(gather->n + 1, sizeof(*out->call));
	for (size_t i = 0; i < gather->n; i++) {
		const struct gathered_work *work = &gather->work[i];

		if (work->step != out->step)
			continue;
		out->pieces++;
		widen_kernels(work, out);
		if (work->correlation != 0)
			out->call[out->n++] = (struct step_call){work->process, work->correlation};
	}
	keep_each_once(out);
	take_step_times(&run->steps[out->step], out);
	take_step_gpus(gather, out);
	take_step_places(run, out);
	out->device = step_gpu_device(gather);
}

void step_calls_free(struct step_calls *calls)
{
	free(calls->call);
	free(calls->steady);
	*calls = (struct step_calls){.n = 0};
}

size_t step_calls_find(const struct step_calls *calls, int64_t process, int64_t correlation)
{
	const struct step_call wanted = {process, correlation};
	const struct step_call *found =
		calls->n ? bsearch(&wanted, calls->call, calls->n, sizeof(wanted), by_step_call) : NULL;

	return found ? (size_t)(found - calls->call) + 1 : 0;
}

bool step_calls_has_process(const struct step_calls *calls, int64_t process)
{
	size_t first = FIRST_FROM(calls->call, calls->n, process, process);

	return process == calls->process || (first < calls->n && calls->call[first].process == process);
}
