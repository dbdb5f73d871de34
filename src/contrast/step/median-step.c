/* median-step.c: see median-step.h. */
#include "contrast/step/median-step.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#include "analyze/analyze.h"
#include "util/alloc.h"

/* Parts of one step are one step. */
static size_t steps_of_run(const struct median_run *run)
{
	if (!run->launches)
		return 0;
	return run->launches->is_split ? 1 : run->launches->nsteps;
}

/* The kernel time of a step; NaN if it is not steady. */
static double steady_ns(const struct median_run *run, size_t step)
{
	if (run->launches->is_split)
		return launches_gpu_ns(run->launches);
	return run->launches->steps[step].left_out == LEFT_NOTHING ? run->launches->steps[step].ns : NAN;
}

static double median_of_steps(const struct median_run *runs, size_t n, size_t *steady)
{
	double *ns, median;
	size_t room = 0;

	for (size_t i = 0; i < n; i++)
		room += steps_of_run(&runs[i]);
	ns = xcalloc(room + 1, sizeof(*ns));
	*steady = 0;
	for (size_t i = 0; i < n; i++) {
		for (size_t step = 0; step < steps_of_run(&runs[i]); step++) {
			double one = steady_ns(&runs[i], step);

			if (isfinite(one))
				ns[(*steady)++] = one;
		}
	}
	median = *steady ? median_of(ns, *steady) : NAN;
	free(ns);
	return median;
}

/* Whether a step can be shown in the time that it takes. */
static bool has_time(const struct median_run *run, size_t step, enum step_measure measure)
{
	return run->launches->is_split || run->launches->steps[step].host_ns[measure] != NO_TIME;
}

/* The nearest step of a run: its distance, or INFINITY. `timed`: of those that have a time. */
static double nearest_step(
	const struct median_run *run, double median_ns, enum step_measure measure, bool timed, size_t *nearest)
{
	double least = INFINITY;

	for (size_t step = 0; step < steps_of_run(run); step++) {
		double distance = fabs(steady_ns(run, step) - median_ns);

		if (!(distance < least) || (timed && !has_time(run, step, measure)))
			continue;
		least = distance;
		*nearest = step;
	}
	return least;
}

double median_step_distance(const struct median_run *run, double median_ns)
{
	size_t step;

	return nearest_step(run, median_ns, STEP_DURATION, false, &step);
}

static bool choose_step(
	const struct median_run *runs, size_t n, enum step_measure measure, bool timed, struct median_step *out)
{
	double least = INFINITY;

	for (size_t i = 0; i < n; i++) {
		size_t step = 0;
		double distance =
			runs[i].recording ? nearest_step(&runs[i], out->median_ns, measure, timed, &step) : INFINITY;

		if (!(distance < least))
			continue;
		least = distance;
		out->run = i;
		out->step = runs[i].launches->is_split ? MEDIAN_STEP_ONLY : step;
		out->ns = steady_ns(&runs[i], step);
	}
	return isfinite(least);
}

bool median_step_choose(const struct median_run *runs, size_t n, enum step_measure measure, struct median_step *out)
{
	*out = (struct median_step){.ns = NAN};
	out->median_ns = median_of_steps(runs, n, &out->steady);
	return choose_step(runs, n, measure, true, out) || choose_step(runs, n, measure, false, out);
}
