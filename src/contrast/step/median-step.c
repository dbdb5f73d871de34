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

/* The time of a steady step by the measure; NaN if it has none. */
static double steady_time(const struct median_run *run, size_t step, enum step_measure measure)
{
	if (run->launches->is_split || !isfinite(steady_ns(run, step)) ||
		run->launches->steps[step].host_ns[measure] == NO_TIME)
		return NAN;
	return (double)run->launches->steps[step].host_ns[measure];
}

/* The medians of a side's steady steps; NaN where no step has one. */
struct middle {
	double kernels_ns, time_ns;
	size_t steady;
};

static struct middle middle_of_steps(const struct median_run *runs, size_t n, enum step_measure measure)
{
	struct middle middle = {NAN, NAN, 0};
	double *kernels, *times;
	size_t room = 0, timed = 0;

	for (size_t i = 0; i < n; i++)
		room += steps_of_run(&runs[i]);
	kernels = xcalloc(room + 1, sizeof(*kernels));
	times = xcalloc(room + 1, sizeof(*times));
	for (size_t i = 0; i < n; i++) {
		for (size_t step = 0; step < steps_of_run(&runs[i]); step++) {
			double ns = steady_ns(&runs[i], step), time = steady_time(&runs[i], step, measure);

			if (isfinite(ns))
				kernels[middle.steady++] = ns;
			if (isfinite(time))
				times[timed++] = time;
		}
	}
	if (middle.steady)
		middle.kernels_ns = median_of(kernels, middle.steady);
	if (timed)
		middle.time_ns = median_of(times, timed);
	free(kernels);
	free(times);
	return middle;
}

/* Whether a step can be shown in the time that it takes. */
static bool has_time(const struct median_run *run, size_t step, enum step_measure measure)
{
	return run->launches->is_split || run->launches->steps[step].host_ns[measure] != NO_TIME;
}

/* As a part of the median; 0 where either is not known. */
static double apart(double value, double median)
{
	return isfinite(value) && median > 0 ? fabs(value - median) / median : 0;
}

/* The nearest step of a run: its distance, or INFINITY. `timed`: of those that have a time. */
static double nearest_step(const struct median_run *run, const struct middle *middle, enum step_measure measure,
	bool timed, size_t *nearest)
{
	double least = INFINITY;

	for (size_t step = 0; step < steps_of_run(run); step++) {
		double ns = steady_ns(run, step);
		double distance =
			hypot(apart(ns, middle->kernels_ns), apart(steady_time(run, step, measure), middle->time_ns));

		if (!isfinite(ns) || !(distance < least) || (timed && !has_time(run, step, measure)))
			continue;
		least = distance;
		*nearest = step;
	}
	return least;
}

double median_step_distance(const struct median_run *run, double median_ns)
{
	double least = INFINITY;

	for (size_t step = 0; step < steps_of_run(run); step++) {
		double distance = fabs(steady_ns(run, step) - median_ns);

		if (distance < least)
			least = distance;
	}
	return least;
}

static bool choose_step(const struct median_run *runs, size_t n, const struct middle *middle, enum step_measure measure,
	bool timed, struct median_step *out)
{
	double least = INFINITY;

	for (size_t i = 0; i < n; i++) {
		size_t step = 0;
		double distance = runs[i].recording ? nearest_step(&runs[i], middle, measure, timed, &step) : INFINITY;

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
	const struct middle middle = middle_of_steps(runs, n, measure);

	*out = (struct median_step){.ns = NAN, .median_ns = middle.kernels_ns, .steady = middle.steady};
	return choose_step(runs, n, &middle, measure, true, out) || choose_step(runs, n, &middle, measure, false, out);
}
