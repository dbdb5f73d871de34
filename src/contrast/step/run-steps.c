/* run-steps.c: see run-steps.h. */
#include "contrast/step/run-steps.h"

#include <stdlib.h>

#include "contrast/step/spans.h"
#include "util/alloc.h"

/* ---- of one run ---- */

/* Clock and power count while steady steps run: before its first call a program has a slow GPU. */
static void read_during(struct measured_run *run, const struct side_span *spans, size_t n)
{
	run->run.readings = side_readings_during(run->run.read, run->run.nread, spans, n);
}

void run_steps_take(struct measured_run *run, const struct launches *traced)
{
	struct side_span *spans = xcalloc(run->run.nsteps + 1, sizeof(*spans));
	size_t n = spans_of_steps(run->run.steps, run->run.nsteps, traced, spans);

	times_of_steps(run->run.steps, run->run.nsteps, traced, &run->times);
	if (run->gpu >= 0)
		read_during(run, spans, n);
	free(spans);
}

void run_steps_read(struct measured_run *run, const struct launches *launches)
{
	struct side_span *spans;

	if (!launches->has_range)
		return;
	spans = xcalloc(launches->nsteps + 1, sizeof(*spans));
	read_during(run, spans, spans_of_launches(launches, run->run.epoch_ns, spans));
	free(spans);
}

/* ---- of all runs ---- */

/* The first traced run of a side that has so many steps; or NULL. */
static const struct launches *traced_with_steps(const struct measurement *out, size_t side, size_t steps)
{
	for (size_t i = 0; i < out->nruns; i++) {
		const struct launches *launches = out->runs[i].launches;

		if (out->runs[i].side == side && launches && launches->nsteps == steps)
			return launches;
	}
	return NULL;
}

static void choose_host_steps(struct measurement *out)
{
	for (size_t i = 0; i < out->nruns; i++) {
		struct measured_run *run = &out->runs[i];

		if (run->kind == SIDE_HOST && run->times.n[STEP_DURATION] > 0)
			run_steps_take(run, traced_with_steps(out, run->side, run->run.nsteps));
	}
}

/* Warm-ups say nothing. */
static void choose_step_measure(struct measurement *out)
{
	struct paced_run *runs = xcalloc(out->nruns + 1, sizeof(*runs));
	size_t n = 0;

	for (size_t i = 0; i < out->nruns; i++) {
		const struct measured_run *run = &out->runs[i];

		if (run->block < 0 || run->times.n[STEP_DURATION] == 0)
			continue;
		runs[n++] = run->launches ? launches_paced(run->launches, run->side)
					  : (struct paced_run){.side = run->side,
						    .ends = !run->times.overlap,
						    .periods = run->times.n[STEP_PERIOD]};
	}
	out->measure = step_measure_of(runs, n, out->nsides);
	free(runs);
}

void run_steps_choose(struct measurement *out)
{
	choose_host_steps(out);
	choose_step_measure(out);
}
