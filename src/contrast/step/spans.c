/* spans.c: see spans.h. */
#include "contrast/step/spans.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "store/event.h"
#include "util/alloc.h"

size_t spans_of_steps(const struct side_step *steps, size_t n, const struct places *places, struct side_span *out)
{
	struct placed_step *placed = xcalloc(n + 1, sizeof(*placed));
	size_t found = 0;

	places_apply(places, NO_RUN, steps, n, placed);
	for (size_t i = 0; i < n; i++)
		if (placed[i].counts[STEP_DURATION])
			out[found++] = (struct side_span){steps[i].start_ns, steps[i].end_ns};
	free(placed);
	return found;
}

size_t spans_of_launches(const struct launches *launches, int64_t epoch_ns, struct side_span *out)
{
	size_t found = 0;

	for (size_t i = 0; i < launches->nsteps; i++) {
		const struct launch_step *step = &launches->steps[i];

		if (step->left_out == LEFT_NOTHING)
			out[found++] = (struct side_span){epoch_ns + step->start, epoch_ns + step->end};
	}
	return found;
}

/* ---- host times ---- */

static struct run_times no_times(size_t n)
{
	struct run_times out = {.n = n};

	for (enum step_measure m = 0; m < STEP_MEASURES; m++)
		out.step[m] = xcalloc(n + 1, sizeof(*out.step[m]));
	return out;
}

void run_times_free(struct run_times *times)
{
	for (enum step_measure m = 0; m < STEP_MEASURES; m++)
		free(times->step[m]);
	*times = (struct run_times){.n = 0};
}

struct run_times times_of_steps(
	const struct side_step *steps, size_t n, const struct places *places, size_t but, double pause)
{
	struct run_times out = no_times(n);
	struct placed_step *placed = xcalloc(n + 1, sizeof(*placed));
	struct paced_step *paced = xcalloc(n + 1, sizeof(*paced));

	places_apply(places, but, steps, n, placed);
	for (size_t i = 0; i < n; i++)
		paced[i] = (struct paced_step){.process = steps[i].process,
			.start = steps[i].start_ns,
			.end = steps[i].end_ns,
			.is_steady = placed[i].counts[STEP_DURATION]};
	steps_pace(paced, n, pause, &out.pace);
	for (size_t i = 0; i < n; i++) {
		for (enum step_measure m = 0; m < STEP_MEASURES; m++)
			out.step[m][i] = (struct step_time){
				steps[i].process, placed[i].counts[m] ? paced[i].host_ns[m] : NO_TIME};
	}
	free(paced);
	free(placed);
	return out;
}

struct run_times times_of_launches(const struct launches *launches)
{
	size_t n = launches->has_range ? launches->nsteps : 0;
	struct run_times out = no_times(n);

	out.pace = launches->pace;
	for (size_t i = 0; i < n; i++) {
		const struct launch_step *step = &launches->steps[i];
		int64_t process = process_of(step->thread);

		for (enum step_measure m = 0; m < STEP_MEASURES; m++)
			out.step[m][i] = (struct step_time){process, step->host_ns[m]};
	}
	return out;
}

struct run_times times_as_placed(const struct launches *launches, const struct places *places, size_t but, double pause)
{
	size_t n = launches->has_range ? launches->nsteps : 0;
	struct side_step *steps = xcalloc(n + 1, sizeof(*steps));
	struct run_times out;

	for (size_t i = 0; i < n; i++) {
		const struct launch_step *step = &launches->steps[i];

		steps[i] = (struct side_step){step->start, step->end, process_of(step->thread), step->thread};
	}
	out = times_of_steps(steps, n, places, but, pause);
	free(steps);
	return out;
}

struct step_times no_step_times(void)
{
	struct step_times out = {.n = {0}};

	for (enum step_measure m = 0; m < STEP_MEASURES; m++)
		out.ns[m] = NAN;
	return out;
}

void step_times_of(const struct run_times *times, const struct first_ones *ones, struct step_times *out)
{
	out->pace = times->pace;
	for (enum step_measure m = 0; m < STEP_MEASURES; m++) {
		out->ns[m] = first_ones_mean(&ones[m], times->step[m], times->n, &out->n[m]);
		out->begins[m] = first_ones_begins(&ones[m], times->step[m], times->n);
	}
}
