/* kernel-steps.c: see kernel-steps.h. */
#include "contrast/step/kernel-steps.h"

#include <math.h>
#include <stdlib.h>

#include "analyze/thresholds.h"
#include "store/event.h"
#include "util/alloc.h"

/* By step: its place if it is steady. For free(). */
static struct step_time *places_of_steady(const struct launches *run)
{
	struct step_time *out = xcalloc(run->nsteps + 1, sizeof(*out));

	for (size_t i = 0; i < run->nsteps; i++) {
		const struct launch_step *step = &run->steps[i];

		out[i] = (struct step_time){
			process_of(step->thread), step->left_out == LEFT_NOTHING ? (int64_t)i : NO_TIME};
	}
	return out;
}

static bool has_several(const struct launches *run)
{
	return run->has_range && !run->is_split;
}

void kernel_steps_within(struct first_ones *ones, const struct launches *run)
{
	struct step_time *steady;

	if (!has_several(run))
		return;
	steady = places_of_steady(run);
	first_ones_within(ones, steady, run->nsteps);
	free(steady);
}

/* Their places, for free(). */
static int64_t *places_that_count(const struct first_ones *ones, const struct launches *run, size_t *n)
{
	const struct first_ones all = {.n = 0};
	struct step_time *steady = places_of_steady(run);
	int64_t *out = xcalloc(run->nsteps + 1, sizeof(*out));

	*n = first_ones_take(has_several(run) ? ones : &all, steady, run->nsteps, out);
	free(steady);
	return out;
}

/* Graphs are known by all their steady launches. */
static bool takes_as_long(const struct launches *view, const struct launches *run)
{
	double some = launches_gpu_ns(view), all = launches_gpu_ns(run);

	return fabs(all - some) <= step_parts_apart * fmin(all, some);
}

struct launches kernel_steps_view(const struct first_ones *ones, const struct launches *run)
{
	struct launches view = *run;
	int64_t *place = places_that_count(ones, run, &view.nsteady);

	view.steps = xcalloc(run->nsteps + 1, sizeof(*view.steps));
	for (size_t i = 0, next = 0; i < run->nsteps; i++) {
		bool counts = next < view.nsteady && place[next] == (int64_t)i;

		view.steps[i] = run->steps[i];
		if (!counts && view.steps[i].left_out == LEFT_NOTHING)
			view.steps[i].left_out = LEFT_OTHER_STEP;
		next += counts;
	}
	free(place);
	view.ngraphs = takes_as_long(&view, run) ? run->ngraphs : 0;
	return view;
}

double kernel_steps_begins(const struct launches *view)
{
	const struct first_ones all = {.n = 0};
	struct step_time *steady;
	size_t begins;

	if (!view->has_range || view->nsteady == 0)
		return NAN;
	if (view->is_split)
		return view->splits_begin;
	steady = places_of_steady(view);
	begins = first_ones_begins(&all, steady, view->nsteps);
	free(steady);
	return (double)begins / (double)view->nsteady;
}
